"""All figures of a report, each a small table; `named` lists them for writing to files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import polars as pl

from branchline.report.counting import extras, routes, scores, tickets, turns, wins
from branchline.report.source import Simulation

Table = pl.DataFrame


@dataclass(frozen=True)
class Figures:
    """None means that the simulation has no such table, or that there is nothing to compare."""

    simulation: Simulation = field(repr=False)
    keys: dict[str, float]
    win_rates: Table
    scores: Table
    parts: Table
    lengths: Table
    head_to_head: Table | None
    tickets: Table | None
    colours: Table | None
    routes: Table | None
    actions: Table | None
    statistics: Table | None
    statistics_bars: Table | None

    @property
    def by(self) -> str:
        """What is compared: bots, or seats if the same bot has them all."""
        return "bot" if len(self.simulation.kinds) > 1 else "seat"

    @property
    def first(self) -> dict[str, Any]:
        """The win rate of the seat that begins."""
        return self.win_rates.row(0, named=True)

    def named(self) -> dict[str, Table]:
        every = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {name: table for name, table in every.items() if isinstance(table, Table)}


def figures_of(simulation: Simulation) -> Figures:
    lengths = scores.lengths(simulation)
    rates = wins.win_rates(simulation)
    statistics = extras.extras(simulation)
    return Figures(
        simulation=simulation,
        keys=wins.key_numbers(simulation) | {"turns": scores.mean_of(lengths, "turns", "games")},
        win_rates=rates,
        scores=scores.scores(simulation),
        parts=scores.parts(simulation),
        lengths=lengths,
        head_to_head=wins.head_to_head(simulation) if len(simulation.kinds) > 1 else None,
        actions=turns.actions(simulation.actions) if simulation.actions is not None else None,
        statistics=statistics,
        statistics_bars=extras.extra_bars(simulation, statistics) if statistics is not None else None,
        **of_the_board(simulation, wins.seat_rates(rates)),
    )


def of_the_board(simulation: Simulation, seat_rates: Table) -> dict[str, Table | None]:
    """How tickets, their colours and routes did, if there are tables for them."""
    found: dict[str, Table | None] = {"tickets": None, "colours": None, "routes": None}
    if simulation.tickets is not None:
        found["tickets"] = kept = tickets.tickets(simulation, simulation.tickets, seat_rates)
        if simulation.has_card_tickets:
            found["colours"] = tickets.colours(simulation, kept)
    if simulation.claims is not None and simulation.board.routes:
        found["routes"] = routes.routes(simulation, simulation.claims, seat_rates)
    return found
