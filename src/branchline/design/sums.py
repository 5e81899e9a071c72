"""What is added up over the games of one number of players, in blocks."""

from __future__ import annotations

from typing import Any

import numpy as np

from branchline.batch.games import Games
from branchline.boards import Board
from branchline.design.blocks import BLOCKS, Array, by_block
from branchline.design.compiled.courses import HOPELESS, LOOKS
from branchline.design.worths import Holdings
from branchline.rules.sizes import NONE
from branchline.rules.state import NOT_ANNOUNCED
from branchline.rules.turns import MOST_TURNS
from branchline.simulation.columns import joined_points, members

ENDS = ("pieces", "deck", "passed", "limit")  # how games end: few pieces, an empty deck, everyone passed, the most turns
MOST = 64  # lengths and numbers of lead changes that are told apart


class Sums:
    """Sums over games. Arrays are (blocks, …); every game, seat, ticket and route is counted where its number says."""

    def __init__(self, board: Board, players: int) -> None:
        self.board, self.players, self.games = board, players, 0
        tickets, routes = len(board.tickets), len(board.routes)
        self.in_block = np.zeros(BLOCKS)
        self.order_wins = np.zeros((BLOCKS, players))  # by order of play
        self.totals = np.zeros((BLOCKS, 3))  # of the winners, their lead over the best other seat, shared victories
        self.lengths = np.zeros(MOST_TURNS * players + 1, np.int64)  # games by their number of turns
        self.turns = np.zeros(BLOCKS)
        self.offered, self.kept, self.completed, self.points, self.ticket_wins = (np.zeros((BLOCKS, tickets)) for _ in range(5))
        self.why = np.zeros((BLOCKS, tickets, HOPELESS + 1))
        self.claims, self.route_wins, self.claim_turns, self.cuts = (np.zeros((BLOCKS, routes)) for _ in range(4))
        self.led, self.leader_won = np.zeros((BLOCKS, LOOKS)), np.zeros((BLOCKS, LOOKS))
        self.lead_changes = np.zeros(BLOCKS)
        self.ends, self.ender = np.zeros((BLOCKS, len(ENDS))), np.zeros((BLOCKS, 2))  # announced by a seat, and won by it
        self.tickets_drawn, self.routes_held = Holdings(tickets, 2), Holdings(routes, 1)

    def add(self, games: Games, courses: Any) -> None:
        won = shares_of(games, self.players)
        self.games += len(won)
        self.in_block += by_block(np.ones(len(won)), games.first)
        self._add_order(games, won)
        self._add_tickets(games, courses, won)
        if self.board.routes:
            self._add_routes(games, courses, won)
            self._add_leads(games, courses, won)
        self._add_ends(games, won)

    def _add_order(self, games: Games, won: Array) -> None:
        order = (np.arange(self.players) + games.states["first_seat"][:, None].astype(int)) % self.players
        self.order_wins += by_block(np.take_along_axis(won, order, 1), games.first)
        totals = np.sort(games.results["total"][:, : self.players].astype(float), 1)
        summed_up = np.stack([totals[:, -1], totals[:, -1] - totals[:, -2], won.max(1) < 1], 1)
        self.totals += by_block(summed_up, games.first)
        turns = games.states["turn"].astype(np.int64)
        self.lengths += np.bincount(turns, minlength=len(self.lengths))[: len(self.lengths)]
        self.turns += by_block(turns, games.first)

    def _add_tickets(self, games: Games, courses: Any, won: Array) -> None:
        kept, completed = tickets_of(self.board, games, self.players)
        offered = offered_in(self.board, games, self.players, kept)
        for sums, counted in (
            (self.offered, offered),
            (self.kept, kept),
            (self.completed, completed),
            (self.points, points_of(self.board, games, self.players, kept, completed)),
            (self.ticket_wins, kept * won[:, :, None]),
        ):
            np.add(sums, by_block(counted.sum(1), games.first), out=sums)
        why = courses["why"][:, : len(self.board.tickets)]
        self.why += by_block(why[:, :, None] == np.arange(HOPELESS + 1), games.first)
        results = np.stack([games.results["total"][:, : self.players].astype(float), won], 2)
        self.tickets_drawn.add(offered, results, games.first)

    def _add_routes(self, games: Games, courses: Any, won: Array) -> None:
        routes = len(self.board.routes)
        owned = members(games.states["owned"][:, : self.players], routes)
        self.claims += by_block(owned.any(1), games.first)
        self.route_wins += by_block((owned * won[:, :, None]).sum(1), games.first)
        self.claim_turns += by_block(games.tallies["claimed_in"][:, :routes].astype(np.int64), games.first)
        game, ticket = np.nonzero(courses["cut_by"] != NONE)
        np.add.at(self.cuts, ((game + games.first) % BLOCKS, courses["cut_by"][game, ticket]), 1)
        self.routes_held.add(owned, won[:, :, None], games.first)

    def _add_leads(self, games: Games, courses: Any, won: Array) -> None:
        leader = courses["leader"].astype(int)
        self.led += by_block(leader != NONE, games.first)
        self.leader_won += by_block(np.where(leader != NONE, np.take_along_axis(won, np.maximum(leader, 0), 1), 0), games.first)
        self.lead_changes += by_block(courses["lead_changes"].astype(np.int64), games.first)

    def _add_ends(self, games: Games, won: Array) -> None:
        ends, announced = ends_of(self.board, games, self.players), games.states["last_turns"] != NOT_ANNOUNCED
        self.ends += by_block(ends[:, None] == np.arange(len(ENDS)), games.first)
        if self.board.routes:
            before = games.states["turn"].astype(int) - self.players * int(self.board.record.last_turns)
            seat = (games.states["first_seat"] + before - 1) % self.players
            taken = np.where(announced, np.take_along_axis(won, seat[:, None], 1)[:, 0], 0)
            self.ender += by_block(np.stack([announced, taken], 1), games.first)


