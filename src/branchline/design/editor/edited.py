"""The board that is being edited: its folder, and everything the editor does with it."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from branchline.boards.drawings import FILE as LAYOUT
from branchline.boards.folders import add_board
from branchline.boards.loader import read_board
from branchline.boards.model import Board, BoardError
from branchline.design.editor.document import Document
from branchline.design.editor.packing import belongs, files_in, pack, unpack
from branchline.design.editor.pictures import find_picture, picture_changes
from branchline.design.editor.problems import Problem, problems_in
from branchline.design.editor.reading import FILES, SETTINGS, read_document
from branchline.design.editor.saving import BESIDE, finish, replace_file, revision_of, write_all
from branchline.design.editor.worth import suggested_values
from branchline.design.editor.writing import Changes, changes_for
from branchline.design.layout.beginning import begin
from branchline.errors import UsageError

BEFORE_IMPORT = "before-import.zip"
PLAYED, REPORTED = "played", "reported"  # copies of the board: as it was last played, and as the games of its report are


class Changed(BoardError):
    """Somebody else has changed the board meanwhile."""


class NotPlayable(BoardError):
    """The board has problems that keep it from being played."""


@dataclass(frozen=True)
class Checked:
    """What the editor says about a saved document."""

    revision: str
    problems: list[Problem]
    values: dict[str, int]

    @property
    def is_playable(self) -> bool:
        return not any(one.stops_play for one in self.problems)


class EditedBoard:
    def __init__(self, folder: Path) -> None:
        self.folder = folder.expanduser().resolve()

    def open(self) -> None:
        """Finish what a crash left undone; begin a board where there is none."""
        if not self.folder.exists() or not any(one.name != BESIDE for one in self.folder.iterdir()):
            begin_beside(self.folder)
        finish(self.folder)
        if not (self.folder / SETTINGS).is_file():
            raise UsageError(f"{self.folder} has no {SETTINGS} and is not empty: name the folder of a board, or one that does not exist yet")

    def document(self) -> Document:
        finish(self.folder)
        return read_document(self.folder)

    @property
    def revision(self) -> str:
        return revision_of(self.folder, FILES)

    @property
    def mark(self) -> str:
        return hashlib.sha256(str(self.folder).encode()).hexdigest()[:16]

    @property
    def safe_name(self) -> str:
        """For a file to download."""
        return re.sub(r"[^A-Za-z0-9_-]+", "-", self.folder.name).strip("-") or "board"

    def checked(self, document: Document) -> Checked:
        return Checked(self.revision, problems_in(self.folder, document), suggested_values(document))

    def save(self, document: Document, revision: str) -> Checked:
        """Write the document over that revision. If it is there already, the answer to an earlier request was lost on its way."""
        finish(self.folder)
        changes = changes_for(self.folder, document)
        if changes and revision != self.revision:
            raise Changed(self.folder.name, "was changed elsewhere: load it again, or keep yours")
        write_all(self.folder, changes)
        return self.checked(document)

    # pictures and zip files

    def put_picture(self, contents: bytes) -> None:
        write_all(self.folder, {name: one for name, one in picture_changes(contents).items() if one is not None or (self.folder / name).exists()})

    def picture(self) -> tuple[bytes, str] | None:
        return find_picture(self.folder)

    def export(self) -> bytes:
        finish(self.folder)
        return pack(self.folder)

    def take_over(self, contents: bytes) -> None:
        """Replace the board by the one in a zip file. The board as it was is kept beside it."""
        files = unpack(contents)
        with tempfile.TemporaryDirectory() as place:
            trial = Path(place) / "board"
            put_files(trial, files)
            read_document(trial)  # whatever cannot be edited is refused before anything is written
        (self.folder / BESIDE).mkdir(exist_ok=True)
        replace_file(self.folder / BESIDE / BEFORE_IMPORT, pack(self.folder))
        gone: Changes = {name: None for name in files_in(self.folder) if belongs(name) and name not in files}
        write_all(self.folder, {**gone, **files})

    # playing

    def publish(self) -> tuple[Board, bool]:
        """Make the board playable as it is now; says also whether that is new."""
        played, is_new = self._copy(PLAYED)
        add_board(played)
        return read_board(played), is_new

    def playable(self) -> Board:
        """The board as it is now, if it can be played."""
        self._checked_for_play()
        return read_board(self.folder)

    def for_report(self) -> tuple[Path, str]:
        """A copy of the board as it is now, for the games and the page of a report, and its revision. It takes the place of the one before."""
        return self._copy(REPORTED)[0], self.revision

    def _checked_for_play(self) -> Checked:
        checked = self.checked(self.document())
        wrong = [one for one in checked.problems if one.stops_play]
        if wrong:
            raise NotPlayable(f"{self.folder.name}/{wrong[0].file}", wrong[0].text, wrong[0].line)
        return checked

    def _copy(self, name: str) -> tuple[Path, bool]:
        """A copy that later changes do not touch, if the board can be played; says also whether that is new."""
        checked = self._checked_for_play()
        files = {name: (self.folder / name).read_bytes() for name in files_in(self.folder) if not is_outdated(name, checked)}
        copy = self.folder / BESIDE / name
        is_new = not copy.is_dir() or {name: (copy / name).read_bytes() for name in files_in(copy)} != files
        if is_new:
            swap(copy, files)
        return copy, is_new


def opened_board(folder: str) -> EditedBoard:
    """The board in a folder, ready to be edited, and to be played as it was played last."""
    board = EditedBoard(Path(folder))
    board.open()
    if (played := board.folder / BESIDE / PLAYED / SETTINGS).is_file():
        add_board(played.parent)
    return board


def begin_beside(folder: Path) -> None:
    """A board to begin with, in a folder that may hold what the editor keeps for itself."""
    with tempfile.TemporaryDirectory() as place:
        new = Path(place) / folder.name
        begin(new)
        shutil.copytree(new, folder, dirs_exist_ok=True)


def is_outdated(name: str, checked: Checked) -> bool:
    """A drawing of an earlier state is left out: the board is then played on straight tracks."""
    return name == LAYOUT and any(one.file == LAYOUT for one in checked.problems)


def put_files(folder: Path, files: dict[str, bytes]) -> None:
    for name, contents in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(contents)


def swap(folder: Path, files: dict[str, bytes]) -> None:
    """Another content for a whole folder, in one step for those who read it."""
    new, old = folder.with_name(f"{folder.name}.new"), folder.with_name(f"{folder.name}.old")
    shutil.rmtree(new, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)
    put_files(new, files)
    if folder.exists():
        folder.rename(old)
    new.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def plain(checked: Checked) -> dict[str, Any]:
    """As it is sent."""
    problems = [json.loads(one.model_dump_json(exclude_none=True)) for one in checked.problems]
    return {"revision": checked.revision, "problems": problems, "values": checked.values, "is_playable": checked.is_playable}
