"""The log of a table: all that ever happened at it, in order, never changed. Everything else is worked out from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

SIT = "sit"  # a person takes a seat: name, key (its hash)
RESERVE = "reserve"  # a seat is kept for who sat at the table before: name, key
RISE = "rise"  # and leaves it, before the game
START = "start"  # the game begins; bots: the levels of bots on seats that were free
DECIDE = "decide"  # decision
UNDO = "undo"
LEAVE = "leave"  # a person goes away during the game
TAKE_OVER = "take_over"  # a bot plays for the person; reason: left or time
RETURN = "return"
SAY = "say"  # text or phrase
MUTE = "mute"  # other, muted
ABANDON = "abandon"  # a seat's vote to end the game, or the host closing the table
EXPIRE = "expire"  # nobody has come or done anything for long
REMATCH = "rematch"  # table: the new one


@dataclass(frozen=True)
class Entry:
    sequence: int  # its place in the table's log, from 1
    kind: str
    at: float  # seconds since 1970
    seat: int | None = None
    body: dict[str, Any] = field(default_factory=dict)
    author: str | None = None  # the hash of the key of the person who sent it
    client_id: str | None = None  # the person's own name for it, unique for the person


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
