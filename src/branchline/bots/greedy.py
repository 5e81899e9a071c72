"""Greedy: wants its tickets. It goes for the ticket that is nearest to completion, along the cheapest way, and takes no other view of the game."""

import numpy as np

from branchline.bots.thoughts import FAR
from branchline.modes import rule
from branchline.rules.bits import has
from branchline.rules.decisions import ABANDON, BUILD, CLAIM, DRAW, DRAW_TICKETS, KEEP, PAY, RETURN, TAKE
from branchline.rules.network import other_end
from branchline.rules.sizes import GRAY, NONE
from branchline.rules.state import ACTION, NOT_ANNOUNCED, OPENING, SECOND_CARD, TICKETS_OFFERED

ENOUGH_FOR_TICKETS = 12  # pieces left with which new tickets are still worth a look


@rule
def can(board, mask, block, what):
    return has(mask, np.int64(board.starts[block] + what))


@rule
def cost_of(board, seen, seat, route):
    """Spaces to claim before the route can be used: none on an own one."""
    if has(seen.owned[seat], route):
        return np.int64(0)
    if has(seen.open_to[seat], route):
        return np.int64(board.length[route])
    return np.int64(FAR)


@rule
def reach_over(thoughts, route, start, end, cost):
    """Can `end` be reached more cheaply over a route from `start`?"""
    if thoughts.distance[start] + cost < thoughts.distance[end]:
        thoughts.distance[end] = thoughts.distance[start] + cost
        thoughts.arrived_by[end] = route
        return True
    return False


@rule
def measure(board, seen, seat, start, thoughts):
    """Distances of all cities from a city, in spaces still to claim."""
    for city in range(board.cities):
        thoughts.distance[city] = FAR
        thoughts.arrived_by[city] = NONE
    thoughts.distance[start] = 0
    nearer = True
    while nearer:
        nearer = False
        for route in range(board.routes):
            cost = cost_of(board, seen, seat, route)
            if cost < FAR:
                a, b = board.route_a[route], board.route_b[route]
                nearer = reach_over(thoughts, route, a, b, cost) or nearer
                nearer = reach_over(thoughts, route, b, a, cost) or nearer


@rule
def ticket_cost(board, seen, seat, ticket, thoughts):
    measure(board, seen, seat, board.ticket_a[ticket], thoughts)
    return np.int64(thoughts.distance[board.ticket_b[ticket]])


@rule
def nearest_ticket(board, seen, seat, thoughts):
    """The ticket that needs the fewest spaces and is not complete; NONE if no ticket can be completed."""
    best, least = np.int64(NONE), np.int64(seen.pieces[seat, 0]) + 1
    for ticket in range(board.tickets):
        if has(seen.tickets[seat], ticket):
            cost = ticket_cost(board, seen, seat, ticket, thoughts)
            if 0 < cost < least:
                best, least = np.int64(ticket), cost
    return best


@rule
def spaces_promised(board, seen, seat, thoughts):
    """Spaces needed for all tickets held, and for those kept so far of an offer."""
    promised = np.int64(0)
    for ticket in range(board.tickets):
        if has(seen.tickets[seat], ticket):
            promised += min(ticket_cost(board, seen, seat, ticket, thoughts), 45)
    for i in range(seen.offer_at):
        if (seen.kept[seat] >> i) & 1:
            promised += ticket_cost(board, seen, seat, seen.offer[seat, i], thoughts)
    return promised


@rule
def choose_tickets(board, seen, mask, thoughts):
    """Keep what the pieces suffice for."""
    seat = seen.seat
    ticket = seen.offer[seat, seen.offer_at]
    keep = np.int64(board.starts[KEEP] + ticket)
    if not can(board, mask, RETURN, ticket):
        return keep
    cost = ticket_cost(board, seen, seat, ticket, thoughts)
    if spaces_promised(board, seen, seat, thoughts) + cost <= seen.pieces[seat, 0] - 4:
        return keep
    return np.int64(board.starts[RETURN] + ticket)


@rule
def choose_payment(board, seen, mask):
    """The commonest colour first, wilds last; a tunnel is abandoned only if it must be."""
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
def commonest_colour(board, seen, seat):
    best = 0
    for kind in range(board.wild):
        if seen.hands[seat, kind] > seen.hands[seat, best]:
            best = kind
    return best


