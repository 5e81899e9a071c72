"""What a viewer sees of a table, as JSON. The game itself comes only from the viewer's view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from branchline.play.bitsets import members
from branchline.play.compass import compass
from branchline.play.completing import best_choice
from branchline.play.games import State, View
from branchline.play.gathering import gathering
from branchline.play.payments import payments
from branchline.play.positions import Position
from branchline.rules import state as st
from branchline.rules.vocabulary import phases
from branchline.server.store.entries import FINISHED, PLAYING
from branchline.server.tables.patches import Json
from branchline.server.tables.table import Table, Viewer

RECENT = 100  # events in a snapshot; older ones: /events?after=0


def snapshot(table: Table, viewer: Viewer) -> Json:
    """Everything a fresh page needs: the cursor in the viewer's stream, the table's state, and the latest events."""
    return {"cursor": len(table.streams[viewer]), "state": state_for(table, viewer), "recent": recent(table, viewer)}


def recent(table: Table, viewer: Viewer) -> list[Json]:
    stream = table.streams[viewer]
    return table.events_for(viewer, max(0, len(stream) - RECENT))[-RECENT:]


def state_for(table: Table, viewer: Viewer) -> Json:
    """Leave out nulls in objects, so that changes can be sent as merge patches."""
    header = table.header
    shown: Json = {
        "table": header.id,
        "game": header.game,
        "rules_version": header.rules_version,
        "options": header.options,
        "settings": {name: value for name, value in header.settings.items() if value is not None} | {"pace": table.pace},
        "status": table.status,
        "seats": {str(number): seat.public() for number, seat in enumerate(table.seats)},
        "commitment": table.commitment,
    }
    facts = {
        "you": viewer,
        "host": table.host_seat,
        "rematch": table.rematch,
        "muted": sorted(table.seats[viewer].muted) if viewer is not None and table.seats[viewer].muted else None,
        "deadline": deadline(table),
        "seed": header.seed if table.status == FINISHED else None,
        "position": position(table, viewer) if table.state is not None else None,
        "result": table.state.result if table.state is not None and table.status == FINISHED else None,
    }
    return shown | {name: value for name, value in facts.items() if value is not None}


def deadline(table: Table) -> float | None:
    """When the time for a turn runs out, in seconds since 1970; for simultaneous choices, the earliest."""
    seconds = table.header.settings.get("turn_seconds")
    ends = [since + seconds for seat, since in table.clock.items() if seconds and not table.seats[seat].bot_plays]
    return min(ends) if ends and table.status == PLAYING else None


def position(table: Table, viewer: Viewer) -> Json:
    assert table.state is not None
    view = table.state.view(viewer)
    shown = shown_position(view, [] if viewer is None else [viewer], table.status == PLAYING)
    if viewer is not None and table.status == PLAYING:
        show_compass(view, shown["seats"][str(viewer)])
    return shown | own_decision(table, view, viewer)


def show_compass(view: View, own: Json) -> None:
    """Add to a seat's own facts how far its tickets are. What is empty is left out."""
    for name, found in (("compass", compass(view, own.get("done", []))), ("gathering", gathering(view))):
        if found:
            own[name] = {ticket: {key: value for key, value in asdict(one).items() if value not in ([], None)} for ticket, one in found.items()}


def shown_position(seen: Position, own: Sequence[int], playing: bool) -> Json:
    """What lies on the table, and what the viewer's own seats hold."""
    record, board = seen.record, seen.game.board
    result = seen.counted() if board.routes and own else None
    shown: Json = {
        "phase": seen.phase,
        "turn": int(record.turn),
        "choosing": seen.choosers if playing else [],
        "decks": {
            deck: {"cards": int(record.deck_size[number]), "discards": int(record.discards_size[number])} for number, deck in enumerate(board.decks)
        },
        "row": seen.row,
        "tickets_left": int(record.queue_size),
        "seats": {str(seat): seat_facts(seen, seat) | (own_facts(seen, seat, result) if seat in own else {}) for seat in seen.seats},
    }
    if record.last_turns != st.NOT_ANNOUNCED:
        shown["last_turns"] = int(record.last_turns)
    if record.second_pass:
        shown["second_pass"] = True
    if seen.counts(record.laid):
        shown["tunnel"] = tunnel(seen)
    return shown


