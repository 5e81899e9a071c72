"""How long the log of a table can become: people who want nothing else, by what the server lets them do, and how such a log is read."""

import asyncio
import time
from dataclasses import replace
from itertools import count

import pytest

from branchline import load_board
from branchline.play.chance import commitment_of
from branchline.server.protocol import messages as m
from branchline.server.protocol.keys import hash_of
from branchline.server.protocol.refusals import Refused
from branchline.server.store import entries as kinds
from branchline.server.store import store
from branchline.server.store.entries import PLAYING, WAITING, Entry
from branchline.server.tables import commands
from branchline.server.tables.commands import Asked, answer, entry, may_rematch
from branchline.server.tables.loaded import next_step, rebuilt
from branchline.server.tables.opening import Opening, new_table
from tests.server.tables_only import ANN, TablesOnly, two_play, with_tables
from tests.server.worlds import key_of, number_of, random_play
from tests.server.worlds import new_table as begun

# As docs/server.md says:
MOST = 12_000  # entries
MOST_BESIDE = 5_000  # of them besides the decisions of the game
A_MINUTE = 60.0
TUNNELS = 0.5  # the share of wilds among what can be turned up, from which people try a tunnel to fail


class Stretched:
    """A table whose people do all they can to make its log longer. Everything is asked for as over the network."""

    def __init__(self, game, players):
        asked = m.CreateTable(game=game, seats=["person"] * players, name="Seat 0", commitment=commitment_of(number_of(1, 0)))
        opened: Opening = new_table(key_of(0), asked, 0.0)
        self.header = replace(opened.table.header, seed=number_of(1, 9))
        self.table, self.log = rebuilt(self.header, opened.log), opened.log
        self.players, self.at, self._ids = players, 0.0, count()

    def write(self, new):
        self.table.apply(new)
        self.log.append(new)

    def ask(self, key, command):
        """Does it make the log longer?"""
        try:
            answered = answer(self.table, Asked(key, command, self.at))
        except Refused:
            return False
        if isinstance(answered, Entry):
            self.write(answered)
        return isinstance(answered, Entry)

    def id(self):
        return f"m{next(self._ids)}"

    def talk(self, key):
        while self.ask(key, m.Say(id=self.id(), text="hello")):
            pass

    def come_and_go(self):
        """First everything that is counted, then what is never refused: to stand up again."""
        for seat in range(1, self.players):
            self.ask(hash_of(f"first guest {seat}"), m.Join(name="Guest"))
            self.talk(hash_of(f"first guest {seat}"))
        for seat in range(1, self.players):
            self.ask(hash_of(f"first guest {seat}"), m.Leave())
        for number in count():
            guest = hash_of(f"guest {number}")
            if self.table.sittings > commands.MOST_SITTINGS - self.players or not self.ask(guest, m.Join(name="Guest")):
                break
            self.ask(guest, m.Leave())
            self.at += A_MINUTE

    def begin(self):
        for seat in range(1, self.players):
            assert self.ask(key_of(seat), m.Join(name=f"Seat {seat}", commitment=commitment_of(number_of(1, seat))))
        self.write(next_step(self.table, self.at))
        for seat in range(self.players):
            assert self.ask(key_of(seat), m.Reveal(number=number_of(1, seat)))
        self.write(next_step(self.table, self.at))
        assert self.table.status == PLAYING

    def play(self):
        while self.table.status == PLAYING:
            seat = self.table.choosers[0]
            decision = self.slowest(seat)
            self.decide(seat, decision)
            while self.table.questions.get(seat) is not None and self.take_back(seat):
                self.decide(seat, decision)

    def decide(self, seat, decision):
        assert self.ask(key_of(seat), m.Decide(id=self.id(), question=self.table.questions[seat], decision=decision))

    def take_back(self, seat):
        return self.ask(key_of(seat), m.Undo(id=self.id(), question=self.table.questions[seat]))

    def slowest(self, seat):
        """The decision that keeps the game from its end for longest: to try tunnels and give up, to exchange pieces, to draw cards."""
        state, game = self.table.state, self.table.game
        texts = {game.text(number): number for number in state.view(seat).legal}
        wishes = [
            "abandon",
            *(self.tunnels(texts) if self.may_fail(state) else ()),
            *starting(texts, "exchange"),
            *starting(texts, "take", "draw deck"),
        ]
        wishes += [*starting(texts, "draw"), *self.tunnels(texts), *starting(texts, "pay")]
        return next((texts[wish] for wish in wishes if wish in texts), min(texts.values()))

    def tunnels(self, texts):
        board = self.table.game.board
        of_tunnels = {route.id for route, is_tunnel in zip(board.routes, board.record.tunnel, strict=False) if is_tunnel}
        return [text for text in starting(texts, "claim") if text.split()[1] in of_tunnels]

    def may_fail(self, state):
        """Cards that are turned up are likely to ask for more than was laid: then nothing is laid, and the game goes on."""
        wild = state.game.board.record.wild
        pile = state.record.deck + state.record.discards
        return pile.sum() > 0 and pile[wild] >= TUNNELS * pile.sum()

    def end(self):
        for seat in range(self.players):
            self.talk(key_of(seat))
        may_rematch(self.table, Asked(key_of(0), m.Rematch(), self.at))
        self.write(entry(self.table, kinds.REMATCH, self.at, table="A" * 16))


def starting(texts, *words):
    return [text for text in texts if text.startswith(words)]