@rule
def colour_for(board, seen, seat, route):
    return commonest_colour(board, seen, seat) if board.colour[route] == GRAY else board.colour[route]


@rule
def cards_missing(board, seen, seat, route):
    held = np.int64(seen.hands[seat, colour_for(board, seen, seat, route)]) + seen.hands[seat, board.wild]
    wilds = np.int64(board.ferry[route]) - seen.hands[seat, board.wild]
    return max(np.int64(board.length[route]) - held, wilds)


@rule
def route_to_want(board, seen, seat, ticket, thoughts):
    """The route on the ticket's cheapest way for which the fewest cards are missing; among equals the longest."""
    measure(board, seen, seat, board.ticket_a[ticket], thoughts)
    city = board.ticket_b[ticket]
    best, least = np.int64(NONE), np.int64(FAR)
    while thoughts.arrived_by[city] != NONE:
        route = thoughts.arrived_by[city]
        city = other_end(board, route, city)
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


@rule
def draw_for(board, seen, mask, route):
    """A card for the route: its colour face up, else a face-up wild if several are missing, else blind."""
    colour = NONE if route == NONE else colour_for(board, seen, seen.seat, route)
    wild = np.int64(NONE)
    for space in range(board.row):
        if can(board, mask, TAKE, space):
            if seen.row[space] == colour:
                return np.int64(board.starts[TAKE] + space)
            if seen.row[space] == board.wild:
                wild = np.int64(board.starts[TAKE] + space)
    if wild != NONE and route != NONE and cards_missing(board, seen, seen.seat, route) > 0:
        return wild
    return draw_any(board, mask)


@rule
def draw_any(board, mask):
    if can(board, mask, DRAW, 0):
        return np.int64(board.starts[DRAW])
    for space in range(board.row):
        if can(board, mask, TAKE, space):
            return np.int64(board.starts[TAKE] + space)
    return np.int64(NONE)


@rule
def choose_action(board, seen, mask, thoughts):
    seat = seen.seat
    ticket = nearest_ticket(board, seen, seat, thoughts)
    if ticket == NONE:
        return act_without_ticket(board, seen, mask)
    route = route_to_want(board, seen, seat, ticket, thoughts)
    if can(board, mask, CLAIM, route):
        return route
    return or_anything(board, mask, draw_for(board, seen, mask, route))


@rule
def act_without_ticket(board, seen, mask):
    """No ticket left to complete: take new ones while there is time, then build what scores."""
    time_left = seen.pieces[seen.seat, 0] >= ENOUGH_FOR_TICKETS and seen.last_turns == NOT_ANNOUNCED
    if time_left and can(board, mask, DRAW_TICKETS, 0):
        return np.int64(board.starts[DRAW_TICKETS])
    route = longest_claim(board, mask)
    if route != NONE:
        return route
    return or_anything(board, mask, draw_for(board, seen, mask, np.int64(NONE)))


@rule
def or_anything(board, mask, decision):
    """Where no card can be drawn, whatever is legal: a claim, a station, tickets."""
    if decision != NONE:
        return decision
    route = longest_claim(board, mask)
    if route != NONE:
        return route
    for city in range(board.starts[BUILD + 1] - board.starts[BUILD]):
        if can(board, mask, BUILD, city):
            return np.int64(board.starts[BUILD] + city)
    return np.int64(board.starts[DRAW_TICKETS])


@rule
def choose_second_card(board, seen, mask, thoughts):
    ticket = nearest_ticket(board, seen, seen.seat, thoughts)
    route = np.int64(NONE)
    if ticket != NONE:
        route = route_to_want(board, seen, seen.seat, ticket, thoughts)
    return draw_for(board, seen, mask, route)


@rule
def choose_greedy(board, seen, mask, thoughts):
    if seen.phase == ACTION:
        return choose_action(board, seen, mask, thoughts)
    if seen.phase == SECOND_CARD:
        return choose_second_card(board, seen, mask, thoughts)
    if seen.phase == OPENING or seen.phase == TICKETS_OFFERED:
        return choose_tickets(board, seen, mask, thoughts)
    return choose_payment(board, seen, mask)
