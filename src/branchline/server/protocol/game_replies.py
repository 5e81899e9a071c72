"""What the server tells about its games, whoever asks: names, places, routes, cards, tickets."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from branchline.boards.presentation import BoardWords, Picture
from branchline.server.protocol.event_replies import Reply
from branchline.server.protocol.messages import GameOptions, Level, Phrase

Counts = dict[str, int]  # cards by kind, or pieces


class GameName(Reply):
    game: str
    name: str
    rules_version: int
    players: tuple[int, int] = Field(description="The fewest and the most.")
    options: list[Literal[tuple(GameOptions.model_fields)]] = Field(description="Options of a table that not every game has.")  # type: ignore[valid-type]
    minutes: int | None = Field(None, description="How long a game takes, roughly, with bots that play quickly.")
    rule_ids: str | None = Field(None, description="How the ids of its own rules begin, such as EU.")
    is_own: bool | None = Field(None, description="Does it come from outside? Then the server has its rules, and what follows.")
    names: dict[str, str] | None = Field(None, description="What it is called, by language.")
    lines: dict[str, str] | None = Field(None, description="One line about it, by language.")
    picture: dict[str, Any] | None = Field(None, description="A small picture of it: shores, and lines between cities, in a box of 260 × 160.")


class RuleText(Reply):
    id: str
    text: str


class RuleSection(Reply):
    id: str
    title: str
    rules: list[RuleText]


class ExampleText(Reply):
    """What is said about a worked example: messages, whose values follow from its steps."""

    title: str
    text: str
    steps: dict[str, str]


class GuideStep(Reply):
    """What is said in somebody's first game, once, when this is the case."""

    when: str = Field(description="A moment that clients know, such as `first_action`.")
    title: str
    text: str
    rules: list[str] = Field(description="Ids of rules that say more.")


class Rulebook(Reply):
    """The rules of a board from outside, for people."""

    title: str
    summary: list[str]
    sections: list[RuleSection]
    guide: list[GuideStep] | None = Field(None, description="The guide of a first game, step by step.")
    examples: dict[str, ExampleText] | None = Field(None, description="What is said about the worked examples, by their ids.")
    worked: list[dict[str, Any]] | None = Field(None, description="The worked examples themselves, as in the board's `examples.json`.")


class FurtherBot(Reply):
    """A bot that this server's operator has added."""

    id: str = Field(description="For the seats of a new table.")
    name: str
    description: str


class About(Reply):
    version: str
    games: list[GameName] = Field(description="In the order in which to list them.")
    levels: list[Level]
    bots: list[FurtherBot] = Field(description="Besides the levels.")
    phrases: list[Phrase]
    limits: Counts
    ladder: bool = Field(description="Is there a ladder of bots at /ladder?")
    editor: bool = Field(description="Is there a board editor at /edit?")


class Card(Reply):
    id: str
    deck: str
    colour: str | None = None
    count: int
    covers: int
    harbour: bool | None = None


class City(Reply):
    id: str
    name: str
    names: dict[str, str] | None = Field(None, description="Its name in other languages, by code.")
    district: str | None = None
    port: bool | None = None
    attraction: bool | None = None


class Route(Reply):
    id: str
    a: str
    b: str
    length: int
    points: int
    colour: str
    double: bool | None = None
    ferry: int
    tunnel: bool | None = None
    sea: bool | None = None
    pair: bool | None = None
    over_the_edge: bool | None = None


class Ticket(Reply):
    id: str
    a: str
    b: str
    points: int
    long: bool | None = None
    cards: list[str] | None = None
    via: list[str] | None = None
    connected: int | None = None
    failed: int | None = None


class BigCity(Reply):
    id: str
    points: int


class GameFacts(GameName):
    row: int = Field(description="Spaces for cards that lie face up.")
    pieces: Counts | None = Field(None, description="All that a seat has of each kind.")
    supply: int | None = Field(None, description="How many of them a seat chooses at the start; absent: all.")
    stations: int | None = None
    unbuilt_station: int | None = Field(None, description="Points for each station that a seat has not built by the end.")
    harbours: int | None = None
    last_pieces: int | None = Field(None, description="A seat with this many pieces or fewer at the end of its turn triggers the last turns.")
    yards: bool = Field(description="Is it played with yards and track piles, without routes?")
    tie_breaks: list[str] = Field(description="What decides between players with the same points, in this order.")
    words: BoardWords
    pictures: dict[str, Picture] = Field(description="What cards show, by deck; with `double-` before it for cards that cover two spaces; and wild.")
    rules: dict[str, list[str]] = Field(description="Ids of the rules about a kind of route, such as tunnel.")
    has_layout: bool = Field(description="Is there a drawing of the board, under /layout?")
    decks: list[str]
    colours: list[str]
    districts: list[str]
    cards: list[Card]
    cities: list[City]
    routes: list[Route]
    tickets: list[Ticket]
    big_cities: list[BigCity]
    decisions: list[str] = Field(description="The text of every decision, by number.")
