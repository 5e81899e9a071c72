"""The worked examples of the rules pages: what they state is what the rules say, and every language tells it without a number of its own."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest
from babel import Locale

from branchline import State
from branchline.boards import available_boards, load_board
from branchline.boards.examples import examples_of
from branchline.errors import IllegalDecision
from branchline.play.completing import best_choice
from branchline.play.counting import explained_count
from branchline.play.payments import payments
from branchline.play.rulebook import rulebook_of
from branchline.rules.vocabulary.phases import ACTION
from branchline.words import languages
from branchline.words.languages import HERE
from branchline.words.messages import Message, Speech
from tests.rules.test_card_game_scoring import finish
from tests.table import changed, claim, give, happened, hold, over, own, pile, play, stack, station, table, yard
from tests.words.test_catalogues import values

COMPLETE = [code for code, language in languages().items() if language.complete]


STEPS = [(game, example, step) for game in available_boards() for example in examples_of(game) for step in example["steps"]]
NAMES = [f"{game}-{example['id']}-{step['id']}" for game, example, step in STEPS]


def position(game: str, step: dict[str, Any]) -> State:
    """The table as the step shows it, with seat 0 to act."""
    state = table(game, step.get("players", 2))
    for route, seat in step.get("claims", {}).items():
        if step["kind"] == "payment":
            claim(state, seat, route)  # which may close another track
        else:
            own(state, seat, route)
    state.record.seat, state.record.phase = 0, ACTION
    for city, seat in step.get("buildings", {}).items():
        station(state, seat, city)
    return changed(state)


def ways_to_pay(state: State) -> list[tuple[Counter[str], list[str]]]:
    """What seat 0 would pay in all, the cards that are forced included, and the decisions that are left."""
    view = state.view(0)
    forced = Counter(view.counts(view.record.paid))
    return [(Counter(way.cards) + forced, way.decisions) for way in payments(view)]


def pay(state: State, cards: list[str]) -> None:
    play(state, *next(decisions for paid, decisions in ways_to_pay(state) if paid == Counter(cards)))


def can_pay(state: State, decision: str, cards: list[str]) -> bool:
    """Can seat 0, holding just these cards, pay with all of them?"""
    give(state, 0, " ".join(cards))
    if decision not in state.legal_texts:
        return False
    state.apply(decision)
    ways = [paid for paid, _ in ways_to_pay(state)]
    spent = [Counter(event["cards"]) for event in state.events if event["event"] in ("claim", "station", "harbour")]
    return Counter(cards) in [*ways, *spent]  # the only way to pay is played at once


def check_payment(game: str, step: dict[str, Any]) -> None:
    state = position(game, step)
    decision = f"claim {step['route']}" if "route" in step else f"build {step['city']}"
    assert can_pay(state, decision, step["cards"]) == step["allowed"]
    if "route" in step and step["allowed"]:
        length = next(route.length for route in state.game.board.routes if route.id == step["route"])
        assert step["points"] == state.game.board.record.route_points[length]
    else:
        assert "points" not in step


def check_tunnel(game: str, step: dict[str, Any]) -> None:
    state = give(position(game, step), 0, " ".join([*step["laid"], *step.get("added", [])]))
    stack(state, " ".join(step["turned"]))
    state.apply(f"claim {step['route']}")
    if state.phase == "payment":
        pay(state, step["laid"])
    (turned,) = happened(state, "tunnel_reveal")
    assert (Counter(turned["cards"]), turned["owed"]) == (Counter(step["turned"]), step["owed"])
    if state.phase == "tunnel":
        pay(state, step["added"])
    assert len(step.get("added", [])) in (step["owed"], 0)
    assert bool(happened(state, "claim")) == step["claimed"] != bool(happened(state, "tunnel_abandon"))


def check_count(game: str, step: dict[str, Any]) -> None:
    state = over(hold(position(game, step), 0, *step.get("tickets", ())))
    count = explained_count(state)["seats"][0]
    CHECKED_PARTS[step["part"]](step, count)
    if "tickets" in step:
        assert [one["ticket"] for one in count["tickets"] if one["done"]] == step["completed"]
    if "stations" in step:
        assert count["stations"]["points"] == step["stations"]


def check_path(step: dict[str, Any], count: dict[str, Any]) -> None:
    lengths = {route.id: route.length for game in available_boards() for route in load_board(game).routes}
    assert (count["longest_path"]["points"], count["longest_path"]["length"]) == (step["points"], step["length"])
    assert step["length"] == sum(lengths[route] for route in step["path"])
    assert step["left_out"] == sum(lengths[route] for route in step["claims"]) - step["length"]


def check_district(step: dict[str, Any], count: dict[str, Any]) -> None:
    (district,) = [one for one in count["districts"] if one["district"] == str(step["district"])]
    assert (district["points"], sorted(district["cities"])) == (step["points"], sorted(step["cities"]))
    assert sum(one["points"] for one in count["districts"]) == step["points"]


def check_harbour(step: dict[str, Any], count: dict[str, Any]) -> None:
    assert [(one["city"], one["points"], one["tickets"]) for one in count["harbours"]] == [(step["city"], step["points"], len(step["completed"]))]


def check_attractions(step: dict[str, Any], count: dict[str, Any]) -> None:
    assert (count["attractions"]["points"], sorted(count["attractions"]["cities"])) == (step["points"], sorted(step["cities"]))


def check_tickets(step: dict[str, Any], count: dict[str, Any]) -> None:
    assert sum(one["points"] for one in count["tickets"]) == step["points"]


CHECKED_PARTS = {
    "tickets": check_tickets,
    "longest_path": check_path,
    "districts": check_district,
    "harbours": check_harbour,
    "attractions": check_attractions,
}


def check_placing(game: str, step: dict[str, Any]) -> None:
    state = position(game, step)
    for colour, cards in step["yard"].items():
        yard(state, 1, colour, " ".join(cards))
    give(state, 0, " ".join(step["placed"]))
    ways = [robbed for cards, robbed in placements(state) if cards == Counter(step["placed"])]
    assert bool(ways) == step["allowed"]
    assert (ways or [[]]) == [step["robbed"]]


def placements(state: State) -> list[tuple[Counter[str], list[str]]]:
    """Every way to place cards of the hand in the yard, and the colours of the rows that it robs."""
    found, branches = [], [state]
    while branches:
        before = branches.pop()
        for text in before.legal_texts:
            if text.split()[0] not in ("place", "done"):
                continue
            after = before.clone()
            after.apply(text)
            placed = happened(after, "place")
            if placed:
                found.append((Counter(placed[0]["cards"]), [event["colour"] for event in happened(after, "rob")]))
            else:
                branches.append(after)
    return found


def ready_to_complete(game: str, step: dict[str, Any]) -> State:
    state = hold(hold(table(game, 2), 1), 0, *step["tickets"])
    finish(pile(state, 0, " ".join(step["pile"])))
    return state


def check_completing(game: str, step: dict[str, Any]) -> None:
    state = ready_to_complete(game, step)
    play(state, *(f"complete {ticket}" for ticket in step["completed"]))
    while state.phase == "completing tickets":
        play(state, "done")
    count = explained_count(state)["seats"][0]
    gained = [one["points"] for one in count["tickets"]]
    assert [one["ticket"] for one in count["tickets"] if one["done"]] == step["completed"]
    assert (sum(one for one in gained if one > 0), -sum(one for one in gained if one < 0)) == (step["worth"], step["lost"])
    assert (sum(one["points"] for one in count["bonuses"]), count["total"]) == (step["bonus"], step["points"])


CHECKS = {"payment": check_payment, "tunnel": check_tunnel, "count": check_count, "placing": check_placing, "completing": check_completing}


@pytest.mark.parametrize(("board", "step"), [(game, step) for game, _, step in STEPS], ids=NAMES)
def test_what_an_example_states_is_what_the_rules_say(board: str, step: dict[str, Any]) -> None:
    CHECKS[step["kind"]](board, step)


STATED = ("allowed", "claimed", "owed", "points", "stations", "length", "left_out", "district", "worth", "bonus", "lost")


def lies(step: dict[str, Any]) -> list[dict[str, Any]]:
    """The step with one of its outcomes changed."""
    numbers = [step | {name: not step[name] if type(step[name]) is bool else step[name] + 1} for name in STATED if name in step]
    return numbers + [step | {name: [] if step[name] else ["red"]} for name in ("completed", "robbed") if name in step]


@pytest.mark.parametrize(("board", "step"), [(game, step) for game, _, step in STEPS], ids=NAMES)
def test_an_example_that_lied_would_be_found_out(board: str, step: dict[str, Any]) -> None:
    assert lies(step)
    for lie in lies(step):
        with pytest.raises((AssertionError, IllegalDecision, KeyError, StopIteration, ValueError)):
            CHECKS[step["kind"]](board, lie)


def book_of(language: str, game: str) -> dict[str, Any]:
    """The rulebook that the page shows: its own, or the one that the board brings."""
    if load_board(game).is_own:
        return rulebook_of(game, language)
    book: dict[str, Any] = json.loads((HERE / language / "rules" / f"{game}.json").read_text(encoding="utf-8"))
    return book


def rules_in(book: dict[str, Any]) -> set[str]:
    return {rule["id"] for section in book["sections"] for rule in section["rules"]}


def values_of(game: str, step: dict[str, Any]) -> dict[str, Any]:
    """The values of a step's message, as the page's `examples.ts` makes them; names stand for themselves."""
    found = {name: value for name, value in step.items() if type(value) is int}
    if "route" in step:
        route = next(route for route in load_board(game).routes if route.id == step["route"])
        found |= {"route": "⟨route⟩", "spaces": route.length, "ferry": route.ferry}
    found |= {name: f"⟨{name}⟩" for name in ("city", "cities") if name in step} | ({"built": "⟨city⟩"} if "buildings" in step else {})
    if step["kind"] == "placing":
        found |= {"cards_count": len(step["placed"]), "yard_count": sum(map(len, step["yard"].values()))}
    if "points" in step:
        found["points_lost"] = max(0, -step["points"])
    if "tickets" in step:
        found |= {"ticket": "⟨ticket⟩", "completed_count": len(step["completed"])}
    return found


@pytest.mark.parametrize("board", available_boards())
def test_every_game_has_two_to_five_examples_in_sections_and_with_rules_that_exist(board: str) -> None:
    sections = book_of("en", board)["sections"]
    examples = examples_of(board)
    assert 2 <= len(examples) <= 5
    assert {example["section"] for example in examples} <= {section["id"] for section in sections}
    ids = {rule for game in available_boards() for rule in rules_in(book_of("en", game))}
    assert {rule for example in examples for rule in example["rules"]} <= ids


@pytest.mark.parametrize(("board", "example"), [(game, example) for game in available_boards() for example in examples_of(game)])
def test_the_map_shows_all_that_an_example_is_about(board: str, example: dict[str, Any]) -> None:
    facts = load_board(board)
    ends = {route.id: {route.a, route.b} for route in facts.routes}
    cities = {ticket.id: set(ticket.cities) for ticket in facts.tickets}
    shown = set(example.get("map", ()))
    assert bool(shown) == bool(facts.routes)
    for step in example["steps"] if shown else ():
        routes = [*step.get("claims", ()), *step.get("path", ()), *([step["route"]] if "route" in step else [])]
        assert {city for route in routes for city in ends[route]} <= shown
        assert {city for ticket in step.get("tickets", ()) for city in cities[ticket]} <= shown
        assert {*step.get("buildings", ()), *step.get("cities", ())} <= shown


@pytest.mark.parametrize("board", available_boards())
@pytest.mark.parametrize("language", COMPLETE)
def test_every_language_tells_every_step_and_takes_all_numbers_from_the_step(language: str, board: str) -> None:
    words = book_of(language, board)["examples"]
    assert {name: [*example["steps"]] for name, example in words.items()} == {
        example["id"]: [step["id"] for step in example["steps"]] for example in examples_of(board)
    }
    for example in examples_of(board):
        text = words[example["id"]]
        check_words(language, board, example["steps"][0], text["text"])
        assert not re.search(r"[\d{]", text["title"])
        for step in example["steps"]:
            check_words(language, board, step, text["steps"][step["id"]])


def check_words(language: str, board: str, step: dict[str, Any], text: str) -> None:
    there = values_of(board, step)
    assert values(Message(text).parts) <= there.keys(), text
    assert not re.search(r"\d", text), f"a number of its own: {text}"
    said = Message(text).format(there, Speech(Locale.parse(language)))
    assert said.strip() == said
    assert not re.search(r"[\"'<>`_#{}]|  | - |-\d|\.\.\.", said), said
    assert language != "uk" or not re.search("[A-Za-zыэёъ]", re.sub("⟨.*?⟩", "", said)), said


def test_the_choice_of_tickets_that_is_called_better_is_the_one_suggested() -> None:
    ((game, choices),) = [(game, one["steps"]) for game in available_boards() for one in examples_of(game) if one["steps"][0]["kind"] == "completing"]
    worse, better = choices
    suggested = best_choice(ready_to_complete(game, better).view(0))
    assert suggested
    assert (worse["id"], better["id"]) == ("by_value", "by_points")
    assert (suggested.tickets, suggested.points) == (better["completed"], better["points"])
    assert worse["points"] < better["points"]
