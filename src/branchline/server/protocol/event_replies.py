"""Events as models, made from their declarations: the page's types follow from them, and the tests hold every event against them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Union

from pydantic import BaseModel, ConfigDict, Field, RootModel, create_model

from branchline.rules.vocabulary import fields as f
from branchline.rules.vocabulary.events import EVENTS
from branchline.server.protocol.table_events import TABLE_EVENTS


class Reply(BaseModel):
    model_config = ConfigDict(extra="forbid")


class CompletedTicket(Reply):
    ticket: str
    cards: list[str]


KINDS: dict[f.FieldType, Any] = {
    f.CARDS: list[str],
    f.ROW: list[str | None],
    f.TICKETS: list[str],
    f.COMPLETIONS: list[CompletedTicket],
    f.DESTINATION: Literal["box", "bottom", "deck"],
    f.FLAG: bool,
} | dict.fromkeys((f.SEAT, f.SPACE, f.NUMBER, f.TIME), int)


def absent_or(kind: Any) -> Any:
    """A field that may be absent, but is never null."""
    return (kind, Field(None, json_schema_extra=lambda schema: schema.pop("default", None)))  # type: ignore[arg-type]  # pydantic ignores the answer


def model_of(event: f.Event) -> type[Reply]:
    fields: dict[str, Any] = {"event": (Literal[event.name], ...)}
    for name, field in event.fields.items():
        kind = KINDS.get(field.type, str)
        fields[name] = absent_or(kind) if field.secret or field.covered or field.optional else (kind, ...)
        if field.counted_as:
            fields[field.counted_as] = absent_or(int)
    words = "".join(word.capitalize() for word in event.name.split("_"))
    return create_model(f"{words}Event", __base__=Reply, __doc__=f"{event.when[0].upper()}{event.when[1:]}.", **fields)


MODELS = tuple(model_of(event) for event in (*EVENTS.values(), *TABLE_EVENTS))
AnyEvent: Any = Annotated[Union[MODELS], Field(discriminator="event")]  # noqa: UP007  # made from a list


class Event(RootModel[AnyEvent]):
    """Something that happened, in the game or at the table; the fields it has depend on its name."""
