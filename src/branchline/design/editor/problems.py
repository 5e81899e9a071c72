"""What is wrong with a board, each at its place in the document. The checks are those of `branchline board check`; none is made here."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path
from typing import Literal

from pydantic import Field

from branchline.boards.examples import FILE as EXAMPLES
from branchline.boards.lines import places
from branchline.boards.model import BoardError
from branchline.boards.presentation import BoardWords, read_presentation
from branchline.bots.networks import CHANCES, LEARNED
from branchline.design.balance.allowed import FILE as ALLOWED
from branchline.design.editor.document import Document, Part, route_ids, ticket_ids
from branchline.design.editor.reading import SETTINGS
from branchline.design.layout.beside import GROUND, PICTURES
from branchline.design.layout.checking import problems_of

Kind = Literal["city", "route", "ticket", "tour", "card", "setting", "drawing", "file"]
KINDS: dict[str, Kind] = {
    "cities.csv": "city",
    "geography.csv": "city",
    "districts.csv": "city",
    "names.csv": "city",
    "big_cities.csv": "city",
    "routes.csv": "route",
    "tickets.csv": "ticket",
    "tours.csv": "tour",
    "cards.csv": "card",
    "layout.json": "drawing",
    "layout.toml": "drawing",
}


# what nobody needs to play: bots do without a network that does not fit
NOT_PLAYED = (ALLOWED, LEARNED, CHANCES, EXAMPLES, GROUND, *PICTURES)


class Problem(Part):
    kind: Kind = Field(description="What it is about; `drawing`: the map drawn earlier, which does not keep anybody from playing.")
    index: int | None = Field(
        default=None, description="Which city, route, ticket, tour or card of the document; absent: none of them in particular."
    )
    setting: str | None = Field(default=None, description="Which setting, such as `pieces.trains`.")
    file: str
    line: int | None = None
    text: str = Field(description="What is wrong and what to do, in English.")
    code: str | None = Field(default=None, description="The same as a key for which a page has words.")
    values: dict[str, str | int] = Field(default={}, description="What goes into these words.")

    @property
    def stops_play(self) -> bool:
        return self.kind != "drawing" and self.file not in NOT_PLAYED


def problems_in(folder: Path, document: Document) -> list[Problem]:
    """All problems of a folder that holds the document."""
    rows, wild = Rows(document), wild_kind(folder)
    found = [placed(folder, rows, one) for one in problems_of(folder)]
    return [one.model_copy(update={"values": one.values | {"wild_kind": wild}}) if one.code else one for one in found]


def wild_kind(folder: Path) -> str:
    """What the board calls its wild cards: messages choose by it. A broken file says nothing about it."""
    try:
        return read_presentation(folder).words.wild
    except BoardError:
        return BoardWords().wild


class Rows:
    """Which row of the document has an id; where several have it, one after the other in the order of the file."""

    def __init__(self, document: Document) -> None:
        ids = {
            "city": [city.id for city in document.cities],
            "route": route_ids(document.routes),
            "ticket": ticket_ids(document.tickets),
            "tour": [tour.id for tour in document.tours],
            "card": [card.id for card in document.cards],
        }
        self._rows: dict[tuple[str, str], list[int]] = defaultdict(list)
        for kind, names in ids.items():
            for number, name in enumerate(names):
                self._rows[kind, name].append(number)

    def find(self, kind: str, lines: list[str], line: int) -> int | None:
        ids = [first_cell(one) for one in lines[:line]]
        known = self._rows.get((kind, ids[-1]), [])
        return known[min(ids[:-1].count(ids[-1]), len(known) - 1)] if known else None


def first_cell(line: str) -> str:
    return next(csv.reader([line]), [""])[0] if line else ""


def placed(folder: Path, rows: Rows, error: BoardError) -> Problem:
    file = error.file.partition("/")[2] if error.file.startswith(f"{folder.name}/") else Path(error.file).name
    kind = KINDS.get(file, "file")
    problem = Problem(kind=kind, file=file, line=error.line, text=error.reason, code=error.code, values=error.values)
    lines = (folder / file).read_text(encoding="utf-8-sig", errors="replace").splitlines() if (folder / file).is_file() and error.line else []
    if file == SETTINGS:
        return problem.model_copy(update={"kind": "setting", "setting": setting_at("\n".join(lines), error.line or 1)})
    if kind in ("file", "drawing") or error.line is None:
        return problem
    return problem.model_copy(update={"index": rows.find(kind, lines, error.line)})


def setting_at(text: str, line: int) -> str | None:
    """The setting in a line, or the last one before it."""
    above = [path for path, at in places(text) if at <= line]
    return ".".join(map(str, above[-1])) if above else None
