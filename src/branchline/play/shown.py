"""A position as JSON: what lies on the table, what the viewer's seats hold, and what they have half decided. Made for a view, it has nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from branchline.play.bitsets import members
from branchline.play.completing import best_choice
from branchline.play.games import View
from branchline.play.positions import Position
from branchline.rules import state as st
from branchline.rules.vocabulary import phases

Json = dict[str, Any]
# what everybody knows about a seat: on every board, and only on those with yards
ON_ROUTES = ("hands", "unseen", "ticket_count", "offer_size", "points", "pieces", "owned", "box", "unbuilt", "built")
IN_YARDS = ("yards", "yard_wilds", "track", "completed")


def shown_position(seen: Position, own: Sequence[int], playing: bool, known: Json | None = None) -> Json:
    """What lies on the table, and what the viewer's own seats hold. Seats that are known already are not worked out again."""
    records, board = seen.records, seen.game.board
    decks = zip(board.decks, records["deck_size"][0].tolist(), records["discards_size"][0].tolist(), strict=False)
    facts = {str(seat): ((known or {}).get(str(seat)) or seat_facts(seen, seat)) for seat in seen.seats}
    shown: Json = {
        "phase": seen.phase,
        "turn": int(records["turn"][0]),
        "choosing": seen.choosers if playing else [],
        "decks": {deck: {"cards": cards, "discards": discards} for deck, cards, discards in decks},
        "row": seen.row,
        "tickets_left": int(records["queue_size"][0]),
        "seats": facts if not own else {seat: known | (own_facts(seen, int(seat)) if int(seat) in own else {}) for seat, known in facts.items()},
    }
    if records["last_turns"][0] != st.NOT_ANNOUNCED:
        shown["last_turns"] = int(records["last_turns"][0])
    if records["second_pass"][0]:
        shown["second_pass"] = True
    if records["laid"][0].any():
        shown["tunnel"] = tunnel(seen)
    return shown


def facts_stored(seen: Position) -> list[bytes]:
    """Of each seat, everything from which its facts are made."""
    names = ON_ROUTES + IN_YARDS if seen.game.board.numbers["yards"] else ON_ROUTES
    return [seen.bytes_of(*names, seat=seat) for seat in seen.seats]


def seat_facts(seen: Position, seat: int) -> Json:
    """What everybody knows about a seat: only the number of cards and tickets in hand."""
    records, board = seen.records, seen.game.board.numbers
    facts: Json = {"cards": sum(records["hands"][0, seat].tolist()) + seen.hidden_cards(seat), "tickets": seen.ticket_count(seat)}
    if offered := int(records["offer_size"][0, seat]):
        facts["offered"] = offered
    if board["routes"]:
        facts |= {"points": seen.points(seat), "pieces": seen.pieces(seat), "routes": seen.routes(seat)}
    if board["supply"]:
        facts["box"] = seen.box(seat)
    if board["stations"] or board["harbours"]:
        facts |= {"unbuilt": int(records["unbuilt"][0, seat]), "buildings": seen.buildings(seat)}
    if board["yards"]:  # CG-8: only the size of a track pile
        facts |= {"yard": seen.yard(seat), "pile": sum(records["track"][0, seat].tolist()), "completed": seen.completed(seat)}
    return facts


def own_facts(seen: Position, seat: int, done: list[str] | None = None) -> Json:
    """What a seat holds, and which of its tickets would count now; its track pile, if it may look (CG-7)."""
    facts: Json = {"hand": seen.hand(seat), "held": seen.tickets(seat)}
    if seen.game.board.routes:
        facts["done"] = done_tickets(seen, seat) if done is None else done
    if seen.may_look_into_pile(seat):
        facts["own_pile"] = seen.track(seat)
    return facts


def done_tickets(seen: Position, seat: int) -> list[str]:
    return [seen.game.board.tickets[number].id for number in members(seen.counted().completed[seat])]


def tunnel(seen: Position) -> Json:
    record = seen.record
    return {
        "route": seen.game.board.routes[record.target].id,
        "laid": seen.counts(record.laid),
        "revealed": seen.counts(record.revealed),
        "owed": int(record.owed),
    }


def shown_so_far(view: View, seat: int) -> Json:
    """What the seat that is asked has decided so far."""
    shown = in_progress(view)
    if view.records["offer_size"][0, seat]:
        record = view.record
        kept = int(record.kept[seat])
        at = int(record.offer_at[seat])
        shown |= {"offer": view.offer(seat), "offer_at": at, "kept": [place for place in range(at) if kept >> place & 1]}
    if view.phase_number == phases.COMPLETING:
        shown["chosen"] = [view.game.board.tickets[number].id for number in members(view.record.chosen[seat])]
    return shown


def half_decided(view: View, seat: int) -> Json:
    """What the seat that is asked has decided so far, and the tickets that it would be best to complete."""
    shown = shown_so_far(view, seat)
    best = best_choice(view) if view.phase_number == phases.COMPLETING else None
    return shown if best is None else shown | {"best_choice": asdict(best)}


def in_progress(seen: Position) -> Json:
    """Cards paid or placed so far."""
    if seen.phase_number == phases.PAYMENT:
        return {"payment": payment(seen)}
    return {"placed": seen.counts(seen.record.paid)} if seen.phase_number == phases.PLACING else {}


def payment(seen: Position) -> Json:
    """What is being paid for, what was paid, and what is still owed."""
    record, board = seen.record, seen.game.board
    builds = record.paying_for in (st.FOR_STATION, st.FOR_HARBOUR)
    target = {"city": board.cities[record.target].id} if builds else {"route": board.routes[record.target].id}
    return target | {"paid": seen.counts(record.paid), "owed": int(record.owed)}
