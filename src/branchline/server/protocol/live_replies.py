"""What the server sends over a live connection, as models."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from branchline.server.protocol.event_replies import Event, Reply
from branchline.server.protocol.replies import Looked, Refusal, Snapshot, TableState


class LiveSnapshot(Snapshot):
    type: Literal["snapshot"]


class LiveUpdate(Reply):
    """What is new: `patch` is a JSON merge patch (RFC 7396) of the state at `after`; after a gap the whole `state` comes instead."""

    type: Literal["update"]
    after: int
    cursor: int
    events: list[Event]
    patch: dict[str, Any] | None = None
    state: TableState | None = None


class LiveDone(Reply):
    type: Literal["done"]
    id: str | None = None
    cursor: int


class LiveRefusal(Refusal):
    type: Literal["refused"]
    id: str | None = None


class LiveView(Looked):
    type: Literal["view"]


class LivePong(Reply):
    type: Literal["pong"]


class LiveSpectators(Reply):
    """How many people without a seat watch through this server process: when you connect, if there are any, and when it changes."""

    type: Literal["spectators"]
    count: int


THINKS_LESS: Literal["thinks_less"] = "thinks_less"


class LiveNotice(Reply):
    """Something people should know that is not part of the game; no later message repeats it.

    `thinks_less`: many bots want to think for long, so the bot on this seat plays at a lower level for now.
    """

    type: Literal["notice"]
    notice: Literal["thinks_less"]
    seat: int
    level: str = Field(description="At which the bot plays now.")


LIVE = (LiveSnapshot, LiveUpdate, LiveDone, LiveRefusal, LiveView, LivePong, LiveSpectators, LiveNotice)
