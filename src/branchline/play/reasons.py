"""Why a decision is not legal now, as a key with its values. Asks the rules' own sets and costs; decides nothing itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from branchline.play.bitsets import is_member
from branchline.play.positions import copy_of
from branchline.rules import engine
from branchline.rules.sizes import MASK_WORDS, ROUTE_WORDS
from branchline.rules.vocabulary import decisions, phases

if TYPE_CHECKING:
    from branchline.play.positions import Position

# their sentences are in words/, as why.KEY
REASON_KEYS = (
    # an action
    "choose_action",
    "taken",
    "twin_taken",
    "needs_cards",
    "cannot_pay",
    "too_few_pieces",
    "building_there",
    "no_building_left",
    "not_a_port",
    "not_reached",
    "needs_for_building",
    "exchange",
    "not_in_hand",
    "wild_begins_no_row",
    "row_in_own_yard",
    "row_in_yard",
    "too_few_to_place",
    "deck_empty",
    "deck_and_discards_empty",
    "space_empty",
    "row_closed",
    "no_tickets_left",
    "cannot_pass",
    # in the middle of something
    "wild_not_second",
    "payment_stuck",
    "placing_stuck",
    "cannot_complete",
    "finish_first",
    # asked about ahead of time
    "not_your_turn",
)


@dataclass(frozen=True)
class Reason:
    """Why a decision is not legal, by key and values; `wording.Speaker` makes a sentence of it."""

    key: str
    values: dict[str, Any] = field(default_factory=dict)  # of what JSON can hold


MOST_LACKING = 8  # cards of one kind; with more missing, players need another way


def why_not(position: Position, number: int) -> Reason:
    """The reason why the seat to decide cannot make this decision."""
    block = position.game.decisions.blocks[number]
    what = number - int(position.game.board.record.starts[block])
    phase = int(position.record.phase)
    if phase == phases.ACTION:
        return REASONS[block](position, what) if block in REASONS else Reason("choose_action", {"seat": position.seat})
    if phase == phases.SECOND_CARD and block == decisions.TAKE:
        return why_not_second(position, what)
    if phase in (phases.PAYMENT, phases.TUNNEL) and block == decisions.PAY:
        return Reason("payment_stuck", {"card": position.game.board.cards[what].id})
    if phase == phases.PLACING and block in (decisions.PLACE, decisions.DONE):
        return Reason("placing_stuck")
    if phase == phases.COMPLETING and block == decisions.COMPLETE:
        return Reason("cannot_complete", {"ticket": position.game.board.tickets[what].id})
    return finish_first(position)


def finish_first(position: Position) -> Reason:
    values: dict[str, Any] = {"seat": position.seat, "phase": position.phase}
    if position.record.phase in (phases.OPENING, phases.TICKETS_OFFERED):
        seat = int(position.record.seat)
        values["offered"] = position.offer(seat)[position.record.offer_at[seat]]
    return Reason("finish_first", values)


def lacking(position: Position, is_payable: Callable[[Any], bool]) -> dict[str, Any]:
    """The fewest cards of one kind that would do, and every kind of which that many would; empty if none helps. Tried on a copy with more in hand."""
    cards = position.game.board.cards
    for count in range(1, MOST_LACKING + 1):
        kinds = [card.id for kind, card in enumerate(cards) if is_payable(with_more(position, kind, count))]
        if kinds:
            return {"count": count, "cards": kinds}
    return {}


def with_more(position: Position, kind: int, count: int) -> Any:
    records = copy_of(position.records)
    records["hands"][0, position.record.seat, kind] += count
    return records


def why_not_claim(position: Position, route: int) -> Reason:
    board, state = position.game.board, position.record
    facts = board.routes[route]
    if not is_member(state.open_to[state.seat], route):
        return why_closed(position, route)

    def is_payable(records: Any) -> bool:
        payable = np.zeros(ROUTE_WORDS, np.uint64)
        engine.payable_routes(board.records, records, payable)
        return is_member(payable, route)

    if is_payable(position.records):
        return Reason("too_few_pieces", {"route": facts.id, "length": facts.length, "pieces": position.pieces(int(state.seat))})
    more = lacking(position, is_payable)
    if more:
        return Reason("needs_cards", {"route": facts.id, **more})
    kinds = {name: value for name, value in (("ferry", facts.ferry), ("pair", facts.pair), ("sea", facts.sea)) if value}
    return Reason("cannot_pay", {"route": facts.id, "length": facts.length, "colour": facts.colour, **kinds})


def why_closed(position: Position, route: int) -> Reason:
    name = position.game.board.routes[route].id
    for seat in position.seats:
        if is_member(position.record.owned[seat], route):
            return Reason("taken", {"route": name, "seat": seat})
    return Reason("twin_taken", {"route": name})


def why_not_build(position: Position, city: int) -> Reason:
    board, state = position.game.board, position.record
    building, name = "harbour" if board.record.harbours else "station", board.cities[city].id
    for seat in position.seats:
        if is_member([state.built[seat]], city):
            return Reason("building_there", {"building": building, "city": name, "seat": seat})
    if state.unbuilt[state.seat] == 0:
        return Reason("no_building_left", {"building": building})
    if board.record.harbours and not board.cities[city].port:
        return Reason("not_a_port", {"city": name})
    if board.record.harbours and not is_member([state.reached[state.seat]], city):
        return Reason("not_reached", {"city": name})

    def is_payable(records: Any) -> bool:
        mask = np.zeros(MASK_WORDS, np.uint64)
        engine.legal(board.records, records, mask)
        return is_member(mask, int(board.record.starts[decisions.BUILD]) + city)

    cost = {} if board.record.harbours else {"cost": int(engine.next_station_cost(board.records, position.records))}
    return Reason("needs_for_building", {"building": building, "city": name, **cost, **lacking(position, is_payable)})


def why_not_exchange(position: Position, what: int) -> Reason:
    seat = int(position.record.seat)
    return Reason("exchange", {"pieces": position.pieces(seat), "box": position.box(seat)})


def why_not_place(position: Position, kind: int) -> Reason:
    facts = position.game.board.cards[kind]
    card = facts.id
    if not position.record.hands[position.record.seat, kind]:
        return Reason("not_in_hand", {"card": card})
    if facts.colour is None:
        return Reason("wild_begins_no_row")
    for seat in position.seats:
        if card in position.yard(seat):
            own = seat == position.seat
            return Reason("row_in_own_yard", {"colour": card}) if own else Reason("row_in_yard", {"colour": card, "seat": seat})
    return Reason("too_few_to_place", {"card": card})


def why_not_draw(position: Position, deck: int) -> Reason:
    reformed = position.game.board.record.reformed
    return Reason("deck_and_discards_empty" if reformed else "deck_empty", {"deck": position.game.board.decks[deck]})


def why_not_take(position: Position, space: int) -> Reason:
    """G-14: a card that lies there cannot be taken while decks and discards are empty."""
    return Reason("space_empty" if position.row[space] is None else "row_closed", {"space": space})


def why_not_second(position: Position, space: int) -> Reason:
    return why_not_take(position, space) if position.row[space] is None else Reason("wild_not_second", {"space": space})


def why_not_tickets(position: Position, what: int) -> Reason:
    return Reason("no_tickets_left")


def why_not_pass(position: Position, what: int) -> Reason:
    return Reason("cannot_pass")


REASONS: dict[int, Callable[[Position, int], Reason]] = {
    decisions.CLAIM: why_not_claim,
    decisions.BUILD: why_not_build,
    decisions.DRAW: why_not_draw,
    decisions.TAKE: why_not_take,
    decisions.DRAW_TICKETS: why_not_tickets,
    decisions.PASS: why_not_pass,
    decisions.EXCHANGE: why_not_exchange,
    decisions.PLACE: why_not_place,
}
