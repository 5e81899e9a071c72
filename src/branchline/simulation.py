"""`branchline simulate`: many games between bots, with a summary and, if wanted, their records."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from branchline.bots import BotError, check_bot
from branchline.errors import GameOptionError
from branchline.games import Game, State
from branchline.matches import Match
from branchline.records import Record


def seat_bots(bots: str, players: int) -> list[str]:
    """One bot a seat from a list such as `greedy,random`; a single one sits everywhere."""
    names = [name.strip() for name in bots.split(",")]
    for name in names:
        check_bot(name)
    if len(names) not in (1, players):
        raise BotError(f"{len(names)} bots for {players} seats: name one for all seats, or one for each")
    return names * players if len(names) == 1 else names


def game_seeds(seed: int, games: int) -> Iterator[int]:
    """Game i of a seed has the key (seed, i)."""
    if not 0 <= seed < 1 << 64:
        raise GameOptionError("the seed must be from 0 to 2**64 - 1")
    return ((seed << 64) + i for i in range(games))


class Summary:
    """What became of the seats."""

    def __init__(self, bots: list[str]) -> None:
        self.bots = bots
        self.games = self.decisions = self.turns = 0
        self.wins = [0.0] * len(bots)
        self.totals = [0] * len(bots)
        self.completed, self.failed = [0] * len(bots), [0] * len(bots)

    def add(self, state: State, result: dict[str, Any]) -> None:
        self.games += 1
        self.decisions += len(state.history)
        self.turns += int(state.record.turn)
        for seat in result["winners"]:
            self.wins[seat] += 1 / len(result["winners"])
        for seat, score in enumerate(result["scores"]):
            self.totals[seat] += score["total"]
            self.completed[seat] += len(score["completed"])
            self.failed[seat] += len(score["failed"])

    def table(self) -> Table:
        table = Table(title=f"{self.games} games, {self.turns / max(self.games, 1):.1f} turns a game")
        for heading in ("seat", "bot", "won", "points", "tickets completed", "failed"):
            table.add_column(heading, justify="left" if heading == "bot" else "right")
        for seat, bot in enumerate(self.bots):
            games = max(self.games, 1)
            share, points = f"{100 * self.wins[seat] / games:.1f} %", f"{self.totals[seat] / games:.1f}"
            table.add_row(str(seat), bot, share, points, f"{self.completed[seat] / games:.2f}", f"{self.failed[seat] / games:.2f}")
        return table


def simulate(console: Console, game: Game, games: int, seed: int, bots: str, out: Path | None) -> Summary:
    """Play the games. Interrupted, it keeps and sums up what is done."""
    names = seat_bots(bots, game.players)
    seeds = game_seeds(seed, games)
    match, summary = Match(game, names), Summary(names)
    started = time.perf_counter()
    with ExitStack() as stack:
        file = stack.enter_context(out.open("w", encoding="utf-8")) if out else None
        progress = stack.enter_context(progress_bar(console))
        task = progress.add_task(f"{game.board.name}, {game.players} seats", total=games)
        try:
            for number in seeds:
                play_one(match, number, summary, file)
                progress.advance(task)
        except KeyboardInterrupt:
            console.print(f"Stopped after {summary.games} games; what is done is kept.")
    seconds = time.perf_counter() - started
    console.print(summary.table())
    console.print(
        f"{summary.decisions} decisions in {seconds:.1f} s: {summary.decisions / seconds:,.0f} decisions/s, {summary.games / seconds:,.0f} games/s"
    )
    return summary


def play_one(match: Match, seed: int, summary: Summary, file: IO[str] | None) -> None:
    state = match.play(seed)
    if file is None:
        summary.add(state, state.result)
        return
    seats = [{"name": f"{name} {seat}", "player": f"bot:{name}"} for seat, name in enumerate(match.bots)]
    record = Record.of(state, seats)
    file.write(record.to_json() + "\n")
    summary.add(state, record.result)


def progress_bar(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True)
