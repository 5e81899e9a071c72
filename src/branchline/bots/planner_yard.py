"""The planner with a yard: weighs rows, single cards, robbery, drawing and tickets by the points that each promises.

A card in the track pile earns points if a ticket needs it; on its way there it lies in the yard, where rivals with more cards can rob it.
"""

import numpy as np

from branchline.bots.thoughts import INDEX, can
from branchline.modes import rule
from branchline.rules.bits import bit, has, nth, ones
from branchline.rules.decisions import DONE, DRAW, DRAW_TICKETS, KEEP, PLACE, RETURN, TAKE
from branchline.rules.placing import SINGLES, SMALLEST_ROW
from branchline.rules.sizes import NONE
from branchline.rules.state import ACTION, NOT_ANNOUNCED, OPENING, PLACING, REAL, SECOND_CARD, TICKETS_OFFERED
from branchline.rules.yards import row_owner, row_size

NEEDED, UNNEEDED, WILD_MOVED, SAFE, ROB_SLOPE = (INDEX[name] for name in ("needed", "unneeded", "wild_moved", "safe", "rob_slope"))
ROBBED, IN_HAND, WILD_IN_HAND, PLACING_COST, CONSUMED = (INDEX[name] for name in ("robbed", "in_hand", "wild_in_hand", "placing", "consumed"))
HAND_SUPPLY, DECK_SUPPLY, TICKET, DEFICIT, BIG_CITY = (INDEX[name] for name in ("hand_supply", "deck_supply", "ticket", "deficit", "big_city"))
PROMISE, TICKET_TURN, LATE, ROB_MOST = (INDEX[name] for name in ("promise", "ticket_turn", "late", "rob_most"))


NOTHING = -1_000_000  # the value of placing where nothing can be placed


