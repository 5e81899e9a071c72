"""Building stations: EU-30, EU-31."""

from branchline.compiling import rule
from branchline.rules.bits import EMPTY, ONE, bit, put_word
from branchline.rules.log import emit, emit_cards
from branchline.rules.payments import ANY_COLOUR, begin_payment, discard_all, end_payment, most_of_a_colour, show_paid
from branchline.rules.row import refill_row
from branchline.rules.state import FOR_STATION
from branchline.rules.turns import end_turn
from branchline.rules.vocabulary.decisions import BUILD


@rule
def next_cost(board, state):
    """The first costs one card, the second two, the third three."""
    return board.stations - state.unbuilt[state.seat] + 1


@rule
def built_by_anyone(state):
    """Cities with a station or harbour."""
    taken = EMPTY
    for seat in range(state.players):
        taken |= state.built[seat]
    return taken


@rule
def legal_stations(board, state, mask):
    if state.unbuilt[state.seat] == 0 or most_of_a_colour(board, state.hands[state.seat], 0) < next_cost(board, state):
        return
    put_word(mask, board.starts[BUILD], ~built_by_anyone(state) & (bit(board.cities) - ONE))


@rule
def begin_station(board, state, city):
    begin_payment(state, FOR_STATION, city, 0, ANY_COLOUR, next_cost(board, state), 0)


@rule
def complete_building(board, state, log, event):
    """Place a station (or harbour) that has been paid for."""
    city, seat = state.target, state.seat
    emit(log, event, seat, city, 0)
    emit_cards(log, board.kinds, state.paid)
    show_paid(board, state)
    state.built[seat] |= bit(city)
    state.unbuilt[seat] -= 1
    discard_all(board, state, state.paid)
    end_payment(state)
    refill_row(board, state, log)
    end_turn(board, state, log)
