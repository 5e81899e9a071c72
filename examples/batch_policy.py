"""Play a whole batch with one policy: seat 0 claims whenever it can and keeps few tickets, the others play at random. Prints who scores more.

python examples/batch_policy.py
"""

import numpy as np

from branchline.batch import Batch

batch = Batch("europe", 256, players=4, seed=1)
rng = np.random.default_rng(1)
liking = {"claim": 2, "return": 2, "draw": 1, "take": 1}  # by the first word of a decision; 0 for all others
likes = np.array([liking.get(text.split()[0], 0) for text in batch.game.decisions.texts])


def liked_most(legal):
    """The favourite legal decision of each row; ties are broken at random."""
    return np.where(legal, rng.random(legal.shape) + likes, -1).argmax(axis=1)


totals, wins, games = np.zeros(4), np.zeros(4), 0
while games < 1000:
    decisions = np.where(batch.seats == 0, liked_most(batch.legal), batch.sample())
    batch.step(decisions)
    totals += batch.scores[batch.finished].sum(axis=0)
    wins += batch.shares.sum(axis=0)
    games += int(batch.finished.sum())

for seat, (total, won) in enumerate(zip(totals / games, wins / games, strict=True)):
    print(f"seat {seat}: {total:6.1f} points, {won:6.1%} of the wins, in {games} games")
