"""A board with three planted faults: a ticket that pays far too much, a route that nobody wants, and an advantage of the first player."""

import shutil
from pathlib import Path

from branchline.boards.folders import boards_folder

DEAR = "piccadilly-circus-waterloo"
DEAD = "hyde-park-tower-of-london"  # across the whole town, where shorter routes lead


def broken_board(folder: Path) -> Path:
    """London with few trains, where the first player is far ahead among planners; with one ticket at five times its value, and one route too many."""
    folder.mkdir()
    for file in ("board.toml", "cards.csv", "cities.csv", "districts.csv", "geography.csv", "routes.csv", "tickets.csv", "planner.toml"):
        shutil.copy(str(boards_folder() / "london" / file), folder / file)
    change(folder / "board.toml", 'game = "london"\nname = "London"', 'game = "broken"\nname = "Broken London"')
    change(folder / "board.toml", "trains = 17", "trains = 12")
    change(folder / "board.toml", "4 = 7 }", "4 = 7, 9 = 3 }")
    change(folder / "tickets.csv", f"{DEAR},piccadilly-circus,waterloo,3", f"{DEAR},piccadilly-circus,waterloo,15")
    change(folder / "routes.csv", "\nhyde-park-", f"\n{DEAD},hyde-park,tower-of-london,9,black,\nhyde-park-", 1)
    text = (folder / "board.toml").read_text(encoding="utf-8")
    (folder / "board.toml").write_text(text[: text.index("[versions.1]")], encoding="utf-8")
    return folder


def change(file: Path, old: str, new: str, times: int = -1) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text, old
    file.write_text(text.replace(old, new, times), encoding="utf-8")
