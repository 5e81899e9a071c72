"""Win chances: they sum to 1, and depend on what the viewer sees alone (G-2)."""

import random
import re
from io import StringIO

import numpy as np
import pytest
from rich.console import Console

from branchline import Game, Record
from branchline.bots import make_bot
from branchline.bots.chances import mean_chances
from branchline.errors import GameOptionError, GameOver
from branchline.terminal.replaying import replay_one
from tests.twins import in_payment, twin_world


def positions(game, players, seed, every):
    """Positions of a game of planners and greedy bots."""
    state, bots = Game(game, players).start(seed), [make_bot(("planner", "greedy")[seat % 2]) for seat in range(players)]
    while not state.is_over:
        if len(state.history) % every == 0:
            yield state
        state.apply(bots[state.seat].decide(state.view(state.seat)))


def test_g_2_chances_sum_to_1_and_hidden_things_do_not_change_them(game, players):
    rng = random.Random(players)
    for state in positions(game, players, 3, 29):
        for viewer in state.seats:
            chances = state.view(viewer).chances()
            assert len(chances) == players
            assert sum(chances) == pytest.approx(1)
            assert min(chances) >= 0
            if not (in_payment(state, state.seat) and state.seat != viewer and state.record.paid.any()):  # twins know no half payments
                assert twin_world(state, viewer, rng).view(viewer).chances() == chances
        assert sum(mean_chances(state)) == pytest.approx(1)


def test_who_is_about_to_win_has_a_better_chance():
    """Towards the end of games, the winner's chance is mostly the greatest."""
    found = []
    for seed in range(12):
        state = [position.clone() for position in positions("london", 2, seed, 1)][-6]
        chances = mean_chances(state)
        while not state.is_over:
            state.apply(make_bot("planner").decide(state.view(state.seat)))
        winners = state.result["winners"]
        found.append((chances[0] > 0.5) == (0 in winners) if len(winners) == 1 else True)
    assert np.mean(found) >= 0.7


def test_only_a_seat_is_told_chances_and_only_before_the_end():
    state = Game("london", 2).start(1)
    with pytest.raises(GameOptionError, match="the view of a spectator"):
        state.view(None).chances()
    while not state.is_over:
        state.apply(state.legal[0])
    with pytest.raises(GameOver, match="its result says who has won"):
        state.view(0).chances()


def test_a_replay_shows_chances_after_each_turn():
    state, bot = Game("london", 2).start(5), make_bot("greedy")
    while not state.is_over:
        state.apply(bot.decide(state.view(state.seat)))
    console = Console(record=True, width=200, quiet=False, file=StringIO())
    replay_one(console, Record.of(state, [{"name": name, "player": "human"} for name in ("Alice", "Bob")]), step=False, chances=True)
    said = re.findall(r"Chances: Alice (\d+) %, Bob (\d+) %", console.export_text())
    turns = sum(event["event"] == "turn" for event in state.events)
    assert turns - 1 <= len(said) <= turns
    assert {int(alice) + int(bob) for alice, bob in said} <= {99, 100, 101}
