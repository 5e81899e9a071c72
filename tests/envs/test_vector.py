"""The vector environment: its games are those of single environments, and they end and begin as Gymnasium defines it."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import branchline.envs  # noqa: F401  # registers the environments
from branchline import Game, GameOptionError
from branchline.batch import observation
from branchline.envs import VectorSeatEnv
from branchline.envs.seat import SeatEnv
from branchline.envs.spaces import observed
from branchline.errors import IllegalDecision

GAMES = 6


def chosen(seen, rng):
    return np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in seen["action_mask"]])


class Single(SeatEnv):
    """A single environment whose games are the ones that a vector environment plays: those of given seeds.

    In a batch, simultaneous choices are made seat by seat; a single environment asks its learner first, which shows only in who has chosen.
    """

    def _asked(self, state):
        return state.seat

    def begin(self, seed):
        self.np_random = None
        super().reset(seed=1)
        self._state = Game(self.game.name, self.game.players).start(seed)
        self._others_play()
        return self._told()[0]


def singles(game, players, opponents):
    return [Single(game, players, opponents, seat=slot % players) for slot in range(GAMES)]


def assert_same(one, other):
    assert set(one) == set(other)
    for name in one:
        assert np.array_equal(one[name], other[name]), name


@pytest.mark.parametrize(("board", "seats", "opponents"), [("london", 2, ["planner"]), ("europe", 3, ["greedy", "planner"])])
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_its_games_are_those_of_single_environments(board, seats, opponents, mode):
    """Observations, masks, rewards and ends, from the first seeds on; a game that follows has the seed GAMES later."""
    env, rng = VectorSeatEnv(board, GAMES, seats, opponents, autoreset_mode=mode), np.random.default_rng(1)
    seen, _ = env.reset(seed=100)
    alone, seeds, over, ended = singles(board, seats, opponents), [100 + slot for slot in range(GAMES)], [False] * GAMES, 0
    rows = [one.begin(seed) for one, seed in zip(alone, seeds, strict=True)]
    while ended < 3:
        for slot in range(GAMES):
            assert_same({name: array[slot] for name, array in seen.items()}, rows[slot])
        actions = chosen(seen, rng)
        seen, rewards, terminations, truncations, info = env.step(actions)
        assert not truncations.any()
        for slot, one in enumerate(alone):
            if over[slot]:
                seeds[slot], over[slot] = seeds[slot] + GAMES, False
                rows[slot] = one.begin(seeds[slot])
                assert (rewards[slot], terminations[slot]) == (0, False)
                continue
            rows[slot], reward, terminated, _, _ = one.step(int(actions[slot]))
            assert (rewards[slot], terminations[slot]) == (pytest.approx(reward), terminated)
            ended += terminated
            if terminated and mode == AutoresetMode.SAME_STEP:
                assert_same(info["final_obs"][slot], rows[slot])
                assert info["_final_obs"][slot]
                seeds[slot] += GAMES
                rows[slot] = one.begin(seeds[slot])
            elif terminated:
                over[slot] = True


def test_make_vec_makes_it_and_its_spaces_hold():
    env = gymnasium.make_vec("branchline/London-v0", num_envs=4, vectorization_mode="vector_entry_point", opponents=["greedy"])
    assert isinstance(env.unwrapped, VectorSeatEnv)
    assert env.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    seen, info = env.reset(seed=3)
    rng = np.random.default_rng(1)
    for _ in range(100):
        assert seen in env.observation_space
        actions = chosen(seen, rng)
        assert actions in env.action_space
        seen, rewards, terminations, truncations, info = env.step(actions)
        assert [array.shape for array in (rewards, terminations, truncations)] == [(4,)] * 3
    assert info["seat"].tolist() == [0, 1, 0, 1]
    env.close()


def test_seeds_make_games_and_no_seed_makes_others():
    env = VectorSeatEnv("london", 3, opponents=["random"])
    first, _ = env.reset(seed=5)
    again, _ = env.reset(seed=[5, 6, 7])
    other, _ = env.reset()
    assert_same(first, again)
    assert not np.array_equal(first["observation"], other["observation"])
    state = Game("london", 2).start(5)
    assert np.array_equal(observation(state.view(0)), first["observation"][0]) == (state.seat == 0)


def test_wrong_actions_and_options_are_refused():
    env = VectorSeatEnv("london", 3, opponents=["greedy"])
    env.reset(seed=1)
    before = env.batch.states.tobytes()
    with pytest.raises(IllegalDecision, match="slot 0"):
        env.step(np.full(3, env.batch.game.number("pass")))
    assert env.batch.states.tobytes() == before
    for wrong, message in (
        ({"seat": 2}, "seat must be from 0 to 1"),
        ({"opponents": ["greedy", "greedy"]}, "2 opponents for 1 seats"),
        ({"autoreset_mode": AutoresetMode.DISABLED}, "NEXT_STEP or SAME_STEP"),
    ):
        with pytest.raises(GameOptionError, match=message):
            VectorSeatEnv("london", 3, **wrong)


def test_an_ended_game_shows_its_last_position():
    env, rng = VectorSeatEnv("london", 2, opponents=["greedy"], seat=1), np.random.default_rng(2)
    seen, _ = env.reset(seed=1)
    over = np.zeros(2, bool)
    while not over.any():
        seen, _, over, _, _ = env.step(chosen(seen, rng))
    slot = int(np.flatnonzero(over)[0])
    final = env.batch._state_of(env.batch.finals[slot : slot + 1].copy())
    assert_same({name: array[slot] for name, array in seen.items()}, observed(final.view(1)))
