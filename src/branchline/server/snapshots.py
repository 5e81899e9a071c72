"""What a viewer sees of a table, as JSON. Of the game itself it is made from the viewer's view only."""

from __future__ import annotations

from branchline.bitsets import members
from branchline.games import State, View
from branchline.rules import state as st
from branchline.server.patches import Json
from branchline.server.table import FINISHED, PLAYING, Table, Viewer

RECENT = 100  # events in a snapshot; older ones: /events?after=0


def snapshot(table: Table, viewer: Viewer) -> Json:
    """All that a fresh page needs: the number it stands for in the viewer's stream, the table's state, and the latest events."""
    return {"number": len(table.streams[viewer]), "state": state_for(table, viewer), "recent": recent(table, viewer)}


def recent(table: Table, viewer: Viewer) -> list[Json]:
    stream = table.streams[viewer]
    return table.events_for(viewer, max(0, len(stream) - RECENT))[-RECENT:]


def state_for(table: Table, viewer: Viewer) -> Json:
    """No nulls in objects: what is not there is left out, so that changes can be sent as merge patches."""
    header = table.header
    shown: Json = {
        "table": header.id,
        "game": header.game,
        "rules_version": header.rules_version,
        "options": header.options,
        "settings": {name: value for name, value in header.settings.items() if value is not None},
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
    """When the time of a turn is over, in seconds since 1970; of several who choose at once, the first's."""
    seconds = table.header.settings.get("turn_seconds")
    ends = [since + seconds for seat, since in table.clock.items() if seconds and not table.seats[seat].bot_plays]
    return min(ends) if ends and table.status == PLAYING else None


def position(table: Table, viewer: Viewer) -> Json:
    assert table.state is not None
    state: State = table.state
    view = state.view(viewer)
    record, board = view.record, view.game.board
    shown: Json = {
        "phase": view.phase,
        "turn": int(record.turn),
        "choosing": view.choosers if table.status == PLAYING else [],
        "decks": {
            deck: {"cards": int(record.deck_size[number]), "discards": int(record.discards_size[number])} for number, deck in enumerate(board.decks)
        },
        "row": view.row,
        "tickets_left": int(record.queue_size),
        "seats": {str(seat): seat_facts(view, seat) for seat in view.seats},
    }
    if record.last_turns != st.NOT_ANNOUNCED:
        shown["last_turns"] = int(record.last_turns)
    if record.second_pass:
        shown["second_pass"] = True
    if view.counts(record.laid):
        shown["tunnel"] = tunnel(view)
    return shown | own_decision(table, view, viewer)


def seat_facts(view: View, seat: int) -> Json:
    """What the viewer knows of a seat; of its own hand and tickets all, of others' how many."""
    record, board = view.record, view.game.board.record
    hand = view.hand(seat)
    facts: Json = {"cards": sum(hand.values()) + view.hidden_cards(seat), "tickets": view.ticket_count(seat)}
    if seat == view.viewer:
        facts |= {"hand": hand, "held": view.tickets(seat)}
    if record.offer_size[seat]:
        facts["offered"] = int(record.offer_size[seat])
    if board.routes:
        facts |= {"points": view.points(seat), "pieces": view.pieces(seat), "routes": view.routes(seat)}
    if board.supply:
        facts["box"] = view.box(seat)
    if board.stations or board.harbours:
        facts |= {"unbuilt": int(record.unbuilt[seat]), "buildings": view.buildings(seat)}
    if board.yards:
        facts |= yard_facts(view, seat)
    return facts


def yard_facts(view: View, seat: int) -> Json:
    """CG-7, CG-8: of a track pile the size; what is in it only for an owner who may look."""
    pile = view.track(seat)
    facts: Json = {"yard": view.yard(seat), "pile": sum(pile.values()), "completed": view.completed(seat)}
    if seat == view.viewer and view.game.look_into_own_pile:
        facts["own_pile"] = pile
    return facts


def tunnel(view: View) -> Json:
    record = view.record
    return {
        "route": view.game.board.routes[record.target].id,
        "laid": view.counts(record.laid),
        "revealed": view.counts(record.revealed),
        "owed": int(record.owed),
    }


def own_decision(table: Table, view: View, viewer: Viewer) -> Json:
    """The question that the viewer is asked, with its number and every answer; and what it has decided so far."""
    if viewer is None or viewer not in table.questions or table.state is None:
        return {}
    record = view.record
    shown: Json = {"question": table.questions[viewer], "legal": view.legal_texts}
    if table.state.may_undo(viewer):
        shown["can_undo"] = True
    if record.offer_size[viewer]:
        kept = int(record.kept[viewer])
        at = int(record.offer_at[viewer])
        shown |= {"offer": view.offer(viewer), "offer_at": at, "kept": [place for place in range(at) if kept >> place & 1]}
    if record.phase == st.PAYMENT:
        shown["payment"] = payment(view)
    if record.phase == st.PLACING:
        shown["placed"] = view.counts(record.paid)
    if record.phase == st.COMPLETING:
        shown["chosen"] = [view.game.board.tickets[number].id for number in members(record.chosen[viewer])]
    return shown


def payment(view: View) -> Json:
    """What is being paid for, what was paid, and what is still owed."""
    record, board = view.record, view.game.board
    builds = record.paying_for in (st.FOR_STATION, st.FOR_HARBOUR)
    target = {"city": board.cities[record.target].id} if builds else {"route": board.routes[record.target].id}
    return target | {"paid": view.counts(record.paid), "owed": int(record.owed)}
