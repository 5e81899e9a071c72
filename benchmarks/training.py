"""Measure `Batch` as training uses it: steps, observations, opponents and labels, each by itself and together.

    python benchmarks/training.py [cpu|cuda] [game] [slots] [threads]

On a GPU the calls are recorded in a CUDA graph if PyTorch is there, so that launches from Python do not count.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from branchline.batch import Batch
from branchline.boards import load_board

ROUNDS = 5


def seconds(work: Callable[[], object], wait: Callable[[], object], times: int) -> float:
    """Of one call, in the best of some rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        wait()
        started = time.perf_counter()
        for _ in range(times):
            work()
        wait()
        best = min(best, (time.perf_counter() - started) / times)
    return best


def recorded(work: Callable[[], object], device: str) -> Callable[[], object]:
    """The same work as a CUDA graph."""
    work()
    if device == "cpu":
        return work
    import torch

    torch.cuda.init()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    return graph.replay


def measure(what: str, batch: Any, work: Callable[[], object], times: int) -> None:
    once = seconds(recorded(work, batch.device), batch.synchronize, times)
    print(f"{batch.game.name} {batch.players} seats, {batch.games:,} slots, {what}: {batch.games / once / 1e6:.3f} M/s", flush=True)


def moved_on(batch: Any) -> Any:
    """Into the middle of the games."""
    for _ in range(60):
        batch.step(batch.sample(), check=False)
    return batch


def main() -> None:
    device, game = sys.argv[1] if len(sys.argv) > 1 else "cpu", sys.argv[2] if len(sys.argv) > 2 else "europe"
    slots, times = int(sys.argv[3]) if len(sys.argv) > 3 else {"cpu": 1024, "cuda": 1 << 18}[device], {"cpu": 40, "cuda": 20}[device]
    threads = int(sys.argv[4]) if len(sys.argv) > 4 else None  # of a CPU; all cores if it is not given
    tables = [(2, True), (load_board(game).players[1], False)]
    for players, packed in tables:
        batch = moved_on(Batch(game, slots, players, device=device, seed=1, packed=packed, threads=threads))
        name = "packed" if packed else "all columns"

        def step(batch: Any = batch) -> None:
            batch.step(batch.sample(), check=False)

        def observed(batch: Any = batch) -> None:
            batch.observe()
            batch.step(batch.sample(), check=False)

        measure("sample", batch, batch.sample, times)
        measure("sample and step", batch, step, times)
        measure(f"observe, {name}, float32", batch, batch.observe, times)
        measure(f"observe, sample and step, {name}, float32", batch, observed, times)
    if device == "cuda":
        batch = moved_on(Batch(game, slots, 2, device=device, seed=1, packed=True, dtype="bfloat16", pad=16))
        batch.normalise([0.1] * batch.observation_size, [1.0] * batch.observation_size)
        measure("observe, packed, normalised, bfloat16", batch, batch.observe, times)

        def halves() -> None:
            batch.observe()
            batch.step(batch.sample(), check=False)

        measure("observe, sample and step, packed, normalised, bfloat16", batch, halves, times)
    measure("planner's decisions", batch, lambda: batch.ask("planner"), 5)
    against = moved_on(Batch(game, slots // 4, 2, device=device, seed=1, opponents=["planner"], packed=True, threads=threads))

    def learner() -> None:
        against.observe()
        against.step(against.sample(), check=False)

    measure("observed steps of a learner against planner", against, learner, 5)


if __name__ == "__main__":
    main()
