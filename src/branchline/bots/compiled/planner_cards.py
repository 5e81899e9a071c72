"""What cards are worth to the planner: which to draw, and which to pay with."""

import numpy as np

from branchline.bots.compiled.thoughts import INDEX, can
from branchline.compiling import rule
from branchline.rules.bits import EMPTY, drop_lowest, lowest, nth
from branchline.rules.harbours import COST, OF_EACH_DECK
from branchline.rules.pairs import PAIR, most_pairs
from branchline.rules.sizes import GRAY, KINDS, NONE, ROUTE_WORDS
from branchline.rules.vocabulary.decisions import ABANDON, DRAW, PAY, TAKE

FACE_UP_WILD, BLIND, GRAY_CARD, HARBOUR, URGENT = (INDEX[name] for name in ("face_up_wild", "blind", "gray", "harbour", "urgent"))
BASE = 400  # the worth of a card that completes a route, without urgency


@rule
def count_need(board, seen, seat, thoughts):
    """Count the spaces of planned routes of each colour."""
    for deck in range(board.decks):
        for colour in range(board.colours):
            thoughts.need[deck, colour] = 0
    for word in range(ROUTE_WORDS):
        left = thoughts.plan[word] & seen.open_to[seat, word]
        while left != EMPTY:
            route = 64 * word + lowest(left)
            left = drop_lowest(left)
            if board.colour[route] != GRAY and not board.pair[route]:
                thoughts.need[board.route_deck[route], board.colour[route]] += board.length[route]


@rule
def spare(deck, colour, thoughts):
    """Spaces that cards of a colour cover beyond what planned routes of that colour need; negative if cards are missing."""
    return np.int64(thoughts.held[deck, colour]) - thoughts.need[deck, colour]


@rule
def add_worth(board, deck, colour, worth, thoughts):
    """A card that covers two spaces is worth more than one that covers one."""
    for place in range(2):
        kind = board.kinds_of[deck, colour, place]
        if kind != NONE:
            thoughts.worth[kind] += worth * (1 + np.int64(board.covers[kind])) // 2


