"""Tickets offered, kept and returned: EU-4 to EU-6, EU-28, EU-29, LO-4, LO-13, WO-4, WO-21, CG-3, CG-16, G-10, G-11."""

import numpy as np

from branchline.compiling import rule
from branchline.rules.at_once import all_choose, was_last_choice
from branchline.rules.bits import put
from branchline.rules.board import TO_BOTTOM, TO_BOX, TO_DECK
from branchline.rules.chance import roll
from branchline.rules.log import emit
from branchline.rules.sizes import NONE
from branchline.rules.supply import begin_supply
from branchline.rules.turns import end_turn
from branchline.rules.vocabulary.decisions import DRAW_TICKETS, KEEP, RETURN, allow
from branchline.rules.vocabulary.events import KEEP_TICKETS, OFFER_TICKETS
from branchline.rules.vocabulary.fields import KEPT_ROW, OFFERED_ROW, RETURNED_ROW
from branchline.rules.vocabulary.phases import OPENING, TICKETS_OFFERED


@rule
def lay_ticket_deck(state, first, end):
    """Shuffle the tickets from `first` up to `end` into the ticket deck."""
    state.queue_size = end - first
    for place in range(end - first):
        other = roll(state, place + 1)
        state.queue[place] = state.queue[other]
        state.queue[other] = first + place


@rule
def draw_tickets(state, seat, number):
    """Add the top tickets of the deck to the seat's offer."""
    for i in range(number):
        ticket = state.queue[i]
        state.offer[seat, state.offer_size[seat]] = ticket
        state.offer_size[seat] += 1
        state.knows[ticket] |= np.uint8(1 << seat)
    state.queue_size -= number
    for place in range(state.queue_size):
        state.queue[place] = state.queue[place + number]
    for place in range(number):
        state.queue[state.queue_size + place] = NONE


@rule
def announce_offer(state, log, seat, keep):
    emit(log, OFFER_TICKETS, seat, keep, 0)
    for i in range(state.offer_size[seat]):
        emit(log, OFFERED_ROW, NONE, state.offer[seat, i], 0)


@rule
def offer_opening_tickets(board, state, log):
    """EU-4, EU-5, LO-4: offer the first tickets. Long tickets that were not dealt leave the game unseen."""
    lay_ticket_deck(state, 0, board.long_tickets)
    for seat in range(state.players):
        draw_tickets(state, seat, board.opening_long)
    lay_ticket_deck(state, board.long_tickets, board.tickets)
    for place in range(state.queue_size, board.long_tickets):
        state.queue[place] = NONE
    for seat in range(state.players):
        draw_tickets(state, seat, board.opening_offer)
        announce_offer(state, log, seat, board.opening_keep)
    state.phase = OPENING
    all_choose(state)


@rule
def legal_ticket_draw(board, state, mask):
    if state.queue_size > 0:
        allow(board, mask, DRAW_TICKETS, 0)


@rule
def begin_ticket_draw(board, state, log):
    """EU-28: the usual number, or whatever is left."""
    draw_tickets(state, state.seat, min(board.offer, state.queue_size))
    announce_offer(state, log, state.seat, must_keep(state, state.seat, board.keep))
    state.phase = TICKETS_OFFERED


@rule
def must_keep(state, seat, keep):
    return min(np.int64(keep), np.int64(state.offer_size[seat]))


@rule
def legal_keep(board, state, mask):
    """The next offered ticket can be kept, and returned if enough others are left to keep."""
    seat = state.seat
    at = state.offer_at[seat]
    ticket = state.offer[seat, at]
    allow(board, mask, KEEP, ticket)
    keep = board.opening_keep if state.phase == OPENING else board.keep
    kept = np.int64(0)
    for i in range(at):
        kept += (state.kept[seat] >> i) & 1
    if kept + state.offer_size[seat] - at - 1 >= must_keep(state, seat, keep):
        allow(board, mask, RETURN, ticket)


@rule
def choose_ticket(board, state, log, keep):
    seat = state.seat
    if keep:
        state.kept[seat] |= np.uint8(1 << state.offer_at[seat])
    state.offer_at[seat] += 1
    if state.offer_at[seat] == state.offer_size[seat]:
        state.offer_at[seat] = 0
        finish_choice(board, state, log)


@rule
def finish_choice(board, state, log):
    """G-11: at set-up nothing is shown until the last choice is made."""
    if state.phase == TICKETS_OFFERED:
        keep_chosen(state, log, state.seat, TO_BOTTOM)
        end_turn(board, state, log)
    elif was_last_choice(state):
        for seat in range(state.players):
            keep_chosen(state, log, seat, board.opening_to)
            state.opening_kept[seat] = state.ticket_count[seat]
        if board.opening_to == TO_DECK:
            shuffle_ticket_deck(state)
        begin_supply(board, state, log)


@rule
def keep_chosen(state, log, seat, to):
    emit(log, KEEP_TICKETS, seat, to, 0)
    for i in range(state.offer_size[seat]):
        if is_kept(state, seat, i):
            keep_ticket(state, log, seat, state.offer[seat, i])
    for i in range(state.offer_size[seat]):
        if not is_kept(state, seat, i):
            return_ticket(state, log, seat, state.offer[seat, i], to)
    forget_offer(state, seat)


@rule
def is_kept(state, seat, i):
    return (state.kept[seat] >> i) & 1 == 1


@rule
def keep_ticket(state, log, seat, ticket):
    emit(log, KEPT_ROW, NONE, ticket, 0)
    put(state.tickets[seat], ticket)
    state.ticket_count[seat] += 1


@rule
def return_ticket(state, log, seat, ticket, to):
    """EU-29, G-10: to the bottom, in the order they were drawn."""
    emit(log, RETURNED_ROW, NONE, ticket, 0)
    if to != TO_BOX:
        state.queue[state.queue_size] = ticket
        state.queue_size += 1
        state.returned_by[ticket] |= np.uint8(1 << seat)


@rule
def shuffle_ticket_deck(state):
    """CG-3: nobody knows where any ticket is any more."""
    for place in range(state.queue_size):
        other = roll(state, place + 1)
        ticket = state.queue[place]
        state.queue[place] = state.queue[other]
        state.queue[other] = ticket
    for place in range(state.queue_size):
        state.knows[state.queue[place]] = np.uint8(0)


@rule
def forget_offer(state, seat):
    """A seat that saw a ticket go to the bottom loses sight of it once another seat keeps part of an offer and returns the rest."""
    split = state.kept[seat] != np.uint8(0) and state.kept[seat] != np.uint8((1 << state.offer_size[seat]) - 1)
    for i in range(state.offer_size[seat]):
        if split:
            state.knows[state.offer[seat, i]] = np.uint8(1 << seat)
        state.offer[seat, i] = NONE
    state.offer_size[seat] = 0
    state.kept[seat] = np.uint8(0)
