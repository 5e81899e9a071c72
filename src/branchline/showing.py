"""`branchline show`: the facts of a board."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from branchline.boards import Board


def show(console: Console, board: Board) -> None:
    totals = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in board.settings["totals"].items())
    console.print(f"[bold]{board.name}[/bold], {board.players[0]} to {board.players[1]} players, rules version {board.rules_version}")
    console.print(totals, highlight=False)
    for table in (card_table(board), city_table(board), route_table(board), ticket_table(board)):
        console.print(table)


def card_table(board: Board) -> Table:
    table = titled("Cards", "card", "deck", "count")
    for card in board.cards:
        table.add_row(card.id, card.deck, str(card.count))
    return table


def city_table(board: Board) -> Table:
    table = titled("Cities", "id", "name", *(["district"] if board.districts else []))
    for city in board.cities:
        table.add_row(city.id, city.name, *([city.district] if board.districts else []))
    return table


def route_table(board: Board) -> Table:
    table = titled("Routes", "id", "spaces", "colour", "points", "kind")
    for number, route in enumerate(board.routes):
        kinds = ["double"] * route.double + [f"ferry {route.ferry}"] * (route.ferry > 0) + ["tunnel"] * route.tunnel
        points = board.record.route_points[board.record.length[number]]
        table.add_row(route.id, str(route.length), route.colour, str(points), ", ".join(kinds))
    return table


def ticket_table(board: Board) -> Table:
    table = titled("Tickets", "id", "points", "")
    for ticket in board.tickets:
        table.add_row(ticket.id, str(ticket.points), "long" if ticket.long else "")
    return table


def titled(title: str, *headings: str) -> Table:
    table = Table(title=title, title_justify="left")
    for heading in headings:
        table.add_column(heading, justify="right" if heading in ("spaces", "points", "count") else "left")
    return table
