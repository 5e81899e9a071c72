"""Game and State: the rules for Python users, with names, objects and errors around the records.

game = Game("europe", players=4)
state = game.start(seed=7)
while not state.is_over:
    state.apply(state.legal[0])
print(state.result["winners"])
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from branchline.boards import Board, BoardError, load_board
from branchline.boards.checks import is_whole
from branchline.boards.folders import forget_boards
from branchline.boards.loader import UnknownVersion
from branchline.errors import GameOptionError, GameOver, IllegalDecision
from branchline.play.calls import calls, scratch, view_call
from branchline.play.events import Event
from branchline.play.happenings import Happenings
from branchline.play.naming import DecisionTable
from branchline.play.past import Past
from branchline.play.positions import PHASE, PLAYERS, SEAT, Position, blank, copy_of, offset_of
from branchline.play.reasons import why_not
from branchline.play.results import named_result
from branchline.play.rounds import Round
from branchline.play.seeds import seed_number, words_of
from branchline.play.views import View
from branchline.rules import engine
from branchline.rules.log import new_log
from branchline.rules.sizes import MASK_WORDS, NONE
from branchline.rules.state import SPECTATOR, STATE, TABLE_OPTIONS
from branchline.rules.vocabulary.events import OFFER_TICKETS
from branchline.rules.vocabulary.phases import OVER

__all__ = ["OPTIONS", "Game", "NoSuchVersion", "State", "View"]

OPTIONS = ("first_seat", *TABLE_OPTIONS)
LARGEST_VERSION = 1_000_000  # of rules
# bytes of a state that tell whether chance played a part, and whether a turn began
ROLLS = slice(offset_of("rolls"), offset_of("rolls") + 8)
TURN = slice(offset_of("turn"), offset_of("turn") + 2)


class NoSuchVersion(GameOptionError):
    """This Branchline does not know that version of a game's rules."""


class Game:
    """A board, a number of players and the table's options: everything that is fixed before the seed."""

    def __init__(
        self,
        name: str | Path,
        players: int = 2,
        first_seat: int | None = None,
        *,
        complete_tickets_for_me: bool = False,
        may_draw_one: bool = False,
        look_into_own_pile: bool = False,
        choose_tickets_by_hand: bool = False,
        rules_version: int | None = None,
    ) -> None:
        if rules_version is not None and not is_whole(rules_version, 1, LARGEST_VERSION):
            raise GameOptionError(f"rules_version must be the number of a version, or None for the newest, not {rules_version!r}")
        try:
            self.board: Board = load_board(name, rules_version)
        except UnknownVersion as error:
            raise NoSuchVersion(error.reason) from None
        except BoardError as error:
            raise GameOptionError(str(error)) from None
        least, most = self.board.players
        if not is_whole(players, least, most):
            raise GameOptionError(f"{self.board.name} is for {least} to {most} players, not {players!r}")
        if first_seat is not None and not is_whole(first_seat, 0, players - 1):
            raise GameOptionError(f"first_seat must be a seat from 0 to {players - 1}, or None, not {first_seat!r}")
        self.players = players
        self.first_seat = first_seat
        self.complete_tickets_for_me = self._option("complete_tickets_for_me", complete_tickets_for_me)
        self.may_draw_one = self._option("may_draw_one", may_draw_one)
        self.look_into_own_pile = self._option("look_into_own_pile", look_into_own_pile)
        self.choose_tickets_by_hand = self._option("choose_tickets_by_hand", choose_tickets_by_hand)
        self.decisions = DecisionTable(self.board)

    def _option(self, name: str, value: bool) -> bool:
        """An option that not every board has (CG-7, CG-19, G-5)."""
        if not isinstance(value, bool):
            raise GameOptionError(f"{name} must be true or false, not {value!r}")
        if value and name not in self.board.options:
            its_own = f"its options are {', '.join(self.board.options)}" if self.board.options else "it has no options of its own"
            raise GameOptionError(f"{self.board.name} (version {self.board.rules_version} of its rules) has no option {name}: {its_own}")
        return value

    @property
    def rule_options(self) -> int:
        """The options that the rules know, as their bits."""
        return sum(bit for name, bit in TABLE_OPTIONS.items() if getattr(self, name))

    @property
    def options(self) -> dict[str, Any]:
        """The table's options that differ from the defaults, as in the game record."""
        values = {name: getattr(self, name) for name in OPTIONS}
        return {name: value for name, value in values.items() if value is not None and value is not False}

    @property
    def keywords(self) -> dict[str, Any]:
        """What makes another game like this one, besides name and players."""
        return self.options | {"rules_version": self.board.rules_version}

    @property
    def name(self) -> str:
        return self.board.game

    def text(self, decision: int) -> str:
        """The text form of a decision."""
        return self.decisions.texts[self.decisions.number(decision)]

    def number(self, text: int | str) -> int:
        """The number of a decision, from its text (or number)."""
        return self.decisions.number(text)

    def start(self, seed: int | str | None = None) -> State:
        """Set up a game. The same seed and the same decisions always give the same game (G-1)."""
        return State(self, seed_number(seed))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[Any, ...]:
        return (self.name, self.board.rules_version, self.board.mark, self.players, *self.options.items())

    def __reduce__(self) -> Any:
        """A board is loaded again, not copied. One from outside must still be the same."""
        return _game_again, (self.name, self.players, self.keywords, self.board.mark)

    def _repr_svg_(self) -> str:
        """In a notebook: the board before the first turn, as a spectator sees it."""
        return self.start(0).view(None)._repr_svg_()

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.keywords.items())
        return f"Game({self.name!r}, players={self.players}{options})"


