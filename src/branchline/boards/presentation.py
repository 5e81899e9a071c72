"""How clients present a game: `page.toml` and `picture.json`. No rule uses them, and a board can do without them."""

from __future__ import annotations

from importlib.resources.abc import Traversable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from branchline.boards.facts import COLOURS
from branchline.boards.folders import available_boards, board_folder, kept_per_board, packed_boards
from branchline.boards.model import GRAY
from branchline.boards.tables import checked, read_json, read_model, written_as
from branchline.rules.sizes import SEATS

FILE = "page.toml"
LAST = 1_000  # the place of boards that name none
Picture = Literal["wagon", "locomotive", "bus", "taxi", "ship", "ships"]  # those that the page can draw
WildName = Literal["locomotive", "joker"]
PICTURES: dict[str, Picture] = {"train": "wagon", "ship": "ship", "double-ship": "ships", "wild": "locomotive"}


class Described(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class BoardWords(Described):
    """Words that differ between boards, as keys: every language has a text for each."""

    wild: WildName = Field(default="locomotive", description="What a wild card is called.")
    pieces: Literal["trains", "buses", "taxis"] = Field(default="trains", description="What the pieces for rails or roads are called.")
    terms: tuple[str, ...] = Field(default=(), description="Sets of messages in the game's own terms, where a language has them; later sets prevail.")


class Presentation(Described):
    order: int = Field(LAST, ge=1, description="The place in lists of games; the first is chosen to begin with.")
    minutes: int | None = Field(None, ge=1, description="How long a game takes, roughly, with bots that play quickly.")
    rule_ids: Annotated[str, written_as("^[A-Z]+$", "capital letters, such as EU")] | None = Field(
        None, description="How the ids of the game's own rules begin, such as EU."
    )
    words: BoardWords = BoardWords()
    pictures: dict[str, Picture] = Field({}, description="What cards show, by deck; `double-` and the deck for two spaces; wild.")
    rules: dict[str, list[str]] = Field({}, description="The rules to show with a kind of route, such as tunnel.")


PICTURE = "picture.json"
Path = Annotated[str, Field(max_length=50_000)]  # as in SVG
LINE_COLOURS = (*COLOURS, GRAY, *(f"s{seat}" for seat in range(SEATS)))


class StartPicture(Described):
    """The picture of a game on the start page, in a box of 260 × 160."""

    land: Path
    beside: Path | None = None
    river: Path | None = None
    parks: Path | None = None
    lines: list[Any] = Field(max_length=200)

    @model_validator(mode="after")
    def check(self) -> StartPicture:
        for number, line in enumerate(self.lines):
            if not is_line(line):
                raise ValueError(
                    f"lines[{number}] is {str(line)[:60]}; a line is [x, y, x, y, colour], then how far it bends, then true if it is at sea. "
                    f"Colours are {', '.join(LINE_COLOURS)}"
                )
        return self


def is_line(line: Any) -> bool:
    if not isinstance(line, list) or not 5 <= len(line) <= 7:
        return False
    numbers, colour, sea = [*line[:4], *line[5:6]], line[4], line[6:]
    return all(type(one) in (int, float) for one in numbers) and colour in LINE_COLOURS and all(type(one) is bool for one in sea)


def read_picture(folder: Traversable) -> dict[str, Any] | None:
    """The board's own picture, if it has one."""
    if not (folder / PICTURE).is_file():
        return None
    found = read_json(folder, PICTURE)
    checked(StartPicture, f"{folder.name}/{PICTURE}", found)
    return dict(found)


@kept_per_board
def presentation_of(game: str) -> Presentation:
    return read_presentation(board_folder(game))


def boards_in_order() -> tuple[str, ...]:
    """The games as they are listed for people; the first is the one to begin with."""
    return in_order(available_boards())


def packed_in_order() -> tuple[str, ...]:
    """The same without boards from outside."""
    return in_order(packed_boards())


def in_order(games: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(games, key=lambda game: (presentation_of(game).order, game)))


def read_presentation(folder: Traversable) -> Presentation:
    """Whatever the file leaves out has its default."""
    given = read_model(Presentation, folder, FILE) if (folder / FILE).is_file() else Presentation()  # type: ignore[call-arg]
    return given.model_copy(update={"pictures": PICTURES | given.pictures})
