#!/usr/bin/env python3
"""A bot in plain Python, without the branchline package: it looks for the cheapest way for each ticket, and claims what lies on these ways. Try it:

    branchline check-bot examples/bots/surveyor.py
    branchline arena examples/bots/surveyor.py greedy

It speaks the protocol in docs/protocol.md, a line of JSON each way. Anything printed for people must go to stderr.
"""

import heapq
import json
import sys
from itertools import pairwise


class Surveyor:
    def new_game(self, message):
        self.board, self.seat = message["board"], message["seat"]
        self.cards, self.routes, self.tickets = ({one["id"]: one for one in self.board[kind]} for kind in ("cards", "routes", "tickets"))
        self.at = {}  # the routes of each city
        for route in self.board["routes"]:
            for here, there in ((route["a"], route["b"]), (route["b"], route["a"])):
                self.at.setdefault(here, []).append((there, route["id"]))

    def cheapest_way(self, start, end, costs):
        """The cost of the cheapest way over own and free routes, and its routes that are still free; None if there is no way."""
        waiting, seen = [(0, start, [])], set()
        while waiting:
            cost, here, way = heapq.heappop(waiting)
            if here == end:
                return cost, way
            if here not in seen:
                seen.add(here)
                for there, route in self.at.get(here, ()):
                    if route in costs and there not in seen:
                        heapq.heappush(waiting, (cost + costs[route], there, way + [route] * (costs[route] > 0)))
        return None

    def costs(self, view):
        """Nothing for own routes, the length for free ones; those of others are left out."""
        own = set(view["seats"][self.seat].get("routes", ()))
        taken = {route for seat, facts in enumerate(view["seats"]) if seat != self.seat for route in facts.get("routes", ())}
        pieces = sum(view["seats"][self.seat].get("pieces", {}).values())
        free = {name: route["length"] + 1 for name, route in self.routes.items() if name not in taken and route["length"] <= pieces}
        return free | dict.fromkeys(own, 0)

    def way_of(self, ticket, costs):
        """The same for all parts of a ticket."""
        stops = [ticket["a"], *ticket.get("via", ()), ticket["b"]]
        legs = [self.cheapest_way(start, end, costs) for start, end in pairwise(stops)]
        return None if None in legs else (sum(cost for cost, _ in legs), [route for _, way in legs for route in way])

    def wanted(self, view):
        own, costs = view["seats"][self.seat], self.costs(view)
        open_tickets = [self.tickets[name] for name in own.get("held", ()) if name not in own.get("done", ())] if self.routes else []
        ways = [self.way_of(ticket, costs) for ticket in open_tickets]
        return {route for way in ways if way for route in way[1]}

    def needs(self, view, wanted):
        """How many cards of each colour are wanted."""
        needs = {}
        for route in wanted:
            needs[self.routes[route]["colour"]] = needs.get(self.routes[route]["colour"], 0) + self.routes[route]["length"]
        for ticket in view["seats"][self.seat].get("held", ()):
            for colour in self.tickets[ticket].get("cards", ()):
                needs[colour] = needs.get(colour, 0) + 1
        return needs

    def is_worth_keeping(self, ticket, view):
        if not self.routes:
            return ticket["points"] >= 8
        way = self.way_of(ticket, self.costs(view))
        return way is not None and way[0] <= 2 * ticket["points"]

    def decide(self, view, legal):
        def can(verb):
            return [text for text in legal if text.split()[0] == verb]

        def thing(text):
            return text.split()[1]

        def need(card):
            return needs.get(card["colour"], 0) if card.get("colour") else 100

        wanted = self.wanted(view)
        needs = self.needs(view, wanted)
        if "offer" in view:
            ticket = view["offer"][view["offer_at"]]
            choice = f"{'keep' if self.is_worth_keeping(self.tickets[ticket], view) else 'return'} {ticket}"
            return choice if choice in legal else legal[0]
        if can("complete"):
            return max(can("complete"), key=lambda text: self.tickets[thing(text)]["points"])
        planned = [text for text in can("claim") if thing(text) in wanted]
        if planned:
            return max(planned, key=lambda text: self.routes[thing(text)]["length"])
        if can("claim") and not wanted:
            return max(can("claim"), key=lambda text: self.routes[thing(text)]["points"])
        if can("pay"):  # what nothing else needs
            return min(can("pay"), key=lambda text: need(self.cards[thing(text)]))
        if can("place"):
            return max(can("place"), key=lambda text: view["seats"][self.seat]["known"].get(thing(text), 0))
        takes = {text: need(self.cards[view["row"][int(thing(text))]]) for text in can("take")}
        if any(takes.values()):
            return max(takes, key=takes.get)
        return (can("draw") + can("fill") + can("done") + legal[len(legal) // 2 :])[0]


def main():
    bot = Surveyor()
    for line in sys.stdin:
        message = json.loads(line)
        answer = None
        if message["type"] == "hello":
            answer = {
                "type": "hello",
                "protocol": 1,
                "name": "surveyor",
                "description": "Looks for the cheapest way for each ticket.",
                "wants": ["view"],
            }
        elif message["type"] == "new_game":
            bot.new_game(message)
            answer = {"type": "ready", "id": message["id"]}
        elif message["type"] == "decide":
            answer = {"type": "decision", "id": message["id"], "decision": bot.decide(message["view"], message["legal"])}
        elif message["type"] == "quit":
            return
        if answer is not None:
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
