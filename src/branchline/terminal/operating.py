"""Lists for operators in the terminal."""

from __future__ import annotations

from datetime import UTC, datetime

from rich.console import Console
from rich.table import Table


def moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


def print_tables(console: Console, tables: list[tuple[str, str, str, float, int, list[str]]]) -> None:
    shown = Table("table", "game", "status", "last entry", "entries", "people", box=None, pad_edge=False)
    for name, game, status, changed_at, entries, people in tables:
        shown.add_row(name, game, status, moment(changed_at), str(entries), ", ".join(people))
    console.print(shown if tables else "No tables.")


def print_blocked(console: Console, blocked: list[tuple[str, float, str]]) -> None:
    shown = Table("network", "since", "reason", box=None, pad_edge=False)
    for network, since, reason in blocked:
        shown.add_row(network, moment(since), reason)
    console.print(shown if blocked else "Nothing is blocked.")
