"""What compiled bots share: their memory, one record per seat, and looking up the mask."""

import numpy as np

from branchline.compiling import record, rule
from branchline.rules.bits import has
from branchline.rules.sizes import CITIES, COLOURS, DECKS, KINDS, ROUTE_WORDS, ROUTES, SEATS, TICKET_WORDS, TICKETS
from branchline.rules.work import NETWORK, TICKET_SEARCH

FAR = 1_000_000  # there is no path

# a planner's preferences: what it thinks things are worth, in hundredths of a point unless stated otherwise; the numbers are in weights.py
NAMES = (
    "turn",  # a turn
    "card",  # a card that is still missing
    "piece",  # a piece laid
    "points",  # percent of a route's points that count against its price
    "wild",  # a wild that a ferry needs
    "tunnel",  # what a tunnel may cost extra
    "station",  # using another seat's route through a station
    "least",  # the least price of a space
    "failed",  # percent of a ticket's loss that counts
    "offered",  # percent of an offered ticket's points that count
    "rate",  # hundredths of pieces that a seat lays per turn
    "drawn",  # hundredths of useful cards per turn of drawing
    "detour",  # the most that losing a route can cost
    "near",  # percent by which every nearby rival makes a route more urgent
    "claim",  # claim a planned route if its score is above this
    "conflict",  # a card that another planned route needs
    "wild_spent",  # a wild spent needlessly
    "tickets_turns",  # hundredths of turns that must be left for new tickets to be worth a look
    "tickets_gain",  # what new tickets must promise
    "face_up_wild",  # percent of its worth for a face-up wild
    "blind",  # percent of its worth for a blind card
    "gray",  # percent: a card for a grey route
    "harbour",  # a card for a harbour
    "urgent",  # percent of urgency that counts in a card's worth
    "extra",  # what a route without a ticket must promise
    "slack",  # percent of the turns left that a plan may take
    "longest",  # percent of the points for the longest path that count
    "doubt",  # hundredths of spaces by which longest paths may still change per turn left
    "rare",  # percent by which a missing card is dearer if no more of its colour can be drawn
    # with a yard
    "needed",  # a card in the track pile that a ticket needs
    "unneeded",  # a card that no ticket needs yet
    "wild_moved",  # a wild in the track pile
    "safe",  # percent of a row's cards that a rival may hold before the row is in danger
    "rob_slope",  # percent: how quickly the danger grows
    "robbed",  # a card of a rival's row robbed
    "in_hand",  # a card kept in hand
    "wild_in_hand",  # a wild kept in hand
    "placing",  # by how much placing must beat drawing
    "consumed",  # hundredths of cards that a seat takes per turn
    "hand_supply",  # percent of the cards in hand that reach the track pile
    "deck_supply",  # percent of a fair share of the deck that reach it
    "ticket",  # a point of an offered ticket
    "deficit",  # a card that will be missing for tickets
    "big_city",  # percent of a tenth of a big city's bonus for a ticket that names it
    "promise",  # percent of what tickets promise that counts
    "ticket_turn",  # a turn for tickets
    "rob_most",  # percent: the greatest possible danger
    "late",  # cards in hand lose worth once fewer hundredths of turns are left
    # for search
    "halved",  # percent of a ticket missing that make a rival half as likely to hold it
    # for levels of the bot that has learned (whims.py), in hundredths of a logit
    "whims",  # by how much it fancies things
    "shy",  # by how much it would rather draw than claim
    "forgets",  # percent of its tickets that are out of its mind
    "held_at",  # where its tickets begin in an observation
)
INDEX = {name: number for number, name in enumerate(NAMES)}
WEIGHTS = len(NAMES)
ADDRESSES = 4  # words after the weights: where the board's network is, and room for it to think in (network.py)

