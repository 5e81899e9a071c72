"""Foresight: search with a network. Its policy proposes the candidates and plays on for some turns, and its value says what came of it."""

import numpy as np

from branchline.bots.compiled.candidates import MOST
from branchline.bots.compiled.network import (
    ADDRESS,
    FRACTION,
    OUTPUTS,
    ROOM_ADDRESS,
    SCALE_BITS,
    address_in,
    best,
    look,
    score,
)
from branchline.bots.compiled.playouts import LONGEST, share_of_win, supposed_world
from branchline.compiling import kept, lowest, rule
from branchline.compiling.vectors import long_at
from branchline.rules.bits import EMPTY, drop_lowest
from branchline.rules.engine import apply
from branchline.rules.phases import is_over, legal
from branchline.rules.scoring import final_count
from branchline.rules.vocabulary.decisions import TAKE
from branchline.rules.vocabulary.phases import ACTION, COMPLETING, FILL, PAYMENT, TUNNEL

WINDOW = 6  # candidates have a score of at least the best less this: others would be taken less often than once in 400 times


@rule
def is_settled(phase):
    """Is it left to the network alone?"""
    return phase == PAYMENT or phase == TUNNEL or phase == FILL or phase == COMPLETING


@rule
def is_listed(board, seen, decision, chosen, number):
    """Is a decision among the candidates, or a face-up card of the same kind?"""
    for place in range(number):
        if chosen[place] == decision:
            return True
        if board.block_of[decision] == TAKE and board.block_of[chosen[place]] == TAKE:
            start = board.starts[TAKE]
            if seen.row[decision - start] == seen.row[chosen[place] - start]:
                return True
    return False


@rule
def next_best(net, board, seen, room, mask, chosen, number, above):
    """The legal decision with the highest score that is not among the candidates; -1 if none is above."""
    found, highest = np.int64(-1), above
    for place in range(mask.shape[0]):
        word = mask[place]
        while word != EMPTY:
            decision = np.int64(64 * place + lowest(word))
            word = drop_lowest(word)
            worth = score(net, room, decision)
            if worth > highest and not is_listed(board, seen, decision, chosen, number):
                found, highest = decision, worth
    return found


@kept
def begin_learned(boards, views, mask, thoughts, chosen):
    """Write the network's choice and the other candidates, the likeliest first; returns how many there are."""
    board, seen, net = boards[0], views[0], address_in(thoughts[0], ADDRESS)
    room = look(net, board, seen, np.int64(seen.seat), address_in(thoughts[0], ROOM_ADDRESS))
    chosen[0], number = best(net, room, mask), 1
    if is_settled(seen.phase):
        return number
    above = score(net, room, chosen[0]) - (np.int64(WINDOW) << (SCALE_BITS + long_at(net, FRACTION)))
    while number < MOST:
        decision = next_best(net, board, seen, room, mask, chosen, number, above)
        if decision < 0:
            return number
        chosen[number] = decision
        number += 1
    return number


@rule
def play_turns(boards, states, log, mask, works, thoughts, viewer, turns):
    """Everybody plays as the network would until the viewer has had that many turns and is to act again; returns the number of decisions."""
    board, state, made, left = boards[0], states[0], np.int64(0), turns
    net, address = address_in(thoughts, ADDRESS), address_in(thoughts, ROOM_ADDRESS)
    while not is_over(state) and made < LONGEST:
        if state.seat == viewer and state.phase == ACTION:
            if left == 0:
                return made
            left -= 1
        room = look(net, board, state, np.int64(state.seat), address)
        apply(boards, states, log, mask, works, best(net, room, mask))
        made += 1
    return made


@rule
def promise(board, state, thoughts, viewer):
    """The share of the win that the network expects for the viewer, who is to act: a win is worth 1, and costs the others 1 together."""
    net = address_in(thoughts, ADDRESS)
    room = look(net, board, state, viewer, address_in(thoughts, ROOM_ADDRESS))
    value = score(net, room, long_at(net, OUTPUTS) - 1) / float(np.int64(1) << (SCALE_BITS + long_at(net, FRACTION)))
    return min(max((value * (state.players - 1) + 1) / state.players, 0.0), 1.0)


@kept
def foresee(boards, views, worlds, states, log, mask, works, results, candidates, active, thoughts, key0, key1, first, last, turns, wins):
    """Deal worlds `first` to `last` - 1, consistent with the view, and look ahead from every active candidate in each: the same worlds for all.

    `results` has room for one result and a blank one. Writes each candidate's share of the win, expected or certain, and returns how many
    decisions were made.
    """
    board, viewer, made = boards[0], np.int64(views[0].seat), np.int64(0)
    for number in range(first, last):
        supposed_world(boards, views, worlds, thoughts, key0, key1 ^ np.uint64(number))
        for place in range(candidates.shape[0]):
            if active[place]:
                states[0] = worlds[0]
                legal(board, states[0], mask)
                apply(boards, states, log, mask, works, candidates[place])
                made += 1 + play_turns(boards, states, log, mask, works, thoughts[0], viewer, turns)
                if is_over(states[0]):
                    results[0] = results[1]
                    final_count(board, states[0], works[0], results[0])
                    wins[place, number] = share_of_win(states[0], results[0], viewer)
                else:
                    wins[place, number] = promise(board, states[0], thoughts[0], viewer)
    return made
