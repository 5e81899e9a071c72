"""The State record: every field of a game in progress.

A view (views.py) is a record of the same type, blank where the viewer may not look.
"""

import numpy as np

from branchline.compiling import record
from branchline.rules.sizes import (
    COLOURS,
    DECKS,
    KINDS,
    OFFER,
    PIECES,
    ROUTE_WORDS,
    ROW,
    SEATS,
    TICKET_WORDS,
    TICKETS,
)

# what a payment is for
FOR_ROUTE, FOR_STATION, FOR_TUNNEL, FOR_PAIRS, FOR_HARBOUR = 0, 1, 2, 3, 4

NOT_ANNOUNCED = -1  # last_turns before the end is announced

REAL = -1  # viewer of the game itself
SPECTATOR = SEATS  # a viewer without a seat

# table options that the rules know, as bits
TICKETS_OTHERWISE = 1  # CG-19: tickets are completed for players where they would choose, and chosen by hand where they would not
MAY_DRAW_ONE = 2  # G-5: a player may stop after the first card

# the options of a table that not every board has, and their bits; an option without a bit changes only what is shown
TABLE_OPTIONS = {
    "complete_tickets_for_me": TICKETS_OTHERWISE,
    "choose_tickets_by_hand": TICKETS_OTHERWISE,  # the same choice in version 1 of the rules, where tickets were completed for everyone
    "look_into_own_pile": 0,
    "may_draw_one": MAY_DRAW_ONE,
}

STATE = record(
    [
        # chance: the generator's key, and how often it was called
        ("key", np.uint64, 2),
        ("rolls", np.uint64),
        # the map
        ("owned", np.uint64, (SEATS, ROUTE_WORDS)),  # routes of each seat
        ("open_to", np.uint64, (SEATS, ROUTE_WORDS)),  # routes each seat may still claim: free, and not blocked by a twin
        ("reached", np.uint64, SEATS),  # cities where a route of the seat ends
        ("built", np.uint64, SEATS),  # cities with a station or harbour of the seat
        ("tickets", np.uint64, (SEATS, TICKET_WORDS)),  # tickets each seat has kept
        ("completed", np.uint64, (SEATS, TICKET_WORDS)),  # tickets completed with track cards and set aside
        ("chosen", np.uint64, (SEATS, TICKET_WORDS)),  # tickets a seat has chosen to complete, not yet shown
        # whose turn it is, and how far the game has got
        ("viewer", np.int8),  # REAL, or the viewer this view is for
        ("options", np.int8),  # the table's options
        ("players", np.int8),
        ("phase", np.int8),  # what the game waits for: vocabulary/phases.py
        ("seat", np.int8),  # whose decision it is
        ("decided", np.uint8),  # bits: the seats that have made their simultaneous choice
        ("first_seat", np.int8),
        ("passes", np.int8),  # turns passed in a row
        ("last_turns", np.int8),  # turns left once the end is announced
        ("second_pass", np.int8),  # 1: it has begun
        ("to_draw", np.int8),  # cards the seat may still draw after this one
        ("turn", np.int16),  # turns begun, over all seats
        # an unfinished payment
        ("target", np.int16),  # the route or city it is for
        ("paying_for", np.int8),
        ("pay_deck", np.int8),  # the deck whose cards pay, besides wilds
        ("pay_colour", np.int8),  # the colour that may be paid besides wilds; NONE: not chosen yet
        ("pay_from", np.int8),  # the lowest kind that may still be paid: cards are paid in the order of their kinds
        ("owed", np.int8),  # spaces or cards still to pay
        ("wilds_owed", np.int8),  # how many of them must be wild
        ("paid", np.int8, KINDS),  # cards taken from the hand for it (or for the yard), not yet shown
        ("laid", np.int8, KINDS),  # cards laid face up for a tunnel
        ("revealed", np.int8, KINDS),  # cards turned up for a tunnel
        # seats
        ("points", np.int16, SEATS),
        ("pieces", np.int8, (SEATS, PIECES)),
        ("box", np.int8, (SEATS, PIECES)),  # pieces a seat has not chosen, for exchange
        ("supply", np.int8, SEATS),  # trains a seat has chosen to begin with, not yet shown
        ("unbuilt", np.int8, SEATS),  # stations or harbours not built
        ("hands", np.int8, (SEATS, KINDS)),
        ("known", np.int8, (SEATS, KINDS)),  # the part of a hand that everybody knows: cards taken face up, or shown and taken back
        ("unseen", np.uint8, (SEATS, DECKS)),  # in a view: cards in other hands of which only the deck is known; otherwise 0
        ("yards", np.int8, (SEATS, COLOURS)),  # cards of the colour in each row of a yard
        ("yard_wilds", np.int8, (SEATS, COLOURS)),  # wilds on top of each row
        ("track", np.int8, (SEATS, COLOURS + 1)),  # the track pile: cards of each colour, and wilds
        # cards on the table
        ("deck", np.int8, KINDS),  # a multiset: nobody ever knows the order
        ("deck_most", np.int8, KINDS),  # the most of each kind it can hold: everybody knows, because a deck is formed in the open
        ("drawn", np.int8, (SEATS, KINDS)),  # what each seat has drawn blind since then; in a view only the viewer's own
        ("deck_size", np.uint8, DECKS),
        ("discards", np.int8, KINDS),
        ("discards_size", np.uint8, DECKS),
        ("row", np.int8, ROW),  # the kind of each face-up card, or NONE
        # tickets on the table
        ("queue", np.int8, TICKETS),  # the ticket deck from the top; NONE where a view does not know
        ("queue_size", np.int8),
        ("ticket_count", np.int8, SEATS),  # tickets each seat holds
        ("opening_kept", np.int8, SEATS),  # tickets each seat kept at set-up
        ("offer", np.int8, (SEATS, OFFER)),  # tickets offered, in drawn order; NONE where a view does not know
        ("offer_size", np.int8, SEATS),
        ("offer_at", np.int8, SEATS),  # the next ticket that each seat keeps or returns
        ("kept", np.uint8, SEATS),  # bits: the offered tickets the seat keeps
        ("knows", np.uint8, TICKETS),  # bits: the seats that know where the ticket is
        (
            "returned_by",
            np.uint8,
            TICKETS,
        ),  # bits: the seats that returned it to the deck, the only ones to have had it since set-up; in a view the viewer's
    ]
)
