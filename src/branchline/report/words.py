"""Every word of a report that its readers see. Plain words: a reader knows the game, not statistics."""

from __future__ import annotations

from html import escape
from typing import Any

from branchline.pages.numbers import decimal, percent, points, span, whole
from branchline.play.results import SCORE_PARTS
from branchline.words import ENGLISH, spoken_in

REPORT = "Simulation report"
BY = {"order": "By order of play", "seat": "By seat", "bot": "By bot"}
ORDINALS = ("1st", "2nd", "3rd", "4th", "5th")
PARTS = {part: spoken_in(ENGLISH).say(f"end.part.{part}") for part in SCORE_PARTS}
ACTIONS = {
    "cards": "takes cards",
    "claim": "claims a route",
    "abandoned": "gives up a tunnel",
    "tickets": "draws tickets",
    "build": "builds",
    "exchange": "exchanges pieces",
    "place": "places cards",
    "pass": "passes",
}
DOING = {"claim": "claiming routes", "place": "placing cards", "cards": "taking cards"}
COLOURS = {"gray": "any colour"}  # others are called what they are
TUNNEL, FERRY, SEA, PAIR = "tunnel", "ferry", "by sea", "pairs of cards"

# headings of tables and tooltips
INTERVAL, GAMES, POINTS, SHARE, TURNS, ROUND, TOTAL = "95 % interval", "games", "points", "share", "turns", "round", "total"
MEAN, DEVIATION, LEAST, TENTH, MEDIAN, NINE_TENTHS, MOST = "mean", "spread", "least", "10 % below", "median", "90 % below", "most"
WINNERS, OTHERS = "winners", "others"
TICKET, TICKETS, KEPT, COMPLETED, PRINTED, REALISED = "ticket", "tickets", "kept", "completed", "printed", "realised"
ROUTE, COLOUR, LENGTH, CLAIMED, MEAN_TURN, WIN_SHARE, USUAL = "route", "colour", "spaces", "claimed", "mean turn", "win share", "than usual"
EXPLAINED = {
    KEPT: "How often a seat kept it, over all games",
    COMPLETED: "Of the times it was kept",
    PRINTED: "Points on the ticket",
    REALISED: "What it brought on average: points gained when completed, lost when not",
    WIN_SHARE: "How often the seats that had it won; a shared victory is split",
    USUAL: "Percentage points by which those who had it won more often than their seats do on average",
    CLAIMED: "Share of games in which it was claimed",
    MEAN_TURN: "In which turn of the game it was claimed, on average",
    DEVIATION: "Standard deviation",
}

# axes, legends, notes
SCORE_AXIS, PARTS_AXIS, LENGTH_AXIS, ROUND_AXIS = "points", "mean points", "turns", "round"
PRINTED_AXIS, REALISED_AXIS, RATE_AXIS, WIN_AXIS = "printed points", "realised points", "completed", "holders’ win share"
DISTRIBUTION, PARTS_OF_TOTAL = "How totals are spread", "What winners have more of"
PRINTED_AND_REALISED, RATE_AND_WINS = "What they promise, what they bring", "How often completed, how often their holders win"
LONG, SHORT, ANY = "long tickets", "other tickets; the larger, the more often kept", "tickets; the larger, the more often kept"
FAIR, MEAN_MARK, DIAGONAL = "dotted: the fair share, {share}", "dashed: the mean, {mean}", "dotted: what they would bring if always completed"
HEAT, HIGHER, LOWER, ALL_ROUTES = "claimed in this share of games", "Most claimed", "Least claimed", "All {number} routes"
SORT = "Click a heading to sort by it."
MATRIX = "Below each share, its 95 % interval and the mean difference of points."

