"""What happens on a board, in the words of a language: names of things, events, decisions, reasons, results.

Events need no code of their own. The values of an event's message (`event.claim`) follow from the types of its fields, here and in the page's
`sentences.ts` alike: see docs/languages.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from branchline.boards import Board
from branchline.boards.model import Card
from branchline.boards.names import city_names
from branchline.boards.presentation import presentation_of
from branchline.boards.texts import own_texts
from branchline.play.events import BY_NAME, Event
from branchline.play.reasons import Reason
from branchline.play.results import SCORE_PARTS
from branchline.rules.vocabulary import fields as f
from branchline.rules.vocabulary.decisions import BLOCKS, EXCHANGE_OF_PIECES, TRAINS
from branchline.words import ENGLISH, Words, spoken_in

HIDDEN = "hidden"  # what messages choose by if a viewer does not see a field, or an event lacks it
MOST_NAMED = 4  # kinds of cards in one sentence
Values = dict[str, Any]


class Speaker:
    """Speaks one language, about one board and the people at it."""

    def __init__(self, board: Board, language: str = ENGLISH, names: Sequence[str] = ()) -> None:
        self.board, self.names = board, names
        self.words: Words = spoken_in(language, presentation_of(board.game).words.terms)
        self.say = self.words.say
        own_names = city_names(board.game)
        self._cities = {city.id: own_names.get(city.id, {}).get(language, city.name) for city in board.cities}
        self._cards = {card.id: card for card in board.cards}
        self._routes = {route.id: route for route in board.routes}
        self._tickets = {ticket.id: ticket for ticket in board.tickets}

    def who(self, seat: int) -> str:
        return self.names[seat] if self.names else self.say("people.seat", seat=seat)

    def city(self, city: str) -> str:
        return self._cities[city]

    def route(self, route: str) -> str:
        """`Berlin–Wien`"""
        facts = self._routes[route]
        return f"{self.city(facts.a)}–{self.city(facts.b)}"

    def kinds(self, route: str) -> list[str]:
        """What a route is besides its length and colour: `tunnel`, `ferry with 2 locomotives`."""
        facts = self._routes[route]
        kinds = [self.say(f"board.{kind}") for kind in ("tunnel", "sea", "pair") if getattr(facts, kind)]
        ferry = [self.say("board.ferry", count=facts.ferry, wild_kind=self.wild_kind)] if facts.ferry else []
        ways = [self.say(f"show.{key}") for key, there in (("double", facts.double), ("edge", facts.over_the_edge)) if there]
        return kinds + ferry + ways

    def ticket(self, ticket: str) -> str:
        """`Berlin–Roma`; of a tour all its cities."""
        return "–".join(self.city(city) for city in self._tickets[ticket].cities)

    def ticket_told_apart(self, ticket: str) -> str:
        """With its points if another ticket has the same name."""
        name = self.ticket(ticket)
        is_alone = all(other == ticket or self.ticket(other) != name for other in self._tickets)
        return name if is_alone else f"{name} ({self.say('common.points', count=self._tickets[ticket].points)})"

    def tickets(self, tickets: Sequence[str]) -> str:
        """`Berlin–Roma (9), …`"""
        return ", ".join(f"{self.ticket(ticket)} ({self._tickets[ticket].points})" for ticket in tickets)

    def points_of(self, tickets: Sequence[str]) -> int:
        return sum(self._tickets[ticket].points for ticket in tickets)

    def colour(self, colour: str) -> str:
        return self.say(f"colour.{colour}")

    @property
    def game(self) -> str:
        """A board that no catalogue names is called what it calls itself, in this language if it can."""
        key = f"game.{self.board.game}"
        own = own_texts(self.board.game, "name") if self.board.is_own else {}
        return self.say(key) if key in self.words else own.get(self.words.language, own.get(ENGLISH, self.board.name))

    @property
    def wild_kind(self) -> str:
        """What wild cards are; messages that decline the word choose by it."""
        return presentation_of(self.board.game).words.wild

    @property
    def wild(self) -> str:
        return self.say(f"wild.{self.wild_kind}")

    @property
    def pieces(self) -> str:
        """What the pieces are; messages choose by it."""
        kinds = int((self.board.record.pieces > 0).sum())
        return "none" if kinds == 0 else "both" if kinds > 1 else presentation_of(self.board.game).words.pieces

    def card(self, card: str) -> str:
        """`red`, `locomotive`, `red double ship`, `red train with an anchor`."""
        facts = self._cards[card]
        if facts.colour is None:
            return self.wild
        if len(self.board.decks) < 2:
            return self.colour(facts.colour)
        kind = f"double_{facts.deck}" if facts.covers > 1 else facts.deck
        return self.say(f"card.{kind}", colour=self.colour(facts.colour), harbour="yes" if facts.harbour else "no")

    def cards(self, cards: Sequence[str | None]) -> str:
        """`3 × green, locomotive`"""
        return self.counted(Counter(card for card in cards if card))

    def counted(self, counts: Mapping[str, int]) -> str:
        return ", ".join(self.card(card) if count == 1 else f"{count}\u00a0×\u00a0{self.card(card)}" for card, count in counts.items())

    def deck(self, deck: str) -> str:
        """Where there are two decks, which of them; messages choose by it."""
        return deck if len(self.board.decks) > 1 else "only"

    def event(self, event: Event) -> str:
        """One event as a sentence; a redacted event says what is known."""
        values: Values = {"who": self.who(event["seat"]) if "seat" in event else "", "wild": self.wild, "pieces": self.pieces}
        for name, field in BY_NAME[event["event"]].fields.items():
            values |= self._field_values(event, name, field)
        return self.say(f"event.{event['event']}", **values)

    def _field_values(self, event: Event, name: str, field: f.Field) -> Values:
        if name not in event:
            counted = {f"{name}_count": event[field.counted_as]} if field.counted_as else {}
            return {name: HIDDEN} | counted
        return {name + suffix: value for suffix, value in SAID[field.type](self, event[name]).items()}

    def decision(self, text: str, row: Sequence[str | None]) -> str:
        """What a decision's text (`claim berlin-wien`) means; `row` are the face-up cards."""
        verb, _, what = text.partition(" ")
        kind = next(block.of for block in BLOCKS if block.verb == verb)
        return self.say(f"decision.{verb}", **(DECIDED[kind](self, what, row) if kind else {}))

    def reason(self, reason: Reason) -> str:
        """Why a decision is not legal."""
        values = {name: value for name, value in reason.values.items() if isinstance(value, str | int)}
        known = LEFT_OUT | values | self._reason_names(reason.values) | self._reason_pieces(reason.values)
        return self.say(f"why.{sentence_of(reason)}", **known)

    def _reason_names(self, values: Values) -> Values:
        named = {name: name_of(self, values[name]) for name, name_of in REASON_NAMES.items() if name in values}
        if "cards" in values:
            named["cards"] = self._alternatives(values["cards"], "route" in values)
        return named | {"wild": self.wild, "wild_kind": self.wild_kind, "who": self.who(values["seat"]) if "seat" in values else ""}

    def _alternatives(self, cards: list[str], is_for_route: bool) -> str:
        """`red or locomotive`; `none` where it would be a long list. For a route, a train card with an anchor is like one without."""
        kinds = [card for card in cards if not (is_for_route and self._has_twin(card, cards))]
        return "none" if len(kinds) > MOST_NAMED else self.words.listed([self.card(card) for card in kinds], "or")

    def _has_twin(self, card: str, cards: list[str]) -> bool:
        """Does the card carry an anchor, and is one of the cards the same without it?"""
        facts, others = self._cards[card], [self._cards[other] for other in cards]
        return facts.harbour and any(not other.harbour and besides_anchor(other) == besides_anchor(facts) for other in others)

    def _reason_pieces(self, values: Values) -> Values:
        """Of the pieces those that the route takes; of an exchange both kinds, of the supply and of the box."""
        trains, ships = (values.get("pieces", {}).get(kind, 0) for kind in ("trains", "ships"))
        box_trains, box_ships = (values.get("box", {}).get(kind, 0) for kind in ("trains", "ships"))
        is_sea = "route" in values and self._routes[values["route"]].sea
        kind, left = ("ships", ships) if is_sea else (self.pieces, trains)
        return {"trains": trains, "ships": ships, "box_trains": box_trains, "box_ships": box_ships, "kind": kind, "left": left}

    def result(self, result: dict[str, Any]) -> list[str]:
        """The final count, a line for each seat, and who wins."""
        lines = [self._score_line(seat, score) for seat, score in enumerate(result["scores"])]
        winners = [self.who(seat) for seat in result["winners"]]
        points = result["scores"][result["winners"][0]]["total"]
        return [*lines, self.say("count.winner" if len(winners) == 1 else "count.winners", names=self.words.listed(winners), points=points)]

    def _score_line(self, seat: int, score: dict[str, Any]) -> str:
        parts = ", ".join(f"{self.say(f'end.part.{part}')} {score[part]}" for part in SCORE_PARTS if part in score)
        done, failed = len(score["completed"]), len(score["failed"])
        return self.say("terminal.score", who=self.who(seat), points=score["total"], parts=parts, done=done, failed=failed)


