"""Tickets completed with the cards of a track pile: CG-18, CG-19.

A ticket needs its cards by colour, wilds stand for any, and each card serves one ticket. So a set of tickets can be completed if the wilds make up
for all the cards of a colour that it needs and the pile has not.
"""

import numpy as np

from branchline.modes import rule
from branchline.rules.at_once import all_choose, next_to_choose
from branchline.rules.bits import EMPTY, bit, has, put
from branchline.rules.cards import discard
from branchline.rules.events import CARD, COMPLETE_TICKETS, TICKET_COMPLETED, emit
from branchline.rules.sizes import NONE
from branchline.rules.state import BY_HAND

POINT = 64  # CG-19: a point more is worth more than any number of tickets
FIRST_PRICE, FIRST_STEP, ROUNDS = 4 * POINT, POINT, 4  # a card earns about four points


@rule
def spend(board, pile, ticket, times):
    """Take a ticket's cards off the pile, or put them back (-1). A colour that falls below nothing is made up for by wilds."""
    for colour in range(board.colours):
        pile[colour] -= times * board.ticket_cards[ticket, colour]


@rule
def wilds_lacking(board, pile):
    """True if the wilds cannot make up for all that the pile lacks."""
    lacking = np.int64(0)
    for colour in range(board.colours):
        lacking -= min(np.int64(pile[colour]), np.int64(0))
    return lacking > pile[board.colours]


@rule
def worth(board, ticket):
    return POINT * np.int64(board.ticket_points[ticket]) + 1


@rule
def set_prices(board, pile, work):
    """Prices for the cards of each colour and for wilds, at which the tickets worth their price ask for about what the pile has.

    The dearest card is a wild, for it stands for any. Any prices bound the search rightly; good ones bound it closely.
    """
    for colour in range(board.colours + 1):
        work.price[colour] = FIRST_PRICE
    step = FIRST_STEP
    while step > 0:
        for _ in range(ROUNDS):
            adjust_prices(board, pile, work, step)
        step //= 2


@rule
def adjust_prices(board, pile, work, step):
    """Dearer what is asked for too often, cheaper what is left over."""
    ask(board, work)
    lacking = np.int64(0)
    for colour in range(board.colours):
        lacking += max(np.int64(work.asked[colour]) - pile[colour], np.int64(0))
    wild = board.colours
    work.price[wild] = max(work.price[wild] + step * sign(lacking - pile[wild]), 0)
    for colour in range(board.colours):
        price = work.price[colour] + step * sign(np.int64(work.asked[colour]) - pile[colour])
        work.price[colour] = min(max(price, 0), work.price[wild])


@rule
def ask(board, work):
    """Count the cards of the tickets that are worth their price."""
    for colour in range(board.colours):
        work.asked[colour] = 0
    for place in range(work.candidates):
        ticket = work.candidate[place]
        if gain_of(board, work, ticket) > 0:
            for colour in range(board.colours):
                work.asked[colour] += board.ticket_cards[ticket, colour]


@rule
def sign(number):
    return (1 if number > 0 else 0) - (1 if number < 0 else 0)


@rule
def gain_of(board, work, ticket):
    """What a ticket is worth beyond the price of its cards."""
    gain = worth(board, ticket)
    for colour in range(board.colours):
        gain -= np.int64(work.price[colour]) * board.ticket_cards[ticket, colour]
    return gain


@rule
def list_candidates(board, pile, tickets, work):
    """Tickets held that could be completed, were they the only one."""
    work.candidates = 0
    for ticket in range(board.tickets):
        if has(tickets, ticket) and take(board, pile, ticket):
            spend(board, pile, ticket, -1)
            work.candidate[work.candidates] = ticket
            work.candidates += 1


@rule
def price_candidates(board, pile, work):
    """Write down the gains, order candidates by how much they matter, and return the bound: no choice is worth more than pile and gains together."""
    bound = np.int64(work.price[board.colours]) * pile[board.colours]
    for colour in range(board.colours):
        bound += np.int64(work.price[colour]) * pile[colour]
    for number in range(work.candidates):
        ticket = work.candidate[number]
        gain = gain_of(board, work, ticket)
        bound += max(gain, np.int64(0))
        place = number
        while place > 0 and abs(np.int64(work.gain[place - 1])) < abs(gain):
            work.gain[place], work.candidate[place] = work.gain[place - 1], work.candidate[place - 1]
            place -= 1
        work.gain[place], work.candidate[place] = gain, ticket
    return bound


@rule
def take(board, pile, ticket):
    """Spend a ticket's cards if that can be done."""
    spend(board, pile, ticket, 1)
    if wilds_lacking(board, pile):
        spend(board, pile, ticket, -1)
        return False
    return True


@rule
def put_in(board, pile, work, place):
    """Take a candidate, if that can be done."""
    if not take(board, pile, work.candidate[place]):
        return False
    work.taken |= bit(place)
    work.value += worth(board, work.candidate[place])
    return True


