"""The tables of a chunk of games, as polars data frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl

from branchline.batch.compiled.tally import ACTIONS
from branchline.batch.games import Games
from branchline.simulation.columns import Columns, action_counts, claim_columns, seat_columns, ticket_columns
from branchline.simulation.plan import Plan


def names(texts: list[str], numbers: Any) -> pl.Series:
    """Texts by their numbers."""
    return pl.Series(texts, dtype=pl.String).gather(pl.Series(numbers.astype(np.uint32)))


def seats_table(plan: Plan, games: Games, columns: Columns | None = None) -> pl.DataFrame:
    """A row per seat and game."""
    columns = seat_columns(plan, games) if columns is None else columns
    table = pl.DataFrame({name: np.ascontiguousarray(values).ravel() for name, values in columns.items()})
    return table.insert_column(2, names(list(plan.bots), table["seat"].to_numpy()).alias("bot"))


def claims_table(plan: Plan, games: Games) -> pl.DataFrame:
    columns = claim_columns(plan, games)
    return pl.DataFrame(columns | {"route": names([route.id for route in plan.game.board.routes], columns["route"])})


def tickets_table(plan: Plan, games: Games) -> pl.DataFrame:
    columns = ticket_columns(plan, games)
    return pl.DataFrame(columns | {"ticket": names([ticket.id for ticket in plan.game.board.tickets], columns["ticket"])})


def actions_table(plan: Plan, games: Games) -> pl.DataFrame:
    """What the seats did round by round, over all games; what nobody did is left out."""
    counts = action_counts(plan, games)
    seat, number, action = np.nonzero(counts)
    return pl.DataFrame(
        {
            "seat": seat.astype(np.int8),
            "bot": names(list(plan.bots), seat),
            "round": (number + 1).astype(np.int16),
            "action": names(list(ACTIONS), action),
            "count": counts[seat, number, action],
        }
    )


TABLE_OF: dict[str, Callable[[Plan, Games], pl.DataFrame]] = {"actions": actions_table, "claims": claims_table, "tickets": tickets_table}


def tables_of(plan: Plan, games: Games, columns: Columns | None = None) -> dict[str, pl.DataFrame]:
    """All tables that the plan asks for. `columns` are those of the seats, if they have already been made."""
    others = {table: TABLE_OF[table](plan, games) for table in ("actions", *plan.tables)}
    return others | {"seats": seats_table(plan, games, columns)}
