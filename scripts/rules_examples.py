"""The worked examples of a game, as text for its page in docs/: what the page of the rules draws, `scripts/rules_pages.py` tells."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from babel import Locale

from branchline.boards import load_board
from branchline.boards.examples import examples_of
from branchline.play.wording import Speaker
from branchline.words import ENGLISH
from branchline.words.messages import Message, Speech

Facts = dict[str, Any]
SPEECH = Speech(Locale.parse(ENGLISH))
PICTURED = 1  # of the examples in the order of their sections: the one that scripts/screenshots.py takes in English


def examples_in(book: Facts, game: str, picture: list[str]) -> dict[str, list[str]]:
    """The examples of each section, as blocks of Markdown; one of them with its picture."""
    if "examples" not in book:
        return {}
    order = [section["id"] for section in book["sections"]]
    worked = sorted(examples_of(game), key=lambda example: order.index(example["section"]))
    speaker, found = Speaker(load_board(game)), dict[str, list[str]]()
    for number, example in enumerate(worked):
        blocks = example_blocks(speaker, example, book["examples"][example["id"]])
        found.setdefault(example["section"], []).extend(blocks + (picture if number == PICTURED else []))
    return found


def example_blocks(speaker: Speaker, example: Facts, told: Facts) -> list[str]:
    """What it is about, and its steps."""
    about = said(told["text"], speaker, example["steps"][0])
    steps = [f"1. {step_line(speaker, step, told['steps'][step['id']])}" for step in example["steps"]]
    return [f"**Example: {told['title']}** ({', '.join(example['rules'])}). {about}", "\n".join(steps)]


def step_line(speaker: Speaker, step: Facts, caption: str) -> str:
    return " ".join([*claimed(speaker, step), *SHOWN[step["kind"]](speaker, step), said(caption, speaker, step)])


def said(text: str, speaker: Speaker, step: Facts) -> str:
    return Message(text).format(values_of(speaker, step), SPEECH)


def values_of(speaker: Speaker, step: Facts) -> Facts:
    """The values of a step's message, as the page's `examples.ts` makes them."""
    found = {name: value for name, value in step.items() if type(value) is int} | {"points_lost": max(0, -step.get("points", 0))}
    if "route" in step:
        route = next(route for route in speaker.board.routes if route.id == step["route"])
        found |= {"route": speaker.route(route.id), "spaces": route.length, "ferry": route.ferry}
    if "city" in step:
        found["city"] = speaker.city(step["city"])
    if "cities" in step:
        found["cities"] = speaker.words.listed([speaker.city(city) for city in step["cities"]])
    if "buildings" in step:
        found["built"] = speaker.city(next(iter(step["buildings"])))
    if step["kind"] == "placing":
        found |= {"cards_count": len(step["placed"]), "yard_count": sum(map(len, step["yard"].values()))}
    if "tickets" in step:
        found |= {"ticket": speaker.ticket(step["tickets"][0]), "completed_count": len(step.get("completed", []))}
    return found


def claimed(speaker: Speaker, step: Facts) -> Iterator[str]:
    """What the page shows on its map."""
    for seat, who in ((0, "You have"), (1, "Another player has")):
        routes = [speaker.route(route) for route, owner in step.get("claims", {}).items() if owner == seat]
        if routes:
            yield f"{who} {', '.join(routes)}."


def paid(speaker: Speaker, step: Facts) -> list[str]:
    return [row(speaker, "example.paid", step["cards"]), verdict(speaker, "example.allowed" if step["allowed"] else "example.not_allowed", step)]


def tried(speaker: Speaker, step: Facts) -> list[str]:
    rows = [row(speaker, f"example.{name}", step[name]) for name in ("laid", "turned", "added") if name in step]
    return [*rows, verdict(speaker, "example.claimed" if step["claimed"] else "example.given_up", step)]


def placed(speaker: Speaker, step: Facts) -> list[str]:
    there = [card for cards in step["yard"].values() for card in cards]
    rows = [row(speaker, "example.other_yard", there), row(speaker, "example.you_place", step["placed"])]
    return [*rows, verdict(speaker, "example.allowed" if step["allowed"] else "example.not_allowed", step)]


def completed(speaker: Speaker, step: Facts) -> list[str]:
    pile = f"{speaker.say('yard.track_pile')}: {speaker.cards(step['pile'])}."
    return [pile, f"Completed: {speaker.tickets(step['completed'])}.", verdict(speaker, "example.total", step)]


def counted(speaker: Speaker, step: Facts) -> list[str]:
    path = [f"Highlighted: {', '.join(map(speaker.route, step['path']))}."] if "path" in step else []
    return [*path, verdict(speaker, f"end.part.{step['part']}", step)]


def row(speaker: Speaker, label: str, cards: list[str]) -> str:
    return f"{speaker.say(label)} {speaker.cards(cards)}."


def verdict(speaker: Speaker, label: str, step: Facts) -> str:
    points = speaker.say("common.points", count=step["points"]).replace("-", "−") if "points" in step else ""
    return f"*{': '.join(filter(None, (speaker.say(label), points)))}.*"


SHOWN: dict[str, Callable[[Speaker, Facts], list[str]]] = {
    "payment": paid,
    "tunnel": tried,
    "placing": placed,
    "completing": completed,
    "count": counted,
}
