"""`branchline board new`: a small board to begin with, complete and playable, with comments."""

from __future__ import annotations

import re
from pathlib import Path

from branchline.boards.facts import ID
from branchline.boards.folders import available_boards
from branchline.errors import UsageError

TEMPLATE = Path(__file__).parent / "template"


def begin(folder: Path, name: str | None = None) -> str:
    """Write the files, and return what the game is called."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is not an empty folder: name another, so that nothing is overwritten")
    called = name or folder.resolve().name.replace("_", " ").replace("-", " ").title()
    game = re.sub(r"[^a-z0-9]+", "-", folder.resolve().name.lower()).strip("-")
    if not ID.fullmatch(game) or game in available_boards():
        raise UsageError(f"a board in {folder} would be called {game!r}, which is {'taken' if game else 'no name'}: name another folder")
    if '"' in called or "\\" in called or not called.isprintable():
        raise UsageError(f"--name is text without quotation marks, not {called!r}")
    for file in sorted(one for one in TEMPLATE.rglob("*") if one.suffix in (".toml", ".csv")):
        target = folder / file.relative_to(TEMPLATE)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(file.read_text(encoding="utf-8").replace("GAME", game).replace("NAME", called), encoding="utf-8")
    return game
