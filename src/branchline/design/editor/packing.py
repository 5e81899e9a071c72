"""A board's folder as a zip file, and back. What comes from outside is looked at closely before anything is written."""

from __future__ import annotations

import io
import re
import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from branchline.boards.model import BoardError
from branchline.design.editor.reading import FILES, SETTINGS

LARGEST, MOST_FILES = 16_000_000, 200  # bytes when unpacked, and files
KINDS = (".toml", ".csv", ".json", ".webp", ".png", ".jpg", ".svg", ".md", ".txt")
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")
WORDS = "words"
FIRST_MOMENT = (1980, 1, 1, 0, 0, 0)  # so that equal folders give equal files
# what belongs to a board besides the editor's document; whatever else lies in a folder is its owner's
OTHER_FILES = (
    *("page.toml", "examples.json", "picture.json", "levels.toml", "planner.toml", "layout.toml", "layout.json", "board.svg"),
    *("balance.toml", "balance.json"),
    *("ground.toml", "ground-light.webp", "ground-dark.webp", "background.png", "background.jpg", "background.webp"),
)


class BadZip(BoardError):
    """The file is not a board in a zip file, or not one that can be taken."""

    def __init__(self, reason: str) -> None:
        super().__init__("the zip file", reason)


def pack(folder: Path) -> bytes:
    """All files of a board, without links and whatever is hidden."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name in files_in(folder):
            about = zipfile.ZipInfo(f"{folder.name}/{name}", FIRST_MOMENT)
            about.external_attr = 0o644 << 16
            zipped.writestr(about, (folder / name).read_bytes(), zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def files_in(folder: Path) -> list[str]:
    found = [one for one in sorted(folder.rglob("*")) if one.is_file() and not one.is_symlink() and one.resolve().is_relative_to(folder.resolve())]
    names = [one.relative_to(folder).as_posix() for one in found]
    return [name for name in names if is_sound(name)]


def is_sound(name: str) -> bool:
    """A plain file of a board, or one of its texts: nothing hidden, and no way out of the folder."""
    parts = name.split("/")
    return all(map(NAME.fullmatch, parts)) and len(parts) <= 2 and (len(parts) == 1 or parts[0] == WORDS) and name.endswith(KINDS)


def unpack(contents: bytes) -> dict[str, bytes]:
    """The files of a board by name; refused if anything about it is not as it should be."""
    try:
        with zipfile.ZipFile(io.BytesIO(contents)) as zipped:
            entries = [one for one in zipped.infolist() if not one.is_dir() and not is_litter(one.filename)]
            check_entries(entries)
            files = {one.filename: read_entry(zipped, one) for one in entries}
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError, UnicodeDecodeError) as error:
        raise BadZip(f"cannot be read ({error}): export a board, or pack its folder again") from None
    return without_folder(files)


def is_litter(name: str) -> bool:
    """What some systems add to every zip file."""
    return name.startswith("__MACOSX/") or PurePosixPath(name).name in (".DS_Store", "Thumbs.db", "desktop.ini")


def check_entries(entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > MOST_FILES or sum(one.file_size for one in entries) > LARGEST:
        raise BadZip(f"holds more than a board: at most {MOST_FILES} files and {LARGEST // 1_000_000} megabytes are taken")
    for one in entries:
        parts = PurePosixPath(one.filename).parts
        if "\\" in one.filename or one.filename.startswith("/") or ".." in parts or ":" in one.filename or stat.S_ISLNK(one.external_attr >> 16):
            raise BadZip(f"holds {one.filename!r}, which would lead out of the folder: pack the board's folder itself")


def read_entry(zipped: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """No further than it says it reaches: a small file can unpack to a very large one."""
    with zipped.open(entry) as file:
        contents = file.read(entry.file_size + 1)
    if len(contents) != entry.file_size:
        raise BadZip(f"says that {entry.filename!r} has {entry.file_size} bytes, and it has more")
    return contents


def without_folder(files: dict[str, bytes]) -> dict[str, bytes]:
    """The board may lie in a folder of the zip file, as it does after most ways of packing."""
    at = [PurePosixPath(name).parent for name in files if PurePosixPath(name).name == SETTINGS]
    if len(at) != 1:
        raise BadZip(f"holds {len(at)} files {SETTINGS}, and should hold the one of the board")
    paths = {PurePosixPath(name): contents for name, contents in files.items()}
    inside = {path.relative_to(at[0]).as_posix(): contents for path, contents in paths.items() if path.is_relative_to(at[0])}
    wrong = [name for name in inside if not is_sound(name)]
    if wrong:
        raise BadZip(f"holds {wrong[0]!r}, which does not belong to a board: leave it out ({', '.join(KINDS)} are taken)")
    return inside


def belongs(name: str) -> bool:
    """Is it a file of the board, that goes when another board comes?"""
    return name in FILES or name in OTHER_FILES or name.startswith(f"{WORDS}/")
