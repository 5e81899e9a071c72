"""The planner on a board: plans the network that its tickets need, collects cards for it, and first claims what it must not lose.

With a yard: planner_yard.py. Its parts: plans.py, planner_tickets.py, planner_cards.py; what it thinks things are worth: weights.py.
"""

import numpy as np

from branchline.bots.compiled.greedy import harbour_to_build, longest_claim, or_anything
from branchline.bots.compiled.planner_cards import choose_payment, count_need, draw_card, spare, weigh_cards
from branchline.bots.compiled.planner_end import best_at_once, station_for
from branchline.bots.compiled.planner_longest import LONGEST, compare_paths, worth_of_longer
from branchline.bots.compiled.planner_supply import price_cards
from branchline.bots.compiled.planner_tickets import choose_tickets, wants_tickets
from branchline.bots.compiled.planner_yard import plan_with_yard
from branchline.bots.compiled.plans import POINT, cards_for, count_held, has_station, held_for, make_plan, plan_is_good, turns_left
from branchline.bots.compiled.thoughts import FAR, INDEX, can
from branchline.compiling import rule
from branchline.rules.attractions import points_of_claim
from branchline.rules.bits import EMPTY, drop_lowest, has, lowest, nth
from branchline.rules.sizes import GRAY, NONE, ROUTE_WORDS
from branchline.rules.state import NOT_ANNOUNCED
from branchline.rules.supply import fewest_trains
from branchline.rules.vocabulary.decisions import CLAIM, DRAW_TICKETS, EXCHANGE
from branchline.rules.vocabulary.decisions import FILL as FILL_FROM
from branchline.rules.vocabulary.decisions import SUPPLY as CHOOSE_TRAINS
from branchline.rules.vocabulary.phases import ACTION, FILL, OPENING, SECOND_CARD, SUPPLY, TICKETS_OFFERED

CLAIM_ABOVE, CONFLICT, WILD_SPENT, EXTRA, DRAWN = (INDEX[name] for name in ("claim", "conflict", "wild_spent", "extra", "drawn"))


@rule
def renew_plan(board, seen, thoughts):
    """Plan for the current view from scratch; only a patient planner keeps its plan, until it breaks or is too old."""
    seat, age = seen.seat, seen.turn - thoughts.plan_turn
    if thoughts.patience == 0 or age < 0 or age > thoughts.patience * seen.players or not plan_is_good(seen, seat, thoughts):
        make_plan(board, seen, seat, thoughts)
    thoughts.extra = NONE


@rule
def routes_to_claim(seen, thoughts):
    left = EMPTY
    for word in range(ROUTE_WORDS):
        left |= thoughts.plan[word] & seen.open_to[seen.seat, word]
    return left != EMPTY


@rule
def spending(board, seen, route, thoughts):
    """What paying for a route costs other planned routes: cards they need, and wilds."""
    seat = seen.seat
    hand, deck, length = seen.hands[seat], board.route_deck[route], np.int64(board.length[route])
    if board.pair[route]:
        return np.int64(0)
    colour = board.colour[route]
    if colour != GRAY:
        wilds = max(length - held_for(board, route, thoughts), np.int64(board.ferry[route]))
        return thoughts.weights[WILD_SPENT] * max(wilds - board.ferry[route], np.int64(0))
    best = np.int64(FAR)
    for other in range(board.colours):
        own = max(spare(deck, other, thoughts), np.int64(0))
        held = spare(deck, other, thoughts) + thoughts.need[deck, other]
        rest = length - np.int64(board.ferry[route])
        if held + hand[board.wild] >= length:
            taken = max(min(held, rest) - own, np.int64(0))
            wilds = max(rest - held, np.int64(0))
            best = min(best, thoughts.weights[CONFLICT] * taken + thoughts.weights[WILD_SPENT] * wilds)
    return best


@rule
def claim_score(board, seen, route, thoughts):
    return np.int64(thoughts.urgency[route]) - spending(board, seen, route, thoughts)


