"""The figures of a board counted again by hand, from records: slowly, event by event, without NumPy and without the code under test."""

import json
from collections import Counter, defaultdict
from heapq import heappop, heappush

from branchline import Game, load_board
from branchline.simulation import Orders, Plan, simulate

TENTHS = 10


def recorded(game, bots, games, folder):
    file = folder / "games.jsonl"
    simulate(Plan(Game(game, players=len(bots)), bots=tuple(bots), seed=1), Orders(games=games, out=file))
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


class Recount:
    """What a few records show."""

    def __init__(self, game, bots, records):
        self.board, self.bots = load_board(game), bots
        self.offered, self.kept, self.completed, self.points, self.claims, self.why, self.cuts = (Counter() for _ in range(7))
        self.order_wins, self.turns, self.changes, self.led, self.leader_won, self.ends = Counter(), 0, 0, Counter(), Counter(), Counter()
        self.ticket_wins = defaultdict(float)
        self.ends_in = {city.id: [one for one in self.board.routes if city.id in (one.a, one.b)] for city in self.board.cities}
        for record in records:
            self.count(record)

    def count(self, record):
        events, scores, winners = record["events"], record["result"]["scores"], record["result"]["winners"]
        share = {seat: 1 / len(winners) if seat in winners else 0.0 for seat in range(len(scores))}
        first = events[0]["first_seat"]
        for seat in range(len(scores)):
            self.order_wins[(seat - first) % len(scores)] += share[seat]
        offers = {(one["seat"], ticket) for one in events if one["event"] == "offer_tickets" for ticket in one["tickets"]}
        self.offered.update(ticket for _, ticket in offers)
        kept = {(one["seat"], ticket) for one in events if one["event"] == "keep_tickets" for ticket in one["kept"]}
        for seat, ticket in kept:
            self.kept[ticket] += 1
            self.completed[ticket] += ticket in scores[seat]["completed"]
            self.ticket_wins[ticket] += share[seat]
        claims = self.claims_of(events)
        self.claims.update(route for _, route, _ in claims)
        self.follow(claims, sum(one["event"] == "turn" for one in events), share)
        self.explain(claims, kept, scores)
        self.ends["pieces" if any(one["event"] == "last_turns" for one in events) else "passed"] += 1

    def claims_of(self, events):
        """Turn, route and seat of each claim."""
        found, turn = [], 0
        for one in events:
            turn += one["event"] == "turn"
            if one["event"] == "claim":
                found.append((turn, one["route"], one["seat"]))
        return found

    def follow(self, claims, turns, share):
        self.turns += turns
        lengths = {route.id: route.length for route in self.board.routes}
        points, leading, before = Counter(), None, []
        table = self.board.settings["routes"]["points"]
        for turn in range(1, turns + 1):
            for _, route, seat in (one for one in claims if one[0] == turn):
                points[seat] += table[str(lengths[route])]
            ahead = self.alone_in_front(points)
            if ahead is not None and ahead != leading:
                self.changes += leading is not None
                leading = ahead
            before.append(ahead)
        for tenth in range(TENTHS):
            seat = before[(tenth + 1) * turns // TENTHS - 1] if (tenth + 1) * turns >= TENTHS else None
            if seat is not None:
                self.led[tenth] += 1
                self.leader_won[tenth] += share[seat]

    def alone_in_front(self, points):
        most = max((points[seat] for seat in range(len(self.bots))), default=0)
        best = [seat for seat in range(len(self.bots)) if points[seat] == most]
        return best[0] if len(best) == 1 else None

    def explain(self, claims, kept, scores):
        """Play the claims forward; the last claim after which a ticket that could be completed no longer could be is to blame."""
        for seat, ticket in kept:
            if ticket not in scores[seat]["failed"]:
                continue
            possible = [self.can_complete(claims[:number], seat, ticket) for number in range(len(claims) + 1)]
            if possible[-1]:
                self.why[ticket, "out_of_turns"] += 1
            elif not any(possible):
                self.why[ticket, "hopeless"] += 1
            else:
                last = max(number for number, is_possible in enumerate(possible) if is_possible)
                _, route, owner = claims[last]
                self.why[ticket, "spent" if owner == seat else "blocked"] += 1
                self.cuts[route] += owner != seat

    def can_complete(self, claims, seat, ticket):
        """Is there any way that the pieces left allow, with routes of others for stations?"""
        settings, owner = self.board.settings["pieces"], {route: by for _, route, by in claims}
        routes = {route.id: route for route in self.board.routes}
        pieces = settings.get("supply", settings["trains"]) - sum(routes[route].length for _, route, by in claims if by == seat)
        cities = next(one for one in self.board.tickets if one.id == ticket)
        return self.fewest(cities.a, cities.b, owner, seat, settings.get("stations", 0)) <= pieces

    def fewest(self, start, end, owner, seat, stations):
        known, waiting = {}, [(0, start, 0)]
        while waiting:
            cost, city, lent = heappop(waiting)
            if (city, lent) in known or lent > stations:
                continue
            known[city, lent] = cost
            for route in self.ends_in[city]:
                price, station = self.price(route, owner, seat)
                heappush(waiting, (cost + price, route.b if city == route.a else route.a, lent + station))
        return min((cost for (city, _), cost in known.items() if city == end), default=10**6)

    def price(self, route, owner, seat):
        """Pieces, and stations, that a route takes."""
        by = owner.get(route.id)
        if by == seat:
            return 0, 0
        if by is not None:
            return 0, 1
        if route.double:
            twin = route.id[:-1] + ("2" if route.id.endswith("1") else "1")
            few = len(self.bots) < self.board.settings["routes"]["both_tracks_from"]
            if twin in owner and (few or owner[twin] == seat):
                return 10**6, 0
        return route.length, 0
