"""Whims: how `learned` plays below its strength, as people do and not as dice do. Levels for people set how much of it (levels.toml).

- It takes a fancy to things. For some turns a route, a colour or a ticket is worth more to it than it is, or less, so it takes detours and changes
  its mind. The fancies are the same for all decisions of those turns.
- It is shy: it would rather draw another card than claim a route or place cards.
- It forgets: for some turns it does not think of a ticket that it holds.

All of this follows from the seed, the seat, the turn and what is seen, so the same view brings the same decision.
"""

import numpy as np

from branchline.bots.compiled.completing import choose_completed
from branchline.bots.compiled.network import ADDRESS, FRACTION, LOWEST, ROOM_ADDRESS, SCALE_BITS, address_in, best, score, see, think
from branchline.bots.compiled.thoughts import INDEX
from branchline.compiling import lowest, rule
from branchline.compiling.vectors import long_at
from branchline.rules.bits import EMPTY, drop_lowest, first, has
from branchline.rules.chance import siphash
from branchline.rules.vocabulary.decisions import BUILD, CLAIM, PLACE, TAKE
from branchline.rules.vocabulary.phases import ACTION, COMPLETING, OPENING, SECOND_CARD, TICKETS_OFFERED
from branchline.rules.vocabulary.phases import SUPPLY as CHOOSING_SUPPLY

WHIMS, SHY, FORGETS, HELD_AT = (INDEX[name] for name in ("whims", "shy", "forgets", "held_at"))
FANCY_LASTS, LAPSE_LASTS = 5, 8  # own turns
OF_KINDS, OF_TICKETS = 1 << 19, 1 << 20  # kinds of cards and tickets have numbers after all decisions
PIECES, MEAN, SPREAD = 4, 2 * 65535, 37837  # the sum of four numbers below 65536: how many, its mean, and its standard deviation
HUNDREDTHS = 100
SPARE = 6  # binary places left out in between, so that nothing overflows


@rule
def drawn(seen, dice, lasts, what):
    """64 bits of chance about something, the same for some turns."""
    period = np.uint64(np.int64(seen.turn) // np.int64(seen.players) // lasts)
    return siphash(dice[0], dice[1], np.uint64(seen.seat) << np.uint64(56) | period << np.uint64(40) | np.uint64(what))


@rule
def fancy(seen, dice, what):
    """How much it likes something now: about normally distributed around 0, in units of 1 / SPREAD."""
    word, total = drawn(seen, dice, FANCY_LASTS, what), np.int64(0)
    for piece in range(PIECES):
        total += np.int64((word >> np.uint64(16 * piece)) & np.uint64(0xFFFF))
    return total - MEAN


@rule
def meant(board, seen, decision):
    """What a decision is about: of a face-up card its kind, not its place."""
    if board.block_of[decision] == TAKE:
        return np.int64(OF_KINDS) + seen.row[decision - board.starts[TAKE]]
    return np.int64(decision)


@rule
def forget(board, seen, room, thoughts, dice):
    """Leave out some of its own tickets from what it sees."""
    for ticket in range(board.tickets):
        if has(seen.tickets[seen.seat], ticket):
            chance = drawn(seen, dice, LAPSE_LASTS, OF_TICKETS + ticket) % np.uint64(HUNDREDTHS)
            if np.int64(chance) < thoughts.weights[FORGETS]:
                room.row[thoughts.weights[HELD_AT] + ticket] = 0


@rule
def is_of_taste(phase):
    """Are there whims about it? Not about how to pay."""
    return phase == ACTION or phase == SECOND_CARD or phase == OPENING or phase == TICKETS_OFFERED or phase == CHOOSING_SUPPLY


@rule
def liked(net, board, seen, room, thoughts, dice, decision):
    """A decision's score, and what it fancies."""
    one, block = np.int64(1) << (SCALE_BITS + long_at(net, FRACTION)), board.block_of[decision]
    whim = fancy(seen, dice, meant(board, seen, decision)) * thoughts.weights[WHIMS] * (one >> SPARE)
    found = score(net, room, decision) + whim // ((SPREAD * HUNDREDTHS) >> SPARE)
    if block == CLAIM or block == BUILD or block == PLACE:
        found -= thoughts.weights[SHY] * (one // HUNDREDTHS)
    return found


@rule
def most_liked(net, board, seen, room, mask, thoughts, dice):
    chosen, highest = np.int64(first(mask)), np.int64(LOWEST)
    for place in range(mask.shape[0]):
        word = mask[place]
        while word != EMPTY:
            decision = np.int64(64 * place + lowest(word))
            found = liked(net, board, seen, room, thoughts, dice, decision)
            if found > highest:
                chosen, highest = decision, found
            word = drop_lowest(word)
    return chosen


@rule
def choose_learned(board, seen, mask, thoughts, dice):
    """The decision that the network prefers, or that it fancies; which tickets to complete is counted, not felt."""
    if seen.phase == COMPLETING:
        return choose_completed(board, seen, thoughts)
    net = address_in(thoughts, ADDRESS)
    room = see(net, board, seen, np.int64(seen.seat), address_in(thoughts, ROOM_ADDRESS))
    if thoughts.weights[FORGETS] != 0:
        forget(board, seen, room, thoughts, dice)
    think(net, room)
    if (thoughts.weights[WHIMS] != 0 or thoughts.weights[SHY] != 0) and is_of_taste(seen.phase):
        return most_liked(net, board, seen, room, mask, thoughts, dice)
    return best(net, room, mask)
