"""The shapes of a board as SVG, drawn from `layout.json` like the page does. Colours are up to the style sheet around them."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from branchline.boards import Board
from branchline.boards.drawings import layout_of
from branchline.boards.folders import kept_per_board
from branchline.boards.letters import text_width

FRAME = 0.0075  # of the width
BEYOND = 10.5  # size of the names of places beyond the edge, which are on the frame
ARROW = 13
SHORE = ((16, 0.12), (8, 0.22), (3.4, 0.35))  # width and opacity of the light along a coast
Layout = dict[str, Any]
Box = tuple[float, float, float, float]  # x, y, width, height


@kept_per_board
def layout_file(game: str) -> Layout:
    return dict(json.loads(layout_of(game) or b"{}"))


def read_layout(board: Board) -> Layout:
    return layout_file(board.game)


def label_of(spot: dict[str, Any], language: str) -> dict[str, Any]:
    """A place's name as it is drawn: a layout without a language has the English names."""
    labels: dict[str, dict[str, Any]] = spot["labels"]
    return labels.get(language, labels["en"])


def box_of(layout: Layout, language: str) -> Box:
    """The board with its frame; names beyond the edge need a wide one."""
    x, y, width, height = layout["view_box"]
    frame = width * FRAME
    names = [label_of(layout["cities"][portal["to"]], language)["box"][0] for portal in layout["edge"]]
    side = max(names) * BEYOND / layout["font_size"] + ARROW + frame if names else frame
    return x - side, y - frame, width + 2 * side, height + 2 * frame


def ground(layout: Layout, box: Box, game: str) -> str:
    """The frame, and within it sea and land, or a town. Ids have the game's name: a page may show several boards."""
    _, _, width, height = layout["view_box"]
    x, y, wide, high = box
    below = "sea" if layout["coast"] else "land"
    return (
        f'<defs><clipPath id="inside-{game}"><rect width="{width}" height="{height}" rx="9"/></clipPath></defs>'
        f'<rect class="frame" x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" rx="14"/>'
        f'<g clip-path="url(#inside-{game})"><rect class="{below}" width="{width}" height="{height}"/>{land(layout, game)}{town(layout)}</g>'
    )


def land(layout: Layout, game: str) -> str:
    """The long path of the coast is written once and used for land and shore."""
    if not layout["coast"]:
        return ""
    shore = "".join(f'<use href="#coast-{game}" class="shore" stroke-width="{width}" stroke-opacity="{opacity}"/>' for width, opacity in SHORE)
    lines = "".join(f'<path class="{kind}" d="{layout[kind]}"/>' for kind in ("lakes", "borders", "graticule") if layout.get(kind))
    return f'<defs><path id="coast-{game}" d="{layout["coast"]}"/></defs>{shore}<use href="#coast-{game}" class="land"/>{lines}'


def town(layout: Layout) -> str:
    tinted = [(f"--tint: var(--district-{number})", path) for number, path in layout.get("districts", {}).items()]
    districts = "".join(f'<path class="district" style="{tint}" d="{path}"/>' for tint, path in tinted)
    return districts + "".join(f'<path class="{kind}" d="{layout[kind]}"/>' for kind in ("parks", "river") if layout.get(kind))


def portals(layout: Layout, language: str) -> str:
    """Where routes leave the map: an arrow at the frame, and in the margin the place they lead to."""
    drawn = []
    for portal in layout["edge"]:
        way, half = (-1 if portal["side"] == "W" else 1), (10 if len(portal["routes"]) > 1 else 5.5)
        lines = label_of(layout["cities"][portal["to"]], language)["lines"]
        words = "".join(
            f'<text x="{way * 12}" y="{(0.31 + number - (len(lines) - 1) / 2) * BEYOND:.1f}" text-anchor="{"end" if way < 0 else "start"}" '
            f"{sized(line, BEYOND)}>{escape(line)}</text>"
            for number, line in enumerate(lines)
        )
        arrow = f'<path d="M{way * 1.5} {-half}L{way * 10} 0L{way * 1.5} {half}L{way * 4} 0Z"/>'
        drawn.append(f'<g class="portal" transform="translate({portal["at"][0]} {portal["at"][1]})">{arrow}{words}</g>')
    return "".join(drawn)


def shape(space: Layout, sea: bool, half: float) -> str:
    """A space of a route."""
    return f'<path d="{(hull if sea else plain)(space["length"] / 2, half)}" transform="{at(space)}"/>'


def at(space: Layout) -> str:
    return f"translate({space['x']} {space['y']}) rotate({space['angle']})"


def plain(end: float, half: float) -> str:
    """A space with round corners."""
    return f"M{2 - end:.2f} {-half}H{end - 2:.2f}q2 0 2 2v{2 * half - 4}q0 2 -2 2H{2 - end:.2f}q-2 0 -2 -2v{4 - 2 * half}q0 -2 2 -2Z"


def hull(end: float, half: float) -> str:
    """Pointed ends like a ship's."""
    shoulder, bow = end - 7, end - 2.4
    return (
        f"M{-shoulder:.2f} {-half}H{shoulder:.2f}Q{bow:.2f} {-half} {end:.2f} 0Q{bow:.2f} {half} {shoulder:.2f} {half}"
        f"H{-shoulder:.2f}Q{-bow:.2f} {half} {-end:.2f} 0Q{-bow:.2f} {-half} {-shoulder:.2f} {-half}Z"
    )


def place(layout: Layout, spot: Layout) -> str:
    """A dot; a smaller one where a line only bends (no name)."""
    radius = layout["city_radius"] * (0.72 if spot["labels"]["en"]["lines"] else 0.45)
    return f'<circle class="place" cx="{spot["x"]}" cy="{spot["y"]}" r="{radius:.2f}"/>'


def name(layout: Layout, label: Layout) -> str:
    """In the place that the layout has for it."""
    anchor, size = label.get("anchor", "middle"), layout["font_size"]
    x = label["x"] + {"start": -0.5, "middle": 0, "end": 0.5}[anchor] * label["box"][0]
    middle = (len(label["lines"]) - 1) / 2
    heights = [label["y"] + (line - middle) * layout["line_height"] + size * 0.31 for line in range(len(label["lines"]))]
    return "".join(
        f'<text class="name" x="{x:.1f}" y="{height:.1f}" text-anchor="{anchor}" {sized(line, size)}>{escape(line)}</text>'
        for height, line in zip(heights, label["lines"], strict=True)
    )


def sized(line: str, size: float) -> str:
    """As wide as in the page's typeface, for which the layout has room; others are squeezed into that."""
    return f'font-size="{size}" textLength="{text_width(line, size):.1f}" lengthAdjust="spacingAndGlyphs"'
