"""Nothing starves: whatever is due is found, however many tables are overdue and however long some bots think."""

import asyncio
import time
from contextlib import suppress
from dataclasses import replace

import pytest

from branchline.server.protocol import messages as m
from branchline.server.protocol.keys import hash_of, new_table_id
from branchline.server.store.changes import Summary
from branchline.server.store.entries import DECIDE, TAKE_OVER
from branchline.server.tables.table import Table
from branchline.server.tables.thinking import Thinkers, Thought, decide, lent
from tests.conftest import SOAK
from tests.server.inside import running_inside
from tests.server.running import new_key
from tests.server.tables_only import ANN, BOB, TablesOnly

OVERDUE = 5_000 if SOAK else 450  # more than are read at a time
WITHIN = 5.0 if SOAK else 2.0  # seconds; the soak keeps the machine busy, and what is due behind all the others takes much longer

pytestmark = pytest.mark.timeout(900)


class LostInThought(Thinkers):
    """Masters never come to an end; others decide at once."""

    async def decide(self, view, level, seed, *_):
        if level == "master":
            await asyncio.Event().wait()
        return Thought(decide(*lent(view), level, seed), level)


async def copies(server, table, many, wake_at, **changes):
    """As many tables like this one, in the store alone."""
    store = server.tables.store
    header, log = await store.header(table), await store.log(table)
    names = [new_table_id() for _ in range(many)]
    status = (await server.table(table)).status
    new = [replace(header, id=name, **changes) for name in names]
    for first in range(0, many, 500):
        await asyncio.gather(*(store.create(one, log, Summary(status, False, wake_at)) for one in new[first : first + 500]))
    return names


async def until_written(server, table, number, within):
    began = time.monotonic()
    while len(await server.tables.store.log(table)) <= number:
        assert time.monotonic() - began < within, "nothing happens there"
        await asyncio.sleep(0.02)
    return time.monotonic() - began


def test_a_due_bot_acts_although_many_others_have_been_due_for_longer_and_think(tmp_path):
    async def whole():
        first = await TablesOnly.open(tmp_path / "games.db", time.time)
        thinking = await first.create(ANN, "london", ("master", "master"))
        quick = await first.create(ANN, "london", ("easy", "easy"))
        header = (await first.table(quick)).header
        await copies(first, thinking, OVERDUE, first.clock() - 100)
        [last] = await copies(first, quick, 1, first.clock() - 1)
        number = len(await first.tables.store.log(last))
        await first.close()
        again = await TablesOnly.open(tmp_path / "games.db", time.time, most_tables=10**6)
        again.driver.thinkers = LostInThought(1)
        again.tables.on_change = again.driver.look_at
        watching = asyncio.create_task(again.driver.watch())
        took = await until_written(again, last, number, 30)
        print(f"\nfound after {took:.2f} s, behind {OVERDUE} others")
        assert took < WITHIN
        await ended(watching)
        await again.close()
        assert header.plan == ("easy", "easy")

    asyncio.run(whole())


async def ended(watching):
    """Cancelled, and done with it: what it had under way in the database must not outlive the test."""
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching


@pytest.mark.parametrize("ago", [100, 12], ids=["long ago", "lately"])
def test_a_bot_that_is_due_just_now_waits_for_none_of_thousands_that_act_several_times(tmp_path, ago):
    """As after a restart that took a while, or only seconds; nobody looks at any of these tables."""

    async def whole():
        first = await TablesOnly.open(tmp_path / "games.db", time.time)
        table = await first.create(ANN, "london", ("person", "easy", "easy"), pace=0)
        log = await first.tables.store.log(table)
        await copies(first, table, 2 * OVERDUE, first.clock() - ago)
        [last] = await copies(first, table, 1, first.clock() - 1)
        await first.close()
        again = await TablesOnly.open(tmp_path / "games.db", time.time, most_tables=10**6)
        watching = asyncio.create_task(again.driver.watch())
        assert await until_written(again, last, len(log), 60) < WITHIN
        await ended(watching)
        await again.close()

    asyncio.run(whole())


