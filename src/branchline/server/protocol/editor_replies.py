"""What the board editor sends and is told."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from branchline.boards.presentation import WildName
from branchline.design.editor.document import Document
from branchline.design.editor.problems import Problem
from branchline.design.editor.reports import State
from branchline.server.protocol.event_replies import Reply, absent_or
from branchline.server.protocol.messages import Message

Revision = Annotated[str, Field(pattern="^[0-9a-f]{16}$", description="A state of the board's files.")]

Numbers = Annotated[list[Annotated[int, Field(ge=1, le=5)]], Field(max_length=5)]
TwoNumbers = Annotated[list[int], Field(min_length=2, max_length=2)]


class SaveBoard(Message):
    document: Document
    revision: Revision = Field(description="The one that the document was made from. If the files are no longer so, nothing is written.")


class Saved(Reply):
    """What is on disk now, and what is to be said about it."""

    revision: Revision
    problems: list[Problem]
    values: dict[str, int] = Field(description="Suggested values of tickets, by the ids of two cities with a space between.")
    is_playable: bool


class Edited(Saved):
    document: Document
    ranges: dict[str, TwoNumbers] = Field(description="The least and the most of each setting that is a number.")
    colours: list[str]
    has_picture: bool
    wild: WildName = Field(description="What the board calls its wild cards.")
    folder: str = Field(description="Tells the board's folder from others, without saying where it is.")


class Published(Reply):
    """The board as it is now can be played under this name."""

    game: str
    players: TwoNumbers = Field(description="The fewest and the most.")


class BeginReport(Message):
    players: Numbers = Field([], description="Numbers of players to play with; empty: all that the board allows.")
    games: Annotated[int, Field(ge=1, le=1_000_000, description="With each number of players.")] = 10_000


class Place(Reply):
    """A ticket or a route, by its cities."""

    kind: Literal["ticket", "route"]
    a: str
    b: str
    track: int = Field(description="Which of the routes between the two, counted from 0.")


class Finding(Reply):
    """Something that is wrong with the board."""

    kind: str
    subject: str = Field(description="The id of a ticket, route or style of play; empty if it is about the whole board.")
    place: Place = absent_or(Place)[1]
    players: list[int] = Field(description="With which numbers of players.")
    severity: float = Field(description="How many times the limit.")
    text: str = Field(description="What is wrong, with the figure and its 95 % interval.")
    advice: str = Field(description="What to do.")


class KeyFigure(Reply):
    value: str
    interval: str = Field(description="95 %; empty where it is not known.")


class KeyFigures(Reply):
    """A row of the report's head."""

    name: str
    values: list[KeyFigure] = Field(description="One for each column.")


class Head(Reply):
    """The key figures, written out in the language asked for."""

    columns: list[str] = Field(description="Numbers of players that have been played with by now.")
    rows: list[KeyFigures]


class Report(Reply):
    """How far the games are, and what they show."""

    state: State = Field(description="`left`: ended, because nobody asked any more; `killed`: the process was ended from outside.")
    reason: str = Field(description="Why it failed, in English; else empty.")
    revision: Revision | None = Field(description="Of the board that is played; null before the first run.")
    players: list[int]
    games: int = Field(description="Played by now.")
    asked: int = Field(description="To be played in the end; 0 until that is known.")
    seconds: float
    page: str = Field(description="The secret name of the page with all figures; empty before anything is known.")
    head: Head
    findings: list[Finding] = Field(description="The worst first.")
