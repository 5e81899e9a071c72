"""A position as text, for terminals, logs and golden play-throughs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from branchline.positions import Position


def dump(position: Position) -> str:
    board, record = position.game.board, position.record
    lines = [f"{board.name}, turn {record.turn}, {waiting(position)}"]
    lines.append("row: " + " ".join(card or "-" for card in position.row))
    decks = [f"{name} deck {record.deck_size[deck]}, discards {record.discards_size[deck]}" for deck, name in enumerate(board.decks)]
    lines.append(", ".join(decks) + f", ticket deck {record.queue_size}")
    lines += tunnel_lines(position)
    for seat in position.seats:
        lines += seat_lines(position, seat)
    return "\n".join(lines)


def waiting(position: Position) -> str:
    if position.is_over:
        return "over"
    left = int(position.record.last_turns)
    last = f", {left} last turns left" if left >= 0 else ""
    return f"seat {position.seat}: {position.phase}{last}"


def tunnel_lines(position: Position) -> list[str]:
    laid = position.counts(position.record.laid)
    if not laid:
        return []
    route = position.game.board.routes[position.record.target].id
    return [f"tunnel {route}: laid {cards(laid)}; turned up {cards(position.counts(position.record.revealed))}; {position.record.owed} owed"]


def cards(counts: dict[str, int]) -> str:
    return " ".join(f"{card}:{count}" for card, count in counts.items()) or "-"


def seat_lines(position: Position, seat: int) -> list[str]:
    pieces = [f"{position.points(seat)} points", f"{position.trains(seat)} pieces"]
    if position.game.board.record.stations:
        pieces.append(f"{position.record.unbuilt[seat]} stations")
    hidden = position.hidden_cards(seat)
    hand = cards(position.hand(seat)) + (f" and {hidden} hidden" if hidden else "")
    lines = [f"seat {seat}: {', '.join(pieces)}", f"  hand: {hand}"]
    tickets = position.tickets(seat)
    hidden = position.ticket_count(seat) - len(tickets)
    lines.append("  tickets: " + (" ".join(tickets) or "-") + (f" and {hidden} hidden" if hidden else ""))
    offer = [ticket or "?" for ticket in position.offer(seat)]
    for name, values in (("offered", offer), ("routes", position.routes(seat)), ("stations in", position.stations(seat))):
        if values:
            lines.append(f"  {name}: {' '.join(values)}")
    return lines
