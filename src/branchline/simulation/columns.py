"""Columns of the tables, made from the arrays of a whole chunk of games."""

from __future__ import annotations

from typing import Any

import numpy as np

from branchline.batch.actions import COUNTS
from branchline.batch.compiled.tally import ACTIONS, ROUNDS
from branchline.batch.games import Games
from branchline.batch.statistics import columns as added_columns
from branchline.batch.statistics import places
from branchline.boards import Board
from branchline.play.results import parts_of_score
from branchline.simulation.plan import Plan

Columns = dict[str, Any]


def seat_columns(plan: Plan, games: Games) -> Columns:
    """One number per game and seat: arrays of (games, players)."""
    shape = (len(games.states), plan.players)
    states, results = games.states, games.results
    columns = {
        "game": np.broadcast_to(game_numbers(games)[:, None], shape),
        "seat": np.broadcast_to(np.arange(plan.players, dtype=np.int8), shape),
        "first_seat": np.broadcast_to(states["first_seat"][:, None], shape),
        "turns": np.broadcast_to(states["turn"][:, None], shape),
        "decisions": np.broadcast_to(games.decisions.astype(np.int32)[:, None], shape),
    }
    columns |= {part: results[part][:, : plan.players] for part in score_parts(plan.game.board)}
    columns |= ticket_counts(plan, games) | victories(plan, games)
    if plan.game.board.routes:
        columns["pieces_left"] = states["pieces"][:, : plan.players].sum(2, dtype=np.int16)
    columns |= action_columns(plan, games)
    for one, place in zip(plan.statistics, places(plan.statistics), strict=True):
        columns |= added_columns(one, place, plan.game.board, games, plan.players)
    return columns


def game_numbers(games: Games) -> Any:
    return np.arange(games.first, games.first + len(games.states), dtype=np.int64)


def score_parts(board: Board) -> list[str]:
    """The total and the parts of the score that the board has, and the length of the longest path if it counts."""
    parts = list(parts_of_score(board, Games.blank(1).results[0], 0))
    return [*parts, "longest_path_length"] if "longest_path" in parts else parts


def ticket_counts(plan: Plan, games: Games) -> Columns:
    completed = games.results["completed"][:, : plan.players]
    kept = games.states["tickets"][:, : plan.players] | completed
    return {name: np.bitwise_count(tickets).sum(2, dtype=np.int16) for name, tickets in (("tickets_kept", kept), ("tickets_completed", completed))}


def victories(plan: Plan, games: Games) -> Columns:
    won = (games.results["winners"][:, None] >> np.arange(plan.players, dtype=np.uint8) & 1).astype(np.bool_)
    return {"won": won, "share": (won / won.sum(1, keepdims=True)).astype(np.float32)}


def action_columns(plan: Plan, games: Games) -> Columns:
    starts, counts = plan.game.board.record.starts, games.tallies["counts"][:, : plan.players]
    return {name: counts[:, :, action] for name, (action, block) in COUNTS.items() if starts[block] < starts[block + 1]}


def members(words: Any, number: int) -> Any:
    """Sets in words as arrays of booleans, one per member."""
    return np.unpackbits(np.ascontiguousarray(words).astype("<u8", copy=False).view(np.uint8), axis=-1, count=number, bitorder="little").astype(
        np.bool_
    )


def claim_columns(plan: Plan, games: Games) -> Columns:
    """A row per route that a seat has claimed; `route` is its number."""
    owned = members(games.states["owned"][:, : plan.players], len(plan.game.board.routes))
    game, seat, route = np.nonzero(owned)
    turn = games.tallies["claimed_in"][game, route]
    return {"game": game + games.first, "seat": seat.astype(np.int8), "route": route, "turn": turn}


def ticket_columns(plan: Plan, games: Games) -> Columns:
    """A row per ticket that a seat has kept; `ticket` is its number, `points` what it earned or cost."""
    board = plan.game.board
    completed = games.results["completed"][:, : plan.players]
    game, seat, ticket = np.nonzero(members(games.states["tickets"][:, : plan.players] | completed, len(board.tickets)))
    done = members(completed, len(board.tickets))[game, seat, ticket]
    in_order = members(games.results["in_order"], len(board.tickets))[game, seat, ticket]
    points = np.where(done, np.where(in_order, board.record.ticket_points[ticket], joined_points(board)[ticket]), -board.record.ticket_loss[ticket])
    return {"game": game + games.first, "seat": seat.astype(np.int8), "ticket": ticket, "points": points.astype(np.int16), "completed": done}


def joined_points(board: Board) -> Any:
    """What each ticket is worth if its cities are joined; only tours are worth more in order."""
    points: Any = board.record.ticket_points.copy()
    tours = len(board.tickets) - board.record.first_tour
    points[board.record.first_tour : len(board.tickets)] = board.record.tour_connected[:tours]
    return points


def action_counts(plan: Plan, games: Games) -> Any:
    """How often each seat did each action in each round, over all games: (players, rounds, actions). The last round includes all later ones."""
    actions, totals = (games.tallies[name][:, : plan.players] for name in ("actions", "counts"))
    counts = np.stack([(actions == action).sum(0, dtype=np.int64) for action in range(len(ACTIONS))], 2)
    counts[:, ROUNDS - 1] = totals.sum(0, dtype=np.int64) - counts[:, : ROUNDS - 1].sum(1)
    counts[:, :, 0] = 0  # nothing: the game was over
    return counts
