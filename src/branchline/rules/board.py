"""The Board record: what the rules need to know of a board. Filled by `boards/loader.py` from a board's data files."""

import numpy as np

from branchline.modes import record
from branchline.rules.sizes import (
    BLOCKS,
    CITIES,
    COLOURS,
    DECKS,
    DISTRICTS,
    KINDS,
    LENGTHS,
    PIECES,
    ROUTE_WORDS,
    ROUTES,
    TICKETS,
    TIE_BREAKS,
)

# where tickets go that a seat does not keep at set-up
TO_BOX, TO_BOTTOM = 0, 1

# what decides between equal totals, in the board's order; 0 ends the list
BY_TICKETS, BY_FEWER_STATIONS, BY_LONGEST_PATH = 1, 2, 3

BOARD = record(
    [
        # sets of routes as bits, made by the loader so that legal claims are a few ANDs and ORs
        ("touching", np.uint64, (CITIES, ROUTE_WORDS)),  # routes that end in a city
        ("payable", np.uint64, (COLOURS + 1, LENGTHS, ROUTE_WORDS)),  # [colour or GRAY, n]: routes of that colour with at most n spaces
        ("ferries", np.uint64, (LENGTHS, ROUTE_WORDS)),  # [n]: routes with at most n locomotive symbols
        ("within", np.uint64, (LENGTHS, ROUTE_WORDS)),  # [n]: routes with at most n spaces
        ("districts", np.uint64, DISTRICTS),  # the cities of each district
        # how many there are
        ("cities", np.int64),
        ("routes", np.int64),
        ("tickets", np.int64),
        ("kinds", np.int64),  # kinds of card; the last is the wild
        ("colours", np.int64),
        ("decks", np.int64),
        ("district_count", np.int64),
        # the decision table: block b holds the decisions starts[b] to starts[b + 1] - 1
        ("starts", np.int16, BLOCKS + 1),
        # cards
        ("cards", np.int16, KINDS),  # how many of each kind the game has
        ("deck_of", np.int16, KINDS),  # which deck a kind belongs to
        ("wild", np.int64),  # the kind that stands for any colour
        ("hand", np.int16, DECKS),  # cards dealt to a hand from each deck
        ("row", np.int64),  # face-up spaces
        ("clear_row_at", np.int64),  # so many face-up wilds clear the row; more than its spaces: never
        # pieces
        ("pieces", np.int16, PIECES),
        ("stations", np.int64),
        # routes: their end cities, spaces, colour (or GRAY), locomotive symbols, tunnel or not, other track of a double route (or NONE)
        ("route_a", np.int16, ROUTES),
        ("route_b", np.int16, ROUTES),
        ("length", np.int16, ROUTES),
        ("colour", np.int16, ROUTES),
        ("ferry", np.int16, ROUTES),
        ("tunnel", np.int16, ROUTES),
        ("twin", np.int16, ROUTES),
        ("both_tracks_from", np.int64),  # with fewer players only one track of a double route can be used
        ("route_points", np.int16, LENGTHS),
        # tickets: the long ones (dealt only at set-up) come first
        ("ticket_a", np.int16, TICKETS),
        ("ticket_b", np.int16, TICKETS),
        ("ticket_points", np.int16, TICKETS),
        ("long_tickets", np.int64),
        ("opening_long", np.int64),  # long tickets offered to each seat at set-up
        ("opening_offer", np.int64),  # further tickets offered at set-up
        ("opening_keep", np.int64),
        ("opening_to", np.int64),  # TO_BOX or TO_BOTTOM
        ("offer", np.int64),
        ("keep", np.int64),
        # the end
        ("last_pieces", np.int64),  # so few pieces at the end of a turn announce the last turns
        ("last_turns", np.int64),  # last turns for each seat
        ("unbuilt_points", np.int64),
        ("longest_points", np.int64),
        ("district_points", np.int16, DISTRICTS),
        ("tie_breaks", np.int16, TIE_BREAKS),
    ]
)
