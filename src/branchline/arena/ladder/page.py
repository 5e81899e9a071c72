"""The ladder as a page: no scripts, no external files, light and dark, wide and narrow. Only its sample games are files beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from branchline.arena.ladder.keeping import SAMPLES, Ladder
from branchline.arena.ladder.samples import Sample
from branchline.arena.ladder.standings import Standings
from branchline.boards import load_board
from branchline.bots.verdicts import in_seconds
from branchline.pages.document import document
from branchline.pages.html_parts import Cell, card, colour, facts, matrix, section, swatch, table, tiles
from branchline.pages.lines import Line, lines
from branchline.pages.numbers import decimal, percent, span, whole
from branchline.words.plurals import called, counted

FILES = f"{SAMPLES}/"  # where the sample games are, seen from the page


def page(ladder: Ladder, standings: Standings, samples: Sequence[Sample], playing: Sequence[str], name: Callable[[str], str]) -> str:
    """`playing`: the bots that are on the ladder now; those that have left are still shown. `name`: what a bot is called."""
    swatches = {
        rating.bot: swatch(name(rating.bot), colour(number)) for number, rating in enumerate(sorted(standings.ranking, key=lambda one: one.bot))
    }
    if standings.games:
        known = [ratings(standings, swatches, playing), careers(ladder, standings, swatches), pairs(standings, swatches)]
        content = "\n".join([*known, games(samples), method(ladder)])
    else:
        content = '<p class="empty">No game has been played yet.</p>'
    return document("Ladder", "Ladder", opening(ladder, standings) + content, STYLE)


STYLE = """
td:first-child, .matrix th { min-width: 4.6rem; white-space: normal; } /* names wrap, so that no column is pushed off the card */
.left { opacity: 0.6; }
.samples { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 21rem), 1fr)); gap: 0.8rem; margin: 1rem 0 0; }
.samples, .samples ol { padding: 0; list-style: none; }
.samples li { display: flex; flex-direction: column; gap: 0.4rem; }
.samples ol { margin: 0; }
.samples ol li { display: flex; flex-direction: row; justify-content: space-between; gap: 1rem; overflow-wrap: anywhere; }
.samples .winner { font-weight: 700; }
.samples a { font-weight: 700; }
"""


def opening(ladder: Ladder, standings: Standings) -> str:
    boards = [load_board(name).name for name in ladder.games]
    numbers = [
        (whole(standings.games), called(standings.games, "games"), f"in {counted(standings.rounds, 'rounds')}"),
        (str(len(standings.careers)), "bots", ""),
        (str(ladder.players), "seats at a table", ""),
        (str(len(boards)), called(len(boards), "boards"), escape(", ".join(boards))),
    ]
    about = "Bots that keep playing each other. The bot with the least certain rating plays next, with others of about the same strength."
    return f'<div class="top"><h1>Ladder</h1><p class="facts-line">{about}</p>{tiles(numbers)}</div>'


def ratings(standings: Standings, swatches: dict[str, str], playing: Sequence[str]) -> str:
    ranking = standings.ranking
    drawn = [
        Line(
            f"<span>{place}. {swatches[one.bot]}{'' if one.bot in playing else ' <small class=left>has left</small>'}</span>",
            f"{decimal(one.ordinal)} <small>{decimal(one.mu)} ± {decimal(2 * one.sigma)}</small>",
            colour(sorted(swatches).index(one.bot)),
            one.mu,
            one.mu - 2 * one.sigma,
            one.mu + 2 * one.sigma,
        )
        for place, one in enumerate(ranking, 1)
    ]
    least, most = (limit(one.mu + side * 2 * one.sigma for one in ranking) for limit, side in ((min, -1), (max, 1)))
    about = (
        "Plackett–Luce over all games. The large number is a cautious lower bound (mu minus three sigmas), which decides the order; "
        "the bar is mu with two sigmas to each side."
    )
    return section("ratings", "Ratings", card(lines(drawn, least, most)), about)


def careers(ladder: Ladder, standings: Standings, swatches: dict[str, str]) -> str:
    boards = [(name, load_board(name).name) for name in ladder.games]
    headings = ("", "games", *(f"won on {board}" for _, board in boards), "decision", "faults")
    rows: list[list[Cell]] = []
    for one in standings.ranking:
        career = standings.careers[one.bot]
        faults = ", ".join(f"{whole(count)} {kind}" for kind, count in sorted(career.faults.items())) or "–"
        pace = "–" if career.pace is None else in_seconds(career.pace)
        won = [share(standings, name, one.bot) for name, _ in boards]
        rows.append([swatches[one.bot], whole(career.games), *won, pace, escape(faults)])
    about = (
        "Shares of victories with 95 % intervals. They depend on whom a bot has met, so compare ratings, not shares; "
        f"by chance alone a seat wins {percent(1 / ladder.players)}. A decision is its mean time on this machine; faults are moves lost to the guard."
    )
    return section("bots", "Bots", card(table(headings, rows)), about)


def share(standings: Standings, game: str, bot: str) -> str:
    if (game, bot) not in standings.won:
        return "–"
    estimate = standings.won[game, bot].estimate()
    return f"{percent(estimate.mean)} <small>{span(estimate.low, estimate.high)}</small>"


def pairs(standings: Standings, swatches: dict[str, str]) -> str:
    def ahead(bot: str, other: str) -> tuple[float, str] | None:
        if (bot, other) not in standings.ahead:
            return None
        sums = standings.ahead[bot, other]
        estimate = sums.estimate()
        return (
            estimate.mean,
            f"<b>{percent(estimate.mean)}</b><small>{span(estimate.low, estimate.high)}</small><small>{counted(sums.games, 'games')}</small>",
        )

    about = "How often a row’s bot finishes ahead of a column’s when both sit at a table; a tie counts half."
    return section("pairs", "Head to head", card(matrix([one.bot for one in standings.ranking], swatches, ahead)), about)


def games(samples: Sequence[Sample]) -> str:
    about = "The latest game of each line-up. A replay is one file that opens offline; the record can be checked with branchline replay."
    drawn = "".join(f'<li class="card">{sample_game(sample)}</li>' for sample in samples)
    return section("games", "Games to look at", f'<ul class="samples">{drawn}</ul>' if samples else '<p class="empty">There are none yet.</p>', about)


def sample_game(sample: Sample) -> str:
    seats = "".join(
        f"<li{' class=winner' if seat in sample.winners else ''}><span>{escape(name)}</span><span>{whole(sample.points[seat])}</span></li>"
        for seat, name in enumerate(sample.seats)
    )
    name = escape(f"{load_board(sample.game).name}, round {int(sample.name.split('-')[0]) + 1}")
    replay = f'<a href="{FILES}{sample.name}.html" aria-label="Replay: {name}">Replay</a> · ' if sample.has_page else ""
    record = f'<a href="{FILES}{sample.name}.json" download aria-label="Record: {name}">Record</a>'
    return f'<h3>{name}</h3><ol>{seats}</ol><p class="note">{replay}{record}</p>'


def method(ladder: Ladder) -> str:
    told = {
        "seed": str(ladder.seed),
        "limit for a decision": f"{ladder.limit:g} s, for bots that are not compiled policies",
        "Branchline": f"{ladder.header['branchline']}, rules and compiled bots {ladder.header['code']}",
    }
    about = (
        "A round is one deal, played with all rotations of the seats. The games of a round belong together, so intervals of shares are "
        "Student’s t over rounds; where all rounds agree, Wilson’s over games. Ratings count every game, in the order in which they finished."
    )
    return section("method", "How it is measured", card(facts(told)), about)
