"""What clients may send, checked to the last field: one model per request, the same for HTTP and WebSockets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from branchline.bots.levels import LEVELS
from branchline.play.chance import COMMITMENT, NUMBER
from branchline.server.protocol.keys import KEY
from branchline.server.protocol.texts import PHRASES

PERSON = "person"  # a seat for a person, where others have the level of a bot
Level = Literal[LEVELS]  # type: ignore[valid-type]  # the one list of them
Plan = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")]  # a person, a level, or the id of one of the server's further bots
IsBot = Annotated[bool, Field(description="You are a program: your seat is shown as a bot's, and you may ask for your `view`.")]
Phrase = Literal[PHRASES]  # type: ignore[valid-type]  # the one list of them
Name = Annotated[str, Field(min_length=1, max_length=100, description="1 to 24 visible characters.")]
ClientId = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="Your own id for this message. Sending it again with the same id has no further effect.")
]
Key = Annotated[str, Field(pattern=KEY)]
Commitment = Annotated[str, Field(pattern=f"^{COMMITMENT}$")]
OwnChance = Annotated[Commitment | None, Field(description="The SHA-256 of your number for the shuffle: of its 32 hexadecimal digits, as text.")]
QuestionNumber = Annotated[int, Field(ge=0, le=1_000_000)]
Cursor = Annotated[int, Field(ge=0, le=1_000_000)]  # a position in a viewer's stream of events
SeatNumber = Annotated[int, Field(ge=0, le=4)]
Seconds = Annotated[float, Field(ge=0, le=10)]


class Message(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class GameOptions(Message):
    complete_tickets_for_me: bool = Field(False, description="With track piles: tickets are completed for the players, without asking them.")
    may_draw_one: bool = Field(False, description="With track piles: a player may stop after the first card of a draw.")
    look_into_own_pile: bool = Field(False, description="With track piles: all players see what is in their own pile.")


class CreateTable(Message):
    game: Annotated[str, Field(max_length=40, description="One of those in /api/about.")]
    seats: Annotated[
        list[Plan], Field(min_length=2, max_length=5, description="For each seat `person`, the level of a bot, or one of the `bots` in /api/about.")
    ]
    name: Name
    options: GameOptions = GameOptions()  # type: ignore[call-arg]  # all have defaults
    first_seat: SeatNumber | None = Field(None, description="Who begins; null: drawn at random.")
    open: bool = Field(False, description="Listed for everybody; otherwise only people with the link can find it.")
    spectators: bool = Field(True, description="May others watch?")
    turn_seconds: Annotated[int, Field(ge=10, le=30 * 86400)] | None = Field(None, description="Time for a turn; null: none.")
    grace_seconds: Annotated[int, Field(ge=0, le=86400)] = Field(60, description="How long a seat that was left waits before a bot plays for it.")
    stand_in: Level = Field("normal", description="The level of the bot that plays for people who are away.")
    pace: Seconds = Field(1.2, description="Seconds between the actions of bots, so that people can follow.")
    bot: IsBot = False
    chance: bool | None = Field(None, description="Mix the players' own numbers into the shuffle? Null: if two or more seats are for people.")
    commitment: OwnChance = None


class ReplayRecord(Message):
    record: dict[str, Any] = Field(description="A complete game record, with its seed and decisions.")
    seat: SeatNumber | None = Field(None, description="The seat whose view to show; null: nothing is hidden.")


class Command(Message):
    """Something that people ask of a table, by HTTP (POST /api/tables/TABLE/NAME) or over a WebSocket ({"type": NAME, …}).

    Declared here, handled in `commands.py`; endpoints, documentation and the page's types follow.
    """

    verb: ClassVar[str]  # its NAME
    refused: ClassVar[tuple[str, ...]] = ()  # codes, besides those that every command has
    tag: ClassVar[str] = "tables"


class Join(Command):
    """Take a seat. If you ask again with the same key, you get the same seat."""

    verb = "join"
    refused = ("full", "started", "over", "bad_name")

    name: Name
    seat: SeatNumber | None = Field(None, description="Which seat; null: the first that is free.")
    bot: IsBot = False
    commitment: OwnChance = None


class Start(Command):
    """Begin without waiting longer: bots take the free seats."""

    verb = "start"
    refused = ("not_host", "over")

    level: Level = Field("normal", description="The level of bots for seats that are free.")


class Reveal(Command):
    """Show the number that you have promised, when the table asks for it. Nobody else sees it before the game is over."""

    verb = "reveal"
    refused = ("not_drawing", "no_commitment", "wrong_number", "started", "over")

    number: Annotated[str, Field(pattern=f"^{NUMBER}$")] = Field(description="128 random bits, as 32 hexadecimal digits.")


class Decide(Command):
    """Decide. Answered only once the decision is stored for good."""

    verb = "decide"
    refused = ("not_started", "over", "away", "not_your_turn", "stale", "illegal", "not_a_decision")
    tag = "play"

    id: ClientId
    question: QuestionNumber = Field(description="Which question this answers: `position.question`.")
    decision: Annotated[int, Field(ge=0, le=10_000)] | Annotated[str, Field(min_length=1, max_length=100)] = Field(
        description="One of `position.legal`, or its number in the game's table."
    )


class Undo(Command):
    """Take your last decision back, as long as nobody could see any of it."""

    verb = "undo"
    refused = ("not_started", "over", "away", "not_your_turn", "stale", "nothing_to_undo")
    tag = "play"

    id: ClientId
    question: QuestionNumber = Field(description="The question that you are asked now: `position.question`.")


EITHER: list[Any] = [
    {"required": ["text"], "properties": {"text": {"type": "string"}, "phrase": {"type": "null"}}},
    {"required": ["phrase"], "properties": {"phrase": {"type": "string"}, "text": {"type": "null"}}},
]


class Say(Command):
    """Chat: a text, or a ready-made phrase that everybody reads in their own language."""

    model_config = ConfigDict(json_schema_extra={"oneOf": EITHER})
    verb = "say"
    refused = ("bad_text",)
    tag = "play"

    id: ClientId
    text: Annotated[str, Field(min_length=1, max_length=1000)] | None = None
    phrase: Phrase | None = None


class Mute(Command):
    """Hide what a seat says, or show it again."""

    verb = "mute"
    refused = ("no_such_seat",)
    tag = "play"

    seat: SeatNumber = Field(description="Whose chat you do not want to see, or want to see again.")
    muted: bool = True


class Pace(Command):
    """Let bots act faster or more slowly from now on: as the host, or as the only person at the table."""

    verb = "pace"
    refused = ("not_started", "over", "not_host")
    tag = "play"

    pace: Seconds = Field(description="Seconds between the actions of bots.")


class Skip(Command):
    """Let bots act without waiting until you are asked again: as the host, or as the only person at the table."""

    verb = "skip"
    refused = ("not_started", "over", "not_host")
    tag = "play"


class Leave(Command):
    """Leave. Before the game the seat is free again; during the game a bot plays for you after the table's period of grace, until you return."""

    verb = "leave"
    refused = ("over",)


