"""Charts that need no script: estimates on lines with their intervals, and stepped curves. Boxes and curves only; all text stays text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Line:
    """An estimate to be drawn: its name and what is written beside it, both HTML; where it is, and its interval."""

    name: str
    label: str
    colour: str
    at: float
    low: float | None = None
    high: float | None = None


def lines(drawn: Sequence[Line], least: float, most: float, fair: float | None = None) -> str:
    """Dots with their intervals, on a scale from `least` to `most`; `fair` is marked by a dotted line."""
    width = (most - least) or 1.0

    def place(value: float) -> float:
        return 100 * (value - least) / width

    return "".join(line(one, spread(one, place) + f'<div class="dot" style="left: {place(one.at):.2f}%"></div>' + mark(fair, place)) for one in drawn)


def bars(drawn: Sequence[Line], fair: float) -> str:
    """Shares as bars from none to all, with their intervals as whiskers."""

    def place(value: float) -> float:
        return 100 * value

    return "".join(
        line(one, f'<div class="fill" style="width: {place(one.at):.2f}%"></div>' + mark(fair, place) + spread(one, place, "whisker"))
        for one in drawn
    )


def line(one: Line, marks: str) -> str:
    return f'<div class="line" style="--own: {one.colour}">{one.name}<b>{one.label}</b><div class="track">{marks}</div></div>'


def spread(one: Line, place: Callable[[float], float], kind: str = "spread") -> str:
    if one.low is None or one.high is None:
        return ""
    return f'<div class="{kind}" style="left: {place(one.low):.2f}%; width: {place(one.high) - place(one.low):.2f}%"></div>'


def mark(fair: float | None, place: Callable[[float], float]) -> str:
    return "" if fair is None else f'<div class="fair" style="left: {place(fair):.2f}%"></div>'


def curves(shares: Sequence[tuple[str, Sequence[float]]], ends: tuple[str, str, str], described: str) -> str:
    """How something is spread: for each colour the heights of its steps; `ends` are written below, at the left, in the middle and at the right."""
    top = max(height for _, heights in shares for height in heights) or 1.0
    number = len(shares[0][1])
    drawn = "".join(curve([height / top for height in heights], colour) for colour, heights in shares)
    below = "".join(f"<span>{text}</span>" for text in ends)
    return (
        f'<figure><svg viewBox="0 0 {number} 1" preserveAspectRatio="none" role="img" aria-label="{escape(described)}">{drawn}</svg>'
        f"<figcaption>{below}</figcaption></figure>"
    )


def curve(heights: Sequence[float], colour: str) -> str:
    path = "M0 1" + "".join(f"V{1 - 0.96 * height:.4f}H{place + 1}" for place, height in enumerate(heights)) + "V1Z"
    return f'<path d="{path}" class="curve" style="--own: {colour}" vector-effect="non-scaling-stroke"/>'
