"""Shortest ways on a board, for saying why something is as it is."""

from __future__ import annotations

from heapq import heappop, heappush

from branchline.boards import Board


def distances(board: Board, start: str) -> dict[str, int]:
    """Spaces of the shortest way from a city to each that can be reached."""
    known: dict[str, int] = {}
    waiting = [(0, start)]
    while waiting:
        spaces, city = heappop(waiting)
        if city not in known:
            known[city] = spaces
            for route in board.routes:
                if city in (route.a, route.b):
                    heappush(waiting, (spaces + route.length, route.b if city == route.a else route.a))
    return known


def on_shortest_ways(board: Board, route_id: str) -> int:
    """Over how many tickets' shortest ways a route leads, or over one of several."""
    route = next(one for one in board.routes if one.id == route_id)
    from_a, from_b = distances(board, route.a), distances(board, route.b)
    far = 10**6
    number = 0
    for ticket in board.tickets:
        whole = distances(board, ticket.a).get(ticket.b, far)
        ways = (from_a.get(ticket.a, far) + from_b.get(ticket.b, far), from_b.get(ticket.a, far) + from_a.get(ticket.b, far))
        number += not ticket.is_tour and min(ways) + route.length == whole
    return number
