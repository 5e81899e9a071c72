"""Batch for training: opponents inside, labels, resets, rewards, final and packed observations (G-1, G-2)."""

import random

import numpy as np
import pytest

from branchline import Game, GameOptionError, IllegalDecision, load_board
from branchline.batch import Batch, Rewards, bounds_of, layout_of, observation, play_batch, size_of
from branchline.batch.decisions import KINDS, PARTS, decisions_of
from branchline.bots.compiled.policies import POLICIES
from branchline.bots.registry import make_bot
from branchline.compiling import made
from branchline.play.observations.compiled.scaling import as_bfloat16
from branchline.rules.sizes import NONE
from tests.compiling.test_modes import in_mode
from tests.conftest import SOAK

GAMES = 24 if SOAK else 6
LINE_UPS = (["greedy", "planner"], ["random", "planner"], ["planner", "greedy", "random"], ["greedy", "random", "planner", "greedy"])


def results_of(batch, games, decide):
    """The counts of the first games of a seed, by number."""
    found = {}
    while len(found) < games:
        numbers = batch.numbers.copy()
        batch.step(decide(batch))
        for slot in np.flatnonzero(batch.finished):
            if numbers[slot] < games:
                found[int(numbers[slot])] = (batch.results[slot].tobytes(), batch.finals[slot].tobytes())
    return [found[number] for number in range(games)]


@pytest.mark.parametrize("bots", LINE_UPS, ids=" ".join)
def test_g_1_opponents_inside_play_the_games_of_play_batch(game, bots):
    """The learner decides as one of the bots would; last positions, results and dice are those of whole games, byte for byte."""
    if len(bots) > load_board(game).players[1]:
        pytest.skip("fewer seats")
    played = play_batch(load_board(game), bots, GAMES, 11, threads=1)
    expected = [(result.tobytes(), state.tobytes()) for result, state in zip(played.results, played.states, strict=True)]
    for yours in range(len(bots)):
        opponents = [None if seat == yours else bot for seat, bot in enumerate(bots)]
        batch = Batch(game, 3, players=len(bots), seed=11, opponents=opponents, threads=2)
        assert results_of(batch, GAMES, lambda batch, bot=bots[yours]: batch.ask(bot)) == expected
        assert (batch.seats == yours).all()
        if not SOAK:
            return


def test_opponents_may_differ_from_slot_to_slot():
    rows = [[None, "planner"], [None, "greedy"], ["planner", None]]
    batch = Batch("london", 3, seed=2, opponents=rows)
    alone = [Batch("london", 3, seed=2, opponents=row) for row in rows]
    for _ in range(60):
        decisions = batch.sample().copy()
        batch.step(decisions)
        for slot, one in enumerate(alone):
            one.step(one.sample())
            assert one.states[slot].tobytes() == batch.states[slot].tobytes()
    assert batch.seats.tolist() == [0, 0, 1]
    assert batch.policies.tolist() == [[NONE, POLICIES["planner"]], [NONE, POLICIES["greedy"]], [POLICIES["planner"], NONE]]


def test_with_one_bot_fewer_than_seats_yours_is_seat_0():
    batch = Batch("usa", 2, players=3, seed=1, opponents=["greedy", "random"])
    assert batch.policies[0].tolist() == [NONE, POLICIES["greedy"], POLICIES["random"]]
    assert "against greedy, random" in repr(batch)
    assert batch.copy().policies.tolist() == batch.policies.tolist()


@pytest.mark.parametrize(
    ("opponents", "message"),
    [
        (["planner", "planner"], "None for at least one that is yours"),
        ([], "opponents must be 1 bots, and you play seat 0"),
        ("planner", "must be a list of bots"),
        (["planner", None, None], "one for each of 2 seats"),
        ([["planner"]] * 3, "or 4 such lists, one per slot"),
        (["search"], "'search' is not compiled"),
        (["plannr"], "there is no bot"),
        ([3], "opponents must be"),
    ],
)
def test_opponents_that_cannot_sit_there_are_refused(opponents, message):
    with pytest.raises(Exception, match=message):
        Batch("london", 4, opponents=opponents)


