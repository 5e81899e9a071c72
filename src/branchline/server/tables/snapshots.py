"""What a viewer sees of a table, as JSON. The game itself comes only from the viewer's view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from branchline.play.bitsets import members
from branchline.play.completing import best_choice
from branchline.play.games import State, View
from branchline.play.gathering import gathering
from branchline.play.payments import payments
from branchline.play.positions import Position
from branchline.rules import state as st
from branchline.rules.vocabulary import phases
from branchline.server.store.entries import FINISHED, PLAYING
from branchline.server.tables.bearings import Bearings, bearings
from branchline.server.tables.due import reveals_until
from branchline.server.tables.patches import Json
from branchline.server.tables.table import Table, Viewer

RECENT = 100  # events in a snapshot; older ones: /events?after=0


class Common:
    """What all viewers of a table see alike, worked out once for all of them. It holds until the table changes."""

    def __init__(self, table: Table) -> None:
        self.state = common_state(table)
        self.position = shown_position(table.state.view(None), (), table.status == PLAYING) if table.state is not None else None


def snapshot(table: Table, viewer: Viewer) -> Json:
    """Everything a fresh page needs: the cursor in the viewer's stream, the table's state, and the latest events."""
    return {"cursor": len(table.streams[viewer]), "state": state_for(table, viewer), "recent": recent(table, viewer)}


def recent(table: Table, viewer: Viewer) -> list[Json]:
    stream = table.streams[viewer]
    return table.events_for(viewer, max(0, len(stream) - RECENT))[-RECENT:]


def state_for(table: Table, viewer: Viewer, common: Common | None = None) -> Json:
    """Leave out nulls in objects, so that changes can be sent as merge patches."""
    common = common or Common(table)
    own = {
        "you": viewer,
        "muted": sorted(table.seats[viewer].muted) if viewer is not None and table.seats[viewer].muted else None,
        "position": position(table, viewer, common) if table.state is not None else None,
    }
    return common.state | {name: value for name, value in own.items() if value is not None}


def common_state(table: Table) -> Json:
    header = table.header
    shown: Json = {
        "table": header.id,
        "game": header.game,
        "rules_version": header.rules_version,
        "options": header.options,
        "settings": {name: value for name, value in header.settings.items() if value is not None} | {"pace": table.pace},
        "status": table.status,
        "seats": {str(number): seat.public() | silence(table, number) for number, seat in enumerate(table.seats)},
        "commitment": table.commitment,
    }
    facts = {
        "host": table.host_seat,
        "rematch": table.rematch,
        "deadline": deadline(table),
        "chance": chance(table) if table.promised else None,
        "seed": table.seed if table.status == FINISHED else None,
        "result": table.state.result if table.state is not None and table.status == FINISHED else None,
    }
    return shown | {name: value for name, value in facts.items() if value is not None}


def silence(table: Table, seat: int) -> Json:
    since = table.silent_at(seat)
    return {} if since is None else {"silent_at": since}


def chance(table: Table) -> Json:
    """The players' own chance. Before the end, everybody sees what was promised and whose number is there, but no number."""
    shown: Json = {
        "commitments": {str(seat): table.seats[seat].commitment for seat in table.promised},
        "revealed": [seat for seat in table.promised if seat not in table.awaited],
    }
    if table.is_drawing:
        shown["until"] = reveals_until(table)
    if table.status == FINISHED:
        shown |= {"secret": table.header.seed, "numbers": {str(seat): table.seats[seat].number for seat in shown["revealed"]}}
    return shown


def deadline(table: Table) -> float | None:
    """When the time for a turn runs out, in seconds since 1970; for simultaneous choices, the earliest."""
    seconds = table.header.settings.get("turn_seconds")
    ends = [since + seconds for seat, since in table.clock.items() if seconds and not table.seats[seat].bot_plays]
    return min(ends) if ends and table.status == PLAYING else None


def position(table: Table, viewer: Viewer, common: Common | None = None) -> Json:
    common = common or Common(table)
    assert table.state is not None
    assert common.position is not None
    if viewer is None:
        return common.position
    view, playing = table.state.view(viewer), table.status == PLAYING
    everyone: Json = common.position["seats"]
    if viewer in table.choosers:  # what it has half decided is in its own view alone
        shown = shown_position(view, (), playing, everyone | {str(viewer): None})
    else:
        shown = common.position | {"seats": everyone.copy()}
    found = bearings(view) if view.game.board.routes else None
    own = own_facts(view, viewer, None if found is None else found.done) | (compass_of(view, found) if playing else {})
    shown["seats"][str(viewer)] = shown["seats"][str(viewer)] | own
    return shown | own_decision(table, view, viewer)


def compass_of(view: View, found: Bearings | None) -> Json:
    """How far the viewer's tickets are. What is empty is left out."""
    if found is not None:
        return {"compass": found.compass} if found.compass else {}
    gathered = {ticket: {name: value for name, value in vars(one).items() if value} for ticket, one in gathering(view).items()}
    return {"gathering": gathered} if gathered else {}


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
        "seats": {str(seat): facts[str(seat)] | (own_facts(seen, seat) if seat in own else {}) for seat in seen.seats},
    }
    if records["last_turns"][0] != st.NOT_ANNOUNCED:
        shown["last_turns"] = int(records["last_turns"][0])
    if records["second_pass"][0]:
        shown["second_pass"] = True
    if records["laid"][0].any():
        shown["tunnel"] = tunnel(seen)
    return shown


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
    return next(int(event["keep_at_least"]) for event in state.latest_events() if event["event"] == "offer_tickets" and event["seat"] == seat)


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
