"""The players' own chance: numbers are promised when people sit down and shown when it is settled who plays; with the secret they make the seed."""

import asyncio
import json
import random
import secrets
from dataclasses import replace

import pytest
from pydantic_core import to_json

from branchline import Record
from branchline.play.chance import commitment_of, dealing_seed
from branchline.play.verifying import verify
from branchline.server.protocol import messages as m
from branchline.server.protocol import replies as r
from branchline.server.store.entries import DRAW_LOTS, REVEAL, RISE, SIT, START, WAITING
from branchline.server.tables.commands import entry
from branchline.server.tables.downloads import record_for
from branchline.server.tables.driving import bot_seed
from branchline.server.tables.due import REVEAL_WITHIN
from branchline.server.tables.publishing import Publisher, Reader
from branchline.server.tables.table import Table
from tests.server.inside import running_inside
from tests.server.running import new_key
from tests.server.tables_only import ANN, BOB, CAT, EVE, TablesOnly, play_out, refused, with_tables
from tests.server.worlds import SETTINGS, TwinTable, key_of
from tests.server.worlds import new_table as world

NUMBERS = {key: secrets.token_hex(16) for key in (ANN, BOB, CAT, EVE)}
PROMISED = {key: commitment_of(number) for key, number in NUMBERS.items()}


async def sit(server, table, key, name="Bob"):
    return await server.ask(table, key, m.Join(name=name, commitment=PROMISED[key]))


async def show(server, table, key, number=None):
    return await server.ask(table, key, m.Reveal(number=number or NUMBERS[key]))


async def drawing(server, **more):
    """Ann and Bob sit, and their numbers are asked for."""
    table = await server.create(ANN, **{"game": "london", "commitment": PROMISED[ANN]} | more)
    await sit(server, table, BOB)
    return table


async def state_of(server, table, key=None):
    return (await server.see(table, key))["state"]


async def kinds_of(server, table):
    return [one.kind for one in await server.tables.store.log(table)]


# a game


@with_tables()
async def test_the_seed_is_made_of_the_secret_and_of_everybodys_number(server):
    table = await drawing(server)
    waiting = await state_of(server, table, ANN)
    assert waiting["status"] == "waiting"
    assert waiting["chance"] == {
        "commitments": {"0": PROMISED[ANN], "1": PROMISED[BOB]},
        "revealed": [],
        "until": server.clock() + REVEAL_WITHIN,
    }
    await show(server, table, BOB)
    half = await state_of(server, table, ANN)
    assert (half["status"], half["chance"]["revealed"]) == ("waiting", [1])
    await show(server, table, ANN)
    playing = await server.table(table)
    assert playing.status == "playing"
    people = [{"name": "Ann", "player": "human"}, {"name": "Bob", "player": "human"}]
    assert playing.seed == dealing_seed(playing.header.seed, people, [NUMBERS[ANN], NUMBERS[BOB]]) != playing.header.seed
    assert await kinds_of(server, table) == [SIT, SIT, DRAW_LOTS, REVEAL, REVEAL, START]


@with_tables()
async def test_at_the_end_everything_is_shown_and_verified_in_one_go(server):
    table = await drawing(server)
    promised = (await state_of(server, table))["commitment"]
    await show(server, table, ANN)
    await show(server, table, BOB)
    early = Record.from_json(record_for(await server.table(table), 0).to_json())
    assert early.chance == {"commitments": [PROMISED[ANN], PROMISED[BOB]]}
    await play_out(server, table)
    over = await state_of(server, table)
    secret = (await server.table(table)).header.seed
    assert over["chance"]["secret"] == secret
    assert over["chance"]["numbers"] == {"0": NUMBERS[ANN], "1": NUMBERS[BOB]}
    assert commitment_of(secret) == promised == over["commitment"]
    r.TableState.model_validate(over)
    record = Record.from_json(record_for(await server.table(table), None).to_json())
    assert (record.seed, record.chance["secret"]) == (over["seed"], secret)
    found = "\n".join(verify(record, promised, early, NUMBERS[BOB]))
    assert "your number was used, as that of Bob" in found
    assert "the names of all seats make the seed" in found


@with_tables()
async def test_people_without_a_number_take_no_part_and_nobody_waits_for_them(server):
    table = await server.create(ANN, seats=("person",) * 3, commitment=PROMISED[ANN])
    await server.join(table, BOB)
    await sit(server, table, CAT, "Cat")
    await show(server, table, ANN)
    await show(server, table, CAT)
    playing = await server.table(table)
    assert playing.status == "playing"
    assert playing.seed == dealing_seed(playing.header.seed, playing.players, [NUMBERS[ANN], None, NUMBERS[CAT]])
    assert not any(event["event"] == "left_out" for _, event in playing.happened)