OWN = """
import sys
from branchline.batch import Batch
from branchline.compiling import rule
from branchline.rules.bits import first

@rule
def first_legal(board, seen, mask, thoughts, dice):
    return first(mask)

sys.modules["mine"] = sys.modules["__main__"]
batch = Batch("london", 2, seed=2, opponents=["mine:first_legal"])
for _ in range(15):
    assert batch.ask("mine:first_legal").tolist() == batch.legal.argmax(1).tolist()
    decisions, states = batch.sample().copy(), [batch.state(0), batch.state(1)]
    batch.step(decisions)
    for slot, state in enumerate(states):
        state.apply(int(decisions[slot]))
        while state.seat != 0:
            state.apply(state.legal[0])
        assert state == batch.state(slot)
print(batch.states["turn"][0])
"""


def test_your_own_function_can_be_asked_and_be_an_opponent():
    """In plain Python: compiling it takes half a minute."""
    run = in_mode("plain", "-c", OWN)
    assert (run.returncode, run.stderr) == (0, "")
    assert int(run.stdout) > 2


@pytest.mark.parametrize("bot", POLICIES)
def test_asking_a_bot_gives_what_it_would_decide(game, bot):
    batch = Batch(game, 4, players=2, seed=5)
    for step in range(40):
        if bot != "random":  # whose dice follow from the game, as for `sample`
            asked = batch.ask(bot).copy()
            for slot in range(4) if step % 8 == 0 else ():
                view = batch.state(slot).view(int(batch.seats[slot]))
                assert asked[slot] == make_bot(bot, 0).decide(view)
        else:
            other = batch.copy()
            assert batch.ask(bot).tolist() == other.sample().tolist()
        batch.step(batch.sample())


def test_only_chosen_slots_are_asked():
    batch, where = Batch("london", 5, seed=5), np.array([True, False, True, False, False])
    out = np.full(5, -7, np.int64)
    assert batch.ask("planner", where, out) is out
    assert out.tolist() == np.where(where, batch.ask("planner"), -7).tolist()
    with pytest.raises(GameOptionError, match="where must be"):
        batch.ask("planner", [True] * 5)
    with pytest.raises(GameOptionError, match="out must be"):
        batch.ask("planner", out=np.zeros(5))


def test_an_unchecked_step_does_what_a_checked_one_does():
    batch = Batch("europe", 6, players=3, seed=5)
    other = batch.copy()
    for _ in range(100):
        decisions = batch.sample().copy()
        batch.step(decisions)
        other.sample()
        other.step(decisions, check=False)
    assert batch.save()["states"].tobytes() == other.save()["states"].tobytes()
    with pytest.raises(IllegalDecision):
        batch.step(np.full(6, batch.game.number("pass")))


def test_slots_are_reset_with_seeds_and_the_others_go_on():
    batch = Batch("london", 5, players=2, seed=3)
    for _ in range(30):
        batch.step(batch.sample())
    before = batch.states.copy()
    batch.reset([3, 1], [77, 2**64 - 1])
    for slot, seed in ((3, 77), (1, 2**64 - 1)):
        assert batch.state(slot) == Game("london", 2).start(seed)
        assert np.flatnonzero(batch.legal[slot]).tolist() == Game("london", 2).start(seed).legal
    for slot in (0, 2, 4):
        assert batch.states[slot].tobytes() == before[slot].tobytes()
    batch.reset(np.array([True, False, False, False, True]))
    assert batch.state(4) == Game("london", 2).start((3 << 64) + 9)
    batch.reset()
    assert batch.numbers.tolist() == [10, 2**64 - 1 + 5 - 2**64, 7, 82, 14]
    assert batch.games_played == 0


@pytest.mark.parametrize(
    ("slots", "seeds", "message"),
    [
        ([5], None, "from 0 to 4"),
        ([-1], None, "from 0 to 4"),
        ([0.5], None, "from 0 to 4"),
        ([0], [1, 2], "1 whole numbers"),
        ([0], [-1], "not -1"),
        ([0], [0.5], r"not 0\.5"),
    ],
)
def test_wrong_slots_and_seeds_are_refused(slots, seeds, message):
    batch = Batch("london", 5)
    before = batch.states.tobytes()
    with pytest.raises(GameOptionError, match=message):
        batch.reset(slots, seeds)
    assert batch.states.tobytes() == before


def test_after_a_reset_opponents_have_already_moved():
    batch = Batch("london", 4, seed=3, opponents=["planner"], first_seat=1)
    batch.reset([2], [9])
    assert batch.seats.tolist() == [0, 0, 0, 0]
    assert not batch.finished.any()
    assert not batch.rewards.any()


