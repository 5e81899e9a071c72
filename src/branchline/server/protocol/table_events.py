"""What happens at a table apart from the game, declared like the game's events (`rules/vocabulary/events.py`). `table.py` tells viewers."""

from __future__ import annotations

from branchline.rules.vocabulary.fields import FLAG, NEWS, NUMBER, SEAT, TEXT, TIME, Event, Field, noted, optional

TABLE_EVENTS: list[Event] = []


def table_event(name: str, when: str, /, *kinds: str, **fields: Field) -> str:
    TABLE_EVENTS.append(Event(name, when, fields, kinds=kinds))
    return name


A_SEAT, A_TEXT = Field(SEAT), Field(TEXT)

SIT = table_event(
    "sit", "a person takes a seat", seat=A_SEAT, name=A_TEXT, commitment=noted(optional(A_TEXT), "to the person's number; absent: there is none")
)
RESERVE = table_event("reserve", "a seat is kept for somebody who played the last game", seat=A_SEAT, name=A_TEXT)
RISE = table_event("rise", "a person leaves a seat before the game", seat=A_SEAT)
DRAW_LOTS = table_event("draw_lots", "it is settled who plays, and the players' numbers are asked for")
LEFT_OUT = table_event("left_out", "a promised number did not come in time: the cards are shuffled without it", seat=A_SEAT)
BEGIN = table_event("begin", "the game begins", commitment=A_TEXT)
UNDO = table_event("undo", "a seat takes back what others have seen", seat=A_SEAT, events=noted(Field(NUMBER), "how many events are taken back"))
LEAVE = table_event("leave", "a person goes away during the game", NEWS, seat=A_SEAT)
TAKE_OVER = table_event("take_over", "a bot plays for a person", NEWS, seat=A_SEAT, reason=noted(A_TEXT, '`"left"`, `"time"` or `"vote"`'))
REPLACE = table_event("replace", "a seat wants a bot to play for a silent one", seat=A_SEAT, other=noted(A_SEAT, "the silent one"))
RETURN = table_event("return", "the person is back", NEWS, seat=A_SEAT)
SAY = table_event("say", "chat: a text or a ready-made phrase", seat=A_SEAT, at=Field(TIME), text=optional(A_TEXT), phrase=optional(A_TEXT))
ABANDON = table_event(
    "abandon", "a seat votes to end the game, or the host closes the table", seat=noted(optional(A_SEAT), "absent: the host"), gives_up=Field(FLAG)
)
EXPIRE = table_event("expire", "nobody has played for a long time")
REMATCH = table_event("rematch", "the next game is ready", seat=optional(A_SEAT), table=A_TEXT)
