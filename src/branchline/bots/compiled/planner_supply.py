"""The planner counts cards: which can still be drawn, as far as it knows, and which colours are rare among them."""

import numpy as np

from branchline.bots.compiled.thoughts import INDEX
from branchline.compiling import rule
from branchline.rules.sizes import GRAY, NONE

HUNDREDTHS = 100
CARD, RARE = INDEX["card"], INDEX["rare"]


@rule
def most_in_deck(board, seen, seat, kind):
    """The most cards of a kind that a deck can hold: no more than it was formed with, and none that are in sight now."""
    formed = np.int64(seen.deck_most[kind]) - seen.drawn[seat, kind]
    unseen = np.int64(board.cards[kind]) - seen.hands[seat, kind] - seen.discards[kind]
    for rival in range(seen.players):
        if rival != seat:
            unseen -= seen.known[rival, kind]
    for space in range(board.row):
        if seen.row[space] == kind:
            unseen -= 1
    return max(min(formed, unseen), np.int64(0))


@rule
def expect_cards(board, seen, seat, deck, thoughts):
    """Hundredths of cards of each kind that can be drawn from a deck: more of the discards, the sooner they form the next one."""
    hidden, cards = np.int64(0), np.int64(0)
    for kind in range(board.kinds):
        if board.deck_of[kind] == deck:
            hidden += most_in_deck(board, seen, seat, kind)
            cards += board.cards[kind]
    size = np.int64(seen.deck_size[deck])
    for kind in range(board.kinds):
        if board.deck_of[kind] == deck:
            drawn = HUNDREDTHS * most_in_deck(board, seen, seat, kind) * size // max(hidden, np.int64(1))
            thoughts.supply[kind] = drawn + HUNDREDTHS * np.int64(seen.discards[kind]) * (cards - size) // cards


@rule
def supply_of_colour(board, deck, colour, thoughts):
    cards = np.int64(0)
    for place in range(2):
        kind = board.kinds_of[deck, colour, place]
        if kind != NONE:
            cards += thoughts.supply[kind]
    return cards


@rule
def rate_colours(board, deck, thoughts):
    """Compare each colour with the mean."""
    cards = np.int64(0)
    for colour in range(board.colours):
        cards += supply_of_colour(board, deck, colour, thoughts)
    for colour in range(board.colours):
        share = 100 * board.colours * supply_of_colour(board, deck, colour, thoughts) // max(cards, np.int64(1))
        thoughts.rarity[deck, colour] = max(100 - share, np.int64(-100))


@rule
def count_supply(board, seen, seat, thoughts):
    for deck in range(board.decks):
        expect_cards(board, seen, seat, deck, thoughts)
    for space in range(board.row):
        if seen.row[space] != NONE:
            thoughts.supply[seen.row[space]] += HUNDREDTHS
    for deck in range(board.decks):
        rate_colours(board, deck, thoughts)


@rule(on_gpu="called")
def price_cards(board, seen, seat, thoughts):
    """What a missing card of each colour costs: more, the rarer it is."""
    counts = thoughts.weights[RARE] > 0
    if counts:
        count_supply(board, seen, seat, thoughts)
    for deck in range(board.decks):
        for colour in range(board.colours):
            dearer = thoughts.weights[RARE] * np.int64(thoughts.rarity[deck, colour]) // 100 if counts else np.int64(0)
            thoughts.price_of_card[deck, colour] = thoughts.weights[CARD] * max(100 + dearer, np.int64(0)) // 100
        thoughts.price_of_card[deck, GRAY] = thoughts.weights[CARD]
