"""Speed of single steps from Python, beside what the field knows: `python benchmarks/environments.py`.

Each loop chooses at random among the legal actions and plays whole games. All run in turn, several times, in one process; the best round counts.
Only decisions of players are counted, per second of CPU time. What differs is said in `docs/environments.md`.
"""

from __future__ import annotations

import random
import time
import warnings
from collections.abc import Callable
from typing import Any

import pyspiel
from rich.console import Console
from rich.table import Table

from branchline import Game
from branchline.envs import aec_env, register_open_spiel

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.classic import connect_four_v3, texas_holdem_v4

ROUNDS, SECONDS = 5, 1.0
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
    agents = {
        "PettingZoo connect_four": zoo(connect_four_v3.env()),
        "PettingZoo texas_holdem": zoo(texas_holdem_v4.env()),
        "Branchline London, 2 seats": zoo(aec_env("london", 2)),
        "Branchline Europe, 2 seats": zoo(aec_env("europe", 2)),
    }
    console = Console(width=120)
    console.print(compared("Single steps from Python", single, "OpenSpiel gin_rummy"))
    console.print(compared("Agent after agent (AEC), with observations and masks", agents, "PettingZoo connect_four"))


if __name__ == "__main__":
    main()