@rule
def best_claim(board, seen, mask, thoughts):
    """The planned route to claim now, or NONE: the most urgent one, unless it spends something more valuable."""
    best, most = np.int64(NONE), np.int64(thoughts.weights[CLAIM_ABOVE])
    for word in range(ROUTE_WORDS):
        left = thoughts.plan[word] & mask[word] & seen.open_to[seen.seat, word]
        while left != EMPTY:
            route = 64 * word + lowest(left)
            left = drop_lowest(left)
            score = claim_score(board, seen, route, thoughts)
            if score > most:
                best, most = np.int64(route), score
    return best


@rule
def turns_for(board, seen, route, thoughts):
    """Hundredths of turns until a route can be claimed."""
    hand = seen.hands[seen.seat]
    missing = max(cards_for(board, route) - held_for(board, route, thoughts) - hand[board.wild], np.int64(0))
    return 100 + 10_000 * missing // thoughts.weights[DRAWN]


@rule(on_gpu="called")
def best_extra(board, seen, thoughts):
    """The route that scores most for the time it takes, regardless of tickets; or NONE."""
    seat, time = seen.seat, turns_left(board, seen, thoughts)
    best, most = np.int64(NONE), np.int64(thoughts.weights[EXTRA])
    for word in range(ROUTE_WORDS):
        left = seen.open_to[seat, word]
        while left != EMPTY:
            route = 64 * word + lowest(left)
            left = drop_lowest(left)
            turns = turns_for(board, seen, route, thoughts)
            if board.length[route] <= seen.pieces[seat, board.route_deck[route]] and turns <= time:
                gain = POINT * points_of_claim(board, seen.reached[seat], route) + worth_of_longer(board, route, thoughts)
                score = 100 * gain // turns
                if score > most:
                    best, most = np.int64(route), score
    return best


@rule
def station_to_build(board, seen, mask, thoughts):
    """The city where a station lets us use a planned route of another seat; NONE if there is none, or it cannot be built."""
    for word in range(ROUTE_WORDS):
        left = thoughts.plan[word] & ~seen.open_to[seen.seat, word] & ~seen.owned[seen.seat, word]
        while left != EMPTY:
            route = 64 * word + lowest(left)
            left = drop_lowest(left)
            if not has_station(board, seen, seen.seat, route) and station_for(board, mask, route) != NONE:
                return station_for(board, mask, route)
    return np.int64(NONE)


@rule
def pieces_missing(board, seen, thoughts):
    """An exchange, if the plan needs more pieces of one kind than there are; otherwise NONE."""
    seat = seen.seat
    for gained in range(board.decks):
        spaces = np.int64(0)
        for word in range(ROUTE_WORDS):
            left = thoughts.plan[word] & seen.open_to[seat, word]
            while left != EMPTY:
                route = 64 * word + lowest(left)
                left = drop_lowest(left)
                if board.route_deck[route] == gained:
                    spaces += board.length[route]
        lacking = min(spaces - seen.pieces[seat, gained], np.int64(seen.box[seat, gained]))
        if lacking > 0 and seen.pieces[seat, 1 - gained] >= lacking:
            return np.int64(board.starts[EXCHANGE] + gained * board.pieces[0] + lacking - 1)
    return np.int64(NONE)


