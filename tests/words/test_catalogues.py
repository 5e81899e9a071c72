"""The messages: the same keys and values in every language, with all plural forms; and a word for everything the server may say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel import Locale

from branchline.boards import available_boards, load_board
from branchline.boards.folders import further_boards, shipped_boards
from branchline.boards.texts import texts_of
from branchline.bots.levels import LEVELS
from branchline.play.reasons import REASON_KEYS
from branchline.rules.vocabulary.events import EVENTS
from branchline.rules.vocabulary.fields import MOVE
from branchline.rules.vocabulary.phases import PHASES
from branchline.server.protocol.refusals import REFUSALS
from branchline.server.protocol.texts import PHRASES
from branchline.words import ENGLISH, languages
from branchline.words.languages import HERE
from branchline.words.messages import Choice, Message, Parts, Value

WEB = Path(__file__).parents[2] / "web" / "src"
SOURCES = [path for pattern in ("*.svelte", "*.ts") for path in WEB.rglob(pattern) if path.name != "schema.ts"]
SOURCES += [path for path in HERE.parent.rglob("*.py") if path.parent != HERE]
SOURCE = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
COMPLETE = [code for code, language in languages().items() if language.complete]
PARTLY = [code for code in languages() if code not in COMPLETE]
ALIKE = ("lobby.bots_level", "why.needs_cards", "why.too_few_pieces")  # after some prepositions and verbs few, many and other are alike


def catalogue(language: str) -> dict[str, str]:
    words: dict[str, str] = {}
    for path in sorted((HERE / language / "messages").rglob("*.json")):
        part = json.loads(path.read_text(encoding="utf-8"))
        assert not words.keys() & part.keys(), f"{path} repeats keys"
        words |= part
    return words


WORDS = {language: catalogue(language) for language in languages()}


def choices(parts: Parts) -> Iterator[Choice]:
    for part in parts:
        if isinstance(part, Choice):
            yield part
            for form in part.forms.values():
                yield from choices(form)


def values(parts: Parts) -> set[str]:
    inside = {value for part in parts if isinstance(part, Choice) for form in part.forms.values() for value in values(form)}
    return inside | {part.name for part in parts if isinstance(part, Value | Choice)}


def test_english_is_complete() -> None:
    assert COMPLETE[0] == ENGLISH


@pytest.mark.parametrize("language", COMPLETE)
def test_every_complete_language_has_the_same_files_and_keys(language: str) -> None:
    assert files(language) == files(ENGLISH)
    assert sorted(WORDS[language]) == sorted(WORDS[ENGLISH])


def files(language: str) -> set[str]:
    """Sets of terms are left out: a language has those that it needs (test_terms.py)."""
    paths = (path.relative_to(HERE / language) for path in (HERE / language).rglob("*.json"))
    return {path.as_posix() for path in paths if path.parts[0] != "terms"}


BEGINNING = [*(WEB / "pages" / "start").iterdir(), *(WEB / "pages" / "bar").iterdir(), WEB / "sound" / "SoundSettings.svelte"]


@pytest.mark.parametrize("language", PARTLY)
def test_the_start_page_and_its_settings_are_in_every_language(language: str) -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in BEGINNING)
    used = {key for key in WORDS[ENGLISH] if f"'{key}'" in source or any(key.startswith(begun) for begun in re.findall(r"`([a-z_.]+)\$", source))}
    assert {"sound.touch", "start.level_easy", "table.option.may_draw_one"} <= used
    assert sorted(used - WORDS[language].keys()) == []
    assert all({"name", "line"} <= texts_of(game)[language].model_fields_set for game in further_boards())


@pytest.mark.parametrize("language", PARTLY)
def test_a_language_in_the_making_has_no_unknown_keys_and_files(language: str) -> None:
    assert WORDS[language].keys() < WORDS[ENGLISH].keys()
    assert files(language) <= files(ENGLISH)


@pytest.mark.parametrize("language", PARTLY)
def test_the_start_page_speaks_a_language_in_the_making_throughout(language: str) -> None:
    pages = "\n".join(path.read_text(encoding="utf-8") for part in ("start", "bar") for path in (WEB / "pages" / part).iterdir())
    named = set(re.findall(r"['`]([a-z_]+\.[a-z_.]+)['`]", pages))
    beginnings = tuple(re.findall(r"`([a-z_]+\.[a-z_]*)\$\{", pages))
    said = [key for key in WORDS[ENGLISH] if key in named or key.startswith(beginnings)]
    assert len(said) > 60
    assert [key for key in said if key not in WORDS[language]] == []


@pytest.mark.parametrize("language", languages())
def test_no_message_is_empty_and_plurals_are_complete(language: str) -> None:
    wanted = set(Locale.parse(language).plural_form.tags) | {"other"}
    for key, text in WORDS[language].items():
        assert text.strip(), key
        for choice in choices(Message(text).parts):
            forms = {form for form in choice.forms if not form.startswith("=")}
            assert choice.kind == "select" or forms in (wanted, {"other"}) or key in ALIKE, f"{language} {key}: {sorted(forms)}"


@pytest.mark.parametrize("language", languages())
def test_every_language_uses_the_same_values(language: str) -> None:
    wanted = {key: values(Message(WORDS[ENGLISH][key]).parts) for key in WORDS[language]}
    assert {key: values(Message(text).parts) for key, text in WORDS[language].items()} == wanted


def test_other_languages_are_translated() -> None:
    words = {key: re.sub(r"\{[^}]*\}", "", text) for key, text in WORDS["en"].items() if key != "common.branchline"}
    same = [key for key, text in words.items() if re.search("[A-Za-z]{4}", text) and WORDS["uk"][key] == WORDS["en"][key]]
    assert same == []


def test_there_is_a_word_for_everything_the_server_may_say() -> None:
    needed = (
        {f"why.{key}" for key in REASON_KEYS if key != "finish_first"}
        | {f"why.finish.{phase.replace(' ', '_')}" for phase in {one.name for one in PHASES.values()} - {"action", "moving to the track"}}
        | {f"phrase.{phrase}" for phrase in PHRASES}
        | {f"{key}{level}" for level in LEVELS for key in ("level.", "character.", "start.level_")}
    )
    needed |= {f"game.{board}" for board in shipped_boards()}
    needed |= {f"colour.{colour}" for board in available_boards() for colour in load_board(board).colours}
    needed |= {f"event.{event.name}" for event in EVENTS.values()} | {f"last.{event.name}" for event in EVENTS.values() if MOVE in event.kinds}
    needed |= {f"refused.{code}" for code in REFUSALS}
    needed |= {f"refused.{code}.{detail}" for code, detail in re.findall(r"Refused\.because\(\"(\w+)\", \"(\w+)\"", SOURCE)}
    assert sorted(needed - WORDS["en"].keys()) == []


def test_every_key_is_used() -> None:
    """A key appears in the source as it is, or its beginning does if the rest is added at run time."""
    beginnings = tuple(re.findall(r"[`'\"]([a-z_]+\.[\w.-]*)\$?\{", SOURCE))
    named = set(re.findall(r"['\"]([\w.-]+)['\"]", SOURCE))
    unused = [key for key in WORDS["en"] if key not in named and not key.startswith(beginnings)]
    assert unused == []
