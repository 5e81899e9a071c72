"""The planner with a yard: does whatever promises most of placing cards (planner_rows.py), drawing cards, and tickets (planner_track.py)."""

import numpy as np

from branchline.bots.compiled.completing import choose_completed
from branchline.bots.compiled.planner_rows import NEEDED, NOTHING, UNNEEDED, WILD_MOVED, find_placing, first_placed, go_on_placing, own_turns_left
from branchline.bots.compiled.planner_tickets import choose_tickets
from branchline.bots.compiled.planner_track import promise_of_track_tickets
from branchline.bots.compiled.thoughts import INDEX, can
from branchline.compiling import rule
from branchline.rules.bits import has, nth
from branchline.rules.sizes import NONE
from branchline.rules.vocabulary.decisions import DRAW, DRAW_TICKETS, PLACE, TAKE
from branchline.rules.vocabulary.phases import ACTION, COMPLETING, OPENING, PLACING, SECOND_CARD, TICKETS_OFFERED

PLACING_COST, PROMISE, TICKET_TURN, LATE = (INDEX[name] for name in ("placing", "promise", "ticket_turn", "late"))


@rule
def count_needs(board, seen, seat, thoughts):
    """Cards of each colour that the tickets need and that are neither in the track pile nor in the yard."""
    for colour in range(board.colours):
        needed = -(np.int64(seen.yards[seat, colour]) + seen.track[seat, colour])
        for ticket in range(board.tickets):
            if has(seen.tickets[seat], ticket) and not has(seen.completed[seat], ticket):
                needed += board.ticket_cards[ticket, colour]
        thoughts.lacking[colour] = needed


@rule
def weigh_yard_cards(board, seen, seat, turns, thoughts):
    """What one more card of each kind is worth in hand: less if there is hardly time to place it."""
    time = min(turns * 100 // thoughts.weights[LATE], np.int64(100))
    for colour in range(board.colours):
        needed = np.int64(thoughts.lacking[colour]) > seen.hands[seat, colour]
        thoughts.worth[colour] = (thoughts.weights[NEEDED] if needed else thoughts.weights[UNNEEDED]) * time // 100
    thoughts.worth[board.wild] = thoughts.weights[WILD_MOVED] * time // 100


@rule
def blind_yard_card(board, seen, thoughts):
    """The mean worth of a card out of sight."""
    total, worth = np.int64(0), np.int64(0)
    for kind in range(board.kinds):
        left = np.int64(board.cards[kind]) - seen.discards[kind] - seen.hands[seen.seat, kind]
        total += left
        worth += left * thoughts.worth[kind]
    return worth // max(total, np.int64(1))


@rule
def find_card(board, seen, mask, thoughts):
    """The card to draw, or NONE, and what the draw is worth, including a second card in the action phase."""
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
def choose_yard_action(board, seen, mask, thoughts):
    """Do whatever promises most: placing cards, drawing cards, or tickets."""
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
        promise = promise_of_track_tickets(board, seen, seat, thoughts) * thoughts.weights[PROMISE] // 100 - thoughts.weights[TICKET_TURN]
        if promise > most:
            return np.int64(board.starts[DRAW_TICKETS])
    return decision if decision != NONE else nth(mask, 0)


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
        return choose_tickets(board, seen, mask, thoughts)
    if seen.phase == PLACING:
        return go_on_placing(board, seen, mask, thoughts)
    if seen.phase == COMPLETING:
        return choose_completed(board, seen, thoughts)
    return nth(mask, 0)
