"""The planner's plan: the network that completes its tickets most cheaply together.

Tickets are planned one after the other, each along the cheapest path over own, planned, free and closed routes, so that what one ticket
needs costs the next nothing (a Steiner tree by insertion). Two orders are tried, and the better network is kept.
"""

import numpy as np

from branchline.bots.compiled.paths import clear_prices, leg_end, legs_of, measure, price_of_ticket, set_price
from branchline.bots.compiled.planner_longest import worth_of_longer
from branchline.bots.compiled.thoughts import FAR, INDEX
from branchline.compiling import rule
from branchline.rules.attractions import points_of_claim
from branchline.rules.bits import EMPTY, bit, drop_lowest, has, lowest, next_in, put
from branchline.rules.completion import others_routes
from branchline.rules.network import other_end
from branchline.rules.pairs import PAIR
from branchline.rules.payments import reach
from branchline.rules.sizes import GRAY, NONE, ROUTE_WORDS, SEATS, TICKET_WORDS
from branchline.rules.state import NOT_ANNOUNCED

POINT = 100
TURN, PIECE, POINTS, WILD, TUNNEL = (INDEX[name] for name in ("turn", "piece", "points", "wild", "tunnel"))
STATION, LEAST, FAILED, RATE, DRAWN = (INDEX[name] for name in ("station", "least", "failed", "rate", "drawn"))
DETOUR, NEAR, SLACK = (INDEX[name] for name in ("detour", "near", "slack"))


@rule
def room(board, seen, seat, deck):
    """Pieces of a kind that a seat can still lay, including exchanged ones; before they are chosen, all it may choose."""
    if board.supply > 0 and seen.pieces[seat, 0] + seen.pieces[seat, 1] == 0:
        return np.int64(board.pieces[deck])
    return np.int64(seen.pieces[seat, deck]) + min(np.int64(seen.box[seat, deck]), np.int64(seen.pieces[seat, 1 - deck]))


@rule
def room_in_all(board, seen, seat):
    pieces = np.int64(seen.pieces[seat, 0]) + seen.pieces[seat, 1]
    return np.int64(board.supply) if board.supply > 0 and pieces == 0 else pieces


@rule
def seat_turns_left(board, seen, seat, thoughts):
    """Hundredths of turns until the seat has few pieces left."""
    return 100 * 100 * max(room_in_all(board, seen, seat) - max(board.last_pieces, 0), np.int64(0)) // thoughts.weights[RATE] + 100


