"""Replays and counts: bounded, and in turn, so that nobody's many requests stop another's one."""

import asyncio
import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from branchline import Record
from branchline.server.fair_turns import FairTurns, NoTurn
from branchline.server.protocol.refusals import Refused
from branchline.server.tables.replayers import WAITING, WAITING_EACH, Replayers
from tests.conftest import SOAK
from tests.random_games import random_game
from tests.server.inside import Inside, running_inside
from tests.server.refusing import wait_until

AT_ONCE = 60 if SOAK else 25


async def line_up(turns, askers):
    """Everybody asks at the same moment; returns who was served, in order."""
    served = []

    async def ask(asker):
        try:
            async with turns.turn(asker):
                served.append(asker)
                await asyncio.sleep(0)
        except NoTurn as no:
            served.append(f"{asker} {'too many' if no.is_own else 'busy'}")

    await asyncio.gather(*map(ask, askers))
    return served


def test_those_who_wait_are_served_address_by_address():
    served = asyncio.run(line_up(FairTurns(1, 100, 100), "aaaaaabbc"))
    assert "".join(served) == "aabcabaaa"


def test_an_asker_may_have_only_a_few_waiting():
    served = asyncio.run(line_up(FairTurns(1, 100, 2), "aaaab"))
    assert sorted(served) == ["a", "a", "a", "a too many", "b"]


def test_the_number_that_wait_in_all_is_limited():
    served = asyncio.run(line_up(FairTurns(2, 3, 3), "abcdef"))
    assert [one for one in served if " " in one] == ["f busy"]


def test_somebody_who_goes_away_leaves_the_line():
    async def run():
        turns = FairTurns(1, 10, 10)
        free = asyncio.Event()

        async def hold(asker):
            async with turns.turn(asker):
                await free.wait()

        first, second, third = (asyncio.create_task(hold(asker)) for asker in "abc")
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.sleep(0)
        assert turns.waiting == 1
        free.set()
        await asyncio.gather(first, third)
        await asyncio.gather(second, return_exceptions=True)
        async with asyncio.timeout(1), turns.turn("d"):
            pass

    asyncio.run(run())


def test_an_answer_is_worked_out_once_and_kept():
    worked = []

    def work():
        worked.append(1)
        return b"answer"

    async def run():
        replayers = Replayers(1)
        answers = await asyncio.gather(*(replayers.work_out(f"asker {number}", work, "name") for number in range(5)))
        replayers.close()
        return answers

    assert asyncio.run(run()) == [b"answer"] * 5
    assert len(worked) == 1


def slow_answer():
    """Here or, once one is warm, in another process."""
    time.sleep(0.01)
    return b"x"


def test_when_too_many_wait_they_are_told_to_come_later():
    async def run():
        replayers = Replayers(1)
        asked = [replayers.work_out(f"{number % 70}", slow_answer) for number in range(80)]
        found = await asyncio.gather(*asked, return_exceptions=True)
        replayers.close()
        return found

    found = asyncio.run(run())
    assert {one.code for one in found if isinstance(one, Refused)} == {"busy"}
    assert found.count(b"x") == WAITING + 1


# over HTTP


@pytest.fixture(scope="module")
def record():
    *_, state = random_game("world", 3, 3)
    return json.loads(Record.of(state, [{"name": "Zoe", "player": "human"}] * 3).to_json())


def replay(inside: Inside, record, address, answers):
    response = inside.http.post("/api/replay", json={"record": record, "seat": None}, headers={"X-Forwarded-For": address}, timeout=120)
    answers.append(response.status_code)
    return response.status_code


def test_an_honest_replay_does_not_wait_for_a_flood_of_others(tmp_path, record):
    """One address may have ten waiting; another's first request comes right after those that are being worked out."""
    flood: list[int] = []
    with running_inside(tmp_path, replay_workers=1) as inside, ThreadPoolExecutor(AT_ONCE) as pool:
        sent = [pool.submit(replay, inside, record, "10.0.0.66", flood) for _ in range(AT_ONCE)]
        wait_until(lambda: 429 in flood)
        before = flood.count(200)
        assert replay(inside, record, "10.0.0.1", []) == 200
        assert flood.count(200) - before <= 3
        for one in sent:
            one.result()
    assert set(flood) == {200, 429}
    assert flood.count(429) >= AT_ONCE - WAITING_EACH - 5