def besides_anchor(card: Card) -> tuple[str, str | None, int]:
    return card.deck, card.colour, card.covers


def said_of_cards(speaker: Speaker, cards: list[str | None]) -> Values:
    return {"": speaker.cards(cards), "_count": sum(card is not None for card in cards), "_wild": cards.count("wild")}


def said_of_tickets(speaker: Speaker, tickets: list[str]) -> Values:
    return {"": speaker.tickets(tickets), "_count": len(tickets), "_points": speaker.points_of(tickets)}


# an event's values by the types of its fields: the value itself, and more under the field's name with a suffix
SAID: dict[f.FieldType, Callable[[Speaker, Any], Values]] = {
    f.SEAT: lambda speaker, seat: {"": speaker.who(seat), "_number": seat + 1},
    f.ROUTE: lambda speaker, route: {"": speaker.route(route)},
    f.CITY: lambda speaker, city: {"": speaker.city(city)},
    f.CARD: lambda speaker, card: {"": speaker.card(card)},
    f.DECK: lambda speaker, deck: {"": speaker.deck(deck)},
    f.COLOUR: lambda speaker, colour: {"": speaker.colour(colour)},
    f.SPACE: lambda _, space: {"": space + 1},
    f.NUMBER: lambda _, number: {"": number, "_lost": max(0, -number)},
    f.DESTINATION: lambda _, destination: {"": destination},
    f.CARDS: said_of_cards,
    f.ROW: said_of_cards,
    f.TICKETS: said_of_tickets,
    f.COMPLETIONS: lambda speaker, done: said_of_tickets(speaker, [one["ticket"] for one in done]),
}