def stretched(game, players):
    made = Stretched(game, players)
    made.come_and_go()
    made.begin()
    made.play()
    made.end()
    return made


def most_beside(players):
    """What a log can hold besides the decisions that stand at the end."""
    share = commands.MOST_BESIDES // players
    over = 1 + commands.SPARE + 2 + 1  # an undo that counts twice; coming back; leaving, and a bot taking over; a vote
    sits_and_rises = 2 * (commands.MOST_SITTINGS + 1)
    of_the_table = 2 * players + 4  # numbers and kept seats; drawing lots, the start, the end, the next game
    return share + sits_and_rises + players * (share + over) + of_the_table


def accounted(table):
    """Everything in the log: decisions that stand, what is limited, sittings, and the few entries that a table has once or once per seat."""
    return len(table.state.history) + sum(table.besides.values()) + table.sittings + 2 * len(table.seats) + 4


def test_every_entry_of_a_log_is_a_decision_that_stands_or_is_limited(game, players):
    for seed in range(3):
        *_, table = random_play(game, players, seed)
        assert table.last_entry <= accounted(table)
        assert table.last_entry >= accounted(table) - 2 * players - 4


def test_nobody_makes_a_log_longer_than_the_limits_say(monkeypatch):
    monkeypatch.setattr(commands, "MOST_BESIDES", 200)
    monkeypatch.setattr(commands, "MOST_SITTINGS", 30)
    for game, players in (("london", 2), ("card-game", 4)):
        table = stretched(game, players).table
        beside = table.last_entry - len(table.state.history)
        assert most_beside(players) - players * (commands.SPARE + 6) - 30 < beside <= most_beside(players)


def test_besides_the_game_a_log_holds_no_more_than_the_docs_say():
    assert all(most_beside(players) <= MOST_BESIDE for players in range(2, 6))


def test_coming_back_again_and_again_without_playing_has_an_end(monkeypatch):
    monkeypatch.setattr(commands, "MOST_BESIDES", 20)
    monkeypatch.setattr(commands, "SPARE", 6)
    table = begun("london", 2, 1)
    seat = table.choosers[0]
    for _ in range((10 + 6) // 2):
        table.apply(entry(table, kinds.TAKE_OVER, 0.0, seat, reason="time"))
        table.apply(answer(table, Asked(key_of(seat), m.Return(), 0.0)))
    table.apply(entry(table, kinds.TAKE_OVER, 0.0, seat, reason="time"))
    with pytest.raises(Refused):
        answer(table, Asked(key_of(seat), m.Return(), 0.0))


def test_the_host_of_a_table_of_bots_cannot_write_for_ever(monkeypatch):
    monkeypatch.setattr(commands, "MOST_BESIDES", 20)
    opened = new_table(key_of(0), m.CreateTable(game="london", seats=["easy", "easy"], name="Host"), 0.0)
    table = opened.table
    while table.status == WAITING:
        table.apply(next_step(table, 0.0))
    for number in range(20):
        table.apply(answer(table, Asked(key_of(0), m.Pace(pace=1 + number % 2), 0.0)))
    with pytest.raises(Refused):
        answer(table, Asked(key_of(0), m.Pace(pace=1), 0.0))


# reading


async def stored(server, made):
    await server.tables.store.create(made.header, made.log, server.tables.summary(made.table))


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_the_longest_log_of_each_board_is_within_the_stated_bound_and_read_quickly(game, tmp_path):
    players = load_board(game).players[1]
    made = stretched(game, players)

    async def whole():
        server = await TablesOnly.open(tmp_path / "games.db")
        await stored(server, made)
        began = time.perf_counter(), time.process_time()
        table = await server.table(made.header.id)
        took = time.perf_counter() - began[0], time.process_time() - began[1]
        print(
            f"\n{game}: {len(made.log):,} entries, {len(table.state.history):,} decisions; read in {took[0]:.2f} s, of the processor {took[1]:.2f} s"
        )
        await server.close()
        return table, took

    table, took = asyncio.run(whole())
    assert table.last_entry == len(made.log) <= MOST
    assert table.last_entry <= len(table.state.history) + most_beside(players)
    assert took[1] < 3


@with_tables()
async def test_nobody_waits_for_a_long_log_to_be_decoded(server, monkeypatch):
    """Between a few hundred entries the event loop does something else, whether one log is read or those of many tables."""
    monkeypatch.setattr(store, "DECODED_AT_ONCE", 100)
    table = await two_play(server)
    header, log = await server.tables.store.header(table), await server.tables.store.log(table)
    said = [Entry(len(log) + 1 + number, kinds.SAY, server.clock(), 0, {"text": "hello"}, hash_of(ANN), f"s{number}") for number in range(1000)]
    await server.tables.store.create(replace(header, id="LongLongLongLong"), [*log, *said], server.tables.summary(await server.table(table)))
    turns, decoded = 0, []
    real = store.entry_of

    async def others():
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    def noted(row):
        decoded.append(turns)
        return real(row)

    monkeypatch.setattr(store, "entry_of", noted)
    beside = asyncio.create_task(others())
    assert await server.tables.store.log("LongLongLongLong") == [*log, *said]
    assert max(decoded.count(turn) for turn in set(decoded)) <= 100
    decoded.clear()
    found = await server.tables.store.several([table, "LongLongLongLong"])
    assert [len(found[name].log) for name in (table, "LongLongLongLong")] == [len(log), len(log) + 1000]
    assert max(decoded.count(turn) for turn in set(decoded)) <= 100
    beside.cancel()
