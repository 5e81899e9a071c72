"""What people may write: names and chat, as plain text."""

from __future__ import annotations

import re
import unicodedata

from branchline.server.protocol.refusals import Refused

LONGEST_NAME = 24
LONGEST_TEXT = 300
# ready-made: the client has each in its language
PHRASES = ("hello", "good-luck", "well-played", "thanks", "sorry", "oops", "your-turn", "one-moment", "back-soon", "good-game", "rematch", "bye")


# characters that are invisible despite their class: Unicode's Default_Ignorable_Code_Point, and the empty Braille cell
BLANK = re.compile("[\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0\\U000e0100-\\U000e01ef]")


def visible(text: str) -> str:
    """Normalised, without invisible characters or ones that reverse the text, and with single spaces."""
    plain = BLANK.sub("", unicodedata.normalize("NFC", text))
    kept = (" " if unicodedata.category(sign)[0] == "Z" or sign in "\t\n" else sign for sign in plain)
    return " ".join("".join(sign for sign in kept if unicodedata.category(sign)[0] != "C").split())


def clean_name(text: str) -> str:
    name = visible(text)
    if not 1 <= len(name) <= LONGEST_NAME:
        raise Refused("bad_name")
    return name


def free_name(wanted: str, taken: list[str]) -> str:
    """The name, or the name with a number if it is taken."""
    others = {name.casefold() for name in taken}
    name, number = wanted, 2
    while name.casefold() in others:
        name = f"{wanted[: LONGEST_NAME - 3]} {number}"
        number += 1
    return name


def clean_text(text: str) -> str:
    said = visible(text)
    if not 1 <= len(said) <= LONGEST_TEXT:
        raise Refused("bad_text")
    return said
