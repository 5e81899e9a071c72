"""The final count: EU-33 to EU-38, LO-15 to LO-17, NY-5 to NY-7, WO-26 to WO-31, GL-6, CG-22 to CG-24, G-8, G-9. Its parts: see the imports."""

import numpy as np

from branchline.compiling import kept, record, rule
from branchline.rules.attractions import count_attractions
from branchline.rules.bits import count, has, ones
from branchline.rules.board import BY_BONUSES, BY_FEWER_STATIONS, BY_LONGEST_PATH, BY_TICKETS
from branchline.rules.bonuses import award_bonuses
from branchline.rules.completion import complete_tickets
from branchline.rules.districts import count_districts
from branchline.rules.harbours import count_harbours
from branchline.rules.network import label_cities, lay_out, longest_trail
from branchline.rules.sizes import DISTRICTS, SEATS, STATIONS, TICKET_WORDS, TIE_BREAKS
from branchline.rules.tours import find_tours_in_order, tour_points

RESULT = record(
    [
        ("completed", np.uint64, (SEATS, TICKET_WORDS)),
        ("in_order", np.uint64, (SEATS, TICKET_WORDS)),  # the tours among them completed in order
        # points, and the parts that add up to them
        ("total", np.int16, SEATS),
        ("routes", np.int16, SEATS),
        ("tickets", np.int16, SEATS),
        ("stations", np.int16, SEATS),
        ("longest_path", np.int16, SEATS),
        ("districts", np.int16, SEATS),
        ("harbours", np.int16, SEATS),
        ("bonuses", np.int16, SEATS),
        ("attractions", np.int16, SEATS),
        # the evidence
        ("longest_path_length", np.int16, SEATS),
        ("station_city", np.int16, (SEATS, STATIONS)),
        ("station_route", np.int16, (SEATS, STATIONS)),
        ("districts_completed", np.uint8, (SEATS, DISTRICTS)),
        ("bonus_cities", np.uint8, SEATS),  # bits: the big cities whose bonus the seat has
        ("winners", np.uint8),  # bits: the seats that win
    ]
)


@rule
def count_tickets(board, state, seat, result):
    points = np.int64(0)
    for ticket in range(board.tickets):
        if has(result.completed[seat], ticket):
            points += tour_points(board, seat, ticket, result) if ticket >= board.first_tour else board.ticket_points[ticket]
        elif has(state.tickets[seat], ticket):
            points -= board.ticket_loss[ticket]
    result.tickets[seat] = points


@rule
def count_network(board, state, seat, work, result):
    """What a seat's routes are worth at the end."""
    lay_out(board, state.owned[seat], work)
    label_cities(board, work)
    count_districts(board, seat, work, result)
    complete_tickets(board, state, seat, work, result)
    find_tours_in_order(board, seat, work, result)
    result.routes[seat] = state.points[seat]
    if board.attraction_points > 0:
        count_attractions(board, state, seat, result)
    if board.stations > 0:
        result.stations[seat] = board.unbuilt_points * state.unbuilt[seat]
    if board.harbours > 0:
        count_harbours(board, state, seat, result)
    if board.longest_points > 0:
        result.longest_path_length[seat] = longest_trail(work)


@rule
def count_seat(board, state, seat, work, result):
    for word in range(TICKET_WORDS):
        result.completed[seat, word] = state.completed[seat, word]  # CG-18: completed with cards and set aside
    if board.routes > 0:
        count_network(board, state, seat, work, result)
    count_tickets(board, state, seat, result)


@rule
def award_longest_path(board, state, result):
    """EU-37: everyone who ties earns it, but nobody without a route."""
    longest = np.int64(0)
    for seat in range(state.players):
        longest = max(longest, np.int64(result.longest_path_length[seat]))
    for seat in range(state.players):
        if longest > 0 and result.longest_path_length[seat] == longest:
            result.longest_path[seat] = board.longest_points


@rule
def add_up(state, result):
    for seat in range(state.players):
        parts = np.int64(result.routes[seat]) + result.tickets[seat] + result.stations[seat]
        parts += np.int64(result.longest_path[seat]) + result.districts[seat] + result.harbours[seat] + result.bonuses[seat]
        parts += np.int64(result.attractions[seat])
        result.total[seat] = parts


@rule
def tie_value(state, seat, tie_break, result):
    """A seat's value in a tie-break: the larger wins."""
    if tie_break == BY_TICKETS:
        return count(result.completed[seat])
    if tie_break == BY_FEWER_STATIONS:
        return np.int64(state.unbuilt[seat])
    if tie_break == BY_LONGEST_PATH:
        return np.int64(result.longest_path[seat])
    if tie_break == BY_BONUSES:
        return ones(np.uint64(result.bonus_cities[seat]))
    return np.int64(0)


@rule
def ahead(board, state, one, other, result):
    """Does one seat beat another, by points or by the first tie-break that tells them apart? (EU-38, LO-17, WO-31, CG-24)"""
    if result.total[one] != result.total[other]:
        return result.total[one] > result.total[other]
    for i in range(TIE_BREAKS):
        difference = tie_value(state, one, board.tie_breaks[i], result) - tie_value(state, other, board.tie_breaks[i], result)
        if difference != 0:
            return difference > 0
    return False


@rule
def name_winners(board, state, result):
    """G-9: seats that nobody beats win; if there are several, they share the victory."""
    winners = 0
    for seat in range(state.players):
        beaten = False
        for other in range(state.players):
            beaten = beaten or ahead(board, state, other, seat, result)
        if not beaten:
            winners |= 1 << seat
    result.winners = winners


@kept(on_gpu="called")
def final_count(board, state, work, result):
    """Count a finished game into a record of zeros."""
    for seat in range(state.players):
        count_seat(board, state, seat, work, result)
    award_longest_path(board, state, result)
    award_bonuses(board, state, result)
    add_up(state, result)
    name_winners(board, state, result)
