"""Greedy with a yard: takes and places the cards that its tickets need, and ignores everything else."""

import numpy as np

from branchline.bots.compiled.completing import choose_completed
from branchline.bots.compiled.thoughts import can
from branchline.compiling import rule
from branchline.rules.bits import has, nth
from branchline.rules.sizes import NONE
from branchline.rules.state import NOT_ANNOUNCED
from branchline.rules.vocabulary.decisions import DONE, DRAW, DRAW_TICKETS, KEEP, PLACE, RETURN, TAKE
from branchline.rules.vocabulary.phases import ACTION, COMPLETING, OPENING, PLACING, SECOND_CARD, TICKETS_OFFERED

ROOM_FOR_TICKETS = 6  # spare cards within reach that make new tickets welcome


@rule
def within_reach(board, seen, seat):
    """Cards that can still reach the track pile: two thirds of the hand and of a fair share of the deck."""
    cards = np.int64(seen.deck_size[0]) // seen.players
    for kind in range(board.kinds):
        cards += seen.hands[seat, kind]
    return cards * 2 // 3


@rule
def still_needed(board, seen, seat, colour):
    """Cards of a colour that the tickets in hand need and that are neither in the yard nor in the track pile."""
    needed = -(np.int64(seen.yards[seat, colour]) + seen.track[seat, colour])
    for ticket in range(board.tickets):
        if has(seen.tickets[seat], ticket):
            needed += board.ticket_cards[ticket, colour]
    return max(needed, np.int64(0))


@rule
def all_needed(board, seen, seat):
    """Cards of all colours still needed, less the wilds that are on their way."""
    needed = -np.int64(seen.track[seat, board.colours])
    for colour in range(board.colours):
        needed += still_needed(board, seen, seat, colour) - seen.yard_wilds[seat, colour]
    return needed


@rule
def cards_kept(board, seen, seat):
    """Cards of the tickets kept so far from an offer."""
    cards = np.int64(0)
    for i in range(seen.offer_at[seat]):
        if (seen.kept[seat] >> i) & 1:
            cards += board.ticket_size[seen.offer[seat, i]]
    return cards


@rule
def choose_yard_tickets(board, seen, mask):
    """Keep the tickets there will be cards for."""
    seat = seen.seat
    ticket = seen.offer[seat, seen.offer_at[seat]]
    if not can(board, mask, RETURN, ticket):
        return board.starts[KEEP] + ticket
    cards = all_needed(board, seen, seat) + cards_kept(board, seen, seat) + board.ticket_size[ticket]
    return board.starts[KEEP if cards <= within_reach(board, seen, seat) else RETURN] + ticket


@rule
def use_of(board, seen, colour):
    """How many of a colour's cards in hand the tickets need."""
    return min(np.int64(seen.hands[seen.seat, colour]), still_needed(board, seen, seen.seat, colour))


@rule
def most_useful(board, seen, mask, first):
    """The colour, from `first` on, whose card can be placed and is needed most; or NONE."""
    best, most = np.int64(NONE), np.int64(0)
    for colour in range(first, board.colours):
        if can(board, mask, PLACE, colour) and use_of(board, seen, colour) > most:
            best, most = np.int64(colour), use_of(board, seen, colour)
    return best


@rule
def choose_card(board, seen, mask):
    """Draw a face-up card that is needed and not in hand, a face-up wild, or blind."""
    best, most = np.int64(NONE), np.int64(0)
    for space in range(board.row):
        if can(board, mask, TAKE, space):
            kind = seen.row[space]
            missing = np.int64(1)
            if kind != board.wild:
                missing = 2 * (still_needed(board, seen, seen.seat, kind) - seen.hands[seen.seat, kind])
            if missing > most:
                best, most = np.int64(board.starts[TAKE] + space), missing
    if best != NONE:
        return best
    return np.int64(board.starts[DRAW]) if can(board, mask, DRAW, 0) else nth(mask, 0)


@rule
def choose_yard_action(board, seen, mask):
    colour = most_useful(board, seen, mask, 0)
    if colour != NONE:
        return np.int64(board.starts[PLACE] + colour)
    room = within_reach(board, seen, seen.seat) - all_needed(board, seen, seen.seat)
    if room >= ROOM_FOR_TICKETS and seen.last_turns == NOT_ANNOUNCED and can(board, mask, DRAW_TICKETS, 0):
        return np.int64(board.starts[DRAW_TICKETS])
    return choose_card(board, seen, mask)


@rule
def choose_next_place(board, seen, mask):
    """Place as many of the colour as are needed, then wilds while anything is needed; or other colours, for three single cards."""
    placed = np.int64(NONE)
    for colour in range(board.colours):
        if seen.paid[colour] > 0:
            placed = np.int64(colour)
    if can(board, mask, PLACE, placed) and seen.paid[placed] < still_needed(board, seen, seen.seat, placed):
        return np.int64(board.starts[PLACE] + placed)
    if can(board, mask, PLACE, board.wild) and all_needed(board, seen, seen.seat) > seen.paid[placed] + seen.paid[board.wild]:
        return np.int64(board.starts[PLACE] + board.wild)
    other = most_useful(board, seen, mask, placed + 1)
    if other != NONE:
        return np.int64(board.starts[PLACE] + other)
    if can(board, mask, DONE, 0):
        return np.int64(board.starts[DONE])
    return nth(mask, 0)


@rule
def choose_with_yard(board, seen, mask, thoughts):
    if seen.phase == ACTION:
        return choose_yard_action(board, seen, mask)
    if seen.phase == SECOND_CARD:
        return choose_card(board, seen, mask)
    if seen.phase == OPENING or seen.phase == TICKETS_OFFERED:
        return np.int64(choose_yard_tickets(board, seen, mask))
    if seen.phase == PLACING:
        return choose_next_place(board, seen, mask)
    if seen.phase == COMPLETING:
        return choose_completed(board, seen, thoughts)
    return nth(mask, 0)
