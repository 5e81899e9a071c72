"""The picture of a position: the board, if there is a map of it, and below it what lies on the table and what each seat has.

Everything comes from the position, so the picture of a view shows what its viewer may know.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from branchline.boards.drawings import layout_of
from branchline.play.drawing.colours import CARDS, DISTRICTS, SEATS, STYLE
from branchline.play.drawing.shapes import Box, Layout, at, box_of, ground, label_of, name, place, portals, read_layout, shape
from branchline.play.drawing.table import table

if TYPE_CHECKING:
    from branchline.boards import Board
    from branchline.play.positions import Position

WITHOUT_A_MAP: Box = (0, 0, 720, 0)


def picture(position: Position, lines: int | None = None) -> str:
    """A position as an SVG that needs nothing else; with a number of lines below the map, all pictures of a game have the same size."""
    x, y, width, height = box = map_box(position.game.board)
    parts = [ground_of(position.game.board, box), pieces_of(position)] if height else []
    below, more = table(position, width, lines)
    parts.append(f'<g transform="translate({x:.1f} {y + height:.1f})">{below}</g>')
    return svg((x, y, width, height + more), f"{position.game.board.name}, {position.phase}", parts)


def svg(box: Box, title: str, parts: list[str]) -> str:
    x, y, width, height = box
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="{x:.1f} {y:.1f} {width:.1f} {height:.1f}"'
    fitting = 'style="max-width: 100%; height: auto"'  # in the narrow column of a notebook
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {fitting} role="img" aria-label="{escape(title)}">'
    return f"{opening}<style>{STYLE}</style>{''.join(parts)}</svg>"


def layers(position: Position, lines: int) -> tuple[str, str]:
    """The same in two pictures, one over the other: the map, which never changes and takes long to draw, and everything else."""
    board = position.game.board
    x, y, width, height = box = map_box(board)
    below, more = table(position, width, lines)
    whole = (x, y, width, height + more)
    rest = [pieces_of(position) if height else "", f'<g transform="translate({x:.1f} {y + height:.1f})">{below}</g>']
    return svg(whole, board.name, [ground_of(board, box)] if height else []), svg(whole, position.phase, rest)


def map_box(board: Board) -> Box:
    return box_of(read_layout(board), "en") if has_map(board) else WITHOUT_A_MAP


def has_map(board: Board) -> bool:
    return layout_of(board.game) is not None


def ground_of(board: Board, box: Box) -> str:
    layout = read_layout(board)
    return tinted(ground(layout, box, board.game)) + portals(layout, "en")


def pieces_of(position: Position) -> str:
    """Routes and cities, and what seats have placed on them."""
    board, layout = position.game.board, read_layout(position.game.board)
    owner = {route: seat for seat in position.seats for route in position.routes(seat)}
    parts = [route_of(layout, route, owner.get(route.id)) for route in board.routes]
    parts += [place(layout, spot) for spot in layout["cities"].values()]
    parts += [building(layout, city, seat) for seat in position.seats for city in position.buildings(seat)]
    parts += [name(layout, label_of(spot, "en")) for spot in layout["cities"].values()]
    return "".join(parts)


def tinted(drawn: str) -> str:
    """Districts in colours of their own; the page has them as variables."""
    for number, colour in enumerate(DISTRICTS, 1):
        drawn = drawn.replace(f'style="--tint: var(--district-{number})"', f'fill="{colour}" opacity="0.75"')
    return drawn


def route_of(layout: Layout, route: Any, owner: int | None) -> str:
    """Spaces in the route's colour, and on a claimed one the pieces of its owner."""
    half = layout["space"]["width"] / 2
    spaces = layout["routes"][route.id]["spaces"]
    kind = "route owned" if owner is not None else "route tunnel" if route.tunnel else "route"
    fill = CARDS[route.colour] if owner is None else SEATS[owner]
    shapes = "".join(shape(space, route.sea, half) for space in spaces)
    wilds = "".join(f'<circle r="2.4" fill="#2b3440" transform="{at(space)}"/>' for space in spaces[: route.ferry] if owner is None)
    return f'<g class="{kind}" fill="{fill}">{shapes}{wilds}</g>'


def building(layout: Layout, city: str, seat: int) -> str:
    spot, size = layout["cities"][city], layout["city_radius"]
    corner = f'x="{spot["x"] - size:.1f}" y="{spot["y"] - size:.1f}" width="{2 * size}" height="{2 * size}"'
    return f'<rect class="owned" {corner} rx="2" fill="{SEATS[seat]}"/>'
