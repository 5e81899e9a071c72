"""Golden play-throughs: whole games in readable form, which must never change unless the rules' version does.

To write them again after a change of behaviour (and of the version): python -m tests.play.test_golden
"""

from dataclasses import replace
from pathlib import Path

import pytest

from branchline import Game, Record, RecordError
from branchline.bots import make_bot
from branchline.play.records import read_records
from branchline.play.wording import Speaker

FOLDER = Path(__file__).parent / "golden"
GAMES = {
    "card-game": (4, 1830),
    "europe": (3, 2026),
    "london": (2, 1846),
    "usa": (4, 1869),
    "world": (3, 1872),
    "new-york": (3, 1904),
    "great-lakes": (2, 1825),
}


ROUTE_GAMES = ("europe", "london", "usa", "world")


def play_through(game: str) -> tuple[str, Record]:
    players, seed = GAMES[game]
    state = Game(game, players).start(seed)
    bots = [make_bot("greedy" if seat == 0 else "random", seat) for seat in state.seats]
    names = [f"{bot.name} {seat}" for seat, bot in enumerate(bots)]
    speaker = Speaker(state.game.board, names=names)
    lines, told = [f"{state.game.board.name}, {players} seats, seed {seed:x}, rules version {state.game.board.rules_version}"], 0
    while True:
        for event in state.events[told:]:
            if event["event"] == "turn" and state.record.turn % 10 == 1:
                lines += ["", *("    " + line for line in str(state).splitlines()), ""]
            lines.append(speaker.event(event))
        told = len(state.events)
        if state.is_over:
            break
        choices = state.legal_texts
        view = state.view(state.seat)
        decision = bots[state.seat].decide(view)
        listed = ", ".join(choices[:6]) + (" …" if len(choices) > 6 else "")
        lines.append(f"> seat {state.seat} decides: {state.game.text(decision)}   [{len(choices)} choices: {listed}]")
        state.apply(decision)
    lines += ["", *speaker.result(state.result), str(state.result)]
    seats = [{"name": name, "player": f"bot:{bot.name}"} for name, bot in zip(names, bots, strict=True)]
    return "\n".join(lines) + "\n", Record.of(state, seats)


@pytest.mark.parametrize("board", GAMES)
def test_golden_play_through(board):
    text, record = play_through(board)
    assert text == (FOLDER / f"{board}.txt").read_text(encoding="utf-8")
    assert record.to_json() + "\n" == (FOLDER / f"{board}.json").read_text(encoding="utf-8")


def test_g_1_records_of_version_1_replay_byte_for_byte(game):
    """Games of the fewest and the most players, at random and hoarding cards until decks and discards are empty, and the golden games of then."""
    lines = (FOLDER.parent / "version_1" / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) >= 5
    for line in lines:
        record = Record.from_json(line)
        assert record.rules_version == 1
        assert Record.of(record.replay(), record.seats).to_json() == line


def hoarded(record: Record) -> bool:
    """Was a face-up card taken while decks and discards were empty, as only version 1 allows (G-14)?"""
    return any(
        state.record.deck_size.sum() == state.record.discards_size.sum() == 0 and state.game.text(decision).startswith("take")
        for state, decision in zip(record.states(), record.decisions, strict=False)
    )


@pytest.mark.parametrize("route_game", ROUTE_GAMES)
def test_g_14_the_records_of_version_1_hold_what_version_2_forbids(route_game):
    records = list(read_records(FOLDER.parent / "version_1" / f"{route_game}.jsonl"))
    assert any(map(hoarded, records))
    for record in records:
        if hoarded(record):
            with pytest.raises(RecordError):
                replace(record, rules_version=2).replay()


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in GAMES:
        written, made = play_through(name)
        (FOLDER / f"{name}.txt").write_text(written, encoding="utf-8")
        (FOLDER / f"{name}.json").write_text(made.to_json() + "\n", encoding="utf-8")
