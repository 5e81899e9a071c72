"""Tickets completed with the cards of a track pile: CG-18. The best choice of them: best_tickets.py.

A ticket needs cards of certain colours; wilds stand for any, and each card counts for one ticket. So a set of tickets can be completed if the
wilds make up for all the coloured cards that the pile lacks.
"""

import numpy as np

from branchline.compiling import rule
from branchline.rules.at_once import all_choose, next_to_choose
from branchline.rules.bits import EMPTY, has, next_in, put
from branchline.rules.cards import discard
from branchline.rules.log import emit
from branchline.rules.sizes import NONE
from branchline.rules.state import TICKETS_OTHERWISE
from branchline.rules.vocabulary.events import COMPLETE_TICKETS
from branchline.rules.vocabulary.fields import CARD_ROW, COMPLETED_ROW


@rule
def spend(board, pile, ticket, times):
    """Take a ticket's cards off the pile, or put them back (-1). Wilds make up for a colour that falls below zero."""
    for colour in range(board.colours):
        pile[colour] -= times * board.ticket_cards[ticket, colour]


@rule
def wilds_lacking(board, pile):
    """True if the wilds cannot make up for everything the pile lacks."""
    lacking = np.int64(0)
    for colour in range(board.colours):
        lacking -= min(np.int64(pile[colour]), np.int64(0))
    return lacking > pile[board.colours]


@rule
def take(board, pile, ticket):
    """Spend a ticket's cards if possible."""
    spend(board, pile, ticket, 1)
    if wilds_lacking(board, pile):
        spend(board, pile, ticket, -1)
        return False
    return True


@rule
def fits(board, pile, ticket):
    """Can a ticket be completed with the pile?"""
    if not take(board, pile, ticket):
        return False
    spend(board, pile, ticket, -1)
    return True


@rule
def spend_chosen(board, state, seat, times):
    """Take the cards of all chosen tickets off the pile, or put them back (-1)."""
    ticket = next_in(state.chosen[seat], NONE)
    while ticket != NONE:
        spend(board, state.track[seat], ticket, times)
        ticket = next_in(state.chosen[seat], ticket)


@rule
def can_add(board, state, seat, ticket):
    """Can a ticket be completed in addition to those chosen?"""
    spend_chosen(board, state, seat, 1)
    possible = fits(board, state.track[seat], ticket)
    spend_chosen(board, state, seat, -1)
    return possible


@rule
def by_hand(board, state):
    """CG-19: do players choose the tickets they complete?"""
    return (board.choose_tickets == 1) != (state.options & TICKETS_OTHERWISE != 0)


@rule
def last_chosen(board, tickets):
    """The chosen ticket with the highest number: choices are made in the order of the numbers."""
    ticket = board.tickets - 1
    while ticket >= 0 and not has(tickets, ticket):
        ticket -= 1
    return ticket


@rule
def completes_something(board, state, seat):
    ticket = next_in(state.tickets[seat], NONE)
    while ticket != NONE and not fits(board, state.track[seat], ticket):
        ticket = next_in(state.tickets[seat], ticket)
    return ticket != NONE


@rule
def begin_completion(board, state):
    """Seats that can complete tickets choose them simultaneously. If no seat can, each is asked in turn for nothing."""
    all_choose(state)
    if by_hand(board, state):
        for seat in range(state.players):
            if not completes_something(board, state, seat):
                state.decided |= np.uint8(1 << seat)
        if next_to_choose(state) == state.players:
            all_choose(state)
        state.seat = next_to_choose(state)


@rule
def use_cards(board, state, log, seat, ticket):
    """Discard cards of the colour while there are any, then wilds."""
    for colour in range(board.colours):
        needed = np.int64(board.ticket_cards[ticket, colour])
        of_colour = min(needed, np.int64(state.track[seat, colour]))
        use_kind(board, state, log, seat, colour, np.int64(board.kinds_of[0, colour, 0]), of_colour)
        use_kind(board, state, log, seat, board.colours, board.wild, needed - of_colour)


@rule
def use_kind(board, state, log, seat, place, kind, number):
    if number > 0:
        state.track[seat, place] -= number
        discard(board, state, kind, number)
        emit(log, CARD_ROW, NONE, kind, number)


@rule
def complete_chosen(board, state, log, seat):
    """Set the chosen tickets aside, face up, with their points."""
    emit(log, COMPLETE_TICKETS, seat, 0, 0)
    for ticket in range(board.tickets):
        if has(state.chosen[seat], ticket):
            emit(log, COMPLETED_ROW, NONE, ticket, 0)
            use_cards(board, state, log, seat, ticket)
            put(state.completed[seat], ticket)
            state.ticket_count[seat] -= 1
            state.knows[ticket] = np.uint8((1 << state.players) - 1)
    for word in range(state.chosen.shape[1]):
        state.tickets[seat, word] &= ~state.chosen[seat, word]
        state.chosen[seat, word] = EMPTY
