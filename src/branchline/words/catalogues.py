"""The messages of a language, and how they are said."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

from babel import Locale
from babel.lists import format_list

from branchline.words.languages import ENGLISH, HERE, languages
from branchline.words.messages import Message, Speech

OFF_PAGE = "off_page"  # the folder of what the page does not need


def own_messages(language: str) -> dict[str, str]:
    """What the language's own folder has, for the page and besides."""
    return {key: text for path in sorted((HERE / language / "messages").rglob("*.json")) for key, text in json.loads(path.read_text("utf-8")).items()}


def own_terms(language: str, terms: Sequence[str]) -> dict[str, str]:
    """The messages that are worded differently in the sets of terms that a board names; a language need not have them all.

    Of each set a file is for the page, and one in a folder of its own is not, as with messages.
    """
    paths = [HERE / language / "terms" / part / f"{name}.json" for name in terms for part in ("", OFF_PAGE)]
    return {key: text for path in paths if path.is_file() for key, text in json.loads(path.read_text("utf-8")).items()}


def sets_of_terms() -> list[str]:
    """What a board can name; no language needs to have them all."""
    return sorted({path.stem for path in HERE.glob("*/terms/*.json")})


class Words:
    """The messages of one language, in the terms of a board; an incomplete language has English messages where its own are missing."""

    def __init__(self, language: str, terms: Sequence[str] = ()) -> None:
        self.language = language
        self._own = own_messages(language) | own_terms(language, terms)
        self._english = {} if languages()[language].complete else own_messages(ENGLISH)
        self._messages: dict[str, tuple[Message, Speech]] = {}

    def __contains__(self, key: str) -> bool:
        return key in self._own or key in self._english

    def text(self, key: str) -> str:
        """The message of a key as it is written."""
        return self._own[key] if key in self._own else self._english[key]

    def say(self, key: str, /, **values: Any) -> str:
        """The message of a key, with its values."""
        if key not in self._messages:
            self._messages[key] = self._read(key)
        message, speech = self._messages[key]
        return message.format(values, speech)

    def _read(self, key: str) -> tuple[Message, Speech]:
        """A message and the language it is in: the plural forms of an English one are English wherever it is shown."""
        return Message(self.text(key)), Speech(Locale.parse(self.language if key in self._own else ENGLISH))

    def listed(self, names: Sequence[str], style: Literal["standard", "or"] = "standard") -> str:
        """`red, blue and green`"""
        return format_list(list(names), style, Locale.parse(self.language))


@cache
def spoken_in(language: str = ENGLISH, terms: tuple[str, ...] = ()) -> Words:
    return Words(language, terms)
