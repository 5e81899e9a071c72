"""Levels for people: which there are, how they fall short, and how strong they are."""

import time

import pytest

from branchline import Game
from branchline.batch.matches import Match
from branchline.boards import BoardError
from branchline.boards.folders import shipped_boards
from branchline.bots import levels, make_bot
from branchline.bots.levels import LEVELS, MANNERS, manners_on, planner_from
from branchline.bots.weights import weights_for
from branchline.play.bitsets import members
from branchline.play.observations.layout import layout_of
from tests.conftest import SOAK

DEALS = 100 if SOAK else 6


def played(bot, game, players=2, seed=1):
    state = Game(game, players).start(seed)
    while not state.is_over:
        state.apply(bot.decide(state.view(state.seat)))
    return state.history


def test_every_level_plays_its_own_game():
    histories = [tuple(played(make_bot(level, 5), "london")) for level in LEVELS[:-1]]
    assert len(set(histories)) == len(histories)
    assert histories[-1] == tuple(played(make_bot("learned"), "london"))


def test_another_seed_has_other_fancies():
    assert played(make_bot("easy", 1), "london") == played(make_bot("easy", 1), "london") != played(make_bot("easy", 2), "london")


@pytest.mark.parametrize("board", shipped_boards())
def test_every_level_beats_those_far_below(board):
    """A sample, in compiled games; the figures with intervals: docs/learning.md."""
    held, won = {"held_at": layout_of(board)["held"].offset}, 0.0
    manners = [{}, manners_on(board)["easy"]]
    for seat in (0, 1):
        weights = [weights_for(board, 2, held | manners[place != seat]) for place in (0, 1)]
        match = Match(Game(board, 2), ["learned"] * 2, weights)
        for number in range(DEALS):
            winners = match.play(number).result["winners"]
            won += (seat in winners) / len(winners)
    assert won >= 1.4 * DEALS


def test_the_weaker_a_level_the_more_often_it_does_something_else_than_the_best():
    """But how to pay is not a matter of taste."""
    state, best, differed = Game("london", 2).start(3), make_bot("learned"), dict.fromkeys(("beginner", "hard"), 0)
    while not state.is_over:
        view, decision = state.view(state.seat), best.decide(state.view(state.seat))
        for level in differed:
            is_other = make_bot(level, 4).decide(view) != decision
            assert not (is_other and view.phase == "payment")
            differed[level] += is_other
        state.apply(decision)
    assert 0 < differed["hard"] < differed["beginner"]
    assert differed["hard"] < len(state.history) / 2


def test_it_forgets_tickets_it_holds_and_nothing_else(monkeypatch):
    """With all tickets out of its mind, it plays as if it held none."""
    monkeypatch.setitem(MANNERS, "beginner", {"whims": 0, "shy": 0, "forgets": 100})
    monkeypatch.setattr(levels, "manners_on", lambda _: MANNERS)
    state = Game("usa", 2).start(3)
    for _ in range(40):
        state.apply(make_bot("learned").decide(state.view(state.seat)))
    view = state.view(state.seat)
    ticketless = view.imagine(1).view(state.seat)
    assert members(view.record.tickets[view.seat])
    ticketless.record.tickets[view.seat] = 0
    assert make_bot("beginner").decide(view) == make_bot("learned").decide(ticketless)


def test_a_shy_level_claims_less(monkeypatch):
    def claims(shy):
        monkeypatch.setattr(levels, "manners_on", lambda _: {"beginner": {"whims": 0, "shy": shy, "forgets": 0}})
        state = Game("london", 2).start(1)
        while not state.is_over and len(state.history) < 60:
            state.apply(make_bot("beginner").decide(state.view(state.seat)))
        return sum(state.game.text(decision).startswith("claim") for decision in state.history[:60])

    assert claims(0) > claims(1500)


def test_where_nobody_has_learned_planners_stand_in(monkeypatch):
    monkeypatch.setattr(levels, "has_network", lambda *_: False)
    assert played(make_bot("hard"), "london") == Match(Game("london", 2), ["planner"] * 2).play(1).history
    histories = {level: played(make_bot(level, 3), "london") for level in ("beginner", "easy", "normal", "hard")}
    assert len({tuple(history) for history in histories.values()}) == len(histories)
    view = Game("london", 2).start(3).view(0)
    assert make_bot("hard").explain(view)["bot"] == "hard"
    assert make_bot("beginner").explain(view)["decision"] in [view.game.text(one) for one in view.legal]


def test_a_level_explains_itself():
    view = Game("usa", 2).start(3).view(0)
    told = make_bot("easy", 2).explain(view)
    assert told["bot"] == "easy"
    assert told["decision"] == view.game.text(make_bot("easy", 2).decide(view))
    assert told["considered"]


@pytest.mark.parametrize("found", [{"easy": {"whims": -1}}, {"easy": {"moods": 3}}, {"dreamy": {"whims": 3}}, {"easy": 3}])
def test_a_wrong_manner_is_refused(found, monkeypatch):
    monkeypatch.setattr(levels, "read_settings", lambda *_: found)
    with pytest.raises(BoardError, match=r"usa/levels\.toml"):
        manners_on.__wrapped__("usa")


@pytest.mark.parametrize("found", [1, 7, "three", True])
def test_a_wrong_number_of_seats_for_planners_is_refused(found, monkeypatch):
    monkeypatch.setattr(levels, "read_settings", lambda *_: {"planner_from": found})
    with pytest.raises(BoardError, match=r"usa/levels\.toml.*planner_from = .* is not a number of seats"):
        planner_from.__wrapped__("usa")


@pytest.mark.parametrize(("players", "strongest"), [(2, "learned"), (3, "planner")])
def test_the_strongest_levels_are_whoever_is_stronger_with_that_many_seats(players, strongest):
    state = Game("world", players).start(5)
    expert, same = make_bot("expert", 3), make_bot(strongest, 3)
    while len(state.history) < 60:
        view = state.view(state.seat)
        assert expert.decide(view) == same.decide(view)
        state.apply(same.decide(view))
    assert make_bot("master")._player(state.game).budget.planner == (strongest == "planner")


def test_master_keeps_within_two_seconds():
    state = Game("world", 4).start(5)
    while len(state.history) < 60:
        state.apply(make_bot("planner").decide(state.view(state.seat)))
    bot = make_bot("master")
    bot.decide(state.view(state.seat))
    started = time.perf_counter()
    bot.decide(state.view(state.seat))
    assert time.perf_counter() - started < 2