def margins(totals, scale):
    totals = np.asarray(totals, float)
    others = (totals.sum() - totals) / (len(totals) - 1)
    return (totals - others) / scale


@pytest.mark.one_table_each
def test_rewards_are_the_win_and_the_margin(game, players):
    win, both = Batch(game, 4, players=players, seed=3), Batch(game, 4, players=players, seed=3, rewards=Rewards(win=0.25, margin=0.75, scale=40))
    while both.games_played < 6:
        win.step(win.sample())
        both.step(both.sample())
        for slot in range(4):
            if not win.finished[slot]:
                assert not win.rewards[slot].any()
                assert not both.rewards[slot].any()
                continue
            won = (win.shares[slot] * players - 1) / (players - 1)
            margin = np.clip(margins(win.scores[slot], 40), -1, 1)
            assert np.allclose(win.rewards[slot], won, atol=1e-6)
            assert np.allclose(both.rewards[slot], 0.25 * won + 0.75 * margin, atol=1e-6)


@pytest.mark.one_table_each
def test_shaping_earns_the_change_of_the_margin_and_leaves_nothing_at_the_end(game, players):
    """Over a game it sums to what the game began with, whatever was played: which policy is best does not change."""
    batch = Batch(game, 3, players=players, seed=3, rewards=Rewards(shaping=0.5, scale=20))
    sums, before = np.zeros((3, players)), [margins(batch.state(slot).counted().total[:players], 20) for slot in range(3)]
    first, ended = [potential.copy() for potential in before], 0
    while ended < 4:
        batch.step(batch.sample())
        sums += batch.rewards
        for slot in range(3):
            now = margins(batch.state(slot).counted().total[:players], 20)
            if batch.finished[slot]:
                won = (batch.shares[slot] * players - 1) / (players - 1)
                assert np.allclose(sums[slot], won - 0.5 * first[slot], atol=1e-4)
                first[slot], sums[slot], ended = now, 0, ended + 1
            else:
                assert np.allclose(batch.rewards[slot], 0.5 * (now - before[slot]), atol=1e-5)
            before[slot] = now


def test_weights_of_rewards_can_change_on_the_way():
    batch = Batch("london", 8, seed=3, rewards=Rewards(win=0))
    while not batch.games_played:
        batch.step(batch.sample())
    assert not batch.rewards.any()
    batch.weigh(Rewards(win=2))
    batch.step(batch.sample())
    while not batch.finished.any():
        batch.step(batch.sample())
    assert batch.rewards.max() == 2
    for wrong in ({"scale": 0}, {"win": float("nan")}, {"margin": "1"}):
        with pytest.raises(GameOptionError, match="weights of rewards"):
            Rewards(**wrong)


def test_decisions_come_in_parts(game):
    table, parts = Game(game, 2).decisions, decisions_of(game)
    assert len(parts) == len(table)
    for number in range(len(table)):
        decision, named = table.parts(number), [name for name in PARTS if parts[number][name] != NONE]
        assert (decision.number, decision.text) == (number, table.texts[number])
        assert decision.kind == KINDS[parts[number]["kind"]] == decision.text.split(" ")[0]
        assert named == ([] if decision.of is None else [decision.of])
        assert decision.text == (decision.kind if decision.what is None else f"{decision.kind} {decision.what}")


def test_a_part_has_the_number_of_the_board():
    board, table = load_board("europe"), Game("europe", 2).decisions
    rows = decisions_of("europe")
    for number in (0, 50, 100):
        assert board.routes[rows[number]["route"]].id == table.parts(number).what
    wild = table.parts("pay wild")
    assert (wild.kind, wild.of, wild.what) == ("pay", "card", "wild")
    assert board.cards[rows[wild.number]["card"]].id == "wild"


def test_g_2_final_observations_are_of_the_last_position():
    batch, own = Batch("london", 4, seed=3, opponents=["greedy"]), Batch("london", 4, seed=3)
    assert not batch.observe_final().any()
    while not batch.finished.any():
        batch.step(batch.sample())
    slot = int(np.flatnonzero(batch.finished)[0])
    final = batch._state_of(batch.finals[slot : slot + 1].copy())
    assert final.is_over
    assert batch.observe_final()[slot].tobytes() == observation(final.view(0)).tobytes()
    assert batch.observe_final(1)[slot].tobytes() == observation(final.view(1)).tobytes()
    with pytest.raises(GameOptionError, match="you play several seats"):
        own.observe_final()


