"""`branchline replay`: steps through a record in words, and checks that decisions and events agree."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from branchline.boards import load_board
from branchline.errors import RecordError
from branchline.play.games import State
from branchline.play.records import Record, read_records
from branchline.play.replays.page import replay_page
from branchline.play.wording import Speaker
from branchline.words import ENGLISH


def tell(console: Console, record: Record, speaker: Speaker, chances: bool, pause: Callable[[], None] | None) -> None:
    """Tell every decision and what followed; `pause` is called before each turn. With `chances`, each turn ends with everybody's."""
    told = 0
    for index, state in enumerate(record.states()):
        if index:
            decision = (record.decisions or [])[index - 1]
            console.print(f"[dim]{index}: {state.game.text(decision)}[/dim]", highlight=False)
        for event in state.events[told:]:
            if pause and event["event"] == "turn":
                pause()
            console.print("  " + speaker.event(event), highlight=False, markup=False)
        if chances and any(event["event"] == "turn" for event in state.events[told:]) and not state.is_over:
            console.print(f"  [dim]{speaker.say('terminal.chances', seats=shown_chances(state, speaker))}[/dim]", highlight=False)
        told = len(state.events)


def shown_chances(state: State, speaker: Speaker) -> str:
    """Each seat's chance to win, on average over what all seats see."""
    from branchline.bots.chances import mean_chances  # it needs the bots compiled

    return ", ".join(f"{speaker.who(seat)} {round(100 * chance)} %" for seat, chance in enumerate(mean_chances(state)))


def replay_one(console: Console, record: Record, step: bool, language: str = ENGLISH, chances: bool = False) -> None:
    """The whole game in words; with `step`, turn by turn."""
    state = record.replay()
    speaker = Speaker(state.game.board, language, [seat["name"] for seat in record.seats])
    tell(console, record, speaker, chances, (lambda: wait(console, speaker)) if step else None)
    if state.is_over:
        for line in speaker.result(state.result):
            console.print(line, highlight=False, markup=False)
    console.print(speaker.say("terminal.agree", decisions=len(record.decisions or []), events=len(record.events)), highlight=False)


def write_page(console: Console, record: Record, file: Path, seat: int | None, language: str) -> None:
    """The game as a page in one file. Of a game that is not over, it is said what the file gives away."""
    page = replay_page(record, seat, language)
    file.write_text(page, encoding="utf-8")
    speaker = Speaker(load_board(record.game), language)
    console.print(speaker.say("terminal.page_written", file=str(file), kilobytes=round(len(page.encode()) / 1000)), highlight=False, soft_wrap=True)
    if "winners" not in record.result and seat is None:
        console.print(speaker.say("terminal.page_tells_all"), highlight=False, soft_wrap=True)


def wait(console: Console, speaker: Speaker) -> None:
    console.input(f"[dim]{speaker.say('terminal.enter')}[/dim]")


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
