"""What seats do with their turns, round by round."""

from __future__ import annotations

import polars as pl

from branchline.batch.compiled.tally import ACTIONS as ALL_ACTIONS
from branchline.report.counting.exact import read, rounded

ACTIONS = ALL_ACTIONS[1:]  # all but nothing, in the order of their drawing


def actions(table: pl.LazyFrame) -> pl.DataFrame:
    """How often a bot did each thing in each round, and what share of its turns in that round it was."""
    counted = read(table.group_by("bot", "round", "action").agg(pl.col("count").sum()))
    whole = every_action(counted).with_columns(share=pl.col("count") / pl.col("count").sum().over("bot", "round"))
    return rounded(whole.sort("bot", "round", "action"))


def every_action(counted: pl.DataFrame) -> pl.DataFrame:
    """An action that did not occur in a round counts nought there: areas must not leap over it."""
    rounds = counted.select("bot", "round").unique()
    whole = rounds.join(counted.select("action").unique(), how="cross")
    return whole.join(counted, on=["bot", "round", "action"], how="left").with_columns(pl.col("count").fill_null(0))


def told_rounds(counted: pl.DataFrame, least: float = 0.01) -> pl.DataFrame:
    """The rounds that at least so large a part of the first round's turns is in: what few games reach says little."""
    turns = counted.group_by("bot", "round").agg(turns=pl.col("count").sum())
    enough = turns.filter(pl.col("turns") >= least * pl.col("turns").max().over("bot"))
    return counted.join(enough, on=["bot", "round"], how="semi").sort("bot", "round", "action")
