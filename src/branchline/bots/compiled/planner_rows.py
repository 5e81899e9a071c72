"""The planner's rows in the yard: what they earn, and how safe they are from robbery.

A card in the track pile earns points if a ticket needs it; on its way there it lies in the yard, where rivals with more cards can rob it.
"""

import numpy as np

from branchline.bots.compiled.thoughts import INDEX, can
from branchline.compiling import rule
from branchline.rules.bits import nth
from branchline.rules.placing import SINGLES, row_needed
from branchline.rules.sizes import NONE
from branchline.rules.state import NOT_ANNOUNCED, REAL
from branchline.rules.vocabulary.decisions import DONE, PLACE
from branchline.rules.vocabulary.phases import PLACING
from branchline.rules.yards import row_owner, row_size

NEEDED, UNNEEDED, WILD_MOVED, SAFE, ROB_SLOPE, ROB_MOST = (
    INDEX[name] for name in ("needed", "unneeded", "wild_moved", "safe", "rob_slope", "rob_most")
)
ROBBED, IN_HAND, WILD_IN_HAND, CONSUMED = (INDEX[name] for name in ("robbed", "in_hand", "wild_in_hand", "consumed"))
NOTHING = -1_000_000  # the value of placing where nothing can be placed
WILDS_IN_A_ROW = 4  # more are not tried


