"""What lies beside the map: the face-up cards, and for each seat its points, pieces, cards and tickets."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from branchline.play.drawing.colours import CARDS, SEATS

if TYPE_CHECKING:
    from branchline.play.positions import Position

LINE, SIZE = 30, 13  # height of a line, and of letters
CARD = 30  # width of a card
HAND = 250  # where cards begin, unless words reach further
LETTER = 0.58 * SIZE  # how wide a letter is, on average


def table(position: Position, width: float, number: int | None = None) -> tuple[str, float]:
    """The table as SVG from 0, 0 on, and its height; with a number of lines, it has that many."""
    said = heading(position)
    lines = [words(10, 0, said) + cards(after(10, said), 0, [(card, 1) for card in position.row if card])]
    for seat in position.seats:
        lines += seat_lines(position, seat, width)
    drawn = "".join(f'<g transform="translate(0 {LINE * place})">{line}</g>' for place, line in enumerate(lines[:number]))
    height = LINE * (number or len(lines)) + 6
    return f'<rect class="table" width="{width:.1f}" height="{height}"/>{drawn}', height


def heading(position: Position) -> str:
    decks = [f"{deck} deck {size}" for deck, size in zip(position.game.board.decks, position.record.deck_size, strict=False)]
    return f"turn {position.record.turn}: {position.phase}; {', '.join(decks)}"


def seat_lines(position: Position, seat: int, width: float) -> list[str]:
    """What the seat has, and where there are any its tickets and yard."""
    mark = f'<rect class="turn" x="4" y="2" width="{width - 8:.1f}" height="{LINE - 2}" rx="4"/>' if seat == position.seat else ""
    hidden = position.hidden_cards(seat)
    hand = [*position.hand(seat).items(), *([("hidden", hidden)] if hidden else [])]
    colour = f'<circle cx="16" cy="{LINE / 2 + 1}" r="7" fill="{SEATS[seat]}"/>'
    owned = ", ".join(belongings(position, seat))
    lines = [mark + colour + words(30, 0, owned) + cards(after(30, owned), 0, hand)]
    tickets = [position.game.board.tickets[number] for number in ticket_numbers(position, seat)]
    names = {city.id: city.name for city in position.game.board.cities}
    if tickets:
        said = "; ".join(f"{' – '.join(names[city] for city in ticket.cities)} ({ticket.points})" for ticket in tickets)
        lines += [words(30, 0, line) for line in wrapped(said, int(width / LETTER) - 6)]
    yard = [(colour, sum(row.values())) for colour, row in position.yard(seat).items()]
    if yard:
        lines.append(words(30, 0, "yard") + cards(HAND, 0, yard))
    return lines


def ticket_numbers(position: Position, seat: int) -> list[int]:
    places = {ticket.id: number for number, ticket in enumerate(position.game.board.tickets)}
    return [places[ticket] for ticket in position.tickets(seat)]


def belongings(position: Position, seat: int) -> list[str]:
    pieces = [f"{number} {kind}" for kind, number in position.pieces(seat).items()]
    return [f"{position.points(seat)} points", *pieces, f"{position.ticket_count(seat)} tickets"]


def wrapped(text: str, length: int) -> list[str]:
    lines = [""]
    for part in text.split("; "):
        if lines[-1] and len(lines[-1]) + len(part) > length:
            lines.append("")
        lines[-1] += ("; " if lines[-1] else "") + part
    return lines


def after(x: float, text: str) -> float:
    """Where cards begin beside a text."""
    return max(HAND, round(x + LETTER * len(text) + 10))


def words(x: float, y: float, text: str) -> str:
    return f'<text x="{x}" y="{y + LINE * 0.66:.1f}" font-size="{SIZE}">{escape(text)}</text>'


def cards(x: float, y: float, counts: list[tuple[str, int]]) -> str:
    """Cards by kind, each with its number if there are several."""
    return "".join(card(x + number * (CARD + 4), y, kind, count) for number, (kind, count) in enumerate(counts))


def card(x: float, y: float, kind: str, count: int) -> str:
    """A card in its colour. What its id says besides the colour (such as a ship) stands on it as letters."""
    colour, *rest = kind.split("-")
    fill, ink = CARDS.get(colour, "#8d8271"), "#fffdf2" if colour in ("red", "blue", "black", "hidden") else "#2b2a27"
    letters = "".join(part[0].upper() for part in rest)
    if colour == "wild":
        letters = "★"
    label = f"{letters}{count if count > 1 else ''}"
    return (
        f'<rect class="card" x="{x}" y="{y + 5}" width="{CARD}" height="{LINE - 9}" rx="4" fill="{fill}"/>'
        f'<text x="{x + CARD / 2}" y="{y + LINE * 0.67:.1f}" font-size="{SIZE - 1}" text-anchor="middle" style="fill: {ink}">{label}</text>'
    )
