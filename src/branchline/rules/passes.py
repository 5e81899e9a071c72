"""The end of a pass, and the second pass: CG-17 to CG-21. Which tickets can be completed: track_tickets.py, best_tickets.py, ticket_bonuses.py."""

from branchline.compiling import rule
from branchline.rules.at_once import was_last_choice
from branchline.rules.best_tickets import choose_best
from branchline.rules.bits import next_in, put
from branchline.rules.cards import can_draw, deal_cards, draw_to_hand
from branchline.rules.log import emit
from branchline.rules.row import lay_row
from branchline.rules.sizes import NONE
from branchline.rules.state import NOT_ANNOUNCED
from branchline.rules.track_tickets import by_hand, complete_chosen, fits, last_chosen, spend_chosen
from branchline.rules.turns import begin_turn, end_game, out_of_turns
from branchline.rules.vocabulary.decisions import COMPLETE, DONE, allow
from branchline.rules.vocabulary.events import DEAL, LAST_TURNS, SECOND_PASS
from branchline.rules.vocabulary.fields import CARD_ROW


@rule
def legal_completion(board, state, mask):
    """CG-19: by hand, tickets are chosen one by one in the order of their numbers. Otherwise there is nothing to choose."""
    allow(board, mask, DONE, 0)
    if by_hand(board, state):
        seat = state.seat
        spend_chosen(board, state, seat, 1)
        ticket = next_in(state.tickets[seat], last_chosen(board, state.chosen[seat]))
        while ticket != NONE:
            if fits(board, state.track[seat], ticket):
                allow(board, mask, COMPLETE, ticket)
            ticket = next_in(state.tickets[seat], ticket)
        spend_chosen(board, state, seat, -1)


@rule
def choose_to_complete(state, ticket):
    put(state.chosen[state.seat], ticket)


@rule
def finish_completion(board, state, log, work):
    """Nothing is shown until the last choice is made."""
    if by_hand(board, state) and not was_last_choice(state):
        return
    for seat in range(state.players):
        if not by_hand(board, state):
            choose_best(board, state, seat, work)
        complete_chosen(board, state, log, seat)
    if state.players >= board.second_pass_from and not state.second_pass and not out_of_turns(state):
        begin_second_pass(board, state, log)
    else:
        end_game(state, log)


@rule
def gather_cards(board, state):
    """CG-21: all train cards except those in hands form the new deck, in the open."""
    for colour in range(board.colours + 1):
        kind = board.wild if colour == board.colours else board.kinds_of[0, colour, 0]
        for seat in range(state.players):
            state.deck[kind] += state.track[seat, colour]
            state.track[seat, colour] = 0
            state.drawn[seat, kind] = 0
            if colour < board.colours:
                state.deck[kind] += state.yards[seat, colour]
                state.deck[board.wild] += state.yard_wilds[seat, colour]
                state.yards[seat, colour] = 0
                state.yard_wilds[seat, colour] = 0
        state.deck[kind] += state.discards[kind]
        state.discards[kind] = 0
    for space in range(board.row):
        if state.row[space] != NONE:
            state.deck[state.row[space]] += 1
            state.row[space] = NONE


@rule
def count_deck(board, state):
    state.discards_size[0] = 0
    state.deck_size[0] = 0
    for kind in range(board.kinds):
        state.deck_most[kind] = state.deck[kind]
        state.deck_size[0] += state.deck[kind]


@rule
def deal_one_at_a_time(board, state, log, first):
    """CG-21: beginning with the seat that goes on. What each was dealt is told seat by seat."""
    for _ in range(board.second_pass_hand):
        for after in range(state.players):
            if can_draw(board, state, 0):
                draw_to_hand(board, state, log, 0, (first + after) % state.players)
    for seat in range(state.players):
        emit(log, DEAL, seat, 0, 0)
        for kind in range(board.kinds):
            if state.drawn[seat, kind] > 0:
                emit(log, CARD_ROW, NONE, kind, state.drawn[seat, kind])


@rule
def deal_second_pass(board, state, log, first):
    if board.deal_in_turn:
        deal_one_at_a_time(board, state, log, first)
        return
    for seat in range(state.players):
        emit(log, DEAL, seat, 0, 0)
        deal_cards(board, state, log, seat, 0, board.second_pass_hand)


@rule
def begin_second_pass(board, state, log):
    """CG-21. If the deal empties the deck, the last turns begin at once."""
    state.second_pass = 1
    state.last_turns = NOT_ANNOUNCED
    state.passes = 0
    gather_cards(board, state)
    count_deck(board, state)
    emit(log, SECOND_PASS, NONE, 0, state.deck_size[0])
    goes_on = (state.first_seat + state.turn) % state.players
    deal_second_pass(board, state, log, goes_on)
    lay_row(board, state, log)
    if state.deck_size[0] == 0:
        state.last_turns = board.last_turns * state.players
        emit(log, LAST_TURNS, NONE, 0, board.last_turns)
    begin_turn(board, state, log, goes_on)