def test_a_seat_for_every_slot_can_be_observed():
    batch = Batch("london", 4, players=3, seed=3)
    rows = batch.observe_seat([2, 0, 1, 2])
    for slot, seat in enumerate((2, 0, 1, 2)):
        assert rows[slot].tobytes() == observation(batch.state(slot).view(seat)).tobytes()
    for wrong in ([0, 1], [0, 1, 2, 3], [0.0] * 4):
        with pytest.raises(GameOptionError, match="from 0 to 2, or 4 of them"):
            batch.observe_seat(wrong)


def test_g_2_packed_observations_leave_out_the_rows_of_absent_seats_and_nothing_else(game, players):
    full, packed = Batch(game, 3, players=players, seed=4), Batch(game, 3, players=players, seed=4, packed=True)
    assert packed.observation_size == size_of(game, players) <= size_of(game)
    for _ in range(60):
        whole, rows = full.observe(), packed.observe()
        for name, field in layout_of(game, players).items():
            wide = layout_of(game)[name]
            there = wide.of(whole)
            if wide.shape != field.shape:
                assert not there[:, players:].any()
                there = there[:, :players]
            assert np.array_equal(field.of(rows), there)
        full.step(full.sample())
        packed.step(packed.sample())
    view = packed.state(0).view(int(packed.seats[0]))
    assert observation(view, packed=True).tobytes() == packed.observe()[0].tobytes()


def test_rows_are_padded_and_normalised():
    plain, batch = Batch("london", 6, seed=4, packed=True), Batch("london", 6, seed=4, packed=True, pad=16)
    size = batch.observation_size
    mean, scale = np.linspace(0, 1, size, dtype=np.float32), np.linspace(0.1, 2, size, dtype=np.float32)
    batch.normalise(mean, scale)
    rows = batch.observe()
    assert rows.shape == batch.observation_shape == (6, -(-size // 16) * 16)
    assert not rows[:, size:].any()
    assert np.allclose(rows[:, :size], (plain.observe() - mean) / scale, atol=1e-5)
    assert batch.copy().observe().tobytes() == rows.tobytes()
    for wrong in ((mean[1:], scale), (mean, 0 * scale), (np.nan * mean, scale)):
        with pytest.raises(GameOptionError, match="mean and scale must be"):
            batch.normalise(*wrong)
    with pytest.raises(GameOptionError, match="dtype must be float32 on the CPU"):
        Batch("london", 6, dtype="bfloat16")


@pytest.mark.one_table_each
def test_observations_stay_within_their_bounds(game, players):
    batch = Batch(game, 16, players=players, seed=4, packed=True)
    low, high = batch.observation_bounds
    assert (low.shape, low.dtype) == ((batch.observation_size,), np.float32)
    assert np.array_equal(low, bounds_of(game, players)[0])
    seen = np.zeros_like(high)
    for _ in range(400):
        rows = batch.observe()
        assert (rows >= low).all()
        assert (rows <= high).all()
        seen = np.maximum(seen, rows.max(0))
        batch.step(batch.sample())
    reached = {name for name, field in batch.observation_layout.items() if (field.of(seen) >= field.of(high) - 1e-6).any()}
    assert {"phase", "row", "deck_most", "first"} <= reached


def test_numbers_are_rounded_to_bfloat16_as_others_do():
    rng = random.Random(1)
    bits = [rng.getrandbits(31) % 0x7F000000 for _ in range(2000)] + [0x3F808000, 0x3F818000, 0x3F808001, 0]
    found = np.zeros(len(bits), np.uint16)

    def convert(numbers, out):
        for i in range(out.shape[0]):
            out[i] = as_bfloat16(numbers[i])

    made(convert, np.zeros(1, np.int64), found)(np.array(bits, np.int64), found)
    numbers = np.array(bits, np.uint32).view(np.float32).astype(np.float64)
    rounded = (found.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    step = np.spacing(numbers.astype(np.float32)).astype(np.float64) * 2**16
    assert (np.abs(rounded - numbers) <= step / 2).all()
    assert found[-4:].tolist() == [0x3F80, 0x3F82, 0x3F81, 0]
