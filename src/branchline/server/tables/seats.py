"""The seats of a table: who sits there, who plays for whom."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from branchline.server.protocol.messages import PERSON

GUEST = "bot:guest/"  # no level and no further bot has such a name


@dataclass
class Seat:
    plan: str  # person, or the level of a bot
    name: str | None = None  # None: the seat is free for a person
    key: str | None = None  # the hash of the person's key
    is_bot: bool = False  # it is a program that has this key
    reserved: str | None = None  # the hash of the key of the person the seat is kept for
    left_at: float | None = None  # when the person left
    stand_in: bool = False  # a bot plays for the person
    gives_up: bool = False  # wants to end the game
    replacers: frozenset[int] = frozenset()  # seats that want a bot to play here, as long as nothing is decided
    muted: set[int] = field(default_factory=set)  # seats whose chat this one has muted
    commitment: str | None = None  # to the number that the person gives to the shuffle
    number: str | None = None  # secret until the game is over

    @property
    def is_person(self) -> bool:
        return self.plan == PERSON

    @property
    def is_free(self) -> bool:
        """Is the game waiting for somebody to sit down here?"""
        return self.is_person and self.key is None

    def is_free_for(self, key: str | None) -> bool:
        return self.is_free and self.reserved in (None, key)

    @property
    def is_here(self) -> bool:
        """Does a person play here who has not left?"""
        return self.key is not None and self.left_at is None and not self.stand_in

    @property
    def bot_plays(self) -> bool:
        return not self.is_person or self.stand_in

    @property
    def player(self) -> str:
        """Who plays, as in a record: a person, one of the server's bots, or a bot that came by itself, under its name without spaces."""
        if self.is_bot and self.name is not None:
            return f"{GUEST}{'-'.join(self.name.split())}"
        return "human" if self.is_person else f"bot:{self.plan}"

    def public(self) -> dict[str, Any]:
        """What everybody sees about who sits here."""
        shown: dict[str, Any] = {"player": self.player}
        if self.name is not None:
            shown["name"] = self.name
        if self.is_bot:
            shown["bot"] = True
        if self.reserved is not None and self.key is None:
            shown["reserved"] = True
        if self.left_at is not None:
            shown["away"] = True
        if self.stand_in:
            shown["stand_in"] = True
        if self.gives_up:
            shown["gives_up"] = True
        if self.replacers:
            shown["replacers"] = sorted(self.replacers)
        return shown


def bot_names(plan: tuple[str, ...]) -> list[str | None]:
    """Bots are named after their level, with a number if there are several."""
    names: list[str | None] = []
    for seat, level in enumerate(plan):
        before = plan[:seat].count(level)
        several = plan.count(level) > 1
        names.append(None if level == PERSON else f"{level.capitalize()} {before + 1}" if several else level.capitalize())
    return names
