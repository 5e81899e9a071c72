"""What tickets are worth to the planner if track cards complete them: their points, less the cards that will be missing."""

import numpy as np

from branchline.bots.compiled.thoughts import INDEX
from branchline.compiling import rule
from branchline.rules.bits import bit, has

HAND_SUPPLY, DECK_SUPPLY, TICKET, DEFICIT, BIG_CITY = (INDEX[name] for name in ("hand_supply", "deck_supply", "ticket", "deficit", "big_city"))


@rule
def all_cards(board):
    cards = np.int64(0)
    for kind in range(board.kinds):
        cards += board.cards[kind]
    return cards


@rule
def supply_of(board, seen, seat, colour, thoughts):
    """Roughly how many hundredths of cards of a colour (or wilds, for the last) the track pile will hold."""
    kind = board.wild if colour == board.colours else colour
    sure = 100 * np.int64(seen.track[seat, colour]) + thoughts.weights[HAND_SUPPLY] * np.int64(seen.hands[seat, kind])
    if colour < board.colours:
        sure += 90 * np.int64(seen.yards[seat, colour])
    share = thoughts.weights[DECK_SUPPLY] * np.int64(seen.deck_size[0]) // np.int64(seen.players)
    return sure + share * np.int64(board.cards[kind]) // all_cards(board)


@rule
def count_left_over(board, seen, seat, thoughts):
    """What is left for more tickets: the supply of each colour less what the tickets in hand take."""
    for colour in range(board.colours):
        left = supply_of(board, seen, seat, colour, thoughts)
        for ticket in range(board.tickets):
            if has(seen.tickets[seat], ticket) and not has(seen.completed[seat], ticket):
                left -= 100 * board.ticket_cards[ticket, colour]
        thoughts.left_over[colour] = left
    thoughts.left_over[board.colours] = supply_of(board, seen, seat, board.colours, thoughts)


@rule
def take_ticket(board, ticket, thoughts, times):
    for colour in range(board.colours):
        thoughts.left_over[colour] -= times * 100 * board.ticket_cards[ticket, colour]


@rule
def deficit(board, thoughts):
    """Hundredths of cards that will be missing even with the help of wilds."""
    lacking = np.int64(0)
    for colour in range(board.colours):
        lacking -= min(np.int64(thoughts.left_over[colour]), np.int64(0))
    return max(lacking - thoughts.left_over[board.colours], np.int64(0))


@rule
def points_of(board, ticket, thoughts):
    """What a ticket is worth: its points, and a part of the bonuses of the big cities that it names."""
    value = thoughts.weights[TICKET] * np.int64(board.ticket_points[ticket])
    for place in range(board.big_cities):
        if board.ticket_cities[ticket] & bit(board.big_city[place]) != 0:
            value += thoughts.weights[BIG_CITY] * np.int64(board.big_city_points[place]) // 10
    return value


@rule
def value_of_track_tickets(board, seen, seat, subset, thoughts):
    """What a set of offered tickets is worth."""
    count_left_over(board, seen, seat, thoughts)
    before, value = deficit(board, thoughts), np.int64(0)
    for i in range(seen.offer_size[seat]):
        if (subset >> i) & 1:
            take_ticket(board, seen.offer[seat, i], thoughts, 1)
            value += points_of(board, seen.offer[seat, i], thoughts)
    return value - thoughts.weights[DEFICIT] * (deficit(board, thoughts) - before) // 100


@rule
def promise_of_track_tickets(board, seen, seat, thoughts):
    """What a drawn ticket is worth on average, over all tickets that the seat does not know about."""
    count_left_over(board, seen, seat, thoughts)
    before, tickets, gains = deficit(board, thoughts), np.int64(0), np.int64(0)
    for ticket in range(board.tickets):
        if seen.knows[ticket] == 0 and not has(seen.completed[seat], ticket):
            take_ticket(board, ticket, thoughts, 1)
            value = points_of(board, ticket, thoughts) - thoughts.weights[DEFICIT] * (deficit(board, thoughts) - before) // 100
            take_ticket(board, ticket, thoughts, -1)
            tickets += 1
            gains += max(value, np.int64(0))
    return gains * board.offer // max(tickets, np.int64(1))
