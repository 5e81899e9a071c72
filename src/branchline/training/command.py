"""`branchline train`: run what the command line asks for, with a live table and a page of curves."""

from __future__ import annotations

from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.table import Table

from branchline.bots.networks import CHANCES, LEARNED
from branchline.cluster import open_cluster
from branchline.pages.numbers import percent, span
from branchline.training.chances import Chances, Fit, calibration
from branchline.training.checkpoints import FILE, load
from branchline.training.exporting import export
from branchline.training.measuring import Exam
from branchline.training.mixed import gather_all
from branchline.training.page import FILE as PAGE
from branchline.training.page import read_log, write_page
from branchline.training.running import LOG, Run
from branchline.training.settings import Settings

PHASES = {"clone": "imitating planner", "distil": "imitating the teacher", "ppo": "playing against itself"}
SHOWN = 12  # lines of the table


def train(
    console: Console, settings: Settings, folder: Path, exam: Exam, start: Path | None, teacher: Path | None, every: float, address: str | None = None
) -> Path:
    """Train until the time is up or Ctrl-C, with actors on a cluster if there is an address; returns the network's file."""
    shown = LiveTable(console)
    with closing(open_cluster(address)) if address else nullcontext() as cluster:
        run = Run(settings, folder, exam, start, teacher, shown.tell, cluster)
        try:
            with shown.live:
                run.train(every)
        finally:
            write_page(read_log(folder / LOG), settings.shown(), folder / PAGE)
            run.close()
    return export_run(folder)


def export_run(folder: Path, path: Path | None = None) -> Path:
    """The network of a run's last checkpoint as a file that `learned` plays."""
    saved = load(folder / FILE)
    to = path or folder / LEARNED
    export(saved, to)
    return to


def train_chances(console: Console, game: str, players: tuple[int, ...], folder: Path, fit: Fit, games: int, seed: int) -> Path:
    """Learn win chances from games between bots of several kinds, and show how well calibrated they are in other such games."""
    folder.mkdir(parents=True, exist_ok=True)
    slots = max(8, min(512, games // 8))
    with console.status("Playing …"):
        positions = gather_all(game, players, slots, -(-games // slots), seed)
    with console.status(f"Learning from {len(positions.rows):,} positions …"):
        told = Chances(game, positions, fit)
        told.learn(positions)
    told.export(positions, folder / CHANCES, players)
    for number in players:
        fresh = gather_all(game, (number,), slots, -(-games // slots // 2), seed + 1000)
        console.print(calibration_table(calibration(told.of(fresh.rows), fresh.shares, number), number))
    return folder / CHANCES


def calibration_table(bins: list[dict[str, float]], players: int) -> Table:
    table = Table("positions", "chance", "came of it", title=f"{players} seats")
    for one in bins:
        table.add_row(f"{one['positions']:,}", percent(one["said"]), percent(one["came"]))
    return table


class LiveTable:
    """The last iterations of each phase, and what was measured last."""

    def __init__(self, console: Console) -> None:
        self.console, self.lines, self.measured = console, list[dict[str, Any]](), dict[tuple[str, int], dict[str, Any]]()
        self.live: Any = Live(console=console, refresh_per_second=2) if console.is_terminal else nullcontext()

    def tell(self, line: dict[str, Any]) -> None:
        if line["what"] == "measured":
            self.measured[line["against"], line["players"]] = line
        else:
            self.lines.append(line)
        if self.console.is_terminal:
            self.live.update(self.table())
        elif line["what"] == "measured" or len(self.lines) == 1 or line["what"] == "clone":
            self.console.print(in_words(line), highlight=False, markup=False, soft_wrap=True)

    def table(self) -> Table:
        table = Table("seconds", "", "policy loss", "value error", "entropy or labels met", "decisions/s", caption=self.caption())
        for line in self.lines[-SHOWN:]:
            speed = f"{line['speed']:,.0f}" if "speed" in line else ""
            table.add_row(
                f"{line['at']:.1f}", PHASES[line["what"]], f"{line['policy']:.4f}", f"{line.get('value', 0):.4f}", f"{line['noted']:.3f}", speed
            )
        return table

    def caption(self) -> str:
        return "\n".join(in_words(line) for line in self.measured.values())


def in_words(line: dict[str, Any]) -> str:
    if line["what"] != "measured":
        return f"{line['at']:8.1f} s  {PHASES[line['what']]}"
    wins = f"wins {percent(line['share'])} ({span(line['low'], line['high'])}) against {line['against']}"
    return f"{line['measured_at']:8.1f} s  {wins}, {line['players']} seats, {line['games']:,} games"
