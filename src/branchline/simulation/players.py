"""Who plays: the cores of the CPU, a GPU, or games one by one to be recorded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from branchline.batch.games import Games, Player
from branchline.batch.statistics import AFTER_TURN, Statistic
from branchline.batch.warm import for_bots
from branchline.boards import Board
from branchline.bots import is_policy
from branchline.simulation.orders import RECORDS, Orders
from branchline.simulation.output import Output
from branchline.simulation.pace import Pace
from branchline.simulation.plan import Plan
from branchline.simulation.record_file import RecordFile, RecordPlayer

# games of a chunk at most: each takes three kilobytes of memory, and as much again while its columns are made
ON_CPU, ON_GPU, ONE_BY_ONE = 16_384, 262_144, 1024


class PlaysGames(Protocol):
    def play(self, games: int, seed: int, first: int = 0) -> Games: ...

    def close(self) -> None: ...


def new_player(plan: Plan, orders: Orders, output: Output) -> tuple[PlaysGames, Pace]:
    """A player, and the chunks in which it is asked for games."""
    player, most = found_player(plan, orders, output)
    return player, Pace(min(most, orders.chunk or most))


def found_player(plan: Plan, orders: Orders, output: Output) -> tuple[PlaysGames, int]:
    if isinstance(output, RecordFile):
        return RecordPlayer(plan, output.file), ONE_BY_ONE
    board, bots, statistics, options = plan.game.board, list(plan.bots), plan.statistics, plan.game.rule_options
    if gpu := gpu_player(orders.device, board, bots, statistics, options):
        return gpu, ON_GPU
    return Player(board, bots, orders.threads, statistics, options), ON_CPU


def needs(plan: Plan, orders: Orders) -> tuple[str, ...]:
    """What is to be compiled for the CPU (`batch/warm.py`): nothing if a GPU plays, no whole games if they are made around the user's own bots."""
    if orders.ending == RECORDS:
        return ("counts", "matches")
    if orders.device == "cuda" or (orders.device == "auto" and has_gpu()):
        return ()
    return for_bots(plan.bots) if brings_own(plan) else ("games",)


def brings_own(plan: Plan) -> bool:
    """Are games compiled again around the user's own bots or statistics?"""
    return not all(map(is_policy, plan.bots)) or any(one.form == AFTER_TURN for one in plan.statistics)


def has_gpu() -> bool:
    from branchline.cuda import NoGpuError, load_cuda

    try:
        load_cuda()
    except NoGpuError:
        return False
    return True


def gpu_player(device: str, board: Board, bots: list[str], statistics: Sequence[Statistic] = (), options: int = 0) -> Any:
    """None for the CPU, or if there is no GPU and `auto` uses the CPU instead."""
    if device == "cpu":
        return None
    from branchline.cuda import GpuPlayer, NoGpuError

    try:
        player = GpuPlayer(board, bots, statistics=statistics, options=options)
    except NoGpuError:
        if device == "auto":
            return None
        raise
    player.prepare()
    return player
