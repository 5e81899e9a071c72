"""A position as text, for terminals, logs and golden play-throughs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from branchline.play.bitsets import members

if TYPE_CHECKING:
    from branchline.play.positions import Position


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
    lines = [f"seat {seat}: {', '.join(belongings(position, seat))}", f"  hand: {hand_text(position, seat)}"]
    tickets = position.tickets(seat)
    hidden = position.ticket_count(seat) - len(tickets)
    lines.append("  tickets: " + (" ".join(tickets) or "-") + (f" and {hidden} hidden" if hidden else ""))
    offer = [ticket or "?" for ticket in position.offer(seat)]
    rows = [f"{colour}({cards(row)})" for colour, row in position.yard(seat).items()]
    built = "harbours in" if position.game.board.record.harbours else "stations in"
    chosen = [position.game.board.tickets[number].id for number in members(position.record.chosen[seat])]
    for name, values in (
        ("offered", offer),
        ("routes", position.routes(seat)),
        (built, position.buildings(seat)),
        ("yard", rows),
        ("completed", position.completed(seat)),
        ("to complete", chosen),
    ):
        if values:
            lines.append(f"  {name}: {' '.join(values)}")
    return lines + track_lines(position, seat)


def belongings(position: Position, seat: int) -> list[str]:
    """Points and pieces."""
    board = position.game.board.record
    parts = [f"{position.points(seat)} points"] if board.routes else []
    parts += [f"{number} {name}" for name, number in position.pieces(seat).items()]
    if board.supply:
        parts.append("in the box " + " and ".join(f"{number} {name}" for name, number in position.box(seat).items()))
    for name in ("stations", "harbours"):
        if board[name]:
            parts.append(f"{position.record.unbuilt[seat]} {name}")
    return parts or [f"{position.ticket_count(seat)} tickets"]


def hand_text(position: Position, seat: int) -> str:
    hidden = position.hidden_cards(seat)
    return cards(position.hand(seat)) + (f" and {hidden} hidden" if hidden else "")


def track_lines(position: Position, seat: int) -> list[str]:
    """CG-7, CG-8: the size of a pile; its contents only for an owner who may look."""
    if not position.game.board.record.yards:
        return []
    pile = position.track(seat)
    return [f"  track pile: {cards(pile) if position.may_look_into_pile(seat) else sum(pile.values())}"]
