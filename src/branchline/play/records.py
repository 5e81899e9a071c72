"""The game record: write, read, replay, redact. The format is open: docs/record.md."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from branchline.boards import BoardError, check_known, load_board
from branchline.boards.checks import is_whole
from branchline.boards.folders import VARIABLE, board_folder, is_available
from branchline.errors import BranchlineError, GameOptionError, RecordError
from branchline.play.chance import what_is_wrong
from branchline.play.events import Event, redact
from branchline.play.games import OPTIONS, Game, NoSuchVersion, State
from branchline.play.seeds import SEED_BITS

if TYPE_CHECKING:
    from branchline.play.replays.widget import ReplayWidget

FORMAT = "branchline/1"
LARGEST_RECORD = 20_000_000  # bytes per game; the longest possible game takes about a tenth
LARGEST_NUMBER = 1_000_000  # no decision or version comes near it
FIELDS = ("format", "game", "rules_version", "board", "options", "commitment", "chance", "seed", "seats", "decisions", "events", "result")


@dataclass
class Record:
    """One game, finished or not. A redacted record has neither seed nor decisions."""

    game: str
    rules_version: int
    seats: list[dict[str, str]]
    options: dict[str, Any] = field(default_factory=dict)
    seed: str | None = None
    decisions: list[int] | None = None
    events: list[Event] = field(default_factory=list)
    result: dict[str, Any] = field(default_factory=dict)
    commitment: str | None = None  # the SHA-256 of the server's secret, shown when the game began: of the seed, if there is no chance
    chance: dict[str, Any] | None = None  # what the seed was made of: the secret, and the commitment and number of each seat
    board: str | None = None  # the fingerprint of a custom board; boards that come with Branchline have versions

    @staticmethod
    def of(state: State, seats: list[dict[str, str]] | None = None) -> Record:
        """The record of a game; `seats` says who sits where."""
        if state.seed is None:
            raise RecordError("an imagined game has no seed, so it cannot be recorded")
        seats = seats or [{"name": f"seat {seat}", "player": "human"} for seat in state.seats]
        seed = f"{state.seed:0{SEED_BITS // 4}x}"
        game = state.game
        made = Record(game.name, game.board.rules_version, seats, game.options, seed, state.history, state.events, state.result)
        return replace(made, board=game.board.mark)

    def to_json(self) -> str:
        """One line of JSON."""
        fields = {"format": FORMAT} | {name: getattr(self, name) for name in FIELDS[1:]}
        return json.dumps({name: value for name, value in fields.items() if value is not None}, ensure_ascii=False, separators=(",", ":"))

    @staticmethod
    def from_json(text: str) -> Record:
        """Read a record and check the shape of every field; `replay` checks what it says about the game."""
        if len(text) > LARGEST_RECORD:
            raise RecordError(f"the record has {len(text)} characters; the largest allowed is {LARGEST_RECORD}")
        try:
            fields = json.loads(text, parse_constant=refuse_constant)
        except (ValueError, RecursionError) as error:
            raise RecordError(f"not a game record: it is not valid JSON ({error})") from None
        return checked_record(fields)

    def new_game(self) -> Game:
        """The game by the version of the rules that the record was made with, and on the same board."""
        check_board(self.game, self.board, "the record")
        try:
            return Game(self.game, len(self.seats), rules_version=self.rules_version, **self.options)
        except NoSuchVersion as error:
            raise RecordError(f"{error}: replay the record with the Branchline that made it, or a newer one") from None

    def states(self) -> Iterator[State]:
        """The state at the start and after each decision (always the same object). Raises if a decision is not legal."""
        if self.seed is None or self.decisions is None:
            raise RecordError("the record is redacted: without seed and decisions it can be read but not replayed")
        state = self.new_game().start(self.seed)
        yield state
        for index, decision in enumerate(self.decisions):
            try:
                state.apply(decision)
            except BranchlineError as error:
                raise RecordError(f"decision {index}: {error}") from None
            yield state

    def replay(self) -> State:
        """Play the game again, check that events and result agree, and return the last state."""
        state = deque(self.states(), maxlen=1).pop()
        self.check(state)
        return state

    def _repr_svg_(self) -> str | None:
        """In a notebook: the last position. A redacted record has none."""
        return None if self.decisions is None else deque(self.states(), maxlen=1).pop()._repr_svg_()

    def widget(self, seat: int | None = None, height: int = 640, language: str | None = None) -> ReplayWidget:
        """In a notebook: the game to look through, move by move, as everybody or one seat saw it. It needs no server."""
        from branchline.play.replays.widget import ReplayWidget

        return ReplayWidget(self, seat, height, language)

    def check(self, state: State) -> None:
        """Check that events and result agree with the state that the decisions lead to."""
        self._check_events(state)
        if self.result != state.result:
            raise RecordError(f"the result differs: the record says {brief(self.result)}, the rules give {brief(state.result)}")

    def _check_events(self, state: State) -> None:
        for index, (ours, theirs) in enumerate(zip(state.events, self.events, strict=False)):
            if ours != theirs:
                raise RecordError(f"event {index} differs: the record says {brief(theirs)}, the rules give {brief(ours)}")
        if len(state.events) != len(self.events):
            raise RecordError(f"the record has {len(self.events)} events, the rules give {len(state.events)}")

    def redacted(self, viewer: int | None) -> Record:
        """The record of a game in progress as a seat, or a spectator (None), may see it. Finished games hide nothing."""
        if "winners" in self.result:
            return self
        if self.seed is None:
            raise RecordError("the record is already redacted")
        try:
            events = [redact(event, viewer) for event in self.events]
            result = {"scores": [{"routes": score["routes"]} if "routes" in score else {} for score in self.result["scores"]]}  # tickets stay secret
        except (KeyError, TypeError):
            raise RecordError("the record's events or scores are malformed; replay it to see where") from None
        promised = None if self.chance is None else {"commitments": self.chance["commitments"]}
        return Record(self.game, self.rules_version, self.seats, self.options, None, None, events, result, self.commitment, promised, self.board)


def check_board(game: str, mark: str | None, what: str) -> None:
    """Raise an error if a custom board is missing, or is not the one with which something was made."""
    if not is_available(game):
        if mark is not None:
            raise RecordError(
                f"{what} is of {game}, a custom board (fingerprint {mark}), which is not here: name its folder with --boards FOLDER, or in {VARIABLE}"
            )
        try:
            check_known(game)
        except BoardError as error:
            raise GameOptionError(str(error)) from None
    board = load_board(game)
    if mark is not None and mark != board.fingerprint:
        raise RecordError(
            f"{what} was made on another version of the board {game}: its fingerprint is {mark}, "
            f"that of {board_folder(game)} is {board.fingerprint}. Use the board as it was then"
        )
    if mark is None and board.is_own:
        raise RecordError(f"{what} does not say on which version of {game} it was made: the fingerprint of a custom board is missing (field board)")


def brief(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else text[:200] + "…"


def refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def checked_record(fields: Any) -> Record:
    """A record from decoded JSON, or RecordError with the first thing that is wrong."""
    require(isinstance(fields, dict), "a record is a JSON object")
    form = fields.get("format")
    require(form == FORMAT, f"the format is {form!r:.60}; this Branchline reads {FORMAT!r}")
    for name in fields:
        require(name in FIELDS, f"there is an unknown field {name!r:.60}")
    require(isinstance(fields.get("game"), str), "game must be a string")
    require(is_whole(fields.get("rules_version"), 1, LARGEST_NUMBER), "rules_version must be a whole number")
    check_seats(fields.get("seats"))
    options = fields.get("options", {})
    require(
        isinstance(options, dict) and all(name in OPTIONS for name in options), f"options must be an object with nothing but {', '.join(OPTIONS)}"
    )
    seed, decisions = fields.get("seed"), fields.get("decisions")
    require(seed is None or isinstance(seed, str), "seed must be a hex string")
    require(
        decisions is None or (isinstance(decisions, list) and all(is_whole(number, 0, LARGEST_NUMBER) for number in decisions)),
        "decisions must be a list of whole numbers",
    )
    events, result = fields.get("events", []), fields.get("result", {})
    require(isinstance(events, list) and all(isinstance(event, dict) for event in events), "events must be a list of objects")
    require(isinstance(result, dict), "result must be an object")
    commitment, board = fields.get("commitment"), fields.get("board")
    require(board is None or isinstance(board, str), "board must be the fingerprint of a custom board, a hex string")
    require(commitment is None or isinstance(commitment, str), "commitment must be a hex string")
    chance = fields.get("chance")
    wrong = None if chance is None else what_is_wrong(chance, len(fields["seats"]))
    require(wrong is None, wrong or "")
    return Record(fields["game"], fields["rules_version"], fields["seats"], options, seed, decisions, events, result, commitment, chance, board)


def check_seats(seats: Any) -> None:
    require(isinstance(seats, list), "seats must be a list")
    for seat in seats:
        named = isinstance(seat, dict) and all(isinstance(seat.get(key), str) and seat[key].isprintable() for key in ("name", "player"))
        require(named, "each seat must be an object with a printable name and player")


def require(condition: bool, reason: str) -> None:
    if not condition:
        raise RecordError(f"not a game record: {reason}")


def read_records(path: str | Path) -> Iterator[Record]:
    """The records in a file: one game (`.json`), or one per line (`.jsonl`). Errors name the line."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            yield from read_lines(path, file) if path.suffix == ".jsonl" else read_whole(path, file)
    except OSError as error:
        raise RecordError(f"{path}: cannot be read ({error.strerror or error})") from None


def read_whole(path: Path, file: Any) -> Iterator[Record]:
    yield parse(f"{path}", file.read(LARGEST_RECORD + 1))


def read_lines(path: Path, file: Any) -> Iterator[Record]:
    number = 0
    while line := file.readline(LARGEST_RECORD + 1):
        number += 1
        if line.strip():
            yield parse(f"{path}, line {number}", line)


def parse(place: str, content: bytes) -> Record:
    try:
        return Record.from_json(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise RecordError(f"{place}: not UTF-8 text (byte {error.start})") from None
    except RecordError as error:
        raise RecordError(f"{place}: {error}") from None


def write_records(path: str | Path, records: Iterable[Record]) -> None:
    """Write records, one per line."""
    with Path(path).open("w", encoding="utf-8") as file:
        for record in records:
            file.write(record.to_json() + "\n")
