"""`branchline board check`: everything that loader, page, bots and drawing ask of a board, at once and before anything takes long."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from pathlib import Path
from typing import Any

from branchline.boards.folders import FILE, boards_folder, further_boards, is_packed, no_board_in
from branchline.boards.lines import line_of
from branchline.boards.loader import Incomplete, read_board
from branchline.boards.model import Board, BoardError
from branchline.boards.tables import collecting, header_of, read_rows, read_text
from branchline.boards.totals import Source
from branchline.design.layout.beside import problems_beside
from branchline.rules.sizes import NONE

BIG_CITIES = "big_cities.csv"


def problems_of(folder: Path, to_draw: bool = False) -> list[BoardError]:
    """All that is wrong with the files of a board, or with those that a drawing is made of, in the order of files and lines."""
    if not (folder / FILE).is_file():
        return [BoardError(str(folder), no_board_in(folder).replace("new FOLDER", f"new {shlex.quote(str(folder))}"))]
    board: Board | None = None
    with collecting() as found:
        board = read_board(folder)
    found = [one for one in found if not isinstance(one, Incomplete)]
    if board is not None and not found:
        found = beyond_the_rules(folder, board, to_draw)
    return sorted(found, key=lambda one: (one.file, one.line or 0))


def beyond_the_rules(folder: Path, board: Board, to_draw: bool) -> list[BoardError]:
    """What is not needed to count points, but to play, read and draw."""
    source = Source(f"{folder.name}/{FILE}", read_text(folder, FILE))
    found = [*dead_ends(folder, board), *namesakes(folder, board), *odd_tracks(folder, board), *unused(folder, board)]
    with collecting() as about_the_end:
        check_last_pieces(source, board)
    found += about_the_end
    ours = {Path(str(boards_folder())).resolve(), *(one.parent for one in further_boards().values())}
    if is_packed(board.game) and folder.resolve().parent not in ours:
        taken = f"the game is called {board.game!r}, as is one that comes with Branchline: give it another name"
        found.append(BoardError(source.label, taken, line_of(source.text, ("game",))).coded("name_taken", name=board.game))
    return [*found, *problems_beside(folder, board, to_draw)]


def check_last_pieces(source: Source, board: Board) -> None:
    """A game must not be over before it has begun."""
    if board.routes and (last := board.settings["end"].get("last_pieces", NONE)) >= (most := most_pieces(board)):
        reason = f"end.last_pieces is {last}, and everyone begins with {most} pieces, so the game would end at once: it should be fewer"
        source.wrong(reason, "end", "last_pieces", code="ends_at_once", most=most)


def most_pieces(board: Board) -> int:
    """How many pieces a player begins with."""
    pieces = board.settings["pieces"]
    return int(pieces.get("supply", 0)) or int(pieces["trains"]) + int(pieces.get("ships") or 0)


def unused(folder: Path, board: Board) -> list[BoardError]:
    """Bonuses for big cities are a rule of games with yards (CG-23)."""
    if not board.routes or not (folder / BIG_CITIES).is_file():
        return []
    return [BoardError(f"{folder.name}/{BIG_CITIES}", "is not used: only games with yards have bonuses for big cities. Remove the file")]


def dead_ends(folder: Path, board: Board) -> list[BoardError]:
    """Tickets that cannot be completed, and cities to which nothing leads."""
    if not board.routes:
        return []
    lines = lines_in(folder, "tickets.csv") | lines_in(folder, "cities.csv")
    parts = joined_cities(board)
    found = []
    for ticket in board.tickets:
        if not ticket.is_tour and parts[ticket.a] != parts[ticket.b]:
            reason = f"{ticket.id} cannot be completed: no routes join its cities. Add some, or remove the ticket"
            found.append(BoardError(f"{folder.name}/tickets.csv", reason, lines.get(ticket.id)).coded("ticket_unreachable"))
        if not ticket.is_tour and (least := shortest(board, ticket.a, ticket.b)) is not None and least > most_pieces(board):
            reason = f"{ticket.id} takes {least} pieces at least, and nobody has that many: shorten the routes, or remove the ticket"
            found.append(BoardError(f"{folder.name}/tickets.csv", reason, lines.get(ticket.id)).coded("ticket_too_long", least=least))
    ends = Counter(end for route in board.routes for end in (route.a, route.b))
    for city in board.cities:
        if not ends[city.id]:
            reason = f"no route leads to {city.id}: add one, or remove the city"
            found.append(BoardError(f"{folder.name}/cities.csv", reason, lines.get(city.id)).coded("city_alone"))
    return found


def namesakes(folder: Path, board: Board) -> list[BoardError]:
    """Cities that nobody can tell apart."""
    lines = lines_in(folder, "cities.csv")
    first: dict[str, str] = {}
    found = []
    for city in board.cities:
        if (other := first.setdefault(city.name, city.id)) != city.id:
            reason = f"{city.id} is called {city.name!r}, as is {other}: give one of them another name"
            found.append(BoardError(f"{folder.name}/cities.csv", reason, lines.get(city.id)))
    return found


def odd_tracks(folder: Path, board: Board) -> list[BoardError]:
    """Tracks between the same cities whose ids are not numbered, and single ones with a number."""
    if not board.routes:
        return []
    lines = lines_in(folder, "routes.csv")
    ways: dict[str, list[Any]] = {}
    for route in board.routes:
        ways.setdefault(f"{route.a}-{route.b}", []).append(route)
    found = [(route, reason) for way, routes in ways.items() for route, reason in odd_ids(way, routes)]
    return [BoardError(f"{folder.name}/routes.csv", reason, lines.get(route)) for route, reason in found]


def odd_ids(way: str, routes: list[Any]) -> Iterator[tuple[str, str]]:
    wanted = [way] if len(routes) == 1 else [f"{way}.{number}" for number in range(1, len(routes) + 1)]
    odd = [route.id for route in routes if route.id not in wanted]
    if odd and len(routes) == 1:
        yield odd[0], f"{odd[0]} is the only track between its cities: call it {way}"
    elif odd:
        yield odd[0], f"{odd[0]} is one of {len(routes)} tracks between its cities: call them {' and '.join(wanted)}"


def lines_in(folder: Path, file: str) -> dict[str, int]:
    """Where each id stands in a table."""
    return {row.cells["id"]: row.line for row in rows_of(folder, file)}


def rows_of(folder: Path, file: str) -> list[Any]:
    return list(read_rows(folder, file, tuple(header_of(folder, file))))


def joined_cities(board: Board) -> dict[str, str]:
    """For each city the name of the part of the network that it is in."""
    part = {city.id: city.id for city in board.cities}

    def of(city: str) -> str:
        return city if part[city] == city else of(part[city])

    for route in board.routes:
        part[of(route.a)] = of(route.b)
    return {city.id: of(city.id) for city in board.cities}


def shortest(board: Board, start: str, end: str) -> int | None:
    """Spaces of the shortest way; None if there is none."""
    return distances(board.routes, start).get(end)


def distances(routes: Iterable[Any], start: str) -> dict[str, int]:
    """Spaces of the shortest way from a city to every city that can be reached; a route has `a`, `b` and `length`."""
    beside: dict[str, list[tuple[str, int]]] = {}
    for route in routes:
        beside.setdefault(route.a, []).append((route.b, route.length))
        beside.setdefault(route.b, []).append((route.a, route.length))
    found: dict[str, int] = {}
    ahead = [(0, start)]
    while ahead:
        far, city = heappop(ahead)
        if city not in found:
            found[city] = far
            for other, length in beside.get(city, ()):
                heappush(ahead, (far + length, other))
    return found
