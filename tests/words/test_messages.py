"""ICU messages: the same text in Python as in the page, whose library is asked in Node."""

from __future__ import annotations

import json
import re
from itertools import product
from typing import Any

import pytest
from babel import Locale

from branchline.words import Words, languages, systems_language
from branchline.words.catalogues import own_messages
from branchline.words.messages import Choice, Message, Parts, Speech, Value
from tests.words.page import in_node

NUMBERS = (0, 1, 2, 5, 11, 21, 22, 25, 100)
MOST = 200  # combinations of values for one message
# reads [language, message, values], one per line, and writes what the page would show
ASKED_IN_NODE = """
import { IntlMessageFormat } from 'intl-messageformat'
import { createInterface } from 'node:readline'
for await (const line of createInterface({ input: process.stdin })) {
  const [language, message, values] = JSON.parse(line)
  console.log(JSON.stringify(new IntlMessageFormat(message, language, undefined, { ignoreTag: true }).format(values)))
}
"""
TRICKY = [
    ("en", "It’s '{'not'}' a {value}, isn't it? ''{value}''", {"value": 5}),
    ("en", "{n, plural, one {# is '#'} other {{n} are #, '{#}'}}", {"n": 2}),
    ("pl", "{n, plural, =0 {} one {#} few {{word, select, a {# A} other {inne}}} many {# wielu} other {#}}", {"n": 3, "word": "a"}),
    ("uk", "{n,plural,=1{рівно один} one{# один} few{#} many{#} other{#}}", {"n": 1}),
    ("en", "a quote that stays open: '{n, and more ''of'' it", {}),
    ("en", "# stays a sign, and so does '#'", {}),
]


def samples(message: str) -> list[dict[str, Any]]:
    """Values that reach every form of a message."""
    found: dict[str, list[Any]] = {}
    collect(Message(message).parts, found)
    return [dict(zip(found, chosen, strict=True)) for chosen in list(product(*found.values()))[:MOST]]


def collect(parts: Parts, found: dict[str, list[Any]]) -> None:
    for part in parts:
        if isinstance(part, Value):
            found.setdefault(part.name, [f"⟨{part.name}⟩"])
        elif isinstance(part, Choice):
            found[part.name] = list(NUMBERS) if part.kind == "plural" else list(part.forms)
            for form in part.forms.values():
                collect(form, found)


def said_in_node(asked: list[tuple[str, str, dict[str, Any]]]) -> list[str]:
    return [json.loads(line) for line in in_node(ASKED_IN_NODE, "\n".join(json.dumps(one) for one in asked)).splitlines()]


def said_here(language: str, message: str, values: dict[str, Any]) -> str:
    return Message(message).format(values, Speech(Locale.parse(language)))


@pytest.mark.sample(2)
@pytest.mark.parametrize("language", languages())
def test_every_message_is_the_same_in_the_terminal_and_in_the_page(language: str) -> None:
    asked = [(language, text, values) for text in own_messages(language).values() for values in samples(text)]
    assert len(asked) > len(own_messages(language))
    assert [said_here(*one) for one in asked] == said_in_node(asked)


def test_quotes_and_nested_choices_are_read_as_the_page_reads_them() -> None:
    assert [said_here(*one) for one in TRICKY] == said_in_node(TRICKY)


@pytest.mark.parametrize(
    "message", ["{", "a } b", "{n", "{n, plural, one {#}}", "{n, plural, one # other {#}}", "{n, date}", "{}", "{n, select, other {a}"]
)
def test_a_message_that_cannot_be_read_is_an_error(message: str) -> None:
    with pytest.raises(ValueError, match=f": {re.escape(message)}$"):
        Message(message)


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(KeyError):
        said_here("en", "{who} passes", {})


def test_a_language_that_is_partly_translated_speaks_english_for_the_rest() -> None:
    german = Words("de")
    assert german.say("start.play_now") == "Jetzt spielen"
    assert "event.pass" not in own_messages("de")
    assert german.say("event.pass", who="Ada") == Words("en").say("event.pass", who="Ada")


@pytest.mark.parametrize(
    ("settings", "language"),
    [
        ({"LANG": "pl_PL.UTF-8"}, "pl"),
        ({"LANG": "pl_PL.UTF-8", "LC_ALL": "uk_UA"}, "uk"),
        ({"LANG": "pl_PL.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANGUAGE": "xx:uk:pl", "LANG": "en_US.UTF-8"}, "uk"),
        ({"LANG": "xx_XX.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),  # partly translated
        ({"LANGUAGE": "de:pl"}, "pl"),
        ({"LC_ALL": "C", "LANG": "pl_PL.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_system_says_which_language(settings: dict[str, str], language: str) -> None:
    assert systems_language(settings) == language


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", {1: "The rock is hard: 1 more card.", 2: "The rock is hard: 2 more cards."}),
        ("pl", {1: "Twarda skała: dołóż 1 kartę.", 2: "Twarda skała: dołóż 2 karty.", 5: "Twarda skała: dołóż 5 kart."}),
        ("uk", {1: "Тверда скеля: доплатіть 1 карту.", 2: "Тверда скеля: доплатіть 2 карти.", 5: "Тверда скеля: доплатіть 5 карт."}),
    ],
)
def test_a_tunnel_says_in_whole_sentences_how_many_cards_it_takes(language: str, said: dict[int, str]) -> None:
    assert {count: Words(language).say("tunnel.hard", count=count) for count in said} == said
