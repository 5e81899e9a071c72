"""What seats do with their turns, round by round."""

from __future__ import annotations

import polars as pl

from branchline.batch.compiled.tally import ACTIONS as ALL_ACTIONS
from branchline.report.counting.exact import rounded, total
from branchline.report.counting.tallies import Tally
from branchline.report.source import Batch, Simulation

ACTIONS = ALL_ACTIONS[1:]  # all except nothing, in the order they are drawn


def counts(_: Simulation, batch: Batch) -> pl.LazyFrame:
    if batch.actions is None:
        raise ValueError("there is no table of actions to count")
    return batch.actions.group_by("bot", "round", "action").agg(total("count"))


DONE = Tally(("bot", "round", "action"), counts)


def actions(counted: pl.DataFrame) -> pl.DataFrame:
    """How often a bot did each action in each round, and its share of the bot's turns in that round."""
    whole = every_action(counted).with_columns(share=pl.col("count") / pl.col("count").sum().over("bot", "round"))
    return rounded(whole.sort("bot", "round", "action"))


def every_action(counted: pl.DataFrame) -> pl.DataFrame:
    """An action that did not occur in a round counts as zero there, so that areas do not skip the round."""
    rounds = counted.select("bot", "round").unique()
    whole = rounds.join(counted.select("action").unique(), how="cross")
    return whole.join(counted, on=["bot", "round", "action"], how="left").with_columns(pl.col("count").fill_null(0))


def told_rounds(counted: pl.DataFrame, least: float = 0.01) -> pl.DataFrame:
    """The rounds that have at least this share of the first round's turns: what few games reach says little."""
    turns = counted.group_by("bot", "round").agg(turns=pl.col("count").sum())
    enough = turns.filter(pl.col("turns") >= least * pl.col("turns").max().over("bot"))
    return counted.join(enough, on=["bot", "round"], how="semi").sort("bot", "round", "action")
