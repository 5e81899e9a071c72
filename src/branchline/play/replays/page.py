"""A replay as one file that opens offline: the page's own replay, with everything that it shows, packed into one document.

What the page would ask a server for (a board's facts, drawing and map, the game move by move) is in the file, and so are its script, style and fonts.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from html import escape
from importlib.resources import files
from typing import Any

from branchline.boards import load_board
from branchline.errors import BranchlineError, RecordError
from branchline.play.facts import game_facts, ground, layout
from branchline.play.records import Record
from branchline.play.replays.reel import Reel
from branchline.play.wording import Speaker
from branchline.words import ENGLISH

THEMES = ("light", "dark")


class NotBuilt(BranchlineError):
    """The page, a part of which goes into the file, has not been built."""


# Unpacks the rest and hands over to it.
LOADER = """
const packed = Uint8Array.from(atob(document.getElementById('packed').textContent), (one) => one.charCodeAt(0))
const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))
new Response(unpacked).json().then(({ style, script, contents }) => {
  window.branchlineReplay = contents
  for (const [name, text, type] of [['style', style, ''], ['script', script, 'module']]) {
    const part = document.createElement(name)
    if (type) part.type = type
    part.textContent = text
    document.head.append(part)
  }
})
"""

DOCUMENT = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Branchline">
<title>{title}</title>
</head>
<body>
<div id="app"></div>
<noscript>{without}</noscript>
<script type="application/octet-stream" id="packed">{packed}</script>
<script>{loader}</script>
</body>
</html>
"""


def replay_page(record: Record, seat: int | None = None, language: str | None = None) -> str:
    """A game as one HTML document, seen first by everybody or by one seat.

    A finished game is open to everybody, so the file has every seat's view. Of an unfinished one it shows all that the record holds, hidden cards
    too, unless you name a seat: then it has only what that seat may know.
    """
    contents = everything_shown(record, seat, language)
    style, script = built("replay.css"), built("replay.js")
    packed = json.dumps({"style": style, "script": script, "contents": contents}, ensure_ascii=False, separators=(",", ":"))
    speaker = Speaker(load_board(record.game), language or ENGLISH)
    return DOCUMENT.format(
        language=language or ENGLISH,
        policy=policy_for(LOADER, script),
        title=escape(speaker.say("replay.of", game=speaker.game)),
        without=escape(speaker.say("replay.needs_script")),
        packed=base64.b64encode(gzip.compress(packed.encode(), mtime=0)).decode(),
        loader=LOADER,
    )


def everything_shown(record: Record, seat: int | None, language: str | None) -> dict[str, Any]:
    """What the page would ask a server for."""
    if seat is not None and not 0 <= seat < len(record.seats):
        raise RecordError(f"there is no seat {seat}: this game has seats 0 to {len(record.seats) - 1}")
    is_open = seat is None or "winners" in record.result
    viewers = (None, *range(len(record.seats))) if is_open else (seat,)
    drawing = layout(record.game)
    grounds = {theme: picture for theme in THEMES if (picture := ground(record.game, theme))}
    return {
        "facts": game_facts(record.game),
        "layout": None if drawing is None else json.loads(drawing[0]),
        "grounds": {theme: f"data:image/webp;base64,{base64.b64encode(picture).decode()}" for theme, (picture, _) in grounds.items()},
        "replays": {"" if viewer is None else str(viewer): Reel(record, viewer).replay() for viewer in viewers},
        "seat": seat,
        "record": json.loads((record if is_open else record.redacted(seat)).to_json()),
        "language": language,
    }


def built(name: str) -> str:
    """A part of the built page."""
    file = files("branchline") / "client" / "alone" / name
    if not file.is_file():
        raise NotBuilt("the page is not built, and a replay in a file needs a part of it: from a clone, run `python hatch_build.py`")
    return file.read_text(encoding="utf-8")


def policy_for(*scripts: str) -> str:
    """These scripts may run; nothing may be asked of anybody."""
    allowed = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" for script in scripts)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
