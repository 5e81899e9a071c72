"""What an event's fields hold, where they are in the log, and who may see them."""

from __future__ import annotations

from dataclasses import dataclass, replace

# columns of a log row; column 0 holds the event's number
SEAT_COLUMN, WHAT_COLUMN, AMOUNT_COLUMN = 1, 2, 3
PARTS = -1  # in rows of their own, after the event's

# rows that belong to the event before them
CARD_ROW, OFFERED_ROW, KEPT_ROW, RETURNED_ROW, COMPLETED_ROW = range(100, 105)


@dataclass(frozen=True)
class FieldType:
    """What a value is. The page and the docs use the same name."""

    name: str
    is_list: bool = False


SEAT = FieldType("seat")
ROUTE = FieldType("route")
CITY = FieldType("city")
CARD = FieldType("card")
DECK = FieldType("deck")
COLOUR = FieldType("colour")
TICKET = FieldType("ticket")
SPACE = FieldType("space")  # a space of the face-up row
NUMBER = FieldType("number")
DESTINATION = FieldType("destination")  # where returned tickets go: "box", "bottom" or "deck"
CARDS = FieldType("cards", is_list=True)
ROW = FieldType("row", is_list=True)  # a card or nothing for each face-up space
TICKETS = FieldType("tickets", is_list=True)
COMPLETIONS = FieldType("completions", is_list=True)  # tickets, each with the cards spent on it
TEXT = FieldType("text")
FLAG = FieldType("flag")  # true or false
TIME = FieldType("time")  # seconds since 1970


@dataclass(frozen=True)
class Field:
    type: FieldType
    column: int = PARTS
    rows: int = CARD_ROW  # of a list: the rows that hold it
    secret: bool = False  # only the event's own seat may see it
    covered: bool = False  # everybody has seen it, but people are shown only how many there are
    counted_as: str | None = None  # others, or people, see how many there are, under this name
    optional: bool = False
    negated: bool = False  # the log stores it with the opposite sign
    note: str = ""


def secret(field: Field, counted_as: str | None = None) -> Field:
    """Only the event's own seat may see it; of a list, others see the length."""
    return replace(field, secret=True, counted_as=counted_as)


def covered(field: Field, counted_as: str) -> Field:
    """Everybody has seen the cards on their way, but people are not shown again what lies in the pile (CG-8)."""
    return replace(field, covered=True, counted_as=counted_as)


def noted(field: Field, note: str) -> Field:
    """With a few words for the docs."""
    return replace(field, note=note)


def optional(field: Field) -> Field:
    return replace(field, optional=True)


@dataclass(frozen=True)
class Event:
    name: str
    when: str
    fields: dict[str, Field]
    number: int = 0  # in the log; events of a table, not of the game, have none
    kinds: tuple[str, ...] = ()  # of those below


# kinds of events: what shows or counts them asks for a kind, and so knows of a new event from its declaration
PAYMENT = "payment"  # ends a payment with its `cards`
BUILDING = "building"  # puts something into its `city`
MOVE = "move"  # what a seat does in its turn: told over the board, unless the seats tell it themselves
NEWS = "news"  # told over the board in any case
EVENT_KINDS = (PAYMENT, BUILDING, MOVE, NEWS)
