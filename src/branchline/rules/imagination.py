"""Imagined games: what a view leaves out is dealt again at random, consistent with what its viewer has seen.

Search plays on imagined games, never on the real one or its generator. They respect every card in sight, cards that others took openly, what
the deck can still hold (it is formed in the open, and the viewer knows its own draws), tickets whose place the viewer knows, who was dealt long
tickets or can hold what the viewer returned to the deck, that a seat facing a tunnel can pay for it, and that a seat choosing the tickets it
completes has one to choose. Three things that a perfect memory would add are not kept: which of several other seats drew which card since the last
reshuffle, that a ticket the viewer once returned is with the seat that later split an offer with it, and that a seat choosing an action when
neither cards nor tickets can be drawn must have two others.
Every world consistent with all this can come up.
"""

import numpy as np

from branchline.compiling import kept, rule
from branchline.rules.at_once import has_decided
from branchline.rules.bits import count, has, put
from branchline.rules.chance import roll
from branchline.rules.sizes import NONE, SEATS
from branchline.rules.state import REAL
from branchline.rules.supply import TRAINS, fewest_trains
from branchline.rules.track_tickets import can_add
from branchline.rules.vocabulary.phases import COMPLETING, OPENING, SUPPLY, TUNNEL

IN_DECK = np.uint8(1 << SEATS)  # marks a ticket just put into the imagined deck, at a place nobody knows


@rule
def cards_in_sight(board, state, kind):
    """Cards of a kind that the view shows."""
    seen = np.int64(state.discards[kind]) + state.paid[kind] + state.laid[kind] + state.revealed[kind]
    for seat in range(state.players):
        seen += state.hands[seat, kind]
    for space in range(board.row):
        if state.row[space] == kind:
            seen += 1
    if board.yards:
        seen += cards_in_yards(board, state, kind)
    return seen


@rule
def cards_in_yards(board, state, kind):
    """Cards of a kind in yards and track piles."""
    seen = np.int64(0)
    for seat in range(state.players):
        if kind < board.wild:
            seen += np.int64(state.yards[seat, board.colour_of[kind]]) + state.track[seat, board.colour_of[kind]]
        else:
            seen += state.track[seat, board.colours]
            for colour in range(board.colours):
                seen += state.yard_wilds[seat, colour]
    return seen


@rule
def pool_cards(board, state):
    """For now, all cards out of sight are the deck."""
    for kind in range(board.kinds):
        state.deck[kind] = board.cards[kind] - cards_in_sight(board, state, kind)


@rule
def deal_card(board, state, seat, kind):
    """Move a card out of sight to a hand."""
    state.deck[kind] -= 1
    state.hands[seat, kind] += 1
    state.unseen[seat, board.deck_of[kind]] -= 1


@rule
def pays_tunnel(board, state, kind):
    """Can a card of this kind be added to the tunnel the seat faces?"""
    of_colour = board.colour_of[kind] == state.pay_colour and board.deck_of[kind] == state.pay_deck
    return kind == board.wild or (of_colour and state.pay_colour != NONE)


@rule
def affordable(board, state, seat):
    cards = np.int64(0)
    for kind in range(board.kinds):
        if pays_tunnel(board, state, kind):
            cards += state.hands[seat, kind]
    return cards


@rule
def excess_of(state, viewer, kind):
    """Cards out of sight that cannot be in the deck, so they are in hands."""
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
    """Deal a card to a seat that still lacks cards of its deck, each place equally likely."""
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
    """A seat that faces a tunnel can pay for it, or the engine would have abandoned it."""
    while affordable(board, state, state.seat) < state.owed:
        fitting = np.int64(0)
        for kind in range(board.kinds):
            if pays_tunnel(board, state, kind):
                fitting += cards_to_spare(board, state, viewer, kind)
        which = roll(state, fitting)
        kind = -1
        while which >= 0:
            kind += 1
            if pays_tunnel(board, state, kind):
                which -= cards_to_spare(board, state, viewer, kind)
        deal_card(board, state, state.seat, kind)


@rule
def cards_to_spare(board, state, viewer, kind):
    """Cards out of sight of a kind that can be dealt while leaving room in hands for all that cannot be in the deck."""
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
def has_no_place(state, ticket, fresh):
    """Is a ticket still to be dealt? `fresh`: only if the viewer did not return it to the deck."""
    return state.knows[ticket] == 0 and (state.returned_by[ticket] == 0 or not fresh)


@rule
def unknown_ticket(state, first, end, fresh):
    """A random ticket from `first` up to `end` that has no place yet."""
    unknown = 0
    for ticket in range(first, end):
        if has_no_place(state, ticket, fresh):
            unknown += 1
    which = roll(state, unknown)
    ticket = first - 1
    while which >= 0:
        ticket += 1
        if has_no_place(state, ticket, fresh):
            which -= 1
    return ticket


@rule
def give_ticket(state, seat, first, end, fresh):
    ticket = unknown_ticket(state, first, end, fresh)
    state.knows[ticket] = np.uint8(1 << seat)
    put(state.tickets[seat], ticket)


@rule
def deal_long_tickets(board, state, seat):
    """Long tickets come only from set-up. Assume the seat kept the same share of them as of the others; return how many."""
    given = 0
    kept, offered = np.int64(state.opening_kept[seat]), np.int64(board.opening_long + board.opening_offer)
    for _ in range(board.opening_long):
        if roll(state, offered) < kept:
            give_ticket(state, seat, 0, board.long_tickets, False)
            given += 1
            kept -= 1
        offered -= 1
    return given