@rule
def put_back(board, pile, work, place):
    if work.taken & bit(place) != EMPTY:
        work.taken &= ~bit(place)
        work.value -= worth(board, work.candidate[place])
        spend(board, pile, work.candidate[place], -1)


@rule
def go_by_gain(board, pile, work, place):
    """Take a candidate that gains, leave out one that does not."""
    if work.gain[place] > 0 and not put_in(board, pile, work, place):
        work.turned |= bit(place)
        work.bound -= work.gain[place]


@rule
def turn(board, pile, work, place):
    """Go the other way at a place; false if that cannot be done or cannot beat the best."""
    loss, was_taken = abs(np.int64(work.gain[place])), work.taken & bit(place) != EMPTY
    put_back(board, pile, work, place)
    if work.bound - loss <= work.most or not (was_taken or put_in(board, pile, work, place)):
        return False
    work.turned |= bit(place)
    work.bound -= loss
    return True


@rule
def back_up(board, pile, work, place):
    """Back to the last place where the other way is still to be tried; returns the place after it, or NONE at the end of the search."""
    place -= 1
    while place >= 0:
        if work.turned & bit(place) != EMPTY:
            put_back(board, pile, work, place)
            work.turned &= ~bit(place)
            work.bound += abs(np.int64(work.gain[place]))
        elif turn(board, pile, work, place):
            return place + 1
        place -= 1
    return NONE


@rule
def find_best(board, pile, work):
    """CG-19: of the candidates those worth most together, then the most tickets: `work.best`, a set of places.

    Depth first: each candidate is first taken if it gains and left out if not, later the other way round. Where it is not as the gains would
    have it the bound falls by so much, and what cannot beat the best any more is cut. The pile keeps count.
    """
    work.bound = price_candidates(board, pile, work)
    work.taken, work.turned, work.best = EMPTY, EMPTY, EMPTY
    work.value, work.most = 0, 0
    place = np.int64(0)
    while place != NONE:
        if place < work.candidates and work.bound > work.most:
            go_by_gain(board, pile, work, place)
            place += 1
        else:
            place = back_up(board, pile, work, place)
        if work.value > work.most:
            work.most, work.best = work.value, work.taken


@rule
def all_fit(board, pile, work):
    """Can all candidates be completed together?"""
    for place in range(work.candidates):
        spend(board, pile, work.candidate[place], 1)
    fit = not wilds_lacking(board, pile)
    for place in range(work.candidates):
        spend(board, pile, work.candidate[place], -1)
    return fit


@rule
def choose_best(board, state, seat, work):
    pile = state.track[seat]
    list_candidates(board, pile, state.tickets[seat], work)
    if all_fit(board, pile, work):
        work.best = ~EMPTY
    else:
        set_prices(board, pile, work)
        find_best(board, pile, work)
    for place in range(work.candidates):
        if work.best & bit(place) != EMPTY:
            put(state.chosen[seat], work.candidate[place])


@rule
def can_add(board, state, seat, ticket):
    """Can a ticket be completed beside those chosen?"""
    pile = state.track[seat]
    for other in range(board.tickets):
        if other == ticket or has(state.chosen[seat], other):
            spend(board, pile, other, 1)
    possible = not wilds_lacking(board, pile)
    for other in range(board.tickets):
        if other == ticket or has(state.chosen[seat], other):
            spend(board, pile, other, -1)
    return possible


@rule
def by_hand(state):
    return state.options & BY_HAND != 0


@rule
def completes_something(board, state, seat):
    for ticket in range(board.tickets):
        if has(state.tickets[seat], ticket) and can_add(board, state, seat, ticket):
            return True
    return False


@rule
def begin_completion(board, state):
    """All choose at once the tickets they complete, but for those who can complete none; if that is everybody, each is asked in turn for nothing."""
    all_choose(state)
    if by_hand(state):
        for seat in range(state.players):
            if not completes_something(board, state, seat):
                state.decided |= np.uint8(1 << seat)
        if next_to_choose(state) == state.players:
            all_choose(state)
        state.seat = next_to_choose(state)


@rule
def use_cards(board, state, log, seat, ticket):
    """Cards of the colour as long as there are any, then wilds; all are discarded."""
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
        emit(log, CARD, NONE, kind, number)


@rule
def complete_chosen(board, state, log, seat):
    """The chosen tickets are set aside with their points, for all to see."""
    emit(log, COMPLETE_TICKETS, seat, 0, 0)
    for ticket in range(board.tickets):
        if has(state.chosen[seat], ticket):
            emit(log, TICKET_COMPLETED, NONE, ticket, 0)
            use_cards(board, state, log, seat, ticket)
            put(state.completed[seat], ticket)
            state.ticket_count[seat] -= 1
            state.knows[ticket] = np.uint8((1 << state.players) - 1)
    for word in range(state.chosen.shape[1]):
        state.tickets[seat, word] &= ~state.chosen[seat, word]
        state.chosen[seat, word] = EMPTY
