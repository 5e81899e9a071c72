"""Batch: many games side by side equal those of `Game` and `State`, byte for byte; wrong input changes nothing."""

import random
import re
import runpy
import sys
import types
from pathlib import Path

import numpy as np
import pytest

from branchline import Game, GameOptionError, IllegalDecision, NotADecision, load_board
from branchline.batch import Batch, play_batch
from branchline.errors import BranchlineError
from tests.compiling.test_modes import in_mode
from tests.conftest import SOAK
from tests.random_games import options_of

SLOTS = 3
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("batch_*.py"))


def game_of(batch, number):
    """A game of the batch, started without the batch."""
    return Game(batch.game.name, batch.players, **batch.game.options).start((batch.seed << 64) + number)


def assert_same(batch, states):
    for slot, state in enumerate(states):
        assert batch.states[slot].tobytes() == state.record.tobytes()
        assert batch.state(slot) == state
        assert np.flatnonzero(batch.legal[slot]).tolist() == state.legal
        assert batch.masks[slot].tolist() == state.mask[: batch.masks.shape[1]].tolist()
        assert batch.seats[slot] == state.seat


def assert_ended(batch, slot, state):
    """Check that the slot has counted the game that ended here."""
    count = state.counted()
    assert batch.finished[slot]
    assert batch.results[slot].tobytes() == count.tobytes()
    assert batch.scores[slot].tolist() == count.total[: batch.players].tolist()
    winners = [int(count.winners) >> seat & 1 for seat in state.seats]
    assert batch.shares[slot].tolist() == (np.array(winners, np.float32) / np.float32(sum(winners))).tolist()


@pytest.mark.one_table_each
def test_g_1_stepping_a_batch_plays_the_games_of_states(game, players):
    """Whole games with restarts, every byte of every state. The k-th game of slot i is number i + k * n of the seed."""
    rng = random.Random(f"{game} {players}")
    batch = Batch(game, SLOTS, players=players, seed=7, threads=2, **options_of(game, 2))
    states, numbers, ended = [game_of(batch, slot) for slot in range(SLOTS)], list(range(SLOTS)), 0
    assert_same(batch, states)
    while ended < (20 if SOAK else 4):
        decisions = [rng.choice(state.legal) for state in states]
        batch.step(decisions)
        for slot, (state, decision) in enumerate(zip(states, decisions, strict=True)):
            state.apply(decision)
            if state.is_over:
                assert_ended(batch, slot, state)
                numbers[slot] += SLOTS
                states[slot] = game_of(batch, numbers[slot])
                ended += 1
            else:
                assert not batch.finished[slot]
                assert not batch.shares[slot].any()
        assert_same(batch, states)
        assert batch.numbers.tolist() == numbers
        assert batch.games_played == ended


def test_g_1_sampled_decisions_play_the_games_of_the_random_bot(game, players):
    batch, seen = Batch(game, 4, players=players, seed=11), {}
    played = play_batch(load_board(game), ["random"] * players, 8, 11, threads=1)
    while len(seen) < 8:
        numbers = batch.numbers.copy()
        batch.step(batch.sample())
        for slot in np.flatnonzero(batch.finished):
            if numbers[slot] < 8:
                seen[int(numbers[slot])] = batch.results[slot].tobytes()
    assert [seen[number] for number in range(8)] == [result.tobytes() for result in played.results]


def everything(batch):
    return {name: array.tobytes() for name, array in batch.save().items()} | {"seen": batch.observe().tobytes()}


def test_g_1_the_number_of_threads_changes_nothing(game):
    batches = [Batch(game, 37, players=2, seed=5, threads=threads) for threads in (1, 2, 3)]
    for _ in range(400):
        for batch in batches:
            batch.step(batch.sample())
    assert batches[0].games_played
    assert everything(batches[0]) == everything(batches[1]) == everything(batches[2])


def test_a_first_seat_and_other_options_are_those_of_a_game():
    batch = Batch("card-game", 8, players=3, seed=1, first_seat=2, complete_tickets_for_me=True)
    assert batch.game == Game("card-game", 3, first_seat=2, complete_tickets_for_me=True)
    assert set(batch.states["first_seat"]) == {2}
    assert set(batch.states["options"]) == {1}


def test_without_a_seed_every_batch_is_another():
    assert Batch("london", 2).seed != Batch("london", 2).seed


