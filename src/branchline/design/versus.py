"""Two boards on the same deals: what differs, each with the interval of the difference.

Game i of both has the same seed and belongs to the same block, so what the same cards bring about cancels out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from branchline.boards import Board
from branchline.design.balance.goals import tickets as spread_of_tickets
from branchline.design.blocks import Array, Estimates, jackknife, tidy
from branchline.design.figures import HALF
from branchline.design.styles import STYLES
from branchline.design.sums import Sums
from branchline.design.watching import Question, Watch
from branchline.errors import UsageError

Figures = dict[str, Any]
Part = Callable[[Any], Array]


@dataclass(frozen=True)
class Measure:
    """A ratio of two sums."""

    name: str
    over: Part
    under: Part = lambda sums: sums.in_block
    is_share: bool = False


MEASURES = (
    Measure("wins of the first player", lambda sums: sums.order_wins[:, 0], is_share=True),
    Measure("turns", lambda sums: sums.turns),
    Measure("winning total", lambda sums: sums.totals[:, 0]),
    Measure("lead of the winner", lambda sums: sums.totals[:, 1]),
    Measure("shared victories", lambda sums: sums.totals[:, 2], is_share=True),
)
WITH_ROUTES = (
    Measure("changes of the lead", lambda sums: sums.lead_changes),
    Measure("leader at half-time wins", lambda sums: sums.leader_won[:, HALF], lambda sums: sums.led[:, HALF], is_share=True),
    Measure("wins of the player who ends the game", lambda sums: sums.ender[:, 1], lambda sums: sums.ender[:, 0], is_share=True),
)
SPREAD = "spread of what tickets are worth"


class Comparison:
    """Both boards, played side by side."""

    def __init__(self, question: Question, other: Board) -> None:
        questions = question, replace(question, board=other)
        numbers = tuple(number for number in questions[0].numbers if number in questions[1].numbers)
        if not numbers:
            raise UsageError(f"{question.board.name} and {other.name} have no number of players in common: compare boards that do")
        self.watches = tuple(Watch(replace(one, players=numbers)) for one in questions)

    @property
    def question(self) -> Question:
        """About the first board."""
        return self.watches[0].question

    @property
    def asked(self) -> int:
        return sum(watch.asked for watch in self.watches)

    @property
    def done(self) -> int:
        return sum(watch.done for watch in self.watches)

    def play(self) -> Iterator[None]:
        """Whoever is behind plays next."""
        playing = {watch: watch.play() for watch in self.watches}
        while playing:
            watch = min(playing, key=lambda one: one.done / one.asked)
            if next(playing[watch], self) is self:
                del playing[watch]
            yield

    def figures(self) -> Figures:
        """What differs so far, by number of players."""
        (one, other), question = self.watches, self.question
        told = [{name: getattr(watch.question.board, name) for name in ("game", "name", "fingerprint")} for watch in self.watches]
        if told[0]["name"] == told[1]["name"] and told[0]["game"] != told[1]["game"]:  # a copy
            told = [one | {"name": f"{one['name']} ({one['game']})"} for one in told]
        pairs = [(one.sums[number], other.sums[number]) for number in one.sums]
        return {
            "a": told[0],
            "b": told[1],
            "bots": question.bots,
            "seed": question.seed,
            "games": self.done,
            "tables": [compared(*pair) | self._styles(pair[0].players) for pair in pairs if all(sums.games for sums in pair)],
        }

    def _styles(self, players: int) -> Figures:
        both = [watch.styles.get(players) for watch in self.watches]
        if not all(sums is not None and sums.games for sums in both):
            return {}
        return {"strategies": rows(both, list(STYLES), "style", lambda sums: sums.wins, lambda sums: sums.seats)}


def compared(one: Sums, other: Sums) -> Figures:
    """All differences with one number of players."""
    both = one, other
    has_routes = all(sums.board.routes for sums in both)
    figures = [{"figure": measure.name, "is_share": measure.is_share} | of_measure(measure, both) for measure in measures(has_routes)]
    found: Figures = {
        "players": one.players,
        "games": min(one.games, other.games),
        "figures": [*figures, {"figure": SPREAD, "is_share": False} | spread(both)],
    }
    printed = [{ticket.id: ticket.points for ticket in sums.board.tickets} for sums in both]
    found["tickets"] = [
        row | {"printed_a": printed[0][row["ticket"]], "printed_b": printed[1][row["ticket"]]}
        for row in rows_of_common(both, "ticket", lambda board: board.tickets, lambda sums: sums.completed, lambda sums: sums.kept)
    ]
    if has_routes:
        found["routes"] = rows_of_common(both, "route", lambda board: board.routes, lambda sums: sums.claims, in_block_for_each)
    return found


def measures(has_routes: bool) -> tuple[Measure, ...]:
    return (*MEASURES, *WITH_ROUTES) if has_routes else MEASURES


def in_block_for_each(sums: Sums) -> Array:
    return np.broadcast_to(sums.in_block[:, None], sums.claims.shape)


def of_measure(measure: Measure, both: Sequence[Any]) -> Figures:
    return difference([measure.under(sums) for sums in both], [measure.over(sums) for sums in both])[0]


def spread(both: Sequence[Sums]) -> Figures:
    """How far apart tickets are in what they are worth to draw, as `board balance` measures it."""
    goals = [spread_of_tickets(sums.board, 1.0) for sums in both]
    arrays = [goal.arrays(sums) for goal, sums in zip(goals, both, strict=True)]
    size = len(arrays[0])

    def figure(*given: Array) -> Array:
        return np.array([goals[1].measure(*given[size:]) - goals[0].measure(*given[:size])])

    means = [goal.measure(*(array.sum(0) for array in one)) for goal, one in zip(goals, arrays, strict=True)]
    return row(np.array(means)[:, None], jackknife(figure, *arrays[0], *arrays[1]), 0)


def rows_of_common(both: Sequence[Sums], what: str, things: Callable[[Board], Sequence[Any]], over: Part, under: Part) -> list[Figures]:
    """Tickets, or routes, that both boards have."""
    ids = [[one.id for one in things(sums.board)] for sums in both]
    common = [id_ for id_ in ids[0] if id_ in set(ids[1])]
    places = [[some.index(id_) for id_ in common] for some in ids]

    def at(part: Part) -> Part:
        return lambda sums: part(sums)[:, places[0] if sums is both[0] else places[1]]

    return rows(both, common, what, at(over), at(under)) if common else []


def rows(both: Sequence[Any], names: list[str], what: str, over: Part, under: Part) -> list[Figures]:
    """A row for each name about which both boards know something."""
    found = difference([under(sums) for sums in both], [over(sums) for sums in both])
    return [{what: name} | one for name, one in zip(names, found, strict=True) if one["difference"] is not None]


def difference(under: Sequence[Array], over: Sequence[Array]) -> list[Figures]:
    """B less A, for each column of the sums."""
    (under_a, under_b), (over_a, over_b) = ([one.reshape(len(one), -1).astype(float) for one in some] for some in (under, over))
    found = jackknife(lambda ua, oa, ub, ob: ob / ub - oa / ua, under_a, over_a, under_b, over_b)
    with np.errstate(divide="ignore", invalid="ignore"):
        means = np.stack([over_a.sum(0) / under_a.sum(0), over_b.sum(0) / under_b.sum(0)])
    return [row(means, found, place) for place in range(means.shape[1])]


def row(means: Array, found: Estimates, place: int) -> Figures:
    told = found.at(place)
    return {
        "a": tidy(float(means[0, place])),
        "b": tidy(float(means[1, place])),
        "difference": told["value"],
        "low": told["low"],
        "high": told["high"],
    }
