"""Rules and guides: complete, and alike in every language that is complete."""

import json
import re
from pathlib import Path
from typing import get_args

import pytest

from branchline.boards.texts import Moment, texts_of
from branchline.words import languages
from branchline.words.catalogues import own_messages

ROOT = Path(__file__).parents[2]
TEXTS = ROOT / "src" / "branchline" / "words"
LANGUAGES = [code for code, language in languages().items() if language.complete]
PAGES = {"europe": "EU", "london": "LO", "usa": "US", "world": "WO", "card-game": "CG", "shared": "G"}
GUIDES = ["europe", "london", "usa", "world", "card_game"]
TRIGGERS = set(get_args(Moment))
FURTHER = {"new-york": "NY", "great-lakes": "GL"}
RULE_ID = r"\b(?:EU|LO|US|WO|CG|G)-\d+\b"


def documented(page):
    """Every rule of a page of the documentation, and what of it is ours."""
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    rules = re.findall(rf"^- ({PAGES[page]}-\d+) (.*?)(?=\n- |\n\n|\Z)", text, re.MULTILINE | re.DOTALL)
    return [(rule, "ruling" if "**Our ruling:**" in body else "deviation" if "**Deviation:**" in body else None) for rule, body in rules]


RULE_IDS = {rule for page in PAGES for rule, _ in documented(page)}


def read(*parts):
    return json.loads(TEXTS.joinpath(*parts).read_text(encoding="utf-8"))


def rules_of(language, page):
    return [rule for section in read(language, "rules", f"{page}.json")["sections"] for rule in section["rules"]]


def steps_of(language):
    return [step for guide in read(language, "guides.json").values() for step in guide["steps"]]


def words_of(texts):
    """All that is read, in order: titles and sentences, not ids."""
    if isinstance(texts, list):
        return [word for text in texts for word in words_of(text)]
    if isinstance(texts, dict):
        return [word for key, text in texts.items() if key not in ("id", "when", "option") for word in words_of(text)]
    return [texts] if isinstance(texts, str) and not re.fullmatch(RULE_ID, texts) else []


def all_words(language):
    """Besides the examples, which are messages with values (test_examples.py)."""
    books = [read(language, "rules", f"{page}.json") for page in PAGES]
    return words_of([{**book, "examples": []} for book in books] + [read(language, "guides.json")])


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_stands_once_and_in_order_and_rulings_are_marked(language, page):
    assert [(rule["id"], ours(rule)) for rule in rules_of(language, page)] == documented(page)


def ours(rule):
    return next((kind for kind in ("ruling", "deviation") if rule.get(kind)), None)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_rulings_and_deviations_have_the_same_form_in_every_language(language, page):
    """A ruling is the whole rule or what is added to it; a deviation says what is printed, and why we depart from it."""

    def forms(one):
        return [(rule["id"], type(rule.get("ruling")), sorted(rule.get("deviation", ())), rule.get("option")) for rule in rules_of(one, page)]

    assert forms(language) == forms("en")
    assert all({"printed", "why"} <= rule["deviation"].keys() for rule in rules_of(language, page) if "deviation" in rule)


def test_only_who_begins_deviates_from_the_printed_rules():
    deviating = [rule for page in PAGES for rule in rules_of("en", page) if "deviation" in rule]
    assert [rule["id"] for rule in deviating] == ["G-3"]
    for game in ("London", "Card Game", "Europe", "World"):
        assert game in deviating[0]["deviation"]["printed"]


def test_the_rules_name_the_options_of_a_table():
    rules = [rule for page in PAGES for rule in rules_of("en", page)]
    named = {rule.get("option") or rule.get("deviation", {}).get("option") for rule in rules} - {None}
    options = {key for key in own_messages("en") if key.startswith("table.option.")}
    assert named == options | {"table.first"}


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reference_says_what_it_refers_to(language, page):
    """An id stands in brackets, after the words that say what the rule is about; nothing leans on the bare id."""
    for rule in rules_of(language, page):
        for text in words_of(rule):
            assert leans_on_no_id(text), (rule["id"], text)


