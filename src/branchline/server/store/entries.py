"""The log of a table: everything that ever happened there, in order, never changed. Everything else follows from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

SIT = "sit"  # a person takes a seat: name, key (its hash), and the commitment to the person's number, if there is one
RESERVE = "reserve"  # a seat is kept for a person from the previous table: name, key
RISE = "rise"  # a person leaves a seat before the game
DRAW_LOTS = "draw_lots"  # it is settled who plays, and everybody is asked for their number; bots: as in START
REVEAL = "reveal"  # number: what the seat has promised by its commitment
START = "start"  # the game begins; bots: the levels of bots on seats that were free
DECIDE = "decide"  # decision
UNDO = "undo"
LEAVE = "leave"  # a person leaves during the game
TAKE_OVER = "take_over"  # a bot plays for the person; reason: left or time
REPLACE = "replace"  # a seat's vote that a bot should play for another one, which is silent: other
RETURN = "return"
SAY = "say"  # text or phrase
MUTE = "mute"  # other, muted
PACE = "pace"  # pace: seconds between the actions of bots
SKIP = "skip"  # bots do not wait until the seat is asked again
ABANDON = (
    "abandon"  # a seat's vote to end the game, or the host closing the table; by_all: absent in logs of 0.1, where those who were away had no vote
)
EXPIRE = "expire"  # nothing has happened for a long time
REMATCH = "rematch"  # table: the new one

# what becomes of a table
WAITING, PLAYING, FINISHED, ABANDONED = "waiting", "playing", "finished", "abandoned"


@dataclass(frozen=True)
class Entry:
    sequence: int  # its place in the table's log, from 1
    kind: str
    at: float  # seconds since 1970
    seat: int | None = None
    body: dict[str, Any] = field(default_factory=dict)
    author: str | None = None  # the hash of the key of the person who sent it
    client_id: str | None = None  # the sender's own id for it, unique per person


@dataclass(frozen=True)
class Header:
    """What is fixed when a table is made."""

    id: str
    created_at: float
    host: str  # the hash of the host's key
    game: str
    rules_version: int
    seed: str
    plan: tuple[str, ...]  # for each seat: person, or the level of a bot
    options: dict[str, Any]
    settings: dict[str, Any]
