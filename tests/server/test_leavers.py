"""Seats leave and return as they like, and every game ends as the rules say; what is due happens once."""

import asyncio
import random
from collections import Counter

import pytest

from branchline import load_board
from branchline.boards.folders import shipped_boards
from branchline.server.protocol import messages as m
from branchline.server.protocol.refusals import Refused
from branchline.server.store.entries import LEAVE, RETURN, TAKE_OVER
from branchline.server.tables.downloads import record_for
from tests.conftest import LONG, SOAK
from tests.server.running import new_key
from tests.server.tables_only import Clock, TablesOnly

PARTS = range(16 if LONG else 1)  # side by side
GAMES = 125 if SOAK else 5  # in each part


async def restless_game(tables_only, game, players, rng):
    """People decide, dawdle, leave and return at random; returns the table when its game is over."""
    keys = [new_key() for _ in range(players)]
    table = await tables_only.create(keys[0], game, ("person",) * players, turn_seconds=rng.choice((None, 30)), grace_seconds=rng.choice((0, 20)))
    for key in keys[1:]:
        await tables_only.join(table, key)
    for _ in range(20_000):
        now = await tables_only.table(table)
        if now.status != "playing":
            return now
        seat = rng.choice(now.choosers if rng.random() < 0.8 else range(players))
        await act(tables_only, now, seat, keys[seat], rng)
        await tables_only.wait(table, rng.choice((0, 0, 1, 5, 40)) if rng.random() < 0.3 else 0)
    raise AssertionError("the game does not end")


async def act(tables_only, table, seat, key, rng):
    chance = rng.random()
    if not table.seats[seat].is_here:
        if chance < 0.3:
            await tables_only.ask(table.header.id, key, m.Return())
    elif chance < 0.02:
        await tables_only.ask(table.header.id, key, m.Leave())
    elif seat in table.questions:
        decision = rng.choice(table.state.view(seat).legal)
        await tables_only.ask(table.header.id, key, m.Decide(id=f"d{table.last_entry}", question=table.questions[seat], decision=decision))


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", PARTS)
def test_games_in_which_seats_leave_and_return_all_end_legally(part, tmp_path):
    ends, kinds = Counter(), Counter()

    async def whole():
        tables_only = await TablesOnly.open(tmp_path / "games.db", tables_per_guest=10**6, most_tables=10)
        games = shipped_boards()
        for number in range(part * GAMES, (part + 1) * GAMES):
            game = games[number % len(games)]
            fewest, most = load_board(game).players
            rng = random.Random(number)
            table = await restless_game(tables_only, game, rng.randint(fewest, most), rng)
            assert table.status == "finished"
            assert record_for(table, None).replay().result["winners"]
            log = await tables_only.tables.store.log(table.header.id)
            check_takeovers(log)
            ends[game] += 1
            kinds.update(entry.kind for entry in log)
        await tables_only.close()

    asyncio.run(whole())
    print(f"{sum(ends.values())} games, {dict(kinds)}")
    assert min(kinds[LEAVE], kinds[RETURN], kinds[TAKE_OVER]) > GAMES / 2


def check_takeovers(log):
    """No seat is taken over twice without a return in between."""
    stood_in = set()
    for entry in log:
        if entry.kind == TAKE_OVER:
            assert entry.seat not in stood_in
            stood_in.add(entry.seat)
        elif entry.kind == RETURN:
            stood_in.discard(entry.seat)


@pytest.mark.parametrize("reason", ["time", "left"])
def test_what_is_due_happens_once_whoever_looks_and_over_restarts(database_url, reason):
    """Several server processes find the same seat due at the same moment, and again after a restart."""

    async def whole():
        clock = Clock()
        servers = [await TablesOnly.open(database_url, clock) for _ in range(3)]
        key, other = new_key(), new_key()
        table = await servers[0].create(key, "london", turn_seconds=30 if reason == "time" else None, grace_seconds=10)
        await servers[0].join(table, other)
        if reason == "left":
            for who in (key, other):
                await servers[0].ask(table, who, m.Leave())
        for server in servers:
            await server.tables.refresh(None)
            await server.table(table)
        clock.now += 31
        await asyncio.gather(*(server.driver.do_due(table) for server in servers))
        late = await TablesOnly.open(database_url, clock)  # as after a restart
        await late.driver.do_due(table)
        log = await late.tables.store.log(table)
        assert sorted((entry.seat, entry.body["reason"]) for entry in log if entry.kind == TAKE_OVER) == [(0, reason), (1, reason)]
        assert [entry.sequence for entry in log] == list(range(1, len(log) + 1))
        for server in (*servers, late):
            await server.close()

    asyncio.run(whole())


def test_a_server_that_starts_again_does_what_is_overdue(database_url):
    async def whole():
        clock = Clock()
        first = await TablesOnly.open(database_url, clock)
        key = new_key()
        table = await first.create(key, "london", ("person", "hard"), turn_seconds=60)
        await first.close()  # before the bot has done anything
        second = await TablesOnly.open(database_url, clock)
        clock.now += 100
        assert await second.overdue(clock.now) == [table]
        await second.driver.do_due(table)
        assert (await second.table(table)).status == "finished"  # the person's time is over too: bots play on
        assert await second.overdue(clock.now + 10**9) == []
        with pytest.raises(Refused):
            await second.ask(table, key, m.Return())
        await second.close()

    asyncio.run(whole())
