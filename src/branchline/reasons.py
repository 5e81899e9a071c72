"""Why a decision is not legal now, in words. Asks the rules' own sets and costs; decides nothing itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from branchline.bitsets import is_member
from branchline.rules import decisions, engine
from branchline.rules import state as st
from branchline.rules.sizes import ROUTE_WORDS

if TYPE_CHECKING:
    from branchline.positions import Position

WAITING_FOR = {
    st.OPENING: "keep or return the ticket {offered}",
    st.TICKETS_OFFERED: "keep or return the ticket {offered}",
    st.SECOND_CARD: "draw a second card",
    st.PAYMENT: "pay the next card",
    st.TUNNEL: "add cards to the tunnel or abandon it",
}


def why_not(position: Position, number: int) -> str:
    """The reason why the seat to decide cannot make this decision."""
    block = position.game.decisions.blocks[number]
    what = number - int(position.game.board.record.starts[block])
    phase = int(position.record.phase)
    if phase == st.ACTION and block in REASONS:
        return REASONS[block](position, what)
    if phase == st.ACTION:
        return f"seat {position.seat} has to choose an action"
    if phase == st.SECOND_CARD and block == decisions.TAKE:
        return why_not_second(position, what)
    if phase in (st.PAYMENT, st.TUNNEL) and block == decisions.PAY:
        return "the payment could not be completed with it"
    return f"seat {position.seat} has to {waiting_for(position, phase)}"


def waiting_for(position: Position, phase: int) -> str:
    if phase in (st.OPENING, st.TICKETS_OFFERED):
        return WAITING_FOR[phase].format(offered=position.offer(int(position.record.seat))[position.record.offer_at])
    return WAITING_FOR[phase]


def why_not_claim(position: Position, route: int) -> str:
    board, state = position.game.board, position.record
    facts = board.routes[route]
    if not is_member(state.open_to[state.seat], route):
        return why_closed(position, route)
    payable = np.zeros(ROUTE_WORDS, np.uint64)
    engine.payable_routes(board.records, position.records, payable)
    if not is_member(payable, route):
        ferry = f", {facts.ferry} of them wild" if facts.ferry else ""
        return f"the hand has no {facts.length} cards for it ({facts.colour}{ferry})"
    return f"it has {facts.length} spaces, and only {position.trains(int(state.seat))} pieces are left"


def why_closed(position: Position, route: int) -> str:
    for seat in position.seats:
        if is_member(position.record.owned[seat], route):
            return f"seat {seat} owns it"
    return "its twin is taken, and a double route's second track is closed to this seat"


def why_not_build(position: Position, city: int) -> str:
    state = position.record
    for seat in position.seats:
        if is_member([state.built[seat]], city):
            return f"seat {seat} has a station there"
    if state.unbuilt[state.seat] == 0:
        return "no station is left"
    return f"a station costs {engine.next_station_cost(position.game.board.records, position.records)} cards of one colour or wilds now"


def why_not_draw(position: Position, deck: int) -> str:
    return "the deck is empty, and there are no discards to make a new one"


def why_not_take(position: Position, space: int) -> str:
    return f"space {space} is empty"


def why_not_second(position: Position, space: int) -> str:
    empty = position.row[space] is None
    return why_not_take(position, space) if empty else "a face-up wild cannot be the second card"


def why_not_tickets(position: Position, what: int) -> str:
    return "no ticket is left"


def why_not_pass(position: Position, what: int) -> str:
    return "a seat passes only when it can do nothing else"


REASONS: dict[int, Callable[[Position, int], str]] = {
    decisions.CLAIM: why_not_claim,
    decisions.BUILD: why_not_build,
    decisions.DRAW: why_not_draw,
    decisions.TAKE: why_not_take,
    decisions.DRAW_TICKETS: why_not_tickets,
    decisions.PASS: why_not_pass,
}
