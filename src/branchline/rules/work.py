"""The Work record: scratch space for counting one seat at the end of a game or pass. It is a parameter, because rules allocate nothing."""

import numpy as np

from branchline.compiling import record
from branchline.rules.sizes import BIG_CITIES, CITIES, COLOURS, STATIONS, TICKET_WORDS, TICKETS, TRAIL

STATION_OPTIONS = 16  # routes that one city can lend; no city has more tracks

# best_tickets.py: tickets that could be completed, what each gains, and the search through them. Bots think in the same fields.
TICKET_SEARCH = [
    ("candidate", np.int8, TICKETS),
    ("candidates", np.int16),
    ("gain", np.int16, TICKETS),
    ("card_price", np.int16, COLOURS + 1),  # of a card of each colour, and of a wild
    ("asked", np.int16, COLOURS),  # cards of each colour that tickets worth their price ask for
    ("closer_price", np.int32, COLOURS + 1),
    ("trial_price", np.int32, COLOURS + 1),
    ("closer_gain", np.int32, TICKETS),
    # big cities: what the bonus is worth (0: nothing to win), the tickets still needed for it, those taken, and those worth their price
    ("city_bonus", np.int16, BIG_CITIES),
    ("city_need", np.int8, BIG_CITIES),
    ("city_taken", np.int8, BIG_CITIES),
    ("city_asked", np.int16, BIG_CITIES),
    # the part of the bonus that each ticket naming the city is credited with
    ("city_credit", np.int16, BIG_CITIES),
    ("closer_credit", np.int32, BIG_CITIES),
    ("trial_credit", np.int32, BIG_CITIES),
    ("closer_bound", np.int64),
    ("taken", np.uint64),  # places of the candidates taken
    ("turned", np.uint64),  # places where the other way is being tried
    ("best", np.uint64),
    ("bound", np.int64),
    ("value", np.int64),
    ("most", np.int64),
]

# network.py: a seat's own routes are renumbered from 0, so that a set of them is one word. Bots think in the same fields.
NETWORK = [
    ("incident", np.uint64, CITIES),  # the seat's routes that end in a city
    ("edge_a", np.int8, TRAIL),
    ("edge_b", np.int8, TRAIL),
    ("edge_length", np.int8, TRAIL),
    ("edges", np.int16),
    ("label", np.int8, CITIES),  # cities with the same label are joined
    # the current trail: the city reached, the routes not tried there yet, the route that led there
    ("trail_city", np.int8, TRAIL + 1),
    ("trail_options", np.uint64, TRAIL + 1),
    ("trail_edge", np.int8, TRAIL + 1),
]

WORK = record(
    [
        *NETWORK,
        # for an ordered trail also: the routes used, the cities visited since the last city of the tour, and which of the tour's cities comes next
        ("trail_used", np.uint64, TRAIL + 1),
        ("trail_met", np.uint64, TRAIL + 1),
        ("trail_goal", np.int8, TRAIL + 1),
        # completion.py: what each station could join
        ("lent_route", np.int16, (STATIONS, STATION_OPTIONS)),
        ("lent_groups", np.uint64, (STATIONS, STATION_OPTIONS)),  # the two labels it joins
        ("lent_count", np.int8, STATIONS),
        ("open_labels", np.uint64, TICKETS),  # tickets not yet completed: the two labels to join
        ("open_points", np.int16, TICKETS),
        ("open_count", np.int16),
        # observations: sets of joined cities, and the tickets whose cities are joined
        ("groups", np.uint64, CITIES // 2),
        ("joined", np.uint64, TICKET_WORDS),
        *TICKET_SEARCH,
    ]
)