def test_arrays_stay_where_they_are():
    batch = Batch("london", 6, players=2, seed=1)
    kept = {name: getattr(batch, name) for name in ("seats", "legal", "masks", "finished", "shares", "scores", "results", "numbers", "states")}
    sample, seen = batch.sample(), batch.observe()
    before = {name: array.tobytes() for name, array in kept.items()}
    for _ in range(200):
        batch.step(batch.sample())
    assert all(getattr(batch, name) is array for name, array in kept.items())
    assert batch.sample() is sample
    assert batch.observe() is seen
    assert all(array.tobytes() != before[name] for name, array in kept.items() if name not in ("finished", "shares"))
    assert batch.observe_seat(0) is not seen


def test_other_libraries_share_the_arrays():
    """With DLPack, as PyTorch, JAX and CuPy do: nothing is copied, so a step shows in the shared array."""
    batch = Batch("london", 6, players=2, seed=1)
    arrays = [batch.seats, batch.legal, batch.masks, batch.finished, batch.shares, batch.scores, batch.numbers, batch.observe()]
    shared = [np.from_dlpack(array) for array in arrays]
    batch.step(batch.sample())
    batch.observe()
    assert all(np.shares_memory(one, other) for one, other in zip(arrays, shared, strict=True))
    assert all(one.tobytes() == other.tobytes() for one, other in zip(arrays, shared, strict=True))
    decisions = np.from_dlpack(batch.sample())
    batch.step(decisions)


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint64, list])
def test_decisions_may_be_any_whole_numbers(dtype):
    batch = Batch("london", 5, players=2, seed=1)
    sample = batch.sample()
    batch.step(sample.tolist() if dtype is list else sample.astype(dtype))


WRONG = {
    "too few": ([0, 0], NotADecision, r"must be 5 whole numbers, one per slot; these have the shape \(2,\)"),
    "too many": (np.zeros((5, 1), int), NotADecision, r"the shape \(5, 1\)"),
    "fractions": (np.zeros(5), NotADecision, "the type float64"),
    "true or false": (np.zeros(5, bool), NotADecision, "the type bool"),
    "texts": (["draw"] * 5, NotADecision, "the type <U4"),
    "nothing": (None, NotADecision, "the type object"),
    "no decision": (-1, NotADecision, "^slot 2, seat [01]: -1 is not a decision: .* numbers 0 to 98. Legal: .* and [0-9]+ more$"),
    "another": (99, NotADecision, "^slot 2, seat [01]: 99 is not a decision"),
    "enormous": (2**64 - 1, NotADecision, "^slot 2, seat [01]: 18446744073709551615 is not a decision"),
    "not now": (
        "pass",
        IllegalDecision,
        r"^slot 2, seat [01]: 98 \('pass'\) is not legal now. You can pass only if .* Legal: .* \(.*\) and [0-9]+ more$",
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_cannot_be_decided_is_refused_and_changes_nothing(wrong):
    decision, error, message = WRONG[wrong]
    batch = Batch("london", 5, players=2, seed=1, threads=2)
    while set(batch.states["phase"]) != {1}:
        batch.step(batch.sample())
    given = decision
    if isinstance(decision, int | str):
        given = batch.sample().astype(np.uint64 if decision == 2**64 - 1 else np.int64)
        given[2] = batch.game.number(decision) if isinstance(decision, str) else decision
    before = everything(batch)
    with pytest.raises(error, match=message) as caught:
        batch.step(given)
    assert isinstance(caught.value, BranchlineError)
    assert everything(batch) == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"game": "mars"}, "there is no such board"),
        ({"players": 6}, "London is for 2 to 4 players, not 6"),
        ({"games": 0}, "games must be a whole number from 1 to .*, not 0"),
        ({"games": 2.0}, "games must be a whole number"),
        ({"seed": -1}, "seed must be a whole number from 0 to 18446744073709551615, not -1"),
        ({"seed": "7"}, "seed must be a whole number"),
        ({"threads": 0}, "threads must be a whole number from 1"),
        ({"device": "tpu"}, "there is no device 'tpu'; the devices are cpu and cuda"),
        ({"first_seat": 2}, "first_seat must be a seat from 0 to 1"),
        ({"may_draw_one": True}, "has no option may_draw_one"),
    ],
)
def test_what_no_batch_can_be_is_refused(options, message):
    with pytest.raises(GameOptionError, match=re.compile(message, re.IGNORECASE)):
        Batch(**{"game": "london", "games": 4, "players": 2} | options)


def test_numpys_numbers_are_whole_numbers():
    assert Batch("london", np.int64(4), seed=np.uint64(3)).seed == 3


