"""The words of the page: the same keys and values in every language, with all plural forms; and a word for everything the server may say."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from branchline.boards import available_boards, load_board
from branchline.bots.levels import LEVELS
from branchline.play.reasons import REASON_KEYS
from branchline.rules.vocabulary.phases import PHASES
from branchline.server.refusals import REFUSALS
from branchline.server.texts import PHRASES
from tests.web.messages import read

FOLDER = Path(__file__).parents[2] / "web/src/i18n"
SOURCE = "\n".join(path.read_text() for pattern in ("*.svelte", "*.ts") for path in FOLDER.parent.rglob(pattern) if path.name != "schema.ts")
LANGUAGES = ("en", "pl", "uk")
FORMS = {"en": {"one", "other"}, "pl": {"one", "few", "many", "other"}, "uk": {"one", "few", "many", "other"}}
ALIKE = ("lobby.bots_level", "why.needs_cards", "why.too_few_pieces")  # after some prepositions and verbs few, many and other are alike
# refusals that only programs meet
FOR_PROGRAMS = [
    "bad_game",
    "malformed",
    "no_key",
    "no_such_seat",
    "not_a_decision",
    "not_found",
    "other_rules",
    "preparing",
    "wrong_method",
    "wrong_origin",
]


def catalogue(language: str) -> dict[str, str]:
    words: dict[str, str] = {}
    for path in sorted((FOLDER / language).glob("*.json")):
        part = json.loads(path.read_text())
        assert not words.keys() & part.keys(), f"{path} repeats keys"
        words |= part
    return words


WORDS = {language: catalogue(language) for language in LANGUAGES}


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_language_has_the_same_keys(language: str) -> None:
    assert sorted(WORDS[language]) == sorted(WORDS["en"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_is_empty_and_plurals_are_complete(language: str) -> None:
    for key, text in WORDS[language].items():
        assert text.strip(), key
        for forms in read(text).plurals:
            assert forms == FORMS[language] or forms == {"other"} or key in ALIKE, f"{language} {key}: {sorted(forms)}"


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_language_uses_the_same_values(language: str) -> None:
    wanted = {key: read(text).values for key, text in WORDS["en"].items()}
    assert {key: read(text).values for key, text in WORDS[language].items()} == wanted


def test_other_languages_are_translated() -> None:
    words = {key: re.sub(r"\{[^}]*\}", "", text) for key, text in WORDS["en"].items() if key != "common.branchline"}
    same = [key for key, text in words.items() if re.search("[A-Za-z]{4}", text) and WORDS["uk"][key] == WORDS["en"][key]]
    assert same == []


def test_there_is_a_word_for_everything_the_server_may_say() -> None:
    needed = (
        {f"why.{key}" for key in REASON_KEYS if key != "finish_first"}
        | {f"why.finish.{phase.replace(' ', '_')}" for phase in {one.name for one in PHASES.values()} - {"action", "moving to the track"}}
        | {f"phrase.{phrase}" for phrase in PHRASES}
        | {f"level.{level}" for level in LEVELS}
    )
    needed |= {f"game.{board}" for board in available_boards()}
    needed |= {f"colour.{colour}" for board in available_boards() for colour in load_board(board).colours}
    needed |= {f"refused.{code}" for code in REFUSALS if code not in FOR_PROGRAMS}
    assert sorted(needed - WORDS["en"].keys()) == []


def test_every_key_is_used() -> None:
    """A key stands in the source as it is, or its beginning does, where the rest is put together at run time."""
    beginnings = tuple(re.findall(r"[`'\"]([a-z_]+\.[\w.-]*)\$\{", SOURCE))
    unused = [key for key in WORDS["en"] if f"'{key}'" not in SOURCE and not key.startswith(beginnings)]
    assert unused == []
