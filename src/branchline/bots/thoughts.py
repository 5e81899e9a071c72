"""What compiled bots share: their memory, a record a seat, and looking up the mask."""

import numpy as np

from branchline.modes import record, rule
from branchline.rules.bits import has
from branchline.rules.sizes import CITIES, COLOURS, DECKS, KINDS, ROUTE_WORDS, ROUTES, TICKET_WORDS, TICKETS

FAR = 1_000_000  # no way
WEIGHTS = 48

THOUGHTS = record(
    [
        # paths.py: prices of routes, and the cheapest ways from a city
        ("usable", np.uint64, ROUTE_WORDS),  # the routes that have a price
        ("price", np.int32, ROUTES),  # of using a route; none for an own one
        ("distance", np.int32, CITIES),  # the sum of prices from the start city
        ("arrived_by", np.int16, CITIES),  # the route by which a city is reached, or NONE
        ("waiting", np.int8, 64),  # cities whose neighbours may be reached more cheaply than known: a ring
        # plans.py: the network wanted
        ("wanted", np.uint64, TICKET_WORDS),  # the tickets to plan for
        ("served", np.uint64, TICKET_WORDS),  # those of them that the plan completes
        ("plan", np.uint64, ROUTE_WORDS),  # routes to claim, or to use by a station
        ("added", np.uint64, ROUTE_WORDS),  # those the last ticket added
        ("best_plan", np.uint64, ROUTE_WORDS),
        ("best_served", np.uint64, TICKET_WORDS),
        ("full_price", np.int32, ROUTES),  # prices before anything is planned
        ("urgency", np.int32, ROUTES),  # what it would cost to lose a planned route
        ("order", np.int8, TICKETS),
        ("ticket_price", np.int32, TICKETS),
        ("spaces", np.int16, DECKS),  # that the plan still takes
        ("lent_plan", np.uint64, ROUTE_WORDS),  # those of the plan that others own
        ("lent", np.int16),  # routes of others that it uses
        ("turns", np.int32),  # hundredths of turns that it takes
        # what the plan was made for; it is made anew when that has changed
        ("planned", np.int8),  # 1: there is a plan
        ("plan_tickets", np.uint64, TICKET_WORDS),
        ("plan_turn", np.int16),
        ("patience", np.int16),  # own turns that a plan is kept unless it breaks
        ("extra", np.int16),  # the route to collect for when the plan is done, or NONE
        # cards.py: what cards are worth
        ("need", np.int16, (DECKS, COLOURS)),  # spaces of planned routes of each colour
        ("worth", np.int32, KINDS),  # of one more card of each kind
        # planner_yard.py: needs, and the best cards to place
        ("lacking", np.int16, COLOURS),  # cards of each colour that the tickets need beyond track pile and yard
        ("left_over", np.int32, COLOURS + 1),  # hundredths of cards of each colour, and wilds, for more tickets
        ("place_value", np.int32),
        ("place_colour", np.int16),  # of the row; NONE: single cards
        ("place_cards", np.int16),
        ("place_wilds", np.int16),
        ("place_singles", np.int16),  # their colours, as bits
        # a bot's taste: see weights.py
        ("weights", np.int32, WEIGHTS),
    ]
)


@rule
def can(board, mask, block, what):
    """Is a decision legal?"""
    return has(mask, np.int64(board.starts[block] + what))
