"""What the board editor sends and is told."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from branchline.design.editor.document import Document
from branchline.design.editor.problems import Problem
from branchline.server.protocol.event_replies import Reply
from branchline.server.protocol.messages import Message

Revision = Annotated[str, Field(pattern="^[0-9a-f]{16}$", description="A state of the board's files.")]

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
    folder: str = Field(description="Tells the board's folder from others, without saying where it is.")


class Published(Reply):
    """The board as it is now can be played under this name."""

    game: str
    players: TwoNumbers = Field(description="The fewest and the most.")