@rule
def own_turns_left(seen, thoughts):
    """Hundredths of own turns after the present one."""
    if seen.last_turns != NOT_ANNOUNCED:
        return np.int64(100) * ((np.int64(seen.last_turns) - 1) // seen.players)
    return 10_000 * np.int64(seen.deck_size[0]) // (np.int64(seen.players) * thoughts.weights[CONSUMED]) + 100


@rule
def count_needs(board, seen, seat, thoughts):
    """Cards of each colour that the tickets need and neither track pile nor yard has."""
    for colour in range(board.colours):
        needed = -(np.int64(seen.yards[seat, colour]) + seen.track[seat, colour])
        for ticket in range(board.tickets):
            if has(seen.tickets[seat], ticket) and not has(seen.completed[seat], ticket):
                needed += board.ticket_cards[ticket, colour]
        thoughts.lacking[colour] = needed


@rule
def known_cards(seen, seat, owner, kind):
    """The cards of a hand that the seat knows of: its own, and what everybody knows of others'."""
    return np.int64(seen.hands[owner, kind] if owner == seat else seen.known[owner, kind])


@rule
def hidden_cards(board, seen, rival):
    """How many cards of a rival's hand are hidden: a view says so; in a whole state (search plays on those) they are counted."""
    if seen.viewer != REAL:
        return np.int64(seen.unseen[rival, 0])
    hidden = np.int64(0)
    for kind in range(board.kinds):
        hidden += np.int64(seen.hands[rival, kind]) - seen.known[rival, kind]
    return hidden


@rule
def unseen_of(board, seen, seat, kind):
    """Cards of a kind that the seat does not see."""
    left = np.int64(board.cards[kind]) - seen.discards[kind]
    for owner in range(seen.players):
        left -= known_cards(seen, seat, owner, kind)
        left -= seen.track[owner, board.colours] if kind == board.wild else np.int64(seen.track[owner, kind]) + seen.yards[owner, kind]
    for space in range(board.row):
        left -= seen.row[space] == kind
    if kind == board.wild:
        for owner in range(seen.players):
            for colour in range(board.colours):
                left -= seen.yard_wilds[owner, colour]
    return left - seen.paid[kind] if seen.phase == PLACING else left


@rule
def count_unseen(board, seen, seat, thoughts):
    """Hundredths of cards of each colour, wilds included, in a hidden card."""
    total, wilds = np.int64(0), unseen_of(board, seen, seat, board.wild)
    for colour in range(board.colours):
        thoughts.share[colour] = unseen_of(board, seen, seat, colour) + wilds
        total += thoughts.share[colour] - wilds
    for colour in range(board.colours):
        thoughts.share[colour] = 100 * max(np.int64(thoughts.share[colour]), np.int64(0)) // max(total + wilds, np.int64(1))


@rule
def weigh_rivals(board, seen, seat, thoughts):
    """Hundredths of cards of each colour, wilds included, that each rival can rob with, about."""
    count_unseen(board, seen, seat, thoughts)
    for rival in range(seen.players):
        hidden = hidden_cards(board, seen, rival) if rival != seat else np.int64(0)
        for colour in range(board.colours):
            known = np.int64(seen.known[rival, colour]) + seen.known[rival, board.wild]
            thoughts.threat[rival, colour] = 100 * known + thoughts.share[colour] * hidden


@rule
def danger(seen, rival, colour, size, rows, thoughts):
    """Percent: will the rival rob a row of so many cards in its next turn? It robs one of all the rows there are, if it does.

    Rivals have each other to rob, too: together they are no more dangerous than one.
    """
    chance = (np.int64(thoughts.threat[rival, colour]) // (size + 1) - thoughts.weights[SAFE]) * thoughts.weights[ROB_SLOPE] // 100
    return min(max(chance, np.int64(0)), np.int64(thoughts.weights[ROB_MOST])) // (rows * (seen.players - 1))


@rule
def survives(seen, seat, colour, size, rows, thoughts):
    """Percent: is a row of so many cards still there at the next turn?"""
    chance = np.int64(100)
    for rival in range(seen.players):
        if rival != seat:
            chance = chance * (100 - danger(seen, rival, colour, size, rows, thoughts)) // 100
    return chance


@rule
def rows_in_yard(board, seen, seat):
    rows = np.int64(0)
    for colour in range(board.colours):
        rows += row_size(seen, seat, colour) > 0
    return rows


@rule
def row_value(seen, seat, colour, cards, wilds, rows, turns, thoughts):
    """What a row will bring, card by card, wilds first, as long as it is not robbed and there are turns."""
    value, chance, size = np.int64(0), np.int64(10_000), cards + wilds
    needed = np.int64(thoughts.lacking[colour])
    for moved in range(cards + wilds):
        if 100 * (moved + 1) > turns:
            break
        chance = chance * survives(seen, seat, colour, size - moved, rows, thoughts) // 100
        worth = thoughts.weights[UNNEEDED]
        if moved < wilds:
            worth = thoughts.weights[WILD_MOVED]
        elif moved - wilds < needed:
            worth = thoughts.weights[NEEDED]
        value += chance * worth // 10_000
    value -= cards * thoughts.weights[IN_HAND] + wilds * thoughts.weights[WILD_IN_HAND]
    owner = row_owner(seen, colour)
    if owner != NONE:
        value += row_size(seen, owner, colour) * thoughts.weights[ROBBED]
    return value


@rule
def full_hand(seen, seat, kind):
    """Cards of a kind in hand, those half placed included."""
    return np.int64(seen.hands[seat, kind]) + (seen.paid[kind] if seen.phase == PLACING else 0)


@rule
def smallest_row(seen, seat, colour):
    """The fewest cards with which a row can be made; NONE: not now."""
    owner = row_owner(seen, colour)
    if owner == seat:
        return np.int64(NONE)
    return np.int64(SMALLEST_ROW) if owner == NONE else max(np.int64(SMALLEST_ROW), row_size(seen, owner, colour) + 1)


@rule
def consider_row(board, seen, seat, colour, rows, turns, thoughts):
    """Try every number of wilds with all cards of the colour, or as many as are needed."""
    held, wilds, least = full_hand(seen, seat, colour), full_hand(seen, seat, board.wild), smallest_row(seen, seat, colour)
    if least == NONE or held == 0 or held + wilds < least:
        return
    for cards in range(1, held + 1):
        for extra in range(max(least - cards, np.int64(0)), min(wilds, np.int64(4)) + 1):
            value = row_value(seen, seat, colour, cards, extra, rows, turns, thoughts)
            if value > thoughts.place_value:
                thoughts.place_value = value
                thoughts.place_colour = colour
                thoughts.place_cards = cards
                thoughts.place_wilds = extra


@rule
def best_single(board, seen, seat, rows, turns, chosen, thoughts):
    """The most valuable colour for a single card that is not chosen yet; or NONE."""
    best, most = np.int64(NONE), np.int64(-1_000_000)
    for colour in range(board.colours):
        if (chosen >> colour) & 1 == 0 and full_hand(seen, seat, colour) > 0 and row_owner(seen, colour) == NONE:
            value = row_value(seen, seat, colour, 1, 0, rows, turns, thoughts)
            if value > most:
                best, most = np.int64(colour), value
    return best, most


@rule
def consider_singles(board, seen, seat, rows, turns, thoughts):
    chosen, total = np.int64(0), np.int64(0)
    for _ in range(SINGLES):
        colour, value = best_single(board, seen, seat, rows, turns, chosen, thoughts)
        if colour == NONE:
            return
        chosen |= 1 << colour
        total += value
    if total > thoughts.place_value:
        thoughts.place_value = total
        thoughts.place_colour = NONE
        thoughts.place_singles = chosen


@rule
def find_placing(board, seen, seat, thoughts):
    """The best cards to place now; `place_value` stays far below zero if there are none."""
    turns, rows = own_turns_left(seen, thoughts), rows_in_yard(board, seen, seat)
    weigh_rivals(board, seen, seat, thoughts)
    thoughts.place_value = NOTHING
    thoughts.place_colour = NONE
    thoughts.place_singles = 0
    for colour in range(board.colours):
        consider_row(board, seen, seat, colour, rows + 1, turns, thoughts)
    consider_singles(board, seen, seat, rows + SINGLES, turns, thoughts)


@rule
def go_on_placing(board, seen, mask, thoughts):
    """The next card of what was found best for the whole hand; it is found again, for the hand with what is placed is the same."""
    seat = seen.seat
    find_placing(board, seen, seat, thoughts)
    colour = np.int64(thoughts.place_colour)
    if colour == NONE:
        for single in range(board.colours):
            if (thoughts.place_singles >> single) & 1 and seen.paid[single] == 0 and can(board, mask, PLACE, single):
                return np.int64(board.starts[PLACE] + single)
    elif seen.paid[colour] < thoughts.place_cards and can(board, mask, PLACE, colour):
        return np.int64(board.starts[PLACE] + colour)
    elif seen.paid[board.wild] < thoughts.place_wilds and can(board, mask, PLACE, board.wild):
        return np.int64(board.starts[PLACE] + board.wild)
    return np.int64(board.starts[DONE]) if can(board, mask, DONE, 0) else nth(mask, 0)


@rule
def weigh_yard_cards(board, seen, seat, turns, thoughts):
    """What one more card of each kind is worth in the hand: less when there is hardly time to place it."""
    time = min(turns * 100 // thoughts.weights[LATE], np.int64(100))
    for colour in range(board.colours):
        needed = np.int64(thoughts.lacking[colour]) > seen.hands[seat, colour]
        thoughts.worth[colour] = (thoughts.weights[NEEDED] if needed else thoughts.weights[UNNEEDED]) * time // 100
    thoughts.worth[board.wild] = thoughts.weights[WILD_MOVED] * time // 100


@rule
def blind_yard_card(board, seen, thoughts):
    """The mean worth of a card that is not in sight."""
    total, worth = np.int64(0), np.int64(0)
    for kind in range(board.kinds):
        left = np.int64(board.cards[kind]) - seen.discards[kind] - seen.hands[seen.seat, kind]
        total += left
        worth += left * thoughts.worth[kind]
    return worth // max(total, np.int64(1))


@rule
def find_card(board, seen, mask, thoughts):
    """The card to draw, or NONE; and what the draw is worth, with a second card to come in the action phase."""
    best, most, second, wild = np.int64(NONE), np.int64(-1), np.int64(0), np.int64(NONE)
    if can(board, mask, DRAW, 0):
        best, most = np.int64(board.starts[DRAW]), blind_yard_card(board, seen, thoughts)
        second = most
    for space in range(board.row):
        if can(board, mask, TAKE, space):
            if seen.row[space] == board.wild:
                wild = np.int64(board.starts[TAKE] + space)
                continue
            worth = np.int64(thoughts.worth[seen.row[space]])
            if worth > most:
                best, second, most = np.int64(board.starts[TAKE] + space), max(most, np.int64(0)), worth
            else:
                second = max(second, worth)
    if wild != NONE and (best == NONE or thoughts.worth[board.wild] > most + second):
        return wild, np.int64(thoughts.worth[board.wild])
    return best, most + second


@rule
def supply_of(board, seen, seat, colour, thoughts):
    """Hundredths of cards of a colour (or wilds, for the last) that the track pile will hold, about."""
    kind = board.wild if colour == board.colours else colour
    sure = 100 * np.int64(seen.track[seat, colour]) + thoughts.weights[HAND_SUPPLY] * np.int64(seen.hands[seat, kind])
    if colour < board.colours:
        sure += 90 * np.int64(seen.yards[seat, colour])
    share = thoughts.weights[DECK_SUPPLY] * np.int64(seen.deck_size[0]) // np.int64(seen.players)
    return sure + share * np.int64(board.cards[kind]) // 96


@rule
def price_tickets(board, seen, seat, thoughts):
    """What is left for more tickets: the supply of each colour less what the tickets held take."""
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
    """Hundredths of cards that will be missing, wilds having helped."""
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
def choice_value(board, seen, seat, subset, thoughts):
    """What a set of offered tickets is worth."""
    before, value = deficit(board, thoughts), np.int64(0)
    for i in range(seen.offer_size[seat]):
        if (subset >> i) & 1:
            take_ticket(board, seen.offer[seat, i], thoughts, 1)
            value += points_of(board, seen.offer[seat, i], thoughts)
    value -= thoughts.weights[DEFICIT] * (deficit(board, thoughts) - before) // 100
    for i in range(seen.offer_size[seat]):
        if (subset >> i) & 1:
            take_ticket(board, seen.offer[seat, i], thoughts, -1)
    return value


@rule
def choose_yard_tickets(board, seen, mask, thoughts):
    seat = seen.seat
    ticket = np.int64(seen.offer[seat, seen.offer_at])
    if not can(board, mask, RETURN, ticket):
        return np.int64(board.starts[KEEP] + ticket)
    price_tickets(board, seen, seat, thoughts)
    made = (1 << np.int64(seen.offer_at)) - 1
    least = np.int64(board.opening_keep if seen.phase == OPENING else board.keep)
    best, most = np.int64(made), np.int64(-1_000_000)
    for subset in range(1 << np.int64(seen.offer_size[seat])):
        if subset & made == seen.kept[seat] & made and ones(np.uint64(subset)) >= least:
            value = choice_value(board, seen, seat, subset, thoughts)
            if value > most:
                best, most = np.int64(subset), value
    return np.int64(board.starts[KEEP if best >> np.int64(seen.offer_at) & 1 else RETURN] + ticket)


@rule
def promise_of_tickets(board, seen, seat, thoughts):
    """What the tickets that may be drawn are worth, on the average of all that the seat does not know of."""
    price_tickets(board, seen, seat, thoughts)
    before, tickets, gains = deficit(board, thoughts), np.int64(0), np.int64(0)
    for ticket in range(board.tickets):
        if seen.knows[ticket] == 0 and not has(seen.completed[seat], ticket):
            take_ticket(board, ticket, thoughts, 1)
            value = points_of(board, ticket, thoughts) - thoughts.weights[DEFICIT] * (deficit(board, thoughts) - before) // 100
            take_ticket(board, ticket, thoughts, -1)
            tickets += 1
            gains += max(value, np.int64(0))
    return gains * board.offer // max(tickets, np.int64(1))


@rule
def choose_yard_action(board, seen, mask, thoughts):
    """Whichever promises most: placing cards, drawing cards, or tickets."""
    seat, turns = seen.seat, own_turns_left(seen, thoughts)
    find_placing(board, seen, seat, thoughts)
    weigh_yard_cards(board, seen, seat, turns, thoughts)
    card, most = find_card(board, seen, mask, thoughts)
    decision = card
    if card == NONE:
        most = np.int64(-1_000_000)
    if thoughts.place_value > NOTHING and thoughts.place_value - thoughts.weights[PLACING_COST] > most:
        most = np.int64(thoughts.place_value) - thoughts.weights[PLACING_COST]
        decision = np.int64(board.starts[PLACE]) + first_placed(thoughts)
    if can(board, mask, DRAW_TICKETS, 0):
        promise = promise_of_tickets(board, seen, seat, thoughts) * thoughts.weights[PROMISE] // 100 - thoughts.weights[TICKET_TURN]
        if promise > most:
            return np.int64(board.starts[DRAW_TICKETS])
    return decision if decision != NONE else nth(mask, 0)


@rule
def first_placed(thoughts):
    if thoughts.place_colour != NONE:
        return np.int64(thoughts.place_colour)
    colour = np.int64(0)
    while (thoughts.place_singles >> colour) & 1 == 0:
        colour += 1
    return colour


@rule
def choose_yard_card(board, seen, mask, thoughts):
    weigh_yard_cards(board, seen, seen.seat, own_turns_left(seen, thoughts), thoughts)
    card, _ = find_card(board, seen, mask, thoughts)
    return card if card != NONE else nth(mask, 0)


@rule
def plan_with_yard(board, seen, mask, thoughts):
    count_needs(board, seen, seen.seat, thoughts)
    thoughts.place_value = NOTHING
    if seen.phase == ACTION:
        return choose_yard_action(board, seen, mask, thoughts)
    if seen.phase == SECOND_CARD:
        return choose_yard_card(board, seen, mask, thoughts)
    if seen.phase == OPENING or seen.phase == TICKETS_OFFERED:
        return choose_yard_tickets(board, seen, mask, thoughts)
    if seen.phase == PLACING:
        return go_on_placing(board, seen, mask, thoughts)
    return nth(mask, 0)
