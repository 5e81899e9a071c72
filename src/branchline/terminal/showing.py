"""`branchline show`: the facts of a board."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from branchline.boards import Board
from branchline.play.wording import Speaker
from branchline.words import ENGLISH

NUMBERS = ("spaces", "points", "count")


def show(console: Console, board: Board, language: str = ENGLISH) -> None:
    speaker = Speaker(board, language)
    least, most = board.players
    facts = speaker.say("show.board", **{"from": least, "to": most, "version": board.rules_version})
    console.print(f"[bold]{speaker.game}[/bold], {facts}", highlight=False)
    for table in (card_table(speaker), city_table(speaker), route_table(speaker), ticket_table(speaker)):
        if table.row_count:
            console.print(without_empty_notes(table))


def without_empty_notes(table: Table) -> Table:
    """The last column has no heading, and is not needed if nothing stands in it."""
    if not table.columns[-1].header and not any(table.columns[-1].cells):
        table.columns.pop()
    return table


def card_table(speaker: Speaker) -> Table:
    table = titled(speaker, "cards", sum(card.count for card in speaker.board.cards), "id", "card", "deck", "count", "")
    for card in speaker.board.cards:
        notes = [speaker.say("show.covers")] * (card.covers == 2) + [speaker.say("show.harbour")] * card.harbour
        table.add_row(card.id, speaker.card(card.id), card.deck, str(card.count), ", ".join(notes))
    return table


def city_table(speaker: Speaker) -> Table:
    bonuses = {city.id: speaker.say("show.bonus", points=city.points) for city in speaker.board.big_cities}
    table = titled(speaker, "cities", len(speaker.board.cities), "id", "name", "")
    for city in speaker.board.cities:
        notes = [speaker.say("board.district", number=city.district)] * bool(city.district) + [speaker.say("board.port")] * city.port
        notes += [speaker.say("board.attraction")] * city.attraction
        table.add_row(city.id, speaker.city(city.id), ", ".join([*notes, *([bonuses[city.id]] if city.id in bonuses else [])]))
    return table


def route_table(speaker: Speaker) -> Table:
    record = speaker.board.record
    table = titled(speaker, "routes", len(speaker.board.routes), "id", "spaces", "colour", "points", "kind")
    for number, route in enumerate(speaker.board.routes):
        points = record.route_points[record.length[number]]
        table.add_row(route.id, str(route.length), speaker.colour(route.colour), str(points), ", ".join(speaker.kinds(route.id)))
    return table


def ticket_table(speaker: Speaker) -> Table:
    table = titled(speaker, "tickets", len(speaker.board.tickets), "id", "points", "")
    for ticket in speaker.board.tickets:
        tour = {"cities": speaker.ticket(ticket.id), "connected": ticket.connected, "failed": ticket.failed}
        note = (
            speaker.say("show.tour", **tour) if ticket.is_tour else speaker.cards(ticket.cards) or (speaker.say("show.long") if ticket.long else "")
        )
        table.add_row(ticket.id, str(ticket.points), note)
    return table


def titled(speaker: Speaker, what: str, count: int, *headings: str) -> Table:
    table = Table(title=speaker.say(f"show.{what}", count=count), title_justify="left")
    for heading in headings:
        table.add_column(speaker.say(f"show.{heading}") if heading else "", justify="right" if heading in NUMBERS else "left")
    return table
