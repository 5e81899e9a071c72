"""The planner's taste: what it thinks things are worth, in hundredths of a point unless said otherwise.

The numbers were found by playing (scripts/tune_planner.py): a set for each board, and one for boards that nobody has tuned.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from branchline.bots.thoughts import WEIGHTS

NAMES = (
    "turn",  # a turn
    "card",  # a card that is still missing
    "piece",  # a piece laid
    "points",  # percent of a route's points that count against its price
    "wild",  # a wild that a ferry asks for
    "tunnel",  # what a tunnel may ask for
    "station",  # using another's route by a station
    "least",  # the least price of a space
    "failed",  # percent of a ticket's loss that counts
    "offered",  # percent of an offered ticket's points that count
    "rate",  # hundredths of pieces that a seat lays in a turn
    "drawn",  # hundredths of useful cards in a turn of drawing
    "detour",  # the most that losing a route can cost
    "near",  # percent by which every rival close by makes a route more urgent
    "claim",  # claim a planned route if its score is above
    "conflict",  # a card that another planned route needs
    "wild_spent",  # a wild spent where it need not be
    "tickets_turns",  # hundredths of turns left with which new tickets are worth a look
    "tickets_gain",  # what new tickets must promise
    "face_up_wild",  # percent of its worth that a face-up wild has
    "blind",  # percent of its worth that a blind card has
    "gray",  # percent: a card for a gray route
    "harbour",  # a card for a harbour
    "urgent",  # percent of urgency that counts in a card's worth
    "extra",  # what a route without a ticket must promise
    "slack",  # percent of the turns left that a plan may take
    # with a yard
    "needed",  # a card in the track pile that a ticket needs
    "unneeded",  # one that none needs yet
    "wild_moved",  # a wild in the track pile
    "safe",  # percent of a row's cards that a rival may hold before the row is in danger
    "rob_slope",  # percent: how quickly the danger grows
    "robbed",  # a card of a rival's row robbed
    "in_hand",  # a card kept in hand
    "wild_in_hand",  # a wild kept in hand
    "placing",  # what placing must promise more than drawing
    "consumed",  # hundredths of cards that a seat takes in a turn
    "hand_supply",  # percent of the cards in hand that reach the track pile
    "deck_supply",  # percent of the fair share of the deck that do
    "ticket",  # a point of an offered ticket
    "deficit",  # a card that will be missing for tickets
    "big_city",  # percent of a tenth of a big city's bonus for a ticket that names it
    "promise",  # percent of what tickets promise that counts
    "ticket_turn",  # a turn for tickets
    "late",  # hundredths of turns left below which cards in hand lose worth
)
INDEX = {name: number for number, name in enumerate(NAMES)}

COMMON = {
    "turn": 200, "card": 100, "piece": 50, "points": 100, "wild": 150, "tunnel": 100, "station": 500, "least": 20,
    "failed": 100, "offered": 90, "rate": 110, "drawn": 170, "detour": 1500, "near": 100, "claim": 0, "conflict": 150,
    "wild_spent": 150, "tickets_turns": 1000, "tickets_gain": 600, "face_up_wild": 120, "blind": 100, "gray": 80, "harbour": 400, "urgent": 30,
    "extra": 0, "slack": 100, "needed": 400, "unneeded": 120, "wild_moved": 450, "safe": 40, "rob_slope": 60, "robbed": 100,
    "in_hand": 60, "wild_in_hand": 150, "placing": 0, "consumed": 130, "hand_supply": 85, "deck_supply": 60, "ticket": 90, "deficit": 500,
    "big_city": 100, "promise": 60, "ticket_turn": 400, "late": 500,
}  # fmt: skip
BY_BOARD: dict[str, dict[str, int]] = {
    "card-game": {
        "needed": 332, "unneeded": 224, "wild_moved": 655, "safe": 115, "rob_slope": 100, "robbed": 333, "in_hand": 129, "wild_in_hand": 566,
        "placing": 5, "consumed": 116, "hand_supply": 6, "deck_supply": 2, "ticket": 21, "deficit": 1248, "big_city": 275, "promise": 43,
        "ticket_turn": 622, "late": 850,
    },
    "europe": {
        "turn": 423, "card": 61, "piece": 119, "points": 113, "wild": 360, "tunnel": 496, "station": 1234, "least": 41,
        "failed": 129, "offered": 110, "rate": 432, "drawn": 299, "detour": 3490, "near": 165, "claim": 14, "conflict": 424,
        "wild_spent": 1106, "tickets_turns": 1430, "tickets_gain": 2178, "face_up_wild": 125, "blind": 114, "gray": 190, "urgent": 77, "extra": 12,
        "slack": 378,
    },
    "london": {
        "turn": 986, "card": 225, "piece": 94, "points": 208, "least": 97, "failed": 404, "offered": 133, "rate": 776,
        "drawn": 472, "detour": 3766, "near": 424, "claim": 28, "conflict": 609, "wild_spent": 581, "tickets_turns": 3832, "tickets_gain": 5183,
        "face_up_wild": 39, "blind": 128, "gray": 513, "urgent": 121, "extra": 85, "slack": 236,
    },
    "usa": {
        "turn": 526, "card": 51, "piece": 77, "points": 83, "least": 52, "failed": 97, "offered": 73, "rate": 212,
        "drawn": 418, "detour": 1635, "near": 111, "claim": 9, "conflict": 476, "wild_spent": 111, "tickets_turns": 4304, "tickets_gain": 1258,
        "face_up_wild": 52, "blind": 174, "gray": 138, "urgent": 46, "extra": 10, "slack": 265,
    },
    "world": {
        "turn": 541, "card": 93, "piece": 83, "points": 68, "least": 43, "failed": 74, "offered": 74, "rate": 228,
        "drawn": 406, "detour": 1937, "near": 170, "claim": 3, "conflict": 361, "wild_spent": 143, "tickets_turns": 2906, "tickets_gain": 642,
        "face_up_wild": 42, "blind": 141, "gray": 206, "harbour": 382, "urgent": 52, "extra": 8, "slack": 103,
    },
}  # fmt: skip


def weights_for(game: str, changes: dict[str, int] | None = None) -> Any:
    """The weights for a board, as the record holds them."""
    chosen = COMMON | BY_BOARD.get(game, {}) | (changes or {})
    weights = np.zeros(WEIGHTS, np.int32)
    for name, value in chosen.items():
        weights[INDEX[name]] = value
    return weights