@pytest.mark.parametrize("kind", ["a bot", "a deadline"])
def test_where_somebody_looks_what_is_due_happens_at_once_after_a_restart(tmp_path, kind):
    """Thousands of tables are overdue, and a page comes back to one that is due since just now."""

    async def prepare():
        clock = time.time
        first = await TablesOnly.open(tmp_path / "games.db", clock, tables_per_guest=10**6)
        table = await first.create(ANN, "london", ("person", "easy", "easy"), pace=0)
        other = await first.create(ANN, "london", ("person", "person"), turn_seconds=10)
        await first.join(other, BOB)
        await copies(first, table, OVERDUE, clock() - 100)
        mine = await copies(first, table if kind == "a bot" else other, 1, clock() + 1)
        await first.close()
        return mine[0]

    table = asyncio.run(prepare())
    if kind == "a deadline":
        time.sleep(10)
    with running_inside(tmp_path) as inside:
        began = time.monotonic()
        with inside.live(table, ANN) as talk:
            talk.hear()
            if kind == "a bot":  # which may have acted before anybody could look
                while not any(entry.kind == DECIDE for entry in inside.log(table)) and time.monotonic() - began < WITHIN:
                    time.sleep(0.02)
            else:
                while not any(seat.get("stand_in") for seat in talk.hear(WITHIN).get("patch", {}).get("seats", {}).values()):
                    pass
        took = time.monotonic() - began
        print(f"\n{kind} after {took:.2f} s, beside {OVERDUE} overdue tables")
        assert took < WITHIN
        assert inside.failures() == 0


def test_everything_overdue_is_done_and_what_becomes_due_meanwhile_is_in_time(tmp_path):
    """After a restart: of many people who have left the time is up, and of others it is up while those are being dealt with."""

    async def prepare():
        first = await TablesOnly.open(tmp_path / "games.db", time.time, tables_per_guest=10**6)
        table = await first.create(ANN, "london", ("person", "person"), grace_seconds=10)
        later = await first.create(ANN, "london", ("person", "person"), grace_seconds=25)
        for one in (table, later):
            await first.join(one, BOB)
            await first.ask(one, BOB, m.Leave())
        names = await copies(first, table, OVERDUE, time.time() - 100)
        due = (await first.table(later)).changed_at + 25
        soon = await copies(first, later, 20, due + 0.5)
        await first.close()
        return names, soon, due

    names, soon, due = asyncio.run(prepare())
    time.sleep(max(0.0, due - 14 - time.time()))  # the time of the first is up by then
    with running_inside(tmp_path, most_tables=10**6) as inside:
        began, store = time.monotonic(), inside.service.tables.store

        async def taken_over(table):
            return [entry.at for entry in await store.log(table) if entry.kind == TAKE_OVER]

        left = set(names)
        while left:
            assert time.monotonic() - began < (120 if SOAK else 40)
            left -= {name for name in list(left)[:300] if inside.call(taken_over(name))}
            time.sleep(0.1)
        print(f"\n{OVERDUE} deadlines that had passed were dealt with in {time.monotonic() - began:.1f} s")
        while time.time() < due + WITHIN:
            time.sleep(0.05)
        late = [inside.call(taken_over(name))[0] - due for name in soon]
        print(f"{len(soon)} others at most {max(late):.2f} s late")
        assert max(late) < WITHIN


def test_the_store_reads_overdue_tables_page_by_page_each_once(tmp_path):
    async def whole():
        server = await TablesOnly.open(tmp_path / "games.db")
        table = await server.create(new_key())
        names = await copies(server, table, 450, 5.0)
        more = await copies(server, table, 5, 4.0)
        found = await server.overdue(6.0)
        assert found[:5] == sorted(more)
        assert found[5:] == sorted(names)
        await server.close()

    asyncio.run(whole())


def test_a_table_where_nothing_is_due_is_corrected_and_not_read_again(tmp_path):
    async def whole():
        server = await TablesOnly.open(tmp_path / "games.db")
        table = await server.create(ANN)
        [wrong] = await copies(server, table, 1, 1.0, host=hash_of(BOB))
        await server.driver.find(wrong)
        assert await server.overdue(server.clock()) == []
        assert isinstance(await server.table(wrong), Table)
        await server.close()

    asyncio.run(whole())