@rule
def held_since_set_up(board, state, seat):
    """Tickets in hand that cannot come from a later draw, so the viewer has never returned them to the deck.

    Completed tickets that the viewer once returned came from a later draw and are no longer in hand.
    """
    later = np.int64(state.ticket_count[seat]) - state.opening_kept[seat]
    for ticket in range(board.tickets):
        if has(state.completed[seat], ticket):
            later += 1 if state.returned_by[ticket] == 0 else 0
    return state.ticket_count[seat] - later


@rule
def tickets_hidden(state, seat):
    return state.ticket_count[seat] - count(state.tickets[seat])


@rule
def deal_first_tickets(board, state, seat):
    """Deal the tickets of set-up: long ones, and those the viewer cannot have returned."""
    for ticket in range(board.tickets):
        if has(state.tickets[seat], ticket):
            state.knows[ticket] |= np.uint8(1 << seat)
    hidden = tickets_hidden(state, seat)
    if hidden > 0:
        hidden -= deal_long_tickets(board, state, seat)
    for _ in range(min(hidden, held_since_set_up(board, state, seat))):
        give_ticket(state, seat, board.long_tickets, board.tickets, True)


@rule
def can_be_dealt(board, state, seat, ticket, fresh):
    """Can this ticket still be dealt, and does the seat's track pile have its cards?"""
    return has_no_place(state, ticket, fresh) and can_add(board, state, seat, ticket)


@rule
def deal_completable_ticket(board, state, seat):
    """CG-19: a seat that is choosing can complete something, or the engine would have moved on. If no known ticket qualifies, deal one.

    With several seats, an earlier one may get the only ticket that fits a later one; that is accepted.
    """
    fresh = tickets_hidden(state, seat) <= held_since_set_up(board, state, seat)
    fitting = 0
    for ticket in range(board.tickets):
        if has(state.tickets[seat], ticket) and can_add(board, state, seat, ticket):
            return
        if can_be_dealt(board, state, seat, ticket, fresh):
            fitting += 1
    if fitting == 0:
        return
    which = roll(state, fitting)
    ticket = -1
    while which >= 0:
        ticket += 1
        if can_be_dealt(board, state, seat, ticket, fresh):
            which -= 1
    state.knows[ticket] = np.uint8(1 << seat)
    put(state.tickets[seat], ticket)


@rule
def deal_later_tickets(board, state, seat):
    for _ in range(tickets_hidden(state, seat)):
        give_ticket(state, seat, board.long_tickets, board.tickets, False)


@rule
def deal_offer(board, state, seat):
    for i in range(state.offer_size[seat]):
        if state.offer[seat, i] != NONE:
            state.knows[state.offer[seat, i]] |= np.uint8(1 << seat)
        else:
            long = state.phase == OPENING and i < board.opening_long
            first, end = (np.int64(0), np.int64(board.long_tickets)) if long else (np.int64(board.long_tickets), np.int64(board.tickets))
            ticket = unknown_ticket(state, first, end, False)
            state.knows[ticket] = np.uint8(1 << seat)
            state.offer[seat, i] = ticket


@rule
def deal_ticket_deck(board, state):
    for place in range(state.queue_size):
        if state.queue[place] == NONE:
            state.queue[place] = unknown_ticket(state, board.long_tickets, board.tickets, False)
            state.knows[state.queue[place]] = IN_DECK
    for ticket in range(board.tickets):
        if state.knows[ticket] == IN_DECK:
            state.knows[ticket] = 0


@rule
def mark_completed(board, state):
    """Everybody knows where completed tickets are."""
    for seat in range(state.players):
        for ticket in range(board.tickets):
            if has(state.completed[seat], ticket):
                state.knows[ticket] = np.uint8((1 << state.players) - 1)


@rule
def bits_in(mask):
    total = 0
    while mask > 0:
        total += mask & 1
        mask >>= 1
    return total


@rule
def choose_for(board, state, seat):
    """A seat that has made its opening choice: pick any choice it could have made."""
    kept = np.int64(0)
    while bits_in(kept) < board.opening_keep:
        kept = roll(state, 1 << np.int64(state.offer_size[seat]))
    state.kept[seat] = kept


@rule
def choose_tickets_for(board, state, seat):
    """A seat that has chosen the tickets it completes: pick some it could have chosen."""
    for ticket in range(board.tickets):
        if has(state.tickets[seat], ticket) and roll(state, 2) == 1 and can_add(board, state, seat, ticket):
            put(state.chosen[seat], ticket)


@rule
def decide_for(board, state, seat):
    """Fill in what a seat has already chosen in secret: something it could have chosen."""
    if state.phase == OPENING:
        choose_for(board, state, seat)
    elif state.phase == SUPPLY:
        fewest = fewest_trains(board)
        state.supply[seat] = fewest + roll(state, board.pieces[TRAINS] - fewest + 1)
    elif state.phase == COMPLETING:
        choose_tickets_for(board, state, seat)


@kept
def imagine(board, state, key0, key1):
    """Turn a view into a whole state with its own generator."""
    viewer = state.viewer
    state.viewer = REAL
    state.key[0] = key0
    state.key[1] = key1
    state.rolls = np.uint64(0)
    deal_cards(board, state, viewer)
    mark_completed(board, state)
    for seat in range(state.players):
        if state.phase == COMPLETING and seat != viewer and not has_decided(state, seat):
            deal_completable_ticket(board, state, seat)
    for seat in range(state.players):
        if seat != viewer:
            deal_first_tickets(board, state, seat)
    for seat in range(state.players):
        if seat != viewer:
            deal_later_tickets(board, state, seat)
            deal_offer(board, state, seat)
            if has_decided(state, seat):
                decide_for(board, state, seat)
    deal_ticket_deck(board, state)
