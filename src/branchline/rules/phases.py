"""What the game is waiting for: calls the rules' pairs of functions, what is legal and what happens.

The engine plays a decision with only one legal choice itself (`perform_all`), so players are only asked when they have a real choice.

What only some boards have is asked of the board first: a compiler that knows the board (`cuda/numba_cuda_private.py`) leaves the rest out.
"""

import numpy as np

from branchline.compiling import kept, rule
from branchline.rules.bits import clear, count, first
from branchline.rules.drawing import draw_one, draw_second, fill_taken, legal_fill, legal_first_card, legal_second_card
from branchline.rules.harbours import begin_harbour, legal_harbour_payment, legal_harbours
from branchline.rules.pairs import legal_pair_payment
from branchline.rules.passes import choose_to_complete, finish_completion, legal_completion
from branchline.rules.payments import legal_payment, pay
from branchline.rules.placing import complete_placing, legal_places, legal_placing, place_card
from branchline.rules.routes import begin_claim, complete_claim, legal_claims
from branchline.rules.state import FOR_HARBOUR, FOR_PAIRS, FOR_ROUTE, FOR_STATION
from branchline.rules.stations import begin_station, complete_building, legal_stations
from branchline.rules.supply import choose_supply, exchange, legal_exchanges, legal_supply
from branchline.rules.tickets import begin_ticket_draw, choose_ticket, legal_keep, legal_ticket_draw
from branchline.rules.tunnels import abandon_tunnel, legal_tunnel, try_tunnel
from branchline.rules.turns import pass_turn
from branchline.rules.vocabulary import events
from branchline.rules.vocabulary.decisions import ABANDON, BUILD, CLAIM, COMPLETE, DONE, DRAW_TICKETS, EXCHANGE, KEEP, PASS, PLACE, allow
from branchline.rules.vocabulary.phases import (
    ACTION,
    COMPLETING,
    FILL,
    MOVING,
    OPENING,
    OVER,
    PAYMENT,
    PLACING,
    SECOND_CARD,
    SUPPLY,
    TICKETS_OFFERED,
    TUNNEL,
)
from branchline.rules.yards import move_to_track


@rule
def legal_actions(board, state, mask):
    """EU-7, WO-6: claim a route, build, exchange pieces, place cards, draw cards or tickets; pass only if there is nothing else (G-4)."""
    if board.routes > 0:
        legal_claims(board, state, mask)
    if board.stations > 0:
        legal_stations(board, state, mask)
    if board.harbours > 0:
        legal_harbours(board, state, mask)
    if board.exchange_points > 0:
        legal_exchanges(board, state, mask)
    if board.yards:
        legal_places(board, state, mask)
    legal_first_card(board, state, mask)
    legal_ticket_draw(board, state, mask)
    choices = count(mask)
    if choices == 0:
        allow(board, mask, PASS, 0)
        choices = 1
    return choices


@rule
def legal_card_to_pay(board, state, mask):
    if board.pair_routes > 0 and state.paying_for == FOR_PAIRS:
        legal_pair_payment(board, state, mask)
    elif board.harbours > 0 and state.paying_for == FOR_HARBOUR:
        legal_harbour_payment(board, state, mask)
    else:
        legal_payment(board, state, mask)


@rule
def legal_in_yards(board, state, mask):
    if state.phase == PLACING:
        legal_placing(board, state, mask)
    elif state.phase == COMPLETING:
        legal_completion(board, state, mask)
    elif state.phase == MOVING:
        allow(board, mask, DONE, 0)


@kept
def legal(board, state, mask):
    """Write the set of legal decisions into `mask` and return how many there are."""
    clear(mask)
    phase = state.phase
    if phase == ACTION:
        return legal_actions(board, state, mask)
    if phase == PAYMENT:
        legal_card_to_pay(board, state, mask)
    elif phase == SECOND_CARD:
        legal_second_card(board, state, mask)
    elif phase == OPENING or phase == TICKETS_OFFERED:
        legal_keep(board, state, mask)
    elif phase == TUNNEL:
        legal_tunnel(board, state, mask)
    elif board.decks > 1 and phase == FILL:
        legal_fill(board, state, mask)
    elif board.supply > 0 and phase == SUPPLY:
        legal_supply(board, mask)
    elif board.yards:
        legal_in_yards(board, state, mask)
    return count(mask)


