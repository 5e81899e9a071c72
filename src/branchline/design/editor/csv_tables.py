"""Writes a table as CSV over what stood there before: columns keep their order, and comments stay with the rows that they precede."""

from __future__ import annotations

import csv
import io

Cells = dict[str, str]


def table_text(before: str, required: tuple[str, ...], optional: tuple[str, ...], rows: list[Cells]) -> str:
    """The rows as a table; `before` is the file as it was, or nothing."""
    comments, header = comments_of(before)
    used = [column for column in optional if any(row.get(column) for row in rows)]
    columns = [*header, *(column for column in (*required, *used) if column not in header)]
    lines = [*comments.pop("", []), joined(columns)]
    for row in rows:
        lines += comments.pop(row[columns[0]], [])
        lines.append(joined([row.get(column, "") for column in columns]))
    lines += [comment for left in comments.values() for comment in left]  # their rows are gone, and what they say may still be of use
    return "\n".join(lines) + "\n"


def joined(cells: list[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(cells)
    return line.getvalue()


AT_THE_END = "#"  # no row has this id


def comments_of(text: str) -> tuple[dict[str, list[str]], list[str]]:
    """Comments by the first cell of the row below them, those above the header under nothing; and the columns."""
    comments: dict[str, list[str]] = {}
    waiting: list[str] = []
    header: list[str] = []
    for line in text.splitlines():
        if not line or line.startswith("#"):
            waiting.append(line)
            continue
        cells = next(csv.reader([line]))
        key = cells[0] if header else ""
        header = header or cells
        if waiting:
            comments[key] = comments.get(key, []) + waiting
            waiting = []
    if waiting:
        comments[AT_THE_END] = waiting
    return comments, header
