"""The sentences of a report that need more than the key of a message, and which words its tables have."""

from __future__ import annotations

from html import escape
from typing import Any

from branchline.pages.prose import Prose

ABOUT = ("game", "bots", "seed", "rules_version")
METHOD = ("intervals", "shares", "order", "things", "bots")
OPTIONS = ("complete_tickets_for_me", "may_draw_one", "choose_tickets_by_hand")  # the last in version 1 of the rules
EXPLAINED = ("kept", "completed", "printed", "realised", "win_share", "usual", "claimed", "mean_turn", "deviation")
COMPARED = ("turns", "winning_total", "winning_margin", "first_player_wins", "shared", "tickets_kept", "tickets_completed", "mean_total")
Tile = tuple[str, str, str]


def columns(says: Prose, *names: str) -> list[str]:
    """Headings of a table."""
    return [says(f"report.column.{name}") for name in names]


def explained(says: Prose) -> dict[str, str]:
    return {says(f"report.column.{name}"): says(f"report.more.{name}") for name in EXPLAINED}


def part_of_total(says: Prose, part: str) -> str:
    return says(f"end.part.{part}")


def colour(says: Prose, colour: str) -> str:
    return says(f"colour.{colour}")


def title(says: Prose, board: str, players: int, games: int) -> str:
    return f"{board}, {says.players(players)}, {says.games(games)} – Branchline"


def facts_line(says: Prose, players: int, options: str, seed: str | None, rules: str) -> str:
    chosen = [says(f"report.option.{name}") if name in OPTIONS else escape(name) for name in options.split(",") if name]
    seeded = [says("report.seed", seed=escape(seed))] if seed is not None else []
    return " · ".join([says.players(players), *chosen, *seeded, says("report.rules_version", version=escape(rules))])


def unfinished(says: Prose, games: int, asked: int) -> str:
    return says("report.unfinished", done=says.whole(games), asked=says.whole(asked), share=says.percent(games / asked))


def tiles(says: Prose, keys: dict[str, float], games: int, asked: int, players: int, first: dict[str, Any]) -> list[Tile]:
    """Number, what it is, and a word about it."""
    more, low, high = (says.points(first[name] - first["fair"]) for name in ("rate", "low", "high"))
    done = says("report.tile.all_done") if games >= asked else says("report.tile.some_done", asked=says.whole(asked))
    rounds = says("report.tile.rounds", rounds=says.decimal(keys["turns"] / players))
    return [
        (says.whole(games), says("report.tile.games", count=games), done),
        (says.decimal(keys["turns"]), says("report.tile.turns"), rounds),
        (says.decimal(keys["winning_total"]), says("report.tile.winning"), says("report.tile.winning_about")),
        (says.percent(keys["shared"]), says("report.tile.ties"), says("report.tile.ties_about")),
        (more, says("report.tile.first"), f"{says('report.tile.percentage_points')} ({says.interval(low, high)})"),
    ]


def group(says: Prose, by: str, key: str, bots: tuple[str, ...]) -> str:
    """What a row is called: a place in the order of play, a seat, a bot."""
    if by == "order":
        return says(f"report.ordinal.{key}")
    if by == "bot":
        return key
    seat = says("report.seat", seat=key)
    return seat if len(set(bots)) == 1 else f"{seat} · {bots[int(key)]}"


def beginning(says: Prose, first: dict[str, Any]) -> str:
    verdict = "helps" if first["low"] > first["fair"] else "hurts" if first["high"] < first["fair"] else "unsure"
    return says("report.said.beginning", share=says.percent(first["rate"]), fair=says.percent(first["fair"]), verdict=verdict)


def best(says: Prose, bot: str, rate: float, other: str, other_rate: float) -> str:
    return says("report.said.best", bot=escape(bot), share=says.percent(rate), other=escape(other), other_share=says.percent(other_rate))


def spread_of_points(says: Prose, most: str, mean: float, least: str, least_mean: float) -> str:
    if most == least:
        return says("report.said.one_total", mean=says.decimal(mean))
    return says("report.said.totals", least=says.decimal(least_mean), worst=escape(least), most=says.decimal(mean), best=escape(most))


def part_that_decides(says: Prose, part: str, difference: float) -> str:
    return says("report.said.part", part=part_of_total(says, part).lower(), points=says.decimal(difference))


def length_of_games(says: Prose, mean: float, low: int, high: int) -> str:
    return says("report.said.length", mean=says.decimal(mean), low=low, high=high)


def turns_spent(says: Prose, action: str, shares: dict[str, float]) -> str:
    each = ", ".join(f"{escape(bot)} {says.percent(share)}" for bot, share in shares.items())
    return says(f"report.said.turns.{action}", each=each)


def strongest(says: Prose, bot: str, other: str, rate: float, margin: float) -> str:
    return says("report.said.strongest", bot=escape(bot), other=escape(other), share=says.percent(rate), margin=says.decimal(margin))


def hardest_ticket(says: Prose, hard: str, rate: float, easy: str, easy_rate: float) -> str:
    return says("report.said.tickets", hard=escape(hard), share=says.percent(rate), easy=escape(easy), easy_share=says.percent(easy_rate))


def most_claimed(says: Prose, most: str, rate: float, least: str, least_rate: float) -> str:
    return says("report.said.routes", most=escape(most), share=says.percent(rate), least=escape(least), least_share=says.percent(least_rate))


def route_facts(says: Prose, colour_of_route: str, length: int, kinds: list[str]) -> str:
    return ", ".join([colour(says, colour_of_route), says("report.spaces", count=length), *(says(f"report.route.{kind}") for kind in kinds)])


def route_told(says: Prose, name: str, facts: str, row: dict[str, Any]) -> tuple[str, ...]:
    """What the board says about a route, line by line."""
    if not row["claims"]:
        return name, facts, says("report.tip.never")
    usual = row["win_share"] - row["expected"]
    share, more = says.percent(row["win_share"]), says.decimal(abs(100 * usual))
    return (
        name,
        facts,
        says("report.tip.claimed", share=says.percent(row["rate"]), span=says.span(row["low"], row["high"])),
        says("report.tip.turn", turn=says.decimal(row["mean_turn"], 0)),
        says("report.tip.wins", share=share, points=more, side="less" if usual < 0 else "more"),
    )


def not_written(says: Prose, table: str, file: str) -> str:
    """Why a section is empty, and what to do; `table` is the option's word."""
    return says("report.not_written", table=table, option="<code>--tables claims,tickets</code>", file=escape(file))


def compared(says: Prose, figure: str) -> str:
    """What a figure of a comparison is called."""
    if figure.startswith("wins of "):
        return says("report.compared.wins_of", bot=figure.removeprefix("wins of "))
    if figure in COMPARED:
        return says(f"report.compared.{figure}")
    return says("report.compared.part", part=part_of_total(says, figure.removeprefix("mean_")).lower())
