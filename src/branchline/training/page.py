"""A run as a page: curves of wins against fixed opponents, entropy, value error and speed; no scripts, no external files."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any

from branchline.boards import load_board
from branchline.pages.document import document
from branchline.pages.html_parts import card, colour, facts, legend, row, section, table, tiles
from branchline.pages.numbers import decimal, percent, span, whole

FILE = "curves.html"
POINTS = 200  # of a curve: more are averaged
Points = list[tuple[float, float]]


def read_log(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.is_file() else []


def write_page(log: list[dict[str, Any]], settings: dict[str, Any], path: Path) -> None:
    path.write_text(page(log, settings), encoding="utf-8")


def page(log: list[dict[str, Any]], settings: dict[str, Any]) -> str:
    played = [line for line in log if line["what"] == "ppo"]
    measured = [line for line in log if line["what"] == "measured"]
    title = f"Training: {load_board(settings['game']).name}"
    parts = [
        strength(measured),
        progress(played),
        section("settings", "Settings", card(facts({name: str(value) for name, value in settings.items()}))),
    ]
    if not played:
        parts = ['<p class="empty">Nothing has been played yet.</p>']
    return document(title, "Training", opening(title, played) + "\n".join(parts), STYLE)


def opening(title: str, played: list[dict[str, Any]]) -> str:
    last = played[-1] if played else {"at": 0.0, "iteration": 0, "decisions": 0}
    numbers = [
        (whole(last["at"]), "seconds", ""),
        (whole(last["iteration"]), "iterations", ""),
        (whole(last["decisions"] / 1e6), "million decisions", ""),
    ]
    return f'<div class="top"><h1>{escape(title)}</h1>{tiles(numbers)}</div>'


def strength(measured: list[dict[str, Any]]) -> str:
    """Wins against each opponent with each number of seats, in the course of the run."""
    kinds = sorted({(line["players"], line["against"]) for line in measured})
    names = [f"{against}, {players} seats" for players, against in kinds]
    drawn = [
        ([(line["measured_at"], line["share"]) for line in measured if (line["players"], line["against"]) == kind], colour(number))
        for number, kind in enumerate(kinds)
    ]
    lines = [
        [escape(name), percent(last["share"]), span(last["low"], last["high"]), whole(last["games"])]
        for name, kind in zip(names, kinds, strict=True)
        for last in [[line for line in measured if (line["players"], line["against"]) == kind][-1]]
    ]
    content = card(chart(drawn, "Share of wins", 1.0, half=True) + legend(names, [own for _, own in drawn])) + card(
        table(("", "wins", "95 %", "games"), lines)
    )
    return section(
        "strength", "Wins against fixed opponents", row(content), "One seat against that bot on all others, the same deals from every seat."
    )


def progress(played: list[dict[str, Any]]) -> str:
    wanted = (("noted", "Entropy", 2), ("value", "Value error", 4), ("speed", "Decisions per second", 0))
    cards = [curve_card([(line["at"], line[name]) for line in played], heading, digits) for name, heading, digits in wanted]
    return section("progress", "Progress", row(*cards))


def curve_card(points: Points, heading: str, digits: int) -> str:
    most = max((height for _, height in points), default=0.0)
    last = points[-1][1] if points else None
    return card(chart([(points, colour(0))], heading, most or 1.0), heading, f"{decimal(last, digits)} at the end, at most {decimal(most, digits)}")


def chart(drawn: list[tuple[Points, str]], described: str, most: float, half: bool = False) -> str:
    """Curves over the time of the run, from 0 up to `most`; with a line at half of that, if wanted."""
    middle = '<path d="M0 25.5H100" class="even"/>' if half else ""
    end = max((at for points, _ in drawn for at, _ in points), default=1.0) or 1.0
    paths = "".join(path_of(thinned(points), own, end, most) for points, own in drawn if points)
    return (
        f'<figure class="run"><svg viewBox="0 0 100 50" preserveAspectRatio="none" role="img" aria-label="{escape(described)}">'
        f"{middle}{paths}</svg><figcaption><span>0 s</span><span>{whole(end)} s</span></figcaption></figure>"
    )


def thinned(points: Points) -> Points:
    step = -(-len(points) // POINTS)
    groups = [points[first : first + step] for first in range(0, len(points), step)]
    return [(sum(at for at, _ in group) / len(group), sum(height for _, height in group) / len(group)) for group in groups]


def path_of(points: Points, own: str, end: float, most: float) -> str:
    places = [f"{100 * at / end:.2f} {50 - 49 * height / most:.2f}" for at, height in points]
    return f'<path d="M{"L".join(places)}" class="run-curve" style="--own: {own}" vector-effect="non-scaling-stroke"/>'


STYLE = """
.run svg { width: 100%; height: 12rem; overflow: visible; }
.run-curve { fill: none; stroke: var(--own); stroke-width: 2px; }
.run .even { stroke: currentColor; stroke-width: 1px; stroke-dasharray: 3 3; opacity: 0.4; fill: none; vector-effect: non-scaling-stroke; }
.run figcaption { display: flex; justify-content: space-between; }
"""