@rule
def act_in_last_turns(board, seen, mask, thoughts):
    """What gains most right now. This overwrites the plan's prices, so the plan is made again when needed."""
    decision = best_at_once(board, seen, mask, turns_left(board, seen, thoughts) // 100, thoughts)
    thoughts.planned = 0
    return decision if decision != NONE else draw_for_plan(board, seen, mask, thoughts)


@rule
def draw_for_plan(board, seen, mask, thoughts):
    weigh_cards(board, seen, seen.seat, thoughts)
    return or_anything(board, mask, draw_card(board, seen, mask, thoughts))


@rule
def act_without_plan(board, seen, mask, thoughts):
    """Nothing in the plan is left to claim: take tickets if they look promising, or claim what scores."""
    station = station_to_build(board, seen, mask, thoughts) if board.stations > 0 else np.int64(NONE)
    if station != NONE:
        return station
    if can(board, mask, DRAW_TICKETS, 0) and wants_tickets(board, seen, thoughts):
        return np.int64(board.starts[DRAW_TICKETS])
    route = best_extra(board, seen, thoughts)
    if route == NONE:
        route = longest_claim(board, mask)
        return route if route != NONE else draw_for_plan(board, seen, mask, thoughts)
    if can(board, mask, CLAIM, route):
        return route
    thoughts.extra = route
    return draw_for_plan(board, seen, mask, thoughts)


@rule
def choose_action(board, seen, mask, thoughts):
    renew_plan(board, seen, thoughts)
    count_need(board, seen, seen.seat, thoughts)
    if board.harbours > 0:
        harbour = harbour_to_build(board, mask, thoughts.served)
        if harbour != NONE:
            return harbour
    if seen.last_turns != NOT_ANNOUNCED:
        return act_in_last_turns(board, seen, mask, thoughts)
    route = best_claim(board, seen, mask, thoughts)
    if route != NONE:
        return route
    if routes_to_claim(seen, thoughts):
        lacking = pieces_missing(board, seen, thoughts) if board.exchange_points > 0 else np.int64(NONE)
        return lacking if lacking != NONE and has(mask, lacking) else draw_for_plan(board, seen, mask, thoughts)
    return act_without_plan(board, seen, mask, thoughts)


@rule
def choose_second_card(board, seen, mask, thoughts):
    collect_for(board, seen, thoughts)
    return draw_for_plan(board, seen, mask, thoughts)


@rule
def collect_for(board, seen, thoughts):
    """Collect cards for the plan or, once it is done, for what scores most."""
    renew_plan(board, seen, thoughts)
    if not routes_to_claim(seen, thoughts):
        thoughts.extra = best_extra(board, seen, thoughts)


@rule
def choose_trains(board, seen, thoughts):
    """As many trains as the plan needs, plus a third of what is left over."""
    make_plan(board, seen, seen.seat, thoughts)
    over = max(np.int64(board.supply) - thoughts.spaces[0] - thoughts.spaces[1], np.int64(0))
    trains = min(max(thoughts.spaces[0] + over // 3, np.int64(fewest_trains(board))), np.int64(board.pieces[0]))
    return board.starts[CHOOSE_TRAINS] + trains - fewest_trains(board)


@rule
def choose_fill(board, seen, mask, thoughts):
    """The deck whose card is worth most."""
    collect_for(board, seen, thoughts)
    weigh_cards(board, seen, seen.seat, thoughts)
    best, most = nth(mask, 0), np.int64(-1)
    for deck in range(board.decks):
        worth = np.int64(0)
        for kind in range(board.wild):
            if board.deck_of[kind] == deck:
                worth += thoughts.worth[kind]
        if can(board, mask, FILL_FROM, deck) and worth > most:
            best, most = np.int64(board.starts[FILL_FROM] + deck), worth
    return best


@rule
def look_around(board, seen, thoughts):
    """What every plan begins with: the cards in hand and those that can be drawn, and who has the longest path."""
    thoughts.weighed = 0
    count_held(board, seen, seen.seat, thoughts)
    price_cards(board, seen, seen.seat, thoughts)
    if board.longest_points > 0 and thoughts.weights[LONGEST] > 0:
        compare_paths(board, seen, seen.seat, turns_left(board, seen, thoughts), thoughts)


@rule
def plan_on_board(board, seen, mask, thoughts):
    look_around(board, seen, thoughts)
    if seen.phase == ACTION:
        return choose_action(board, seen, mask, thoughts)
    if seen.phase == SECOND_CARD:
        return choose_second_card(board, seen, mask, thoughts)
    if seen.phase == OPENING or seen.phase == TICKETS_OFFERED:
        return choose_tickets(board, seen, mask, thoughts)
    if seen.phase == SUPPLY:
        return choose_trains(board, seen, thoughts)
    if seen.phase == FILL:
        return choose_fill(board, seen, mask, thoughts)
    renew_plan(board, seen, thoughts)
    return choose_payment(board, seen, mask, thoughts)


@rule(on_gpu="called")
def choose_planner(board, seen, mask, thoughts):
    if board.yards:
        return plan_with_yard(board, seen, mask, thoughts)
    return plan_on_board(board, seen, mask, thoughts)
