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
        if table.row_count:
            console.print(table)


def card_table(board: Board) -> Table:
    table = titled("Cards", "card", "deck", "count", "")
    for card in board.cards:
        notes = ["covers 2 spaces"] * (card.covers == 2) + ["harbour symbol"] * card.harbour
        table.add_row(card.id, card.deck, str(card.count), ", ".join(notes))
    return table


def city_table(board: Board) -> Table:
    bonuses = {city.id: f"bonus {city.points}" for city in board.big_cities}
    table = titled("Cities", "id", "name", "")
    for city in board.cities:
        notes = [f"district {city.district}"] * bool(city.district) + ["port"] * city.port + [bonuses.get(city.id, "")]
        table.add_row(city.id, city.name, ", ".join(note for note in notes if note))
    return table


def route_table(board: Board) -> Table:
    table = titled("Routes", "id", "spaces", "colour", "points", "kind")
    for number, route in enumerate(board.routes):
        kinds = ["double"] * route.double + [f"ferry {route.ferry}"] * (route.ferry > 0) + ["tunnel"] * route.tunnel
        kinds += ["sea"] * route.sea + ["pairs"] * route.pair + ["over the edge"] * route.over_the_edge
        points = board.record.route_points[board.record.length[number]]
        table.add_row(route.id, str(route.length), route.colour, str(points), ", ".join(kinds))
    return table


def ticket_table(board: Board) -> Table:
    table = titled("Tickets", "id", "points", "")
    for ticket in board.tickets:
        tour = f"{' – '.join(ticket.cities)}; connected {ticket.connected}, failed −{ticket.failed}" if ticket.is_tour else ""
        table.add_row(ticket.id, str(ticket.points), tour or " ".join(ticket.cards) or ("long" if ticket.long else ""))
    return table


def titled(title: str, *headings: str) -> Table:
    table = Table(title=title, title_justify="left")
    for heading in headings:
        table.add_column(heading, justify="right" if heading in ("spaces", "points", "count") else "left")
    return table