@pytest.mark.parametrize("board", FURTHER)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reference_says_what_it_refers_to_on_boards_made_as_from_outside(language, board):
    for section in texts_of(board)[language].sections:
        for rule in section.rules:
            assert leans_on_no_id(rule.text), (rule.id, rule.text)


def leans_on_no_id(text):
    return not re.search(RULE_ID, re.sub(r"\([^()]*\)", "", text)) and not re.match(rf"\((?:{RULE_ID})", text)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_sections_are_those_of_the_english_page(language, page):
    def outline(one):
        return [(section["id"], [rule["id"] for rule in section["rules"]]) for section in read(one, "rules", f"{page}.json")["sections"]]

    assert outline(language) == outline("en")
    assert len(dict(outline(language))) == len(outline(language))


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_summary_has_two_or_three_paragraphs(language, page):
    assert len(read(language, "rules", f"{page}.json")["summary"]) in (2, 3)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_numbers_and_references_are_those_of_the_english_rule(language, page):
    for english, other in zip(rules_of("en", page), rules_of(language, page), strict=True):
        here, there = " ".join(words_of(english)), " ".join(words_of(other))
        assert sorted(re.findall(RULE_ID, there)) == sorted(re.findall(RULE_ID, here)), english["id"]
        assert set(re.findall(r"\d+", there)) == set(re.findall(r"\d+", here)), english["id"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_empty_or_has_marks_of_a_typewriter(language):
    for text in all_words(language):
        assert text.strip() == text != ""
        assert not re.search(r"[\"'<>`_#]|  | - |\.\.\.", text), text
        assert text.count("**") in (0, 2), text


def test_english_messages_have_curly_apostrophes_and_no_space_before_an_ellipsis():
    wrong = {key: text for key, text in own_messages("en").items() if re.search(r"[\w}]'[a-z]| …$", text)}
    assert wrong == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_that_are_mentioned_exist(language):
    named = set(re.findall(RULE_ID, " ".join(all_words(language)))) | {rule for step in steps_of(language) for rule in step["rules"]}
    assert named <= RULE_IDS


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_text_is_translated(language):
    for english, other in zip(all_words("en"), all_words(language), strict=True):
        assert english != other or english == "USA"


def test_ukrainian_is_written_in_cyrillic():
    for text in all_words("uk"):
        assert not re.search("[A-Za-zыэёъЫЭЁЪ]", re.sub(RULE_ID, "", text)), text


def test_polish_is_written_in_latin_letters():
    assert not re.search("[Ѐ-ӿ]", " ".join(all_words("pl")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_guides_have_the_same_known_triggers_and_rules(language):
    def outline(one):
        return [(game, [(step["when"], step["rules"]) for step in guide["steps"]]) for game, guide in read(one, "guides.json").items()]

    assert outline(language) == outline("en")
    assert [game for game, _ in outline(language)] == GUIDES
    assert {step["when"] for step in steps_of(language)} <= TRIGGERS


def test_the_page_knows_the_same_moments():
    text = (ROOT / "web" / "src" / "guide" / "triggers.ts").read_text(encoding="utf-8")
    assert set(re.findall(r"\| '(\w+)'", text.partition("interface Moment")[0])) == TRIGGERS


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("board", FURTHER)
def test_boards_made_as_from_outside_have_guides_with_the_same_steps(board, language):
    guides = {code: texts.guide for code, texts in texts_of(board).items()}
    assert 4 <= len(guides[language]) <= 8
    assert [(step.when, step.rules) for step in guides[language]] == [(step.when, step.rules) for step in guides["en"]]
    own = {rule.id for section in texts_of(board)["en"].sections for rule in section.rules}
    assert {rule for step in guides[language] for rule in step.rules} <= own | RULE_IDS
    assert {step.text for step in guides[language]}.isdisjoint(step.text for code, steps in guides.items() if code != language for step in steps)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_game_is_guided_throughout_and_the_others_briefly(language):
    lengths = {game: len(guide["steps"]) for game, guide in read(language, "guides.json").items()}
    assert 13 <= lengths.pop("europe") <= 16
    assert all(4 <= length <= 8 for length in lengths.values())
