"""The results of an arena as a self-contained page: no scripts, no external files, light and dark, wide and narrow."""

from __future__ import annotations

from html import escape
from itertools import groupby
from pathlib import Path

from branchline.arena.figures import BotFigures, LineupFigures, Results
from branchline.arena.tables import fault_counts
from branchline.boards import load_board
from branchline.bots.verdicts import in_seconds
from branchline.pages.document import document
from branchline.pages.html_parts import card, colour, facts, matrix, row, section, swatch, table, tiles
from branchline.pages.intervals import Estimate
from branchline.pages.lines import Line, bars, curves, lines
from branchline.pages.numbers import decimal, give_or_take, percent, span, whole
from branchline.words.plurals import called, counted

HEADINGS = ("", "points", "margin", "tickets done", "failed", "decision")


def write_page(results: Results, path: Path) -> None:
    path.write_text(page(results), encoding="utf-8")


def page(results: Results) -> str:
    bots = Bots(results)
    parts = [row(ratings(bots, results), pairings(bots, results)), lineups(bots, results), method(results)]
    if not results.lineups:
        parts = ['<p class="empty">No seed has been played with all rotations of the seats: there is nothing to show yet.</p>']
    return document("Arena: " + ", ".join(results.arena["bots"]), "Arena", opening(results) + "\n".join(parts))


class Bots:
    """A colour for each bot, the same all over the page."""

    def __init__(self, results: Results) -> None:
        self.colours = {bot: colour(number) for number, bot in enumerate(results.arena["bots"])}
        self.swatches = {bot: swatch(bot, own) for bot, own in self.colours.items()}

    def name(self, bot: str, seats: int) -> str:
        return self.swatches[bot] if seats == 1 else f"<span>{self.swatches[bot]} <small>(each of {seats})</small></span>"


def opening(results: Results) -> str:
    arena = results.arena
    numbers = [
        (whole(results.games), called(results.games, "games"), f"with seed {arena['seed']}"),
        (str(len(arena["bots"])), "bots", ""),
        (str(arena["players"]), "seats at a table", ""),
        (
            str(len(arena["games"])),
            called(len(arena["games"]), "boards"),
            escape(", ".join(load_board(name).name for name in arena["games"])),
        ),
    ]
    about = "Bots against bots: every bot plays every seat with the same cards."
    return f'<div class="top"><h1>Arena</h1><p class="facts-line">{about}</p>{tiles(numbers)}</div>'


def ratings(bots: Bots, results: Results) -> str:
    drawn = [
        Line(
            bots.swatches[one.bot],
            f"{decimal(one.ordinal)} <small>{decimal(one.mu)} ± {decimal(one.sigma)}</small>",
            bots.colours[one.bot],
            one.mu,
            one.mu - 2 * one.sigma,
            one.mu + 2 * one.sigma,
        )
        for one in results.ratings
    ]
    least, most = (limit(one.mu + side * 2 * one.sigma for one in results.ratings) for limit, side in ((min, -1), (max, 1)))
    about = "Plackett–Luce over all games. The large number is a cautious lower bound (mu minus three sigmas); the bar is two sigmas to each side."
    return section("ratings", "Ratings", card(lines(drawn, least, most)), about)


def pairings(bots: Bots, results: Results) -> str:
    there = [bot for bot in results.arena["bots"] if results.ahead[bot]]
    about = "How often a row’s bot finishes ahead of a column’s when both sit at a table; a tie counts half."
    return section("pairs", "Who finishes ahead of whom", card(matrix(there, bots.swatches, lambda bot, other: ahead(results, bot, other))), about)


def ahead(results: Results, bot: str, other: str) -> tuple[float, str] | None:
    share = results.ahead[bot].get(other)
    return None if share is None else (share.mean, f"<b>{percent(share.mean)}</b><small>{span(share.low, share.high)}</small>")


def lineups(bots: Bots, results: Results) -> str:
    about = "Shares of victories with 95 % intervals; the dotted line is what chance alone would give. Below, how points are spread."
    parts = []
    for name, group in groupby(results.lineups, key=lambda one: one.game):
        parts.append(f"<h3>{escape(load_board(name).name)}</h3>" + row(*(lineup(bots, one) for one in group)))
    return section("lineups", "Line-ups", "\n".join(parts), about)


def lineup(bots: Bots, figures: LineupFigures) -> str:
    shares = [won(bots, one) for one in figures.bots]
    faults = "".join(f'<p class="warning">Faults of {escape(one.bot)}: {escape(fault_counts(one))}</p>' for one in figures.bots if one.faults)
    numbers = table(HEADINGS, [figures_row(bots, one) for one in figures.bots])
    about = f"{counted(figures.games, 'games')} of {counted(figures.seeds, 'seeds')}, {whole(figures.turns)} turns"
    return card(bars(shares, 1 / len(figures.lineup)) + histogram(bots, figures) + numbers + faults, " · ".join(figures.lineup), about)


def won(bots: Bots, one: BotFigures) -> Line:
    label = f"{percent(one.win_rate.mean)} <small>{span(one.win_rate.low, one.win_rate.high)}</small>"
    return Line(bots.name(one.bot, one.seats), label, bots.colours[one.bot], one.win_rate.mean, one.win_rate.low, one.win_rate.high)


def histogram(bots: Bots, figures: LineupFigures) -> str:
    """How points are spread: one stepped curve per bot, drawn over each other."""
    used = [bar for bar in range(len(figures.bots[0].histogram)) if any(one.histogram[bar] for one in figures.bots)]
    first, last = used[0], used[-1] + 1
    shares = [(bots.colours[one.bot], [count / sum(one.histogram) for count in one.histogram[first:last]]) for one in figures.bots]
    least, most = (whole(figures.first_step + bar * figures.step) for bar in (first, last))
    described = "Points: " + ", ".join(f"{one.bot} {whole(one.points.mean)} on average" for one in figures.bots)
    return curves(shares, (least, "points", most), described)


def figures_row(bots: Bots, one: BotFigures) -> list[str]:
    seconds = "–" if one.seconds is None else in_seconds(one.seconds)
    tickets = [decimal(one.completed, 2), decimal(one.failed, 2)]
    return [bots.swatches[one.bot], with_spread(one.points), with_spread(one.margin, signed=True), *tickets, seconds]


def with_spread(estimate: Estimate, signed: bool = False) -> str:
    number, spread = give_or_take(estimate, signed)
    return f"{number} <small>{spread}</small>" if spread else number


def method(results: Results) -> str:
    arena = results.arena
    told = {
        "line-ups": "; ".join(", ".join(lineup) for lineup in arena["lineups"]),
        "seed": str(arena["seed"]),
        "limit for a decision": "none" if arena["limit"] is None else f"{arena['limit']:g} s, for bots that are not compiled policies",
        "Branchline": f"{arena['branchline']}, rules and compiled bots {arena['code']}",
        "left out": f"{counted(results.left_out, 'games')} of seeds that have not yet been played with all rotations of the seats",
    }
    about = (
        "For every seed, each line-up was played with all rotations of the seats and the same cards in the same order. "
        "The games of a seed belong together, so intervals are Student’s t over seeds; where all seeds agree, Wilson’s over games. "
        "A margin is the points ahead of the best other seat. Shared victories are split. Times are wall-clock times on this machine; "
        "for compiled policies, they are measured on every fiftieth seed."
    )
    return section("method", "How it was measured", card(facts(told)), about)
