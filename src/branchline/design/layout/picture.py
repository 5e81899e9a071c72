"""A drawing of a board as a picture of its own: the board, as nobody has played on it yet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from branchline.boards.model import Board
from branchline.play.drawing.colours import CARDS
from branchline.play.drawing.picture import svg, tinted
from branchline.play.drawing.shapes import at, box_of, ground, label_of, name, place, portals, shape

Layout = dict[str, Any]


def picture_of(board: Board, layout: Layout, language: str = "en") -> str:
    """An SVG that needs nothing else."""
    box = box_of(layout, language)
    half = layout["space"]["width"] / 2
    parts = [tinted(ground(layout, box, board.game)), portals(layout, language)]
    for route in board.routes:
        spaces = layout["routes"][route.id]["spaces"]
        shapes = "".join(shape(space, route.sea, half) for space in spaces)
        wilds = "".join(f'<circle r="2.4" fill="#2b3440" transform="{at(space)}"/>' for space in spaces[: route.ferry])
        parts.append(f'<g class="route{" tunnel" if route.tunnel else ""}" fill="{CARDS[route.colour]}">{shapes}{wilds}</g>')
    parts += [place(layout, spot) for spot in layout["cities"].values()]
    parts += [name(layout, label_of(spot, language)) for spot in layout["cities"].values()]
    return svg(box, board.name, parts)


def write_whole(target: Path, text: str) -> None:
    """In one step, so that readers see the old file or the new one."""
    new = target.with_suffix(".new")
    new.write_text(text, encoding="utf-8")
    new.replace(target)
