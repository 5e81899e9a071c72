"""The Board record: what the rules need to know about a board. Filled by `boards/loader.py` from a board's data files."""

import numpy as np

from branchline.compiling import record
from branchline.rules.sizes import (
    ALIKE,
    BIG_CITIES,
    BLOCKS,
    CITIES,
    COLOURS,
    DECISIONS,
    DECKS,
    DISTRICTS,
    HARBOUR_STEPS,
    KINDS,
    LENGTHS,
    PIECES,
    ROUTE_WORDS,
    ROUTES,
    TICKETS,
    TIE_BREAKS,
    TOUR_CITIES,
    TOURS,
)

# where tickets go if a seat does not keep them at set-up
TO_BOX, TO_BOTTOM, TO_DECK = 0, 1, 2

# tie-breaks, in the board's order; 0 ends the list
BY_TICKETS, BY_FEWER_STATIONS, BY_LONGEST_PATH, BY_BONUSES = 1, 2, 3, 4

BOARD = record(
    [
        # sets of routes as bits, made by the loader so that legal claims are a few ANDs and ORs
        ("touching", np.uint64, (CITIES, ROUTE_WORDS)),  # routes that end in a city
        ("payable", np.uint64, (DECKS, COLOURS + 1, LENGTHS, ROUTE_WORDS)),  # [deck, colour or GRAY, n]: those routes with at most n spaces
        ("pair_payable", np.uint64, (LENGTHS, ROUTE_WORDS)),  # [n]: pair routes with at most n spaces; no other payable set has them
        ("ferries", np.uint64, (LENGTHS, ROUTE_WORDS)),  # [n]: routes with at most n locomotive symbols
        ("within", np.uint64, (DECKS, LENGTHS, ROUTE_WORDS)),  # [deck, n]: routes with at most n spaces
        ("districts", np.uint64, DISTRICTS),  # the cities of each district
        ("ports", np.uint64),  # the cities that take a harbour
        ("attractions", np.uint64),  # the cities that pay everyone who comes there
        ("ticket_cities", np.uint64, TICKETS),  # the cities that a ticket names
        # how many there are
        ("cities", np.int64),
        ("routes", np.int64),
        ("tickets", np.int64),
        ("kinds", np.int64),  # kinds of card; the last is the wild
        ("colours", np.int64),
        ("decks", np.int64),
        ("district_count", np.int64),
        ("big_cities", np.int64),
        ("pair_routes", np.int64),
        ("first_tour", np.int64),  # the tickets from this number on are tours
        # the decision table: block b holds the decisions starts[b] to starts[b + 1] - 1
        ("starts", np.int16, BLOCKS + 1),
        ("block_of", np.int8, DECISIONS),  # the block of each decision
        # cards
        ("cards", np.int16, KINDS),  # how many of each kind the game has
        ("deck_of", np.int16, KINDS),  # which deck a kind belongs to
        ("colour_of", np.int16, KINDS),  # NONE for the wild
        ("covers", np.int16, KINDS),  # spaces that one card covers
        ("symbol", np.int16, KINDS),  # 1: it carries the harbour symbol
        ("kinds_of", np.int16, (DECKS, COLOURS, ALIKE)),  # the kinds of a deck and colour, those that cover most first; NONE: no more
        ("next_alike", np.int16, KINDS),  # the next kind of the same deck and colour, or NONE
        ("wild", np.int64),  # the kind that stands for any colour
        ("hand", np.int16, DECKS),  # cards dealt to a hand from each deck
        ("opening_wilds", np.int64),  # wilds given to each seat before the deal
        ("row", np.int64),  # face-up spaces
        ("row_from", np.int16, DECKS),  # how many of them are laid from each deck
        ("clear_row_at", np.int64),  # this many face-up wilds clear the row; more than its spaces: never
        ("reformed", np.int64),  # 1: an empty deck is reformed from its discards; 0: it announces the last turns
        ("row_closes", np.int64),  # 1: while no deck can supply a card, face-up cards cannot be taken either (G-14)
        # pieces
        ("pieces", np.int16, PIECES),  # how many of each kind a seat has
        ("supply", np.int64),  # how many of them a seat chooses to begin with; 0: all
        ("exchange_points", np.int64),  # lost per piece exchanged; 0: no exchange
        ("stations", np.int64),
        ("harbours", np.int64),
        # routes: their end cities, spaces, colour (or GRAY), the deck whose cards and pieces they take, locomotive symbols,
        # tunnel or not, pair route or not, other track of a double route (or NONE)
        ("route_a", np.int16, ROUTES),
        ("route_b", np.int16, ROUTES),
        ("length", np.int16, ROUTES),
        ("colour", np.int16, ROUTES),
        ("route_deck", np.int16, ROUTES),
        ("ferry", np.int16, ROUTES),
        ("tunnel", np.int16, ROUTES),
        ("pair", np.int16, ROUTES),
        ("twin", np.int16, ROUTES),
        ("both_tracks_from", np.int64),  # with fewer players only one track of a double route can be used
        ("route_points", np.int16, LENGTHS),
        # tickets: the long ones (dealt only at set-up) come first, the tours last
        ("ticket_a", np.int16, TICKETS),  # of a tour: the first and the last city
        ("ticket_b", np.int16, TICKETS),
        ("ticket_points", np.int16, TICKETS),  # of a tour: what it is worth in order
        ("ticket_loss", np.int16, TICKETS),  # what it costs if it is not completed
        ("ticket_cards", np.int16, (TICKETS, COLOURS)),  # the cards of each colour that complete it, where tickets need cards
        ("ticket_size", np.int16, TICKETS),  # how many cards those are
        ("tour_city", np.int16, (TOURS, TOUR_CITIES)),
        ("tour_size", np.int16, TOURS),
        ("tour_connected", np.int16, TOURS),  # what it is worth if its cities are joined, but not in order
        ("long_tickets", np.int64),
        ("opening_long", np.int64),  # long tickets offered to each seat at set-up
        ("opening_offer", np.int64),  # other tickets offered at set-up
        ("opening_keep", np.int64),
        ("opening_to", np.int64),  # TO_BOX, TO_BOTTOM or TO_DECK
        ("offer", np.int64),
        ("keep", np.int64),
        # yards and track piles
        ("yards", np.int64),  # 1: cards are placed in yards, and tickets completed with those of the track pile
        ("second_pass_from", np.int64),  # from this many players on there is a second pass; more than there can be: never
        ("second_pass_hand", np.int64),  # cards dealt for it
        ("deal_in_turn", np.int64),  # 1: they are dealt one at a time in turn; 0: to one seat after the other
        ("choose_tickets", np.int64),  # 1: players choose the tickets they complete; 0: they are chosen for them
        # the end
        ("last_pieces", np.int64),  # this few pieces at the end of a turn announce the last turns; NONE: never
        ("last_turns", np.int64),  # last turns per seat
        ("unbuilt_points", np.int64),  # per station not built
        ("unbuilt_loss", np.int64),  # per harbour not built
        ("harbour_points", np.int16, HARBOUR_STEPS),
        ("longest_points", np.int64),
        ("district_points", np.int16, DISTRICTS),
        ("attraction_points", np.int64),
        ("big_city", np.int16, BIG_CITIES),
        ("big_city_points", np.int16, BIG_CITIES),
        ("tie_breaks", np.int16, TIE_BREAKS),
    ]
)
