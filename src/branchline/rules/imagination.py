"""Imagined games: what a view leaves out, dealt anew at random, in agreement with everything its viewer has seen.

Search plays on imagined games, never on the real one or its generator. Every way in which the hidden cards and tickets
can lie is possible, and hidden cards are dealt as fairly as the real ones were.
"""

import numpy as np

from branchline.modes import entry, rule
from branchline.rules.bits import count, put
from branchline.rules.cards import draw_card
from branchline.rules.chance import roll
from branchline.rules.sizes import NONE, SEATS
from branchline.rules.state import OPENING, REAL

IN_DECK = np.uint8(1 << SEATS)  # marks a ticket just put into the imagined deck, whose place nobody knows


@rule
def cards_in_sight(board, state, kind):
    """Cards of a kind that the view shows."""
    seen = np.int64(state.discards[kind]) + state.paid[kind] + state.laid[kind] + state.revealed[kind]
    for seat in range(state.players):
        seen += state.hands[seat, kind]
    for space in range(board.row):
        if state.row[space] == kind:
            seen += 1
    return seen


@rule
def deal_cards(board, state, log):
    """All cards out of sight make one deck, from which the hidden part of each hand is dealt."""
    for deck in range(board.decks):
        state.deck_size[deck] = 0
    for kind in range(board.kinds):
        state.deck[kind] = board.cards[kind] - cards_in_sight(board, state, kind)
        state.deck_size[board.deck_of[kind]] += state.deck[kind]
    for seat in range(state.players):
        for deck in range(board.decks):
            while state.unseen[seat, deck] > 0:
                state.hands[seat, draw_card(board, state, log, deck)] += 1
                state.unseen[seat, deck] -= 1


@rule
def unknown_ticket(state, first, end):
    """A random one of the tickets from `first` up to `end` that have no place yet."""
    unknown = 0
    for ticket in range(first, end):
        if state.knows[ticket] == 0:
            unknown += 1
    which = roll(state, unknown)
    ticket = first - 1
    while which >= 0:
        ticket += 1
        if state.knows[ticket] == 0:
            which -= 1
    return ticket


@rule
def give_ticket(state, seat, first, end):
    ticket = unknown_ticket(state, first, end)
    state.knows[ticket] = np.uint8(1 << seat)
    put(state.tickets[seat], ticket)


@rule
def deal_long_tickets(board, state, seat):
    """Long tickets come only from set-up. Of those a seat was dealt then, it kept as fair a share as of the others; return how many."""
    given = 0
    kept, offered = np.int64(state.opening_kept[seat]), np.int64(board.opening_long + board.opening_offer)
    for _ in range(board.opening_long):
        if roll(state, offered) < kept:
            give_ticket(state, seat, 0, board.long_tickets)
            given += 1
            kept -= 1
        offered -= 1
    return given


@rule
def deal_held_tickets(board, state, seat):
    hidden = state.ticket_count[seat] - count(state.tickets[seat])
    if hidden > 0:
        hidden -= deal_long_tickets(board, state, seat)
    for _ in range(hidden):
        give_ticket(state, seat, board.long_tickets, board.tickets)


@rule
def deal_offer(board, state, seat):
    for i in range(state.offer_size[seat]):
        if state.offer[seat, i] == NONE:
            long = state.phase == OPENING and i < board.opening_long
            first, end = (np.int64(0), np.int64(board.long_tickets)) if long else (np.int64(board.long_tickets), np.int64(board.tickets))
            ticket = unknown_ticket(state, first, end)
            state.knows[ticket] = np.uint8(1 << seat)
            state.offer[seat, i] = ticket


@rule
def deal_ticket_deck(board, state):
    for place in range(state.queue_size):
        if state.queue[place] == NONE:
            state.queue[place] = unknown_ticket(state, board.long_tickets, board.tickets)
            state.knows[state.queue[place]] = IN_DECK
    for ticket in range(board.tickets):
        if state.knows[ticket] == IN_DECK:
            state.knows[ticket] = 0


@rule
def bits_in(mask):
    total = 0
    while mask > 0:
        total += mask & 1
        mask >>= 1
    return total


@rule
def choose_for(board, state, seat):
    """A seat that has made its opening choice made some choice, any it could."""
    kept = np.int64(0)
    while bits_in(kept) < board.opening_keep:
        kept = roll(state, 1 << np.int64(state.offer_size[seat]))
    state.kept[seat] = kept


@entry
def imagine(board, state, log, key0, key1):
    """Turn a view into a whole state, with a generator of its own."""
    viewer = state.viewer
    state.viewer = REAL
    state.key[0] = key0
    state.key[1] = key1
    state.rolls = np.uint64(0)
    deal_cards(board, state, log)
    for seat in range(state.players):
        if seat != viewer:
            deal_held_tickets(board, state, seat)
            deal_offer(board, state, seat)
            if state.phase == OPENING and seat < state.seat:
                choose_for(board, state, seat)
    deal_ticket_deck(board, state)
