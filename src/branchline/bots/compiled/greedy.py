"""Greedy on a board: goes for its tickets.

It works on the ticket closest to completion, along the cheapest path, and ignores everything else. With a yard: greedy_yard.py.
"""

import numpy as np

from branchline.bots.compiled.greedy_yard import choose_with_yard
from branchline.bots.compiled.paths import clear_prices, leg_end, legs_of, measure, price_of_ticket, set_price
from branchline.bots.compiled.thoughts import FAR, can
from branchline.compiling import rule
from branchline.rules.bits import has, next_in, nth
from branchline.rules.completion import tickets_naming
from branchline.rules.network import other_end
from branchline.rules.pairs import PAIR, most_pairs
from branchline.rules.payments import reach
from branchline.rules.sizes import GRAY, NONE
from branchline.rules.state import NOT_ANNOUNCED
from branchline.rules.supply import fewest_trains
from branchline.rules.vocabulary.decisions import ABANDON, BUILD, CLAIM, DRAW, DRAW_TICKETS, KEEP, PAY, RETURN, SUPPLY, TAKE
from branchline.rules.vocabulary.phases import ACTION, FILL, OPENING, SECOND_CARD, TICKETS_OFFERED
from branchline.rules.vocabulary.phases import SUPPLY as CHOOSING_SUPPLY

ENOUGH_FOR_TICKETS = 6  # new tickets are worth a look with this many pieces left, plus as many per deck, because sea routes are long


@rule
def cost_of(board, seen, seat, route):
    """Spaces to claim before the route can be used: none if it is the seat's own."""
    if has(seen.owned[seat], route):
        return np.int64(0)
    if has(seen.open_to[seat], route) and board.length[route] <= seen.pieces[seat, board.route_deck[route]]:
        return np.int64(board.length[route])
    return np.int64(FAR)


@rule
def price_spaces(board, seen, seat, thoughts):
    """A route costs its spaces."""
    clear_prices(thoughts)
    for route in range(board.routes):
        cost = cost_of(board, seen, seat, route)
        if cost < FAR:
            set_price(thoughts, route, cost)


@rule
def pieces_of(seen, seat):
    return np.int64(seen.pieces[seat, 0]) + seen.pieces[seat, 1]


@rule
def pieces_to_plan(board, seen, seat):
    """Pieces left; before they are chosen, how many there will be."""
    return pieces_of(seen, seat) if pieces_of(seen, seat) > 0 or board.supply == 0 else np.int64(board.supply)


@rule
def nearest_ticket(board, seen, seat, thoughts):
    """The incomplete ticket that needs the fewest spaces; NONE if no ticket can be completed."""
    best, least = np.int64(NONE), pieces_of(seen, seat) + 1
    ticket = next_in(seen.tickets[seat], NONE)
    while ticket != NONE:
        cost = price_of_ticket(board, ticket, thoughts)
        if 0 < cost < least:
            best, least = ticket, cost
        ticket = next_in(seen.tickets[seat], ticket)
    return best


@rule
def spaces_promised(board, seen, seat, thoughts):
    """Spaces needed for all tickets in hand and those kept so far from an offer."""
    promised = np.int64(0)
    ticket = next_in(seen.tickets[seat], NONE)
    while ticket != NONE:
        promised += min(price_of_ticket(board, ticket, thoughts), 45)
        ticket = next_in(seen.tickets[seat], ticket)
    for i in range(seen.offer_at[seat]):
        if (seen.kept[seat] >> i) & 1:
            promised += price_of_ticket(board, seen.offer[seat, i], thoughts)
    return promised


@rule
def choose_tickets(board, seen, mask, thoughts):
    """Keep the tickets there are enough pieces for."""
    seat = seen.seat
    ticket = seen.offer[seat, seen.offer_at[seat]]
    keep = np.int64(board.starts[KEEP] + ticket)
    if not can(board, mask, RETURN, ticket):
        return keep
    price_spaces(board, seen, seen.seat, thoughts)
    cost = price_of_ticket(board, ticket, thoughts)
    if spaces_promised(board, seen, seat, thoughts) + cost <= pieces_to_plan(board, seen, seat) - 4:
        return keep
    return np.int64(board.starts[RETURN] + ticket)


@rule
def choose_payment(board, seen, mask):
    """The most common colour first, wilds last; abandon a tunnel only if there is no choice."""
    best, most = np.int64(NONE), np.int64(-1)
    for kind in range(board.wild):
        if can(board, mask, PAY, kind) and seen.hands[seen.seat, kind] > most:
            best, most = np.int64(board.starts[PAY] + kind), np.int64(seen.hands[seen.seat, kind])
    if best != NONE:
        return best
    if can(board, mask, PAY, board.wild):
        return np.int64(board.starts[PAY] + board.wild)
    return np.int64(board.starts[ABANDON])


@rule
def best_colour(board, seen, seat, deck):
    """The colour whose cards of a deck in hand cover most spaces."""
    best, most = np.int64(0), np.int64(-1)
    for colour in range(board.colours):
        spaces = reach(board, seen.hands[seat], deck, colour)
        if spaces > most:
            best, most = np.int64(colour), spaces
    return best


@rule
def colour_for(board, seen, seat, route):
    return best_colour(board, seen, seat, board.route_deck[route]) if board.colour[route] == GRAY else np.int64(board.colour[route])


@rule
def cards_missing(board, seen, seat, route):
    hand = seen.hands[seat]
    if board.pair[route]:
        return PAIR * max(np.int64(board.length[route]) - most_pairs(board, hand, board.route_deck[route]), np.int64(0))
    held = reach(board, hand, board.route_deck[route], colour_for(board, seen, seat, route)) + hand[board.wild]
    wilds = np.int64(board.ferry[route]) - hand[board.wild]
    return max(np.int64(board.length[route]) - held, wilds)


