"""All figures of a report, each a small table; `named` lists them for writing to files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import polars as pl

from branchline.report import ReportError
from branchline.report.counting import extras, routes, scores, tickets, turns, wins
from branchline.report.counting.tallies import Tally
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


class Counted(NamedTuple):
    """The sums over all batches: tallies by name, and the spread of each added statistic."""

    tallies: dict[str, Table]
    spreads: dict[str, extras.Spread]


def tallies_of(simulation: Simulation) -> dict[str, Tally]:
    """What is counted, as far as there are tables for it."""
    usual = {"wins": wins.WINS, "winners": wins.WINNERS, "totals": scores.TOTALS, "parts": scores.PARTS, "lengths": scores.LENGTHS}
    further = {
        "pairs": (wins.PAIRS, len(simulation.kinds) > 1),
        "actions": (turns.DONE, simulation.actions is not None),
        "tickets": (tickets.KEPT, simulation.tickets is not None),
        "routes": (routes.CLAIMED, simulation.claims is not None and bool(simulation.board.routes)),
    }
    return usual | {name: tally for name, (tally, is_there) in further.items() if is_there}


def counted(simulation: Simulation) -> Counted:
    """One pass over all games."""
    sums: dict[str, Table] = {}
    spreads: dict[str, extras.Spread] = {}
    for batch in simulation.batches():
        for name, tally in tallies_of(simulation).items():
            sums[name] = tally.add(sums.get(name), simulation, batch)
        for column in extras.extra_columns(simulation):
            more = extras.spread_of(batch, column)
            spreads[column] = spreads[column].add(more) if column in spreads else more
    check_all_there(simulation, int(sums["lengths"]["rows"].sum()))
    return Counted(sums, spreads)


def check_all_there(simulation: Simulation, rows: int) -> None:
    if rows != simulation.games * simulation.players:
        raise ReportError(
            f"{simulation.file} has {rows:,} rows, and {simulation.games:,} games of {simulation.players} seats should have "
            f"{simulation.games * simulation.players:,}: make broken parts again with branchline simulate --resume"
        )


def figures_of(simulation: Simulation) -> Figures:
    return figures_from(simulation, counted(simulation))


def figures_from(simulation: Simulation, found: Counted) -> Figures:
    sums = found.tallies
    lengths = scores.lengths(simulation, sums["lengths"])
    rates = wins.win_rates(simulation, sums["wins"])
    statistics = extras.extras(found.spreads)
    return Figures(
        simulation=simulation,
        keys=wins.key_numbers(simulation, sums["winners"]) | {"turns": scores.mean_of(lengths, "turns", "games")},
        win_rates=rates,
        scores=scores.scores(sums["totals"]),
        parts=scores.parts(simulation, sums["parts"]),
        lengths=lengths,
        head_to_head=wins.head_to_head(simulation, sums["pairs"]) if "pairs" in sums else None,
        actions=turns.actions(sums["actions"]) if "actions" in sums else None,
        statistics=statistics,
        statistics_bars=extras.extra_bars(simulation, found.spreads) if statistics is not None else None,
        **of_the_board(simulation, sums, wins.seat_rates(rates)),
    )


def of_the_board(simulation: Simulation, sums: dict[str, Table], seat_rates: Table) -> dict[str, Table | None]:
    """How tickets, their colours and routes did, if there are tables for them."""
    found: dict[str, Table | None] = {"tickets": None, "colours": None, "routes": None}
    if "tickets" in sums:
        found["tickets"] = kept = tickets.tickets(simulation, sums["tickets"], seat_rates)
        if simulation.has_card_tickets:
            found["colours"] = tickets.colours(simulation, kept)
    if "routes" in sums:
        found["routes"] = routes.routes(simulation, sums["routes"], seat_rates)
    return found
