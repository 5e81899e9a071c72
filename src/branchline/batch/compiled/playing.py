"""Whole games between compiled bots: the one loop in which they are played on a CPU, for batches, records and the arena. A GPU's threads call the
same functions, and only wait for each other in between (`cuda/compiled/warps.py`).

Game i of a seed has the key (seed, i), and its bots have dice that follow from it.
Anything to be done beyond playing is passed as functions marked `@rule`, or None for nothing; the compiler leaves out whatever is None.

Arguments that belong together are passed as tuples and unpacked where they are used: the compiler only leaves out what it knows to be None.
- `minds`: policies, bots, room for a view, thoughts, dice. Without policies all play at random; without bots the policies are the built-in ones;
- `telling`: the tally, what is called after a turn, and the numbers that it writes;
- `table`: how many play, who begins (NONE: drawn at random), and its options;
- `key`: the seed and the game's number;
- `history`: room for the decisions of a game that is recorded, or None.
"""

import numpy as np

from branchline.batch.compiled.tally import tally_turn
from branchline.bots.compiled.policies import RANDOM, choose, pick, pick_with
from branchline.compiling import kept, rule, wipe
from branchline.rules.bits import first
from branchline.rules.phases import carry_out, is_over, is_paid, legal, settle
from branchline.rules.scoring import final_count
from branchline.rules.setup import start
from branchline.rules.sizes import NONE
from branchline.rules.views import view
from branchline.rules.vocabulary.phases import ACTION


@rule
def throw_in(dice, players, seed, number):
    """Every seat's dice: the complement of the game's key, and a counter of its own."""
    for seat in range(players):
        dice[seat, 0] = ~seed
        dice[seat, 1] = ~number
        dice[seat, 2] = np.uint64(seat) << np.uint64(32)


@rule
def take_along(dice, brought):
    """Every seat's dice, where bots bring their own."""
    for seat in range(brought.shape[0]):
        for word in range(brought.shape[1]):
            dice[seat, word] = brought[seat, word]


@rule
def ask(board, state, mask, choices, key, policies, bots, seen, thoughts, dice):
    """The decision of the seat whose turn it is. Bots are shown their view, never the game. A single choice is not a decision: nobody is asked."""
    seat = np.int64(state.seat)
    if choices == 1:
        return first(mask)
    if policies is None:
        return pick_with(~key[0], ~key[1], mask, choices, dice[seat])
    if policies[seat] == RANDOM:
        return pick(mask, choices, dice[seat])
    wipe(seen[0])
    view(board, state, seat, seen[0])
    if bots is None:
        return choose(policies[seat], board, seen[0], mask, thoughts[seat], dice[seat])
    return bots(policies[seat], board, seen[0], mask, thoughts[seat], dice[seat])


@rule
def note(history, made, decision):
    """Write a decision down, if wanted and if there is room."""
    if history is not None:  # noqa: SIM102  # the compiler leaves out what depends on that alone
        if made < history.shape[0]:
            history[made] = decision


@rule
def go_on(board, state, log, mask, work, minds, key, history, made, course):
    """One decision, without what follows when it completes a payment. Returns how many were made, and the course of the turn:
    who began it, with which action, and its number."""
    choices = legal(board, state, mask)
    decision = np.int64(ask(board, state, mask, choices, key, *minds))
    if choices > 1:
        note(history, made, decision)
        made += 1
    if state.phase == ACTION:
        course = np.int64(state.seat), decision, np.int64(state.turn)
    carry_out(board, state, log, work, decision)
    return made, course


@rule
def write_down(board, state, course, tally, after_turn, out):
    """If a turn is over, write down what it was; returns the course of a turn not begun yet."""
    seat, action, turn = course
    if action == NONE or (state.turn == turn and not is_over(state)):
        return course
    if tally is not None:
        tally_turn(board, state, seat, action, turn, tally)
    if after_turn is not None:
        after_turn(board, state, seat, action, turn, out)
    return seat, np.int64(NONE), turn


@rule
def begin(board, state, log, mask, dice, table, key):
    """Set up a game in a record of zeros."""
    (players, first_seat, options), (seed, number) = table, key
    throw_in(dice, players, seed, number)
    start(board, state, log, mask, players, seed, number, first_seat, options)


@rule
def play(board, state, log, mask, work, result, minds, telling, table, key, brought, history):
    """A whole game in records of zeros, counted to the end; returns how many decisions were made. `brought` are the bots' own dice, or None."""
    _, _, _, _, dice = minds
    begin(board, state, log, mask, dice, table, key)
    if brought is not None:
        take_along(dice, brought)
    made, course = np.int64(0), (np.int64(NONE), np.int64(NONE), np.int64(0))
    while not is_over(state):
        made, course = go_on(board, state, log, mask, work, minds, key, history, made, course)
        if is_paid(state):
            settle(board, state, log)
        course = write_down(board, state, course, *telling)
    final_count(board, state, work, result)
    return made


@rule
def forget(thoughts, players, weights):
    """Clear what the bots remember of another game."""
    for seat in range(players):
        wipe(thoughts[seat])
        for number in range(weights.shape[1]):
            thoughts[seat].weights[number] = weights[seat, number]


@rule
def play_some(boards, games, room, table, policies, seed, first_game, bots, after_turn, brought, history):
    """The games `first_game` and after of a seed. `games` are the arrays of `Games`; `room` is what a thread needs for itself (`batch/rooms.py`)."""
    states, results, decisions, tallies, outs = games
    log, mask, works, seen, thoughts, weights, dice = room
    for i in range(states.shape[0]):
        wipe(states[i])
        wipe(results[i])
        wipe(tallies[i])
        for number in range(outs.shape[1]):
            outs[i, number] = 0
        forget(thoughts, table[0], weights)
        minds, telling = (policies, bots, seen, thoughts, dice), (tallies[i], after_turn, outs[i])
        key = np.uint64(seed), np.uint64(first_game + i)
        decisions[i] = play(boards[0], states[i], log, mask, works[0], results[i], minds, telling, table, key, brought, history)


@rule
def all_random(policies, players):
    for seat in range(players):
        if policies[seat] != RANDOM:
            return False
    return True


@kept
def play_games(boards, games, room, table, policies, seed, first_game):
    """For Python: games of the built-in bots. Random play is compiled by itself, without the code of thinkers: that makes it an eighth faster."""
    if all_random(policies, table[0]):
        play_some(boards, games, room, table, None, seed, first_game, None, None, None, None)
    else:
        play_some(boards, games, room, table, policies, seed, first_game, None, None, None, None)


@kept
def play_recorded(boards, games, room, table, policies, seed, number, brought, history):
    """For Python: a game of the built-in bots with all its decisions, and its events in the room's log."""
    play_some(boards, games, room, table, policies, seed, number, None, None, brought, history)
