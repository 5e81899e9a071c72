"""How clients present a game: `page.toml`. No rule uses it, and a board can do without it."""

from __future__ import annotations

from importlib.resources.abc import Traversable
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from branchline.boards.folders import available_boards, board_folder, kept_per_board, shipped_boards
from branchline.boards.tables import read_model

FILE = "page.toml"
LAST = 1_000  # the place of boards that name none
Picture = Literal["wagon", "locomotive", "bus", "taxi", "ship", "ships"]  # those that the page can draw
PICTURES: dict[str, Picture] = {"train": "wagon", "ship": "ship", "double-ship": "ships", "wild": "locomotive"}


class Described(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class BoardWords(Described):
    """Words that differ between boards, as keys: every language has a text for each."""

    wild: Literal["locomotive", "joker"] = Field(default="locomotive", description="What a wild card is called.")
    pieces: Literal["trains", "buses", "taxis"] = Field(default="trains", description="What the pieces for rails or roads are called.")
    terms: tuple[str, ...] = Field(default=(), description="Sets of messages in the game's own terms, where a language has them; later sets prevail.")


class Presentation(Described):
    order: int = Field(LAST, ge=1, description="The place in lists of games; the first is chosen to begin with.")
    minutes: int | None = Field(None, ge=1, description="How long a game takes, roughly, with bots that play quickly.")
    rule_ids: Annotated[str, Field(pattern="^[A-Z]+$")] | None = Field(None, description="How the ids of the game's own rules begin, such as EU.")
    words: BoardWords = BoardWords()
    pictures: dict[str, Picture] = Field({}, description="What cards show, by deck; `double-` and the deck for two spaces; wild.")
    rules: dict[str, list[str]] = Field({}, description="The rules to show with a kind of route, such as tunnel.")


@kept_per_board
def presentation_of(game: str) -> Presentation:
    return read_presentation(board_folder(game))


def boards_in_order() -> tuple[str, ...]:
    """The games as they are listed for people; the first is the one to begin with."""
    return in_order(available_boards())


def shipped_in_order() -> tuple[str, ...]:
    """The same without boards from outside."""
    return in_order(shipped_boards())


def in_order(games: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(games, key=lambda game: (presentation_of(game).order, game)))


def read_presentation(folder: Traversable) -> Presentation:
    """Whatever the file leaves out has its default."""
    given = read_model(Presentation, folder, FILE) if (folder / FILE).is_file() else Presentation()  # type: ignore[call-arg]
    return given.model_copy(update={"pictures": PICTURES | given.pictures})
