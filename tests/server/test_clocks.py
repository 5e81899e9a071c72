"""A wall clock that jumps makes nothing due, late or expired; entries' times never go backwards."""

import asyncio

import pytest

from branchline.server.protocol import messages as m
from branchline.server.steady_clock import AWAY, BEHIND, BELIEVED_AFTER, CALM, SteadyClock
from branchline.server.store.entries import PLAYING, WAITING
from branchline.server.tables import housekeeping
from tests.server.tables_only import ANN, Clock, TablesOnly, two_play

HOUR, DAY = 3600.0, 86_400.0


class Clocks:
    """The two clocks of a machine. Time passes on both; the wall clock can be set."""

    def __init__(self):
        self.wall, self.monotonic = Clock(), Clock()
        self.monotonic.now = 500.0

    def pass_by(self, seconds):
        self.wall.now += seconds
        self.monotonic.now += seconds


def on_clocks(play, database, **settings):
    async def whole():
        clocks = Clocks()
        server = await TablesOnly.open(database, clocks.wall, clocks.monotonic, **settings)
        try:
            await play(server, clocks)
        finally:
            await server.close()

    asyncio.run(whole())


def test_a_steady_clock_follows_small_differences_and_not_a_jump():
    clocks = Clocks()
    steady = SteadyClock(clocks.wall, clocks.monotonic)
    clocks.pass_by(CALM)
    assert steady() == clocks.wall.now
    assert steady.is_calm
    clocks.wall.now += 1.5
    assert steady() == clocks.wall.now
    right = clocks.wall.now
    for jump in (HOUR, -HOUR, 61 * DAY):
        clocks.wall.now = right + jump
        assert steady() == right
        assert steady.has_jumped
        assert not steady.is_calm
        clocks.wall.now = right
    assert steady() == right
    assert steady.has_jumped
    clocks.pass_by(CALM)
    assert (steady(), steady.has_jumped, steady.is_calm) == (clocks.wall.now, False, True)


def test_a_jump_that_stays_is_believed_after_a_while_and_nothing_expires_in_the_minutes_after_it():
    clocks = Clocks()
    steady = SteadyClock(clocks.wall, clocks.monotonic)
    right = clocks.wall.now
    clocks.wall.now += HOUR
    assert steady() == right
    clocks.pass_by(BELIEVED_AFTER - 1)
    assert steady() == right + BELIEVED_AFTER - 1
    clocks.pass_by(1)
    steady()
    assert steady() == clocks.wall.now
    assert steady.has_jumped
    clocks.pass_by(CALM)
    assert steady.is_calm
    assert not steady.has_jumped


def test_a_bot_is_not_late_after_the_clock_was_an_hour_ahead_for_a_moment(tmp_path):
    async def play(server, clocks):
        table = await server.create(ANN, seats=("person", "easy"), pace=3.0)
        clocks.wall.now += HOUR
        position = (await server.see(table, ANN))["state"]["position"]
        await server.decide(table, ANN, position["legal"][0])
        await server.driver.do_due(table)
        clocks.wall.now -= HOUR
        number = (await server.table(table)).last_entry
        while (await server.table(table)).choosers == [0]:
            await server.decide(table, ANN)
        clocks.pass_by(4.0)
        await server.driver.do_due(table)
        now = await server.table(table)
        assert now.last_entry > number
        assert now.choosers == [0] or now.played_at <= clocks.wall.now
        times = [entry.at for entry in await server.tables.store.log(table)]
        assert times == sorted(times)
        assert times[-1] <= clocks.wall.now

    on_clocks(play, tmp_path / "games.db")


def test_tables_are_not_abandoned_while_the_clock_is_61_days_ahead(tmp_path):
    async def play(server, clocks):
        clocks.pass_by(CALM)
        waiting, playing = await server.create(ANN), await two_play(server, turn_seconds=60)
        for _ in range(3):
            clocks.wall.now += 61 * DAY
            for table in (waiting, playing):
                await server.driver.do_due(table)
            clocks.pass_by(6)
            for table in (waiting, playing):
                await server.driver.do_due(table)
            clocks.wall.now -= 61 * DAY
        await server.driver.do_due(playing)
        assert (await server.table(waiting)).status == WAITING
        assert (await server.table(playing)).status == PLAYING
        assert not any(seat.stand_in for seat in (await server.table(playing)).seats)
        clocks.pass_by(CALM)
        await server.driver.do_due(playing)
        assert any(seat.stand_in for seat in (await server.table(playing)).seats), "when the time is right, turns run out of it again"
        clocks.pass_by(61 * DAY)
        await server.driver.do_due(waiting)
        assert (await server.table(waiting)).status == "abandoned"

    on_clocks(play, tmp_path / "games.db")