@rule
def own_turns_left(seen, thoughts):
    """Hundredths of own turns after this one."""
    if seen.last_turns != NOT_ANNOUNCED:
        return np.int64(100) * ((np.int64(seen.last_turns) - 1) // seen.players)
    return 10_000 * np.int64(seen.deck_size[0]) // (np.int64(seen.players) * thoughts.weights[CONSUMED]) + 100


@rule
def known_cards(seen, seat, owner, kind):
    """The cards of a hand that the seat knows: its own, and what everybody knows of the others."""
    return np.int64(seen.hands[owner, kind] if owner == seat else seen.known[owner, kind])


@rule
def hidden_cards(board, seen, rival):
    """How many cards of a rival's hand are hidden: a view says so; in a complete state, as in search, they are counted."""
    if seen.viewer != REAL:
        return np.int64(seen.unseen[rival, 0])
    hidden = np.int64(0)
    for kind in range(board.kinds):
        hidden += np.int64(seen.hands[rival, kind]) - seen.known[rival, kind]
    return hidden


@rule
def unseen_of(board, seen, seat, kind):
    """Cards of a kind that the seat does not see."""
    left = np.int64(board.cards[kind]) - seen.discards[kind]
    for owner in range(seen.players):
        left -= known_cards(seen, seat, owner, kind)
        left -= seen.track[owner, board.colours] if kind == board.wild else np.int64(seen.track[owner, kind]) + seen.yards[owner, kind]
    for space in range(board.row):
        left -= seen.row[space] == kind
    if kind == board.wild:
        for owner in range(seen.players):
            for colour in range(board.colours):
                left -= seen.yard_wilds[owner, colour]
    return left - seen.paid[kind] if seen.phase == PLACING else left


@rule
def count_unseen(board, seen, seat, thoughts):
    """Hundredths of cards of each colour, wilds included, in a hidden card."""
    total, wilds = np.int64(0), unseen_of(board, seen, seat, board.wild)
    for colour in range(board.colours):
        thoughts.share[colour] = unseen_of(board, seen, seat, colour) + wilds
        total += thoughts.share[colour] - wilds
    for colour in range(board.colours):
        thoughts.share[colour] = 100 * max(np.int64(thoughts.share[colour]), np.int64(0)) // max(total + wilds, np.int64(1))


@rule
def weigh_rivals(board, seen, seat, thoughts):
    """Roughly how many hundredths of cards of each colour, wilds included, each rival can rob with."""
    count_unseen(board, seen, seat, thoughts)
    for rival in range(seen.players):
        hidden = hidden_cards(board, seen, rival) if rival != seat else np.int64(0)
        for colour in range(board.colours):
            known = np.int64(seen.known[rival, colour]) + seen.known[rival, board.wild]
            thoughts.threat[rival, colour] = 100 * known + thoughts.share[colour] * hidden


@rule
def danger(seen, rival, colour, size, rows, thoughts):
    """How likely, in percent, is the rival to rob a row of this size in its next turn? If it robs, it picks one of all rows.

    Rivals can also rob each other: together they are no more dangerous than one.
    """
    chance = (np.int64(thoughts.threat[rival, colour]) // (size + 1) - thoughts.weights[SAFE]) * thoughts.weights[ROB_SLOPE] // 100
    return min(max(chance, np.int64(0)), np.int64(thoughts.weights[ROB_MOST])) // (rows * (seen.players - 1))


@rule
def survives(seen, seat, colour, size, rows, thoughts):
    """How likely, in percent, is a row of this size to be there next turn?"""
    chance = np.int64(100)
    for rival in range(seen.players):
        if rival != seat:
            chance = chance * (100 - danger(seen, rival, colour, size, rows, thoughts)) // 100
    return chance


@rule
def rows_in_yard(board, seen, seat):
    rows = np.int64(0)
    for colour in range(board.colours):
        rows += row_size(seen, seat, colour) > 0
    return rows


@rule
def row_value(seen, seat, colour, cards, wilds, rows, turns, thoughts):
    """What a row will earn, card by card, wilds first, while it is not robbed and there are turns."""
    value, chance, size = np.int64(0), np.int64(10_000), cards + wilds
    needed = np.int64(thoughts.lacking[colour])
    for moved in range(cards + wilds):
        if 100 * (moved + 1) > turns:
            break
        chance = chance * survives(seen, seat, colour, size - moved, rows, thoughts) // 100
        worth = thoughts.weights[UNNEEDED]
        if moved < wilds:
            worth = thoughts.weights[WILD_MOVED]
        elif moved - wilds < needed:
            worth = thoughts.weights[NEEDED]
        value += chance * worth // 10_000
    value -= cards * thoughts.weights[IN_HAND] + wilds * thoughts.weights[WILD_IN_HAND]
    owner = row_owner(seen, colour)
    if owner != NONE:
        value += row_size(seen, owner, colour) * thoughts.weights[ROBBED]
    return value


@rule
def full_hand(seen, seat, kind):
    """Cards of a kind in hand, including those being placed."""
    return np.int64(seen.hands[seat, kind]) + (seen.paid[kind] if seen.phase == PLACING else 0)


@rule
def consider_row(board, seen, seat, colour, rows, turns, thoughts):
    """Try every number of cards of the colour, with every number of wilds up to a few."""
    held, wilds, least = full_hand(seen, seat, colour), full_hand(seen, seat, board.wild), np.int64(row_needed(seen, colour))
    if least == NONE or held == 0 or held + wilds < least:
        return
    for cards in range(1, held + 1):
        for extra in range(max(least - cards, np.int64(0)), min(wilds, np.int64(WILDS_IN_A_ROW)) + 1):
            value = row_value(seen, seat, colour, cards, extra, rows, turns, thoughts)
            if value > thoughts.place_value:
                thoughts.place_value = value
                thoughts.place_colour = colour
                thoughts.place_cards = cards
                thoughts.place_wilds = extra


@rule
def best_single(board, seen, seat, rows, turns, chosen, thoughts):
    """The most valuable colour for a single card that has not been chosen yet; or NONE."""
    best, most = np.int64(NONE), np.int64(NOTHING)
    for colour in range(board.colours):
        if (chosen >> colour) & 1 == 0 and full_hand(seen, seat, colour) > 0 and row_owner(seen, colour) == NONE:
            value = row_value(seen, seat, colour, 1, 0, rows, turns, thoughts)
            if value > most:
                best, most = np.int64(colour), value
    return best, most


@rule
def consider_singles(board, seen, seat, rows, turns, thoughts):
    chosen, total = np.int64(0), np.int64(0)
    for _ in range(SINGLES):
        colour, value = best_single(board, seen, seat, rows, turns, chosen, thoughts)
        if colour == NONE:
            return
        chosen |= 1 << colour
        total += value
    if total > thoughts.place_value:
        thoughts.place_value = total
        thoughts.place_colour = NONE
        thoughts.place_singles = chosen


@rule
def find_placing(board, seen, seat, thoughts):
    """Find the best cards to place now; `place_value` stays far below zero if there are none."""
    turns, rows = own_turns_left(seen, thoughts), rows_in_yard(board, seen, seat)
    weigh_rivals(board, seen, seat, thoughts)
    thoughts.place_value = NOTHING
    thoughts.place_colour = NONE
    thoughts.place_singles = 0
    for colour in range(board.colours):
        consider_row(board, seen, seat, colour, rows + 1, turns, thoughts)
    consider_singles(board, seen, seat, rows + SINGLES, turns, thoughts)


@rule
def go_on_placing(board, seen, mask, thoughts):
    """The next card of the best placement. It is worked out again, with the same result: hand and placed cards together are unchanged."""
    seat = seen.seat
    find_placing(board, seen, seat, thoughts)
    colour = np.int64(thoughts.place_colour)
    if colour == NONE:
        for single in range(board.colours):
            if (thoughts.place_singles >> single) & 1 and seen.paid[single] == 0 and can(board, mask, PLACE, single):
                return np.int64(board.starts[PLACE] + single)
    elif seen.paid[colour] < thoughts.place_cards and can(board, mask, PLACE, colour):
        return np.int64(board.starts[PLACE] + colour)
    elif seen.paid[board.wild] < thoughts.place_wilds and can(board, mask, PLACE, board.wild):
        return np.int64(board.starts[PLACE] + board.wild)
    return np.int64(board.starts[DONE]) if can(board, mask, DONE, 0) else nth(mask, 0)


@rule
def first_placed(thoughts):
    if thoughts.place_colour != NONE:
        return np.int64(thoughts.place_colour)
    colour = np.int64(0)
    while (thoughts.place_singles >> colour) & 1 == 0:
        colour += 1
    return colour
