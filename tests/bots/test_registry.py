"""Finding bots: by name, with options, in your own file, or installed alongside Branchline."""

import os
import subprocess
import sys
from importlib.metadata import EntryPoint

import numpy as np
import pytest

from branchline import Game
from branchline.bots import FACTORIES, BotError, PolicyBot, available_bots, check_bot, compiled_bot, is_policy, make_bot, registry
from branchline.bots.compiled.thoughts import can
from branchline.compiling import MODE, rule
from branchline.play.records import Record
from branchline.rules.bits import nth
from branchline.rules.vocabulary.decisions import CLAIM
from branchline.terminal.seating import new_table, resumed_table
from tests.compiling.test_modes import in_mode

OWN_BOTS = """
class First:
    name = "first"

    def __init__(self, seed=0):
        self.seed = seed

    def decide(self, view):
        return view.legal[0]


class Seedless(First):
    def __init__(self):
        self.seed = None


class Any(First):
    def __init__(self, **options):
        self.seed = options["seed"]


class Broken:
    name = "broken"

    def __init__(self):
        raise KeyError("no weights")


class Nameless:
    def decide(self, view):
        return 0


class Undecided:
    name = "undecided"


def made(seed):
    return First(seed + 1)


NUMBER = 3
"""


@pytest.fixture
def own_bots(tmp_path, monkeypatch):
    """A file of bots in the current directory."""
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    for name in ("own_bots", "half_bots", "needy_bots"):
        sys.modules.pop(name, None)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own_bots.py").write_text(OWN_BOTS)
    return tmp_path


@pytest.mark.usefixtures("own_bots")
@pytest.mark.parametrize(("spec", "seed"), [("First", 7), ("Seedless", None), ("Any", 7), ("made", 8)])
def test_a_class_of_a_file_in_the_current_directory(spec, seed):
    bot = make_bot(f"own_bots:{spec}", seed=7)
    assert (bot.name, bot.seed) == ("first", seed)
    view = Game("london", 2).start(1).view(0)
    assert bot.decide(view) == view.legal[0]


@pytest.mark.usefixtures("own_bots")
@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        (
            "deep",
            "there is no bot 'deep'; the bots are random, greedy, planner, learned, search, beginner, easy, normal, hard, expert, master, "
            "and your own as module:Class",
        ),
        ("", "there is no bot ''"),
        ("greedy@500", "the bot 'greedy' has no options: write 'greedy' alone"),
        ("greedy@", "has no options"),
        ("own_bots:First@500", "the bot 'own_bots:First' has no options"),
        ("deep@500", "there is no bot 'deep@500'"),
        ("nowhere:Bot", r"there is no module 'nowhere', neither in the current directory \("),
        ("own_bots.deeper:Bot", "importing own_bots.deeper failed|there is no module 'own_bots.deeper'"),
        (":Bot", "'' is not a module name; write module:Class"),
        (".own_bots:Bot", "'.own_bots' is not a module name"),
        ("own_bots:Last", "own_bots has no 'Last'; it has First, Seedless, Any, Broken, Nameless, Undecided"),
        ("own_bots:", "own_bots has no ''"),
        ("own_bots:Broken", r"cannot be made: KeyError: 'no weights' \(.*own_bots.py, line 26\)"),
        ("own_bots:Nameless", "does not make a bot: a bot needs a `name`"),
        ("own_bots:Undecided", r"a method `decide\(view\)`"),
        ("own_bots:NUMBER", "is not a class: .* not 3"),
    ],
)
def test_a_bot_that_cannot_be_had_is_named_with_the_reason(spec, reason):
    with pytest.raises(BotError, match=reason):
        make_bot(spec)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("def half(:\n", "importing half_bots failed with SyntaxError"),
        ("import json\nraise RuntimeError('no GPU')\n", r"failed with RuntimeError: no GPU \(.*half_bots.py, line 2\)"),
        ("import missing_library\n", "failed with ModuleNotFoundError: No module named 'missing_library'"),
    ],
)
def test_a_module_that_fails_says_why(own_bots, content, reason):
    (own_bots / "half_bots.py").write_text(content)
    with pytest.raises(BotError, match=reason):
        make_bot("half_bots:Bot")


def test_options_are_handed_to_the_bot(monkeypatch):
    given = []
    monkeypatch.setitem(FACTORIES, "test", lambda options, seed: given.append((options, seed)) or PolicyBot("random", seed))
    for spec in ("test", "test@", "test@0.3s", "test@a@b"):
        make_bot(spec, 5)
    assert given == [(None, 5), ("", 5), ("0.3s", 5), ("a@b", 5)]
    assert "test" in available_bots()


