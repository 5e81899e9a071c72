"""`branchline simulate`: many games between bots, with a summary and, if wanted, their tables or records."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from shlex import quote

from rich.console import Console

from branchline.boards.folders import board_folder, is_packed
from branchline.simulation.orders import RECORDS, Orders, check_orders
from branchline.simulation.output import Output
from branchline.simulation.plan import Plan
from branchline.simulation.players import brings_own, new_player
from branchline.simulation.record_file import RecordFile
from branchline.simulation.running import Crew, Here, play_rest
from branchline.simulation.summary import Summary

GO_ON = "Continue with the same command and --resume"

Say = Callable[[str], None]


def simulate(plan: Plan, orders: Orders, console: Console | None = None) -> Summary:
    """Play the games that are not done yet. If interrupted, keep and sum up what is done; if interrupted again, only keep it."""
    console = console or Console(quiet=True)

    def say(text: str) -> None:
        console.print(text, highlight=False, markup=False, soft_wrap=True)

    check_orders(plan, orders)
    output, summary = new_output(plan, orders, say), Summary(plan)
    try:
        take_up(output, summary, orders, say)
        crew = found_crew(plan, orders, output, console)
        before, started = (summary.games, summary.decisions), time.perf_counter()
        with closing(crew):
            play_rest(plan, orders.games, output, crew, summary, console)
    except KeyboardInterrupt:
        if orders.out:
            say(f"Stopped immediately; only the games in progress are lost. {GO_ON}")
        raise
    finally:
        output.close()
    seconds = time.perf_counter() - started
    tell_end(plan, output, orders, say)
    summary.stopped = output.done < orders.games
    if 0 < summary.games < output.done:
        say("The table only shows the games played now.")
    if summary.games:
        console.print(summary.table())
    if added := summary.added_table():
        console.print(added)
    tell_speed(summary.games - before[0], summary.decisions - before[1], seconds, say)
    return summary


def new_output(plan: Plan, orders: Orders, say: Say) -> Output:
    if orders.out is None:
        return Output()
    if orders.ending == RECORDS:
        return RecordFile(plan, orders.out, orders.resume, orders.force, say)
    from branchline.simulation.table_folders import TableFolders  # polars is there: `check_orders`

    return TableFolders(plan, orders.out, orders, say)


def found_crew(plan: Plan, orders: Orders, output: Output, console: Console) -> Crew:
    try:
        with console.status(waiting_for(plan, orders)):
            return hired(plan, orders, output)
    except BaseException:
        output.give_up()
        raise


def hired(plan: Plan, orders: Orders, output: Output) -> Crew:
    if orders.cluster is None:
        return Here(plan, output, *new_player(plan, orders, output))
    from branchline.simulation.on_cluster import OnCluster

    return OnCluster(plan, orders, output)


def take_up(output: Output, summary: Summary, orders: Orders, say: Say) -> None:
    if output.done:
        say(f"{orders.out} has {output.done:,} games already.")
        output.sum_up(summary)


def waiting_for(plan: Plan, orders: Orders) -> str:
    """Whole games are compiled again around a user's own bots, and around statistics that look at every turn."""
    if orders.cluster is not None:
        return "Starting the cluster …" if orders.cluster.startswith("local") else f"Waiting for workers at {orders.cluster} …"
    if orders.device != "cpu":
        return "Building a kernel for the GPU (a minute or two, the first time) …"
    if brings_own(plan):
        return "Compiling your own bots and statistics (about 20 seconds) …"
    return "Compiling your statistics …" if plan.statistics else "Starting …"


def tell_end(plan: Plan, output: Output, orders: Orders, say: Say) -> None:
    if output.done < orders.games:
        kept = f"; what is done is kept in {orders.out}. {GO_ON}" if orders.out else ""
        say(f"Stopped after {output.done:,} games{kept}")
    elif output.files:
        say(f"{output.done:,} games are in {', '.join(map(str, output.files))}.")
        if orders.ending != RECORDS and not is_packed(board := plan.game.board.game):
            say(f"See what they say: branchline report {quote(str(orders.out))} --boards {quote(str(board_folder(board)))}")


def tell_speed(games: int, decisions: int, seconds: float, say: Say) -> None:
    if games:
        say(f"{decisions:,} decisions in {seconds:.1f} s: {decisions / seconds:,.0f} decisions/s, {games / seconds:,.0f} games/s")
