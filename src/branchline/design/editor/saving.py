"""Writes several files of a folder as one step: all of them, or none, wherever a crash falls.

The new contents go into a journal first. Once that is on disk the step counts as done; the files follow, and whoever opens the folder next finishes
what a crash has left undone.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

from branchline.design.editor.writing import Changes

BESIDE = ".branchline"  # the editor's own folder, within the board's
JOURNAL = "save.json"


def write_all(folder: Path, changes: Changes) -> None:
    """Carry out all changes. When this returns they are on disk."""
    if not changes:
        return
    beside = folder / BESIDE
    beside.mkdir(parents=True, exist_ok=True)
    told = {file: None if contents is None else base64.b64encode(contents).decode() for file, contents in changes.items()}
    replace_file(beside / JOURNAL, json.dumps(told).encode())
    finish(folder)


def finish(folder: Path) -> None:
    """Carry out what the journal says, if there is one. Doing so twice changes nothing."""
    journal = folder / BESIDE / JOURNAL
    if not journal.is_file():
        return
    for file, contents in json.loads(journal.read_bytes()).items():
        path = folder / file
        if contents is None:
            path.unlink(missing_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, base64.b64decode(contents))
    sync_folder(folder)
    journal.unlink()


def replace_file(path: Path, contents: bytes) -> None:
    """The old contents or the new ones, never a part; on disk when this returns."""
    new = path.with_name(f".{path.name}.new")
    with new.open("wb") as file:
        file.write(contents)
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """So that a new name survives a power cut, too; not every system can."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def revision_of(folder: Path, files: Iterable[str]) -> str:
    """Sixteen hex digits that change with the contents of these files, whoever writes them."""
    told = hashlib.sha256()
    for file in files:
        path = folder / file
        contents = path.read_bytes() if path.is_file() else b""
        told.update(f"{file} {len(contents)}\n".encode() + contents)
    return told.hexdigest()[:16]
