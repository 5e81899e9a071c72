"""Rewards: what each seat earns with a step. All sum to zero over the seats.

- At the end of a game, a weighted sum of the win (1 for winning alone; what the winners earn, the others lose) and of the margin: the points ahead
  of the others' mean, as a share of `scale`, at most 1 and at least -1.
- Between, if wanted, by how much a step changes a potential: the margin if the game were counted now. What it earns in a game is fixed
  when the game begins, so it does not change which policy is best (potential-based shaping, without a discount).
"""

import numpy as np

from branchline.compiling import rule, wipe
from branchline.rules.scoring import final_count

WIN, MARGIN, SHAPING, SCALE = 0, 1, 2, 3  # the weights, and how many points are a margin of 1


@rule
def margin_of(result, seat, players, scale):
    """Points ahead of the mean of the others, as a share of `scale`."""
    total = np.int64(0)
    for other in range(players):
        total += result.total[other]
    ahead = np.int64(result.total[seat]) * players - total
    return np.float32(ahead) / (np.float32(players - 1) * scale)


@rule
def reward_end(result, shares, players, weights, rewards):
    for seat in range(players):
        win = (shares[seat] * np.float32(players) - np.float32(1)) / np.float32(players - 1)
        margin = min(max(margin_of(result, seat, players, weights[SCALE]), np.float32(-1)), np.float32(1))
        rewards[seat] = weights[WIN] * win + weights[MARGIN] * margin


@rule
def reward_progress(board, state, work, result, begins, finished, weights, potentials, rewards):
    """Add what a step has done to each seat's potential, which is 0 after the end; a game that begins earns nothing for where it begins."""
    wipe(result)
    final_count(board, state, work, result)
    for seat in range(state.players):
        now = weights[SHAPING] * margin_of(result, seat, np.int64(state.players), weights[SCALE])
        if finished:
            rewards[seat] -= potentials[seat]
        elif not begins:
            rewards[seat] += now - potentials[seat]
        potentials[seat] = now
