"""`branchline replay`: steps through a record in words, and checks that decisions and events agree."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from branchline.errors import RecordError
from branchline.play.records import Record, read_records
from branchline.play.wording import in_words, result_lines


def seat_names(record: Record) -> list[str]:
    return [seat["name"] for seat in record.seats]


def tell(console: Console, record: Record, pause: Callable[[], None] | None) -> None:
    """Tell every decision and what followed; `pause` is called before each turn."""
    names = seat_names(record)
    told = 0
    for index, state in enumerate(record.states()):
        if index:
            decision = (record.decisions or [])[index - 1]
            console.print(f"[dim]{index}: {state.game.text(decision)}[/dim]", highlight=False)
        for event in state.events[told:]:
            if pause and event["event"] == "turn":
                pause()
            console.print("  " + in_words(state.game.board, event, names), highlight=False, markup=False)
        told = len(state.events)


def replay_one(console: Console, record: Record, pause: Callable[[], None] | None) -> None:
    tell(console, record, pause)
    state = record.replay()
    if state.is_over:
        for line in result_lines(state.result, seat_names(record)):
            console.print(line, highlight=False, markup=False)
    console.print(f"{len(record.decisions or [])} decisions and {len(record.events)} events agree.", highlight=False)


def check_file(console: Console, path: Path) -> int:
    """Replay every record in a file silently; returns how many there were."""
    checked = 0
    with console.status("Replaying …") as status:
        for record in read_records(path):
            try:
                record.replay()
            except RecordError as error:
                raise RecordError(f"{path}, game {checked + 1}: {error}") from None
            checked += 1
            status.update(f"Replaying … {checked} games agree")
    return checked


def nth_record(path: Path, number: int) -> Record:
    for index, record in enumerate(read_records(path), start=1):
        if index == number:
            return record
    raise RecordError(f"{path} has no game {number}")