@rule
def begin_building(board, state, city):
    if board.harbours > 0:
        begin_harbour(state, city)
    else:
        begin_station(board, state, city)


@rule
def act(board, state, log, block, what):
    if block == CLAIM:
        begin_claim(board, state, what)
    elif block == BUILD:
        begin_building(board, state, what)
    elif block == DRAW_TICKETS:
        begin_ticket_draw(board, state, log)
    elif board.yards and block == PLACE:
        place_card(board, state, log, what)
    elif board.exchange_points > 0 and block == EXCHANGE:
        exchange(board, state, log, what)
    elif block == PASS:
        pass_turn(board, state, log)
    else:
        draw_one(board, state, log, block, what, 1)


@rule
def pay_card(board, state, kind):
    """A seat that adds the first card to a tunnel carries on paying."""
    state.phase = PAYMENT
    pay(board, state, kind)


@rule
def is_paid(state):
    return state.phase == PAYMENT and state.owed == 0


@rule
def settle(board, state, log):
    """A payment is complete: carry out what it was for."""
    if state.paying_for == FOR_STATION or state.paying_for == FOR_HARBOUR:
        complete_building(board, state, log, events.STATION if state.paying_for == FOR_STATION else events.HARBOUR)
    elif state.paying_for == FOR_ROUTE and board.tunnel[state.target]:
        try_tunnel(board, state, log)
    else:
        complete_claim(board, state, log)


@rule
def place_or_finish(board, state, log, block, kind):
    if block == PLACE:
        place_card(board, state, log, kind)
    else:
        complete_placing(board, state, log)


@rule
def complete_or_finish(board, state, log, work, block, ticket):
    if block == COMPLETE:
        choose_to_complete(state, ticket)
    else:
        finish_completion(board, state, log, work)


@rule
def perform_in_yards(board, state, log, work, block, what):
    if state.phase == PLACING:
        place_or_finish(board, state, log, block, what)
    elif state.phase == MOVING:
        move_to_track(board, state, log, state.seat)
    else:
        complete_or_finish(board, state, log, work, block, what)


@rule
def carry_out(board, state, log, work, decision):
    """Carry out one legal decision, and nothing that follows from it."""
    block = board.block_of[decision]
    what = decision - board.starts[block]
    phase = state.phase
    if phase == ACTION:
        act(board, state, log, block, what)
    elif phase == SECOND_CARD:
        draw_second(board, state, log, block, what)
    elif phase == OPENING or phase == TICKETS_OFFERED:
        choose_ticket(board, state, log, block == KEEP)
    elif phase == PAYMENT or phase == TUNNEL:
        if block == ABANDON:
            abandon_tunnel(board, state, log)
        else:
            pay_card(board, state, what)
    elif board.decks > 1 and phase == FILL:
        fill_taken(board, state, log, what)
    elif board.supply > 0 and phase == SUPPLY:
        choose_supply(board, state, log, what)
    elif board.yards:
        perform_in_yards(board, state, log, work, block, what)


@rule
def perform(board, state, log, work, decision):
    """Carry out one legal decision."""
    carry_out(board, state, log, work, decision)
    if is_paid(state):
        settle(board, state, log)


@rule
def perform_all(board, state, log, mask, work, decision):
    """Carry out a decision and every forced one after it. Leaves the legal decisions of the next real choice in `mask`; returns their number."""
    choices = np.int64(1)
    while choices == 1:
        perform(board, state, log, work, decision)
        choices = legal(board, state, mask)
        if choices == 1:
            decision = first(mask)
    return choices


@rule
def is_over(state):
    return state.phase == OVER
