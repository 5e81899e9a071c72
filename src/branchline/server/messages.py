"""What clients may send, checked to the last field: one model a request, the same for HTTP and WebSockets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from branchline.bots.levels import LEVELS
from branchline.server.keys import KEY
from branchline.server.seats import PERSON
from branchline.server.texts import PHRASES

Level = Literal[LEVELS]  # type: ignore[valid-type]  # the one list of them
Plan = Literal[PERSON, *LEVELS]  # type: ignore[valid-type]
Phrase = Literal[PHRASES]  # type: ignore[valid-type]  # the one list of them
Name = Annotated[str, Field(min_length=1, max_length=100, description="1 to 24 visible characters.")]
ClientId = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="Your own name for this message: sent again with the same one, it acts once.")
]
Key = Annotated[str, Field(pattern=KEY)]
Number = Annotated[int, Field(ge=0, le=1_000_000)]
SeatNumber = Annotated[int, Field(ge=0, le=4)]


class Message(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class GameOptions(Message):
    choose_tickets_by_hand: bool = Field(False, description="Card Game: players choose which tickets they complete.")
    look_into_own_pile: bool = Field(False, description="Card Game: everybody sees what is in the own track pile.")


class CreateTable(Message):
    game: Annotated[str, Field(max_length=40, description="Such as europe; see /api/about.")]
    seats: Annotated[list[Plan], Field(min_length=2, max_length=5, description="For each seat a person, or the level of a bot.")]
    name: Name
    options: GameOptions = GameOptions()  # type: ignore[call-arg]  # all have defaults
    first_seat: SeatNumber | None = Field(None, description="Who begins; null: by chance.")
    open: bool = Field(False, description="Listed for everybody; else only who has the link finds it.")
    spectators: bool = Field(True, description="May others watch?")
    turn_seconds: Annotated[int, Field(ge=10, le=30 * 86400)] | None = Field(None, description="Time for a turn; null: none.")
    grace_seconds: Annotated[int, Field(ge=0, le=86400)] = Field(60, description="How long a seat that was left waits before a bot plays for it.")
    stand_in: Level = Field("normal", description="The level of the bot that plays for whoever is away.")
    pace: Annotated[float, Field(ge=0, le=10)] = Field(1.0, description="Seconds between the acts of bots, so that people can follow.")


class Join(Message):
    name: Name
    seat: SeatNumber | None = Field(None, description="Which seat; null: the first that is free.")


class Start(Message):
    level: Level = Field("normal", description="The level of bots for seats that are free.")


class Empty(Message):
    """Nothing more to say."""


class Decide(Message):
    id: ClientId
    number: Number = Field(description="The number of the question that this answers: `position.question`.")
    decision: Annotated[int, Field(ge=0, le=10_000)] | Annotated[str, Field(min_length=1, max_length=100)] = Field(
        description="One of `position.legal`, or its number in the game's table."
    )


class Undo(Message):
    id: ClientId
    number: Number = Field(description="The number of the question that you are asked now.")


class ReplayRecord(Message):
    record: dict[str, Any] = Field(description="A game record, whole: with its seed and decisions.")
    seat: SeatNumber | None = Field(None, description="Through whose eyes; null: everything is open.")


EITHER: list[Any] = [
    {"required": ["text"], "properties": {"text": {"type": "string"}, "phrase": {"type": "null"}}},
    {"required": ["phrase"], "properties": {"phrase": {"type": "string"}, "text": {"type": "null"}}},
]


class Say(Message):
    model_config = ConfigDict(json_schema_extra={"oneOf": EITHER})

    id: ClientId
    text: Annotated[str, Field(min_length=1, max_length=1000)] | None = None
    phrase: Phrase | None = None


class Mute(Message):
    seat: SeatNumber = Field(description="Whose chat you do not want to see, or want to see again.")
    muted: bool = True


class Leave(Empty): ...


class Return(Empty): ...


class Abandon(Message):
    gives_up: bool = Field(True, description="False: go on after all.")


class Rematch(Empty): ...


def what_is_wrong(errors: Sequence[Any]) -> str:
    """Of pydantic's errors the first in words, without what was sent."""
    place = ".".join(str(part) for part in errors[0]["loc"]) or "message"
    return f"{place}: {errors[0]['msg']}"[:300]


class Hello(Message):
    """The first message on a WebSocket."""

    type: Literal["hello"]
    key: Key | None = None
    after: Number | None = Field(None, description="The number you have; what came after it follows. Without it, a snapshot.")


class Ping(Message):
    type: Literal["ping"]
