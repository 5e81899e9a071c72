"""ICU messages as the page's intl-messageformat reads them: values, plurals, choices, quoting by apostrophes.

Babel knows how every language counts. Of the libraries that format whole messages, PyICU needs ICU's C++ libraries on every machine, and those
written in Python are not maintained; what our messages use fits on this page. The tests compare every message with what the page makes of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from babel import Locale
from babel.numbers import format_decimal

WORD = re.compile(r"\s*([\w=]+)\s*")
KINDS = ("plural", "select")


@dataclass(frozen=True)
class Speech:
    """How a language counts."""

    locale: Locale

    def plural_form(self, number: float) -> str:
        return str(self.locale.plural_form(number))

    def number(self, number: float) -> str:
        return format_decimal(number, locale=self.locale)


@dataclass(frozen=True)
class Value:
    """`{name}`"""

    name: str


@dataclass(frozen=True)
class Count:
    """`#`: the number that a plural chooses by."""

    name: str


@dataclass(frozen=True)
class Choice:
    """`{name, plural, one {…} other {…}}`, or `select`."""

    name: str
    kind: str
    forms: Mapping[str, Parts]

    def chosen(self, value: Any, speech: Speech) -> Parts:
        wanted = (str(value),) if self.kind == "select" else (f"={value}", speech.plural_form(value))
        return next((self.forms[form] for form in wanted if form in self.forms), self.forms["other"])


Parts = tuple["str | Value | Count | Choice", ...]


class Message:
    """A message taken apart; raises ValueError if it cannot be."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._at = 0
        self.parts = self._read_parts(None)
        if self._at != len(text):
            raise ValueError(f"a brace too many at {self._at}: {text}")

    def format(self, values: Mapping[str, Any], speech: Speech) -> str:
        return "".join(say(part, values, speech) for part in self.parts)

    def _read_parts(self, counted: str | None, nested: bool = False) -> Parts:
        """Up to the brace that closes this part, or the end; `counted` is the value that `#` stands for."""
        parts: list[str | Value | Count | Choice] = []
        while self._at < len(self.text) and self.text[self._at] != "}":
            sign = self.text[self._at]
            if sign == "{":
                parts.append(self._read_value())
            elif sign == "#" and counted:
                parts.append(Count(counted))
                self._at += 1
            else:
                parts.append(self._read_text(counted))
        if nested and self._at == len(self.text):
            raise ValueError(f"a brace is not closed: {self.text}")
        return tuple(parts)

    def _read_text(self, counted: str | None) -> str:
        """A stretch of plain text, at least one character. Apostrophes quote characters that have a meaning; two of them stand for one."""
        read = ""
        while self._at < len(self.text) and (sign := self.text[self._at]) not in ("{}#" if counted else "{}"):
            after = self.text[self._at + 1 : self._at + 2]
            if sign == "'" and after == "'":
                read += "'"
                self._at += 2
            elif sign == "'" and after and after in ("{}<>#" if counted else "{}<>"):
                read += self._read_quoted()
            else:
                read += sign
                self._at += 1
        return read

    def _read_quoted(self) -> str:
        found = re.compile(r"'((?:[^']|'')*)'?").match(self.text, self._at)
        assert found
        self._at = found.end()
        return found[1].replace("''", "'")

    def _read_value(self) -> Value | Choice:
        self._at += 1
        name = self._read_word()
        if self._follows("}"):
            return Value(name)
        self._expect(",")
        kind = self._read_word()
        if kind not in KINDS:
            raise ValueError(f"{kind!r} is not {' or '.join(KINDS)}: {self.text}")
        self._expect(",")
        return Choice(name, kind, self._read_forms(name if kind == "plural" else None))

    def _read_forms(self, counted: str | None) -> dict[str, Parts]:
        forms: dict[str, Parts] = {}
        while not self._follows("}"):
            form = self._read_word()
            self._expect("{")
            forms[form] = self._read_parts(counted, nested=True)
            self._at += 1
            self._skip_blanks()
        if "other" not in forms:
            raise ValueError(f"a choice has no 'other': {self.text}")
        return forms

    def _read_word(self) -> str:
        found = WORD.match(self.text, self._at)
        if not found:
            raise ValueError(f"a name is missing at {self._at}: {self.text}")
        self._at = found.end()
        return found[1]

    def _follows(self, sign: str) -> bool:
        if self.text[self._at : self._at + 1] != sign:
            return False
        self._at += 1
        return True

    def _expect(self, sign: str) -> None:
        if not self._follows(sign):
            raise ValueError(f"{sign!r} is missing at {self._at}: {self.text}")

    def _skip_blanks(self) -> None:
        while self.text[self._at : self._at + 1].isspace():
            self._at += 1


def say(part: str | Value | Count | Choice, values: Mapping[str, Any], speech: Speech) -> str:
    """A part with its values; a value that is missing is an error, as in the page."""
    if isinstance(part, str):
        return part
    value = values[part.name]
    if isinstance(part, Choice):
        return "".join(say(one, values, speech) for one in part.chosen(value, speech))
    return speech.number(value) if isinstance(part, Count) else str(value)
