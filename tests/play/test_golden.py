"""Golden play-throughs: whole games in readable form, which must never change unless the rules' version does.

To write them again after a change of behaviour (and of the version): python -m tests.play.test_golden
"""

from pathlib import Path

from branchline import Game, Record
from branchline.bots import make_bot
from branchline.play.records import read_records
from branchline.play.wording import Speaker

FOLDER = Path(__file__).parent / "golden"
GAMES = {"card-game": (4, 1830), "europe": (3, 2026), "london": (2, 1846), "usa": (4, 1869), "world": (3, 1872)}


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


def test_golden_play_through(game):
    text, record = play_through(game)
    assert text == (FOLDER / f"{game}.txt").read_text(encoding="utf-8")
    assert record.to_json() + "\n" == (FOLDER / f"{game}.json").read_text(encoding="utf-8")


def test_old_records_replay(game):
    for record in read_records(FOLDER / f"{game}.json"):
        assert record.replay().is_over


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in GAMES:
        written, made = play_through(name)
        (FOLDER / f"{name}.txt").write_text(written, encoding="utf-8")
        (FOLDER / f"{name}.json").write_text(made.to_json() + "\n", encoding="utf-8")
