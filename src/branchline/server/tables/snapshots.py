"""What a viewer sees of a table, as JSON. The game itself comes only from the viewer's view."""

from __future__ import annotations

from dataclasses import asdict

from branchline.play.games import State, View
from branchline.play.gathering import gathering
from branchline.play.patches import Json, shared
from branchline.play.payments import payments
from branchline.play.shown import facts_stored, half_decided, own_facts, shown_position
from branchline.server.store.entries import FINISHED, PLAYING
from branchline.server.tables.bearings import Bearings, bearings
from branchline.server.tables.due import reveals_until
from branchline.server.tables.table import Table, Viewer

RECENT = 100  # events in a snapshot; older ones: /events?after=0


class Common:
    """What all viewers of a table see alike, worked out once for all of them. It holds until the table changes.

    What has not changed since an earlier one is the same object, so that it need not be worked out or compared again.
    """

    def __init__(self, table: Table, earlier: Common | None = None) -> None:
        self.state = common_state(table)
        self.position: Json | None = None
        self._stored: list[bytes] = []
        self._bearings: dict[Viewer, Bearings] = {} if earlier is None else earlier._bearings  # the latest of each viewer, for its eyes only
        if table.state is not None:
            seen = table.state.view(None)
            self._stored = facts_stored(seen)
            known = None if earlier is None else earlier._facts_like(self._stored)
            self.position = shown_position(seen, (), table.status == PLAYING, known)
        if earlier is not None:
            self.state = shared(earlier.state, self.state | {"seats": shared(earlier.state["seats"], self.state["seats"])})
        if earlier is not None and self.position is not None:
            self.position = shared(earlier.position or {}, self.position)

    def bearings(self, view: View) -> Bearings:
        found = self._bearings[view.viewer] = bearings(view, self._bearings.get(view.viewer))
        return found

    def _facts_like(self, stored: list[bytes]) -> Json:
        """The facts of those seats about which nothing has changed."""
        seats: Json = {} if self.position is None else self.position["seats"]
        return {str(seat): seats[str(seat)] for seat, (one, before) in enumerate(zip(stored, self._stored, strict=False)) if one == before}


def snapshot(table: Table, viewer: Viewer) -> Json:
    """Everything a fresh page needs: the cursor in the viewer's stream, the table's state, and the latest events."""
    return {"cursor": len(table.streams[viewer]), "state": state_for(table, viewer), "recent": recent(table, viewer)}


def recent(table: Table, viewer: Viewer) -> list[Json]:
    stream = table.streams[viewer]
    return table.events_for(viewer, max(0, len(stream) - RECENT))[-RECENT:]


def state_for(table: Table, viewer: Viewer, common: Common | None = None, earlier: Json | None = None) -> Json:
    """Leave out nulls in objects, so that changes can be sent as merge patches. How far tickets are comes from an earlier state, if one is given."""
    common = common or Common(table)
    own = {
        "you": viewer,
        "muted": sorted(table.seats[viewer].muted) if viewer is not None and table.seats[viewer].muted else None,
        "position": position(table, viewer, common, earlier) if table.state is not None else None,
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


def position(table: Table, viewer: Viewer, common: Common | None = None, earlier: Json | None = None) -> Json:
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
    own = with_earlier_compass(view, viewer, earlier) if earlier is not None and playing else None
    if own is None:
        found = common.bearings(view) if view.game.board.routes else None
        own = own_facts(view, viewer, None if found is None else found.done) | (compass_of(view, found) if playing else {})
    shown["seats"][str(viewer)] = shown["seats"][str(viewer)] | own
    return shown | own_decision(table, view, viewer)


def with_earlier_compass(view: View, viewer: int, earlier: Json) -> Json | None:
    """What the viewer holds, and how far its tickets were in an earlier state; None if it had others then."""
    before = earlier.get("position", {}).get("seats", {}).get(str(viewer), {})
    if "compass" not in before:
        return None
    own = own_facts(view, viewer, before["done"])
    return own | {"compass": before["compass"]} if own["held"] == before["held"] else None


def compass_of(view: View, found: Bearings | None) -> Json:
    """How far the viewer's tickets are. What is empty is left out."""
    if found is not None:
        return {"compass": found.compass} if found.compass else {}
    gathered = {ticket: {name: value for name, value in vars(one).items() if value} for ticket, one in gathering(view).items()}
    return {"gathering": gathered} if gathered else {}


def own_decision(table: Table, view: View, viewer: Viewer) -> Json:
    """The question that the viewer is asked, with every answer, and what it has decided so far."""
    if viewer is None or viewer not in table.questions or table.state is None:
        return {}
    shown: Json = {"question": table.questions[viewer], "legal": view.legal_texts}
    if table.state.may_undo(viewer):
        shown["can_undo"] = True
    if view.records["offer_size"][0, viewer]:
        shown["keep_at_least"] = least_to_keep(table.state, viewer)
    if ways := payments(view):
        shown["payments"] = [asdict(way) for way in ways]
    return shown | half_decided(view, viewer)


def least_to_keep(state: State, seat: int) -> int:
    """As stated when the tickets were offered."""
    return next(int(event["keep_at_least"]) for event in state.latest_events() if event["event"] == "offer_tickets" and event["seat"] == seat)
