"""Checking a bot: sound bots pass, and every kind of failure is found."""

import sys
import threading
import time

import pytest

from branchline import GameOptionError, available_boards, load_board
from branchline.bots import BotError, make_bot
from branchline.bots.aside import all_back
from branchline.bots.conformance import check
from branchline.play.games import State
from tests.commands import branchline

NAMES = {
    "does not crash": "crash",
    "answers legally": "illegal",
    "answers in time": "late",
    "leaves its view as it is": "view",
    "decides by its view alone": "twin",
    "plays the same game again": "again",
    "explains itself in JSON": "explain",
}


class Honest:
    """Greedy in Python, with every method a bot can have."""

    name = "honest"

    def __init__(self, seed=0):
        self.bot = make_bot("greedy", seed)
        self.asked = 0

    def new_game(self, game, seat):
        self.game, self.seat = game, seat

    def decide(self, view):
        self.asked += 1
        assert (view.game, view.viewer) == (self.game, self.seat)
        return self.bot.decide(view)

    def explain(self, view):
        return {"asked": self.asked, "choices": view.legal_texts, "phase": view.phase}


class Crashing(Honest):
    def decide(self, view):
        if view.phase == "second card":
            raise KeyError("tracks")
        return super().decide(view)


class Illegal(Honest):
    def decide(self, view):
        return super().decide(view) if view.phase != "second card" else "draw"


class Endless(Honest):
    """Until a test lets it go."""

    free = threading.Event()

    def decide(self, view):
        while view.phase == "action" and not self.free.is_set():
            time.sleep(0.001)
        return super().decide(view)


class Meddling(Honest):
    def decide(self, view):
        answer = super().decide(view)
        view.records["points"][0, 1] += 1
        return answer


class Unlawful(Honest):
    """Strikes out a choice for good."""

    def decide(self, view):
        answer = super().decide(view)
        view.mask[:] = 0
        return answer


class Prying(Honest):
    """Looks for the game in its callers."""

    def decide(self, view):
        hands = sys._getframe(1).f_locals["world"].record.hands
        return view.legal[int(hands[1 - view.viewer].argmax()) % len(view.legal)]


class Moody(Honest):
    """Remembers across games in its class."""

    games = 0

    def __init__(self, seed=0):
        super().__init__(seed)
        type(self).games += 1
        self.mood = type(self).games

    def decide(self, view):
        return view.legal[self.mood % len(view.legal)]


class Peeping(Honest):
    """Reads the game itself from where somebody left it: a back door."""

    world: State

    def decide(self, view):
        other = int(Peeping.world.record.hands[1 - view.viewer].argmax())
        return view.legal[other % len(view.legal)]


class Mumbling(Honest):
    def explain(self, view):
        return {"view": view}


class Silent(Honest):
    def explain(self, view):
        return f"because {view.phase}"


class Unsure(Honest):
    def explain(self, view):
        return {"value": float("nan"), "phase": view.phase}


def failed(report):
    return {NAMES[one.title] for one in report.checks if one.failures}


def checked(bot, **options):
    return check(bot, ["london"], [2], **options)


def test_a_sound_bot_passes_on_every_board_and_number_of_seats():
    seen = []
    report = check("greedy", progress=lambda done, all_: seen.append((done, all_)))
    assert report.passed
    seats = {game: len(range(load_board(game).players[0], load_board(game).players[1] + 1)) for game in available_boards()}
    assert report.games == sum(seats.values()) + 2 * seats["card-game"]  # there also with each of two options
    assert {"opening tickets", "action", "payment", "tunnel", "supply", "fill", "placing", "completing tickets"} <= set(report.phases)
    assert seen == [(done, report.games) for done in range(report.games)]


def test_a_sound_bot_in_python_passes_everything():
    report = checked(Honest, rounds=2)
    assert report.passed
    assert {one.verdict for one in report.checks} == {"pass"}
    assert len(report.seconds) == sum(report.phases.values()) > 50
    assert 0 < report.slowest(0.5) <= report.slowest(0.99) <= report.slowest(1.0) == max(report.seconds)


