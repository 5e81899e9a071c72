"""Long thinking is shared fairly: many tables of one address do not hold up anybody else's master, and people are told when a bot thinks less."""

import asyncio
import time
from contextlib import suppress

from branchline import Game
from branchline.server.protocol.live_replies import LiveNotice
from branchline.server.store.entries import DECIDE
from branchline.server.tables.driving import bot_seed
from branchline.server.tables.fair_queue import Addresses, Asker, FairQueue
from branchline.server.tables.thinking import Thinkers
from tests.conftest import SOAK
from tests.server.inside import bearer, running_inside
from tests.server.refusing import code_of, wait_until
from tests.server.running import new_key

TABLES = 300
THOUGHT = 0.05  # seconds

VIEW = Game("london", 2).start(1).view(0)


class SlowThinkers(Thinkers):
    """Thinks by sleeping, and notes for whom."""

    def __init__(self, workers, longest_wait=60.0):
        super().__init__(workers, longest_wait)
        self.thought = []

    async def _decide_long(self, _view, _level, seed, _past):
        await asyncio.sleep(THOUGHT)
        self.thought.append(seed)
        return 0


def turns(*askers):
    """In which order askers get their turns."""

    async def whole():
        queue = FairQueue()
        names = {}
        for number, asker in enumerate(askers):
            turn = asyncio.get_running_loop().create_future()
            names[turn] = number
            queue.add(asker, turn)
        return [names[turn] for turn in iter(queue.next, None)]

    return asyncio.run(whole())


def test_turns_go_round_the_addresses_and_at_each_address_round_the_hosts():
    a1, a2, b, c = Asker("a1", "A"), Asker("a2", "A"), Asker("b", "B"), Asker("c", "C")
    assert turns(a1, a1, a1, a2, a2, b, c, c) == [0, 5, 6, 3, 7, 1, 4, 2]


def test_a_turn_that_nobody_waits_for_any_more_is_passed_over():
    async def whole():
        queue = FairQueue()
        first, second = (asyncio.get_running_loop().create_future() for _ in range(2))
        queue.add(Asker("a", "A"), first)
        queue.add(Asker("a", "A"), second)
        first.cancel()
        assert queue.next() is second
        assert queue.next() is None

    asyncio.run(whole())


def waited_beside(crowd, asker):
    """How many of a crowd think before somebody who comes after all of them."""

    async def whole():
        thinkers = SlowThinkers(2)
        everybody = [asyncio.create_task(thinkers.decide(VIEW, "master", 0, one)) for one in crowd]
        await asyncio.sleep(0)
        thought = await thinkers.decide(VIEW, "master", 1, asker)
        before = len(thinkers.thought)
        for one in everybody:
            one.cancel()
        await asyncio.gather(*everybody, return_exceptions=True)
        thinkers.close()
        assert thought.level == "master"
        return before

    return asyncio.run(whole())


def test_300_tables_of_one_host_do_not_hold_up_another_master():
    assert waited_beside([Asker("crowd", "A")] * TABLES, Asker("honest", "B")) <= 5


def test_300_hosts_at_one_address_do_not_either():
    assert waited_beside([Asker(f"host {number}", "A") for number in range(TABLES)], Asker("honest", "B")) <= 5


def test_where_people_wait_comes_before_300_tables_of_bots_alone():
    crowd = [Asker(f"host {number}", f"address {number}", has_people=False) for number in range(TABLES)]
    assert waited_beside(crowd, Asker("honest", "B")) <= 5


def test_a_master_whose_turn_does_not_come_soon_plays_like_expert():
    async def whole():
        thinkers = SlowThinkers(1, 0.3)
        crowd = [asyncio.create_task(thinkers.decide(VIEW, "master", 0, Asker("crowd", "A"))) for _ in range(20)]
        began = time.monotonic()
        levels = [(await one).level for one in crowd]
        assert levels.count("master") in range(3, 9)
        assert levels.count("expert") == 20 - levels.count("master")
        assert time.monotonic() - began < 5
        assert (await thinkers.decide(VIEW, "master", 2, Asker("later", "A"))).level == "master", "all turns were given back"
        assert (await thinkers.decide(VIEW, "normal", 2, Asker("later", "A"))).level == "normal"
        thinkers.close()

    asyncio.run(whole())


