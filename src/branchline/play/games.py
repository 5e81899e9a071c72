"""Game and State: the rules for Python users, with names, objects and errors around the records.

game = Game("europe", players=4)
state = game.start(seed=7)
while not state.is_over:
    state.apply(state.legal[0])
print(state.result["winners"])
"""

from __future__ import annotations

import operator
import secrets
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

from branchline.boards import Board, BoardError, load_board
from branchline.boards.checks import is_whole
from branchline.boards.loader import UnknownVersion
from branchline.errors import GameOptionError, GameOver, IllegalDecision
from branchline.play.bitsets import is_member
from branchline.play.events import Event, named_events
from branchline.play.naming import DecisionTable
from branchline.play.past import Past
from branchline.play.positions import Position, blank, copy_of, scratch_work
from branchline.play.reasons import why_not
from branchline.play.results import named_result
from branchline.play.rounds import Round
from branchline.rules import engine
from branchline.rules.log import new_log
from branchline.rules.sizes import MASK_WORDS, NONE
from branchline.rules.state import SPECTATOR, STATE, TABLE_OPTIONS
from branchline.rules.vocabulary.events import OFFER_TICKETS

SEED_BITS = 128
OPTIONS = ("first_seat", *TABLE_OPTIONS)
LARGEST_VERSION = 1_000_000  # of rules
_WORD = (1 << 64) - 1
_scratch = threading.local()


class NoSuchVersion(GameOptionError):
    """This Branchline does not know that version of a game's rules."""


def scratch_log() -> Any:
    """A log for one call into the rules, one per thread."""
    if not hasattr(_scratch, "log"):
        _scratch.log = new_log(1000)
    return _scratch.log


def seed_number(seed: int | str | None) -> int:
    """A seed as a number: given as one, as a hex string, or drawn from the system's secret generator."""
    if seed is None:
        return secrets.randbits(SEED_BITS)
    try:
        number = int(seed, 16) if isinstance(seed, str) else operator.index(seed)
    except (TypeError, ValueError):
        raise GameOptionError(f"the seed {seed!r:.80} is neither a whole number nor a hex string") from None
    if not 0 <= number < 1 << SEED_BITS:
        raise GameOptionError(f"the seed must be from 0 to 2**{SEED_BITS} - 1")
    return number


