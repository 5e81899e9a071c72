"""The most valuable set of tickets that a track pile can complete: CG-19. With or without the bonuses of big cities (CG-23).

The search goes through the candidates depth first, with prices for cards. Whatever the prices, no choice is worth more than the pile plus
everything that tickets gain beyond the price of their cards. That is the bound: where it does not exceed the best choice so far, the search stops.
The first prices are quick to find and set the order of the search. If the search takes long, tighter prices bound it as well. Neither changes the
result: the first of the best choices in that order.
"""

import numpy as np

from branchline.compiling import rule
from branchline.rules.bits import EMPTY, bit, next_in, put
from branchline.rules.sizes import NONE
from branchline.rules.ticket_bonuses import HALF_POINT, bonuses_not_credited, count_cities, forget_bonuses, names, set_bonuses
from branchline.rules.track_tickets import fits, last_chosen, spend, spend_chosen, take, wilds_lacking

POINT = 2 * HALF_POINT  # of a ticket's value
FIRST_PRICE, FIRST_STEP, ROUNDS = 4 * POINT, POINT, 4  # a card earns about four points
FEW_STEPS, ANY_STEPS = 1000, 1 << 62  # of the search: before looking for tighter prices, and with them
CLOSER = 16  # tighter prices are this many times finer
TRIALS, WIDEST_TRIAL, PATIENCE = 200, 2 * POINT * CLOSER, 10  # a step is shortened after PATIENCE failures in a row
NO_BOUND = 1 << 62


@rule
def choose_best(board, state, seat, work):
    """Choose for a seat the tickets worth most, whatever bonuses they bring."""
    forget_bonuses(board, work)
    find_best_of(board, state.track[seat], state.tickets[seat], NONE, work)
    put_best(work, state.chosen[seat])


@rule
def find_most_points(board, state, seat, work):
    """The best choice by points, with bonuses as they would then stand, among the tickets after the last one chosen: `work.best`."""
    set_bonuses(board, state, seat, work)
    spend_chosen(board, state, seat, 1)
    find_best_of(board, state.track[seat], state.tickets[seat], last_chosen(board, state.chosen[seat]), work)
    spend_chosen(board, state, seat, -1)


@rule
def best_to_add(board, state, seat, work):
    """The first ticket of the best choice; NONE: no more."""
    find_most_points(board, state, seat, work)
    first = np.int64(NONE)
    for place in range(work.candidates):
        if work.best & bit(place) != EMPTY and (first == NONE or work.candidate[place] < first):
            first = np.int64(work.candidate[place])
    return first


@rule
def best_to_complete(board, state, seat, work, tickets):
    """The best choice, as a set of tickets."""
    find_most_points(board, state, seat, work)
    put_best(work, tickets)


@rule
def put_best(work, tickets):
    for place in range(work.candidates):
        if work.best & bit(place) != EMPTY:
            put(tickets, work.candidate[place])


@rule(on_gpu="called")
def find_best_of(board, pile, tickets, after, work):
    """The best choice of the tickets with higher numbers than `after`: `work.best`, a set of places."""
    list_candidates(board, pile, tickets, after, work)
    if all_fit(board, pile, work):
        work.best = ~EMPTY
    else:
        set_prices(board, pile, work)
        find_best(board, pile, work)


@rule
def list_candidates(board, pile, tickets, after, work):
    """Tickets in hand that could each be completed on their own."""
    work.candidates = 0
    ticket = next_in(tickets, after)
    while ticket != NONE:
        if fits(board, pile, ticket):
            work.candidate[work.candidates] = ticket
            work.candidates += 1
        ticket = next_in(tickets, ticket)


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
def worth(board, ticket):
    """CG-22: a ticket that is not completed costs what it would have earned."""
    return HALF_POINT * (np.int64(board.ticket_points[ticket]) + board.ticket_loss[ticket]) + 1


@rule
def gain_of(board, ticket, prices, credited, unit):
    """What a ticket is worth with its part of bonuses beyond the price of its cards, in parts of a value's unit."""
    gain = unit * worth(board, ticket)
    for colour in range(board.colours):
        gain -= np.int64(prices[colour]) * board.ticket_cards[ticket, colour]
    for place in range(board.big_cities):
        if names(board, ticket, place):
            gain += credited[place]
    return gain


@rule
def set_prices(board, pile, work):
    """Find prices for each colour and for wilds at which the tickets worth their price need roughly what the pile has.

    The dearest card is the wild, which stands for any colour. Any prices give a correct bound; good prices give a tight one.
    """
    for colour in range(board.colours + 1):
        work.card_price[colour] = FIRST_PRICE
    for place in range(board.big_cities):
        work.city_credit[place] = 0
    step = FIRST_STEP
    while step > 0:
        for _ in range(ROUNDS):
            adjust_prices(board, pile, work, step)
        step //= 2


