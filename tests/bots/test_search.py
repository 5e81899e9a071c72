"""Search: on imagined games only, in time, and the same for the same seed."""

import time

import numpy as np
import pytest

from branchline import Game, State, load_board
from branchline.boards.folders import shipped_boards
from branchline.bots import BotError, make_bot
from branchline.bots.compiled.playouts import supposed_world
from branchline.bots.compiled.thoughts import THOUGHTS
from branchline.bots.search import Budget, SearchBot, read_budget
from branchline.bots.trials import Trials
from branchline.play.bitsets import members
from branchline.rules.state import STATE
from tests.conftest import SOAK, TABLES
from tests.table import give, hold, own, table


def position(game, players, decisions, seed=5):
    """A position some way into a game of planners."""
    state, planner = Game(game, players).start(seed), make_bot("planner")
    while len(state.history) < decisions and not state.is_over:
        state.apply(planner.decide(state.view(state.seat)))
    return state


NAMES = ["search@12", "search@12,planner", "beginner", "hard"]
ASKED = [(*table, name) for table in TABLES for name in NAMES]
# every game once and every name at least once, for the fewest and the most players in turns
SAMPLE = [(board, load_board(board).players[place % 2], NAMES[place % len(NAMES)]) for place, board in enumerate(shipped_boards())]


@pytest.mark.sample(2)
@pytest.mark.parametrize(("board", "seats", "name"), ASKED if SOAK else SAMPLE)
def test_the_same_view_and_seed_give_the_same_decision_whatever_is_hidden(board, seats, name):
    """Every eighth decision of a game, in worlds that differ only in what the seat may not know; with a new bot, which remembers nothing."""
    state = Game(board, seats).start(5)
    bots = [make_bot(name, seat) for seat in state.seats]
    while not state.is_over:
        view, seat = state.view(state.seat), state.seat
        if len(state.history) % 8 == 0 or not name.startswith("search"):
            decision = bots[seat].decide(view)
            for world in range(2):
                assert make_bot(name, seat).decide(view.imagine(world).view(seat)) == decision
        else:
            decision = make_bot("planner").decide(view)
        assert decision in state.legal
        state.apply(decision)


def test_a_fixed_number_of_playouts_and_a_seed_give_the_same_game():
    def game_of(seed):
        state, bots = Game("london", 2).start(3), [make_bot("search@24", seed), make_bot("greedy")]
        while not state.is_over:
            state.apply(bots[state.seat].decide(state.view(state.seat)))
        return state.history

    assert game_of(1) == game_of(1)
    assert game_of(1) != game_of(2)


@pytest.mark.parametrize("planner", [False, True])
def test_two_cores_decide_as_one_does(planner):
    """The network is often sure, and then there is nothing to look at."""
    looked = 0
    for decisions in (30, 33, 36, 39):
        state = position("europe", 2, decisions)
        one, two = (SearchBot(Budget(None, 160, cores, planner), 7).explain(state.view(state.seat)) for cores in (1, 2))
        assert one == two
        looked += one["candidates"][0].get("worlds", 0)
    assert looked > 8


@pytest.mark.parametrize("seconds", [0.05, 0.4])
def test_it_keeps_to_its_time(seconds):
    state = position("world", 4, 60)
    bot = SearchBot(Budget(seconds))
    bot.decide(state.view(state.seat))  # load everything first
    started = time.perf_counter()
    bot.decide(state.view(state.seat))
    assert time.perf_counter() - started < seconds + 0.6  # allow for a busy machine


def test_it_finds_the_claim_that_wins():
    """The last turn, far behind on the board except for a ticket that one route completes."""
    state = hold(table(), 0, "edinburgh-paris", "athina-edinburgh")
    own(state, 0, "dieppe-london.1", "dieppe-paris")
    give(state, 0, "black black black black white white white white white white")
    state.record.last_turns = 2
    state.record.points[1] = state.record.points[0] + 5
    assert make_bot("search@400").explain(state.view(0))["decision"].startswith("claim edinburgh-london")


def test_it_explains_itself():
    state = position("europe", 2, 30)
    told = make_bot("search@200,planner", 3).explain(state.view(state.seat))
    assert told["decision"] == told["candidates"][0]["decision"]
    assert told["decision"] in state.legal_texts
    assert all(0 <= one["wins"] <= 1 for one in told["candidates"])
    assert set(told["plan"]["tickets"]) <= set(state.view(state.seat).tickets(state.seat))
    learned = make_bot("search@200", 3).explain(state.view(state.seat))
    assert learned["decision"] == learned["candidates"][0]["decision"] in state.legal_texts
    assert "plan" not in learned


