"""What lies beside the map: the face-up cards, and for each seat its points, pieces, cards and tickets."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from branchline.boards.presentation import presentation_of
from branchline.play.drawing.colours import CARDS, SEATS
from branchline.words.plurals import counted

if TYPE_CHECKING:
    from branchline.play.positions import Position

LINE, SIZE = 30, 13  # height of a line, and of letters
CARD = 30  # width of a card
PITCH = CARD + 4  # from one to the next
HAND = 250  # where cards begin, unless words reach further
LETTER = 0.58 * SIZE  # how wide a letter is, on average


def table(position: Position, width: float, number: int | None = None) -> tuple[str, float]:
    """The table as SVG from 0, 0 on, and its height; with a number of lines, it has that many."""
    lines = beside(10, heading(position), [(card, 1) for card in position.row if card], width)
    for seat in position.seats:
        lines += seat_lines(position, seat, width)
    drawn = "".join(f'<g transform="translate(0 {LINE * place})">{line}</g>' for place, line in enumerate(lines[:number]))
    height = LINE * (number or len(lines)) + 6
    return f'<rect class="table" width="{width:.1f}" height="{height}"/>{drawn}', height


def heading(position: Position) -> str:
    names = position.game.board.decks
    decks = [f"{f'{deck} ' if len(names) > 1 else ''}deck {size}" for deck, size in zip(names, position.record.deck_size, strict=False)]
    return f"turn {position.record.turn}: {position.phase}; {', '.join(decks)}"


def seat_lines(position: Position, seat: int, width: float) -> list[str]:
    """What the seat has, and where there are any its tickets and yard."""
    mark = f'<rect class="turn" x="4" y="2" width="{width - 8:.1f}" height="{LINE - 2}" rx="4"/>' if seat == position.seat else ""
    hidden = position.hidden_cards(seat)
    hand = [*position.hand(seat).items(), *([("hidden", hidden)] if hidden else [])]
    colour = f'<circle cx="16" cy="{LINE / 2 + 1}" r="7" fill="{SEATS[seat]}"/>'
    lines = beside(30, ", ".join(belongings(position, seat)), hand, width)
    lines[0] = mark + colour + lines[0]
    tickets = [position.game.board.tickets[number] for number in ticket_numbers(position, seat)]
    names = {city.id: city.name for city in position.game.board.cities}
    if tickets:
        said = "; ".join(f"{' – '.join(names[city] for city in ticket.cities)} ({ticket.points})" for ticket in tickets)
        lines += [words(30, 0, line) for line in wrapped(said, int(width / LETTER) - 6)]
    yard = [(colour, sum(row.values())) for colour, row in position.yard(seat).items()]
    if yard:
        lines += beside(30, "yard", yard, width)
    return lines


def beside(x: float, said: str, shown: list[tuple[str, int]], width: float) -> list[str]:
    """Words with cards after them, and below these the cards for which the picture is too narrow."""
    begin = after(x, said)
    most = max(1, int((width - begin) // PITCH))
    rows = [shown[place : place + most] for place in range(0, len(shown), most)] or [[]]
    return [words(x, 0, said) + cards(begin, 0, rows[0]), *(cards(begin, 0, row) for row in rows[1:])]


def ticket_numbers(position: Position, seat: int) -> list[int]:
    places = {ticket.id: number for number, ticket in enumerate(position.game.board.tickets)}
    return [places[ticket] for ticket in position.tickets(seat)]


def belongings(position: Position, seat: int) -> list[str]:
    names = {"trains": presentation_of(position.game.board.game).words.pieces}
    pieces = [counted(number, names.get(kind, kind)) for kind, number in position.pieces(seat).items()]
    return [counted(position.points(seat), "points"), *pieces, counted(position.ticket_count(seat), "tickets")]


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
    return "".join(card(x + number * PITCH, y, kind, count) for number, (kind, count) in enumerate(counts))


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
