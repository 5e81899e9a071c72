"""What it is worth to have something: a ticket in an offer, a route.

Seats at the same table are compared with each other. Within each game, results (points, or shares of the win) are explained as a sum over what a seat
holds: a linear regression with an effect of its own for each game. So a ticket is not credited with others that happen to come along with it, nor
with the strength of a table. Tickets count where they are offered, kept or not: which one is on top of the deck is chance, which one is kept is not.
"""

from __future__ import annotations

import numpy as np

from branchline.design.blocks import BLOCKS, Array, Estimates, jackknife

RIDGE = 1e-6  # keeps what cannot be told apart from being told apart by rounding


class Holdings:
    """The sums that a regression needs; `results` is how many different ones are explained."""

    def __init__(self, things: int, results: int) -> None:
        self.squares = np.zeros((BLOCKS, things, things))
        self.products = np.zeros((BLOCKS, things, results))
        self.held = np.zeros((BLOCKS, things))

    def add(self, held: Array, results: Array, first: int) -> None:
        """`held` is (games, seats, things), `results` is (games, seats, results)."""
        apart = (held - held.mean(1, keepdims=True)).astype(np.float32)
        against = (results - results.mean(1, keepdims=True)).astype(np.float32)
        for block in range(BLOCKS):
            part = slice((block - first) % BLOCKS, None, BLOCKS)
            rows = apart[part].reshape(-1, held.shape[2])
            self.squares[block] += rows.T @ rows
            self.products[block] += rows.T @ against[part].reshape(len(rows), results.shape[2])
            self.held[block] += held[part].sum((0, 1))

    def worth(self) -> Estimates:
        """What each thing is worth, compared with not having it: (things, results)."""
        return jackknife(solved, self.squares, self.products)

    def excess(self, kinds: Array) -> Estimates:
        """By how much each thing is worth more than the average one of its kind, weighed by how often it is held."""
        return jackknife(lambda squares, products, held: centred(solved(squares, products), held, kinds), self.squares, self.products, self.held)

    def beside(self, sizes: Array) -> Estimates:
        """By how much each thing is worth more than others of its size, if worth grows evenly with size."""
        return jackknife(lambda squares, products, held: off_line(solved(squares, products), held, sizes), self.squares, self.products, self.held)


def solved(squares: Array, products: Array) -> Array:
    size = len(squares)
    return np.linalg.solve(squares + RIDGE * (1 + np.trace(squares) / size) * np.eye(size), products)


def centred(worth: Array, held: Array, kinds: Array) -> Array:
    means = np.stack([(worth * (held * (kinds == kind))[:, None]).sum(0) / max((held * (kinds == kind)).sum(), 1.0) for kind in range(2)])
    excess: Array = worth - means[kinds]
    return excess


def off_line(worth: Array, held: Array, sizes: Array) -> Array:
    """How far each is from the straight line through all, weighed by how often each is held."""
    columns = np.stack([np.ones(len(sizes)), sizes], 1)
    weighed = columns * held[:, None]
    line = np.linalg.lstsq(weighed.T @ columns, weighed.T @ worth, rcond=None)[0]
    beyond: Array = worth - columns @ line
    return beyond