def test_nothing_expires_just_after_the_start(tmp_path):
    """The time may be wrong then, too: what has waited for days can wait for some minutes more."""

    async def whole():
        clocks = Clocks()
        first = await TablesOnly.open(tmp_path / "games.db", clocks.wall, clocks.monotonic)
        table = await first.create(ANN)
        await first.close()
        clocks.pass_by(30 * DAY)
        second = await TablesOnly.open(tmp_path / "games.db", clocks.wall, clocks.monotonic)
        await second.driver.do_due(table)
        assert (await second.table(table)).status == WAITING
        clocks.pass_by(CALM)
        await second.driver.do_due(table)
        assert (await second.table(table)).status == "abandoned"
        await second.close()

    asyncio.run(whole())


@pytest.mark.parametrize(("off", "is_doubted"), [(-2 * HOUR, True), (-BEHIND / 2, False), (HOUR, False), (AWAY - 1, False), (61 * DAY, True)])
def test_the_time_at_the_start_is_compared_with_the_latest_that_is_known(off, is_doubted):
    clocks = Clocks()
    clock = SteadyClock(clocks.wall, clocks.monotonic)
    clock.compare(clocks.wall() - off, DAY)
    clocks.pass_by(CALM)
    assert clock.is_calm is not is_doubted
    assert not clock.has_jumped, "turns run out of time again after some minutes"
    clocks.pass_by(DAY)
    clock()
    clocks.pass_by(CALM)
    assert clock.is_calm, "after a day the time counts as right"


@pytest.mark.parametrize(("known", "lasting"), [(None, DAY), (0.0, 0.0)])
def test_without_anything_to_compare_it_with_or_when_told_to_the_server_believes_the_clock(known, lasting):
    clocks = Clocks()
    clock = SteadyClock(clocks.wall, clocks.monotonic)
    clock.compare(known, lasting)
    clocks.pass_by(CALM)
    assert clock.is_calm


def test_nothing_expires_on_a_server_that_starts_61_days_ahead_until_its_clock_is_set(tmp_path):
    async def whole():
        clocks = Clocks()
        first = await TablesOnly.open(tmp_path / "games.db", clocks.wall, clocks.monotonic)
        waiting, playing = await first.create(ANN), await two_play(first, turn_seconds=60)
        await first.tables.store.note_time(clocks.wall())
        await first.close()
        clocks.wall.now += 61 * DAY
        second = await TablesOnly.open(tmp_path / "games.db", clocks.wall, clocks.monotonic)
        second.tables.clock.compare(await second.tables.store.known_time(), DAY)
        await second.driver.do_due(playing)
        assert not any(seat.stand_in for seat in (await second.table(playing)).seats)
        clocks.pass_by(2 * CALM)
        await second.driver.do_due(waiting)
        assert (await second.table(waiting)).status == WAITING
        clocks.wall.now -= 61 * DAY  # somebody sets it: believed at once, and nothing expires in the minutes after it
        assert abs(second.tables.clock() - clocks.wall()) < 1
        assert not second.tables.clock.is_calm
        clocks.pass_by(CALM)
        assert second.tables.clock.is_calm
        await second.driver.do_due(waiting)
        assert (await second.table(waiting)).status == WAITING
        await second.close()

    asyncio.run(whole())


def test_a_time_that_is_doubted_is_not_noted_as_known_for_certain(tmp_path, monkeypatch):
    """Otherwise the next start would believe it."""

    async def play(server, clocks):
        monkeypatch.setattr(housekeeping, "EVERY", 0.001)
        store, clock = server.tables.store, server.tables.clock
        assert await store.known_time() is None
        await server.create(ANN)
        known = await store.known_time()
        assert known == clocks.wall(), "the last table tells the time until it is noted"
        clock.compare(known - 30 * DAY, DAY)
        clocks.pass_by(2 * CALM)
        for later, noted in ((0.0, known), (DAY, None)):
            clocks.pass_by(later)
            clock()
            clocks.pass_by(CALM)
            house = asyncio.create_task(housekeeping.keep_house(server.tables))
            await asyncio.sleep(0.1)
            house.cancel()
            assert await store.known_time() == (clocks.wall() if noted is None else noted)

    on_clocks(play, tmp_path / "games.db")


def test_a_bot_keeps_its_pace_where_the_last_entry_comes_from_a_clock_that_is_ahead(tmp_path):
    """Another process, on a machine whose clock is wrong, has written there."""

    async def whole():
        ahead, right = Clocks(), Clocks()
        ahead.pass_by(HOUR)
        first = await TablesOnly.open(tmp_path / "games.db", ahead.wall, ahead.monotonic)
        table = await first.create(ANN, seats=("person", "easy", "easy"), pace=2.0)
        await first.close()
        second = await TablesOnly.open(tmp_path / "games.db", right.wall, right.monotonic)
        before = (await second.table(table)).last_entry
        second.tables.time_at(await second.table(table))
        right.pass_by(2.5)
        await second.driver.do_due(table)
        assert (await second.table(table)).last_entry > before
        await second.ask(table, ANN, m.Say(id="s", text="hello"))
        times = [entry.at for entry in await second.tables.store.log(table)]
        assert times == sorted(times)
        await second.close()

    asyncio.run(whole())
