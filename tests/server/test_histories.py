"""Many clients do everything at a few tables while servers are killed and stopped, their clocks jump, the database is cut off or its disk is full:
every answer must have been right at some moment, and nothing that was acknowledged is lost. See histories.py."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import make_url

from branchline.server.protocol import messages as m
from branchline.server.protocol.keys import hash_of
from branchline.server.store import entries as kinds
from branchline.server.store.entries import Entry
from tests.conftest import SOAK
from tests.server.histories import READ, Operation, check
from tests.server.ordeals import Relay, check_lively, cut, fill_disk, hold, jump, kill, live_through, stop
from tests.server.running import ServerProcess
from tests.server.tables_only import ANN, BOB, asked, two_play, with_tables

pytestmark = pytest.mark.timeout(3_000 if SOAK else 240)


def test_on_one_server_with_kills_and_a_full_disk(tmp_path: Path) -> None:
    server = ServerProcess(f"sqlite:///{tmp_path / 'games.db'}", tmp_path).start()
    try:
        world = asyncio.run(live_through([server], [fill_disk([server]), kill([server]), stop([server])]))
    finally:
        server.kill()
    check_lively(asyncio.run(hold(server.database_url, world)), world)


@contextmanager
def cut_off_servers(url: str, folder: Path, number: int) -> Iterator[tuple[list[ServerProcess], list[Relay], list[Path]]]:
    """Servers on one PostgreSQL, each with a way to it that can be cut, and a clock that can jump."""
    address = make_url(url)
    relays = [Relay((str(address.host), int(address.port or 5432))) for _ in range(number)]
    urls = [address.set(port=relay.port).render_as_string(hide_password=False) for relay in relays]
    clocks = [folder / f"clock-{relay.port}" for relay in relays]
    for clock in clocks:
        clock.write_text("0")
    servers = [ServerProcess(one, folder, clock=clock) for one, clock in zip(urls, clocks, strict=True)]
    try:
        for server in servers:
            server.start(wait=False)
        for server in servers:
            server.wait_until_ready()
        yield servers, relays, clocks
    finally:
        for server in servers:
            server.kill()
        for relay in relays:
            relay.listening.close()


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_on_several_servers_with_kills_jumping_clocks_and_cuts_to_the_database(database_url: str, tmp_path: Path) -> None:
    with cut_off_servers(database_url, tmp_path, 4 if SOAK else 2) as (servers, relays, clocks):
        world = asyncio.run(live_through(servers, [jump(clocks), cut(relays), kill(servers), stop(servers)], waits_for_time=False))
        told = asyncio.run(hold(database_url, world))
    check_lively(told, world, 4)
    assert any("has jumped" in server.log.read_text() for server in servers)


# the check itself: it finds what is wrong


VERBS = {command: verb for verb, command in m.COMMANDS.items()}


def noted(server):
    """What people ask of this server from now on, as if all at once and before anything else."""
    history, ask = [], server.ask

    async def asked(table, key, command):
        done = await ask(table, key, command)
        history.append(Operation(table, key, VERBS[type(command)], command.model_dump(exclude_none=True), -2.0, -1.0, {"type": "done"}))
        return done

    server.ask = asked
    return history


@with_tables()
async def test_the_check_finds_every_kind_of_wrong_answer(server):
    begun = noted(server)
    table = await two_play(server)
    before, now = begun.copy(), itertools.count(1.0)

    async def say(name: str) -> Operation:
        await server.ask(table, ANN, m.Say(id=name, phrase="hello"))
        return Operation(table, ANN, "say", {"id": name, "phrase": "hello"}, next(now), next(now), {"type": "done"})

    async def see() -> Operation:
        return Operation(table, BOB, READ, {}, next(now), next(now), {"type": "done"} | json.loads(json.dumps(await server.see(table, BOB))))

    first, seen, *rest = await say("a"), await see(), await say("b"), await see()
    history = [*before, first, seen, *rest]
    log, header = await server.tables.store.log(table), (await server.table(table)).header
    never = Operation(table, ANN, "say", {"id": "c", "phrase": "hello"}, 2.5)
    too_early = Operation(table, BOB, "undo", {"id": "u", "question": 0}, 0.1, 0.2, {"type": "refused", "code": "over"})
    assert check(header, log, [*history, never]) == len(history)
    wrong = {
        "acknowledged, and lost": [*history, replace(never, ended=3.5, answer={"type": "done"})],
        "refused, and done": [*before, replace(first, answer={"type": "refused", "code": "over"}), seen, *rest],
        "out of order": [*before, replace(first, began=9.0, ended=9.5), seen, *rest],
        "nobody could see this": [*history, replace(seen, began=20.0, ended=21.0)],
        "refuses so": [*history, too_early],
        "not done between": [*history, Operation(table, BOB, "leave", {}, 30.0, 31.0, {"type": "done"})],
    }
    for reason, told in wrong.items():
        with pytest.raises(AssertionError, match=reason):
            check(header, log, told)
    with pytest.raises(AssertionError, match="gap"):
        check(header, [*log[:3], *log[4:]], history)
    with pytest.raises(AssertionError, match="twice"):
        check(header, [*log, replace(log[-1], sequence=len(log) + 1)], history)


def with_more(log, place, *more):
    """The log with more entries after the first ones, numbered again."""
    return [replace(one, sequence=number) for number, one in enumerate([*log[:place], *more, *log[place:]], 1)]


@with_tables()
async def test_the_check_finds_what_nobody_asked_for_and_what_was_not_due(server):
    history = noted(server)
    table = await two_play(server, turn_seconds=10)
    key = await asked(server, table)
    await server.wait(table, 11)  # the time is up: a bot takes over, and plays
    other = ANN if key == BOB else BOB
    await server.ask(table, other, m.Leave())
    await server.ask(table, other, m.Return())
    now = await server.table(table)
    header, log = now.header, await server.tables.store.log(table)
    assert check(header, log, history) == len(history)
    place = next(number for number, one in enumerate(log) if one.kind == kinds.TAKE_OVER)
    taken, at, seat = log[place], log[-1].at, now.seat_of(hash_of(other))
    decision = now.game.number((await server.see(table, other))["state"]["position"]["legal"][0])
    without = [*log[:place], *log[place + 1 :]]
    wrong = {
        "too early": with_more(without, place, replace(taken, at=taken.at - 2)),
        "of somebody else": with_more(without, place, replace(taken, seat=seat)),
        "for another reason": with_more(without, place, replace(taken, body={"reason": "left"})),
        "twice": with_more(log, place + 1, taken),
        "expired": with_more(log, len(log), Entry(0, kinds.EXPIRE, at)),
        "decided by a bot that does not play": with_more(log, len(log), Entry(0, kinds.DECIDE, at, seat, {"decision": decision})),
        "left once more than asked for": with_more(log, len(log), Entry(0, kinds.LEAVE, at, seat)),
        "said by nobody": with_more(log, len(log), Entry(0, kinds.SAY, at, seat, {"phrase": "hello"}, hash_of(other), "never")),
    }
    for what, changed in wrong.items():
        with pytest.raises(AssertionError, match="nobody asked for this"):
            pytest.fail(f"{what}: {check(header, changed, history)}")