@with_tables()
async def test_without_any_number_the_game_begins_at_once_with_the_secret_as_its_seed(server):
    table = await server.create(ANN)
    await server.join(table, BOB)
    playing = await server.table(table)
    assert (playing.status, playing.seed) == ("playing", playing.header.seed)
    assert "chance" not in await state_of(server, table)
    assert record_for(playing, 0).chance is None


@with_tables()
async def test_who_does_not_show_a_number_in_time_is_left_out_and_everybody_sees_it(server):
    table = await drawing(server)
    await show(server, table, ANN)
    await server.wait(table, REVEAL_WITHIN - 0.1)
    assert (await server.table(table)).status == "waiting"
    await server.wait(table, 0.2)
    playing = await server.table(table)
    assert playing.seed == dealing_seed(playing.header.seed, playing.players, [NUMBERS[ANN], None])
    shown = await server.see(table, None)
    assert {"event": "left_out", "seat": 1} in shown["recent"]
    assert shown["state"]["chance"] == {"commitments": {"0": PROMISED[ANN], "1": PROMISED[BOB]}, "revealed": [0]}
    async with refused("started"):
        await show(server, table, BOB)
    await play_out(server, table)
    record = record_for(await server.table(table), None)
    assert record.chance["numbers"] == [NUMBERS[ANN], None]
    assert "no number of Bob was used, although it was promised" in "\n".join(verify(record, record.commitment, None))


@with_tables()
async def test_the_numbers_are_asked_for_as_well_when_the_host_begins_early(server):
    table = await server.create(ANN, seats=("person", "person", "easy"), commitment=PROMISED[ANN])
    await server.ask(table, ANN, m.Start(level="hard"))
    settled = await state_of(server, table, ANN)
    assert (settled["status"], settled["seats"]["1"]) == ("waiting", {"player": "bot:hard", "name": "Hard"})
    await server.ask(table, ANN, m.Start(level="easy"))  # a second click
    await show(server, table, ANN)
    playing = await server.table(table)
    assert (playing.status, [one["player"] for one in playing.players]) == ("playing", ["human", "bot:hard", "bot:easy"])
    assert await kinds_of(server, table) == [SIT, DRAW_LOTS, REVEAL, START]


@with_tables()
async def test_a_rematch_draws_new_numbers(server):
    table = await drawing(server)
    await show(server, table, ANN)
    await show(server, table, BOB)
    await play_out(server, table)
    fresh = {key: secrets.token_hex(16) for key in (ANN, BOB)}
    new = (await server.ask(table, BOB, m.Rematch(commitment=commitment_of(fresh[BOB])))).table.rematch
    await server.ask(new, ANN, m.Join(name="Ann", commitment=commitment_of(fresh[ANN])))
    async with refused("wrong_number"):
        await show(server, new, ANN)
    for key in (ANN, BOB):
        await show(server, new, key, fresh[key])
    again = await server.table(new)
    assert again.seed == dealing_seed(again.header.seed, again.players, [fresh[ANN], fresh[BOB]])


# the setting


@with_tables()
async def test_it_is_the_default_for_two_people_and_can_be_chosen_for_one_or_none(server):
    for seats, wanted, expected in (
        (("person", "person"), None, True),
        (("person", "easy"), None, False),
        (("person", "easy"), True, True),
        (("person", "person"), False, False),
    ):
        table = await server.create(ANN, seats=seats, chance=wanted, commitment=PROMISED[ANN])
        state = await state_of(server, table, ANN)
        assert (state["settings"]["chance"], "chance" in state) == (expected, expected)


@with_tables()
async def test_one_person_against_bots_gives_a_number_if_the_table_wants_it(server):
    table = await server.create(ANN, seats=("person", "easy"), chance=True, commitment=PROMISED[ANN])
    await show(server, table, ANN)
    assert await kinds_of(server, table) == [SIT, DRAW_LOTS, REVEAL, START]


def test_tables_from_before_need_no_numbers():
    """Their settings do not mention chance; their logs lead to the same seed as ever."""
    old = world("london", 2, 3, chance=False)
    assert "chance" not in SETTINGS
    assert old.seed == old.header.seed
    assert f"{old.state.seed:032x}" == old.header.seed


# before the game


@with_tables()
async def test_who_rises_takes_the_promise_along(server):
    table = await server.create(ANN, seats=("person",) * 3, commitment=PROMISED[ANN])
    await sit(server, table, BOB)
    await server.ask(table, BOB, m.Leave())
    assert (await state_of(server, table))["chance"]["commitments"] == {"0": PROMISED[ANN]}
    await sit(server, table, CAT, "Cat")
    await sit(server, table, EVE, "Eve")
    assert (await state_of(server, table))["chance"]["commitments"] == {"0": PROMISED[ANN], "1": PROMISED[CAT], "2": PROMISED[EVE]}
    async with refused("not_seated"):
        await show(server, table, BOB)