@rule
def route_to_want(board, seen, seat, ticket, thoughts):
    """The route on the ticket's cheapest path with the fewest missing cards; among equals, the longest."""
    best, least = np.int64(NONE), np.int64(FAR)
    for leg in range(legs_of(board, ticket)):
        measure(board, leg_end(board, ticket, leg), thoughts)
        city = leg_end(board, ticket, leg + 1)
        while thoughts.arrived_by[city] != NONE:
            route = thoughts.arrived_by[city]
            city = np.int64(other_end(board, route, city))
            if cost_of(board, seen, seat, route) > 0:
                missing = 16 * max(cards_missing(board, seen, seat, route), np.int64(0)) - board.length[route]
                if missing < least:
                    best, least = np.int64(route), missing
    return best


@rule
def longest_claim(board, mask):
    """The longest route that can be claimed now, or NONE."""
    best, spaces = np.int64(NONE), np.int64(0)
    for route in range(board.routes):
        if can(board, mask, CLAIM, route) and board.length[route] > spaces:
            best, spaces = np.int64(route), np.int64(board.length[route])
    return best


@rule(on_gpu="called")
def draw_for(board, seen, mask, route):
    """Draw a card for the route: its colour face up, or a face-up wild if several are missing, or blind from its deck."""
    if route == NONE:
        return draw_any(board, mask, 0)
    deck, colour = board.route_deck[route], colour_for(board, seen, seen.seat, route)
    wild = np.int64(NONE)
    for space in range(board.row):
        if can(board, mask, TAKE, space):
            kind = seen.row[space]
            if kind == board.wild:
                wild = np.int64(board.starts[TAKE] + space)
            elif board.colour_of[kind] == colour and board.deck_of[kind] == deck:
                return np.int64(board.starts[TAKE] + space)
    if wild != NONE and cards_missing(board, seen, seen.seat, route) > 0:
        return wild
    return draw_any(board, mask, deck)


@rule
def draw_any(board, mask, deck):
    """Blind from the deck, or any card available."""
    if can(board, mask, DRAW, deck):
        return np.int64(board.starts[DRAW] + deck)
    for card in range(board.starts[DRAW], board.starts[TAKE + 1]):
        if has(mask, card):
            return np.int64(card)
    return np.int64(NONE)


@rule
def harbour_to_build(board, mask, tickets):
    """The port that most tickets name, among those where a harbour can be built; or NONE."""
    best, most = np.int64(NONE), np.int64(0)
    for city in range(board.starts[BUILD + 1] - board.starts[BUILD]):
        if can(board, mask, BUILD, city):
            named = tickets_naming(board, tickets, city)
            if named > most:
                best, most = np.int64(board.starts[BUILD] + city), named
    return best


@rule
def choose_action(board, seen, mask, thoughts):
    seat = seen.seat
    if board.harbours > 0:
        harbour = harbour_to_build(board, mask, seen.tickets[seat])
        if harbour != NONE:
            return harbour
    price_spaces(board, seen, seen.seat, thoughts)
    ticket = nearest_ticket(board, seen, seat, thoughts)
    if ticket == NONE:
        return act_without_ticket(board, seen, mask)
    route = route_to_want(board, seen, seat, ticket, thoughts)
    if can(board, mask, CLAIM, route):
        return route
    return or_anything(board, mask, draw_for(board, seen, mask, route))


@rule
def act_without_ticket(board, seen, mask):
    """No ticket is left to complete: take new ones while there is time, then build what scores."""
    time_left = pieces_of(seen, seen.seat) >= ENOUGH_FOR_TICKETS * (1 + board.decks) and seen.last_turns == NOT_ANNOUNCED
    if time_left and can(board, mask, DRAW_TICKETS, 0):
        return np.int64(board.starts[DRAW_TICKETS])
    route = longest_claim(board, mask)
    if route != NONE:
        return route
    return or_anything(board, mask, draw_for(board, seen, mask, np.int64(NONE)))


@rule
def or_anything(board, mask, decision):
    """If no card can be drawn, do anything legal: the longest claim, or the first decision there is."""
    if decision != NONE:
        return decision
    route = longest_claim(board, mask)
    return route if route != NONE else nth(mask, 0)


@rule
def choose_trains(board):
    """Choose a third of the pieces, or as few as there can be."""
    return board.starts[SUPPLY] + max(board.supply // 3 - fewest_trains(board), 0)


@rule
def choose_second_card(board, seen, mask, thoughts):
    price_spaces(board, seen, seen.seat, thoughts)
    ticket = nearest_ticket(board, seen, seen.seat, thoughts)
    route = np.int64(NONE)
    if ticket != NONE:
        route = route_to_want(board, seen, seen.seat, ticket, thoughts)
    return draw_for(board, seen, mask, route)


@rule
def choose_on_board(board, seen, mask, thoughts):
    if seen.phase == ACTION:
        return choose_action(board, seen, mask, thoughts)
    if seen.phase == SECOND_CARD:
        return choose_second_card(board, seen, mask, thoughts)
    if seen.phase == OPENING or seen.phase == TICKETS_OFFERED:
        return choose_tickets(board, seen, mask, thoughts)
    if seen.phase == CHOOSING_SUPPLY:
        return choose_trains(board)
    if seen.phase == FILL:
        return nth(mask, 0)
    return choose_payment(board, seen, mask)


@rule(on_gpu="called")
def choose_greedy(board, seen, mask, thoughts):
    if board.yards:
        return choose_with_yard(board, seen, mask, thoughts)
    return choose_on_board(board, seen, mask, thoughts)
