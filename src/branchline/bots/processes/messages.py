"""The messages between Branchline and a bot's process, declared once: docs/protocol.md is written from them, and answers are checked by them."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

PROTOCOL = 1  # raised when bots have to change
LONGEST_NAME, LONGEST_DESCRIPTION = 24, 200

Counts = dict[str, int]
Id = Annotated[int, Field(ge=0, description="The answer repeats it.")]
Wish = Literal["view", "record", "events"]


class Message(BaseModel):
    """What is not declared is ignored, on both sides, so that later versions can add to it."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    answered_by: ClassVar[str | None] = None


class Kind(Message):
    """What kind of message it is: those of later versions are ignored."""

    type: str


# what a bot is sent


class Hello(Message):
    """The first message. A bot that cannot speak this version answers with `error`."""

    answered_by = "hello"
    type: Literal["hello"] = "hello"
    protocol: int = PROTOCOL
    branchline: str = Field(description="Branchline's version.")


class NewGame(Message):
    """A game begins, or continues after the bot has played another. Forget the last one: what has happened in this one so far follows."""

    answered_by = "ready"
    type: Literal["new_game"] = "new_game"
    id: Id
    game: str = Field(description="The name of the board.")
    rules_version: int
    players: int
    options: dict[str, Any] = Field(description="The table's options that differ from the defaults.")
    seat: int = Field(description="Yours. Seats are numbered from 0.")
    seed: str = Field(description="Hexadecimal. Derive everything random from it, so that games can be repeated. It tells nothing about the shuffle.")
    board: dict[str, Any] = Field(
        description="The facts of the board: `cards`, `cities`, `routes`, `tickets`, `decks`, `colours`, `pieces` and so on; "
        "`decisions` has the text of every decision, by number. Empty unless your bot wants `view`."
    )


class Happened(Message):
    """What has happened since the last time, as your seat may know it: sent before `decide`, if there is anything. There is no answer."""

    type: Literal["happened"] = "happened"
    events: list[dict[str, Any]] = Field(description="As in the [game record](record.md#events).")


class Deck(Message):
    cards: int
    discards: int


class SeatSeen(Message):
    """A seat, as you may know it. What the game does not have is left out."""

    cards: int = Field(description="How many in hand.")
    tickets: int = Field(description="How many it holds.")
    known: Counts = Field(description="The cards in its hand that you know, by kind: all of your own, and what others took openly.")
    held: list[str] | None = Field(None, description="Only your own: the tickets you keep.")
    done: list[str] | None = Field(None, description="Only your own: of these, those that would count as completed now.")
    offered: int | None = Field(None, description="How many tickets it is choosing from.")
    points: int | None = None
    pieces: Counts | None = None
    routes: list[str] | None = None
    box: Counts | None = None
    unbuilt: int | None = Field(None, description="Stations or harbours left.")
    buildings: list[str] | None = Field(None, description="Cities with its stations or harbours.")
    yard: dict[str, Counts] | None = None
    track: Counts | None = Field(None, description="Its track pile, by kind.")
    completed: list[str] | None = None


class Tunnel(Message):
    route: str
    laid: Counts
    revealed: Counts
    owed: int


class Payment(Message):
    route: str | None = None
    city: str | None = None
    paid: Counts
    owed: int


class Seen(Message):
    """The game as your seat may know it."""

    phase: str = Field(description="What is asked: see below.")
    turn: int
    seat: int = Field(description="Yours.")
    decks: dict[str, Deck]
    row: list[str | None] = Field(description="The cards that lie face up, by space; null for an empty one.")
    tickets_left: int
    seats: list[SeatSeen]
    last_turns: int | None = Field(None, description="Turns left, once the end is announced.")
    second_pass: bool | None = None
    tunnel: Tunnel | None = None
    payment: Payment | None = Field(None, description="What you are paying for, and how much of it is done.")
    placed: Counts | None = Field(None, description="Cards that you have placed in your yard this turn.")
    offer: list[str] | None = Field(None, description="The tickets offered to you.")
    offer_at: int | None = Field(None, description="Which of them you decide about now.")
    kept: list[int] | None = Field(None, description="Those that you have decided to keep.")
    chosen: list[str] | None = Field(None, description="Tickets that you have chosen to complete.")


class Question(Message):
    id: Id
    seconds: float = Field(description="The time limit, from sending the question to reading the answer.")
    legal: list[str] = Field(description="The text of every legal decision; there are at least two.")
    view: Seen | None = Field(None, description="If you want `view`.")
    record: dict[str, Any] | None = Field(
        None, description="If you want `record`: every field of the rules' own record of the view (`rules/state.py`), sets of bits in hexadecimal."
    )


class Decide(Question):
    """It is your decision."""

    answered_by = "decision"
    type: Literal["decide"] = "decide"


class Explain(Question):
    """The reason for your decision on this view. Only sent if you said that you explain."""

    answered_by = "explanation"
    type: Literal["explain"] = "explain"


class Quit(Message):
    """Leave: after a second, the process is killed. The end of stdin means the same."""

    type: Literal["quit"] = "quit"


# what a bot answers


class BotHello(Message):
    """Who you are, and what you want to be sent."""

    type: Literal["hello"] = "hello"
    protocol: Literal[1]
    name: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)] = Field(description=f"At most {LONGEST_NAME} characters.")
    description: Annotated[str, Field(max_length=LONGEST_DESCRIPTION)] = Field("", description="A sentence for people who may want to play with you.")
    explains: bool = Field(False, description="Can you answer `explain`?")
    wants: list[Wish] = Field(["view", "events"], description="Leave out what you do not read: it takes time to write.")


class Ready(Message):
    """You have forgotten the last game and are ready for the next."""

    type: Literal["ready"] = "ready"
    id: Id


class Decision(Message):
    type: Literal["decision"] = "decision"
    id: Id
    decision: str | int = Field(description="One of `legal`, or its number in the board's `decisions`.")


class Explanation(Message):
    type: Literal["explanation"] = "explanation"
    id: Id
    explanation: dict[str, Any] = Field(description="Names and values of your choice.")


class Error(Message):
    """You cannot answer. Only this move is lost."""

    type: Literal["error"] = "error"
    id: int | None = Field(None, description="Of the question; null in answer to `hello`.")
    message: Annotated[str, Field(max_length=2_000)]


SENT = (Hello, NewGame, Happened, Decide, Explain, Quit)
ANSWERS = (BotHello, Ready, Decision, Explanation, Error)
PARTS = (Seen, SeatSeen, Deck, Tunnel, Payment)
Answer = BotHello | Ready | Decision | Explanation | Error
answers: TypeAdapter[Answer] = TypeAdapter(Annotated[Answer, Field(discriminator="type")])


def in_a_line(message: Message) -> bytes:
    return message.model_dump_json(exclude_none=True).encode() + b"\n"
