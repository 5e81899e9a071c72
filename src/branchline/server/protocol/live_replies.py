"""What the server sends over a live connection: a model for each message. Each `Live` is a part of `FromServer`, and so of the page's type."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Union

from pydantic import Field, RootModel

from branchline.server.protocol.event_replies import Event, Reply
from branchline.server.protocol.replies import Looked, Refusal, Snapshot, TableState


class Live(Reply):
    """A message, told from others by its `type`."""


class LiveSnapshot(Snapshot, Live):
    type: Literal["snapshot"]


class LiveUpdate(Live):
    """What is new: `patch` is a JSON merge patch (RFC 7396) of the state at `after`; after a gap the whole `state` comes instead."""

    type: Literal["update"]
    after: int
    cursor: int
    events: list[Event]
    patch: dict[str, Any] | None = None
    state: TableState | None = None


class LiveDone(Live):
    type: Literal["done"]
    id: str | None = None
    cursor: int


class LiveRefusal(Refusal, Live):
    type: Literal["refused"]
    id: str | None = None


class LiveView(Looked, Live):
    type: Literal["view"]


class LivePong(Live):
    type: Literal["pong"]


class LiveSpectators(Live):
    """How many people without a seat watch through this server process: when you connect, if there are any, and when it changes."""

    type: Literal["spectators"]
    count: int


THINKS_LESS: Literal["thinks_less"] = "thinks_less"


class LiveNotice(Live):
    """Something people should know that is not part of the game; no later message repeats it.

    `thinks_less`: many bots want to think for long, so the bot on this seat plays at a lower level for now.
    """

    type: Literal["notice"]
    notice: Literal["thinks_less"]
    seat: int
    level: str = Field(description="At which the bot plays now.")


AnyMessage: Any = Annotated[Union[tuple(Live.__subclasses__())], Field(discriminator="type")]  # noqa: UP007  # made from a list


class FromServer(RootModel[AnyMessage]):
    """A message of the server over a live connection; the fields it has depend on its type."""
