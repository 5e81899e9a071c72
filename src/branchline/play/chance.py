"""The players' own chance: the seed that deals the cards is made of the server's secret and of a number from each player.

Secret and numbers are promised by their SHA-256 before any number is shown, so nobody can choose theirs knowing another. As long as one of them
was made at random and kept until then, the seed is random. docs/fairness.md says what each party can and cannot do.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Any

NUMBER = r"[0-9a-f]{32}"  # of a player, and the server's secret: 128 bits
COMMITMENT = r"[0-9a-f]{64}"
VERSION = "branchline/chance/1"
NO_NUMBER = "-"
FIELDS = ("secret", "commitments", "numbers")


def commitment_of(number: str) -> str:
    """The SHA-256 of 32 hexadecimal digits, as text."""
    return hashlib.sha256(number.encode()).hexdigest()


def dealing_seed(secret: str, seats: Sequence[dict[str, str]], numbers: Sequence[str | None]) -> str:
    """The seed of the game. Who sits where is a part of it, so a record whose names were changed later does not fit its seed.

    One line each for the version, the secret, and every seat in order: its number, who plays, and the name, which has no line break.
    """
    lines = [VERSION, secret]
    lines += [f"{number or NO_NUMBER} {seat['player']} {seat['name']}" for seat, number in zip(seats, numbers, strict=True)]
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()[:32]


def what_is_wrong(chance: Any, seats: int) -> str | None:
    """What a record says about chance: the first thing that is not as it must be, or None. Before the end it has only the commitments."""
    if not isinstance(chance, dict) or not set(chance) <= set(FIELDS):
        return f"chance must be an object with nothing but {', '.join(FIELDS)}"
    if not is_list_of(COMMITMENT, chance.get("commitments"), seats):
        return "chance must have a commitment (64 hexadecimal digits) or null for each seat"
    if ("secret" in chance) != ("numbers" in chance):
        return "chance must have both the secret and the numbers, or neither"
    if "secret" not in chance:
        return None
    if chance["secret"] is None or not is_list_of(NUMBER, [chance["secret"]], 1) or not is_list_of(NUMBER, chance["numbers"], seats):
        return "chance must have a secret and, for each seat, a number (32 hexadecimal digits) or null"
    return None


def is_list_of(pattern: str, values: Any, length: int) -> bool:
    fits = lambda value: value is None or (isinstance(value, str) and re.fullmatch(pattern, value) is not None)  # noqa: E731
    return isinstance(values, list) and len(values) == length and all(map(fits, values))
