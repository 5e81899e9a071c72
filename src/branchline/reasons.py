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
    from branchline.boards.model import Route
    from branchline.positions import Position

WAITING_FOR = {
    st.OPENING: "keep or return the ticket {offered}",
    st.TICKETS_OFFERED: "keep or return the ticket {offered}",
    st.SECOND_CARD: "draw a second card",
    st.PAYMENT: "pay the next card",
    st.TUNNEL: "add cards to the tunnel or abandon it",
    st.SUPPLY: "choose the trains and ships to begin with",
    st.FILL: "choose the deck that fills the empty space",
    st.PLACING: "place the next card",
    st.COMPLETING: "choose the tickets to complete",
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
    if phase == st.PLACING and block in (decisions.PLACE, decisions.DONE):
        return "placed is a row of one colour and wilds, longer than any it robs, or three single cards of different colours, in order"
    if phase == st.COMPLETING and block == decisions.COMPLETE:
        return "the seat does not hold it, the track pile has no cards for it beside those chosen, or one after it in the list was chosen already"
    return f"seat {position.seat} has to {waiting_for(position, phase)}"


def waiting_for(position: Position, phase: int) -> str:
    if phase in (st.OPENING, st.TICKETS_OFFERED):
        return WAITING_FOR[phase].format(offered=position.offer(int(position.record.seat))[position.record.offer_at[position.record.seat]])
    return WAITING_FOR[phase]


def why_not_claim(position: Position, route: int) -> str:
    board, state = position.game.board, position.record
    facts = board.routes[route]
    if not is_member(state.open_to[state.seat], route):
        return why_closed(position, route)
    payable = np.zeros(ROUTE_WORDS, np.uint64)
    engine.payable_routes(board.records, position.records, payable)
    if not is_member(payable, route):
        return f"the hand has no {price(position, facts)}"
    left = ", ".join(f"{number} {piece}" for piece, number in position.pieces(int(state.seat)).items())
    return f"it has {facts.length} spaces, and only {left} are left"


def price(position: Position, facts: Route) -> str:
    """What a route costs."""
    if facts.pair:
        return f"{facts.length} pairs of train cards for it"
    ferry = f", {facts.ferry} of them wild" if facts.ferry else ""
    deck = f" {position.game.board.decks[facts.sea]}" if len(position.game.board.decks) > 1 else ""
    return f"{facts.length}{deck} cards for it ({facts.colour}{ferry})"


def why_closed(position: Position, route: int) -> str:
    for seat in position.seats:
        if is_member(position.record.owned[seat], route):
            return f"seat {seat} owns it"
    return "its twin is taken, and a double route's second track is closed to this seat"


def why_not_build(position: Position, city: int) -> str:
    state = position.record
    building = "harbour" if position.game.board.record.harbours else "station"
    for seat in position.seats:
        if is_member([state.built[seat]], city):
            return f"seat {seat} has a {building} there"
    if state.unbuilt[state.seat] == 0:
        return f"no {building} is left"
    if position.game.board.record.harbours:
        return why_not_harbour(position, city)
    return f"a station costs {engine.next_station_cost(position.game.board.records, position.records)} cards of one colour or wilds now"


def why_not_harbour(position: Position, city: int) -> str:
    if not position.game.board.cities[city].port:
        return "it is not a port"
    if not is_member([position.record.reached[position.record.seat]], city):
        return "the seat owns no route into the city"
    return "a harbour costs 2 train cards and 2 ship cards, all of one colour and with the harbour symbol, or wilds"


def why_not_exchange(position: Position, what: int) -> str:
    seat = int(position.record.seat)
    have, box = (", ".join(f"{number} {piece}" for piece, number in pieces.items()) for pieces in (position.pieces(seat), position.box(seat)))
    return f"the seat has {have}, and its box {box}"


def why_not_place(position: Position, kind: int) -> str:
    card = position.game.board.cards[kind].id
    if not position.record.hands[position.record.seat, kind]:
        return f"the hand has no {card}"
    if card == "wild":
        return "a row begins with a card of its colour, and wilds are no single cards"
    for seat in position.seats:
        if card in position.yard(seat):
            return f"{'the own yard' if seat == position.seat else f'the yard of seat {seat}'} has a row of {card}, and the hand no longer one"
    return "that would be neither a row of two or more nor three single cards of different colours"


def why_not_draw(position: Position, deck: int) -> str:
    if not position.game.board.record.reformed:
        return "the deck is empty"
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
    decisions.EXCHANGE: why_not_exchange,
    decisions.PLACE: why_not_place,
}
