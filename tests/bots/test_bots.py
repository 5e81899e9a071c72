"""Bots get a view, never the game."""

import pytest

from branchline import Game, IllegalDecision
from branchline.batch.matches import Match
from branchline.bots import BotError, make_bot
from branchline.bots.compiled.policies import POLICIES
from branchline.play.games import State
from tests.conftest import SOAK


@pytest.mark.sample(24)
@pytest.mark.parametrize("name", POLICIES)
def test_a_bot_plays_whole_games_legally(game, players, name):
    match = Match(Game(game, players), [name] * players)
    for seed in range(200 if SOAK else 6):
        state = match.play(seed)
        replayed = Game(game, players).start(seed)
        for decision in state.history:
            replayed.apply(decision)  # raises if it were not legal
        assert replayed == state
        assert replayed.events == state.events


@pytest.mark.sample(24)
@pytest.mark.parametrize("name", POLICIES)
def test_a_bot_sees_nothing_but_its_view(game, players, name):
    """The same view gives the same decision in another world."""
    state = Game(game, players).start(5)
    bots = [make_bot(name, seat) for seat in state.seats]
    while not state.is_over:
        view = state.view(state.seat)
        world: State = view.imagine(len(state.history))
        twin = make_bot(name, state.seat)
        twin._dice[:] = bots[state.seat]._dice
        decision = bots[state.seat].decide(view)
        assert twin.decide(world.view(state.seat)) == decision
        assert decision in state.legal
        state.apply(decision)


def test_greedy_beats_random(game):
    match = Match(Game(game, 2), ["greedy", "random"])
    games = 1000 if SOAK else 200
    won = sum(match.play(seed).result["winners"] == [0] for seed in range(games))
    assert won >= 0.98 * games


def test_the_same_seed_gives_the_same_match():
    match = Match(Game("europe", 4), ["greedy", "random", "greedy", "random"])
    first = match.play(7)
    match.play(8)
    assert match.play(7).history == first.history


def test_small_buffers_lose_nothing():
    match = Match(Game("europe", 4), ["random"] * 4)
    whole = match.play(7)
    match._make_room(5, 20)
    again = match.play(7)
    assert (again.events, again.history) == (whole.events, whole.history)


def test_a_bot_is_not_asked_out_of_turn():
    state = Game("london", 2).start(1)
    while state.is_at_once:
        state.apply(state.legal[0])
    with pytest.raises(IllegalDecision, match="not this seat's decision"):
        make_bot("greedy").decide(state.view(1 - state.seat))
    over = Match(Game("london", 2), ["random"] * 2).play(1)
    with pytest.raises(IllegalDecision):
        make_bot("random").decide(over.view(0))


@pytest.mark.parametrize(("bots", "reason"), [(["random"], "1 bot for 4 seats"), (["deep"] * 4, "there is no bot 'deep'")])
def test_a_match_needs_a_bot_for_each_seat(bots, reason):
    with pytest.raises(BotError, match=reason):
        Match(Game("europe", 4), bots)


def test_an_unknown_bot_is_named():
    with pytest.raises(BotError, match="there is no bot 'deep'; the bots are random, greedy"):
        make_bot("deep")
