"""Order of turns, last turns, passing, the end: EU-7, EU-32, LO-5, LO-14, WO-6, WO-25, CG-17, G-3, G-4, G-11, G-12."""

import numpy as np

from branchline.compiling import rule
from branchline.rules.log import emit
from branchline.rules.sizes import NONE
from branchline.rules.state import NOT_ANNOUNCED
from branchline.rules.track_tickets import begin_completion
from branchline.rules.vocabulary.events import END, LAST_TURNS, PASS, TURN
from branchline.rules.vocabulary.phases import ACTION, COMPLETING, MOVING, OVER

MOST_TURNS = 400  # G-12: the most turns per seat


@rule
def begin_turn(board, state, log, seat):
    state.seat = seat
    state.turn += 1
    state.phase = MOVING if board.yards else ACTION
    emit(log, TURN, seat, 0, 0)


@rule
def end_game(state, log):
    state.phase = OVER
    state.seat = NONE
    emit(log, END, NONE, 0, 0)


@rule
def pieces_left(state, seat):
    return np.int64(state.pieces[seat, 0]) + state.pieces[seat, 1]


@rule
def announce_last_turns(board, state, log):
    """EU-32, WO-25: few pieces are left at the end of a turn, so every seat, including this one, takes its last turns."""
    if state.last_turns == NOT_ANNOUNCED and pieces_left(state, state.seat) <= board.last_pieces:
        state.last_turns = board.last_turns * state.players
        emit(log, LAST_TURNS, state.seat, 0, board.last_turns)
    elif state.last_turns > 0:
        state.last_turns -= 1


@rule
def announce_empty_deck(board, state, log):
    """CG-17: if the deck is not reformed, its last card announces the last turns, which begin after the current turn."""
    if not board.reformed and state.last_turns == NOT_ANNOUNCED and state.deck_size[0] == 0:
        state.last_turns = board.last_turns * state.players + 1
        emit(log, LAST_TURNS, state.seat, 0, board.last_turns)


@rule
def out_of_turns(state):
    """G-12."""
    return state.turn >= MOST_TURNS * np.int64(state.players)


@rule
def game_is_over(state):
    everyone_passed = state.passes == state.players and state.last_turns == NOT_ANNOUNCED  # G-4
    return everyone_passed or state.last_turns == 0 or out_of_turns(state)


@rule
def end_pass(board, state, log):
    """Nobody has a turn left. On boards where tickets are completed with cards, that happens now: passes.py."""
    if board.yards:
        state.phase = COMPLETING
        begin_completion(board, state)
    else:
        end_game(state, log)


@rule(on_gpu="called")
def finish_turn(board, state, log):
    announce_last_turns(board, state, log)
    if game_is_over(state):
        end_pass(board, state, log)
    else:
        after = np.int64(state.seat) + 1
        begin_turn(board, state, log, after if after < state.players else 0)


@rule
def end_turn(board, state, log):
    state.passes = 0
    finish_turn(board, state, log)


@rule
def pass_turn(board, state, log):
    """G-4: a seat with no legal action passes."""
    emit(log, PASS, state.seat, 0, 0)
    state.passes += 1
    finish_turn(board, state, log)