@rule(on_gpu="called")
def weigh_route(board, seen, seat, route, thoughts):
    """Make each card that a route needs worth more, the fewer are missing."""
    deck, colour, length = board.route_deck[route], board.colour[route], np.int64(board.length[route])
    weight = BASE + np.int64(thoughts.urgency[route]) * thoughts.weights[URGENT] // 100
    if board.pair[route]:
        missing = PAIR * (length - most_pairs(board, seen.hands[seat], deck))
        for other in range(board.colours):
            if missing > 0:
                odd = np.int64(thoughts.held[deck, other]) & 1
                add_worth(board, deck, other, weight * (1 + odd) // (2 * (1 + missing)), thoughts)
    elif colour != GRAY:
        if spare(deck, colour, thoughts) < 0 or route == thoughts.extra:
            missing = max(length - np.int64(thoughts.held[deck, colour]), np.int64(1))
            add_worth(board, deck, colour, weight // (1 + missing), thoughts)
    else:
        weigh_gray(board, deck, length, weight, thoughts)
    if board.ferry[route] > seen.hands[seat, board.wild]:
        thoughts.worth[board.wild] += weight // 2


@rule
def weigh_gray(board, deck, length, weight, thoughts):
    """A grey route takes any colour; the one with most to spare is best."""
    most = np.int64(0)
    for colour in range(board.colours):
        most = max(most, spare(deck, colour, thoughts))
    if most >= length:
        return
    for colour in range(board.colours):
        missing = length - max(spare(deck, colour, thoughts), np.int64(0))
        add_worth(board, deck, colour, weight * thoughts.weights[GRAY_CARD] // (100 * (1 + missing)), thoughts)


@rule
def weigh_harbours(board, seen, seat, thoughts):
    """Cards with the symbol, in the colours that have most of what a harbour costs."""
    hand = seen.hands[seat]
    for colour in range(board.colours):
        have = np.int64(hand[board.wild])
        for kind in range(board.wild):
            if board.colour_of[kind] == colour and board.symbol[kind]:
                have += min(np.int64(hand[kind]), OF_EACH_DECK)
        missing = COST - have
        for kind in range(board.wild):
            if missing > 0 and board.colour_of[kind] == colour and board.symbol[kind] and hand[kind] < OF_EACH_DECK:
                thoughts.worth[kind] += thoughts.weights[HARBOUR] // missing


@rule(on_gpu="called")
def weigh_cards(board, seen, seat, thoughts):
    """Work out what one more card of each kind is worth to the plan."""
    thoughts.weighed = 1
    for kind in range(KINDS):
        thoughts.worth[kind] = 1
    count_need(board, seen, seat, thoughts)
    for word in range(ROUTE_WORDS):
        left = thoughts.plan[word] & seen.open_to[seat, word]
        while left != EMPTY:
            route = 64 * word + lowest(left)
            left = drop_lowest(left)
            weigh_route(board, seen, seat, route, thoughts)
    if thoughts.extra != NONE:
        thoughts.urgency[thoughts.extra] = 0
        weigh_route(board, seen, seat, thoughts.extra, thoughts)
    if board.harbours > 0 and seen.unbuilt[seat] > 0:
        weigh_harbours(board, seen, seat, thoughts)
    best = np.int64(0)
    for kind in range(board.wild):
        best = max(best, np.int64(thoughts.worth[kind]))
    thoughts.worth[board.wild] = max(np.int64(thoughts.worth[board.wild]), best) * thoughts.weights[FACE_UP_WILD] // 100


@rule
def blind_worth(board, seen, seat, deck, thoughts):
    """The worth of the top card of a deck: the mean over the cards out of sight."""
    cards, worth = np.int64(0), np.int64(0)
    for kind in range(board.kinds):
        if board.deck_of[kind] == deck:
            left = np.int64(board.cards[kind]) - seen.hands[seat, kind] - seen.discards[kind]
            for space in range(board.row):
                if seen.row[space] == kind:
                    left -= 1
            cards += left
            worth += left * thoughts.worth[kind]
    return worth * thoughts.weights[BLIND] // (100 * max(cards, np.int64(1)))


@rule
def best_blind(board, seen, mask, thoughts):
    """The deck to draw from, or NONE, and the worth of its top card."""
    best, most = np.int64(NONE), np.int64(-1)
    for deck in range(board.decks):
        if can(board, mask, DRAW, deck):
            worth = blind_worth(board, seen, seen.seat, deck, thoughts)
            if worth > most:
                best, most = np.int64(deck), worth
    return best, most


@rule
def draw_card(board, seen, mask, thoughts):
    """The best card available: a face-up wild must be worth two others, because it is the only card of its turn."""
    deck, most = best_blind(board, seen, mask, thoughts)
    best = np.int64(board.starts[DRAW] + deck) if deck != NONE else np.int64(NONE)
    second, wild = most, np.int64(NONE)
    for space in range(board.row):
        if can(board, mask, TAKE, space):
            if seen.row[space] == board.wild:
                wild = np.int64(board.starts[TAKE] + space)
            else:
                worth = np.int64(thoughts.worth[seen.row[space]])
                if worth > most:
                    best, second, most = np.int64(board.starts[TAKE] + space), most, worth
                else:
                    second = max(second, worth)
    if wild != NONE and (best == NONE or thoughts.worth[board.wild] > most + max(second, np.int64(0))):
        return wild
    return best


@rule
def pay_score(board, seen, kind, thoughts):
    """How willingly a card is paid: the colour with most to spare first, no more than is owed, harbour symbols last."""
    deck, colour = board.deck_of[kind], board.colour_of[kind]
    extra = spare(deck, colour, thoughts)
    if seen.target >= 0 and seen.paying_for == 0 and board.colour[seen.target] == colour:
        extra += board.length[seen.target]
    score = 4 * extra + 40
    if board.symbol[kind]:
        score -= 2
    if board.covers[kind] > seen.owed:
        score -= 3
    return score


@rule
def choose_payment(board, seen, mask, thoughts):
    """Wilds last; abandon a tunnel only if there is no choice."""
    count_need(board, seen, seen.seat, thoughts)
    best, most = np.int64(NONE), np.int64(-10_000)
    for kind in range(board.wild):
        if can(board, mask, PAY, kind):
            score = pay_score(board, seen, kind, thoughts)
            if score > most:
                best, most = np.int64(board.starts[PAY] + kind), score
    if best != NONE:
        return best
    if can(board, mask, PAY, board.wild):
        return np.int64(board.starts[PAY] + board.wild)
    if can(board, mask, ABANDON, 0):
        return np.int64(board.starts[ABANDON])
    return nth(mask, 0)
