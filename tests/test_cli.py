"""The command line, as a person would use it."""

import io
import json
import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from rich.console import Console

from branchline import Game, Record, __version__, load_board, read_records
from branchline.boards.presentation import packed_in_order
from branchline.bots import make_bot
from branchline.play.completing import best_choice
from branchline.terminal.game import TerminalGame
from branchline.terminal.seating import new_table, resumed_table
from tests.commands import branchline, branchline_process
from tests.table import give

ROOT = Path(__file__).parents[1]


def test_the_version_is_told_and_stands_in_one_place():
    assert branchline("--version").stdout == f"branchline {__version__}\n"
    assert metadata.version("branchline") == __version__
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" in project["project"]["dynamic"]
    assert f'__version__ = "{__version__}"' in (ROOT / project["tool"]["hatch"]["version"]["path"]).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("branchline sim", ["simulate"]),
        ("branchline show eu", ["europe"]),
        ("branchline play --game lon", ["london"]),
        ("branchline simulate --bots greedy,ran", ["greedy,random"]),
        ("branchline check-bot ex", ["expert"]),
    ],
)
def test_a_shell_completes_commands_games_and_bots(words, completed):
    run = branchline(_BRANCHLINE_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=str(len(words.split()) - 1))
    assert run.stdout.split() == completed


def test_help_names_every_game_that_comes_with_branchline():
    told = " ".join(re.sub(r"[^a-z,-]+", " ", branchline("play", "--help", COLUMNS="150").stdout).split())
    assert f"{', '.join(packed_in_order())}, or the folder of a board" in told


@pytest.mark.parametrize(
    ("command", "usage"),
    [
        (["simulate"], "branchline simulate [OPTIONS] [GAME]"),
        (["board", "report"], "branchline board report [OPTIONS] {BOARD} [OTHER]"),
        (["warm"], "branchline warm [OPTIONS] [WHAT]..."),
    ],
)
def test_help_sets_what_may_be_left_out_in_one_pair_of_brackets(command, usage):
    lines = [line.strip() for line in branchline(*command, "--help", COLUMNS="150").stdout.splitlines()]
    assert f"Usage: {usage}" in lines


def test_completion_is_installed_for_a_shell(tmp_path):
    run = branchline("--install-completion", "bash", HOME=str(tmp_path), _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    assert run.returncode == 0, run.stderr
    assert "_BRANCHLINE_COMPLETE=complete_bash" in "".join(file.read_text() for file in tmp_path.rglob("*branchline*"))


def test_simulate_writes_records_and_a_summary(tmp_path):
    out = tmp_path / "games.jsonl"
    run = branchline("simulate", "--game", "europe", "--players", "4", "--games", "20", "--seed", "1", "--bots", "random", "--out", str(out))
    assert run.returncode == 0, run.stderr
    assert "20 games" in run.stdout
    assert "decisions/s" in run.stdout
    records = list(read_records(out))
    assert len(records) == 20
    assert {record.replay().is_over for record in records} == {True}
    checked = branchline("replay", str(out), "--check")
    assert "20 games: all decisions and events agree" in checked.stdout


def test_simulate_is_the_same_again_and_takes_a_bot_for_each_seat(tmp_path):
    for name in ("a.jsonl", "b.jsonl"):
        branchline("simulate", "--game", "london", "--players", "2", "--games", "5", "--bots", "greedy,random", "--out", str(tmp_path / name))
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert json.loads((tmp_path / "a.jsonl").read_text().splitlines()[0])["seats"][0]["player"] == "bot:greedy"


def test_replay_tells_the_game_in_words(tmp_path):
    branchline("simulate", "--game", "london", "--players", "3", "--games", "2", "--bots", "greedy", "--out", str(tmp_path / "g.jsonl"))
    run = branchline("replay", str(tmp_path / "g.jsonl"), "--number", "2")
    assert run.returncode == 0, run.stderr
    assert "The game is over" in run.stdout
    assert "events agree." in run.stdout
    stepped = branchline("replay", str(tmp_path / "g.jsonl"), "--step", stdin="\n" * 500)
    assert "events agree." in stepped.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (("simulate", "--game", "atlantis"), 2, "there is no such board"),
        (("simulate", "--players", "7"), 2, "2 to 5 players"),
        (("simulate", "--bots", "deep"), 2, "there is no bot 'deep'"),
        (("simulate", "--bots", "greedy,random"), 2, "2 bots for 4 seats"),
        (("simulate", "--seed", "-1"), 2, "seed must be from 0"),
        (("simulate", "--out", "no/such/folder/games.jsonl"), 1, "no/such/folder/games.jsonl: No such file or directory"),
        (("replay", "missing.json"), 1, "missing.json: cannot be read"),
        (("show", "atlantis"), 2, "there is no such board"),
        (("play", "--game", "atlantis"), 2, "there is no such board"),
        (("play", "--bots", "deep"), 2, "there is no bot 'deep'"),
        (("play", "--players", "3", "--bots", "greedy,"), 2, "there is no bot ''"),
        (("play", "--players", "3", "--bots", "greedy,greedy,greedy"), 2, "3 bots for 2 seats"),
        (("play", "--players", "3", "--hot-seat", "--bots", "greedy,greedy,greedy"), 2, "leave no seat"),
        (("play", "--seed", "xyz"), 2, "neither a whole number nor a hex string"),
        (("play", "--resume", "missing.json"), 1, "missing.json: cannot be read"),
    ],
)
def test_bad_input_gets_a_clear_error(arguments, code, reason, tmp_path):
    run = branchline(*arguments, cwd=tmp_path)
    assert run.returncode == code
    assert reason in run.stderr
    assert "Traceback" not in run.stderr


