"""Every event: its number in the log, its name, when it happens, and its fields.

In the log an event is a row of four integers: (event, seat, what, amount). `rules/log.py` writes it, `play/events.py` reads it.
Numbers and names never change, because records hold them; a new event gets the next number.
"""

from __future__ import annotations

from branchline.rules.vocabulary.fields import (
    AMOUNT_COLUMN,
    BUILDING,
    CARD,
    CARDS,
    CITY,
    COLOUR,
    COMPLETED_ROW,
    COMPLETIONS,
    DECK,
    DESTINATION,
    KEPT_ROW,
    MOVE,
    NEWS,
    NUMBER,
    OFFERED_ROW,
    PAYMENT,
    RETURNED_ROW,
    ROUTE,
    ROW,
    SEAT,
    SEAT_COLUMN,
    SPACE,
    TICKETS,
    WHAT_COLUMN,
    Event,
    Field,
    FieldType,
    covered,
    noted,
    optional,
    secret,
)

EVENTS: dict[int, Event] = {}  # by number


def event(number: int, name: str, when: str, /, *kinds: str, **fields: Field) -> int:
    """Declare an event. The rules know it by its number."""
    assert number not in EVENTS, f"two events have the number {number}"
    EVENTS[number] = Event(name, when, fields, number, kinds)
    return number


def what(kind: FieldType) -> Field:
    return Field(kind, WHAT_COLUMN)


def amount(kind: FieldType) -> Field:
    return Field(kind, AMOUNT_COLUMN)


ACTOR = Field(SEAT, SEAT_COLUMN)  # whose event it is
ALL_CARDS = Field(CARDS)

START = event(1, "start", "once, first", first_seat=what(SEAT))
DEAL = event(2, "deal", "cards are dealt to a hand", seat=ACTOR, cards=secret(ALL_CARDS, "count"))
LAY_ROW = event(3, "lay_row", "the whole face-up row is laid", cards=noted(Field(ROW), "null: an empty space"))
CLEAR_ROW = event(4, "clear_row", "the row is discarded because of too many wilds", NEWS, cards=Field(ROW))
OFFER_TICKETS = event(
    5,
    "offer_tickets",
    "tickets are drawn",
    seat=ACTOR,
    tickets=secret(noted(Field(TICKETS, rows=OFFERED_ROW), "in drawn order"), "count"),
    keep_at_least=what(NUMBER),
)
KEEP_TICKETS = event(
    6,
    "keep_tickets",
    "the choice is made; during set-up for all seats together, after the last has chosen",
    MOVE,
    seat=ACTOR,
    kept=secret(Field(TICKETS, rows=KEPT_ROW), "kept_count"),
    returned=secret(noted(Field(TICKETS, rows=RETURNED_ROW), "in the order put back"), "returned_count"),
    to=noted(what(DESTINATION), '`"box"`, `"bottom"` or `"deck"`'),
)
TURN = event(7, "turn", "a turn begins", seat=ACTOR)
DRAW = event(8, "draw", "a blind draw", seat=ACTOR, deck=what(DECK), card=secret(amount(CARD)))
TAKE = event(9, "take", "a face-up card is taken", seat=ACTOR, space=what(SPACE), card=amount(CARD))
FILL = event(10, "fill", "a face-up space is refilled", space=what(SPACE), deck=Field(DECK, SEAT_COLUMN), card=amount(CARD))
RESHUFFLE = event(11, "reshuffle", "discards become the deck, right before the event that needs a card", deck=what(DECK), count=amount(NUMBER))
CLAIM = event(
    12,
    "claim",
    "a route is claimed",
    MOVE,
    PAYMENT,
    seat=ACTOR,
    route=what(ROUTE),
    cards=noted(ALL_CARDS, "all that were spent"),
    points=amount(NUMBER),
)
TUNNEL_LAY = event(13, "tunnel_lay", "a tunnel is tried", PAYMENT, seat=ACTOR, route=what(ROUTE), cards=ALL_CARDS)
TUNNEL_REVEAL = event(14, "tunnel_reveal", "cards are turned up", cards=ALL_CARDS, owed=noted(amount(NUMBER), "how many must be added"))
TUNNEL_ABANDON = event(15, "tunnel_abandon", "the laid cards go back to the hand", MOVE, seat=ACTOR, route=what(ROUTE))
STATION = event(16, "station", "a station is built", MOVE, PAYMENT, BUILDING, seat=ACTOR, city=what(CITY), cards=ALL_CARDS)
PASS = event(17, "pass", "no legal action", seat=ACTOR)
LAST_TURNS = event(
    18,
    "last_turns",
    "the end is announced: with few pieces at the end of the turn, with an empty deck at once",
    NEWS,
    seat=noted(optional(ACTOR), "who caused it; absent if a deal did"),
    each=amount(NUMBER),
)
END = event(19, "end", "the last turn is over")
HARBOUR = event(20, "harbour", "a harbour is built", MOVE, PAYMENT, BUILDING, seat=ACTOR, city=what(CITY), cards=ALL_CARDS)
CHOOSE_SUPPLY = event(
    21, "choose_supply", "for all seats together, after the last has chosen its pieces", seat=ACTOR, trains=what(NUMBER), ships=amount(NUMBER)
)
EXCHANGE = event(
    22,
    "exchange",
    "pieces are exchanged",
    MOVE,
    seat=ACTOR,
    trains=noted(what(NUMBER), "the change in its supply"),
    ships=Field(NUMBER, WHAT_COLUMN, negated=True),
    points=noted(amount(NUMBER), "negative"),
)
MOVE_TO_TRACK = event(
    23,
    "move_to_track",
    "one card of each row goes to the track pile; not with an empty yard",
    seat=ACTOR,
    cards=noted(covered(ALL_CARDS, "count"), "people at a table are shown `count`"),
)
PLACE = event(24, "place", "cards are placed in the yard", seat=ACTOR, cards=ALL_CARDS)
ROB = event(25, "rob", "right after its `place`", NEWS, seat=noted(ACTOR, "the robber"), victim=what(SEAT), colour=amount(COLOUR), cards=ALL_CARDS)
COMPLETE_TICKETS = event(
    26,
    "complete_tickets",
    "the end of a pass, for every seat, even if empty",
    seat=ACTOR,
    tickets=noted(Field(COMPLETIONS, rows=COMPLETED_ROW), "list of `{ticket, cards}`"),
)
SECOND_PASS = event(27, "second_pass", "a second pass begins", NEWS, deck=noted(amount(NUMBER), "its cards before dealing"))