# the values of a decision's message, by what its block is of
DECIDED: dict[f.FieldType, Callable[[Speaker, str, Sequence[str | None]], Values]] = {
    f.ROUTE: lambda speaker, route, _: {"route": speaker.route(route)},
    f.CITY: lambda speaker, city, _: {"city": speaker.city(city), "kind": "harbour" if speaker.board.record.harbours else "station"},
    f.TICKET: lambda speaker, ticket, _: {"ticket": speaker.ticket_told_apart(ticket)},
    f.CARD: lambda speaker, card, _: {"card": speaker.card(card)},
    f.SPACE: lambda speaker, space, row: {"card": speaker.cards([row[int(space)]])},
    f.DECK: lambda _, deck, __: {"deck": deck},
    TRAINS: lambda _, trains, __: {"trains": int(trains)},
    EXCHANGE_OF_PIECES: lambda _, exchange, __: {"count": int(exchange.split()[0]), "piece": exchange.split()[-1]},
}

# what a reason may leave out
LEFT_OUT: Values = {"count": 0, "length": 0, "ferry": 0, "cards": "none", "card": "", "colour": "", "city": "", "ticket": ""}
LEFT_OUT |= {"building": "station", "deck": "only"}
REASON_NAMES: dict[str, Callable[[Speaker, str], str]] = {
    "card": Speaker.card,
    "colour": Speaker.colour,
    "city": Speaker.city,
    "route": Speaker.route,
    "ticket": Speaker.ticket,
    "deck": Speaker.deck,
}


def sentence_of(reason: Reason) -> str:
    """Some reasons have several sentences."""
    if reason.key == "finish_first":
        return f"finish.{reason.values['phase'].replace(' ', '_')}"
    if reason.key == "needs_for_building" and "count" not in reason.values:
        return "far_from_building"
    return reason.key


def in_english(board: Board, reason: Reason) -> str:
    """A reason for readers who have not chosen a language: programs, logs."""
    return Speaker(board).reason(reason)