@pytest.mark.parametrize(
    ("options", "budget"),
    [
        (None, Budget(0.3)),
        ("2s", Budget(2.0)),
        ("500", Budget(None, 500)),
        ("0.5s,2cores", Budget(0.5, None, 2)),
        ("80,1core", Budget(None, 80, 1)),
        ("0.2s,planner", Budget(0.2, planner=True)),
    ],
)
def test_a_budget_is_read(options, budget):
    assert read_budget(options) == budget


@pytest.mark.parametrize("options", ["", "fast", "-1s", "1h", "0", "0s", "0cores", "1s,,2cores"])
def test_a_wrong_budget_is_refused_with_how_to_write_it(options):
    with pytest.raises(BotError, match=r"search@0\.3s"):
        make_bot(f"search@{options}")


def trials_of(wins, margins):
    trials = Trials(len(wins))
    trials.wins[:, : len(wins[0])] = wins
    trials.margins[:, : len(wins[0])] = margins
    trials.advance(len(wins[0]))
    return trials


def test_the_planners_choice_has_the_benefit_of_the_doubt():
    assert trials_of([[1, 0] * 10, [0, 1] * 10], np.zeros((2, 20))).best() == 0
    assert trials_of([[0] * 20, [1] * 20], np.zeros((2, 20))).best() == 1


def test_what_falls_behind_is_given_up():
    trials = trials_of([[1] * 20, [0] * 20, [1, 0] * 10], np.zeros((3, 20)))
    trials.give_up_the_worse()
    assert trials.active.tolist() == [True, False, False]
    assert trials.decided
    assert trials.report(1) == {"worlds": 20, "wins": 0.0, "margin": 0.0}


def test_a_few_worlds_give_nobody_up():
    trials = trials_of([[1] * 4, [0] * 4], np.zeros((2, 4)))
    trials.give_up_the_worse()
    assert trials.active.all()


def test_search_beats_the_planner():
    """A sample; the figures with intervals: docs/bots.md."""
    won, seeds = 0.0, 12 if SOAK else 2
    for seed in range(seeds):
        for seat in (0, 1):
            state = Game("london", 2).start(seed)
            bots = [make_bot("planner"), make_bot("planner")]
            bots[seat] = make_bot("search@1500,planner", seed)
            while not state.is_over:
                state.apply(bots[state.seat].decide(state.view(state.seat)))
            winners = state.result["winners"]
            won += (seat in winners) / len(winners)
    assert won > seeds  # more than half; three quarters is usual


def believed(state, viewer, number):
    """An imagined world as search believes it."""
    view = state.view(viewer)
    views, worlds = view.records, np.zeros(1, STATE)
    boards, thoughts = state.game.board.records, np.zeros(1, THOUGHTS)
    supposed_world(boards, views, worlds, thoughts, np.uint64(number), np.uint64(7))
    return State(state.game, None, worlds)


def places(world):
    """How often each ticket is where."""
    found = [ticket for seat in world.seats for ticket in members(world.record.tickets[seat])]
    found += [ticket for seat in world.seats for ticket in members(world.record.completed[seat])]
    found += [int(ticket) for ticket in world.record.queue[: world.record.queue_size]]
    return found + [int(ticket) for seat in world.seats for ticket in world.record.offer[seat, : world.record.offer_size[seat]]]


def test_believed_worlds_agree_with_the_view(game, players):
    """Nobody gains or loses a ticket, none is in two places, and the view stays the same."""
    for decisions in (10, 60, 110):
        state = position(game, players, decisions)
        if state.is_over:
            continue
        viewer = state.seat
        for number in range(20):
            world = believed(state, viewer, number)
            assert len(places(world)) == len(set(places(world)))
            assert [len(members(world.record.tickets[seat])) for seat in state.seats] == list(world.record.ticket_count[:players])
            assert world.view(viewer) == state.view(viewer)


def test_nobody_is_believed_to_hold_what_the_viewer_returned():
    """CG-3: the rival has drawn no ticket since set-up, so it holds none that the viewer returned."""
    state = Game("card-game", 2, first_seat=0).start(4)
    while state.phase == "opening tickets":
        returns = [text for text in state.legal_texts if text.startswith("return")]
        state.apply(returns[0] if state.seat == 0 and returns else state.legal_texts[0])
    returned = set(np.flatnonzero(state.record.returned_by & 1))
    assert returned
    for number in range(40):
        assert not returned & set(members(believed(state, 0, number).record.tickets[1]))


@pytest.mark.soak("whole games of search are compared above")
def test_a_bot_that_looked_ahead_decides_as_a_fresh_one():
    """Asked about a later position first, then about an earlier one."""
    for name in ("planner", "search@24"):
        state, planner, views = Game("usa", 2).start(2), make_bot("planner"), []
        while len(views) < 60:
            views.append(state.view(state.seat))
            state.apply(planner.decide(views[-1]))
        used = make_bot(name, 1)
        for view in reversed(views[::3]):
            assert used.decide(view) == make_bot(name, 1).decide(view)
