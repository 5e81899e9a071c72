"""Information states with perfect recall: what a viewer knows now and has seen happen, as text and as bytes.

Two views have the same information state if and only if their viewer cannot tell them apart. Their own decisions need no list of their own: the
events say what became of them, and the view holds those that are half made.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from branchline.play.games import View


def information_text(view: View) -> str:
    """Lines of JSON: the table, each event that the viewer has seen, and every field of the view that is not zero."""
    return "\n".join([as_json(table_of(view)), *map(as_json, view.events), as_json(fields_of(view))])


def information_bytes(view: View) -> bytes:
    """The table, the view's record and the events."""
    events = "\n".join(map(as_json, view.events))
    return b"\n".join([as_json(table_of(view)).encode(), view.records.tobytes(), events.encode()])


def table_of(view: View) -> dict[str, Any]:
    return {"game": view.game.name, "players": view.game.players, "viewer": view.viewer, **view.game.keywords}


def fields_of(view: View) -> dict[str, Any]:
    values = {name: view.records[name][0] for name in view.records.dtype.names}
    return {name: value.tolist() for name, value in values.items() if value.any()}


def as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
