"""Choosing and exchanging pieces: WO-1, WO-5, WO-24."""

import numpy as np

from branchline.compiling import rule
from branchline.rules.at_once import all_choose, was_last_choice
from branchline.rules.bits import ONE, bit, put_word
from branchline.rules.log import emit
from branchline.rules.sizes import PIECES
from branchline.rules.turns import begin_turn, end_turn
from branchline.rules.vocabulary.decisions import EXCHANGE, allow
from branchline.rules.vocabulary.decisions import SUPPLY as CHOOSE
from branchline.rules.vocabulary.events import CHOOSE_SUPPLY
from branchline.rules.vocabulary.events import EXCHANGE as EXCHANGED
from branchline.rules.vocabulary.phases import SUPPLY

TRAINS, SHIPS = 0, 1


@rule
def hand_out_pieces(board, state):
    """At set-up every seat has all its pieces, unless it has yet to choose."""
    for seat in range(state.players):
        state.unbuilt[seat] = board.stations + board.harbours
        for piece in range(PIECES):
            if board.supply == 0:
                state.pieces[seat, piece] = board.pieces[piece]


@rule
def fewest_trains(board):
    """The fewest trains a seat can choose: the ships have to make up the rest."""
    return board.supply - board.pieces[SHIPS]


@rule
def begin_supply(board, state, log):
    """Everybody has their first tickets: begin the first turn, or the choice of pieces before it."""
    if board.supply > 0:
        state.phase = SUPPLY
        all_choose(state)
    else:
        begin_turn(board, state, log, state.first_seat)


@rule
def legal_supply(board, mask):
    for choice in range(board.pieces[TRAINS] - fewest_trains(board) + 1):
        allow(board, mask, CHOOSE, choice)


@rule
def choose_supply(board, state, log, choice):
    """WO-5: nothing is shown until the last choice is made."""
    state.supply[state.seat] = fewest_trains(board) + choice
    if not was_last_choice(state):
        return
    for seat in range(state.players):
        reveal_supply(board, state, log, seat)
    begin_turn(board, state, log, state.first_seat)


@rule
def reveal_supply(board, state, log, seat):
    trains = state.supply[seat]
    ships = board.supply - trains
    state.pieces[seat, TRAINS] = trains
    state.pieces[seat, SHIPS] = ships
    state.box[seat, TRAINS] = board.pieces[TRAINS] - trains
    state.box[seat, SHIPS] = board.pieces[SHIPS] - ships
    state.supply[seat] = 0
    emit(log, CHOOSE_SUPPLY, seat, trains, ships)


@rule
def most_exchanged(state, gained):
    """As many as the box holds and the seat can give for them."""
    return min(np.int64(state.box[state.seat, gained]), np.int64(state.pieces[state.seat, 1 - gained]))


@rule
def legal_exchanges(board, state, mask):
    for gained in range(PIECES):
        put_word(mask, board.starts[EXCHANGE] + board.pieces[TRAINS] * gained, bit(most_exchanged(state, gained)) - ONE)


@rule
def exchange(board, state, log, what):
    """WO-24: `what` counts trains gained from 1 on, then ships."""
    seat, gained = state.seat, what // board.pieces[TRAINS]
    number = what - board.pieces[TRAINS] * gained + 1
    state.pieces[seat, gained] += number
    state.box[seat, gained] -= number
    state.pieces[seat, 1 - gained] -= number
    state.box[seat, 1 - gained] += number
    points = -board.exchange_points * number
    state.points[seat] += points
    emit(log, EXCHANGED, seat, number if gained == TRAINS else -number, points)
    end_turn(board, state, log)
