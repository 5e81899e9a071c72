"""What people may write: names and chat, as plain text."""

from __future__ import annotations

import re
import unicodedata

from branchline.server.protocol.lookalikes import is_known_letter, looks
from branchline.server.protocol.refusals import Refused

LONGEST_NAME = 24
LONGEST_TEXT = 300
# ready-made: the client has each in its language
PHRASES = ("hello", "good-luck", "well-played", "thanks", "sorry", "oops", "your-turn", "one-moment", "back-soon", "good-game", "rematch", "bye")


# characters that are invisible despite their class: Unicode's Default_Ignorable_Code_Point, and the empty Braille cell
BLANK = re.compile("[\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0\\U000e0100-\\U000e01ef]")


MARKS_IN_A_ROW = 2  # accents on one letter; larger heaps are there to spill over other lines


def visible(text: str) -> str:
    """Normalised, without invisible characters, ones that reverse the text or heaps of accents, and with single spaces."""
    plain = without_heaps(BLANK.sub("", unicodedata.normalize("NFC", text)))
    kept = (" " if unicodedata.category(sign)[0] == "Z" or sign in "\t\n" else sign for sign in plain)
    return " ".join("".join(sign for sign in kept if unicodedata.category(sign)[0] != "C").split())


def without_heaps(text: str) -> str:
    kept, marks = [], 0
    for sign in text:
        marks = marks + 1 if unicodedata.category(sign) in ("Mn", "Me") else 0
        if marks <= MARKS_IN_A_ROW:
            kept.append(sign)
    return "".join(kept)


def clean_name(text: str) -> str:
    name = visible(unicodedata.normalize("NFKC", visible(text)))
    if not 1 <= len(name) <= LONGEST_NAME or not all(map(is_known_letter, name)):
        raise Refused("bad_name")
    return name


def free_name(wanted: str, taken: list[str]) -> str:
    """The name, or the name with a number if there is one that is the same or looks like it."""
    others = {look for name in taken for look in looks(name)}
    name, number = wanted, 2
    while not others.isdisjoint(looks(name)):
        name = f"{wanted[: LONGEST_NAME - 3]} {number}"
        number += 1
    return name


def clean_text(text: str) -> str:
    said = visible(text)
    if not 1 <= len(said) <= LONGEST_TEXT:
        raise Refused("bad_text")
    return said
