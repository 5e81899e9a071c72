"""A board with some of its numbers changed, in a folder of its own: comments and everything else stay as they are."""

from __future__ import annotations

import csv
import io
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from branchline.boards import Board
from branchline.boards.lines import line_of
from branchline.design.balance.allowed import COLOUR, LENGTH, SETTING, TICKET, BalanceError, Knob
from branchline.design.editor.packing import files_in

Changes = Mapping[Knob, Any]
TOTALS = re.compile(r"^\[totals\].*?(?=^\[|\Z)", re.MULTILINE | re.DOTALL)
LEFT_OUT = ("ground-light.webp", "ground-dark.webp", "board.svg", "levels.toml", "examples.json")  # made for the board as it was


def write_board(source: Path, target: Path, board: Board, changes: Changes, game: str | None = None, name: str | None = None) -> None:
    """Copy a board's files with the changes. Totals, which only check that nothing was mistyped, are left out."""
    redrawn = ("layout.json", "picture.json") if any(knob.kind == LENGTH for knob in changes) else ()
    copy_files(source, target, (*LEFT_OUT, *redrawn))
    change_rows(target / "tickets.csv", {knob.subject: {"points": str(value)} for knob, value in changes.items() if knob.kind == TICKET})
    change_rows(target / "routes.csv", route_cells(board, changes))
    file = target / "board.toml"
    text = TOTALS.sub("", file.read_text(encoding="utf-8-sig"))
    for knob, value in changes.items():
        if knob.kind == SETTING:
            text = with_setting(text, knob.subject, value)
    for key, new in (("game", game), ("name", name)):
        text = text if new is None else with_text(text, key, new)
    file.write_text(text, encoding="utf-8")


def copy_files(source: Path, target: Path, left_out: tuple[str, ...]) -> None:
    """Only what an export would have: never the editor's games and its code, which are hidden in the board's folder."""
    for name in files_in(source):
        if name not in left_out:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source / name, target / name)


def with_text(text: str, key: str, new: str) -> str:
    """The text of a TOML file with another text for a key at its top."""
    return re.sub(rf'^{key}\s*=\s*"[^"]*"', lambda _: f'{key} = "{new}"', text, count=1, flags=re.MULTILINE)


def route_cells(board: Board, changes: Changes) -> dict[str, dict[str, str]]:
    cells: dict[str, dict[str, str]] = {}
    double = {route.id for route in board.routes if route.double}
    for knob, value in changes.items():
        if knob.kind in (LENGTH, COLOUR):
            tracks = [knob.subject[:-1] + number for number in "12"] if knob.kind == LENGTH and knob.subject in double else [knob.subject]
            for track in tracks:
                cells.setdefault(track, {})[knob.kind] = str(value)
    return cells


def change_rows(file: Path, cells: Mapping[str, Mapping[str, str]]) -> None:
    """Change cells of a table by the id of the row and the name of the column; other lines are not touched."""
    if not cells:
        return
    lines, header = [], list[str]()
    for line in file.read_text(encoding="utf-8-sig").splitlines():
        row = [] if line.startswith("#") or not line.strip() else next(csv.reader([line]))
        if row and not header:
            header = row
        elif row and row[0] in cells:
            row += [""] * (len(header) - len(row))
            for column, value in cells[row[0]].items():
                row[header.index(column)] = value
            line = as_line(row)  # noqa: PLW2901
        lines.append(line)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def as_line(row: list[str]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="").writerow(row)
    return written.getvalue()


def with_setting(text: str, name: str, value: int) -> str:
    """The text of a TOML file with another number for a setting."""
    path = name.split(".")
    lines, number = text.splitlines(keepends=True), line_of(text, path)
    key = re.compile(rf'(?<![\w.-])("?{re.escape(path[-1])}"?\s*=\s*)-?\d+')
    if number is None or not key.search(lines[number - 1]):
        raise BalanceError(f"{name} cannot be found in board.toml: write it in a line of its own, or in one with its table")
    lines[number - 1] = key.sub(lambda found: f"{found[1]}{value}", lines[number - 1], count=1)
    return "".join(lines)