class Game:
    """A board, a number of players and the table's options: everything that is fixed before the seed."""

    def __init__(
        self,
        name: str,
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
            self.board: Board = load_board(str(name), rules_version)
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
        return (self.name, self.board.rules_version, self.players, *self.options.items())

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
        self._logs: list[list[list[int]]] = []
        self._events: Past[Event] = Past()
        # the state before each decision that can be undone, and how many events there were if it added any
        self._undo: list[tuple[bytes, int | None]] = []
        if records is None and seed is not None:
            first = NONE if game.first_seat is None else game.first_seat
            self._call(engine.start, game.players, np.uint64(seed >> 64), np.uint64(seed & _WORD), first, game.rule_options)

    @staticmethod
    def finished(game: Game, seed: int, records: Any, history: list[int], log: list[list[int]]) -> State:
        """A state from a game played elsewhere by the same rules."""
        state = State(game, seed, records)
        state._history = Past(history)
        state._logs.append(log)
        return state

    def _call(self, act: Any, *arguments: Any) -> None:
        """Call the rules and keep what they log. If the log is too small, call them again from the same bytes with a larger one."""
        before, seat = self.records.tobytes(), self.records["seat"][0]
        log, mask = scratch_log(), np.zeros(MASK_WORDS, np.uint64)
        log[0, 0] = 0
        act(self.game.board.records, self.records, log, mask, *arguments)
        while log[0, 0] >= len(log):
            log = new_log(2 * int(log[0, 0]))
            self._restore(before)
            act(self.game.board.records, self.records, log, mask, *arguments)
        self._mask = mask
        rows = log[1 : log[0, 0] + 1].tolist()
        if self._round or seat != self.records["seat"][0] or (rows and self._has_shown(before, rows)):
            self._undo.clear()
        else:
            self._undo.append((before, self.event_count if rows else None))
        if rows:
            self._logs.append(rows)

    def _has_shown(self, before: bytes, rows: list[list[int]]) -> bool:
        """Has chance played a part, something hidden been shown, or a turn ended since? Then there is no undo."""
        was = np.frombuffer(before, STATE)
        moved = was["rolls"][0] != self.records["rolls"][0] or was["turn"][0] != self.records["turn"][0]
        return bool(moved) or self.is_over or self.is_at_once or any(row[0] == OFFER_TICKETS for row in rows)

    def _restore(self, before: bytes) -> None:
        self.records = np.frombuffer(bytearray(before), STATE)

    @property
    def events(self) -> list[Event]:
        """Everything that has happened, with nothing hidden; `Record.redacted` leaves out what a viewer may not see."""
        return list(self._named())

    @property
    def event_count(self) -> int:
        return len(self._named())

    def events_since(self, count: int) -> list[Event]:
        """The events after the first `count`."""
        return self._named()[count:]

    def latest_events(self) -> Iterator[Event]:
        """All events, the latest first."""
        return reversed(self._named())

    def _named(self) -> Past[Event]:
        for rows in self._logs:
            self._events.extend(named_events(self.game.board, rows))
        self._logs.clear()
        return self._events

    @property
    def history(self) -> list[int]:
        """The decisions so far, in the order the rules ask for them: simultaneous choices seat by seat."""
        so_far = list(self._history)
        return so_far if self._round is None else so_far + self._round.in_order(self.choosers[0])

    def apply(self, decision: int | str, seat: int | None = None) -> None:
        """Carry out a decision, given by number or text, and every forced one after it. A wrong decision raises an error and changes nothing.

        For simultaneous choices, `seat` says whose decision it is; the default is `state.seat`.
        """
        number = self.game.number(decision)
        asked = self.seat
        if seat is not None:
            self.ask(seat)
        try:
            self.check_legal(number)
        except IllegalDecision:
            if asked is not None:
                self.ask(asked)
            raise
        if self.is_at_once:
            self._apply_at_once(number)
        else:
            self._call(engine.apply, scratch_work(), number)
            self._history.append(number)

    def ask(self, seat: int) -> None:
        """Let this seat make its simultaneous choice now."""
        if seat not in self.choosers:
            raise IllegalDecision("the game is over" if self.is_over else f"it is not seat {seat}'s decision, but seat {self.seat}'s")
        if seat != self.seat:
            self._mask = np.zeros(MASK_WORDS, np.uint64)
            engine.ask(self.game.board.records, self.records, self._mask, seat)

    def _apply_at_once(self, number: int) -> None:
        """Once all have chosen, which the rules announce, their decisions become history."""
        seat = int(self.records["seat"][0])
        self._round = self._round or Round(self.records.tobytes())
        self._round.add(seat, number)
        announced = len(self._logs)
        self._call(engine.apply, scratch_work(), number)
        if len(self._logs) > announced:
            self._history.extend(self._round.decisions)
            self._round = None

    def check_legal(self, number: int) -> None:
        if self.is_over:
            raise GameOver("the game is over")
        if not is_member(self.mask, number):
            from branchline.play.wording import in_english

            raise IllegalDecision(f"'{self.game.text(number)}' is not legal now. {in_english(self.game.board, why_not(self, number))}")

    @property
    def can_undo(self) -> bool:
        """Can the last decision be undone? Yes, in an unfinished turn, until chance plays a part or something hidden is shown."""
        return not self.is_over and self.may_undo(int(self.records["seat"][0]))

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
            before, events = self._undo.pop()
            self._restore(before)
            self._history.cut(len(self._history) - 1)
            if events is not None:
                self._named().cut(events)
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
        if seat is not None and not is_whole(seat, 0, len(self.seats) - 1):
            raise GameOptionError(f"there is no seat {seat!r}; the seats are 0 to {len(self.seats) - 1}")
        records = blank(STATE)
        engine.view(self.game.board.records, self.records, SPECTATOR if seat is None else seat, records)
        return View(self.game, records)

    @property
    def result(self) -> dict[str, Any]:
        """Scores, and the winners once the game is over, as in the game record. Before the end: the count if the game ended now."""
        return named_result(self.game.board, self.record, self.counted())

    def clone(self) -> State:
        """An independent copy."""
        copy = self.twin()
        copy._history, copy._events = self._history.copy(), self._events.copy()
        return copy

    def twin(self) -> State:
        """A copy for the same thread: it shares the past, so it costs the same however long the game is."""
        twin = State(self.game, self.seed, copy_of(self.records))
        twin._history, twin._events, twin._logs = self._history.twin(), self._events.twin(), self._logs.copy()
        twin._round = self._round.copy() if self._round else None
        twin._undo = self._undo.copy()
        return twin

    def __eq__(self, other: object) -> bool:
        """The same game in the same position, down to the last byte, including chance."""
        return isinstance(other, State) and self.game == other.game and self.records.tobytes() == other.records.tobytes()

    __hash__ = None  # type: ignore[assignment]  # a state changes

    def __repr__(self) -> str:
        return f"<State of {self.game.name}, {len(self.history)} decisions, {self.phase}, seat {self.seat}>"


class View(Position):
    """What one viewer knows about a game. Bots, messages and observations only ever get views."""

    @property
    def viewer(self) -> int | None:
        """The seat the view was made for, or None for a spectator."""
        viewer = int(self.records["viewer"][0])
        return None if viewer == SPECTATOR else viewer

    @property
    def mask(self) -> Any:
        """The legal decisions if the viewer decides, otherwise empty: a view does not know what is legal for others."""
        return super().mask if self.viewer == self.seat else np.zeros(MASK_WORDS, np.uint64)

    def imagine(self, seed: int | str | None = None) -> State:
        """A complete game that is consistent with the view: what is hidden is dealt again at random."""
        number = seed_number(seed)
        records = copy_of(self.records)
        engine.imagine(self.game.board.records, records, np.uint64(number >> 64), np.uint64(number & _WORD))
        return State(self.game, None, records)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self.game == other.game and self.records.tobytes() == other.records.tobytes()

    __hash__ = None  # type: ignore[assignment]  # compared by content, not kept in sets

    def __repr__(self) -> str:
        return f"<View of {self.game.name} for {'a spectator' if self.viewer is None else f'seat {self.viewer}'}, {self.phase}, seat {self.seat}>"
