"""Games side by side, each in a slot, one decision per step: what every thread of a CPU or a GPU runs.

A slot that has played its game to the end counts it and begins another at once: the k-th game of slot i is game i + k * slots of the seed, with the
key (seed, number) and the dice that all games of a batch have (`playing.py`). So no slot's games depend on the others, nor on the number of threads.

`table` is (players, seed, slots, first seat or NONE, options); `slots` and `room` are the arrays of `slots.py`.
"""

import numpy as np

from branchline.batch.compiled.observing import observe
from branchline.batch.compiled.playing import begin
from branchline.batch.compiled.writing import spread
from branchline.bots.compiled.policies import pick
from branchline.compiling import kept, ones, rule, wipe
from branchline.rules.bits import count, has
from branchline.rules.phases import perform_all
from branchline.rules.scoring import final_count
from branchline.rules.sizes import NONE
from branchline.rules.views import view


@rule
def count_game(board, state, work, result, scores, shares):
    """Count a finished game into a record of zeros. Winners who cannot be told apart share the win."""
    final_count(board, state, work, result)
    winners = np.float32(ones(np.uint64(result.winners)))
    for seat in range(state.players):
        scores[seat] = result.total[seat]
        shares[seat] = np.float32((result.winners >> seat) & 1) / winners


@rule
def begin_in(boards, slots, room, table, i):
    """Begin the game of a slot whose number is in `numbers`."""
    states, _, masks, choices, seats, numbers, _, _, _, dice = slots
    players, seed, _, first_seat, options = table
    wipe(states[i])
    begin(boards[0], states[i], room[0], masks[i], dice[i], (players, first_seat, options), (seed, numbers[i]))
    seats[i] = states[i].seat
    spread(masks[i], choices[i])


@rule
def step_in(boards, slots, room, table, i, decision):
    """Carry out a slot's decision."""
    states, results, masks, choices, seats, numbers, finished, scores, shares, _ = slots
    log, works, _ = room
    finished[i] = perform_all(boards[0], states[i], log, masks[i], works[0], decision) == 0
    for seat in range(shares.shape[1]):
        shares[i, seat] = 0
    if finished[i]:
        wipe(results[i])
        count_game(boards[0], states[i], works[0], results[i], scores[i], shares[i])
        numbers[i] += np.uint64(table[2])
        begin_in(boards, slots, room, table, i)
    else:
        seats[i] = states[i].seat
        spread(masks[i], choices[i])


@kept
def begin_slots(boards, slots, room, table):
    """For Python: begin a game in every slot."""
    for i in range(slots[0].shape[0]):
        begin_in(boards, slots, room, table, i)


@kept
def step_slots(boards, slots, room, table, decisions):
    """For Python: carry out one legal decision in every slot."""
    for i in range(decisions.shape[0]):
        step_in(boards, slots, room, table, i, decisions[i])


@kept
def first_illegal(masks, size, decisions):
    """For Python: the first slot whose decision is not legal, or NONE. `size` is that of the decision table."""
    for i in range(decisions.shape[0]):
        decision = decisions[i]
        if decision < 0 or decision >= size or not has(masks[i], decision):
            return np.int64(i)
    return np.int64(NONE)


@kept
def sample_slots(masks, seats, dice, decisions):
    """For Python: a legal decision for every slot, by the dice of the seat that decides."""
    for i in range(decisions.shape[0]):
        decisions[i] = pick(masks[i], count(masks[i]), dice[i, seats[i]])


@kept
def observe_slots(boards, states, viewers, room, seats, out):
    """For Python: what a viewer in each slot sees."""
    _, works, seen = room
    for i in range(out.shape[0]):
        wipe(seen[0])
        view(boards[0], states[i], np.int64(viewers[i]), seen[0])
        observe(boards[0], seen[0], works[0], seats, out[i])


@kept
def observe_view(boards, views, works, seats, out):
    """For Python: the one view of `views`."""
    return observe(boards[0], views[0], works[0], seats, out)
