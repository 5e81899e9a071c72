"""What a board from outside says about itself, in any language: `words/LANGUAGE.toml` in its folder. No rule uses it, and a board can do without it.

A text that a language does not have is shown in English, and what English lacks follows from the board's other files.
"""

from __future__ import annotations

from importlib.resources.abc import Traversable
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from branchline.boards.folders import board_folder, kept_per_board
from branchline.boards.model import BoardError
from branchline.boards.tables import read_model, written_as
from branchline.words import languages

FOLDER = "words"
Sentence = Annotated[str, Field(min_length=1, max_length=2000)]
RuleId = Annotated[str, written_as(r"^[A-Z]+-\d+$", "capital letters, a hyphen and a number, such as MB-1")]
Moment = Literal[  # of a game; the page's `guide/triggers.ts` says when each of them has come
    "welcome",
    "opening_tickets",
    "supply",
    "first_action",
    "have_cards_for_route",
    "second_card",
    "fill",
    "payment",
    "tunnel",
    "ferry",
    "station",
    "harbour",
    "exchange",
    "tickets_offered",
    "placing",
    "yard",
    "robbery",
    "ticket_done",
    "others_turn",
    "second_pass",
    "last_turns",
    "over",
]


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RuleText(Part):
    id: RuleId
    text: Sentence


class RuleSection(Part):
    id: Annotated[str, written_as("^[a-z-]+$", "small letters and hyphens, such as the-end")]
    title: Sentence
    rules: tuple[RuleText, ...]


class GuideStep(Part):
    """What the guide of somebody's first game says, once, when this is the case."""

    when: Moment
    title: Sentence
    text: Sentence
    rules: tuple[RuleId, ...] = ()


class ExampleText(Part):
    """What is said about a worked example: messages, whose values follow from its steps."""

    title: Sentence
    text: Sentence
    steps: dict[str, Sentence]


class Texts(Part):
    name: Sentence | None = Field(None, description="What the game is called.")
    line: Sentence | None = Field(None, description="One line about it, for the start page.")
    summary: tuple[Sentence, ...] = Field((), description="The rules in short, in paragraphs.")
    sections: tuple[RuleSection, ...] = Field((), description="The rules.")
    guide: tuple[GuideStep, ...] = Field((), description="The guide of a first game, step by step.")
    examples: dict[str, ExampleText] = Field({}, description="What is said about the worked examples, by their ids.")


@kept_per_board
def texts_of(game: str) -> dict[str, Texts]:
    """The board's own texts by language."""
    return read_texts(board_folder(game))


def read_texts(folder: Traversable) -> dict[str, Texts]:
    words = folder / FOLDER
    there = sorted(one.name for one in words.iterdir() if one.name.endswith(".toml")) if words.is_dir() else []
    return {name.removesuffix(".toml"): read_language(folder, name) for name in there}


def read_language(folder: Traversable, name: str) -> Texts:
    file = f"{FOLDER}/{name}"
    if name.removesuffix(".toml") not in languages():
        raise BoardError(
            f"{folder.name}/{file}", f"is for no language that Branchline speaks: name it {', '.join(f'{one}.toml' for one in languages())}"
        )
    return read_model(Texts, folder, file)


def own_texts(game: str, of: str) -> dict[str, str]:
    """One of the texts in every language that has it."""
    return {language: text for language, texts in texts_of(game).items() if (text := getattr(texts, of))}