def test_replay_finds_a_forged_record(tmp_path):
    path = tmp_path / "g.jsonl"
    branchline("simulate", "--game", "london", "--players", "2", "--games", "1", "--out", str(path))
    path.write_text(path.read_text().replace('"points":1', '"points":9', 1))
    run = branchline("replay", str(path), "--check")
    assert run.returncode == 1
    assert "g.jsonl, game 1: event" in run.stderr


def test_simulate_takes_the_options_of_a_table(tmp_path):
    arguments = ("--game", "card-game", "--players", "2", "--games", "2", "--bots", "greedy", "--complete-tickets-for-me")
    assert branchline("simulate", *arguments, "--out", "games.jsonl", cwd=tmp_path).returncode == 0
    for record in read_records(tmp_path / "games.jsonl"):
        assert record.options == {"complete_tickets_for_me": True}
        assert record.replay().is_over


def test_show_lists_the_board(game):
    run = branchline("show", game)
    assert run.returncode == 0
    assert ("Routes" in run.stdout) == bool(load_board(game).routes)
    assert "Tickets" in run.stdout


class Typist(Console):
    """A console whose input comes from a function."""

    def __init__(self, answer):
        super().__init__(record=True, width=160, file=io.StringIO())
        self.answer = answer

    def input(self, prompt="", **_):
        self.print(prompt, end="")
        reply = self.answer()
        self.print(reply)
        return reply


def played_by(tmp_path, answer, game="london", players=2, bots=None, hot_seat=False, seed="5", **options):
    state, bots, names = new_table(Game(game, players, **options), bots, hot_seat, seed)
    console = Typist(answer)
    return TerminalGame(console, state, bots, names, tmp_path / "game.json"), console


WHOLE_GAMES = [
    {},
    {"game": "europe", "players": 3},
    {"players": 3, "hot_seat": True},
    {"game": "world", "players": 3},
    {"game": "card-game", "players": 4, "may_draw_one": True, "look_into_own_pile": True},
    {"game": "card-game", "players": 2},
]


@pytest.mark.parametrize("options", WHOLE_GAMES)
def test_a_whole_game_in_the_terminal(tmp_path, options):
    """A person who does what a bot says."""
    adviser = make_bot("greedy")
    game, console = played_by(tmp_path, lambda: advised(), **options)  # noqa: PLW0108  # it is defined below

    def advised():
        view = game.state.view(game.state.seat)
        return view.game.text(adviser.decide(view))

    game.play()
    text = console.export_text()
    assert game.state.is_over
    assert "wins" in text or "share the victory" in text
    assert "Traceback" not in text
    record = next(read_records(tmp_path / "game.json"))
    assert record.replay().is_over
    if options.get("hot_seat"):
        assert "press Enter when only you can see the screen" in text


def test_cg_19_the_best_choice_is_one_word_in_the_terminal(tmp_path):
    """A person who does what a bot says, and at the end of a pass takes the choice suggested."""
    adviser = make_bot("greedy")
    suggested = []

    def advised():
        view = game.state.view(game.state.seat)
        if (best := best_choice(view)) is None:
            return view.game.text(adviser.decide(view))
        suggested.append((view.seat, best.tickets))
        return "best"

    game, console = played_by(tmp_path, advised, game="card-game", players=2, bots="planner")
    game.play()
    assert suggested
    for seat, tickets in suggested:
        assert tickets == game.state.completed(seat)
    text = console.export_text()
    assert "Best: complete" in text
    assert "Type “best” to do that" in text


def test_numbers_and_beginnings_and_commands(tmp_path):
    answers = iter(["?", "board", "log", "nonsense", "1", "1", "", "draw t", "t", "draw", "draw train", "quit"])
    game, console = played_by(tmp_path, lambda: next(answers))
    game.play()
    text = console.export_text()
    assert "Type the number of a choice" in text
    assert "is not a decision of this game" in text
    assert "could be" in text
    assert "Continue it with: branchline play --resume" in text
    assert [game.state.game.text(decision) for decision in game.state.history].count("draw train") >= 2


