"""Imagined games: what a view leaves out, dealt anew at random, in agreement with what its viewer has seen.

Search plays on imagined games, never on the real one or its generator. Agreed with are: every card in sight, cards that others took openly, what
the deck can still hold (it is formed in the open, and the viewer knows its own draws), tickets whose place the viewer knows, who was
dealt long tickets, and that a seat which faces a tunnel can pay for it. Two things that a perfect memory would add are not kept: which of several
other seats drew which card since the last reshuffle, and that a ticket the viewer once returned is with the seat that later split an offer with it.
Every world that agrees with all this can come up.
"""

import numpy as np

from branchline.modes import kept, rule
from branchline.rules.bits import count, has, put
from branchline.rules.chance import roll
from branchline.rules.sizes import NONE, SEATS
from branchline.rules.state import OPENING, REAL, TUNNEL

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
def pool_cards(board, state):
    """All cards out of sight, for the time being, are the deck."""
    for kind in range(board.kinds):
        state.deck[kind] = board.cards[kind] - cards_in_sight(board, state, kind)


@rule
def deal_card(board, state, seat, kind):
    """A card out of sight goes to a hand."""
    state.deck[kind] -= 1
    state.hands[seat, kind] += 1
    state.unseen[seat, board.deck_of[kind]] -= 1


@rule
def affordable(board, state, seat, colour):
    cards = np.int64(state.hands[seat, board.wild])
    if colour != board.wild:
        cards += state.hands[seat, colour]
    return cards


@rule
def excess_of(state, viewer, kind):
    """Cards out of sight that cannot be in the deck, so that they are in hands."""
    most = np.int64(state.deck_most[kind])
    if viewer < SEATS:
        most -= state.drawn[viewer, kind]
    return max(np.int64(state.deck[kind]) - most, np.int64(0))


@rule
def hidden_in(state, deck):
    total = np.int64(0)
    for seat in range(state.players):
        total += state.unseen[seat, deck]
    return total


@rule
def deal_to_any(board, state, kind):
    """Deal a card to some seat that still lacks cards of its deck, each place as likely as the other."""
    deck = board.deck_of[kind]
    place = roll(state, hidden_in(state, deck))
    seat = -1
    while place >= 0:
        seat += 1
        place -= state.unseen[seat, deck]
    deal_card(board, state, seat, kind)


@rule
def random_kind(board, state, deck):
    """The kind of a random card out of sight."""
    total = np.int64(0)
    for kind in range(board.kinds):
        if board.deck_of[kind] == deck:
            total += state.deck[kind]
    which = roll(state, total)
    kind = -1
    while which >= 0:
        kind += 1
        if board.deck_of[kind] == deck:
            which -= state.deck[kind]
    return kind


@rule
def deal_tunnel_payment(board, state, viewer):
    """A seat that faces a tunnel could pay for it, or the engine would have abandoned it."""
    seat, colour, wild = state.seat, np.int64(state.pay_colour), np.int64(board.wild)
    while affordable(board, state, seat, colour) < state.owed:
        colours = cards_to_spare(board, state, viewer, colour) if colour != wild else np.int64(0)
        wilds = cards_to_spare(board, state, viewer, wild)
        deal_card(board, state, seat, colour if roll(state, colours + wilds) < colours else wild)


@rule
def cards_to_spare(board, state, viewer, kind):
    """Cards out of sight of a kind that can be dealt, with room left in the hands for all that cannot be in the deck."""
    deck = board.deck_of[kind]
    room = hidden_in(state, deck)
    for other in range(board.kinds):
        if board.deck_of[other] == deck:
            room -= excess_of(state, viewer, other)
    return np.int64(state.deck[kind]) if room > 0 or excess_of(state, viewer, kind) > 0 else np.int64(0)


@rule
def deal_cards(board, state, viewer):
    """Deal the hidden part of each hand: first the cards that cannot be in the deck, then any."""
    pool_cards(board, state)
    if state.phase == TUNNEL and state.seat != viewer:
        deal_tunnel_payment(board, state, viewer)
    for kind in range(board.kinds):
        for _ in range(excess_of(state, viewer, kind)):
            deal_to_any(board, state, kind)
    for deck in range(board.decks):
        while hidden_in(state, deck) > 0:
            deal_to_any(board, state, random_kind(board, state, deck))


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
    for ticket in range(board.tickets):
        if has(state.tickets[seat], ticket):
            state.knows[ticket] |= np.uint8(1 << seat)
    hidden = state.ticket_count[seat] - count(state.tickets[seat])
    if hidden > 0:
        hidden -= deal_long_tickets(board, state, seat)
    for _ in range(hidden):
        give_ticket(state, seat, board.long_tickets, board.tickets)


@rule
def deal_offer(board, state, seat):
    for i in range(state.offer_size[seat]):
        if state.offer[seat, i] != NONE:
            state.knows[state.offer[seat, i]] |= np.uint8(1 << seat)
        else:
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


@kept
def imagine(board, state, key0, key1):
    """Turn a view into a whole state, with a generator of its own."""
    viewer = state.viewer
    state.viewer = REAL
    state.key[0] = key0
    state.key[1] = key1
    state.rolls = np.uint64(0)
    deal_cards(board, state, viewer)
    for seat in range(state.players):
        if seat != viewer:
            deal_held_tickets(board, state, seat)
            deal_offer(board, state, seat)
            if state.phase == OPENING and seat < state.seat:
                choose_for(board, state, seat)
    deal_ticket_deck(board, state)