def seat_facts(seen: Position, seat: int) -> Json:
    """What everybody knows about a seat: only the number of cards and tickets in hand."""
    record, board = seen.record, seen.game.board.record
    facts: Json = {"cards": sum(seen.hand(seat).values()) + seen.hidden_cards(seat), "tickets": seen.ticket_count(seat)}
    if record.offer_size[seat]:
        facts["offered"] = int(record.offer_size[seat])
    if board.routes:
        facts |= {"points": seen.points(seat), "pieces": seen.pieces(seat), "routes": seen.routes(seat)}
    if board.supply:
        facts["box"] = seen.box(seat)
    if board.stations or board.harbours:
        facts |= {"unbuilt": int(record.unbuilt[seat]), "buildings": seen.buildings(seat)}
    if board.yards:  # CG-8: only the size of a track pile
        facts |= {"yard": seen.yard(seat), "pile": sum(seen.track(seat).values()), "completed": seen.completed(seat)}
    return facts


def own_facts(seen: Position, seat: int, result: Any) -> Json:
    """What a seat holds, and which of its tickets would count now; its track pile, if it may look (CG-7)."""
    facts: Json = {"hand": seen.hand(seat), "held": seen.tickets(seat)}
    if result is not None:
        facts["done"] = [seen.game.board.tickets[number].id for number in members(result.completed[seat])]
    if seen.may_look_into_pile(seat):
        facts["own_pile"] = seen.track(seat)
    return facts


def tunnel(seen: Position) -> Json:
    record = seen.record
    return {
        "route": seen.game.board.routes[record.target].id,
        "laid": seen.counts(record.laid),
        "revealed": seen.counts(record.revealed),
        "owed": int(record.owed),
    }


def own_decision(table: Table, view: View, viewer: Viewer) -> Json:
    """The question that the viewer is asked, with every answer, and what it has decided so far."""
    if viewer is None or viewer not in table.questions or table.state is None:
        return {}
    shown: Json = {"question": table.questions[viewer], "legal": view.legal_texts}
    if table.state.may_undo(viewer):
        shown["can_undo"] = True
    if view.record.offer_size[viewer]:
        shown["keep_at_least"] = least_to_keep(table.state, viewer)
    if ways := payments(view):
        shown["payments"] = [asdict(way) for way in ways]
    return shown | half_decided(view, viewer)


def least_to_keep(state: State, seat: int) -> int:
    """As stated when the tickets were offered."""
    return next(int(event["keep_at_least"]) for event in reversed(state.events) if event["event"] == "offer_tickets" and event["seat"] == seat)


def half_decided(view: View, seat: int) -> Json:
    """What the seat that is asked has decided so far."""
    record = view.record
    shown = in_progress(view)
    if record.offer_size[seat]:
        kept = int(record.kept[seat])
        at = int(record.offer_at[seat])
        shown |= {"offer": view.offer(seat), "offer_at": at, "kept": [place for place in range(at) if kept >> place & 1]}
    if record.phase == phases.COMPLETING:
        shown["chosen"] = [view.game.board.tickets[number].id for number in members(record.chosen[seat])]
        if best := best_choice(view):
            shown["best_choice"] = asdict(best)
    return shown


def in_progress(seen: Position) -> Json:
    """Cards paid or placed so far."""
    if seen.record.phase == phases.PAYMENT:
        return {"payment": payment(seen)}
    return {"placed": seen.counts(seen.record.paid)} if seen.record.phase == phases.PLACING else {}


def payment(seen: Position) -> Json:
    """What is being paid for, what was paid, and what is still owed."""
    record, board = seen.record, seen.game.board
    builds = record.paying_for in (st.FOR_STATION, st.FOR_HARBOUR)
    target = {"city": board.cities[record.target].id} if builds else {"route": board.routes[record.target].id}
    return target | {"paid": seen.counts(record.paid), "owed": int(record.owed)}