class State(Position):
    """A game in progress, with nothing hidden. Players get a `view`, never the state itself."""

    def __init__(self, game: Game, seed: int | None, records: Any = None) -> None:
        super().__init__(game, blank(STATE) if records is None else records)
        self.seed = seed
        self._history: Past[int] = Past()
        self._round: Round | None = None  # a simultaneous choice, from its first decision to its last
        self._happenings = Happenings(game.board)
        self._undo: list[tuple[bytes, int]] = []  # the state before each decision that can be undone, and how much had happened
        if records is None and seed is not None:
            calls()  # compiles the rules at their first use
            first = NONE if game.first_seat is None else game.first_seat
            self._call(engine.start, game.players, *words_of(seed), first, game.rule_options)

    @staticmethod
    def finished(game: Game, seed: int, records: Any, history: list[int], log: list[list[int]]) -> State:
        """A state from a game played elsewhere by the same rules."""
        state = State(game, seed, records)
        state._history = Past(history)
        state._happenings.add(log)
        return state

    def _call(self, act: Any, *arguments: Any) -> bool:
        """Call the rules and keep what they log; return whether that was anything.

        If the log is too small, call them again from the same bytes with a larger one.
        """
        before = self.records.tobytes()
        log, mask = scratch.log, np.zeros(MASK_WORDS, np.uint64)
        log[0, 0] = 0
        act(self.game.board.records, self.records, log, mask, *arguments)
        while (count := log.item(0)) >= len(log):
            log = new_log(2 * count)
            self._restore(before)
            act(self.game.board.records, self.records, log, mask, *arguments)
        self._mask = mask
        rows = log[1 : count + 1].tolist() if count else []
        if self._round or before[SEAT] != self._bytes[SEAT] or (rows and self._has_shown(before, rows)):
            self._undo.clear()
        else:
            self._undo.append((before, self._happenings.calls))
        if rows:
            self._happenings.add(rows)
        return bool(rows)

    def _has_shown(self, before: bytes, rows: list[list[int]]) -> bool:
        """Has chance played a part, something hidden been shown, or a turn ended since? Then there is no undo."""
        now = self._bytes
        moved = before[ROLLS] != now[ROLLS] or before[TURN] != now[TURN]
        return bool(moved) or self.is_over or self.is_at_once or any(row[0] == OFFER_TICKETS for row in rows)

    def _restore(self, before: bytes) -> None:
        self._take(np.ndarray(1, STATE, bytearray(before)))

    @property
    def events(self) -> list[Event]:
        """Everything that has happened, with nothing hidden; a view's events leave out what the viewer may not see."""
        return self._happenings.since(0)

    @property
    def event_count(self) -> int:
        return self._happenings.count

    def events_since(self, count: int) -> list[Event]:
        """The events after the first `count`."""
        return self._happenings.since(count)

    def latest_events(self) -> Iterator[Event]:
        """All events, the latest first."""
        return self._happenings.latest()

    @property
    def history(self) -> list[int]:
        """The decisions so far, in the order the rules ask for them: simultaneous choices seat by seat."""
        so_far = list(self._history)
        return so_far if self._round is None else so_far + self._round.in_order(self.choosers[0])

    def apply(self, decision: int | str, seat: int | None = None) -> None:
        """Carry out a decision, given by number or text, and every forced one after it. A wrong decision raises an error and changes nothing.

        For simultaneous choices, `seat` says whose decision it is; the default is `state.seat`.
        """
        number = self.game.decisions.number(decision)
        if seat is not None and seat != self.seat:
            self._check_as(seat, number)
        else:
            self.check_legal(number)
        if self._bytes[PHASE] in calls().at_once:
            self._apply_at_once(number)
        else:
            self._call(calls().apply, scratch.work, number)
            self._history.append(number)

    def _check_as(self, seat: int, number: int) -> None:
        """Let this seat choose, if the decision is legal for it."""
        asked = self.seat
        self.ask(seat)
        try:
            self.check_legal(number)
        except IllegalDecision:
            assert asked is not None
            self.ask(asked)
            raise

    def ask(self, seat: int) -> None:
        """Let this seat make its simultaneous choice now."""
        if seat not in self.choosers:
            raise IllegalDecision("the game is over" if self.is_over else f"it is not seat {seat}'s decision, but seat {self.seat}'s")
        if seat != self.seat:
            self._mask = np.zeros(MASK_WORDS, np.uint64)
            calls().ask(self.game.board.records, self.records, self._mask, seat)

    def _apply_at_once(self, number: int) -> None:
        """Once all have chosen, which the rules announce, their decisions become history."""
        self._round = self._round or Round(self.records.tobytes())
        self._round.add(self._bytes[SEAT], number)
        if self._call(calls().apply, scratch.work, number):
            self._history.extend(self._round.decisions)
            self._round = None

    def check_legal(self, number: int) -> None:
        if self._bytes[PHASE] == OVER:
            raise GameOver("the game is over")
        if not self.mask.item(number >> 6) >> (number & 63) & 1:
            from branchline.play.wording import in_english

            raise IllegalDecision(f"'{self.game.text(number)}' is not legal now. {in_english(self.game.board, why_not(self, number))}")

    @property
    def can_undo(self) -> bool:
        """Can the last decision be undone? Yes, in an unfinished turn, until chance plays a part or something hidden is shown."""
        return not self.is_over and self.may_undo(self._bytes[SEAT])

    def may_undo(self, seat: int) -> bool:
        """Can this seat undo its last decision? Simultaneous choices by others do not prevent it."""
        if self._round is not None:
            return seat in self.choosers and seat in self._round.seats
        return bool(self._undo and len(self._history)) and seat == self.seat

    def undo(self, seat: int | None = None) -> None:
        """Undo the last decision of the deciding seat, or of another with a simultaneous choice."""
        chosen = self.seat if seat is None else seat
        if chosen is None or not self.may_undo(chosen):
            raise IllegalDecision("nothing can be undone: chance played a part, something hidden was shown, or there was no decision in this turn")
        if self._round is not None:
            self._undo_at_once(chosen)
        else:
            before, happened = self._undo.pop()
            self._restore(before)
            self._history.cut(len(self._history) - 1)
            self._happenings.cut(happened)
        self._mask = None

    def _undo_at_once(self, seat: int) -> None:
        """Make all choices again from the start, except the one being undone."""
        made = self._round
        assert made is not None
        made.take_back(seat)
        self._restore(made.start)
        self._round = None
        for whose, decision in zip(made.seats, made.decisions, strict=True):
            self._mask = None
            self.apply(decision, whose)
        self._mask = None
        self.ask(seat)

    def view(self, seat: int | None) -> View:
        """What a seat, or a spectator (None), may know."""
        if seat is not None and not (type(seat) is int and 0 <= seat < self._bytes[PLAYERS]) and not is_whole(seat, 0, self._bytes[PLAYERS] - 1):
            raise GameOptionError(f"there is no seat {seat!r}; the seats are 0 to {len(self.seats) - 1}")
        records = blank(STATE)
        view_call()(self.game.board.records, self.records, SPECTATOR if seat is None else seat, records)
        return View(self.game, records, self._happenings.mark())

    @property
    def result(self) -> dict[str, Any]:
        """Scores, and the winners once the game is over, as in the game record. Before the end: the count if the game ended now."""
        return named_result(self.game.board, self.record, self.counted())

    def clone(self) -> State:
        """An independent copy."""
        copy = self.twin()
        copy._history, copy._happenings = self._history.copy(), self._happenings.copy()
        return copy

    def twin(self) -> State:
        """A copy for the same thread: it shares the past, so it costs the same however long the game is."""
        twin = State.__new__(State)
        Position.__init__(twin, self.game, copy_of(self.records))
        twin.seed = self.seed
        twin._history, twin._happenings = self._history.twin(), self._happenings.twin()
        twin._round = self._round.copy() if self._round else None
        twin._undo = self._undo.copy()
        return twin

    def __deepcopy__(self, _: Any) -> State:
        return self.clone()

    def __reduce__(self) -> Any:
        """Everything but what could be undone."""
        return _state_again, (self.game, self.seed, self.records.tobytes(), list(self._history), self.events, self._round)

    def __eq__(self, other: object) -> bool:
        """The same game in the same position, down to the last byte, including chance."""
        return isinstance(other, State) and self.game == other.game and self.records.tobytes() == other.records.tobytes()

    __hash__ = None  # type: ignore[assignment]  # a state changes

    def __repr__(self) -> str:
        return f"<State of {self.game.name}, {len(self.history)} decisions, {self.phase}, seat {self.seat}>"


def _game_again(name: str, players: int, keywords: dict[str, Any], mark: str | None = None) -> Game:
    game = Game(name, players, **keywords)
    if mark != game.board.mark:
        forget_boards()  # its files may have changed since this process has read them
        game = Game(name, players, **keywords)
    if mark != game.board.mark:
        raise GameOptionError(f"the board of {name} has changed: its fingerprint is {game.board.mark}, not {mark}")
    return game


def _state_again(game: Game, seed: int | None, content: bytes, history: list[int], events: list[Event], made: Round | None) -> State:
    state = State(game, seed, np.ndarray(1, STATE, bytearray(content)))
    state._history, state._round = Past(history), made
    state._happenings.add_named(events)
    return state