@pytest.mark.parametrize(
    ("bot", "what", "detail"),
    [
        (Crashing, {"crash"}, "KeyError: 'tracks' ("),
        (Illegal, {"illegal"}, "answered 'draw', which is not the number of a decision"),
        (Meddling, {"view"}, "it changes points"),
        (Unlawful, {"view"}, "it changes mask"),
        (Prying, {"twin"}, "; with other hidden cards: '"),
        (Moody, {"twin", "again"}, "; with other hidden cards: '"),
        (Mumbling, {"explain"}, "Object of type View is not JSON serializable"),
        (Silent, {"explain"}, "explain returns a str, not a dict"),
        (Unsure, {"explain"}, "does not fit into JSON"),
    ],
)
def test_a_fault_is_found_with_its_first_counter_example(bot, what, detail):
    report = checked(bot)
    assert not report.passed
    assert failed(report) == what
    first = next(one.first for one in report.checks if one.failures)
    assert (first.game, first.players, first.seed) == ("london", 2, 1)
    assert first.decision_number >= 1
    assert detail in first.text


def test_a_bot_that_peeps_by_a_back_door_is_found(monkeypatch):
    """Somebody keeps the game itself in a global whenever a view is made."""
    view = State.view

    def leaky(state, seat):
        Peeping.world = state
        return view(state, seat)

    monkeypatch.setattr(State, "view", leaky)
    report = checked(Peeping)
    assert failed(report) == {"twin"}
    assert "with other hidden cards" in report.checks[4].first.text


def test_a_bot_that_never_returns_is_found_and_the_check_ends():
    started = time.perf_counter()
    report = checked(Endless, limit=0.2)
    Endless.free.set()
    assert failed(report) == {"late"}
    assert "no answer in 0.2 s" in str(report.checks[2].first)
    assert (report.games, report.stopped, report.stuck) == (1, True, True)
    assert time.perf_counter() - started < 20
    assert all_back(10)


def test_after_a_bot_that_overran_but_returned_the_check_goes_on():
    class Slow(Honest):
        slept = False

        def decide(self, view):
            if not Slow.slept:
                Slow.slept = True
                time.sleep(0.4)
            return super().decide(view)

    report = checked(Slow, limit=0.3, rounds=2)
    assert failed(report) == {"late"}
    assert report.games == 2
    assert not report.stopped


def test_what_a_bot_by_the_clock_cannot_pass_can_be_left_out():
    report = checked(Moody)
    assert report.may_be_by_design
    report = checked(Moody, deterministic=False)
    assert report.passed
    assert [one.verdict for one in report.checks] == ["pass", "pass", "pass", "pass", "not tried", "not tried", "pass"]
    assert not checked(Crashing).may_be_by_design


def test_an_interrupted_check_says_so():
    class Interrupted(Honest):
        def decide(self, _):
            raise KeyboardInterrupt

    report = checked(Interrupted)
    assert report.stopped
    assert not report.passed


def test_a_check_needs_a_bot_and_a_table():
    with pytest.raises(BotError, match="there is no bot 'deep'"):
        check("deep")
    with pytest.raises(BotError, match="'dict' does not make a bot"):
        check(dict)
    with pytest.raises(GameOptionError, match="no board among london is for 9 players"):
        check("greedy", ["london"], [9])


def test_check_bot_shows_a_table():
    run = branchline("check-bot", "random", "--game", "london,card-game", "--players", "2", "--games", "2")
    assert run.returncode == 0, run.stderr
    assert "random: 8 games" in run.stdout
    assert "decides by its view alone │ pass" in run.stdout
    assert "Time for a decision: median" in run.stdout
    assert "Asked for: " in run.stdout


def test_check_bot_fails_with_the_counter_example(tmp_path):
    (tmp_path / "own.py").write_text(
        "import random\nclass Dicey:\n    name = 'dicey'\n    def decide(self, view):\n        return random.choice(view.legal)\n"
    )
    run = branchline("check-bot", "own:Dicey", "--game", "london", "--players", "2", cwd=tmp_path)
    assert run.returncode == 1
    assert "Failed: plays the same game again. First in london, 2 seats, seed 1, decision " in run.stdout
    assert "check it with --not-deterministic" in run.stdout
    run = branchline("check-bot", "own:Dicey", "--game", "london", "--players", "2", "--not-deterministic", cwd=tmp_path)
    assert run.returncode == 0
    assert "was not checked" in run.stdout


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("deep",), "there is no bot 'deep'"),
        (("greedy", "--game", "atlantis"), "there is no such board"),
        (("greedy", "--players", "two"), "--players must be a comma-separated list of numbers"),
        (("greedy", "--game", "london", "--players", "5"), "no board among london is for 5 players"),
    ],
)
def test_bad_input_gets_a_clear_error(arguments, reason):
    run = branchline("check-bot", *arguments)
    assert run.returncode == 2
    assert reason in run.stderr
    assert "Traceback" not in run.stderr
