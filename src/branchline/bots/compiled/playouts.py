"""Play-outs: imagined games, played to the end by quick planners. Search counts how its candidates do in them."""

import numpy as np

from branchline.bots.compiled.beliefs import believe
from branchline.bots.compiled.candidates import list_candidates
from branchline.bots.compiled.policies import PLANNER, choose
from branchline.compiling import kept, rule
from branchline.rules.engine import apply
from branchline.rules.imagination import imagine
from branchline.rules.phases import is_over, legal
from branchline.rules.scoring import final_count

LONGEST = 4000  # decisions; no game of planners comes near


@kept
def begin(boards, views, mask, thoughts, dice, candidates):
    """Write the planner's choice and the other candidates; returns how many there are."""
    best = choose(np.int64(PLANNER), boards[0], views[0], mask, thoughts[0], dice)
    return list_candidates(boards[0], views[0], mask, thoughts[0], best, candidates)


@rule
def play_out(boards, states, log, mask, works, thoughts, dice):
    """Play to the end; returns the number of decisions. In an imagined game nothing is hidden, so no views are needed as in whole games."""
    board, state, made = boards[0], states[0], np.int64(0)
    while not is_over(state) and made < LONGEST:
        decision = choose(np.int64(PLANNER), board, state, mask, thoughts[state.seat], dice)
        apply(boards, states, log, mask, works, decision)
        made += 1
    return made


@rule
def margin(state, result, seat):
    """Points ahead of the best rival."""
    best = np.int64(-10_000)
    for rival in range(state.players):
        if rival != seat:
            best = max(best, np.int64(result.total[rival]))
    return np.int64(result.total[seat]) - best


@rule
def share_of_win(state, result, seat):
    """1 for a win, a half for a win shared by two."""
    winners = np.int64(0)
    for other in range(state.players):
        winners += (result.winners >> other) & 1
    return ((result.winners >> seat) & 1) / max(winners, np.int64(1))


@kept
def supposed_world(boards, views, worlds, thoughts, key0, key1):
    """Deal a world that is consistent with the view and in which rivals hold likely tickets."""
    worlds[0] = views[0]
    imagine(boards[0], worlds[0], key0, key1)
    believe(boards[0], worlds[0], views[0].seat, thoughts[0])


@kept
def try_candidates(
    boards, views, worlds, states, log, mask, works, results, candidates, active, thoughts, fresh, dice, key0, key1, first, last, wins, margins
):
    """Deal worlds `first` to `last` - 1, consistent with the view, and play out every active candidate in each: the same worlds for all.

    `results` has room for one result and a blank one. Writes each candidate's share of the win and margin in each world, and
    returns how many decisions were made.
    """
    board, viewer = boards[0], views[0].seat
    made = np.int64(0)
    for number in range(first, last):
        supposed_world(boards, views, worlds, thoughts, key0, key1 ^ np.uint64(number))
        for place in range(candidates.shape[0]):
            if active[place]:
                states[0] = worlds[0]
                for seat in range(worlds[0].players):
                    thoughts[seat] = fresh[seat]
                legal(board, states[0], mask)
                apply(boards, states, log, mask, works, candidates[place])
                made += 1 + play_out(boards, states, log, mask, works, thoughts, dice)
                results[0] = results[1]
                final_count(board, states[0], works[0], results[0])
                wins[place, number] = share_of_win(states[0], results[0], viewer)
                margins[place, number] = margin(states[0], results[0], viewer)
    return made
