"""Levels for people, from beginner to master.

A weaker level does not make random blunders; it plays like a weaker person. It is the bot that has learned, with fancies, hesitation and lapses of
memory (`compiled/whims.py`); how much of each is measured so that every level beats the one below about three times out of four (`levels.toml` in a
board's folder). Expert plays as well as it can, and master also thinks ahead; where planners are stronger than the network, as the folder says, those
two are planners. On boards that nobody has learned, planners stand in for all.
"""

from __future__ import annotations

from importlib.resources.abc import Traversable
from typing import Any

from branchline.boards import BoardError
from branchline.boards.checks import is_whole
from branchline.boards.folders import board_folder, is_available, kept_per_board
from branchline.boards.lines import line_of
from branchline.boards.tables import read_settings, read_text
from branchline.bots.base import Bot, PolicyBot, begin_game, keys_of
from branchline.bots.explaining import explain_plan
from branchline.bots.learned import LearnedBot
from branchline.bots.networks import has_network
from branchline.bots.search import Budget, SearchBot
from branchline.bots.weights import COMMON, weights_for
from branchline.play.games import Game, View
from branchline.play.observations.layout import layout_of
from branchline.rules.sizes import SEATS
from branchline.rules.vocabulary.decisions import CLAIM, DRAW, PLACE
from branchline.rules.vocabulary.phases import ACTION

LEVELS = ("beginner", "easy", "normal", "hard", "expert", "master")
FILE = "levels.toml"
PLANNER_FROM = "planner_from"  # the number of seats from which planners are stronger
MOST = 10_000
HESITATES = {"beginner": 60, "easy": 35}  # percent of the turns in which they could claim a route or place cards, on boards that nobody has learned
MASTER = Budget(seconds=1.0)
# where a board's folder says nothing
MANNERS = {
    "beginner": {"whims": 1750, "shy": 350, "forgets": 50},
    "easy": {"whims": 1350, "shy": 200, "forgets": 30},
    "normal": {"whims": 1000, "shy": 100, "forgets": 15},
    "hard": {"whims": 650, "shy": 0, "forgets": 0},
}


@kept_per_board
def planner_from(game: str) -> int:
    """The number of seats from which planners are stronger than the network of a board."""
    return levels_on(game)[0]


@kept_per_board
def manners_on(game: str) -> dict[str, dict[str, int]]:
    """How each level falls short of what it could do, on a board."""
    return levels_on(game)[1]


def levels_on(game: str) -> tuple[int, dict[str, dict[str, int]]]:
    return read_levels(board_folder(game)) if is_available(game) else (SEATS + 1, MANNERS)


def read_levels(folder: Traversable) -> tuple[int, dict[str, dict[str, int]]]:
    """What a board's folder says about both; defaults without the file."""
    found = dict(read_settings(folder, FILE)) if (folder / FILE).is_file() else {}
    seats = found.pop(PLANNER_FROM, SEATS + 1)
    if not is_whole(seats, 2, SEATS + 1):
        raise wrong(folder, f"{PLANNER_FROM} = {seats!r} is not a number of seats from 2 to {SEATS + 1}", PLANNER_FROM)
    for level, manner in found.items():
        if level not in MANNERS or not isinstance(manner, dict):
            raise wrong(folder, f"{level} is not a table of a level: they are {', '.join(MANNERS)}", level)
        for name, value in manner.items():
            if name not in MANNERS["beginner"] or not is_whole(value, 0, MOST):
                raise wrong(folder, f"{level}: {name} = {value!r} is not whims, shy or forgets from 0 to {MOST}", level, name)
    return int(seats), {level: manner | found.get(level, {}) for level, manner in MANNERS.items()}


def wrong(folder: Traversable, reason: str, *place: str) -> BoardError:
    line = line_of(read_text(folder, FILE), place)
    return BoardError(f"{folder.name}/{FILE}", f"{reason}: correct or remove it", line)


class PlannerBot(PolicyBot):
    """The planner, which can explain its plan; with rough weights if asked."""

    def __init__(self, seed: int = 0, name: str = "planner", everyday: bool = False) -> None:
        super().__init__("planner", seed)
        self.name, self._everyday = name, everyday

    def _weights(self, game: str, players: int) -> Any:
        return weights_for(game, players, COMMON if self._everyday else None)

    def explain(self, view: View) -> dict[str, Any]:
        """The decision, and the plan behind it."""
        decision = self.decide(view)
        return {"bot": self.name, "decision": view.game.text(decision), "plan": explain_plan(view, self._thoughts[0])}


class HesitantBot(PolicyBot):
    """Greedy, except that it often draws another card first."""

    def __init__(self, seed: int, name: str) -> None:
        super().__init__("greedy", seed)
        self.name = name

    def _choose(self, view: View) -> int:
        decision = int(super()._choose(view))
        starts = view.game.board.record.starts
        acts = any(starts[block] <= decision < starts[block + 1] for block in (CLAIM, PLACE))
        draw = int(starts[DRAW])
        hesitates = int(keys_of(view, self._seed)[0] % 100) < HESITATES[self.name]
        return draw if view.record.phase == ACTION and acts and hesitates and draw in view.legal else decision


class WhimsicalBot(LearnedBot):
    """The bot that has learned, below its strength."""

    def __init__(self, seed: int, name: str) -> None:
        super().__init__(seed)
        self.name = name

    def _weights(self, game: str, players: int) -> Any:
        return weights_for(game, players, {**manners_on(game)[self.name], "held_at": layout_of(game)["held"].offset})


class LevelBot:
    """A level, on any board."""

    def __init__(self, name: str, seed: int = 0) -> None:
        self.name, self._seed = name, seed
        self._players = dict[tuple[bool, bool], Bot]()

    def _player(self, game: Game) -> Any:
        learned = has_network(game.name, game.players), game.players < planner_from(game.name)
        if learned not in self._players:
            self._players[learned] = player_of(self.name, self._seed, *learned)
        return self._players[learned]

    def new_game(self, game: Game, seat: int) -> None:
        begin_game(self._player(game), game, seat)

    def decide(self, view: View) -> int:
        return int(self._player(view.game).decide(view))

    def explain(self, view: View) -> dict[str, Any]:
        player = self._player(view.game)
        explained: dict[str, Any] = player.explain(view) if hasattr(player, "explain") else {"decision": view.game.text(self.decide(view))}
        return {**explained, "bot": self.name}


def player_of(level: str, seed: int, learned: bool, is_best: bool) -> Bot:
    """Who plays at a level: is there a network, and is it better than planners?"""
    if level == "master":
        return SearchBot(MASTER._replace(planner=not is_best), seed)
    if level == "expert":
        return LearnedBot(seed) if learned and is_best else PlannerBot(seed, level)
    if learned:
        return WhimsicalBot(seed, level)
    return HesitantBot(seed, level) if level in HESITATES else PlannerBot(seed, level, everyday=level == "normal")