def test_without_a_gpu_its_batch_is_refused_with_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "branchline.cuda", types.ModuleType("branchline.cuda"))
    with pytest.raises(GameOptionError, match=r"device='cuda' cannot be used here \(.*GpuBatch.*\); use device='cpu'"):
        Batch("london", 4, device="cuda")


def test_a_gpus_batch_is_made_by_the_same_name(monkeypatch):
    class GpuBatch(Batch):
        pass

    module = types.ModuleType("branchline.cuda")
    module.GpuBatch = GpuBatch
    monkeypatch.setitem(sys.modules, "branchline.cuda", module)
    batch = Batch("london", 4, players=3, device="cuda", seed=2)
    assert (type(batch), batch.device, batch.players) == (GpuBatch, "cuda", 3)
    assert type(batch.copy()) is GpuBatch


def test_an_out_that_does_not_fit_is_refused():
    batch = Batch("london", 4, seed=1)
    size = batch.observation_size
    for out in (np.zeros((4, size)), np.zeros((3, size), np.float32), np.zeros((4, 2 * size), np.float32)[:, ::2], [0]):
        with pytest.raises(GameOptionError, match=rf"out must be a writable, contiguous NumPy array of float32 in the shape \(4, {size}\)"):
            batch.observe(out=out)
    frozen = np.zeros((4, size), np.float32)
    frozen.flags.writeable = False
    with pytest.raises(GameOptionError, match="writable"):
        batch.observe_seat(0, out=frozen)
    for seat in (2, -1, None):
        with pytest.raises(GameOptionError, match="seat must be a whole number from 0 to 1"):
            batch.observe_seat(seat)


def test_a_state_is_a_copy_that_plays_on():
    batch = Batch("london", 3, seed=4)
    for _ in range(20):
        batch.step(batch.sample())
    before, state = everything(batch), batch.state(1)
    while not state.is_over:
        state.apply(state.legal[0])
    assert everything(batch) == before
    assert state.result["winners"]
    for slot in (3, -1):
        with pytest.raises(IndexError, match=f"there is no slot {slot}; the slots are 0 to 2"):
            batch.state(slot)


def test_what_was_saved_comes_back(tmp_path):
    batch = Batch("world", 4, players=3, seed=4)
    for _ in range(50):
        batch.step(batch.sample())
    np.savez(tmp_path / "batch.npz", **batch.save())
    saved, other = everything(batch), batch.copy()
    for _ in range(50):
        batch.step(batch.sample())
    later = everything(batch)
    assert later != saved == everything(other)
    with np.load(tmp_path / "batch.npz") as file:
        batch.restore(file)
    assert everything(batch) == saved
    for _ in range(50):
        batch.step(batch.sample())
    assert everything(batch) == later


def test_what_was_saved_of_another_batch_is_refused():
    saved = Batch("london", 4, seed=1).save()
    for other in (Batch("london", 4, seed=2), Batch("usa", 4, seed=1), Batch("london", 5, seed=1), Batch("london", 4, players=3, seed=1)):
        before = everything(other)
        with pytest.raises(GameOptionError, match="saved from a batch with another game, seed"):
            other.restore(saved)
        assert everything(other) == before


def test_a_batch_says_what_it_is():
    batch = Batch("london", 4, players=3, seed=9)
    assert repr(batch) == "<Batch of 4 games of london, 3 players, seed 9, 0 played>"
    assert len(batch) == 4
    assert batch.observe().shape == (4, batch.observation_size)


PLAIN = """
import hashlib
from branchline.batch import Batch
digest = hashlib.sha256()
for game, steps in (("europe", 25), ("world", 25), ("card-game", 25), ("london", 150)):
    batch = Batch(game, 2, players=2, seed=3, threads=1)
    for _ in range(steps):
        digest.update(batch.observe().tobytes() + batch.legal.tobytes())
        batch.step(batch.sample())
    digest.update(b"".join(array.tobytes() for array in batch.save().values()))
assert batch.games_played
print(digest.hexdigest())
"""


@pytest.mark.soak("whole games are compared in test_modes.py")
def test_g_1_a_plain_batch_equals_a_compiled_one():
    runs = [in_mode(mode, "-c", PLAIN) for mode in ("plain", "compiled")]
    assert [run.stderr for run in runs] == ["", ""]
    assert runs[0].stdout == runs[1].stdout != ""


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run_whatever_is_installed(example, capsys):
    runpy.run_path(str(example), run_name="__main__")
    assert capsys.readouterr().out
