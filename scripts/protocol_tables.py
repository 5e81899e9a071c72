"""Writes the tables of messages in docs/protocol.md from their declarations: `python scripts/protocol_tables.py`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from branchline.bots.processes.messages import ANSWERS, PARTS, SENT, Message
from branchline.rules.vocabulary.decisions import BLOCKS
from branchline.rules.vocabulary.phases import MOVING, OVER, PHASES

PAGE = Path(__file__).parents[1] / "docs" / "protocol.md"
FIRST = "<!-- This part is written by scripts/protocol_tables.py. Edit the declarations, not the tables. -->"
LAST = "<!-- The end of this part. -->"
NAMES = {"string": "text", "integer": "whole number", "boolean": "true or false", "null": "null"}


def in_words(field: dict[str, Any]) -> str:
    """The type of a field, from its JSON schema."""
    if "anyOf" in field:
        return " or ".join(dict.fromkeys(map(in_words, field["anyOf"])))
    if "$ref" in field:
        return f"[{field['$ref'].rpartition('/')[2]}](#parts-of-a-view)"
    if "enum" in field:
        return " or ".join(f"`{one}`" for one in field["enum"])
    if "const" in field:
        return f"`{field['const']}`"
    if field.get("type") == "array":
        return f"list ({in_words(field['items'])})" if field.get("items") else "list"
    if field.get("type") == "object":
        inner = field.get("additionalProperties")
        return f"object (name: {in_words(inner)})" if isinstance(inner, dict) else "object"
    kind = str(field.get("type", "anything"))
    return NAMES.get(kind, kind)


def present(field: dict[str, Any]) -> dict[str, Any]:
    """The field where it is there: what has no value is left out, and never null."""
    return field | {"anyOf": [one for one in field["anyOf"] if one.get("type") != "null"]} if "anyOf" in field else field


def table(message: type[Message]) -> str:
    schema = message.model_json_schema(mode="validation")
    rows = []
    for name, field in schema["properties"].items():
        if name == "type":
            continue
        default = field.get("default")
        is_default_told = default not in (None, "", message.model_fields[name].default if name == "protocol" else None)
        note = field.get("description", "") + (f" Default: `{json.dumps(default)}`." if is_default_told else "")
        must = "" if name in schema.get("required", ()) or message in SENT else "optional; "
        rows.append(f"| `{name}` | {must}{in_words(present(field))} | {note.strip()} |")
    return "\n".join(["| field | | |", "| --- | --- | --- |", *rows]) if rows else ""


def section(message: type[Message]) -> str:
    name = message.model_fields["type"].default if "type" in message.model_fields else message.__name__
    answer = f" Answered by `{message.answered_by}`." if message.answered_by else ""
    about = (message.__doc__ or "").strip() if message.__doc__ != Message.__doc__ else ""
    return "\n\n".join(part for part in (f"### `{name}`", f"{about}{answer}".strip(), table(message)) if part)


def phases() -> str:
    rows = [f"| `{phase.name}` | {phase.meaning} |" for number, phase in PHASES.items() if number not in (OVER, MOVING)]
    return "\n".join(["| phase | |", "| --- | --- |", *rows])


def decisions() -> str:
    rows = [f"| `{block.verb}{f' {block.of.name.upper()}' if block.of is not None else ''}` | {block.meaning} |" for block in BLOCKS]
    return "\n".join(["| decision | |", "| --- | --- |", *rows])


def tables() -> str:
    sections = {"What a bot is sent": SENT, "What a bot answers": ANSWERS, "Parts of a view": PARTS}
    parts = [part for title, messages in sections.items() for part in (f"## {title}", *map(section, messages))]
    return "\n\n".join([*parts, "## Phases", phases(), "## Decisions", decisions()])


def with_tables(text: str) -> str:
    return re.sub(f"{re.escape(FIRST)}.*?{re.escape(LAST)}", lambda _: f"{FIRST}\n\n{tables()}\n\n{LAST}", text, flags=re.DOTALL)


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
