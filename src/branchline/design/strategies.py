"""Styles of play against each other: every line-up plays the same deals from every seat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from branchline.batch.games import Games
from branchline.boards import Board
from branchline.design.blocks import BLOCKS, Array, Estimates, by_block, counts, shares
from branchline.design.playing import Table
from branchline.design.styles import STYLES, line_ups
from branchline.design.sums import shares_of
from branchline.rules.sizes import NONE
from branchline.simulation.columns import members

MEANS = ("spaces", "tickets", "cuts")  # spaces of a claimed route, tickets kept, tickets of rivals cut off
Figures = dict[str, Any]


class StyleSums:
    """Sums over games between styles; arrays are (blocks, styles)."""

    def __init__(self, board: Board, players: int) -> None:
        self.board, self.players, self.games = board, players, 0
        size = (BLOCKS, len(STYLES))
        self.seats, self.wins, self.routes = np.zeros(size), np.zeros(size), np.zeros(size)
        self.counted = {name: np.zeros(size) for name in MEANS}
        self.met, self.ahead = np.zeros((*size, len(STYLES))), np.zeros((*size, len(STYLES)))

    def add(self, games: Games, courses: Any, table: tuple[str, ...]) -> None:
        self.games += len(games.states)
        styles, won = [list(STYLES).index(style) for style in table], shares_of(games, self.players)
        owned = members(games.states["owned"][:, : self.players], len(self.board.routes))
        lengths = np.array([route.length for route in self.board.routes])
        counted = {
            "spaces": owned @ lengths,
            "tickets": games.states["ticket_count"][:, : self.players].astype(np.int64),
            "cuts": cuts_by(owned, courses),
        }
        for seat, style in enumerate(styles):
            self.seats[:, style] += by_block(np.ones(len(won)), games.first)
            self.wins[:, style] += by_block(won[:, seat], games.first)
            self.routes[:, style] += by_block(owned[:, seat].sum(1), games.first)
            for name, numbers in counted.items():
                self.counted[name][:, style] += by_block(numbers[:, seat], games.first)
        self._add_pairs(games, styles)

    def _add_pairs(self, games: Games, styles: list[int]) -> None:
        totals = games.results["total"]
        for seat, style in enumerate(styles):
            for rival, other in enumerate(styles):
                if style != other:
                    ahead = (totals[:, seat] > totals[:, rival]) + (totals[:, seat] == totals[:, rival]) / 2
                    self.ahead[:, style, other] += by_block(ahead, games.first)
                    self.met[:, style, other] += by_block(np.ones(len(totals)), games.first)


def cuts_by(owned: Array, courses: Any) -> Array:
    """How many tickets of rivals each seat has cut off, by game."""
    found = np.zeros(owned.shape[:2], np.int64)
    game, ticket = np.nonzero(courses["cut_by"] != NONE)
    seat = owned[game, :, courses["cut_by"][game, ticket]].argmax(1)
    np.add.at(found, (game, seat), 1)
    return found


def strategy_figures(sums: StyleSums) -> Figures:
    fair = 1 / sums.players
    wins, ahead = shares(sums.wins, sums.seats), shares(sums.ahead, sums.met)
    more = Estimates(wins.mean - fair, wins.low - fair, wins.high - fair)
    per = {name: counts(sums.counted[name], sums.routes if name == "spaces" else sums.seats) for name in MEANS}
    rows = [
        {
            "style": style,
            "wins": wins.at(place),
            "advantage": more.at(place),
            **{name: found.at(place) for name, found in per.items()},
            "ahead_of": {other: ahead.at(place, number) for number, other in enumerate(STYLES) if other != style},
        }
        for place, style in enumerate(STYLES)
    ]
    return {"players": sums.players, "games": sums.games, "fair": fair, "styles": rows}


def play_styles(
    board: Board, players: int, deals: int, seed: int, threads: int | None = None, first: int = 0
) -> Iterator[tuple[Games, Any, tuple[str, ...]]]:
    """Each line-up plays this many games, from number `first` on: the same deals for all."""
    for table in line_ups(players):
        room = Table(board, table, threads, styles=True)
        try:
            yield *room.play(deals, seed, first), table
        finally:
            room.close()
