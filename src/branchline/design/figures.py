"""Figures of one number of players, from sums, ready for JSON: an estimate is `{"value", "low", "high"}`, with its 95 % interval."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from branchline.boards import Board
from branchline.design.blocks import Array, Estimates, counts, jackknife, means, shares
from branchline.design.compiled.courses import BLOCKED, HOPELESS, LOOKS, OUT_OF_TURNS, SPENT
from branchline.design.sums import ENDS, Sums
from branchline.design.worths import centred, solved

WHY = {"out_of_turns": OUT_OF_TURNS, "blocked": BLOCKED, "spent": SPENT, "hopeless": HOPELESS}
HALF = LOOKS // 2 - 1  # the look at half-time
SURE = 0.25  # points gained per point printed; where they are fewer, more points cannot mend a ticket: it is refused, or they are lost
Figures = dict[str, Any]


def figures_of(sums: Sums, seconds_per_turn: float) -> Figures:
    found: Figures = {
        "players": sums.players,
        "games": sums.games,
        "first_player": first_player(sums),
        "length": length(sums, seconds_per_turn),
        "points": points(sums),
        "ends": ends(sums),
        "tickets": tickets(sums),
    }
    return found | ({"lead": lead(sums), "routes": routes(sums)} if sums.board.routes else {})


def first_player(sums: Sums) -> Figures:
    wins = shares(sums.order_wins, sums.in_block[:, None])
    fair = 1 / sums.players
    ahead = Estimates(wins.mean - fair, wins.low - fair, wins.high - fair)
    return {"fair": fair, "advantage": ahead.at(0), "wins": [wins.at(place) for place in range(sums.players)]}


def length(sums: Sums, seconds_per_turn: float) -> Figures:
    turns = counts(sums.turns[:, None], sums.in_block[:, None])
    minutes = Estimates(*(one * seconds_per_turn / 60 for one in (turns.mean, turns.low, turns.high)))
    upto = np.cumsum(sums.lengths)
    tenths = {name: int(np.searchsorted(upto, share * upto[-1])) for name, share in (("short", 0.1), ("long", 0.9))}
    return {"turns": turns.at(0), "minutes": minutes.at(0), "seconds_per_turn": seconds_per_turn, **tenths}


def points(sums: Sums) -> Figures:
    total, margin, shared = (sums.totals[:, [place]] for place in range(3))
    of_games = sums.in_block[:, None]
    return {"winner": means(total, of_games).at(0), "winning_margin": counts(margin, of_games).at(0), "shared": shares(shared, of_games).at(0)}


def ends(sums: Sums) -> Figures:
    found = shares(sums.ends, sums.in_block[:, None])
    how: Figures = {name: found.at(place) for place, name in enumerate(ENDS)}
    if sums.board.routes:
        how["wins_of_who_ends"] = shares(sums.ender[:, 1:], sums.ender[:, :1]).at(0)
    return how


def lead(sums: Sums) -> Figures:
    """Who is ahead on the score track after each tenth of the turns: how often somebody is alone in front, and how often that seat wins."""
    won, led = shares(sums.leader_won, sums.led), shares(sums.led, sums.in_block[:, None])
    return {
        "changes": counts(sums.lead_changes[:, None], sums.in_block[:, None]).at(0),
        "leader_wins": [won.at(look) for look in range(LOOKS)],
        "alone_in_front": [led.at(look) for look in range(LOOKS)],
        "half_time": won.at(HALF),
    }


def tickets(sums: Sums) -> list[Figures]:
    offered, kept = counts(sums.offered, sums.in_block[:, None]), shares(sums.kept, sums.offered)
    fates = fates_of_tickets(sums)
    rows: list[Figures] = []
    for place, ticket in enumerate(sums.board.tickets):
        row: Figures = {"ticket": ticket.id, "printed": ticket.points, "long": ticket.long, "offered": offered.at(place), "kept": kept.at(place)}
        rows.append(row | (fates(place) if sums.kept[:, place].any() else {}))
    return rows


def fates_of_tickets(sums: Sums) -> Callable[[int], Figures]:
    """What became of each ticket that anybody kept, by its place."""
    done, brought = shares(sums.completed, sums.kept), means(sums.points, sums.kept)
    failed = sums.why[:, :, OUT_OF_TURNS:].sum(2)
    why = shares(sums.why, failed[:, :, None])
    excess, value = sums.tickets_drawn.excess(kinds_of(sums.board)), suggested(sums)
    return lambda place: {
        "completed": done.at(place),
        "realised": brought.at(place),
        "failed": int(failed[:, place].sum()),
        "why": {name: why.at(place, reason) for name, reason in WHY.items()},
        "excess": excess.at(place, 0),
        "excess_wins": excess.at(place, 1),
        "suggested": value.at(place),
    }


def kinds_of(board: Board) -> Array:
    """Long tickets are dealt apart, so they are compared with each other."""
    return np.array([ticket.long for ticket in board.tickets], int)


def suggested(sums: Sums) -> Estimates:
    """The value at which a ticket would be worth as much to draw as the average one of its kind, if it were kept and completed as often as now.

    A point more is a point gained if the ticket is kept and completed, and a point lost if it is kept and not.
    """
    printed, kinds = np.array([ticket.points for ticket in sums.board.tickets], float), kinds_of(sums.board)
    plain = np.array([not ticket.is_tour for ticket in sums.board.tickets])

    def value(squares: Array, products: Array, offered: Array, kept: Array, completed: Array) -> Array:
        gained = (2 * completed - kept) / offered
        better = printed - centred(solved(squares, products), offered, kinds)[:, 0] / gained
        return np.where((gained >= SURE) & plain, better, np.nan)

    drawn = sums.tickets_drawn
    return jackknife(value, drawn.squares, drawn.products, drawn.held, sums.kept, sums.completed)


def routes(sums: Sums) -> list[Figures]:
    claimed, cuts = shares(sums.claims, sums.in_block[:, None]), counts(sums.cuts, sums.in_block[:, None])
    wins, turn, worth = shares(sums.route_wins, sums.claims), means(sums.claim_turns, sums.claims), sums.routes_held.worth()
    excess = sums.routes_held.beside(sums.board.record.route_points[[route.length for route in sums.board.routes]].astype(float))
    return [
        {
            "route": route.id,
            "length": route.length,
            "colour": route.colour,
            "claimed": claimed.at(place),
            "turn": turn.at(place)["value"],
            "wins": wins.at(place),
            "worth": worth.at(place, 0) if sums.claims[:, place].any() else None,
            "excess": excess.at(place, 0) if sums.claims[:, place].any() else None,
            "cuts": cuts.at(place),
        }
        for place, route in enumerate(sums.board.routes)
    ]
