"""Positions from games between bots of several kinds and strengths, with what came of them: what win chances are learned from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from branchline.batch import Batch
from branchline.bots.networks import has_network
from branchline.play.observations.layout import scales_of

Array = np.ndarray[Any, Any]
KINDS = {"learned": 0.4, "planner": 0.35, "greedy": 0.2, "random": 0.05}  # how often each bot sits on a seat
EVERY = 4  # decisions of a seat, between the positions of a game
STRAYS = {0.0: 0.6, 0.15: 0.25, 0.4: 0.15}  # the share of random decisions that weaken it, and how often


@dataclass
class Positions:
    """What seats saw, in whole numbers; each place's share of the win, the viewer's first; and the games' numbers."""

    rows: Array  # (n, size) int16
    shares: Array  # (n, seats) float32; 0 where nobody sits
    games: Array  # (n,)

    def joined(self, other: Positions) -> Positions:
        arrays = zip((self.rows, self.shares, self.games), (other.rows, other.shares, other.games), strict=True)
        return Positions(*(np.concatenate(pair) for pair in arrays))


def kinds_for(game: str, players: int) -> dict[str, float]:
    """Without a network for the game, nobody has learned."""
    return {name: share for name, share in KINDS.items() if name != "learned" or has_network(game, players)}


class Seats:
    """Who sits where in every slot; other bots come for every game."""

    def __init__(self, batch: Batch, chance: np.random.Generator) -> None:
        self.batch, self.chance, self.kinds = batch, chance, kinds_for(batch.game.name, batch.players)
        shape = (len(batch), batch.players)
        self.kind, self.stray = np.zeros(shape, np.int64), np.zeros(shape)
        self.sit_down(np.ones(len(batch), np.bool_))

    def sit_down(self, where: Array) -> None:
        shape = (int(where.sum()), self.batch.players)
        shares = np.array(list(self.kinds.values()))
        self.kind[where] = self.chance.choice(len(shares), shape, p=shares / shares.sum())
        self.stray[where] = self.chance.choice(list(STRAYS), shape, p=list(STRAYS.values()))

    def decide(self) -> Array:
        batch, slots = self.batch, np.arange(len(self.batch))
        kind, stray = self.kind[slots, batch.seats], self.stray[slots, batch.seats]
        decisions = batch.sample().copy()
        for number, name in enumerate(self.kinds):
            if name != "random":
                batch.ask(name, (kind == number) & (self.chance.random(len(slots)) >= stray), decisions)
        return decisions


def gather_all(game: str, players: Sequence[int], slots: int, each: int, seed: int, threads: int | None = None) -> Positions:
    """Positions with all these numbers of seats, about alike many of each game."""
    found = [gather(game, number, slots, each, EVERY * number, seed + number, threads) for number in players]
    return reduce(Positions.joined, found)


def gather(game: str, players: int, slots: int, each: int, every: int, seed: int, threads: int | None = None) -> Positions:
    """Positions of the first `each` games in every slot: one of every `every` decisions, as a seat by chance sees it."""
    batch, chance = Batch(game, slots, players, seed=seed, threads=threads), np.random.default_rng(seed)
    seats, rows, noted, shares, step = Seats(batch, chance), list[Array](), list[Array](), dict[int, Array](), 0
    scales = scales_of(game)
    while (left := batch.played < each).any():
        if step % every == 0:
            viewers = chance.integers(0, players, slots).astype(np.int8)
            seen = np.rint(batch.observe_seat(viewers)[left] * scales).astype(np.int16)
            rows.append(seen)
            noted.append(np.stack([batch.numbers[left].astype(np.int64), viewers[left].astype(np.int64)], 1))
        numbers = batch.numbers.astype(np.int64)
        batch.step(seats.decide(), check=False)
        for slot in np.flatnonzero(batch.finished):
            shares[int(numbers[slot])] = batch.shares[slot].copy()
        seats.sit_down(batch.finished)
        step += 1
    games, viewers = np.concatenate(noted).T
    won = np.array([shares[number] for number in games.tolist()])
    places = (viewers[:, None] + np.arange(players)) % players
    known = np.zeros((len(games), batch.game.board.players[1]), np.float32)
    known[:, :players] = np.take_along_axis(won, places, 1)
    return Positions(np.concatenate(rows), known, games)