class Return(Command):
    """Return to your seat."""

    verb = "return"
    refused = ("not_started", "over")


class Replace(Command):
    """Vote for a bot to play for somebody who has been silent for minutes, if the table has no time limit. Once all others who are there agree,
    it plays until the person returns."""

    verb = "replace"
    refused = ("not_started", "over", "away", "no_such_seat", "not_silent")

    seat: SeatNumber = Field(description="The seat that is silent.")


class Abandon(Command):
    """Close a waiting table, as its host; or vote to end the game, which ends once all its people agree, also those for whom a bot plays."""

    verb = "abandon"
    refused = ("not_host",)

    gives_up: bool = Field(True, description="False: play on after all.")


class Rematch(Command):
    """Play again: a new table with the same seats, where the next seat starts. If several people ask, they get the same table."""

    verb = "rematch"
    refused = ("not_over",)

    commitment: OwnChance = None


COMMANDS: dict[str, type[Command]] = {command.verb: command for command in Command.__subclasses__()}
Commands = create_model("Commands", **{name: (command, ...) for name, command in COMMANDS.items()})  # type: ignore[call-overload]  # for the page's types


class Hello(Message):
    """The first message on a WebSocket."""

    type: Literal["hello"]
    key: Key | None = None
    after: Cursor | None = Field(None, description="The cursor you have; what came after it follows. Without it, you get a snapshot.")


class Ping(Message):
    type: Literal["ping"]


class Look(Message):
    """A bot asks for its view, as at /api/tables/TABLE/view."""

    type: Literal["look"]
    after: Cursor = Field(0, description="How many of the game's events you know already.")


def what_is_wrong(errors: Sequence[Any]) -> str:
    """The first of pydantic's errors in words, without what was sent."""
    place = ".".join(str(part) for part in errors[0]["loc"]) or "message"
    return f"{place}: {errors[0]['msg']}"[:300]
