"""Write what follows from the declared events and the catalogues of messages into the docs and the page:
docs/record.md, docs/server.md, web/src/api/vocabulary.ts and web/src/i18n/keys.ts.

python scripts/vocabulary.py
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from branchline.rules.vocabulary.events import EVENTS
from branchline.rules.vocabulary.fields import EVENT_KINDS, Event, Field
from branchline.server.protocol.table_events import TABLE_EVENTS
from branchline.words import ENGLISH
from branchline.words.languages import HERE

ROOT = Path(__file__).parents[1]
FIRST = "<!-- This table is written by scripts/vocabulary.py. Edit the declarations, not the table. -->"
LAST = "<!-- The end of the table. -->"
TABLES = {"docs/record.md": EVENTS.values(), "docs/server.md": TABLE_EVENTS}
TYPES = "web/src/api/vocabulary.ts"
KEYS = "web/src/i18n/keys.ts"


def described(name: str, field: Field) -> str:
    return f"`{name}` ({field.note})" if field.note else f"`{name}`"


def event_table(events: Iterable[Event]) -> str:
    rows = [f"| `{one.name}` | {', '.join(described(*field) for field in one.fields.items())} | {one.when} |" for one in events]
    return "\n".join([FIRST, "| event | fields | when |", "| --- | --- | --- |", *rows, LAST])


def with_table(page: str, text: str) -> str:
    """A page with its table up to date; `text` is what it was."""
    before, rest = text.split(FIRST)
    return before + event_table(TABLES[page]) + rest.split(LAST)[1]


HEAD = "/** The fields of every event, by name. Written by scripts/vocabulary.py from the declarations in Python. */"


def typed(field: Field) -> dict[str, str]:
    return {"type": field.type.name} | ({"counted_as": field.counted_as} if field.counted_as else {})


def typescript() -> str:
    """What an event's fields are, for the page to put into words."""
    lines = [HEAD, "export const EVENTS = {"]
    for event in (*EVENTS.values(), *TABLE_EVENTS):
        lines.append(f"  {event.name}: {json.dumps({name: typed(field) for name, field in event.fields.items()})},")
    names = json.dumps([event.name for event in TABLE_EVENTS])
    lines += ["} as const", "", "/** What happens at the table besides the game. */", f"export const TABLE_EVENTS: readonly string[] = {names}", ""]
    return "\n".join([*lines, *events_by_kind(), ""])


def events_by_kind() -> list[str]:
    """Which events are of a kind."""
    lines = ["/** Events by what they are besides: a move, a building. */", "export const EVENTS_BY_KIND = {"]
    for kind in EVENT_KINDS:
        lines.append(f"  {kind}: {json.dumps([event.name for event in (*EVENTS.values(), *TABLE_EVENTS) if kind in event.kinds])},")
    return [*lines, "} as const"]


KEYS_HEAD = "/** The keys of all messages that the page can show. Written by scripts/vocabulary.py from the folder of the English catalogues. */"


def message_keys() -> str:
    names = sorted(path.stem for path in (HERE / ENGLISH / "messages").glob("*.json"))
    imports = [f"import type {name} from '$words/{ENGLISH}/messages/{name}.json'" for name in names]
    return "\n".join([KEYS_HEAD, *imports, "", "export type Key =", *(f"  | keyof typeof {name}" for name in names), ""])


def main() -> None:
    for page in TABLES:
        path = ROOT / page
        path.write_text(with_table(page, path.read_text(encoding="utf-8")), encoding="utf-8")
    (ROOT / TYPES).write_text(typescript(), encoding="utf-8")
    (ROOT / KEYS).write_text(message_keys(), encoding="utf-8")


if __name__ == "__main__":
    main()
