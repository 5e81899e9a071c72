"""The pictures of an arena's page: bars with intervals, histograms, the matrix, the ratings. Boxes and curves only; every text stays text."""

from __future__ import annotations

from html import escape

from branchline.arena.figures import LineupFigures, Results
from branchline.arena.ratings import Rating
from branchline.arena.tables import interval, percent
from branchline.pages.intervals import Estimate

COLOURS = 8  # in page.css


class Palette:
    """A colour for each bot, the same all over the page."""

    def __init__(self, bots: tuple[str, ...]) -> None:
        self._number = {bot: number for number, bot in enumerate(bots)}

    def style(self, bot: str) -> str:
        return f"--own: var(--c{self._number[bot] % COLOURS})"

    def name(self, bot: str, seats: int = 1) -> str:
        many = f" <small>(each of {seats})</small>" if seats > 1 else ""
        return f'<span class="bot" style="{self.style(bot)}"><span>{escape(bot)}{many}</span></span>'


def minus(number: str) -> str:
    """A number with a real minus sign."""
    return number.replace("-", "−")


def win_bar(palette: Palette, bot: str, seats: int, win_rate: Estimate, chance: float) -> str:
    """A share of victories, its interval as a whisker, and what chance alone would give as a dotted line."""
    whisker = ""
    if win_rate.low is not None and win_rate.high is not None:
        whisker = f'<div class="whisker" style="left: {100 * win_rate.low:.2f}%; width: {100 * (win_rate.high - win_rate.low):.2f}%"></div>'
    return (
        f'<div class="bar" style="{palette.style(bot)}">{palette.name(bot, seats)}'
        f'<span class="number">{percent(win_rate.mean)} <small>{interval(win_rate)}</small></span>'
        f'<div class="track"><div class="fill" style="width: {100 * win_rate.mean:.2f}%"></div>'
        f'<div class="chance" style="left: {100 * chance:.2f}%"></div>{whisker}</div></div>'
    )


def histogram(palette: Palette, figures: LineupFigures) -> str:
    """How points are spread, one curve of steps for each bot, over another."""
    used = [bar for bar in range(len(figures.bots[0].histogram)) if any(row.histogram[bar] for row in figures.bots)]
    first, last = used[0], used[-1]
    top = max(count / sum(row.histogram) for row in figures.bots for count in row.histogram)
    curves = "".join(
        steps([count / sum(row.histogram) / top for count in row.histogram[first : last + 1]], palette.style(row.bot)) for row in figures.bots
    )
    least, most = figures.first_step + first * figures.step, figures.first_step + (last + 1) * figures.step
    described = ", ".join(f"{escape(row.bot)} {row.points.mean:.0f} on average" for row in figures.bots)
    return (
        f'<figure><svg viewBox="0 0 {last - first + 1} 1" preserveAspectRatio="none" role="img" aria-label="Points: {described}">{curves}</svg>'
        f"<figcaption><span>{minus(str(least))}</span><span>points</span><span>{minus(str(most))}</span></figcaption></figure>"
    )


def steps(heights: list[float], style: str) -> str:
    path = "M0 1" + "".join(f"V{1 - 0.96 * height:.4f}H{place + 1}" for place, height in enumerate(heights)) + "V1Z"
    return f'<path d="{path}" class="steps" style="{style}" vector-effect="non-scaling-stroke"/>'


def matrix(palette: Palette, results: Results) -> str:
    bots = [bot for bot in results.arena["bots"] if results.ahead[bot]]
    head = "".join(f'<th scope="col">{palette.name(bot)}</th>' for bot in bots)
    rows = "".join(f'<tr><th scope="row">{palette.name(bot)}</th>{"".join(cell(results, bot, other) for other in bots)}</tr>' for bot in bots)
    return f'<div class="scroll"><table class="matrix"><tr><th></th>{head}</tr>{rows}</table></div>'


def cell(results: Results, bot: str, other: str) -> str:
    """The further from even, the stronger the colour."""
    share = results.ahead[bot].get(other)
    if share is None:
        return "<td>–</td>" if bot != other else "<td></td>"
    colour = f"rgb(var(--{'good' if share.mean >= 0.5 else 'bad'}) / {0.08 + 0.8 * abs(share.mean - 0.5):.2f})"
    return f'<td style="background: {colour}">{percent(share.mean)}<small>{interval(share)}</small></td>'


def ratings(palette: Palette, rated: list[Rating]) -> str:
    """Each rating as a dot, with two sigmas to each side."""
    least, most = min(one.mu - 2 * one.sigma for one in rated), max(one.mu + 2 * one.sigma for one in rated)
    return "".join(rating_line(palette, one, least, most - least) for one in rated)


def rating_line(palette: Palette, one: Rating, least: float, width: float) -> str:
    left, at = 100 * (one.mu - 2 * one.sigma - least) / width, 100 * (one.mu - least) / width
    return (
        f'<div class="bar" style="{palette.style(one.bot)}">{palette.name(one.bot)}'
        f'<span class="number">{minus(f"{one.ordinal:.1f}")} <small>{minus(f"{one.mu:.1f}")} ± {one.sigma:.1f}</small></span>'
        f'<div class="track"><div class="spread" style="left: {left:.2f}%; width: {400 * one.sigma / width:.2f}%"></div>'
        f'<div class="dot" style="left: {at:.2f}%"></div></div></div>'
    )