@with_tables()
async def test_once_the_numbers_are_asked_for_nobody_can_be_exchanged(server):
    """Otherwise somebody who knows the numbers could rise and sit down again with another promise until the cards please."""
    table = await drawing(server, grace_seconds=60)
    await show(server, table, ANN)
    async with refused("full"):
        await sit(server, table, CAT, "Cat")
    await server.ask(table, BOB, m.Leave())
    assert RISE not in await kinds_of(server, table)
    assert (await state_of(server, table))["seats"]["1"] == {"player": "human", "name": "Bob", "away": True}
    await server.ask(table, BOB, m.Return())
    await server.ask(table, BOB, m.Leave())
    await server.wait(table, REVEAL_WITHIN + 0.1)
    assert (await server.table(table)).status == "playing"
    await server.wait(table, 61)
    assert (await server.table(table)).seats[1].stand_in


@with_tables()
async def test_the_host_can_still_close_the_table_and_its_numbers_stay_secret(server):
    table = await drawing(server)
    await show(server, table, BOB)
    await server.ask(table, ANN, m.Abandon())
    state = await state_of(server, table, ANN)
    assert (state["status"], set(state["chance"])) == ("abandoned", {"commitments", "revealed"})
    async with refused("over"):
        await show(server, table, ANN)


@with_tables()
async def test_a_number_is_taken_only_when_asked_for_and_only_the_promised_one(server):
    table = await server.create(ANN, seats=("person",) * 3, commitment=PROMISED[ANN])
    async with refused("not_drawing"):
        await show(server, table, ANN)
    await server.join(table, BOB)
    await sit(server, table, CAT, "Cat")
    async with refused("wrong_number"):
        await show(server, table, ANN, NUMBERS[CAT])
    async with refused("no_commitment"):
        await show(server, table, BOB)
    async with refused("not_seated"):
        await show(server, table, EVE)
    assert await kinds_of(server, table) == [SIT, SIT, SIT, DRAW_LOTS]


@with_tables()
async def test_a_number_that_is_sent_twice_counts_once(server):
    table = await drawing(server)
    first, second = await show(server, table, ANN), await show(server, table, ANN)
    assert first.cursor == second.cursor
    async with refused("wrong_number"):
        await show(server, table, ANN, NUMBERS[BOB])
    await show(server, table, BOB)
    await show(server, table, ANN)  # the game has begun meanwhile
    assert (await kinds_of(server, table)).count(REVEAL) == 2


# several processes, and restarts


def on(database_url, play):
    """A test with two server processes' worth of tables on one database."""

    async def whole():
        one = await TablesOnly.open(database_url)
        other = await TablesOnly.open(database_url, one.clock)
        try:
            await play(one, other)
        finally:
            await one.close()
            await other.close()

    asyncio.run(whole())


def test_two_processes_take_the_numbers_of_one_table(database_url):
    async def play(one, other):
        table = await one.create(ANN, game="london", commitment=PROMISED[ANN])
        await other.table(table)
        await sit(one, table, BOB)
        await show(other, table, BOB)  # it has not heard that the numbers are asked for
        await show(one, table, ANN)
        await other.tables.refresh(None)
        seeds = {(await server.table(table)).seed for server in (one, other)}
        assert seeds == {dealing_seed((await one.table(table)).header.seed, (await one.table(table)).players, [NUMBERS[ANN], NUMBERS[BOB]])}
        assert await kinds_of(one, table) == [SIT, SIT, DRAW_LOTS, REVEAL, REVEAL, START]

    on(database_url, play)


def test_the_last_two_numbers_at_the_same_moment_begin_one_game(database_url):
    async def play(one, other):
        for _ in range(5):
            table = await drawing(one)
            await other.table(table)
            await asyncio.gather(show(one, table, ANN), show(other, table, BOB))
            await one.driver.do_due(table)
            assert sorted(await kinds_of(one, table)) == sorted([SIT, SIT, DRAW_LOTS, REVEAL, REVEAL, START])

    on(database_url, play)