NAVIGATION = {
    "wins": "Wins",
    "scores": "Points",
    "length": "Length",
    "tickets": "Tickets",
    "routes": "Routes",
    "colours": "Colours",
    "turns": "Turns",
    "bots": "Bot against bot",
    "statistics": "Statistics",
    "method": "How to read this",
}
SECTIONS = {
    "wins": ("Who wins", "The share of games won by one seat. A victory that several share is split among them."),
    "scores": ("Points", "Totals at the end of the game, and the parts that they are made of."),
    "length": ("How long games are", "A turn is one seat’s; a round is a turn of every seat."),
    "tickets": ("Tickets", "Only tickets that a seat kept count, not those it returned."),
    "routes": ("Routes", "Each route has the colour of the share of games in which it was claimed. Point at a route for more."),
    "colours": ("Colours", "This game has no map: cards complete its tickets. So this is what became of the tickets that ask for each colour."),
    "turns": (
        "What turns are spent on",
        "Share of each action by round. Rounds that few games reach, with less than 1 % of the turns, are left out.",
    ),
    "bots": ("Bot against bot", "How often a row’s bot has more points than a column’s at the same table; a tie counts half."),
    "statistics": ("Added statistics", "Columns that were added to the simulation, by bot."),
    "method": ("How to read this", ""),
}
NOTHING_KEPT = "No ticket was kept in these games."
ACTIONS_MISSING = "This part needs the table of actions, which is missing next to the main one; simulate again to write it."
ONE_BOT = "The same bot has all seats, so there is nobody to compare it with. Simulate with several, such as <code>--bots planner,greedy</code>."
NO_SCRIPT = "The charts are drawn by a script inside this page, which is switched off here; tables and board are shown without it."
METHOD = {
    "Intervals": (
        "The bars through the dots and the numbers in brackets are Wilson’s 95 % intervals: over many such simulations, nineteen in twenty "
        "contain the true value. Where two do not overlap, the difference is unlikely to be chance; where they do, more games may tell."
    ),
    "Shares": (
        "A victory that two seats share counts half for each, and so on, so the shares of a game add up to one. The fair share is what chance "
        "alone gives: one divided by the number of seats. A bot with several seats is shown by their mean; its interval is taken over games."
    ),
    "Order of play": (
        "The first player is drawn at random in every game, so the order of play tells you about the rules; a seat’s number only says who sits there."
    ),
    "Tickets and routes": (
        "A ticket’s realised worth is the mean of what it brought: its points when completed, what it cost when not. That holders win often does "
        "not say that they win because of it: strong bots win with anything. So “than usual” compares with what the same seats win on average."
    ),
    "Bot against bot": (
        "All pairs of seats of the two bots are compared by points, game by game; tie-breaks are ignored. The interval counts games, not pairs: "
        "if anything, it is too wide."
    ),
}
AGAIN, AGAIN_TEXT = "The same games again", "Game number i of a seed is always the same game, with the same version of the rules and bots."
OPTIONS = {
    "complete_tickets_for_me": "tickets completed for the players",
    "may_draw_one": "a draw may end after one card",
    "choose_tickets_by_hand": "tickets chosen by hand",  # in version 1 of the rules
}
ABOUT = {"game": "board", "bots": "bots", "seed": "seed", "rules_version": "rules version", "branchline_version": "Branchline"}

VERSUS, WHAT_DIFFERS, DIFFERENCE = "A against B", "What differs", "B − A"
PAIRED = "Both have the same seed, so {games} games are compared one by one: what the same cards bring about cancels out."
NOT_PAIRED = "The two have different seeds or options, so their games are independent. With the same seed the intervals would be narrower."
READ_DIFFERENCES = "Coloured where the 95 % interval of the difference excludes zero. With many rows, one in twenty does so by chance."
COMPLETED_TICKETS, CLAIMED_ROUTES = "Completed, of the times a ticket was kept.", "Claimed, as a share of games."
COMPARED = {
    "turns": "turns per game",
    "winning_total": "winning total",
    "winning_margin": "lead of the winner",
    "first_player_wins": "wins of whoever begins",
    "shared": "shared victories",
    "tickets_kept": "tickets kept per seat",
    "tickets_completed": "tickets completed per seat",
    "mean_total": "points per seat",
    **{f"mean_{part}": f"points per seat: {text.lower()}" for part, text in PARTS.items() if part != "total"},
}


def title(board: str, players: int, games: int) -> str:
    return f"{board}, {players} players, {number_of_games(games)} – Branchline"


def number_of_games(games: int) -> str:
    return "1 game" if games == 1 else f"{whole(games)} games"


def facts_line(players: int, options: str, seed: str | None, rules: str) -> str:
    chosen = [OPTIONS.get(name, escape(name)) for name in options.split(",") if name]
    seeded = [f"seed {escape(seed)}"] if seed is not None else []
    return " · ".join([f"{players} players", *chosen, *seeded, f"rules version {escape(rules)}"])


