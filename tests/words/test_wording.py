"""Events, reasons and decisions in words: the same in the terminal and in the page, in every language, for whole games."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from os import environ
from pathlib import Path
from typing import Any

import pytest

from branchline import rules
from branchline.boards import load_board
from branchline.boards.folders import shipped_boards
from branchline.play.events import redact
from branchline.play.facts import game_facts
from branchline.play.reasons import REASON_KEYS, Reason, why_not
from branchline.play.records import read_records
from branchline.play.wording import Speaker, in_english
from branchline.rules.vocabulary.events import EVENTS
from branchline.server.protocol.table_events import TABLE_EVENTS
from branchline.words import ENGLISH, Words, languages
from branchline.words.catalogues import own_messages
from tests.commands import branchline as in_this_process
from tests.words.page import said_by_the_page

GOLDEN = Path(__file__).parents[1] / "play" / "golden"
NAMES = ["Ada", "Bruno", "Chloé", "Дана", "Eve"]
PEOPLE = {str(seat): {"name": name, "player": "human"} for seat, name in enumerate(NAMES)}
A_FEW = 10  # decisions of a position whose reasons are compared
EVERY = 40  # moments of a game


def record_of(game: str) -> Any:
    return next(read_records(GOLDEN / f"{game}.json"))


def happened(game: str) -> list[dict[str, Any]]:
    """The events of a golden game, as everybody sees them and as a spectator does."""
    events = [*record_of(game).events, {"event": "pass", "seat": 0}]  # nobody has to pass in them
    return [*events, *(redact(event, None) for event in events)]


def reasons(game: str) -> list[Reason]:
    """Reasons from all through a golden game."""
    found = []
    for number, state in enumerate(record_of(game).states()):
        if number % EVERY == 0 and not state.is_over:
            illegal = [decision for decision in range(len(state.game.decisions)) if decision not in state.legal]
            found += [why_not(state, decision) for decision in illegal[number % 7 :: max(1, len(illegal) // A_FEW)]]
    return found


def decisions(game: str) -> list[dict[str, Any]]:
    board = load_board(game)
    row = [card.id for card in board.cards[: board.record.row]]
    return [{"text": text, "row": row} for text in game_facts(game)["decisions"][::3]]


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    return {game: game_facts(game) for game in shipped_boards()}


def test_the_terminal_and_the_page_say_the_same(facts: dict[str, Any]) -> None:
    asked: list[tuple[str, str, str, Any]] = []
    here: list[str] = []
    told = {game: (happened(game), reasons(game), decisions(game)) for game in facts}
    for language in languages():
        for game, (events, objections, choices) in told.items():
            speaker = Speaker(load_board(game), language, NAMES)
            asked += [("event", language, game, event) for event in events]
            here += [speaker.event(event) for event in events]
            asked += [("reason", language, game, {"key": one.key, "values": one.values}) for one in objections]
            here += [speaker.reason(one) for one in objections]
            asked += [("decision", language, game, one) for one in choices]
            here += [speaker.decision(one["text"], one["row"]) for one in choices]
    there = said_by_the_page(facts, PEOPLE, asked)
    different = [(one, mine, theirs) for one, mine, theirs in zip(asked, here, there, strict=True) if mine != theirs]
    assert different[:3] == []
    assert {event["event"] for events, _, _ in told.values() for event in events} == {event.name for event in EVENTS.values()}


def test_every_declared_event_has_a_message_and_every_message_an_event() -> None:
    declared = {event.name for event in [*EVENTS.values(), *TABLE_EVENTS]} - {"begin", "say"}  # the log tells neither
    assert {key for key in own_messages(ENGLISH) if key.startswith("event.")} == {f"event.{name}" for name in declared}


def test_the_page_tells_what_happens_at_the_table(facts: dict[str, Any]) -> None:
    told = {
        "Zoë sits down": {"event": "sit", "seat": 4, "name": "Zoë"},
        "Seat 2 is free again": {"event": "rise", "seat": 1},
        "Ada leaves the table": {"event": "leave", "seat": 0},
        "A bot plays for Ada": {"event": "take_over", "seat": 0, "reason": "left"},
        "Time is up: a bot plays for Ada": {"event": "take_over", "seat": 0, "reason": "time"},
        "Bruno wants to end the game": {"event": "abandon", "seat": 1, "gives_up": True},
        "Bruno wants to play on": {"event": "abandon", "seat": 1, "gives_up": False},
        "The game has been ended": {"event": "abandon", "gives_up": True},
    }
    assert said_by_the_page(facts, PEOPLE, [("event", ENGLISH, "london", event) for event in told.values()]) == list(told)


def test_a_hidden_field_is_told_as_a_number() -> None:
    speaker = Speaker(load_board("europe"), ENGLISH, NAMES)
    kept = {"event": "keep_tickets", "seat": 1, "kept": ["berlin-roma", "london-wien"], "returned": ["athina-edinburgh"], "to": "bottom"}
    assert speaker.event(kept) == "Bruno keeps Berlin–Roma (9), London–Wien (10); returns 1 ticket"
    assert speaker.event(redact(kept, 0)) == "Bruno keeps 2 tickets and returns 1"
    drawn = {"event": "draw", "seat": 0, "deck": "train", "card": "wild"}
    assert speaker.event(drawn) == "Ada draws locomotive from the deck"
    assert speaker.event(redact(drawn, 2)) == "Ada draws a card from the deck"


def test_places_and_cards_are_named_in_the_language() -> None:
    claim = {"event": "claim", "seat": 0, "route": "warszawa-wien", "cards": ["blue", "blue", "wild", "wild"], "points": 7}
    said = {language: Speaker(load_board("europe"), language, NAMES).event(claim) for language in ("pl", "uk")}
    assert said["pl"] == "Ada buduje trasę Warszawa–Wiedeń (2\u00a0×\u00a0niebieski, 2\u00a0×\u00a0lokomotywa), +7"
    assert said["uk"] == "Ada займає маршрут Варшава–Відень (2\u00a0×\u00a0синій, 2\u00a0×\u00a0локомотив), +7"


def test_a_reason_without_names_calls_seats_by_their_numbers() -> None:
    taken = Reason("taken", {"route": "berlin-wien", "seat": 1})
    assert in_english(load_board("europe"), taken) == "This route already belongs to seat 1."


def test_every_reason_has_a_sentence_without_values_too() -> None:
    speaker = Speaker(load_board("europe"))
    for key in set(REASON_KEYS) - {"finish_first", "wild_begins_no_row"}:
        assert speaker.reason(Reason(key)).strip()


def branchline(*arguments: str, **settings: str) -> str:
    env = {name: value for name, value in environ.items() if name not in ("LANGUAGE", "LC_ALL", "LC_MESSAGES")}
    env |= {"COLUMNS": "300", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"} | settings
    command = [sys.executable, "-m", "branchline", *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=200, env=env, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_quotation_marks_are_written_as_the_language_does() -> None:
    """And so in no code that speaks other languages, too."""
    assert [Words(language).say("terminal.quoted", text="claim") for language in ("en", "pl", "uk")] == ["“claim”", "„claim”", "«claim»"]
    sources = Path(rules.__file__).parents[1].rglob("*.py")
    assert [str(path) for path in sources if re.search("[“”„«»]", path.read_text(encoding="utf-8"))] == []


ENGLISH_WORDS = re.compile(r"\b(?:the|takes|draws|claims|keeps|from|turn|game|deck|card|point|points|wins|tickets?|train|ship)\b", re.IGNORECASE)


def test_a_whole_replay_speaks_polish(game: str) -> None:
    """Every line but the decisions, which are typed as they are in every language."""
    told = in_this_process("replay", GOLDEN / f"{game}.json", "--language", "pl").stdout
    lines = [line for line in told.splitlines() if not re.match(r"\d+: ", line)]
    assert [line for line in lines if ENGLISH_WORDS.search(line)] == []
    assert "Gra się zaczyna. Pierwsza tura:" in told
    assert "Zgadza się:" in lines[-1]


@pytest.mark.soak("it starts four programs; the terminal's languages have tests of their own")
def test_the_system_says_which_language_and_a_partly_translated_one_falls_back_to_english() -> None:
    assert "Kolej" not in branchline("show", "london", LANG="en_GB.UTF-8")
    assert branchline("show", "london", LANG="uk_UA.UTF-8").startswith("Лондон")
    german = branchline("show", "london", "--language", "de", LANG="uk_UA.UTF-8")
    assert "Tickets: 20" in german
    assert "de (Deutsch, partly translated)" in branchline("show", "--help")


@pytest.mark.parametrize("anchors", ["red-harbour-train", "anchored"])
def test_for_a_route_a_card_with_an_anchor_is_named_once_whatever_its_id(anchors: str) -> None:
    """A double ship is not the twin of a ship with an anchor: it covers more spaces."""
    board = load_board("world")
    cards = tuple(replace(card, id=anchors) if card.id == "red-harbour-train" else card for card in board.cards)
    speaker = Speaker(replace(board, cards=cards))
    named = speaker.reason(Reason("needs_cards", {"route": board.routes[0].id, "count": 1, "cards": ["red-train", anchors]}))
    assert (named.count("red train"), named.count("anchor")) == (1, 0)
    named = speaker.reason(Reason("needs_cards", {"route": board.routes[0].id, "count": 1, "cards": ["red-double-ship", "red-ship"]}))
    assert ("red double ship" in named, "red ship" in named) == (True, True)


def test_every_card_has_its_own_name_and_polish_double_ships_are_called_as_on_the_cards() -> None:
    for language in ("en", "pl", "uk"):
        speaker = Speaker(load_board("world"), language)
        names = [speaker.card(card.id) for card in load_board("world").cards]
        assert len(set(names)) == len(names)
    polish = Speaker(load_board("world"), "pl")
    doubles = [polish.card(card.id) for card in load_board("world").cards if card.covers > 1]
    colours = ["różowa", "żółta", "zielona", "czerwona", "czarna", "biała"]
    assert doubles == [f"{colour} karta dwóch statków" for colour in colours]


def test_a_polish_card_of_two_ships_is_feminine_in_every_colour() -> None:
    polish = Words("pl")
    colours = [key for key in own_messages("pl") if key.startswith("colour.") and key != "colour.gray"]
    said = {polish.say("card.double_ship", colour=polish.say(key), harbour="no") for key in colours}
    assert len(said) == len(colours)
    assert all(words.endswith("a karta dwóch statków") for words in said)


@pytest.mark.parametrize(
    ("language", "locomotive", "joker"), [("en", "locomotives", "wild cards"), ("pl", "lokomotyw", "dżoker"), ("uk", "локомотив", "джокер")]
)
def test_a_board_with_jokers_never_speaks_of_locomotives(language: str, locomotive: str, joker: str) -> None:
    """Nor one with locomotives of jokers: on ferries, in yards, and when cards are missing for a ferry."""
    words = Words(language)
    for said in (
        lambda kind: words.say("board.ferry", count=2, wild_kind=kind),
        lambda kind: words.say("yard.row", colour="", count=3, wilds=2, wild_kind=kind),
        lambda kind: words.say("why.cannot_pay", length=3, colour="", ferry=2, wild_kind=kind),
        lambda kind: words.say("why.wild_begins_no_row", wild_kind=kind).lower(),
        lambda kind: words.say("why.placing_stuck", wild_kind=kind),
    ):
        assert (locomotive in said("locomotive"), joker in said("locomotive")) == (True, False)
        assert (locomotive in said("joker"), joker in said("joker")) == (False, True)


@pytest.mark.parametrize(("language", "said"), [("en", "17 buses left"), ("pl", "Zostało 17 autobusów"), ("uk", "Залишилося 17 автобусів")])
def test_a_seat_in_london_has_buses_left(language: str, said: str) -> None:
    assert Words(language).say("seat.pieces", count=17, kind=Speaker(load_board("london")).pieces) == said
