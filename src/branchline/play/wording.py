"""Events in English, for the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from branchline.boards import Board
from branchline.play.events import Event


def cards(names: list[str | None]) -> str:
    """`3 red, 1 wild`."""
    return ", ".join(f"{count} {name or 'empty'}" for name, count in Counter(names).items()) or "nothing"


def counted(number: int, noun: str) -> str:
    """`1 point`, `4 points`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def route_name(board: Board, route: str) -> str:
    facts = next(one for one in board.routes if one.id == route)
    names = {city.id: city.name for city in board.cities}
    return f"{names[facts.a]}–{names[facts.b]}"


def city_name(board: Board, city: str) -> str:
    return next(one.name for one in board.cities if one.id == city)


def ticket_name(board: Board, ticket: str) -> str:
    """`Berlin–Roma (9)`; of a tour all cities and what it is worth in order, and else; of a ticket that cards complete, its cards."""
    facts = next(one for one in board.tickets if one.id == ticket)
    names = {city.id: city.name for city in board.cities}
    worth = f"{facts.points}/{facts.connected}/−{facts.failed}" if facts.is_tour else f"{facts.points}"
    needed = f": {', '.join(facts.cards)}" if facts.cards else ""
    return f"{'–'.join(names[city] for city in facts.cities)} ({worth}{needed})"


def in_words(board: Board, event: Event, names: list[str]) -> str:
    """One event as a sentence; a redacted event says what is known."""
    who = names[event["seat"]] if "seat" in event else ""
    return SENTENCES[event["event"]](board, event, who, names)


def keep_sentence(board: Board, event: Event, who: str, names: list[str]) -> str:
    if "kept" not in event:
        return f"{who} keeps {counted(event['kept_count'], 'ticket')} and returns {event['returned_count']}"
    kept = ", ".join(ticket_name(board, ticket) for ticket in event["kept"])
    return f"{who} keeps {kept or 'no ticket'}" + (f"; returns {len(event['returned'])}" if event["returned"] else "")


def offer_sentence(board: Board, event: Event, who: str, names: list[str]) -> str:
    if "tickets" not in event:
        return f"{who} looks at {counted(event['count'], 'ticket')}"
    return f"{who} is offered {', '.join(ticket_name(board, ticket) for ticket in event['tickets'])}"


def supply_sentence(board: Board, event: Event, who: str, names: list[str]) -> str:
    return f"{who} begins with {counted(event['trains'], 'train')} and {counted(event['ships'], 'ship')}"


def exchange_sentence(board: Board, event: Event, who: str, names: list[str]) -> str:
    number = abs(event["trains"])
    gained, given = ("train", "ship") if event["trains"] > 0 else ("ship", "train")
    return f"{who} exchanges {counted(number, given)} for {counted(number, gained)} and loses {counted(-event['points'], 'point')}"


def complete_sentence(board: Board, event: Event, who: str, names: list[str]) -> str:
    done = ", ".join(f"{ticket_name(board, one['ticket'])} with {cards(one['cards'])}" for one in event["tickets"])
    return f"{who} completes {done or 'no ticket'}"


def last_turns_sentence(board: Board, event: Event, who: str, names: list[str]) -> str:
    if not board.record.reformed:
        return f"The deck is empty: last turns, {event['each']} for everybody"
    return f"{who} has few pieces left: last turns, {event['each']} for everybody"


SENTENCES: dict[str, Callable[[Board, Event, str, list[str]], str]] = {
    "start": lambda board, event, who, names: f"The game begins; {names[event['first_seat']]} has the first turn",
    "deal": lambda board, event, who, names: f"{who} is dealt {cards(event['cards']) if 'cards' in event else counted(event['count'], 'card')}",
    "lay_row": lambda board, event, who, names: f"Face up now: {cards(event['cards'])}",
    "clear_row": lambda board, event, who, names: f"Too many wilds face up: {cards(event['cards'])} are discarded",
    "offer_tickets": offer_sentence,
    "keep_tickets": keep_sentence,
    "turn": lambda board, event, who, names: f"— {who}'s turn —",
    "draw": lambda board, event, who, names: f"{who} draws {event.get('card', 'a card')} from the {event['deck']} deck",
    "take": lambda board, event, who, names: f"{who} takes {event['card']} from the row",
    "fill": lambda board, event, who, names: f"{event['card'].capitalize()} is turned up",
    "reshuffle": lambda board, event, who, names: f"The {event['count']} discards make a new {event['deck']} deck",
    "claim": lambda board, event, who, names: (
        f"{who} claims {route_name(board, event['route'])} with {cards(event['cards'])} for {counted(event['points'], 'point')}"
    ),
    "tunnel_lay": lambda board, event, who, names: f"{who} tries the tunnel {route_name(board, event['route'])} with {cards(event['cards'])}",
    "tunnel_reveal": lambda board, event, who, names: f"Turned up: {cards(event['cards'])}; {event['owed']} more to pay",
    "tunnel_abandon": lambda board, event, who, names: f"{who} gives up the tunnel {route_name(board, event['route'])}",
    "station": lambda board, event, who, names: f"{who} builds a station in {city_name(board, event['city'])} with {cards(event['cards'])}",
    "pass": lambda board, event, who, names: f"{who} can do nothing and passes",
    "last_turns": last_turns_sentence,
    "harbour": lambda board, event, who, names: f"{who} builds a harbour in {city_name(board, event['city'])} with {cards(event['cards'])}",
    "choose_supply": supply_sentence,
    "exchange": exchange_sentence,
    "move_to_track": lambda board, event, who, names: f"To {who}'s track pile: {cards(event['cards'])}",
    "place": lambda board, event, who, names: f"{who} places {cards(event['cards'])}",
    "rob": lambda board, event, who, names: f"{who} robs {names[event['victim']]} of {cards(event['cards'])}",
    "complete_tickets": complete_sentence,
    "second_pass": lambda board, event, who, names: f"The second pass begins with a deck of {event['deck']} cards",
    "end": lambda board, event, who, names: "The game is over",
}


def result_lines(result: dict[str, Any], names: list[str]) -> list[str]:
    """The final count, a line a seat."""
    parts = ("routes", "tickets", "stations", "longest_path", "districts", "harbours", "bonuses")
    lines = []
    for name, score in zip(names, result["scores"], strict=True):
        sums = ", ".join(f"{part.replace('_', ' ')} {score[part]}" for part in parts if part in score)
        done, missed = len(score["completed"]), len(score["failed"])
        lines.append(f"{name}: {counted(score['total'], 'point')} ({sums}; {counted(done, 'ticket')} completed, {missed} failed)")
    winners = " and ".join(names[seat] for seat in result["winners"])
    return [*lines, f"{winners} {'wins' if len(result['winners']) == 1 else 'share the victory'}"]