def test_the_address_of_a_host_is_remembered_and_otherwise_the_host_stands_for_itself():
    addresses = Addresses()
    addresses.note("key", "192.0.2.1")
    assert (addresses.of("key"), addresses.of("other")) == ("192.0.2.1", "other")


CROWD = 12


def masters_waiting(thinkers):
    return sum(len(turns) for queue in thinkers._waiting.values() for hosts in queue._addresses.values() for turns in hosts.values())


def test_tables_of_many_hosts_at_one_address_and_of_bots_alone_do_not_hold_up_somebody_elsewhere(tmp_path):
    """From the request to the bot's turn: the address that a host comes from, and whether people wait, decide whose master thinks first."""
    with running_inside(tmp_path, longest_bot_wait=60.0, bot_workers=1) as inside:
        thinkers, thought = inside.service.driver.thinkers, []
        thinkers._thinking = 1  # nobody's turn comes until all of them wait

        async def think(view, _level, seed, _past):
            thought.append(seed)
            return view.legal[0]

        thinkers._decide_long = think

        def table_from(address, *seats):
            asked = {"game": "london", "seats": seats, "name": "Host", "pace": 0}
            response = inside.http.post("/api/tables", json=asked, headers=bearer(new_key()) | {"X-Forwarded-For": address})
            assert response.status_code == 201
            return response.json()["table"]

        for number in range(CROWD):
            table_from("192.0.2.1", "person", "master")
            table_from(f"198.51.100.{number}", "master", "easy")
        honest = inside.call(inside.service.table(table_from("203.0.113.7", "person", "master")))
        wait_until(lambda: masters_waiting(thinkers) == 2 * CROWD + 1)
        inside.loop.call_soon_threadsafe(thinkers._end_turn)
        wait_until(lambda: bot_seed(honest, 1) in thought)
        assert thought.index(bot_seed(honest, 1)) <= 1


def test_people_are_told_that_a_bot_thinks_less_once_and_the_log_does_not_show_it(tmp_path):
    keys = [new_key(), new_key()]
    with running_inside(tmp_path, longest_bot_wait=0.0, bot_workers=1) as inside:
        inside.service.driver.thinkers._thinking = 1  # somebody thinks all the time
        table = inside.new_table(keys[0], game="europe", seats=["person", "person", "master"], pace=0)
        with inside.live(table, keys[0]) as talk:
            heard, acts = [talk.hear()], 0
            assert inside.post(f"/api/tables/{table}/join", {"name": "Guest"}, keys[1]).status_code == 200
            while acts < (60 if SOAK else 12):
                for key in keys:
                    position = inside.get(f"/api/tables/{table}", key).json()["state"].get("position", {})
                    if "question" in position:
                        ask = {"id": new_key()[:12], "question": position["question"], "decision": position["legal"][0]}
                        acts += inside.post(f"/api/tables/{table}/decide", ask, key).status_code == 200
            with suppress(TimeoutError):
                while True:
                    heard.append(talk.hear(0.5))
        [notice] = [one for one in heard if one["type"] == "notice"]
        LiveNotice.model_validate(notice)
        assert (notice["notice"], notice["seat"], notice["level"]) == ("thinks_less", 2, "expert")
        log = inside.log(table)
        assert {entry.kind for entry in log} == {"sit", "start", DECIDE}
        assert all(set(entry.body) == {"decision"} for entry in log if entry.kind == DECIDE)


def test_tables_of_bots_alone_are_few_per_host_and_in_all(tmp_path):
    keys = [new_key() for _ in range(3)]
    with running_inside(tmp_path, bot_tables_per_guest=2, bot_tables=3) as inside:

        def ask(key, *seats):
            return inside.post("/api/tables", {"game": "london", "seats": seats, "name": "Host", "pace": 5}, key)

        made = [ask(keys[0], "easy", "easy") for _ in range(2)]
        assert [response.status_code for response in made] == [201, 201]
        assert code_of(ask(keys[0], "easy", "easy")) == "too_many_tables"
        assert ask(keys[0], "person", "easy").status_code == 201
        assert ask(keys[1], "easy", "easy").status_code == 201
        assert code_of(ask(keys[2], "easy", "easy")) == "too_many_tables"
        assert inside.post(f"/api/tables/{made[0].json()['table']}/abandon", {}, keys[0]).status_code == 200
        assert ask(keys[2], "easy", "easy").status_code == 201
