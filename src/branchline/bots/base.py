"""What a bot is to Python: something that looks at a view and answers with a decision."""

from __future__ import annotations

import hashlib
import traceback
from typing import Any, Protocol, runtime_checkable

import numpy as np

from branchline.bots.compiled.policies import POLICIES, THOUGHTS, decide
from branchline.bots.weights import weights_for
from branchline.errors import BranchlineError, IllegalDecision, UsageError, did_you_mean
from branchline.play.games import Game, View


class BotError(BranchlineError):
    """A bot cannot be loaded, or does not play by the rules."""


class BotOptionError(BotError, UsageError):
    """There is no such bot, it has no such option, or the number of bots does not fit the seats."""


class Bot(Protocol):
    """Any object with a name and a `decide` can play.

    Two methods are its own choice, and are called where they are present:
    `new_game(game, seat)` before each game (`PreparedBot`), and `explain(view)` for the reason of a decision (`ExplainingBot`).
    """

    name: str

    def decide(self, view: View) -> int:
        """One of `view.legal`. The view is only lent: it must be left as it is."""


@runtime_checkable
class PreparedBot(Protocol):
    """A bot that wants to know of a game before it begins."""

    def new_game(self, game: Game, seat: int) -> None:
        """A game is about to begin (or to go on) with this bot on that seat: forget the last one."""


@runtime_checkable
class ExplainingBot(Protocol):
    """A bot that can say why."""

    def explain(self, view: View) -> dict[str, Any]:
        """The reason of the decision for this view, by name, of values that JSON can hold."""


class RecordBot:
    """A bot over the rules' own records: what Python's side of every compiled bot is."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self._seed = seed % (1 << 128)
        self._dice = np.array([seed & (1 << 64) - 1, 0, 0], np.uint64)
        self._thoughts: Any = np.zeros(1, THOUGHTS)
        self._game: str | None = None

    def decide(self, view: View) -> int:
        if view.viewer != view.seat:
            raise IllegalDecision(f"it is not for this seat to decide (the view is for {view.viewer}, seat {view.seat} decides)")
        if view.game.name != self._game:
            self._game = view.game.name
            self._thoughts["weights"] = self._weights(self._game)
            self._thoughts["planned"] = 0
        return int(self._choose(view))

    def _weights(self, game: str) -> Any:
        return weights_for(game)

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
    """Two words that depend on the seed and on all that is seen, and on nothing else: a bot's chance, the same for the same view."""
    digest = hashlib.blake2b(view.records.tobytes(), digest_size=16, key=seed.to_bytes(16, "big")).digest()
    return np.frombuffer(digest, np.uint64)


def is_policy(spec: str) -> bool:
    """Is it a compiled policy, which can play whole games in the compiled loop of `Match`?"""
    return spec in POLICIES


def check_bot(name: str) -> str:
    """The name of a compiled policy."""
    if not is_policy(name):
        raise BotOptionError(f"there is no bot {name!r} among the compiled ones; there are {', '.join(POLICIES)}{did_you_mean(name, POLICIES)}")
    return name


def begin_game(bot: Bot, game: Game, seat: int) -> None:
    """Tell a bot of a new game, if it wants to know."""
    if isinstance(bot, PreparedBot):
        bot.new_game(game, seat)


def in_short(error: BaseException) -> str:
    """An error of somebody else's code in a line: what, and where."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"
