"""A board as SVG, with routes coloured by a share; colours are CSS variables of `page.css`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from branchline.boards import Board
from branchline.pages.prose import Prose
from branchline.play.drawing.shapes import Layout, box_of, ground, label_of, name, place, portals, read_layout, shape
from branchline.report.drawing import heat as colours


@dataclass(frozen=True)
class Heat:
    """How a route is shown: its step on the scale, and the lines of its tip."""

    step: int
    said: tuple[str, ...]


def board_map(board: Board, language: str, heat: Mapping[str, Heat], title: str) -> str:
    layout = read_layout(board)
    x, y, width, height = box = box_of(layout, language)
    parts = [ground(layout, box, board.game), portals(layout, language)]
    parts += [route_spaces(layout, route.id, route.sea, heat[route.id]) for route in board.routes]
    parts += [place(layout, spot) for spot in layout["cities"].values()]
    parts += [name(layout, label_of(spot, language)) for spot in layout["cities"].values()]
    opening = f'<svg class="board" viewBox="{x:.1f} {y:.1f} {width:.1f} {height:.1f}" role="img" aria-label="{escape(title)}">'
    return opening + "\n".join(parts) + "</svg>"


def route_spaces(layout: Layout, route: str, sea: bool, heat: Heat) -> str:
    half = layout["space"]["width"] / 2
    spaces = layout["routes"][route]["spaces"]
    shapes = "".join(shape(space, sea, half) for space in spaces)
    said = escape("|".join(heat.said))
    return f'<g class="route" data-route="{escape(route)}" data-tip="{said}" style="--h: var(--h{heat.step})">{shapes}</g>'


def scale(says: Prose, top: float) -> str:
    """What the colours mean."""
    steps = "".join(f'<i style="background: var(--h{step})"></i>' for step in range(colours.STEPS))
    marks = "".join(f"<span>{says.percent(top * mark / 5, 0)}</span>" for mark in range(6))
    return f'<div class="scale"><div class="steps">{steps}</div><div class="marks">{marks}</div><p>{says("report.heat")}</p></div>'
