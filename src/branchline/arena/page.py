"""The results of an arena as a page that stands alone: no script, nothing from elsewhere, light and dark, wide and narrow."""

from __future__ import annotations

from html import escape
from itertools import groupby
from pathlib import Path

from branchline.arena import charts
from branchline.arena.charts import Palette
from branchline.arena.figures import BotFigures, LineupFigures, Results
from branchline.arena.tables import fault_counts
from branchline.boards import load_board
from branchline.bots.verdicts import in_seconds
from branchline.pages.intervals import Estimate

STYLE = Path(__file__).with_name("page.css")


def write_page(results: Results, path: Path) -> None:
    path.write_text(page(results), encoding="utf-8")


def page(results: Results) -> str:
    palette = Palette(tuple(results.arena["bots"]))
    title = "Arena: " + ", ".join(results.arena["bots"])
    parts = [opening(results), over_all(palette, results), lineups(palette, results), how_it_was_taken(results)]
    if not results.lineups:
        parts = [opening(results), "<p>No seed has been played with the seats turned all round: there is nothing to show yet.</p>"]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{STYLE.read_text(encoding='utf-8')}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(parts)
        + "\n</main>\n</body>\n</html>\n"
    )


def opening(results: Results) -> str:
    arena = results.arena
    facts = {
        "games": f"{results.games:,}",
        "bots": str(len(arena["bots"])),
        "seats at a table": str(arena["players"]),
        "board" if len(arena["games"]) == 1 else "boards": ", ".join(load_board(name).name for name in arena["games"]),
    }
    numbers = "".join(f"<div><dt>{name}</dt><dd>{escape(value)}</dd></div>" for name, value in facts.items())
    return f'<h1>The arena</h1>\n<p>Bots against bots, everybody with the same cards on every seat.</p>\n<dl class="facts">{numbers}</dl>'


def over_all(palette: Palette, results: Results) -> str:
    return f'<div class="pair">{ratings(palette, results)}{pairings(palette, results)}</div>'


def ratings(palette: Palette, results: Results) -> str:
    return (
        "<section><h2>Ratings</h2>\n<p>Plackett–Luce over all games. The large number is what a bot is at least (the estimate less three sigmas); "
        f'the bar is two sigmas to each side.</p>\n<div class="card">{charts.ratings(palette, results.ratings)}</div></section>\n'
    )


def pairings(palette: Palette, results: Results) -> str:
    return (
        "<section><h2>Who finishes ahead of whom</h2>\n<p>How often a row’s bot finishes ahead of a column’s when both sit at a table; "
        f'level counts half.</p>\n<div class="card">{charts.matrix(palette, results)}</div></section>\n'
    )


def lineups(palette: Palette, results: Results) -> str:
    about = "Shares of victories with 95 % intervals; the dotted line is what chance alone would give. Below, how points are spread."
    parts = [f"<h2>Line-ups</h2>\n<p>{about}</p>"]
    for name, group in groupby(results.lineups, key=lambda one: one.game):
        cards = "\n".join(card(palette, one) for one in group)
        parts.append(f'<h3>{escape(load_board(name).name)}</h3>\n<div class="cards">\n{cards}\n</div>')
    return "\n".join(parts)


def card(palette: Palette, figures: LineupFigures) -> str:
    about = f"{figures.games:,} games of {figures.seeds:,} seeds, {figures.turns:.0f} turns"
    bars = "".join(charts.win_bar(palette, row.bot, row.seats, row.win_rate, 1 / len(figures.lineup)) for row in figures.bots)
    return (
        f'<section class="card"><header><b>{escape(" · ".join(figures.lineup))}</b><span>{about}</span></header>\n'
        f"{bars}{charts.histogram(palette, figures)}{figures_table(palette, figures)}</section>"
    )


def figures_table(palette: Palette, figures: LineupFigures) -> str:
    head = "".join(f'<th scope="col">{heading}</th>' for heading in ("", "points", "margin", "tickets done", "failed", "a decision"))
    rows = "".join("<tr>" + "".join(f"<td>{text}</td>" for text in figures_row(palette, row)) + "</tr>" for row in figures.bots)
    faults = "".join(f'<p class="warn">Faults of {escape(row.bot)}: {escape(fault_counts(row))}</p>' for row in figures.bots if row.faults)
    return f'<div class="scroll"><table><tr>{head}</tr>{rows}</table></div>{faults}'


def figures_row(palette: Palette, row: BotFigures) -> list[str]:
    seconds = "–" if row.seconds is None else in_seconds(row.seconds)
    return [palette.name(row.bot), give_or_take(row.points, ""), give_or_take(row.margin, "+"), f"{row.completed:.2f}", f"{row.failed:.2f}", seconds]


def give_or_take(estimate: Estimate, sign: str) -> str:
    number = charts.minus(f"{estimate.mean:{sign}.1f}")
    return number if estimate.high is None else f"{number} <small>± {estimate.high - estimate.mean:.1f}</small>"


def how_it_was_taken(results: Results) -> str:
    arena = results.arena
    limit = "none" if arena["limit"] is None else f"{arena['limit']:g} s, for bots that are not compiled policies"
    facts = {
        "line-ups": "; ".join(", ".join(lineup) for lineup in arena["lineups"]),
        "seed": str(arena["seed"]),
        "limit for a decision": limit,
        "Branchline": f"{arena['branchline']}, rules and compiled bots {arena['code']}",
        "left out": f"{results.left_out:,} games of seeds that are not yet played with the seats turned all round",
    }
    listed = "".join(f"<dt>{name}</dt><dd>{escape(text)}</dd>" for name, text in facts.items())
    return (
        "<h2>How it was taken</h2>\n<p>For every seed, each line-up was played with the seats turned all round and the same cards in the same order. "
        "The games of a seed belong together, so intervals are Student’s t over seeds; where all seeds agree, Wilson’s over games. "
        "A margin is the points ahead of the best other seat. Victories that are shared are split. Times are wall-clock times of this machine; "
        f'those of compiled policies are taken on every fiftieth seed.</p>\n<dl class="taken">{listed}</dl>'
    )
