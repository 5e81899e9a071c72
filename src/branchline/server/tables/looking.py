"""What a bot that sits at a table as people do sees there: its seat's view as the rules record it, and what has happened."""

from __future__ import annotations

from branchline.play.events import redact
from branchline.play.lending import view_fields
from branchline.play.patches import Json
from branchline.server.protocol.refusals import Refused
from branchline.server.tables.commands import must_play
from branchline.server.tables.table import Table


def look(table: Table, key: str | None, after: int) -> Json:
    """For bots alone: people are not told again what lies in a pile (CG-8)."""
    seat = table.seat_of(key)
    if seat is None:
        raise Refused("not_seated")
    if not table.seats[seat].is_bot:
        raise Refused("not_a_bot")
    must_play(table)
    assert table.state is not None
    state, game = table.state, table.game
    asked = {"question": table.questions[seat]} if seat in table.questions else {}
    return {
        "game": {"name": game.name, "players": game.players, "rules_version": game.board.rules_version, "options": game.options},
        "seat": seat,
        **asked,
        "record": view_fields(state.view(seat)),
        "events": [redact(event, seat) for event in state.events_since(after)],
        "event_count": state.event_count,
    }