def unfinished(games: int, asked: int) -> str:
    return f"Only {whole(games)} of {whole(asked)} games are done ({percent(games / asked)}). Everything here is about those, the intervals too."


def tiles(keys: dict[str, float], games: int, asked: int, players: int, first: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Number, what it is, and a word about it."""
    more, low, high = (points(first[name] - first["fair"]) for name in ("rate", "low", "high"))
    done = "all that were asked for" if games >= asked else f"of {whole(asked)} asked for"
    return [
        (whole(games), "game" if games == 1 else "games", done),
        (decimal(keys["turns"]), "turns per game", f"{decimal(keys['turns'] / players)} rounds"),
        (decimal(keys["winning_total"]), "winning total", "points, mean of the winners"),
        (percent(keys["shared"]), "ties", "games that several won together"),
        (more, "first-player advantage", f"percentage points ({low} to {high})"),
    ]


def group(by: str, key: str, bots: tuple[str, ...]) -> str:
    """What a row is called: a place in the order of play, a seat, a bot."""
    if by == "order":
        return ORDINALS[int(key)]
    if by == "bot":
        return key
    return f"seat {key}" if len(set(bots)) == 1 else f"seat {key} · {bots[int(key)]}"


def beginning(first: dict[str, Any]) -> str:
    share = f"Whoever begins wins {percent(first['rate'])} of the games; a fair share is {percent(first['fair'])}."
    if first["low"] > first["fair"]:
        return f"{share} Beginning helps."
    if first["high"] < first["fair"]:
        return f"{share} Beginning hurts."
    return f"{share} The difference is no larger than chance would make it."


def best(bot: str, rate: float, other: str, other_rate: float) -> str:
    return f"A seat of {escape(bot)} wins {percent(rate)}, one of {escape(other)} {percent(other_rate)}."


def spread_of_points(most: str, mean: float, least: str, least_mean: float) -> str:
    if most == least:
        return f"The mean total is {decimal(mean)}."
    return f"Mean totals reach from {decimal(least_mean)} ({escape(least)}) to {decimal(mean)} ({escape(most)})."


EXCHANGES_IN_ROUTES = "Points that exchanged pieces cost are counted with the routes."


def part_that_decides(part: str, difference: float) -> str:
    return f"Winners are ahead most in {PARTS[part].lower()}: by {decimal(difference)} points on average."


def length_of_games(mean: float, low: int, high: int) -> str:
    return f"A game has {decimal(mean)} turns, all seats together; four games in five have {low} to {high}."


def turns_spent(action: str, shares: dict[str, float]) -> str:
    each = ", ".join(f"{escape(bot)} {percent(share)}" for bot, share in shares.items())
    return f"Share of all turns spent {DOING[action]}: {each}."


def strongest(bot: str, other: str, rate: float, margin: float) -> str:
    return f"{escape(bot)} has more points than {escape(other)} in {percent(rate)} of the comparisons; the mean difference is {decimal(margin)}."


def hardest_ticket(hard: str, rate: float, easy: str, easy_rate: float) -> str:
    return f"Completed least often: {escape(hard)} ({percent(rate)} of the times it was kept). Most often: {escape(easy)} ({percent(easy_rate)})."


def most_claimed(most: str, rate: float, least: str, least_rate: float) -> str:
    return f"{escape(most)} is claimed in {percent(rate)} of the games, {escape(least)} in {percent(least_rate)}."


def route_facts(colour: str, length: int, kinds: list[str]) -> str:
    return ", ".join([COLOURS.get(colour, colour), "1 space" if length == 1 else f"{length} spaces", *kinds])


def route_told(name: str, facts: str, row: dict[str, Any]) -> tuple[str, ...]:
    """What the board says about a route, line by line."""
    if not row["claims"]:
        return name, facts, "never claimed"
    usual = row["win_share"] - row["expected"]
    return (
        name,
        facts,
        f"claimed in {percent(row['rate'])} of games ({span(row['low'], row['high'])})",
        f"in turn {decimal(row['mean_turn'], 0)} on average",
        f"its owners win {percent(row['win_share'])}, {decimal(abs(100 * usual))} points {'less' if usual < 0 else 'more'} than usual",
    )


def not_written(table: str, file: str) -> str:
    """Why a section is empty, and what to do; `table` is the option's word."""
    return f"This part needs the table of {table}. Simulate again with <code>--tables claims,tickets</code>, which writes it beside {escape(file)}."