THOUGHTS = record(
    [
        # paths.py: prices of routes, and the cheapest paths from a city
        ("usable", np.uint64, ROUTE_WORDS),  # the routes that have a price
        ("price", np.int32, ROUTES),  # of using a route; zero for the seat's own
        ("distance", np.int32, CITIES),  # the sum of prices from the start city
        ("arrived_by", np.int16, CITIES),  # the route by which a city is reached, or NONE
        ("waiting", np.int8, 64),  # cities whose neighbours may be reached more cheaply than known: a ring
        # plans.py: the network wanted
        ("wanted", np.uint64, TICKET_WORDS),  # the tickets to plan for
        ("served", np.uint64, TICKET_WORDS),  # those of them that the plan completes
        ("plan", np.uint64, ROUTE_WORDS),  # routes to claim, or to use through a station
        ("added", np.uint64, ROUTE_WORDS),  # those the last ticket added
        ("best_plan", np.uint64, ROUTE_WORDS),
        ("best_served", np.uint64, TICKET_WORDS),
        ("full_price", np.int32, ROUTES),  # prices before anything is planned
        ("urgency", np.int32, ROUTES),  # what it would cost to lose a planned route
        ("order", np.int8, TICKETS),
        ("ticket_price", np.int32, TICKETS),
        ("spaces", np.int16, DECKS),  # that the plan still takes
        ("lent_plan", np.uint64, ROUTE_WORDS),  # planned routes that others own
        ("lent", np.int16),  # routes of others that it uses
        ("turns", np.int32),  # hundredths of turns that it takes
        # what the plan was made for; it is made again when that has changed
        ("planned", np.int8),  # 1: there is a plan
        ("plan_tickets", np.uint64, TICKET_WORDS),
        ("plan_turn", np.int16),
        ("patience", np.int16),  # own turns for which a plan is kept unless it breaks; 0: plan again for every decision
        ("extra", np.int16),  # the route to collect for when the plan is done, or NONE
        # cards.py: what cards are worth
        ("held", np.int16, (DECKS, COLOURS + 1)),  # spaces that the hand covers in each colour; last: in the best one, for grey
        ("need", np.int16, (DECKS, COLOURS)),  # spaces of planned routes of each colour
        ("weighed", np.int8),  # 1: cards were weighed for this decision
        ("worth", np.int32, KINDS),  # of one more card of each kind
        ("supply", np.int32, KINDS),  # hundredths of cards of each kind that can be drawn, as far as the seat knows
        ("rarity", np.int16, (DECKS, COLOURS)),  # percent by which there are fewer cards of a colour than of others
        ("price_of_card", np.int32, (DECKS, COLOURS + 1)),  # of a missing card of each colour; last: for grey
        # planner_longest.py: longest paths
        ("measured", np.uint64, (SEATS, ROUTE_WORDS)),  # the routes of each seat when its path was measured
        ("measured_for", np.int8),  # the seat whose network is laid out
        ("path", np.int16, SEATS),  # the length of each seat's longest path
        ("path_to", np.int16, CITIES),  # the longest path of the own network that ends in each city
        ("lead", np.int16),  # by how much the own path is longer than any rival's
        ("doubt", np.int16),  # the lead that is certain to last
        ("per_space", np.int32),  # what a space of the lead is worth, as long as it is in doubt
        *NETWORK,
        # planner_yard.py: needs, and the best cards to place
        ("lacking", np.int16, COLOURS),  # cards of each colour that the tickets need beyond track pile and yard
        ("share", np.int16, COLOURS),  # hundredths of cards of each colour, wilds included, in a hidden card
        ("threat", np.int32, (SEATS, COLOURS)),  # hundredths of cards with which each rival can rob a colour
        ("left_over", np.int32, COLOURS + 1),  # hundredths of cards of each colour, and wilds, for more tickets
        ("place_value", np.int32),
        ("place_colour", np.int16),  # of the row; NONE: single cards
        ("place_cards", np.int16),
        ("place_wilds", np.int16),
        ("place_singles", np.int16),  # their colours, as bits
        *TICKET_SEARCH,  # tickets to complete
        ("weights", np.int32, WEIGHTS + ADDRESSES),  # by INDEX
    ]
)


@rule
def can(board, mask, block, what):
    """Is a decision legal?"""
    return has(mask, np.int64(board.starts[block] + what))
