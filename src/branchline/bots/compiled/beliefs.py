"""What search believes of rivals: tickets that fit what they have built.

An imagined world deals the hidden tickets at random. But a rival builds for its tickets, so those that fit its routes, or its track pile, are
likelier.
"""

import numpy as np

from branchline.bots.compiled.paths import clear_prices, leg_end, legs_of, measure, price_of_ticket, set_price
from branchline.compiling import rule
from branchline.rules.bits import EMPTY, drop, drop_lowest, has, lowest, put
from branchline.rules.chance import roll
from branchline.rules.network import other_end
from branchline.rules.sizes import NONE, ROUTE_WORDS, TICKET_WORDS

WHOLE = 100  # percent of a ticket
CERTAIN = 1 << 20  # the weight of a ticket of which nothing is missing
HARBOUR = 30  # percent that a harbour in one of its cities speaks for a ticket
HALVED = 4  # percent missing that make a ticket half as likely


@rule
def price_for_rival(board, state, rival, thoughts):
    """Own routes are free, others take their spaces."""
    clear_prices(thoughts)
    for word in range(ROUTE_WORDS):
        left = state.owned[rival, word] | state.open_to[rival, word]
        while left != EMPTY:
            route = 64 * word + lowest(left)
            left = drop_lowest(left)
            set_price(thoughts, route, np.int64(0) if has(state.owned[rival], route) else np.int64(board.length[route]))


@rule
def missing_spaces(board, ticket, thoughts):
    """Percent of a ticket's way that is not built yet."""
    return WHOLE * price_of_ticket(board, ticket, thoughts) // max(np.int64(board.ticket_points[ticket]), np.int64(1))


@rule
def missing_cards(board, state, rival, ticket):
    """Percent of a ticket's cards that neither track pile nor yard has."""
    missing = np.int64(0)
    for colour in range(board.colours):
        have = np.int64(state.track[rival, colour]) + state.yards[rival, colour]
        missing += max(board.ticket_cards[ticket, colour] - have, np.int64(0))
    return WHOLE * missing // max(np.int64(board.ticket_size[ticket]), np.int64(1))


@rule
def misfit(board, state, rival, ticket, thoughts):
    """Percent of a ticket that the rival lacks."""
    return missing_cards(board, state, rival, ticket) if board.yards else missing_spaces(board, ticket, thoughts)


@rule
def may_hold(state, viewer, rival, ticket):
    """A ticket that the viewer has not seen, and that no third seat holds in this world; nor one that the rival completes just now."""
    if (state.knows[ticket] >> viewer) & 1 == 1 or has(state.chosen[rival], ticket):
        return False
    for seat in range(state.players):
        if seat != rival and (has(state.tickets[seat], ticket) or has(state.completed[seat], ticket)):
            return False
    return not has(state.completed[rival], ticket) and not is_offered(state, ticket)


@rule
def is_offered(state, ticket):
    for seat in range(state.players):
        for place in range(state.offer_size[seat]):
            if state.offer[seat, place] == ticket:
                return True
    return False


@rule
def may_stand_for(state, ticket, other):
    """May one ticket be where the other was dealt? What the viewer returned can only have been drawn since set-up."""
    return other == ticket or state.returned_by[other] == 0 or state.returned_by[ticket] != 0


@rule
def weigh_tickets(board, state, viewer, rival, ticket, thoughts):
    """How likely each ticket is for the one dealt: half as likely for every so much of it that is missing; not at all if it cannot be."""
    for other in range(board.tickets):
        thoughts.ticket_price[other] = 0
        if may_hold(state, viewer, rival, other) and not has(thoughts.served, other) and may_stand_for(state, ticket, other):
            wrong = misfit(board, state, rival, other, thoughts)
            if board.harbours > 0 and board.ticket_cities[other] & state.built[rival] != EMPTY:
                wrong = max(wrong - HARBOUR, np.int64(0))
            thoughts.ticket_price[other] = max(CERTAIN >> min(wrong // HALVED, np.int64(30)), 1)


@rule
def likely_ticket(state, first, end, thoughts):
    """One of the tickets from `first` up to `end`, by its weight."""
    total = np.int64(0)
    for ticket in range(first, end):
        total += thoughts.ticket_price[ticket]
    which, ticket = roll(state, total), first
    while which >= thoughts.ticket_price[ticket]:
        which -= thoughts.ticket_price[ticket]
        ticket += 1
    return ticket


@rule
def exchange(state, rival, ticket, other):
    """The rival holds the other ticket instead; if that was in the deck, the first is there now."""
    drop(state.tickets[rival], ticket)
    put(state.tickets[rival], other)
    for place in range(state.queue_size):
        if state.queue[place] == other:
            state.queue[place] = ticket
    known = state.knows[ticket]
    state.knows[ticket] = state.knows[other]
    state.knows[other] = known


@rule
def build_way(board, ticket, thoughts):
    """A ticket's way is as good as built when the next is looked at: people keep tickets that go together."""
    for leg in range(legs_of(board, ticket)):
        measure(board, leg_end(board, ticket, leg), thoughts)
        city = leg_end(board, ticket, leg + 1)
        while thoughts.arrived_by[city] != NONE:
            route = np.int64(thoughts.arrived_by[city])
            city = np.int64(other_end(board, route, city))
            thoughts.price[route] = 0


@rule
def settle(board, ticket, thoughts):
    """The rival holds this ticket."""
    put(thoughts.served, ticket)
    if not board.yards:
        build_way(board, ticket, thoughts)


@rule
def suppose(board, state, viewer, rival, ticket, thoughts):
    """Exchange a hidden ticket of a rival for a likely one. If that is another of its own, the other is settled, and this one looked at again."""
    long = ticket < board.long_tickets
    first, end = (np.int64(0), np.int64(board.long_tickets)) if long else (np.int64(board.long_tickets), np.int64(board.tickets))
    while not has(thoughts.served, ticket) and has(state.tickets[rival], ticket):
        weigh_tickets(board, state, viewer, rival, ticket, thoughts)
        other = likely_ticket(state, first, end, thoughts)
        if not has(state.tickets[rival], other):
            exchange(state, rival, ticket, other)
        settle(board, other, thoughts)


@rule
def believe_of(board, state, viewer, rival, thoughts):
    """Each hidden ticket in turn; `served` holds those that are settled, `wanted` those that were dealt."""
    for word in range(TICKET_WORDS):
        thoughts.served[word] = EMPTY
        thoughts.wanted[word] = state.tickets[rival, word]
    for ticket in range(board.tickets):
        dealt = has(thoughts.wanted, ticket) and has(state.tickets[rival], ticket)
        if dealt and not has(thoughts.served, ticket) and may_hold(state, viewer, rival, ticket):
            suppose(board, state, viewer, rival, ticket, thoughts)


@rule
def believe(board, state, viewer, thoughts):
    """Make the rivals' hidden tickets likely ones."""
    for rival in range(state.players):
        if rival != viewer:
            price_for_rival(board, state, rival, thoughts)
            believe_of(board, state, viewer, rival, thoughts)