@with_tables()
async def test_a_restart_before_or_after_the_numbers_are_asked_for_loses_nothing(server, tmp_path, monkeypatch):
    async def fails(*_):
        raise OSError("the disk is full")

    table = await server.create(ANN, game="london", commitment=PROMISED[ANN])
    with monkeypatch.context() as broken:
        broken.setattr(server.tables, "fire", fails)
        with pytest.raises(OSError, match="the disk is full"):
            await sit(server, table, BOB)
    second = await TablesOnly.open(tmp_path / "games.db", server.clock)
    assert await second.overdue(server.clock() + 2) == [table]
    await second.wait(table)
    await show(second, table, ANN)
    await second.close()
    third = await TablesOnly.open(tmp_path / "games.db", server.clock)
    assert await third.overdue(server.clock() + REVEAL_WITHIN + 2) == [table]
    await third.wait(table, REVEAL_WITHIN + 1)
    assert await kinds_of(third, table) == [SIT, SIT, DRAW_LOTS, REVEAL, START]
    assert (await third.table(table)).players == [{"name": "Ann", "player": "human"}, {"name": "Bob", "player": "human"}]
    await third.close()


# secrecy


def with_secrets(secret, numbers, commitments):
    """A table up to the moment before its game, in which everybody has promised and some have shown a number."""
    table = world("london", 3, 1, chance=False)
    twin = TwinTable(replace(table.header, seed=secret, settings=SETTINGS | {"chance": True}))
    twin.shown = "f" * 64
    for seat, commitment in enumerate(commitments):
        twin.apply(entry(twin, SIT, 0.0, seat, name=f"Seat {seat}", key=key_of(seat), commitment=commitment))
    twin.apply(entry(twin, DRAW_LOTS, 0.0))
    for seat, number in enumerate(numbers):
        twin.apply(entry(twin, REVEAL, 0.0, seat, number=number))
    return twin


def test_g_2_no_secret_and_no_number_reaches_anybody_before_the_game():
    """The same bytes for every viewer, whatever the secret and the numbers of others are."""
    rng = random.Random("numbers")
    hexadecimal = lambda bits: f"{rng.getrandbits(bits):0{bits // 4}x}"  # noqa: E731
    commitments = [hexadecimal(256) for _ in range(3)]
    one, other = (with_secrets(hexadecimal(128), [hexadecimal(128) for _ in range(2)], commitments) for _ in range(2))
    assert one.status == other.status == WAITING
    for viewer in (0, 1, 2, None):
        told = []
        for table in (one, other):
            reader = Reader(table.header.id, key_of(viewer), viewer, 10)
            Publisher().subscribe(table, reader, 0)
            Publisher().subscribe(table, reader, None)
            told.append([reader.queue.get_nowait() for _ in range(2)] + [to_json(table.events_for(viewer, 0))])
        assert told[0] == told[1]
        assert commitments[0].encode() in told[0][0]


def test_bots_are_as_unpredictable_as_the_cards():
    one, other = with_secrets("0" * 32, ["1" * 32], ["a" * 64] * 3), with_secrets("0" * 32, ["2" * 32], ["a" * 64] * 3)
    for table in (one, other):
        table.apply(entry(table, START, 0.0))
    assert bot_seed(one, 0) != bot_seed(other, 0)


def test_nobody_is_sent_a_number_over_the_wire_and_no_log_has_one(tmp_path):
    """Host, guest and a stranger over sockets and HTTP, from the first seat to the dealt cards, and the record while the game lasts."""
    host, guest = new_key(), new_key()
    with running_inside(tmp_path) as inside:
        table = inside.new_table(host, commitment=PROMISED[ANN])
        with inside.live(table, host) as one, inside.live(table, guest) as two, inside.live(table, None) as three:
            assert two.ask({"type": "join", "name": "Guest", "commitment": PROMISED[BOB]})["type"] == "done"
            assert one.ask({"type": "reveal", "number": NUMBERS[ANN]})["type"] == "done"
            assert two.ask({"type": "reveal", "number": "0" * 32})["code"] == "wrong_number"
            assert two.ask({"type": "reveal", "number": NUMBERS[BOB]})["type"] == "done"
            heard = "".join(until_playing(talk) for talk in (one, two, three))
        heard += "".join(inside.get(f"/api/tables/{table}{path}", key).text for key in (host, guest, None) for path in ("", "/events", "/record"))
        heard += "".join(inside.get(path, host).text for path in ("/api/tables", "/api/my/tables"))
        stored = {one.body["number"] for one in inside.log(table) if one.kind == REVEAL}
        secret, played = inside.header(table).seed, Table(inside.header(table))
        for one in inside.log(table):
            played.apply(one)
    assert stored == {NUMBERS[ANN], NUMBERS[BOB]}
    for hidden in (*stored, secret, played.seed):
        assert hidden not in heard
        assert hidden not in json.dumps(inside.logged, default=str)
    assert PROMISED[ANN] in heard


def until_playing(talk):
    """What a socket hears until the cards are dealt; everything before must be among it."""
    heard = []
    while not heard or '"status": "playing"' not in heard[-1]:
        heard.append(json.dumps(talk.hear()))
    return "".join(heard)
