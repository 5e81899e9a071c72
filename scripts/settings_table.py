"""Writes the table of settings in docs/operating.md from their declaration: `python scripts/settings_table.py`."""

from __future__ import annotations

import re
from pathlib import Path

from branchline.server.settings import Declared, declared

PAGE = Path(__file__).parents[1] / "docs" / "operating.md"
FIRST = "<!-- This table is written by scripts/settings_table.py. Edit the declarations, not the table. -->"
LAST = "<!-- The end of the table. -->"


def row(one: Declared) -> str:
    value = int(one.default) if isinstance(one.default, float) and one.default.is_integer() else one.default
    default = "" if value in ("", ()) else f"`{value}`"
    return f"| `{one.option}` | `{one.variable}` | {default} | {one.about} |"


def table() -> str:
    return "\n".join(["| option | variable | default | |", "| --- | --- | --- | --- |", *map(row, declared())])


def with_table(text: str) -> str:
    return re.sub(f"{re.escape(FIRST)}.*?{re.escape(LAST)}", lambda _: f"{FIRST}\n{table()}\n{LAST}", text, flags=re.DOTALL)


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