def test_installed_bots_are_found(own_bots, monkeypatch):
    group = registry.GROUP
    offered = [EntryPoint("first", "own_bots:First", group), EntryPoint("lost", "nowhere:Bot", group), EntryPoint("greedy", "own_bots:First", group)]
    monkeypatch.setattr(registry, "entry_points", lambda group: offered if group == "branchline.bots" else [])
    monkeypatch.syspath_prepend(str(own_bots))
    assert available_bots() == (*FACTORIES, "first", "lost")
    assert make_bot("first", 3).seed == 3
    assert isinstance(make_bot("greedy"), PolicyBot)  # a built-in name is not taken over
    with pytest.raises(BotError, match="the bot 'first' has no options"):
        make_bot("first@3")
    with pytest.raises(BotError, match="'lost' is installed, but nowhere:Bot cannot be loaded: ModuleNotFoundError"):
        make_bot("lost")
    with pytest.raises(BotError, match=r"there is no bot 'deep'; the bots are .*first, lost"):
        make_bot("deep")


def test_only_compiled_policies_are_policies():
    assert [is_policy(spec) for spec in ("greedy", "random", "greedy@3", "own_bots:First")] == [True, True, False, False]
    with pytest.raises(BotError, match="there is no bot 'own_bots:First' among the compiled ones"):
        check_bot("own_bots:First")


@rule
def choose_last_claim(board, seen, mask, thoughts, dice):  # noqa: ARG001  # every compiled bot has the same parameters
    """The last claim, or the first legal decision. Counts in its dice how often it is asked."""
    dice[1] += np.uint64(1)
    for route in range(board.routes - 1, -1, -1):
        if can(board, mask, CLAIM, route):
            thoughts.distance[0] = route
            return np.int64(route)
    return nth(mask, 0)


def last_claim(view):
    claims = [decision for decision in view.legal if view.game.text(decision).startswith("claim")]
    return claims[-1] if claims else view.legal[0]


def test_a_compiled_bot_of_somebodys_own():
    state, bot = Game("london", 2).start(4), compiled_bot("last-claim", choose_last_claim, seed=9)
    questions = 0
    while not state.is_over:
        view = state.view(state.seat)
        assert bot.decide(view) == last_claim(view)
        questions += 1
        state.apply(bot.decide(view))
    assert bot.name == "last-claim"
    assert bot._dice.tolist() == [9, 2 * questions, 0]


@pytest.mark.skipif(MODE == "plain", reason="plain rules are not compiled")
def test_a_compiled_bot_is_compiled_when_it_is_made_and_once():
    first, second = (compiled_bot("last-claim", choose_last_claim, seed) for seed in (1, 2))
    assert first._decide is second._decide
    before = len(first._decide.signatures)
    state = Game("london", 2).start(4)
    first.decide(state.view(state.seat))
    assert len(first._decide.signatures) == before == 1


def test_a_compiled_bot_works_in_plain_mode():
    script = """
from tests.bots.test_registry import choose_last_claim, last_claim, compiled_bot, Game
view = Game("london", 2).start(4).view(0)
assert compiled_bot("last-claim", choose_last_claim).decide(view) == last_claim(view)
"""
    run = in_mode("plain", "-c", script)
    assert run.returncode == 0, run.stderr


def test_a_game_with_somebodys_own_bot_is_guarded_and_can_go_on(own_bots):
    (own_bots / "needy_bots.py").write_text(
        "class Needy:\n    name = 'needy'\n    def new_game(self, game, seat):\n        self.at = (game.name, seat)\n"
        "    def decide(self, view):\n        raise RuntimeError('lost my way')\n"
    )
    state, bots, names = new_table(Game("london", 2), "needy_bots:Needy", False, "5")
    assert (names, bots[1].bot.at) == (["Player 1", "Needy 2"], ("london", 1))
    while state.seat != 1:
        state.apply(state.legal[0])
    view = state.view(1)
    assert bots[1].decide(view) == make_bot("greedy").decide(view)
    seats = [{"name": name, "player": f"bot:{bot.name}" if bot else "human"} for name, bot in zip(names, bots, strict=True)]
    (own_bots / "game.json").write_text(Record.of(state, seats).to_json())
    assert resumed_table(own_bots / "game.json")[1][1].name == "needy_bots:Needy"


def test_a_person_is_told_of_a_bots_fault(own_bots):
    (own_bots / "half_bots.py").write_text("class Lost:\n    name = 'lost'\n    def decide(self, view):\n        return 'left'\n")
    command = [sys.executable, "-c", "from branchline.cli import main; main()"]
    arguments = ["play", "--game", "london", "--players", "2", "--seed", "5", "--bots", "half_bots:Lost"]
    env = os.environ | {"COLUMNS": "200"}
    run = subprocess.run(
        [*command, *arguments], input="1\n1\ndraw train\ndraw train\n", capture_output=True, text=True, timeout=200, env=env, check=False
    )
    assert run.returncode == 0, run.stderr
    assert "Lost 2 failed (illegal: answered 'left', which is not the number of a decision). Greedy decides for it this time." in run.stdout
