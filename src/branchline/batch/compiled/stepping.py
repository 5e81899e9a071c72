"""Games side by side, each in a slot, one decision per step: what every thread of a CPU or a GPU runs.

A slot that has played its game to the end counts it and begins another at once: the k-th game of slot i is game i + k * slots of the seed, with the
key (seed, number) and the dice that all games of a batch have (`playing.py`). So no slot's games depend on the others, nor on the number of threads.

`table` is (players, slots, first seat or NONE, options, weights of rewards); `slots` and `room` are the arrays of `slots.py`.
`minds` are the policies on the seats of each slot, or None where you play all of them; and the function that asks them, or None for the built-in one.
The compiler leaves out what it knows to be None.
"""

import numpy as np

from branchline.batch.compiled.playing import begin
from branchline.batch.compiled.rewarding import SHAPING, reward_end, reward_progress
from branchline.bots.compiled.policies import RANDOM, choose, pick
from branchline.compiling import copy_record, kept, ones, rule, wipe
from branchline.play.observations.compiled.observing import observe
from branchline.play.observations.compiled.observing_tickets import find_joined
from branchline.play.observations.compiled.scaling import finish_row
from branchline.play.observations.compiled.writing import IN_UNITS, spread, write_zeros
from branchline.rules.bits import EMPTY, count, has
from branchline.rules.phases import perform_all
from branchline.rules.scoring import final_count
from branchline.rules.sizes import NONE
from branchline.rules.views import view

BEGIN, LEAVE = -1, -2  # instead of a decision: begin the game whose number the slot has; do nothing


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
    """Begin the game of a slot whose number is in `numbers`. The seed is that of the game before."""
    states, _, masks, _, _, numbers, _, _, _, dice, _, _, _, _, _ = slots
    players, _, first_seat, options, _ = table
    seed = states[i].key[0]
    wipe(states[i])
    begin(boards[0], states[i], room[0], masks[i], dice[i], (players, first_seat, options), (seed, numbers[i]))


@rule
def finish_in(boards, slots, room, table, i):
    """Count a slot's game, keep its last position, and begin the next."""
    states, results, _, _, _, numbers, finished, scores, shares, _, rewards, _, finals, played, _ = slots
    players, step, _, _, weights = table
    wipe(results[i])
    count_game(boards[0], states[i], room[1][0], results[i], scores[i], shares[i])
    reward_end(results[i], shares[i], players, weights, rewards[i])
    copy_record(finals[i], states[i])
    finished[i] = True
    played[i] += 1
    numbers[i] += np.uint64(step)
    begin_in(boards, slots, room, table, i)


@rule
def ask_in(boards, states, masks, dice, room, bots, i, policy):
    """What a policy decides for the seat whose turn it is. It is shown the seat's view, and has no memory of its earlier decisions."""
    _, _, seen, mask, thoughts, weights, _ = room
    seat = np.int64(states[i].seat)
    if policy == RANDOM:
        return pick(masks[i], count(masks[i]), dice[i, seat])
    for word in range(mask.shape[0]):  # bots look at masks as long as the longest
        mask[word] = masks[i, word] if word < masks.shape[1] else EMPTY
    wipe(seen[0])
    view(boards[0], states[i], seat, seen[0])
    wipe(thoughts[0])
    for number in range(weights.shape[1]):
        thoughts[0].weights[number] = weights[seat, number]
    if bots is None:
        return np.int64(choose(policy, boards[0], seen[0], mask, thoughts[0], dice[i, seat]))
    return np.int64(bots(policy, boards[0], seen[0], mask, thoughts[0], dice[i, seat]))


@rule
def opponent(boards, slots, room, policies, bots, i):
    """The decision of the opponent whose turn it is in a slot; NONE if it is nobody's but yours."""
    if policies is None:
        return np.int64(NONE)
    states, masks, dice = slots[0], slots[2], slots[9]
    policy = np.int64(policies[i, states[i].seat])
    if policy == NONE:
        return np.int64(NONE)
    return np.int64(ask_in(boards, states, masks, dice, room, bots, i, policy))


@rule
def play_on(boards, slots, room, table, minds, i, decision):
    """Carry out a decision, and those of opponents after it."""
    states, masks = slots[0], slots[2]
    while decision != NONE:
        if perform_all(boards[0], states[i], room[0], masks[i], room[1][0], decision) == 0:
            finish_in(boards, slots, room, table, i)
        decision = opponent(boards, slots, room, minds[0], minds[1], i)


@rule
def step_in(boards, slots, room, table, minds, i, decision):
    """Carry out a slot's decision; or BEGIN, or LEAVE."""
    if decision == LEAVE:
        return
    states, _, masks, legal, seats, _, finished, _, shares, _, rewards, potentials, _, _, _ = slots
    finished[i] = False
    for seat in range(shares.shape[1]):
        shares[i, seat] = 0
        rewards[i, seat] = 0
    begins = decision == BEGIN
    if begins:
        begin_in(boards, slots, room, table, i)
        decision = opponent(boards, slots, room, minds[0], minds[1], i)
    play_on(boards, slots, room, table, minds, i, decision)
    if table[4][SHAPING] != 0:
        reward_progress(boards[0], states[i], room[1][0], room[6][0], begins, finished[i], table[4], potentials[i], rewards[i])
    seats[i] = states[i].seat
    spread(masks[i], legal[i])


@rule
def step_some(boards, slots, room, table, minds, decisions):
    for i in range(decisions.shape[0]):
        step_in(boards, slots, room, table, minds, i, decisions[i])


@kept
def step_slots(boards, slots, room, table, decisions):
    """For Python: carry out one legal decision in every slot, where you play all seats."""
    step_some(boards, slots, room, table, (None, None), decisions)


@kept
def step_against(boards, slots, room, table, decisions):
    """For Python: the same with built-in bots on some seats."""
    step_some(boards, slots, room, table, (slots[14], None), decisions)


@rule
def ask_some(boards, slots, room, bots, policy, where, decisions):
    for i in range(decisions.shape[0]):
        if where[i]:
            decisions[i] = ask_in(boards, slots[0], slots[2], slots[9], room, bots, i, policy)


@kept
def ask_slots(boards, slots, room, policy, where, decisions):
    """For Python: what a built-in bot would decide in some slots."""
    ask_some(boards, slots, room, None, policy, where, decisions)


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


@rule
def observe_in(board, state, viewer, seen, work, seats, row):
    """What a viewer sees of a game: of the game itself if the viewer decides, otherwise of a view. Where no game has been, all numbers are zeros.
    Returns how many there are."""
    if state.players == 0:
        return write_zeros(row, np.int64(0), np.int64(row.shape[0]), None)
    shown = state
    if state.seat != viewer:
        wipe(seen)
        view(board, state, viewer, seen)
        shown = seen
    find_joined(board, shown, viewer, work.groups, work.joined)
    return observe(board, shown, viewer, work.joined, seats, row, IN_UNITS, None)


@kept
def observe_slots(boards, states, viewers, room, seats, means, factors, out):
    """For Python: what a viewer in each slot sees."""
    _, works, seen, _, _, _, _ = room
    for i in range(out.shape[0]):
        size = observe_in(boards[0], states[i], np.int64(viewers[i]), seen[0], works[0], seats, out[i])
        finish_row(out[i], size, means, factors)


@kept
def observe_view(boards, views, works, seats, out):
    """For Python: the one view of `views`."""
    viewer = np.int64(views[0].viewer)
    find_joined(boards[0], views[0], viewer, works[0].groups, works[0].joined)
    observe(boards[0], views[0], viewer, works[0].joined, seats, out, IN_UNITS, None)
