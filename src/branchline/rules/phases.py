"""What the game waits for: dispatches to the rules' pairs of functions, what is legal and what happens.

A decision with one legal choice is played by the engine itself (`apply`), so whoever is asked has a real choice.
"""

from branchline.modes import kept, rule
from branchline.rules.bits import clear, count, nth
from branchline.rules.decisions import (
    ABANDON,
    BUILD,
    CLAIM,
    DRAW_TICKETS,
    KEEP,
    PASS,
    allow,
    block_of,
)
from branchline.rules.drawing import first_card, legal_first_card, legal_second_card, second_card
from branchline.rules.payments import legal_payment, pay
from branchline.rules.routes import begin_claim, complete_claim, legal_claims
from branchline.rules.state import (
    ACTION,
    FOR_ROUTE,
    FOR_STATION,
    OPENING,
    OVER,
    PAYMENT,
    SECOND_CARD,
    TICKETS_OFFERED,
    TUNNEL,
)
from branchline.rules.stations import begin_station, complete_station, legal_stations
from branchline.rules.tickets import begin_ticket_draw, choose_ticket, legal_keep, legal_ticket_draw
from branchline.rules.tunnels import abandon_tunnel, legal_tunnel, try_tunnel
from branchline.rules.turns import pass_turn


@rule
def legal_actions(board, state, mask):
    """EU-7: draw cards, claim a route, draw tickets, build; or pass, if there is nothing else (G-4)."""
    legal_claims(board, state, mask)
    legal_stations(board, state, mask)
    legal_first_card(board, state, mask)
    legal_ticket_draw(board, state, mask)
    choices = count(mask)
    if choices == 0:
        allow(board, mask, PASS, 0)
        choices = 1
    return choices


@kept
def legal(board, state, mask):
    """Write the set of legal decisions into `mask` and return how many there are."""
    clear(mask)
    phase = state.phase
    if phase == ACTION:
        return legal_actions(board, state, mask)
    if phase == PAYMENT:
        legal_payment(board, state, mask)
    elif phase == SECOND_CARD:
        legal_second_card(board, state, mask)
    elif phase == OPENING or phase == TICKETS_OFFERED:
        legal_keep(board, state, mask)
    elif phase == TUNNEL:
        legal_tunnel(board, state, mask)
    return count(mask)


@rule
def act(board, state, log, block, what):
    if block == CLAIM:
        begin_claim(board, state, what)
    elif block == BUILD:
        begin_station(board, state, what)
    elif block == DRAW_TICKETS:
        begin_ticket_draw(board, state, log)
    elif block == PASS:
        pass_turn(board, state, log)
    else:
        first_card(board, state, log, block, what)


@rule
def pay_card(board, state, log, kind):
    """Who adds the first card to a tunnel goes on paying."""
    state.phase = PAYMENT
    pay(board, state, kind)
    if state.owed > 0:
        return
    if state.paying_for == FOR_STATION:
        complete_station(board, state, log)
    elif state.paying_for == FOR_ROUTE and board.tunnel[state.target]:
        try_tunnel(board, state, log)
    else:
        complete_claim(board, state, log)


@rule
def perform(board, state, log, decision):
    """Carry out one legal decision."""
    block = block_of(board, decision)
    what = decision - board.starts[block]
    phase = state.phase
    if phase == ACTION:
        act(board, state, log, block, what)
    elif phase == SECOND_CARD:
        second_card(board, state, log, block, what)
    elif phase == OPENING or phase == TICKETS_OFFERED:
        choose_ticket(board, state, log, block == KEEP)
    elif block == ABANDON:
        abandon_tunnel(board, state, log)
    else:
        pay_card(board, state, log, what)


@kept
def apply(board, state, log, mask, decision):
    """Carry out a decision, and every one that is then forced. Leaves the legal ones of the next real choice in `mask`, and returns how many."""
    choices = 1
    while choices == 1:
        perform(board, state, log, decision)
        choices = legal(board, state, mask)
        if choices == 1:
            decision = nth(mask, 0)
    return choices


@rule
def is_over(state):
    return state.phase == OVER