@rule
def turns_left(board, seen, thoughts):
    """Hundredths of own turns that are probably left, including this one."""
    if seen.last_turns != NOT_ANNOUNCED:
        return np.int64(100) * ((seen.last_turns + seen.players - 1) // seen.players)
    least = np.int64(FAR)
    for seat in range(seen.players):
        least = min(least, seat_turns_left(board, seen, seat, thoughts))
    return least


@rule
def count_held(board, seen, seat, thoughts):
    """Spaces that the hand's cards of each deck and colour cover; for grey routes, those of the best colour."""
    for deck in range(board.decks):
        most = np.int64(0)
        for colour in range(board.colours):
            spaces = reach(board, seen.hands[seat], deck, colour)
            thoughts.held[deck, colour] = spaces
            most = max(most, spaces)
        thoughts.held[deck, GRAY] = most


@rule
def held_for(board, route, thoughts):
    """Spaces of a route that the hand's cards of one colour cover, without wilds."""
    return np.int64(thoughts.held[board.route_deck[route], board.colour[route]])


@rule
def cards_for(board, route):
    """Roughly how many cards a route takes: a double ship covers two spaces."""
    return PAIR * np.int64(board.length[route]) if board.pair[route] else np.int64(board.length[route])


@rule
def full_price(board, seen, seat, route, thoughts):
    """What it costs to claim a route, less what it earns."""
    weights, hand, length = thoughts.weights, seen.hands[seat], np.int64(board.length[route])
    missing = max(cards_for(board, route) - held_for(board, route, thoughts), np.int64(0))
    price = weights[TURN] + missing * thoughts.price_of_card[board.route_deck[route], board.colour[route]] + weights[PIECE] * length
    price -= weights[POINTS] * points_of_claim(board, seen.reached[seat], route) + worth_of_longer(board, route, thoughts)
    price += weights[WILD] * max(np.int64(board.ferry[route]) - hand[board.wild], np.int64(0)) + weights[TUNNEL] * np.int64(board.tunnel[route])
    return max(price, weights[LEAST] * length)


@rule
def price_to_claim(board, seen, seat, route, thoughts):
    """FAR if there are not enough pieces."""
    if board.length[route] > room(board, seen, seat, board.route_deck[route]):
        return np.int64(FAR)
    return full_price(board, seen, seat, route, thoughts)


@rule
def has_station(board, seen, seat, route):
    """Does the route end where the seat has a station?"""
    return seen.built[seat] & (bit(board.route_a[route]) | bit(board.route_b[route])) != EMPTY


@rule(on_gpu="called")
def set_prices(board, seen, seat, thoughts):
    """Own routes cost nothing; free ones what it takes to claim them; other seats' routes a station."""
    clear_prices(thoughts)
    for word in range(ROUTE_WORDS):
        free = seen.open_to[seat, word]
        left = free | seen.owned[seat, word]
        if board.stations > 0:
            left |= others_routes(seen, seat, word)
        while left != EMPTY:
            route = 64 * word + lowest(left)
            left = drop_lowest(left)
            price = np.int64(0)
            if has(seen.open_to[seat], route):
                price = price_to_claim(board, seen, seat, route, thoughts)
            elif not has(seen.owned[seat], route):
                price = np.int64(1) if has_station(board, seen, seat, route) else np.int64(thoughts.weights[STATION])
            if price < FAR:
                set_price(thoughts, route, price)
            thoughts.full_price[route] = price


@rule
def count_route(board, seen, seat, route, thoughts, times):
    """Add what a route takes to what the plan takes, or take it off (-1)."""
    if has(seen.open_to[seat], route):
        thoughts.spaces[board.route_deck[route]] += times * board.length[route]
        thoughts.turns += times * (100 + 10_000 * cards_for(board, route) // thoughts.weights[DRAWN])
    elif not has_station(board, seen, seat, route):
        thoughts.lent += times
        thoughts.turns += times * 150


@rule
def lay_leg(board, seen, seat, end, thoughts):
    """Add the path measured last to the plan, from its end back."""
    city = np.int64(end)
    while thoughts.arrived_by[city] != NONE:
        route = np.int64(thoughts.arrived_by[city])
        city = np.int64(other_end(board, route, city))
        if thoughts.price[route] > 0:
            put(thoughts.added, route)
            count_route(board, seen, seat, route, thoughts, 1)
            thoughts.price[route] = 0


@rule
def take_back(board, seen, seat, thoughts):
    for word in range(ROUTE_WORDS):
        left = thoughts.added[word]
        while left != EMPTY:
            route = 64 * word + lowest(left)
            left = drop_lowest(left)
            count_route(board, seen, seat, route, thoughts, -1)
            thoughts.price[route] = thoughts.full_price[route]


@rule
def fits(board, seen, seat, turns, thoughts):
    """Are there pieces, stations and time for the plan?"""
    for deck in range(board.decks):
        if thoughts.spaces[deck] > room(board, seen, seat, deck):
            return False
    total = np.int64(thoughts.spaces[0]) + thoughts.spaces[1]
    return total <= room_in_all(board, seen, seat) and thoughts.lent <= seen.unbuilt[seat] * (board.stations > 0) and thoughts.turns <= turns


@rule
def ticket_value(board, ticket, thoughts):
    """Completing a ticket earns its points and avoids its loss."""
    return POINT * np.int64(board.ticket_points[ticket]) + thoughts.weights[FAILED] * np.int64(board.ticket_loss[ticket])


@rule
def lay_ticket(board, seen, seat, ticket, turns, thoughts):
    """Plan a ticket if it is worth it; returns what it gains."""
    for word in range(ROUTE_WORDS):
        thoughts.added[word] = EMPTY
    price = np.int64(0)
    for leg in range(legs_of(board, ticket)):
        measure(board, leg_end(board, ticket, leg), thoughts)
        end = leg_end(board, ticket, leg + 1)
        price += thoughts.distance[end]
        if price >= FAR:
            break
        lay_leg(board, seen, seat, end, thoughts)
    gain = ticket_value(board, ticket, thoughts) - price
    if gain <= 0 or not fits(board, seen, seat, turns, thoughts):
        take_back(board, seen, seat, thoughts)
        return np.int64(0)
    for word in range(ROUTE_WORDS):
        thoughts.plan[word] |= thoughts.added[word]
    put(thoughts.served, ticket)
    return gain


@rule
def sort_tickets(board, thoughts):
    """The tickets wanted, cheapest first; returns how many."""
    number = 0
    ticket = next_in(thoughts.wanted, NONE)
    while ticket != NONE:
        thoughts.ticket_price[ticket] = min(price_of_ticket(board, ticket, thoughts), FAR)
        place = number
        while place > 0 and thoughts.ticket_price[thoughts.order[place - 1]] > thoughts.ticket_price[ticket]:
            thoughts.order[place] = thoughts.order[place - 1]
            place -= 1
        thoughts.order[place] = ticket
        number += 1
        ticket = next_in(thoughts.wanted, ticket)
    return number


@rule
def begin_plan(thoughts):
    for word in range(ROUTE_WORDS):
        thoughts.plan[word] = EMPTY
    for word in range(TICKET_WORDS):
        thoughts.served[word] = EMPTY
    thoughts.spaces[0] = 0
    thoughts.spaces[1] = 0
    thoughts.lent = 0
    thoughts.turns = 0


@rule
def restore_prices(thoughts):
    for word in range(ROUTE_WORDS):
        left = thoughts.plan[word]
        while left != EMPTY:
            route = 64 * word + lowest(left)
            left = drop_lowest(left)
            thoughts.price[route] = thoughts.full_price[route]


@rule
def lay_all(board, seen, seat, number, backwards, turns, thoughts):
    begin_plan(thoughts)
    value = np.int64(0)
    for place in range(number):
        ticket = np.int64(thoughts.order[number - 1 - place if backwards else place])
        value += lay_ticket(board, seen, seat, ticket, turns, thoughts)
    return value


@rule
def hand_turns(board, seen, seat, thoughts):
    """Hundredths of turns of drawing that the hand saves."""
    cards = np.int64(0)
    for kind in range(board.kinds):
        cards += np.int64(seen.hands[seat, kind]) * board.covers[kind]
    return 70 * 100 * cards // thoughts.weights[DRAWN]


@rule(on_gpu="called")
def plan_tickets(board, seen, seat, thoughts):
    """Plan for the tickets wanted, with prices already set. Returns what the plan gains over having none."""
    turns = (turns_left(board, seen, thoughts) + hand_turns(board, seen, seat, thoughts)) * thoughts.weights[SLACK] // 100
    number = sort_tickets(board, thoughts)
    best = lay_all(board, seen, seat, number, False, turns, thoughts)
    if number > 1:
        keep_best(thoughts)
        restore_prices(thoughts)
        value = lay_all(board, seen, seat, number, True, turns, thoughts)
        if value > best:
            best = value
        else:
            take_best(board, seen, seat, thoughts)
    return best


@rule
def keep_best(thoughts):
    for word in range(ROUTE_WORDS):
        thoughts.best_plan[word] = thoughts.plan[word]
    for word in range(TICKET_WORDS):
        thoughts.best_served[word] = thoughts.served[word]


@rule
def take_best(board, seen, seat, thoughts):
    """Go back to the first plan: it was the better one."""
    restore_prices(thoughts)
    begin_plan(thoughts)
    for word in range(TICKET_WORDS):
        thoughts.served[word] = thoughts.best_served[word]
    for word in range(ROUTE_WORDS):
        thoughts.plan[word] = thoughts.best_plan[word]
        left = thoughts.plan[word]
        while left != EMPTY:
            route = 64 * word + lowest(left)
            left = drop_lowest(left)
            count_route(board, seen, seat, route, thoughts, 1)
            thoughts.price[route] = 0


@rule
def rivals_near(board, seen, seat, route):
    ends = bit(board.route_a[route]) | bit(board.route_b[route])
    near = np.int64(0)
    for rival in range(seen.players):
        if rival != seat and seen.reached[rival] & ends != EMPTY and seen.pieces[rival, board.route_deck[route]] >= board.length[route]:
            near += 1
    return near


@rule
def detour_round(board, seen, route, thoughts):
    """Measure as if another seat had the route; with few players, its twin is then closed too (EU-20)."""
    twin = np.int64(board.twin[route])
    shut = twin != NONE and seen.players < board.both_tracks_from
    thoughts.price[route] = FAR
    before = np.int64(thoughts.price[twin]) if shut else np.int64(0)
    if shut:
        thoughts.price[twin] = FAR
    measure(board, board.route_a[route], thoughts)
    thoughts.price[route] = 0
    if shut:
        thoughts.price[twin] = before


@rule
def weigh_urgency(board, seen, seat, thoughts):
    """What it costs to go around a planned route: more if rivals are close."""
    weights = thoughts.weights
    for word in range(ROUTE_WORDS):
        left = thoughts.plan[word] & seen.open_to[seat, word]
        while left != EMPTY:
            route = 64 * word + lowest(left)
            left = drop_lowest(left)
            detour_round(board, seen, route, thoughts)
            detour = min(np.int64(thoughts.distance[board.route_b[route]]), np.int64(weights[DETOUR]))
            thoughts.urgency[route] = detour * (100 + weights[NEAR] * rivals_near(board, seen, seat, route)) // 100


@rule
def tickets_to_plan(seen, seat, thoughts):
    for word in range(TICKET_WORDS):
        thoughts.wanted[word] = seen.tickets[seat, word] & ~seen.completed[seat, word]


@rule
def plan_is_good(seen, seat, thoughts):
    """Is there a plan for these tickets in which every route can still be claimed or borrowed?"""
    if not thoughts.planned:
        return False
    for word in range(TICKET_WORDS):
        if thoughts.plan_tickets[word] != seen.tickets[seat, word]:
            return False
    for word in range(ROUTE_WORDS):
        usable = seen.open_to[seat, word] | seen.owned[seat, word]
        for rival in range(SEATS):
            usable |= seen.owned[rival, word] & thoughts.lent_plan[word]
        if thoughts.plan[word] & ~usable != EMPTY:
            return False
    return True


@rule(on_gpu="called")
def make_plan(board, seen, seat, thoughts):
    set_prices(board, seen, seat, thoughts)
    tickets_to_plan(seen, seat, thoughts)
    plan_tickets(board, seen, seat, thoughts)
    weigh_urgency(board, seen, seat, thoughts)
    thoughts.planned = 1
    thoughts.plan_turn = seen.turn
    for word in range(TICKET_WORDS):
        thoughts.plan_tickets[word] = seen.tickets[seat, word]
    for word in range(ROUTE_WORDS):
        thoughts.lent_plan[word] = thoughts.plan[word] & ~seen.open_to[seat, word]
