"""Turns a document back into files: only those whose contents change, with their comments."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT, InlineTable, Table

from branchline.boards.model import BigCity, BoardError, Card, City, Facts, Route, Ticket, Tour
from branchline.boards.totals import counted
from branchline.design.editor.csv_tables import Cells, table_text
from branchline.design.editor.document import Document, EditedCard, route_ids, ticket_ids
from branchline.design.editor.reading import BACKGROUND, COLUMNS, NAMES, SETTINGS, languages_in, read_document

NEEDED = ("cards.csv", "cities.csv", "geography.csv", "routes.csv", "tickets.csv")  # also without a single row
Changes = dict[str, bytes | None]  # new contents by file; None: it goes


def changes_for(folder: Path, document: Document) -> Changes:
    """What has to be written so that the folder holds the document."""
    before = read_document(folder) if (folder / SETTINGS).is_file() else None
    changes: Changes = {}
    for file, rows in rows_for(folder, document).items():
        if before is None or rows != rows_for(folder, before)[file] or (file in NEEDED and not (folder / file).is_file()):
            required, optional = COLUMNS.get(file, (("city", *languages_for(folder, document)), ()))
            there = text_of(folder, file)
            if rows or file in NEEDED:
                changes[file] = table_text(there, required, optional, rows).encode()
            elif there:
                changes[file] = None
    settings = with_totals(document)
    if before is None or settings != before.settings:
        changes[SETTINGS] = toml_text(text_of(folder, SETTINGS), settings).encode()
    if before is None or document.background != before.background:
        given = {"background": document.background.model_dump(mode="json", exclude_none=True)}
        changes[BACKGROUND] = toml_text(text_of(folder, BACKGROUND), given).encode()
    return {file: contents for file, contents in changes.items() if contents is None or contents != text_of(folder, file).encode()}


def text_of(folder: Path, file: str) -> str:
    return (folder / file).read_text(encoding="utf-8-sig") if (folder / file).is_file() else ""


def rows_for(folder: Path, document: Document) -> dict[str, list[Cells]]:
    """The rows of each table."""
    cities = document.cities
    routes = zip(route_ids(document.routes), document.routes, strict=True)
    tickets = zip(ticket_ids(document.tickets), document.tickets, strict=True)
    return {
        "cards.csv": [cells(card.model_dump(), covers=1) for card in in_order(document.cards)],
        "cities.csv": [cells(city.model_dump(include={"id", "name", "port", "attraction"})) for city in cities],
        "geography.csv": [cells({"city": city.id, "lat": city.lat, "lon": city.lon}) for city in cities if None not in (city.lat, city.lon)],
        "districts.csv": [cells({"city": city.id, "district": city.district}) for city in cities if city.district],
        "routes.csv": [cells(named(id_, route.model_dump(), route.cities), ferry=0) for id_, route in routes],
        "tickets.csv": sorted((cells(named(id_, ticket.model_dump(), ticket.cities)) for id_, ticket in tickets), key=lambda row: row["long"] == ""),
        "tours.csv": [cells({"id": tour.id} | tour.model_dump()) for tour in document.tours],
        "big_cities.csv": [cells(bonus.model_dump()) for bonus in document.big_cities],
        NAMES: names_of(document, languages_for(folder, document)),
    }


def named(id_: str, facts: dict[str, Any], cities: tuple[str, str]) -> dict[str, Any]:
    return {"id": id_} | facts | {"a": cities[0], "b": cities[1]}


def cells(facts: dict[str, Any], **defaults: Any) -> Cells:
    """Facts as cells; a default is left empty."""
    return {column: "" if value == defaults.get(column) else cell(value) for column, value in facts.items()}


def cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, float):
        return f"{value:.5f}".rstrip("0").rstrip(".")
    return " ".join(value) if isinstance(value, list) else "" if value is None else str(value)


def in_order(cards: list[EditedCard]) -> Iterable[EditedCard]:
    """The cards of a colour together, and the wild last, as the rules pay with them."""
    place = {colour: number for number, colour in enumerate(dict.fromkeys(card.colour for card in cards))}
    return sorted(cards, key=lambda card: (card.colour is None, place[card.colour]))


def languages_for(folder: Path, document: Document) -> tuple[str, ...]:
    """Those of the table as it is, then those that the document adds."""
    return tuple(dict.fromkeys((*languages_in(folder), *(language for city in document.cities for language in sorted(city.names)))))


def names_of(document: Document, languages: tuple[str, ...]) -> list[Cells]:
    """A city without a name in some language keeps its own there."""
    return [{"city": city.id} | {one: city.names.get(one, city.name) for one in languages} for city in document.cities if city.names]


def with_totals(document: Document) -> dict[str, Any]:
    """The settings; totals, where a board states them, follow the document."""
    settings = without_nulls(document.settings)
    if isinstance(settings.get("totals"), dict):
        found = counted(facts_of(document))
        settings["totals"] = {what: found.get(what, count) for what, count in settings["totals"].items()} | {
            what: count for what, count in found.items() if count and what not in settings["totals"]
        }
    return settings


def facts_of(document: Document) -> Facts:
    """What the document says, as the rules would read it."""
    tickets = tuple(Ticket("", one.a, one.b, one.points, one.long, tuple(one.cards)) for one in document.tickets)
    tours = tuple(Tour(one.id, tuple(one.cities), one.in_order, one.connected, one.failed).ticket() for one in document.tours)
    return Facts(
        decks=(),
        cards=tuple(Card(**one.model_dump()) for one in document.cards),
        cities=tuple(City(one.id, one.name, one.district, one.port, one.attraction) for one in document.cities),
        big_cities=tuple(BigCity(one.city, one.points) for one in document.big_cities),
        routes=tuple(Route("", **one.model_dump()) for one in document.routes),
        tickets=tickets + tours,
    )


def without_nulls(tables: dict[str, Any]) -> dict[str, Any]:
    return {name: without_nulls(value) if isinstance(value, dict) else value for name, value in tables.items() if value is not None}


def toml_text(before: str, wanted: dict[str, Any]) -> str:
    """The settings as TOML, with the comments of the file as it was; without them if they cannot be kept."""
    try:
        document = tomlkit.parse(before)
        update(document, wanted)
        text = tomlkit.dumps(document)
        if tomllib.loads(text) == wanted:
            return text
    except (TOMLKitError, tomllib.TOMLDecodeError, TypeError, ValueError, KeyError):
        pass
    try:
        return tomlkit.dumps(wanted)
    except (TOMLKitError, TypeError, ValueError) as error:
        raise BoardError("board.toml", f"these settings cannot be written ({error})") from None


def update(table: Any, wanted: dict[str, Any]) -> None:
    """Change what differs, and nothing else."""
    for name in [name for name in table if name not in wanted]:
        del table[name]
    for name, value in wanted.items():
        there = table.get(name)
        if isinstance(there, (Table, InlineTable)) and isinstance(value, dict):
            update(there, value)
        elif isinstance(there, AoT) and isinstance(value, list) and len(there) == len(value):
            for one, other in zip(there, value, strict=True):
                update(one, other)
        elif there is None or plain(there) != value:
            table[name] = item_of(value, is_inside=not isinstance(table, tomlkit.TOMLDocument))


def plain(item: Any) -> Any:
    return item.unwrap() if hasattr(item, "unwrap") else item


def item_of(value: Any, is_inside: bool) -> Any:
    """A table of its own, or within one a table in one line."""
    if isinstance(value, dict):
        table = tomlkit.inline_table() if is_inside else tomlkit.table()
        for name, one in value.items():
            table[name] = item_of(one, is_inside=True)
        return table
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        rows = tomlkit.aot()
        for one in value:
            rows.append(item_of(one, is_inside=False))
        return rows
    return value
