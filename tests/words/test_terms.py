"""Each game in its own words: sets of terms that a board names, and no term of another game in what a game says."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from branchline.boards import load_board
from branchline.boards.folders import shipped_boards
from branchline.boards.presentation import presentation_of
from branchline.pages.prose import Prose
from branchline.play.rulebook import general
from branchline.play.wording import Speaker
from branchline.words import ENGLISH, Words, languages, spoken_in
from branchline.words.catalogues import own_messages
from branchline.words.languages import HERE
from branchline.words.messages import Choice, Message, Parts
from tests.words.test_catalogues import values

SETS = sorted(HERE.glob("*/terms/**/*.json"))
FURTHER = {folder.parent.name.replace("_", "-"): folder for folder in (HERE.parent / "boards" / "further").glob("*/words")}  # with their rulebooks
NAMED = {game: presentation_of(game).words.terms for game in [*shipped_boards(), *FURTHER]}
# messages that are said about a game, by the beginnings of their keys
OF_A_GAME = (
    "decision.",
    "event.",
    "why.",
    "route.",
    "question.",
    "reveal.",
    "board.",
    "count.",
    "end.part.",
    "end.column.",
    "hint.",
    "show.",
    "wild.",
    "legend.",
    "report.",
    "board_report.",
    "finding.",
    "advice.",
    "style.",
    "style_text.",
    "book.",
)
# what the printed rulebook of a game does not say, in the rules, the guide and the messages of that game
FOREIGN = {
    ("pl", "europe"): r"kart\w* (?:wagon|transport|Lokomocji)|połączeni[aeu]\b(?! w)|zaj(?:ąć|mij|muje\w*) tras|nitk|dżoker|Najdłuższa droga",
    ("pl", "usa"): r"kart\w* (?:wagon|transport|Lokomocji)|zaj(?:ąć|mij|muje\w*) tras|nitk|dżoker|Europejski Ekspres|Najdłuższa droga",
    ("pl", "world"): r"(?<!długiej )\btras[aęyąo]?\b|\btrasami\b|\btor(?:u|ów)?\b|kart\w* (?:pociąg|podróży|Lokomocji)|lokomotyw|Ekspres",
    ("pl", "london"): r"(?<!długiej )\btras[aęyąo]?\b|\btrasami\b|\btor(?:u|ów)?\b|kart\w* (?:pociąg|transportu)|lokomotyw|dżoker|Ekspres",
    ("pl", "new-york"): r"(?<!długiej )\btras[aęyąo]?\b|\btrasami\b|\btor(?:u|ów)?\b|kart\w* (?:pociąg|Lokomocji)|lokomotyw|Ekspres",
    ("pl", "great-lakes"): r"(?<!długiej )\btras[aęyąo]?\b|\btrasami\b|\btor(?:u|ów)?\b|kart\w* (?:pociąg|podróży|Lokomocji)|lokomotyw|Ekspres",
    ("pl", "card-game"): r"kart\w* (?:wagon|transport|Lokomocji)|kart\w* premii|[Rr]abunek pociągu|dżoker",
    ("uk", "card-game"): r"[Кк]артков|\b[Фф]аз|\bв руці|\bу руці|джокер",
}


def language_of(path: Path) -> str:
    """The language of a set of terms, whether it is for the page or not."""
    return path.relative_to(HERE).parts[0]


def described(game: str, language: str) -> list[str]:
    """The rulebook of a game and its guide, one text a string."""
    if game in FURTHER:
        return list(strings(tomllib.loads((FURTHER[game] / f"{language}.toml").read_text(encoding="utf-8"))))
    rules = json.loads((HERE / language / "rules" / f"{game}.json").read_text(encoding="utf-8"))
    guide = json.loads((HERE / language / "guides.json").read_text(encoding="utf-8"))[game.replace("-", "_")]
    return list(strings([rules, guide]))


def strings(found: object) -> list[str]:
    if isinstance(found, str):
        return [found]
    parts = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
    return [text for part in parts for text in strings(part)]


def said(game: str, language: str) -> dict[str, str]:
    """The messages about a game, in its terms, that could be said of this board."""
    words, wild = spoken_in(language, NAMED[game]), presentation_of(game).words.wild
    keys = [key for key in own_messages(language) if key.startswith(OF_A_GAME) and is_of(game, key)]
    return {key: " ".join(texts(Message(words.text(key)).parts, wild)) for key in keys}


def texts(parts: Parts, wild: str) -> Iterator[str]:
    """Every wording of a message, but of what depends on the kind of wild card only that of this kind."""
    for part in parts:
        if isinstance(part, Choice):
            chosen = {wild if wild in part.forms else "other"} if part.name in ("wild_kind", "wild") else set(part.forms)
            for form in chosen:
                yield from texts(part.forms[form], wild)
        elif isinstance(part, str):
            yield part


def is_of(game: str, key: str) -> bool:
    """Ferries and tunnels are not said of a board that has none, nor other wild cards than its own."""
    board, wild = load_board(game), presentation_of(game).words.wild
    if key.startswith("wild."):
        return key == f"wild.{wild}"
    if key.startswith("book."):
        return key in told_in_the_general_rules(game)
    if any(word in key for word in ("ferry", "cannot_pay")):
        return any(route.ferry for route in board.routes)
    if any(word in key for word in ("wild_begins_no_row", "placing")):
        return bool(board.record.yards)
    if key in ("report.long_tickets", "show.long"):
        return any(ticket.long for ticket in board.tickets)
    if "building" in key:
        return bool(board.record.harbours)
    return board.routes != () or not re.search(r"route|claim|path|twin|taken|board\.|choose", key)


@cache
def told_in_the_general_rules(game: str) -> set[str]:
    """The sentences, and their parts, that the rulebook of a board without texts of its own would have."""
    speaker, told = Speaker(load_board(game), ENGLISH), set()
    with pytest.MonkeyPatch.context() as patching:
        patching.setattr(speaker, "say", lambda key, **_: told.add(key) or "")
        general(speaker)
    return told | {f"book.summary{'_yards' if speaker.board.record.yards else ''}"}


@pytest.mark.parametrize("path", SETS, ids=lambda path: f"{language_of(path)}-{path.parent.name}-{path.stem}")
def test_a_set_of_terms_rewords_messages_that_exist_with_the_same_values(path) -> None:
    own = own_messages(language_of(path))
    for key, text in json.loads(path.read_text(encoding="utf-8")).items():
        assert text != own[key], f"{key} is what it is without the set"
        assert values(Message(text).parts) == values(Message(own[key]).parts), key


def test_every_set_of_terms_is_named_by_a_board_and_exists() -> None:
    assert {path.stem for path in SETS} == {name for names in NAMED.values() for name in names}


def test_a_later_set_of_terms_prevails_and_a_language_without_it_says_the_usual() -> None:
    assert Words("pl", ["connections", "bus-cards"]).say("wild.joker") == "karta Autobusu"
    assert Words("pl", ["connections"]).say("wild.joker") == "dżoker"
    assert Words(ENGLISH, ["connections", "bus-cards"]).say("wild.joker") == Words(ENGLISH).say("wild.joker")


def test_what_the_page_does_not_say_has_terms_that_it_does_not_load() -> None:
    off_page = (HERE / ENGLISH / "messages" / "off_page").glob("*.json")
    said_off_page = {key for path in off_page for key in json.loads(path.read_text(encoding="utf-8"))}
    for path in SETS:
        for key in json.loads(path.read_text(encoding="utf-8")):
            assert (key in said_off_page) is (path.parent.name == "off_page"), key


def test_reports_follow_the_terms_of_the_board_or_of_both_boards() -> None:
    world, london, europe = map(load_board, ("world", "london", "europe"))
    assert Prose("pl", world)("report.action.claim") == "tworzy połączenie"
    assert Prose("pl", world, london)("report.action.claim") == "tworzy połączenie"
    assert Prose("pl", world, europe)("report.action.claim") == Prose("pl")("report.action.claim") == "buduje trasę"
    assert "Europejski Ekspres" in Prose("pl", europe)("advice.decided_early")


def test_the_general_rules_of_a_board_follow_its_terms_whatever_it_has() -> None:
    """No shipped board with connections has stations or tunnels, but a board from outside may."""
    london, europe = spoken_in("pl", ("connections", "bus-cards")), spoken_in("pl", ("european-express",))
    book = [key for key in own_messages("pl") if key.startswith("book.")]
    strays = r"(?<!długiej )\btras|\btor(?:u|y|ów)?\b|dżoker"  # tickets of the long kind keep their printed name
    assert [key for key in book if re.search(strays, " ".join(texts(Message(london.text(key)).parts, "joker")))] == []
    assert london.say("book.claim", wild="joker").startswith("Tworzysz połączenie, zagrywając tyle kart w jego kolorze, ile ma pól")
    assert "Europejski Ekspres" in europe.say("book.longest", points=10)
    assert Words("pl").say("book.claim", wild="joker").startswith("Budujesz trasę")


def test_the_log_follows_the_terms_of_the_board() -> None:
    claim = {"event": "claim", "seat": 0, "cards": ["green", "wild"], "points": 2}
    built = Speaker(load_board("europe"), "pl", ["Ada"]).event(claim | {"route": "athina-sarajevo"})
    assert built == "Ada buduje trasę Ateny–Sarajewo (zielony, lokomotywa), +2"
    made = Speaker(load_board("london"), "pl", ["Ada"]).event(claim | {"route": "baker-street-regents-park"})
    assert made.startswith("Ada tworzy połączenie ")
    assert made.endswith("(zielony, karta Autobusu), +2")


@pytest.mark.parametrize(("language", "board"), FOREIGN)
def test_a_game_uses_no_term_of_another_game(language: str, board: str) -> None:
    foreign = re.compile(FOREIGN[language, board])
    texts = [*described(board, language), *said(board, language).values()]
    assert [(found[0], text) for text in texts if (found := foreign.search(text))] == []


@pytest.mark.parametrize("language", [code for code, one in languages().items() if one.complete and code != ENGLISH])
def test_one_thing_has_one_word(language: str) -> None:
    """Spaces, pieces, tours, passing, the log, pink."""
    strays = {
        "pl": r"fioletow|figur[ek]|[Pp]rzebieg gry|na ręku|wypadaj\w* z gry|wybudowa|[Zz]atrzyma(?:j|ć|sz)"
        r"|\bsztuk|[Zz]wr(?:óc|ac)\w* bilet|[Bb]ilet\w* zwróc|pod spód|[Dd]ług\w+ bilet|krawęd\w+ (?:mapy|planszy)|trasy? parow|zwrócić",
        "uk": r"фіолетов|фішк|[Пп]еребіг|подорож \{|пропускає хід|[Пп]ропустити хід|\b[пП]ол(?:е|я|ів|ях|ю)\b|\b[ву] рук[уі]\b"
        r"|подвійн\w+ кораб|[Кк]артков\w+ гр|карт\w* поїзд|під колоду|дивитися карти|парн\w+ маршрут|граючи",
    }
    texts = [*own_messages(language).values(), *(text for game in NAMED for text in described(game, language))]
    assert [(found[0], text) for text in texts if (found := re.search(strays[language], text))] == []
