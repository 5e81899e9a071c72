"""Bots against each other, and statistics that were added."""

from __future__ import annotations

from branchline.report import words
from branchline.report.drawing.groups import Groups
from branchline.report.drawing.html_parts import Drawings, card, row, section, table, without
from branchline.report.figures import Figures, Table
from branchline.report.numbers import percent, signed, span, tidy

STATISTICS = {
    words.MEAN: "mean",
    words.DEVIATION: "deviation",
    words.LEAST: "least",
    words.TENTH: "tenth",
    words.MEDIAN: "median",
    words.NINE_TENTHS: "nine_tenths",
    words.MOST: "most",
}


def bots(figures: Figures, groups: Groups) -> str:
    if figures.head_to_head is None:
        return without("bots", words.ONE_BOT)
    head = "<td></td>" + "".join(f'<th scope="col">{groups.swatch(bot)}</th>' for bot in groups.keys)
    lines = "".join(f'<tr><th scope="row">{groups.swatch(bot)}</th>{cells(figures.head_to_head, bot, groups)}</tr>' for bot in groups.keys)
    matrix = f'<div class="scroll" tabindex="0"><table class="matrix"><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>'
    best = figures.head_to_head.sort("rate", "margin", "bot", descending=[True, True, False]).row(0, named=True)
    return section("bots", card(matrix, note=words.MATRIX), words.strongest(best["bot"], best["other"], best["rate"], best["margin"]))


def cells(pairs: Table, bot: str, groups: Groups) -> str:
    """The further from even, the stronger the colour."""
    found = {one["other"]: one for one in pairs.filter(bot=bot).rows(named=True)}
    drawn = []
    for other in groups.keys:
        one = found.get(other)
        if one is None:
            drawn.append("<td></td>")
            continue
        colour = f"rgb(var(--{'ahead' if one['rate'] >= 0.5 else 'behind'}) / {0.06 + 0.7 * abs(one['rate'] - 0.5):.2f})"
        told = f"<b>{percent(one['rate'])}</b><small>{span(one['low'], one['high'])}</small><small>{signed(one['margin'])} {words.POINTS}</small>"
        drawn.append(f'<td style="background: {colour}">{told}</td>')
    return "".join(drawn)


def statistics(figures: Figures, groups: Groups, drawings: Drawings) -> str:
    """Nothing where nothing was added."""
    if figures.statistics is None or figures.statistics_bars is None:
        return ""
    by_bot, cards = Groups("bot", groups.bots), []
    kinds = figures.simulation.seats.collect_schema()
    for number, (name, spread) in enumerate(figures.statistics_bars.group_by("statistic", maintain_order=True)):
        title = str(name[0]).replace("_", " ")
        chart = drawings.add(f"statistic-{number}", by_bot.histogram(spread, title, title, not kinds[str(name[0])].is_float()))
        cards.append(card(by_bot.legend() + chart + summary(figures.statistics.filter(statistic=name[0]), by_bot), title))
    return section("statistics", row(*cards))


def summary(found: Table, groups: Groups) -> str:
    rows = {one["bot"]: one for one in found.rows(named=True)}
    lines = [[groups.swatch(bot), *(tidy(rows[bot][column]) for column in STATISTICS.values())] for bot in groups.keys if bot in rows]
    return table(["", *STATISTICS], lines)