@rule
def adjust_prices(board, pile, work, step):
    """Raise the price of what is short, lower that of what is left over."""
    ask(board, work)
    lacking = np.int64(0)
    for colour in range(board.colours):
        lacking += max(np.int64(work.asked[colour]) - pile[colour], np.int64(0))
    wild = board.colours
    work.card_price[wild] = max(work.card_price[wild] + step * sign(lacking - pile[wild]), 0)
    for colour in range(board.colours):
        price = work.card_price[colour] + step * sign(np.int64(work.asked[colour]) - pile[colour])
        work.card_price[colour] = min(max(price, 0), work.card_price[wild])
    for place in range(board.big_cities):
        credit = work.city_credit[place] + step * sign(np.int64(work.city_need[place]) - work.city_asked[place])
        work.city_credit[place] = min(max(credit, 0), work.city_bonus[place] // work.city_need[place])


@rule
def ask(board, work):
    """Count the cards of the tickets that are worth their price."""
    ask_nothing(board, work)
    for place in range(work.candidates):
        ticket = work.candidate[place]
        if gain_of(board, ticket, work.card_price, work.city_credit, 1) > 0:
            ask_for(board, ticket, work)


@rule
def ask_nothing(board, work):
    for colour in range(board.colours):
        work.asked[colour] = 0
    for place in range(board.big_cities):
        work.city_asked[place] = 0


@rule
def ask_for(board, ticket, work):
    for colour in range(board.colours):
        work.asked[colour] += board.ticket_cards[ticket, colour]
    for place in range(board.big_cities):
        if names(board, ticket, place):
            work.city_asked[place] += 1


@rule
def sign(number):
    return (1 if number > 0 else 0) - (1 if number < 0 else 0)


@rule
def price_candidates(board, pile, work):
    """Note the gains, order candidates by how much they matter, and return the bound: no choice is worth more than pile and gains together."""
    bound = np.int64(work.card_price[board.colours]) * pile[board.colours] + bonuses_not_credited(board, work, work.city_credit, 1)
    for colour in range(board.colours):
        bound += np.int64(work.card_price[colour]) * pile[colour]
    for number in range(work.candidates):
        ticket = work.candidate[number]
        gain = gain_of(board, ticket, work.card_price, work.city_credit, 1)
        bound += max(gain, np.int64(0))
        place = number
        while place > 0 and abs(np.int64(work.gain[place - 1])) < abs(gain):
            work.gain[place], work.candidate[place] = work.gain[place - 1], work.candidate[place - 1]
            place -= 1
        work.gain[place], work.candidate[place] = gain, ticket
    return bound


@rule
def copy_prices(board, prices, into, credited, credited_into, times):
    for colour in range(board.colours + 1):
        into[colour] = times * prices[colour]
    for place in range(board.big_cities):
        credited_into[place] = times * credited[place]


@rule
def bound_at_trial(board, pile, work):
    """The bound at the trial prices; also counts the cards asked for."""
    ask_nothing(board, work)
    bound = np.int64(work.trial_price[board.colours]) * pile[board.colours] + bonuses_not_credited(board, work, work.trial_credit, CLOSER)
    for colour in range(board.colours):
        bound += np.int64(work.trial_price[colour]) * pile[colour]
    for place in range(work.candidates):
        gain = gain_of(board, work.candidate[place], work.trial_price, work.trial_credit, CLOSER)
        if gain > 0:
            bound += gain
            ask_for(board, work.candidate[place], work)
    return bound


@rule
def move_prices(board, pile, work, step):
    """Raise the price of what is short and lower that of what is left over, by shares of a step. Wilds stand in for colours as dear as they are."""
    wild, prices = board.colours, work.trial_price
    too_many, all_of_it = -np.int64(pile[wild]), np.int64(1)
    for colour in range(board.colours):
        excess = np.int64(work.asked[colour]) - pile[colour]
        all_of_it += abs(excess)
        if prices[colour] == prices[wild]:
            too_many += max(excess, np.int64(0))
    all_of_it += abs(too_many)
    for place in range(board.big_cities):
        if work.city_bonus[place] > 0:
            all_of_it += abs(np.int64(work.city_need[place]) - work.city_asked[place])
    prices[wild] = max(prices[wild] + step * too_many // all_of_it, 0)
    for colour in range(board.colours):
        price = prices[colour] + step * (np.int64(work.asked[colour]) - pile[colour]) // all_of_it
        prices[colour] = min(max(price, 0), prices[wild])
    for place in range(board.big_cities):
        credit = work.trial_credit[place] + step * (np.int64(work.city_need[place]) - work.city_asked[place]) // all_of_it
        work.trial_credit[place] = min(max(credit, 0), CLOSER * np.int64(work.city_bonus[place]) // work.city_need[place])


@rule
def find_closer_prices(board, pile, work):
    """Try prices around the best ones in ever smaller steps. Returns the bound at the best."""
    copy_prices(board, work.card_price, work.closer_price, work.city_credit, work.closer_credit, CLOSER)
    copy_prices(board, work.closer_price, work.trial_price, work.closer_credit, work.trial_credit, 1)
    least = bound_at_trial(board, pile, work)
    step, failures = WIDEST_TRIAL, 0
    for _ in range(TRIALS):
        move_prices(board, pile, work, step)
        bound = bound_at_trial(board, pile, work)
        if bound < least:
            least, failures = bound, 0
            copy_prices(board, work.trial_price, work.closer_price, work.trial_credit, work.closer_credit, 1)
        else:
            failures += 1
        if failures == PATIENCE:
            step, failures = 3 * step // 4, 0
            copy_prices(board, work.closer_price, work.trial_price, work.closer_credit, work.trial_credit, 1)
            bound_at_trial(board, pile, work)
    return least


@rule
def use_closer_prices(board, pile, work):
    work.closer_bound = find_closer_prices(board, pile, work)
    for place in range(work.candidates):
        work.closer_gain[place] = gain_of(board, work.candidate[place], work.closer_price, work.closer_credit, CLOSER)


@rule
def closer_loss(work, place):
    """What it costs that a place differs from what the tighter gains suggest."""
    gain = np.int64(work.closer_gain[place])
    return max(-gain if work.taken & bit(place) != EMPTY else gain, np.int64(0))


@rule
def put_in(board, pile, work, place):
    """Take a candidate if possible."""
    if not take(board, pile, work.candidate[place]):
        return False
    work.taken |= bit(place)
    work.value += worth(board, work.candidate[place]) + count_cities(board, work, work.candidate[place], 1)
    return True


@rule
def put_back(board, pile, work, place):
    if work.taken & bit(place) != EMPTY:
        work.taken &= ~bit(place)
        work.value += count_cities(board, work, work.candidate[place], -1) - worth(board, work.candidate[place])
        spend(board, pile, work.candidate[place], -1)


@rule
def go_by_gain(board, pile, work, place):
    """Take a candidate that gains, skip one that does not."""
    if work.gain[place] > 0 and not put_in(board, pile, work, place):
        work.turned |= bit(place)
        work.bound -= work.gain[place]
    work.closer_bound -= closer_loss(work, place)


@rule
def turn(board, pile, work, place):
    """Go the other way at a place. False if that is impossible or cannot beat the best."""
    loss, was_taken = abs(np.int64(work.gain[place])), work.taken & bit(place) != EMPTY
    put_back(board, pile, work, place)
    if work.bound - loss <= work.most or not (was_taken or put_in(board, pile, work, place)):
        return False
    work.turned |= bit(place)
    work.bound -= loss
    work.closer_bound -= closer_loss(work, place)
    return True


@rule
def back_up(board, pile, work, place):
    """Go back to the last place where the other way is untried. Returns the place after it, or NONE at the end of the search."""
    place -= 1
    while place >= 0:
        work.closer_bound += closer_loss(work, place)
        if work.turned & bit(place) != EMPTY:
            put_back(board, pile, work, place)
            work.turned &= ~bit(place)
            work.bound += abs(np.int64(work.gain[place]))
        elif turn(board, pile, work, place):
            return place + 1
        place -= 1
    return NONE


@rule
def can_beat_best(work):
    return work.bound > work.most and work.closer_bound > CLOSER * work.most


@rule
def search(board, pile, work, steps):
    """Search depth first: take each candidate that gains and skip the others, then try it the other way round. Each departure from the gains
    lowers the bound by its cost, and whatever can no longer beat the best is cut. The pile keeps count.

    False if the search has not finished after this many steps.
    """
    place = np.int64(0)
    while place != NONE and steps > 0:
        if place < work.candidates and can_beat_best(work):
            go_by_gain(board, pile, work, place)
            place += 1
        else:
            place = back_up(board, pile, work, place)
        if work.value > work.most:
            work.most, work.best = work.value, work.taken
        steps -= 1
    return place == NONE


@rule
def put_all_back(board, pile, work):
    """Put all candidates back, for a new search."""
    for place in range(work.candidates):
        put_back(board, pile, work, place)
        work.closer_gain[place] = 0
    work.turned = EMPTY


@rule
def find_best(board, pile, work):
    """CG-19: find the candidates worth most together, then the most tickets: `work.best`, a set of places."""
    bound = price_candidates(board, pile, work)
    work.taken, work.best = EMPTY, EMPTY
    work.value, work.most = 0, 0
    put_all_back(board, pile, work)
    work.bound, work.closer_bound = bound, NO_BOUND
    if not search(board, pile, work, FEW_STEPS):
        put_all_back(board, pile, work)
        work.bound = bound
        use_closer_prices(board, pile, work)
        search(board, pile, work, ANY_STEPS)
