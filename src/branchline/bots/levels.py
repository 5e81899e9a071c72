"""Levels for people: easy, normal, hard, expert.

A weaker level does not make random blunders; it plays like a weaker person. Easy goes for one ticket at a time and often hesitates, drawing cards
when it could claim a route. Normal plans, with rough ideas of what things are worth. Hard has learnt their worth by playing. Expert thinks ahead.
"""

from __future__ import annotations

from typing import Any

from branchline.bots.base import Bot, PolicyBot, keys_of
from branchline.bots.explaining import explain_plan
from branchline.bots.search import Budget, SearchBot
from branchline.bots.weights import COMMON, weights_for
from branchline.play.games import View
from branchline.rules.vocabulary.decisions import CLAIM, DRAW, PLACE
from branchline.rules.vocabulary.phases import ACTION

HESITATES = 35  # percent of the turns in which easy could claim a route or place cards
EXPERT = Budget(seconds=1.0)


class PlannerBot(PolicyBot):
    """The planner, which can explain its plan; with rough weights if asked."""

    def __init__(self, seed: int = 0, name: str = "planner", everyday: bool = False) -> None:
        super().__init__("planner", seed)
        self.name, self._everyday = name, everyday

    def _weights(self, game: str) -> Any:
        return weights_for(game, COMMON if self._everyday else None)

    def explain(self, view: View) -> dict[str, Any]:
        """The decision, and the plan behind it."""
        decision = self.decide(view)
        return {"bot": self.name, "decision": view.game.text(decision), "plan": explain_plan(view, self._thoughts[0])}


class HesitantBot(PolicyBot):
    """Greedy, except that it often draws another card first."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__("greedy", seed)
        self.name = "easy"

    def _choose(self, view: View) -> int:
        decision = int(super()._choose(view))
        starts = view.game.board.record.starts
        acts = any(starts[block] <= decision < starts[block + 1] for block in (CLAIM, PLACE))
        draw = int(starts[DRAW])
        hesitates = int(keys_of(view, self._seed)[0] % 100) < HESITATES
        return draw if view.record.phase == ACTION and acts and hesitates and draw in view.legal else decision


LEVELS = ("easy", "normal", "hard", "expert")


def make_level(name: str, seed: int) -> Bot:
    if name == "easy":
        return HesitantBot(seed)
    if name == "normal":
        return PlannerBot(seed, name, everyday=True)
    if name == "hard":
        return PlannerBot(seed, name)
    bot = SearchBot(EXPERT, seed)
    bot.name = name
    return bot
