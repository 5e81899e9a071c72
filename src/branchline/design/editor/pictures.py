"""A picture of one's own beneath the board, such as a sketch: its kind is told from its first bytes, never from what somebody says it is."""

from __future__ import annotations

from pathlib import Path

from branchline.boards.model import BoardError

LARGEST = 6_000_000  # bytes
KINDS = {"png": "image/png", "jpg": "image/jpeg", "webp": "image/webp"}


def kind_of(contents: bytes) -> str | None:
    if contents.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if contents.startswith(b"\xff\xd8\xff"):
        return "jpg"
    return "webp" if contents[:4] == b"RIFF" and contents[8:12] == b"WEBP" else None


def picture_changes(contents: bytes) -> dict[str, bytes | None]:
    """The picture under its name, and no other."""
    kind = kind_of(contents)
    if kind is None or len(contents) > LARGEST:
        raise BoardError("the picture", f"is not a PNG, JPEG or WebP picture of at most {LARGEST // 1_000_000} megabytes: choose another")
    return {f"background.{one}": contents if one == kind else None for one in KINDS}


def find_picture(folder: Path) -> tuple[bytes, str] | None:
    """The picture and its media type."""
    for kind, media_type in KINDS.items():
        path = folder / f"background.{kind}"
        if path.is_file() and not path.is_symlink():
            return path.read_bytes(), media_type
    return None
