"""What search believes about rivals: they hold tickets that fit what they have built.

An imagined world deals the hidden tickets at random. But rivals build for their tickets, so those that fit their routes or track pile are
more likely.
"""

import numpy as np

from branchline.bots.compiled.paths import clear_prices, leg_end, legs_of, measure, price_of_ticket, set_price
from branchline.bots.compiled.thoughts import INDEX
from branchline.compiling import rule
from branchline.rules.bits import EMPTY, drop, drop_lowest, has, lowest, put
from branchline.rules.chance import roll
from branchline.rules.network import other_end
from branchline.rules.sizes import NONE, ROUTE_WORDS, TICKET_WORDS

WHOLE = 100  # percent of a ticket
CERTAIN = 1 << 20  # the weight of a ticket with nothing missing
HARBOUR = 30  # percent by which a harbour in one of its cities makes up for what a ticket lacks
HALVED = INDEX["halved"]  # the weight that says how many percent missing make a ticket half as likely


@rule
def price_for_rival(board, state, rival, thoughts):
    """The rival's own routes are free, others cost their spaces."""
    clear_prices(thoughts)
    for word in range(ROUTE_WORDS):
        left = state.owned[rival, word] | state.open_to[rival, word]
        while left != EMPTY:
            route = 64 * word + lowest(left)
            left = drop_lowest(left)
            set_price(thoughts, route, np.int64(0) if has(state.owned[rival], route) else np.int64(board.length[route]))


@rule
def missing_spaces(board, ticket, thoughts):
    """Percent of a ticket's path that is not built yet."""
    return WHOLE * price_of_ticket(board, ticket, thoughts) // max(np.int64(board.ticket_points[ticket]), np.int64(1))


@rule
def missing_cards(board, state, rival, ticket):
    """Percent of a ticket's cards that are neither in the track pile nor in the yard."""
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
    """Could the rival hold this ticket? Not if the viewer has seen it, a third seat holds it in this world, or the rival is just completing it."""
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
    """Can one ticket take the place of another? A ticket the viewer returned can only have been drawn since set-up."""
    return other == ticket or state.returned_by[other] == 0 or state.returned_by[ticket] != 0


@rule
def weigh_tickets(board, state, viewer, rival, ticket, thoughts):
    """How likely each ticket is to be the one dealt: the more of it is missing, the less likely; zero if it is impossible."""
    for other in range(board.tickets):
        thoughts.ticket_price[other] = 0
        if may_hold(state, viewer, rival, other) and not has(thoughts.served, other) and may_stand_for(state, ticket, other):
            wrong = misfit(board, state, rival, other, thoughts)
            if board.harbours > 0 and board.ticket_cities[other] & state.built[rival] != EMPTY:
                wrong = max(wrong - HARBOUR, np.int64(0))
            thoughts.ticket_price[other] = max(CERTAIN >> min(wrong // max(np.int64(thoughts.weights[HALVED]), np.int64(1)), np.int64(30)), 1)


@rule
def likely_ticket(state, first, end, thoughts):
    """A random ticket from `first` up to `end`, by weight."""
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
    """Give the rival the other ticket instead; if that was in the deck, the first takes its place there."""
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
    """Count a ticket's path as built when weighing the next: people keep tickets that go together."""
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
    """Exchange a rival's hidden ticket for a likely one. If that is another of its own, settle that one and look at this one again."""
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
    """Go through the hidden tickets; `served` holds those that are settled, `wanted` those that were dealt."""
    for word in range(TICKET_WORDS):
        thoughts.served[word] = EMPTY
        thoughts.wanted[word] = state.tickets[rival, word]
    for ticket in range(board.tickets):
        dealt = has(thoughts.wanted, ticket) and has(state.tickets[rival], ticket)
        if dealt and not has(thoughts.served, ticket) and may_hold(state, viewer, rival, ticket):
            suppose(board, state, viewer, rival, ticket, thoughts)


@rule
def believe(board, state, viewer, thoughts):
    """Replace the rivals' hidden tickets by likely ones."""
    for rival in range(state.players):
        if rival != viewer:
            price_for_rival(board, state, rival, thoughts)
            believe_of(board, state, viewer, rival, thoughts)
