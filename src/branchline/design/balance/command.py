"""`branchline board balance`: search, then check on games that the search has not seen, and write the board."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from branchline.boards.model import Board
from branchline.design.balance.allowed import BalanceError, Knob
from branchline.design.balance.goals import Goal, estimate, gain, verdict
from branchline.design.balance.searching import Progress, Search
from branchline.design.balance.trials import Changes, Setting, Trial
from branchline.design.balance.writing import write_board
from branchline.design.editor.packing import belongs
from branchline.pages.numbers import decimal, percent
from branchline.simulation.pace import Stop

FRESH = 1_000_003  # added to the seed for games that the search has not seen
FILE = "balance.json"  # what was changed and gained, beside the new board
VERDICTS = {
    "reached": "The goal is reached.",
    "not shown": "Whether the goal is reached is not shown: the limit lies within the interval. More games (--check) make it narrower.",
    "missed": "The goal is missed.",
}


@dataclass(frozen=True)
class Orders:
    """Where to write, how long to search, and how many fresh games to check with."""

    out: Path
    seconds: float
    check: int
    force: bool = False


def balance(console: Console, setting: Setting, knobs: list[Knob], orders: Orders) -> dict[str, Any]:
    """Search, check, write; returns what was changed and gained. Ctrl-C ends the search with the best so far."""
    check_target(orders, setting.source)
    search, stopped = Search(setting, knobs), False
    with Stop() as stop, console.status("Playing the board as it is …") as status:
        for progress in search.run(orders.seconds):
            status.update(said(progress, setting.goals))
            if stop.asked:
                stopped = True
                break
        status.update(f"Checking on {orders.check:,} other games with each number of players …")
        found = searched(search) | checked(setting, search.best.changes, orders.check) | {"stopped": stopped}
    tell(console, found)
    if search.best.changes:
        write(setting, search.best.changes, found, orders)
        console.print(f"Written: {orders.out}", highlight=False, markup=False, soft_wrap=True)
    return found


def check_target(orders: Orders, source: Path) -> None:
    """Whatever --force replaces must be a board and nothing else, and neither the board itself nor around it nor within it."""
    out, board = orders.out.resolve(), source.resolve()
    if out == board:
        raise BalanceError(f"{orders.out} is the board itself: name another folder")
    if out.is_relative_to(board) or board.is_relative_to(out):
        where = "lies in the folder of the board" if out.is_relative_to(board) else "holds the folder of the board"
        raise BalanceError(f"{orders.out} {where}: name a folder beside it")
    if out.exists() and not out.is_dir():
        raise BalanceError(f"{orders.out} is a file: name a folder")
    inside = sorted(one.relative_to(out).as_posix() for one in out.rglob("*") if not one.is_dir()) if out.is_dir() else []
    if inside and not orders.force:
        raise BalanceError(f"{orders.out} is not empty: name another folder, or use --force to replace the board in it")
    for name in inside:
        if not belongs(name):
            raise BalanceError(f"{orders.out} holds {name}, which is not part of a board and would be lost: name another folder")


def said(progress: Progress, goals: tuple[Goal, ...]) -> str:
    """One line about how far the search is."""
    measures = ", ".join(f"{goal.name} {shown(goal, progress.measures[goal.name])} (limit {shown(goal, goal.limit)})" for goal in goals)
    return f"Tried {progress.tried}, kept {progress.kept}, {progress.games:,} games, {progress.seconds:.0f} s: {measures}"


def shown(goal: Goal, value: float) -> str:
    return decimal(value, 2) if goal.name == "tickets" else percent(value)


def searched(search: Search) -> dict[str, Any]:
    """What the search did, and what it found."""
    setting = search.setting
    return {
        "game": setting.board.game,
        "seed": setting.seed,
        "players": list(setting.players),
        "tried": search.tried,
        "kept": search.kept,
        "seconds": round(search.progress().seconds, 1),
        "games": search.games,
        "changes": [
            {"kind": knob.kind, "subject": knob.subject, "before": knob.now, "after": value}
            for knob, value in sorted(search.best.changes.items(), key=lambda one: (one[0].kind, one[0].subject))
        ],
    }


def checked(setting: Setting, changes: Changes, games: int) -> dict[str, Any]:
    """Both boards on deals that the search has not seen."""
    fresh = replace(setting, rungs=(games,))
    before, after = (Trial(fresh, made, setting.seed + FRESH) for made in ({}, changes))
    goals = [told_goal(goal, before, after) for goal in setting.goals]
    return {"goals": goals, "games_of_the_check": before.games + after.games}


def told_goal(goal: Goal, before: Trial, after: Trial) -> dict[str, Any]:
    """The measure of both, and how much smaller it has become, each with its interval."""
    smaller = gain((replace(goal, limit=1.0),), before.on(0), after.on(0))
    return {
        "goal": goal.name,
        "said": goal.said,
        "limit": goal.limit,
        "before": estimate(goal, before.on(0)).at(),
        "after": estimate(goal, after.on(0)).at(),
        "gained": smaller.at(),
        "verdict": verdict(goal, estimate(goal, after.on(0))),
    }


def write(setting: Setting, changes: Changes, found: dict[str, Any], orders: Orders) -> None:
    """Write everything into a new folder beside the target, and put that in its place at the very end: a crash leaves the target as it was."""
    check_target(orders, setting.source)  # again: the search took a while
    out = orders.out.resolve()
    out.parent.mkdir(parents=True, exist_ok=True)
    game = re.sub(r"[^a-z0-9]+", "-", out.name.lower()).strip("-")
    with tempfile.TemporaryDirectory(prefix=f".{out.name}-", dir=out.parent) as beside:
        new = Path(beside) / out.name
        write_board(setting.source, new, setting.board, changes, game, f"{setting.board.name} ({game})")
        (new / FILE).write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        swap(new, out, out.with_name(f"{Path(beside).name}-before"))


def swap(new: Path, out: Path, old: Path) -> None:
    """Put a folder in the place of another, which goes only when the new one is there."""
    if out.exists():
        out.rename(old)
    try:
        new.rename(out)
    except OSError:
        if old.exists():
            old.rename(out)
        raise
    shutil.rmtree(old, ignore_errors=True)


def tell(console: Console, found: dict[str, Any]) -> None:
    def say(text: str) -> None:
        console.print(text, highlight=False, markup=False, soft_wrap=True)

    say(f"Tried {found['tried']} variants on {found['games']:,} games in {found['seconds']:.0f} s, and kept {found['kept']}.")
    for one in found["changes"]:
        say(f"  {one['kind']} {one['subject']}: {one['before']} → {one['after']}")
    if not found["changes"]:
        say("Nothing allowed is better beyond chance: allow more, or search longer.")
    say(f"On {found['games_of_the_check']:,} games that the search has not seen, with 95 % intervals:")
    for one in found["goals"]:
        say(f"  {one['said']}: {span(one, 'before')} before, {span(one, 'after')} after, {span(one, 'gained')} less. {VERDICTS[one['verdict']]}")


def span(one: dict[str, Any], name: str) -> str:
    form = (lambda value: decimal(value, 2)) if one["goal"] == "tickets" else percent
    return f"{form(one[name]['value'])} ({form(one[name]['low'])} to {form(one[name]['high'])})"


def source_of(board: Board) -> Path:
    """The folder of a board that is known by name or path."""
    from branchline.boards.folders import board_folder

    return Path(str(board_folder(board.game)))
