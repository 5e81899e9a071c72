"""Print what `make bench` shows: random play, compile time, sizes, and the cost of single operations, on one core.

All figures of a table come from one run, so you can compare them with each other. Machines are noisy, so each is the best of several rounds.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import numpy as np
from rich.console import Console
from rich.table import Table

from branchline import Game, available_boards, load_board
from branchline.batch import Player
from branchline.batch.matches import Match
from branchline.bots.search import Budget, SearchBot
from branchline.compiling import kept
from branchline.rules.phases import legal
from branchline.rules.scoring import RESULT
from branchline.rules.sizes import MASK_WORDS
from branchline.rules.state import STATE

ROUNDS = 5
console = Console(width=120)


def best(action: Callable[[], object]) -> float:
    """The shortest of several timings, in seconds."""
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        action()
        times.append(time.perf_counter() - started)
    return min(times)


def play_outs() -> None:
    """Whole random games with full rules and final scoring, no events."""
    table = Table(title="Random play-outs with final scoring, one core")
    for heading in ("board", "seats", "decisions/s", "games/s", "decisions per game", "turns per game"):
        table.add_column(heading, justify="left" if heading == "board" else "right")
    for game in available_boards():
        board = load_board(game)
        for players in range(board.players[0], board.players[1] + 1):
            games = 5000
            player = Player(board, ["random"] * players, threads=1)
            played = player.play(games, 1)
            seconds = best(lambda player=player, games=games: player.play(games, 1))
            decisions, turns = played.decisions.sum(), played.states["turn"].mean()
            row = (f"{decisions / seconds:,.0f}", f"{games / seconds:,.0f}", f"{decisions / games:.0f}", f"{turns:.0f}")
            table.add_row(game, str(players), *row)
    console.print(table)


@kept
def copy_many(states, copies, times):
    for _ in range(times):
        for i in range(states.shape[0]):
            copies[i] = states[i]


@kept
def legal_many(boards, states, mask, times):
    total = 0
    for _ in range(times):
        for i in range(states.shape[0]):
            total += legal(boards[0], states[i], mask)
    return total


def sample_states(game: str, players: int) -> np.ndarray:
    """States at the decisions of some random games."""
    rng = np.random.default_rng(1)
    states = []
    for seed in range(5):
        state = Game(game, players).start(seed)
        while not state.is_over:
            states.append(state.records.tobytes())
            state.apply(int(rng.choice(state.legal)))
    return np.frombuffer(bytearray(b"".join(states)), STATE)


def single_operations() -> None:
    table = Table(title="Single operations, Europe with 4 seats, one core")
    table.add_column("operation")
    table.add_column("time", justify="right")
    boards, states = load_board("europe").records, sample_states("europe", 4)
    copies, mask, times = states.copy(), np.zeros(MASK_WORDS, np.uint64), 200
    copy_many(states, copies, 1)
    legal_many(boards, states, mask, 1)
    count = times * len(states)
    table.add_row("copy a state", f"{1e9 * best(lambda: copy_many(states, copies, times)) / count:,.0f} ns")
    table.add_row("generate its legal decisions", f"{1e9 * best(lambda: legal_many(boards, states, mask, times)) / count:,.0f} ns")
    state = Game("europe", 4).start(1)
    table.add_row("Python: State.clone()", f"{1e6 * best(lambda: [state.clone() for _ in range(1000)]) / 1000:,.1f} µs")
    table.add_row("Python: State.view(seat)", f"{1e6 * best(lambda: [state.view(0) for _ in range(1000)]) / 1000:,.1f} µs")
    table.add_row("Python: a decision, chosen and applied", f"{python_decision():,.1f} µs")
    console.print(table)


def match_decision(game: str, players: int, bot: str) -> float:
    """Microseconds per decision in a compiled match, including view, rules and the State for Python."""
    match, games = Match(Game(game, players), [bot] * players), range(100)
    decisions = sum(len(match.play(seed).history) for seed in games)
    return 1e6 * best(lambda: [match.play(seed) for seed in games]) / decisions


def search_speed(game: str, players: int) -> float:
    """Million decisions per second that search makes in play-outs, by planners, measured every 25 decisions of a game between planners."""
    search, state = SearchBot(Budget(None, 1000, planner=True)), Game(game, players).start(1)
    search.decide(state.view(state.seat))  # the first call loads things and does not count
    search.decisions, search.seconds = 0, 0.0
    for number, decision in enumerate(Match(Game(game, players), ["planner"] * players).play(1).history):
        if number % 25 == 24:
            search.decide(state.view(state.seat))
        state.apply(decision)
    return search.decisions / search.seconds / 1e6


def bots() -> None:
    table = Table(title="Bots, one core")
    for heading in ("board", "seats", "greedy, µs per decision", "planner, µs per decision", "in search, million decisions/s"):
        table.add_column(heading, justify="left" if heading == "board" else "right")
    for game in available_boards():
        for players in (2, 4):
            times = [f"{match_decision(game, players, bot):.1f}" for bot in ("greedy", "planner")]
            table.add_row(game, str(players), *times, f"{search_speed(game, players):.2f}")
    console.print(table)


def python_decision() -> float:
    decisions = 0

    def play() -> None:
        nonlocal decisions
        state = Game("europe", 4).start(1)
        while not state.is_over:
            legal_now = state.legal
            state.apply(legal_now[len(state.history) * 7 % len(legal_now)])
        decisions = len(state.history)

    return 1e6 * best(play) / decisions


FIRST_GAME = "from branchline import Game; s = Game('europe', 4).start(1); [s.apply(s.legal[0]) for _ in range(60)]; s.view(0); s.result"


def timed_process(arguments: list[str], folder: str) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, *arguments], env=os.environ | {"BRANCHLINE_CACHE": folder}, check=True)
    return time.perf_counter() - started


def start_up() -> None:
    table = Table(title="Start-up")
    table.add_column("what")
    table.add_column("time", justify="right")
    with tempfile.TemporaryDirectory() as folder, console.status("compiling …"):
        cold = timed_process(["-m", "branchline.batch.warm"], folder)
        cached = min(timed_process(["-c", FIRST_GAME], folder) for _ in range(3))
    with tempfile.TemporaryDirectory() as folder, console.status("compiling on one core …"):
        alone = timed_process(["-c", FIRST_GAME], folder)
    table.add_row("compile everything from scratch (two processes)", f"{cold:.1f} s")
    table.add_row("first game from scratch, one process", f"{alone:.1f} s")
    table.add_row("first game with compiled code on disk, process start to 60 decisions and a count", f"{cached:.2f} s")
    console.print(table)


def main() -> None:
    console.print(f"State {STATE.itemsize} bytes, result {RESULT.itemsize} bytes; Python {sys.version.split()[0]}, {os.cpu_count()} cores")
    start_up()
    play_outs()
    single_operations()
    bots()


if __name__ == "__main__":
    main()