def shares_of(games: Games, players: int) -> Array:
    """Each seat's share of the win."""
    won = games.results["winners"][:, None] >> np.arange(players, dtype=np.uint8) & 1
    shares: Array = won / won.sum(1, keepdims=True)
    return shares


def tickets_of(board: Board, games: Games, players: int) -> tuple[Array, Array]:
    """Which tickets each seat has kept, and which it has completed."""
    completed = games.results["completed"][:, :players]
    number = len(board.tickets)
    return members(games.states["tickets"][:, :players] | completed, number), members(completed, number)


def points_of(board: Board, games: Games, players: int, kept: Array, completed: Array) -> Array:
    """What each ticket brought its holder, or cost."""
    number = len(board.tickets)
    in_order = members(games.results["in_order"][:, :players], number)
    full, lost = (getattr(board.record, name)[:number].astype(np.int64) for name in ("ticket_points", "ticket_loss"))
    brought: Array = np.where(completed, np.where(in_order, full, joined_points(board)[:number]), -lost)
    return brought * kept


def offered_in(board: Board, games: Games, players: int, kept: Array) -> Array:
    """Which tickets were ever offered to each seat: those it keeps, those it returned to the deck, and those that went to the box.

    A ticket in the box is neither with a seat nor in the deck, and only the seat that put it there knows of it.
    """
    number, seats = len(board.tickets), np.arange(players, dtype=np.uint8)[:, None]
    states = games.states
    returned = (states["returned_by"][:, None, :number] >> seats & 1).astype(bool)
    in_deck = np.zeros((len(states), number + 1), bool)
    place = np.arange(states["queue"].shape[1]) < states["queue_size"][:, None]
    np.put_along_axis(in_deck, np.where(place, states["queue"].astype(int), number), True, 1)
    boxed = ~in_deck[:, None, :number] & ~kept.any(1, keepdims=True) & (states["knows"][:, None, :number] >> seats & 1).astype(bool)
    offered: Array = kept | returned | boxed
    return offered


def ends_of(board: Board, games: Games, players: int) -> Array:
    """How each game ended, as a place in ENDS."""
    announced = ENDS.index("pieces" if board.record.reformed else "deck")
    stopped = np.where(games.states["turn"].astype(int) >= MOST_TURNS * players, ENDS.index("limit"), ENDS.index("passed"))
    return np.where(games.states["last_turns"] != NOT_ANNOUNCED, announced, stopped)