def test_a_payment_can_be_taken_back_in_the_terminal(tmp_path):
    game, console = played_by(tmp_path, lambda: next(answers), game="europe", players=2, seed="5")
    state = game.state
    while state.phase == "opening tickets":
        state.apply(state.legal[0])
    while state.seat != 0:
        state.apply(game.bots[1].decide(state.view(1)))
    give(state, 0, "blue blue wild wild")
    answers = iter(["claim wien-zagrab", "undo", "quit"])
    before = state.record.tobytes()
    game.play()
    assert state.record.tobytes() == before
    assert "so far" in console.export_text()


def test_a_stopped_game_goes_on(tmp_path):
    answers = iter(["1", "1", "draw train", "draw train", "quit"])
    game, _ = played_by(tmp_path, lambda: next(answers))
    game.play()
    state, bots, names = resumed_table(tmp_path / "game.json")
    assert state == game.state
    assert [bot.name if bot else None for bot in bots] == [None, "normal"]
    assert names == ["Player 1", "Normal 2"]


def test_the_end_of_input_keeps_the_game(tmp_path):
    run = branchline_process("play", "--game", "london", "--players", "2", "--seed", "5", "--save", "kept.json", stdin="1\n", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert "kept.json" in run.stdout
    assert next(read_records(tmp_path / "kept.json")).seed.endswith("5")
    again = branchline("play", "--resume", "kept.json", stdin="quit\n", cwd=tmp_path)
    assert again.returncode == 0, again.stderr


def test_hot_seat_shows_nobody_anothers_secrets(tmp_path):
    """Between two hand-overs the screen belongs to one person: it shows no cards or tickets of the others."""
    game, console = played_by(tmp_path, lambda: chosen(), game="europe", players=3, hot_seat=True)  # noqa: PLW0108  # it is defined below
    screens = []

    def chosen():
        screens.append((game.at_keyboard, console.export_text(clear=True)))
        return "quit" if len(game.state.history) > 60 else game.state.legal_texts[-len(game.state.history) % len(game.state.legal)]

    game.play()
    told = {seat: " ".join(text for at, text in screens if at == seat) for seat in range(3)}
    for seat, text in told.items():
        assert re.search(f"Player {seat + 1} is dealt [a-z]", text)
        for other in {0, 1, 2} - {seat}:
            assert f"Player {other + 1} is dealt 4 cards" in text
            assert f"Player {other + 1} draws tickets" not in text
            assert f"Player {other + 1} draws 4 tickets" in text
            assert not re.search(rf"Player {other + 1} draws (?!a card|\d+ tickets?)", text)
            assert not re.search(rf"Player {other + 1} keeps [A-Z]", text)
    assert any(re.search(r"draws a card", text) for text in told.values())


@pytest.mark.parametrize("answer", ["²", "0000012345", "-1", "999999999999999999999", "\u0661", "claim", "x" * 5000])
def test_strange_input_is_answered(tmp_path, answer):
    answers = iter([answer, "quit"])
    game, console = played_by(tmp_path, lambda: next(answers))
    game.play()
    text = console.export_text()
    assert "is saved in" in text
    assert ("There is nothing to claim now" if answer == "claim" else "is not a decision of this game") in text


def test_a_file_that_cannot_be_written_is_named_before_the_game(tmp_path):
    run = branchline("play", "--save", "no/such/folder/game.json", stdin="1\n", cwd=tmp_path)
    assert run.returncode == 1
    assert "no/such/folder" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_kept_game_is_not_overwritten(tmp_path):
    for expected in ("branchline-game.json", "branchline-game-2.json"):
        run = branchline("play", "--game", "london", "--players", "2", stdin="quit\n", cwd=tmp_path)
        assert expected in run.stdout


@pytest.mark.parametrize(("content", "reason"), [("", "holds no game"), ("two", "holds several games")])
def test_only_a_single_game_is_resumed(tmp_path, content, reason):
    path = tmp_path / "games.jsonl"
    if content:
        branchline("simulate", "--game", "london", "--players", "2", "--games", "2", "--out", str(path))
    else:
        path.write_text("")
    before = path.read_bytes()
    run = branchline("play", "--resume", str(path))
    assert run.returncode == 1
    assert reason in run.stderr
    assert path.read_bytes() == before


def test_names_are_kept_when_a_game_goes_on(tmp_path):
    record = Record.of(Game("london", 2).start(1), [{"name": "Alice", "player": "human"}, {"name": "Bob", "player": "bot:random"}])
    (tmp_path / "game.json").write_text(record.to_json())
    assert resumed_table(tmp_path / "game.json")[2] == ["Alice", "Bob"]


def test_a_game_needs_no_terminal_to_print():
    assert "row:" in str(Game("london", 2).start(1))


def test_who_goes_on_with_a_game_is_told_only_the_last_events(tmp_path):
    state, bots, names = new_table(Game("europe", 3), None, False, "5")
    adviser = make_bot("greedy")
    while len(state.history) < 80 or state.seat != 0:
        state.apply(adviser.decide(state.view(state.seat)))
    console = Typist(lambda: "quit")
    TerminalGame(console, state, bots, names, tmp_path / "game.json").play()
    told = console.export_text()
    assert "The game begins" not in told
    assert "’s turn" in told
