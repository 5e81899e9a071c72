"""What a bot is: something that looks at a view and answers with a decision."""

from __future__ import annotations

import hashlib
import traceback
from typing import Any, Protocol, runtime_checkable

import numpy as np

from branchline.bots.compiled.policies import POLICIES, THOUGHTS, decide
from branchline.bots.weights import weights_for
from branchline.errors import BranchlineError, IllegalDecision, UsageError, did_you_mean
from branchline.play.events import Event, redact
from branchline.play.first_use import compile_first
from branchline.play.games import Game, State, View
from branchline.words.plurals import counted


class BotError(BranchlineError):
    """A bot cannot be loaded, or does not play by the rules."""


class BotOptionError(BotError, UsageError):
    """There is no such bot, it has no such option, or the number of bots does not fit the seats."""


class WrongNumberOfBots(BotOptionError):
    """More or fewer bots than there are seats for them; `advice` says what to do."""

    def __init__(self, bots: int, seats: int, advice: str) -> None:
        super().__init__(f"{counted(bots, 'bots')} for {counted(seats, 'seats')}: {advice}")


class Bot(Protocol):
    """Any object with a `name` and a `decide` method can play.

    More methods are optional, and are called if they exist: `new_game(game, seat)` before each game (`PreparedBot`), `happened(events)` before
    each decision (`WatchingBot`), `explain(view)` for the reason behind a decision (`ExplainingBot`), and `close()` after the game (`ClosingBot`).
    """

    name: str

    def decide(self, view: View) -> int:
        """Return one of `view.legal`. The view must not be changed."""


@runtime_checkable
class PreparedBot(Protocol):
    """A bot that wants to know about a game before it begins."""

    def new_game(self, game: Game, seat: int) -> None:
        """A game is about to begin (or continue) with this bot on that seat: forget the last one."""


@runtime_checkable
class WatchingBot(Protocol):
    """A bot that wants to know what happens between its decisions."""

    def happened(self, events: list[Event]) -> None:
        """What has happened since the last time, as the bot's seat may know it."""


@runtime_checkable
class ExplainingBot(Protocol):
    """A bot that can explain its decisions."""

    def explain(self, view: View) -> dict[str, Any]:
        """The reason for the decision on this view: names and values that fit into JSON."""


@runtime_checkable
class ClosingBot(Protocol):
    """A bot that holds on to something, such as a process."""

    def close(self) -> None:
        """The bot's game is over: let go."""


class PunctualBot:
    """A bot that thinks elsewhere and returns in time by itself: `decide` raises Late after `limit` seconds."""

    limit: float


class RecordBot:
    """A bot that works on the rules' own records: the Python side of every compiled bot."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self._seed = seed % (1 << 128)
        self._dice = np.array([seed & (1 << 64) - 1, 0, 0], np.uint64)
        self._thoughts: Any = np.zeros(1, THOUGHTS)
        self._game: tuple[str, int] | None = None

    def decide(self, view: View) -> int:
        if view.viewer != view.seat:
            raise IllegalDecision(f"it is not this seat's decision (the view is for {view.viewer}, seat {view.seat} decides)")
        if (view.game.name, view.game.players) != self._game:
            compile_first("bots")
            self._game = view.game.name, view.game.players
            self._kept = self._weights(*self._game)  # the room that a network thinks in is there as long as they are
            self._thoughts["weights"] = self._kept
            self._thoughts["planned"] = 0
        return int(self._choose(view))

    def _weights(self, game: str, players: int) -> Any:
        return weights_for(game, players)

    def new_game(self, game: Game, seat: int) -> None:  # noqa: ARG002  # the board's weights are looked up with the first view
        """Forget the plans of another game."""
        self._thoughts["planned"] = 0

    def _choose(self, view: View) -> Any:
        raise NotImplementedError


class PolicyBot(RecordBot):
    """A compiled policy as a bot."""

    def __init__(self, name: str, seed: int = 0) -> None:
        super().__init__(check_bot(name), seed)
        self._policy = POLICIES[name]

    def _choose(self, view: View) -> Any:
        return decide(self._policy, view.game.board.records, view.records, view.mask, self._thoughts, self._dice)


def keys_of(view: View, seed: int) -> Any:
    """Two words that depend on nothing but the seed and the view: a bot's chance, the same for the same view."""
    digest = hashlib.blake2b(view.records.tobytes(), digest_size=16, key=seed.to_bytes(16, "big")).digest()
    return np.frombuffer(digest, np.uint64)


def is_policy(spec: str) -> bool:
    """Is it a compiled policy, which the compiled loop of `Match` can play whole games with?"""
    return spec in POLICIES


def check_bot(name: str) -> str:
    """The name, if it is a compiled policy's."""
    if not is_policy(name):
        raise BotOptionError(f"there is no bot {name!r} among the compiled ones, which are {', '.join(POLICIES)}{did_you_mean(name, POLICIES)}")
    return name


def begin_game(bot: Bot, game: Game, seat: int) -> None:
    """Tell a bot about a new game, if it wants to know."""
    if isinstance(bot, PreparedBot):
        bot.new_game(game, seat)


def dismiss(bot: Bot) -> None:
    """A bot's game is over: it lets go of what it holds on to."""
    if isinstance(bot, ClosingBot):
        bot.close()


def can_explain(bot: Bot) -> bool:
    """A program has the method, but may have said that it does not explain."""
    return isinstance(bot, ExplainingBot) and getattr(bot, "explains", True) is True


class Witness:
    """Tells the bot on a seat what has happened since it was told last, as its seat may know it."""

    def __init__(self, bot: Bot, seat: int) -> None:
        self._bot, self._seat, self._told = bot, seat, 0

    def tell(self, state: State) -> None:
        if isinstance(self._bot, WatchingBot) and getattr(self._bot, "watches", True):
            events = state.events_since(self._told)
            self._told += len(events)
            if events:
                self._bot.happened([redact(event, self._seat) for event in events])


def in_short(error: BaseException) -> str:
    """An error in somebody else's code, on one line: what and where. Our own say it in words."""
    if isinstance(error, BotError):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"
