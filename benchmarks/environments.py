"""Speed beside what the field knows, in single steps from Python and in many games at once: `python benchmarks/environments.py`.

Each loop chooses at random among the legal actions and plays whole games. All run in turn, several times, in one process; the best round counts.
Only decisions of players are counted, per second of CPU time, all threads together. What differs is said in `docs/environments.md`.
It needs open_spiel, pettingzoo[classic], rlcard, catanatron and pgx; the last two are left out if they are not installed.
"""

from __future__ import annotations

import random
import time
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pyspiel
from rich.console import Console
from rich.table import Table

from branchline import Game
from branchline.batch import Batch
from branchline.envs import aec_env, register_open_spiel

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.classic import connect_four_v3, texas_holdem_v4

ROUNDS, SECONDS = 5, 1.0
SLOTS, STEPS = 1024, 50  # of many games at once
rng = random.Random(1)


def state_and_legal(game: Game) -> Callable[[], int]:
    """`state.legal` and `state.apply`."""

    def play() -> int:
        state, decisions = game.start(rng.getrandbits(64)), 0
        while not state.is_over:
            state.apply(rng.choice(state.legal))
            decisions += 1
        return decisions

    return play


def view_and_legal(game: Game) -> Callable[[], int]:
    """The same through the view of the seat that decides."""

    def play() -> int:
        state, decisions = game.start(rng.getrandbits(64)), 0
        while (seat := state.seat) is not None:
            state.apply(rng.choice(state.view(seat).legal))
            decisions += 1
        return decisions

    return play


def spiel(game: Any) -> Callable[[], int]:
    def play() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
        return decisions

    return play


def zoo(env: Any) -> Callable[[], int]:
    """An agent loop as PettingZoo's documentation has it. Actions are chosen in the same way everywhere: spaces differ in how long sampling takes."""

    def play() -> int:
        env.reset(seed=rng.getrandbits(32))
        decisions = 0
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
            else:
                env.step(rng.choice(observation["action_mask"].nonzero()[0].tolist()))
                decisions += 1
        return decisions

    return play


def catan() -> Callable[[], int]:
    """Catanatron's own loop with its own random players; what is forced counts, too."""
    from catanatron import Color, RandomPlayer
    from catanatron import Game as Catan

    def play() -> int:
        game, decisions = Catan([RandomPlayer(colour) for colour in (Color.RED, Color.BLUE)]), 0
        while game.winning_color() is None and game.state.num_turns < 1000:
            game.play_tick()
            decisions += 1
        return decisions

    return play


def pgx_batch(name: str) -> Callable[[], int]:
    """A compiled loop of steps, each with observations and masks of the next position, as Pgx makes them."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step, key = jax.vmap(auto_reset(env.step, env.init)), jax.random.key(1)

    def act(carry: Any, _: Any) -> Any:
        state, key = carry
        key, choice, chance = jax.random.split(key, 3)
        action = jax.random.categorical(choice, jax.numpy.where(state.legal_action_mask, 0.0, -1e9))
        return (step(state, action, jax.random.split(chance, SLOTS)), key), None

    run = jax.jit(lambda state, key: jax.lax.scan(act, (state, key), None, length=STEPS)[0])
    carry = jax.jit(jax.vmap(env.init))(jax.random.split(key, SLOTS)), key

    def play() -> int:
        nonlocal carry
        carry = jax.block_until_ready(run(*carry))
        return SLOTS * STEPS

    return play


def own_batch(game: str) -> Callable[[], int]:
    """The same with `Batch`: masks and observations of every position."""
    batch = Batch(game, SLOTS, 2, packed=True, seed=1)

    def play() -> int:
        for _ in range(STEPS):
            batch.observe()
            batch.step(batch.sample(), check=False)
        return SLOTS * STEPS

    return play


def per_second(play: Callable[[], int]) -> float:
    started, decisions = time.process_time(), 0
    while time.process_time() - started < SECONDS:
        decisions += play()
    return decisions / (time.process_time() - started)


def compared(title: str, loops: dict[str, Callable[[], int]], against: str) -> Table:
    best = dict.fromkeys(loops, 0.0)
    for play in loops.values():
        play()  # the first game loads things
    for _ in range(ROUNDS):
        for name, play in loops.items():
            best[name] = max(best[name], per_second(play))
    table = Table("", "decisions per CPU second", f"× {against}", title=title)
    for name, speed in best.items():
        table.add_row(name, f"{speed:,.0f}", f"{speed / best[against]:.2f}")
    return table


def main() -> None:
    register_open_spiel()
    single = {
        "OpenSpiel gin_rummy": spiel(pyspiel.load_game("gin_rummy")),
        "Branchline Europe, 2 seats: state": state_and_legal(Game("europe", 2)),
        "Branchline Europe, 2 seats: view": view_and_legal(Game("europe", 2)),
        "Branchline London, 2 seats: state": state_and_legal(Game("london", 2)),
        "Branchline London, 2 seats: view": view_and_legal(Game("london", 2)),
        "the same through OpenSpiel": spiel(pyspiel.load_game("branchline_london")),
    }
    if find_spec("catanatron"):
        single["Catanatron, 2 players"] = catan()
    agents = {
        "PettingZoo connect_four": zoo(connect_four_v3.env()),
        "PettingZoo texas_holdem": zoo(texas_holdem_v4.env()),
        "Branchline London, 2 seats": zoo(aec_env("london", 2)),
        "Branchline Europe, 2 seats": zoo(aec_env("europe", 2)),
    }
    console = Console(width=120)
    console.print(compared("Single steps from Python", single, "OpenSpiel gin_rummy"))
    many = {f"Branchline {game.capitalize()}, 2 seats": own_batch(game) for game in ("london", "europe")}
    if find_spec("pgx"):
        many |= {f"Pgx {name}": pgx_batch(name) for name in ("connect_four", "backgammon")}
    console.print(compared("Agent after agent (AEC), with observations and masks", agents, "PettingZoo connect_four"))
    console.print(compared(f"{SLOTS} games at once, with observations and masks", many, "Branchline Europe, 2 seats"))


if __name__ == "__main__":
    main()
