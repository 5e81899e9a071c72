"""The guard: a bot that fails loses a move, never the game."""

import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from branchline import Game
from branchline.bots import GuardedBot, make_bot
from branchline.bots.aside import Aside, Late, all_back


class Own:
    """A bot that does what it is told."""

    name = "own"

    def __init__(self, decide):
        self.decide = decide


def position(moves=6):
    """A position in which greedy has something to decide, and not the first choice."""
    state, bot = Game("london", 2).start(5), make_bot("greedy")
    for _ in range(moves):
        state.apply(bot.decide(state.view(state.seat)))
    return state


def view_to_decide():
    state = position()
    return state.view(state.seat)


def greedy(view):
    return make_bot("greedy").decide(view)


def crash(_):
    raise RuntimeError("out of ideas")


class Unprintable:
    def __repr__(self):
        raise RuntimeError


@pytest.mark.parametrize("limit", [None, 5.0])
@pytest.mark.parametrize(
    ("decide", "kind", "detail"),
    [
        (crash, "crash", "RuntimeError: out of ideas"),
        (lambda _: sys.exit(3), "crash", "SystemExit: 3"),
        (lambda _: None, "illegal", "answered None, which is not the number of a decision"),
        (lambda view: view.legal_texts[0], "illegal", "which is not the number of a decision"),
        (lambda _: True, "illegal", "answered True, which is not the number of a decision"),
        (lambda view: float(view.legal[0]), "illegal", "which is not the number of a decision"),
        (lambda _: -1, "illegal", "answered -1, which is not the number of a decision"),
        (lambda _: 10**9, "illegal", "the game has no such decision"),
        (lambda view: next(n for n in range(999) if n not in view.legal), "illegal", "is not legal now (second card)"),
        (lambda _: "x" * 500, "illegal", "x…, which is not the number of a decision"),
        (lambda _: Unprintable(), "illegal", "answered a Unprintable, which"),
    ],
)
def test_a_fault_costs_the_move_and_is_reported(decide, kind, detail, limit):
    view, told = view_to_decide(), []
    guarded = GuardedBot(Own(decide), limit, told.append)
    guarded.new_game(view.game, view.viewer)
    assert guarded.decide(view) == greedy(view)
    assert guarded.faults == told
    (fault,) = told
    assert (fault.kind, fault.game, fault.decision_number, fault.seat) == (kind, "london", 1, view.viewer)
    assert detail in fault.detail


@pytest.mark.parametrize("limit", [None, 5.0])
@pytest.mark.parametrize("kind", [int, np.int64, np.uint8])
def test_a_legal_answer_is_played(limit, kind):
    view = view_to_decide()
    answer = next(decision for decision in view.legal if decision != greedy(view))
    guarded = GuardedBot(Own(lambda _: kind(answer)), limit)
    assert guarded.decide(view) == answer
    assert type(guarded.decide(view)) is int
    assert guarded.faults == []


def test_a_bot_that_never_returns_is_asked_no_more_and_its_late_answer_is_not_used():
    view, let_go, asked = view_to_decide(), threading.Event(), []
    wrong = next(decision for decision in view.legal if decision != greedy(view))

    def decide(_):
        asked.append(None)
        let_go.wait(30)
        return wrong

    guarded = GuardedBot(Own(decide), limit=0.4)
    assert guarded.decide(view) == greedy(view)
    started = time.perf_counter()
    assert [guarded.decide(view) for _ in range(5)] == [greedy(view)] * 5
    assert time.perf_counter() - started < 2 * 0.4  # at once: the limit is not waited for five more times
    assert len(asked) == 1
    assert [fault.detail for fault in guarded.faults] == ["no answer in 0.4 s"] + ["still thinking about an earlier question"] * 5
    assert {fault.kind for fault in guarded.faults} == {"late"}
    let_go.set()
    assert all_back(10)
    guarded.bot.decide = greedy  # it is back: the old answer is gone, the new one counts
    guarded.limit = 10
    assert guarded.decide(view) == greedy(view)
    assert len(guarded.faults) == 6


def test_it_is_known_whether_all_bots_have_returned():
    let_go = threading.Event()
    GuardedBot(Own(lambda _: let_go.wait(30)), limit=0.02).decide(view_to_decide())
    assert not all_back()
    assert not all_back(0.1)
    let_go.set()
    assert all_back(10)


def test_a_program_ends_although_a_bot_does_not():
    code = """
from branchline import Game
from branchline.bots import GuardedBot

class Spin:
    name = "spin"
    def decide(self, view):
        while True:
            pass

state = Game("london", 2).start(5)
print(state.game.text(GuardedBot(Spin(), limit=0.1).decide(state.view(0))))
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("keep")


def test_the_keyboard_stops_even_a_guarded_bot():
    def interrupted(_):
        raise KeyboardInterrupt

    for limit in (None, 5.0):
        with pytest.raises(KeyboardInterrupt):
            GuardedBot(Own(interrupted), limit).decide(view_to_decide())


def test_a_bot_that_spoils_its_view_spoils_nobody_elses():
    def spoil(view):
        view.records["hands"][:] = 0
        view.records["seat"][:] = 1 - view.viewer
        return 10**6

    view = view_to_decide()
    before, expected = view.records.tobytes(), greedy(view)
    assert GuardedBot(Own(spoil)).decide(view) == expected
    assert view.records.tobytes() == before


def test_a_compiled_policy_needs_no_thread(monkeypatch):
    monkeypatch.setattr(Aside, "ask", lambda *_: pytest.fail("asked in a thread"))
    view = view_to_decide()
    assert GuardedBot(make_bot("greedy"), limit=1).decide(view) == greedy(view)


class Starter(Own):
    def __init__(self, fails=False):
        super().__init__(greedy)
        self.games, self.fails = [], fails

    def new_game(self, game, seat):
        self.games.append((game.name, seat))
        if self.fails:
            crash(None)


def test_a_bot_hears_of_a_new_game_and_its_decisions_are_counted_from_the_start():
    view, bot = view_to_decide(), Starter()
    guarded = GuardedBot(bot)
    bot.decide = crash
    for seat in (0, 1):
        guarded.new_game(view.game, seat)
        for _ in range(2):
            guarded.decide(view)
    assert bot.games == [("london", 0), ("london", 1)]
    assert [fault.decision_number for fault in guarded.faults] == [1, 2, 1, 2]


def test_a_bot_that_fails_before_the_game_is_reported_and_plays():
    view, guarded = view_to_decide(), GuardedBot(Starter(fails=True), limit=5)
    guarded.new_game(view.game, 1)
    assert [(fault.kind, fault.decision_number, fault.seat) for fault in guarded.faults] == [("crash", 0, 1)]
    assert guarded.decide(view) == greedy(view)
    assert len(guarded.faults) == 1


def test_an_answer_in_time_or_none():
    aside = Aside()
    assert aside.ask(lambda: 3, 5) == 3
    with pytest.raises(Late, match=r"no answer in 0\.01 s"):
        aside.ask(lambda: time.sleep(0.2), 0.01)
    with pytest.raises(Late, match="earlier question"):
        aside.ask(lambda: 4, 5)


def test_a_whole_game_of_faults_is_a_game_of_greedy():
    state, twin = position(0), position(0)
    guarded = GuardedBot(Own(crash))
    while not state.is_over:
        view = state.view(state.seat)
        assert view.records.tobytes() == twin.view(twin.seat).records.tobytes()
        state.apply(guarded.decide(view))
        twin.apply(greedy(twin.view(twin.seat)))
    assert len(guarded.faults) == len(state.history)
