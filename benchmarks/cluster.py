"""Measure engines for clusters, and Branchline on the one chosen: `python benchmarks/cluster.py engines`, `hosts`, `simulate`, `chunks` or `figures`.

`engines` starts Ray and Dask on this machine, whichever are installed, each in a process of its own: how long it takes to import and start one, what
a task costs, how much memory it takes, and what happens when a worker or the head is killed. `hosts` does the same with a head and workers in network
namespaces of their own, and cuts off one of them; only root can, with PYTHONPATH=. in front. `simulate` plays the same games with more and more
workers: how long starting and ending takes, what a game costs, and what more workers bring. `chunks` tells what a chunk costs beside its games.
`figures` is both: one command for a machine that has not been measured, such as `python benchmarks/cluster.py figures --workers 1,2,4,8,16`.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from cluster_engines import ENGINES, ON_HOSTS, PACKAGES, SLOW, WAIT, Dask, Ray, hosts_of, increased, memory, processes, slowly

FEW = 64  # games of a run that hardly does more than start
NOTICED = 100  # seconds in which the death of a head should have been noticed


def timed(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def measured(name: str, workers: int, tasks: int, on_hosts: bool) -> dict[str, Any]:
    """All figures of an engine."""
    found: dict[str, Any] = {"version": "", "import": f"{timed(lambda: __import__(PACKAGES[name])):.2f} s"}
    found["version"] = sys.modules[PACKAGES[name]].__version__
    began = time.perf_counter()
    engine = (ON_HOSTS if on_hosts else ENGINES)[name](workers)
    engine.answers(engine.ask(increased, range(workers)))
    found["start, with a first task"] = f"{time.perf_counter() - began:.2f} s"
    one_by_one = sorted(timed(lambda: engine.answers(engine.ask(increased, [1]))) for _ in range(200))
    found["a task and its answer, median"] = f"{1000 * statistics.median(one_by_one):.2f} ms"
    many = timed(lambda: engine.answers(engine.ask(increased, range(tasks))))
    found[f"{tasks:,} tasks"] = f"{many:.2f} s, {1e6 * many / tasks:.0f} µs each"
    found["processes"] = str(len(processes()))
    found["memory of all of them"] = f"{memory(processes()):.0f} MB"
    found["memory of a worker"] = f"{memory([engine.worker_process()]):.0f} MB"
    found["a worker killed"] = worker_killed(engine, workers)
    if on_hosts:
        found["a worker's host cut off"] = host_cut_off(engine, workers)
    return found | {"": engine}


def worker_killed(engine: Dask | Ray, workers: int) -> str:
    """Are all answers there, and how much later than they would have been?"""
    asked = engine.ask(slowly, range(SLOW))
    if isinstance(engine, Dask):
        victim = engine.worker_process()
    else:
        while not (busy := [number for number, (_, command) in processes().items() if "ray::slowly" in command]):
            time.sleep(0.01)
        victim = busy[0]
    return in_spite_of(lambda: os.kill(victim, signal.SIGKILL), engine, asked, workers)


def host_cut_off(engine: Dask | Ray, workers: int) -> str:
    """Nothing arrives there any more, nothing comes from there, and no connection is closed."""
    head, lost, *others = hosts_of(workers)
    return in_spite_of(lambda: [lost.cut(other) for other in (head, *others)], engine, engine.ask(slowly, range(SLOW)), workers)


def in_spite_of(event: Callable[[], object], engine: Dask | Ray, asked: list[Any], workers: int) -> str:
    """Are all answers there after this, and how much later than without?"""
    began = time.perf_counter()
    time.sleep(0.3)
    event()
    try:
        whole = engine.answers(asked) == list(range(SLOW))
    except Exception as error:
        return f"lost: {type(error).__name__}"
    took = time.perf_counter() - began
    return f"{'all answers are there' if whole else 'wrong answers'}, {took - SLOW * WAIT / workers:.1f} s later than without"


def head_killed(engine: Dask | Ray) -> str:
    """What becomes of tasks that are under way, and of new ones."""
    engine.kill_head()
    began, told = time.perf_counter(), "tasks under way are finished"
    try:
        engine.answers(engine.asked)  # type: ignore[union-attr]
    except BaseException as error:
        told = f"{type(error).__name__} after {time.perf_counter() - began:.1f} s"
    print(json.dumps({"the head killed": f"{told}, then this program is ended"}), flush=True)  # unless we get further
    while time.perf_counter() - began < NOTICED:
        try:
            engine.answers(engine.ask(increased, [1]))
        except BaseException as error:
            return f"{told}; new ones: {type(error).__name__} after {time.perf_counter() - began:.0f} s"
        time.sleep(1)
    return f"{told}, new ones for {NOTICED} s as well"


def engines(names: list[str], workers: int, tasks: int, on_hosts: bool) -> None:
    """A table with a column for each engine that is installed."""
    there = [name for name in names if importlib.util.find_spec(PACKAGES[name])]
    columns = {name: (on_own_hosts if on_hosts else in_own_process)(name, workers, tasks) for name in there}
    for row in next(iter(columns.values()), {}):
        print(f"{row:32}", *(f"{column.get(row, '–'):50}" for column in columns.values()))


def on_own_hosts(name: str, workers: int, tasks: int) -> dict[str, str]:
    from tests.server.hosts import hosts

    with hosts(workers + 1) as (head, *_):
        return in_own_process(name, workers, tasks, tuple(head.inside), ("--on-hosts",))


def in_own_process(name: str, workers: int, tasks: int, inside: tuple[str, ...] = (), more: tuple[str, ...] = ()) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as folder, open(f"{folder}/errors", "w") as errors:
        command = [*inside, sys.executable, str(Path(__file__).resolve()), "measure", name, "--workers", str(workers), "--tasks", str(tasks), *more]
        found_here = os.environ | {"PYTHONPATH": f"{Path.cwd()}:{Path(__file__).resolve().parent}"}  # workers look for the tasks
        told = subprocess.run(command, stdout=subprocess.PIPE, stderr=errors, cwd=folder, env=found_here, text=True, check=False).stdout
        found: dict[str, str] = {}
        for line in told.splitlines():
            found |= json.loads(line) if line.startswith("{") else {}
        if not found:
            sys.exit(f"{name} failed:\n{Path(errors.name).read_text()[-2000:]}")
    return found


def measure(name: str, workers: int, tasks: int, on_hosts: bool) -> None:
    try:
        found = measured(name, workers, tasks, on_hosts)
        engine = found.pop("")
        print(json.dumps(found), flush=True)
        print(json.dumps({"the head killed": head_killed(engine)}), flush=True)
    except Exception:
        traceback.print_exc()
    for number in processes():
        with_luck(lambda number=number: os.kill(number, signal.SIGKILL))
    os._exit(0)  # what was killed cannot be shut down in order


def with_luck(work: Callable[[], None]) -> None:
    try:
        work()
    except ProcessLookupError:
        return


def simulate(numbers: list[int], games: int, game: str, players: int, bots: str) -> None:
    """The same games by this machine alone with one thread and with all, and by clusters here; are the tables equal?"""
    with tempfile.TemporaryDirectory() as folder:
        usual = ["simulate", game, "--players", str(players), "--bots", bots, "--games", str(games)]
        command = [sys.executable, "-c", "from branchline.cli import main; main()", *usual]
        subprocess.run([*command[:-1], "1"], check=True, stdout=subprocess.DEVNULL)  # compiles what is needed
        first = 0.0
        ways = [
            ("1 thread", ["--threads", "1"]),
            ("all threads", []),
            *((f"{number} workers", ["--cluster", f"local:{number}"]) for number in numbers),
        ]
        rows: set[str] = set()
        print(f"{game}, {players} seats, {bots}, {games:,} games")
        print(f"{'':12} {'games/s':>12} {'speed-up':>8} {'processor µs per game':>22} {'start and end':>14} {'of it processor':>16}")
        for number, (name, how) in enumerate(ways):
            few = simulated([*command[:-1], str(FEW), *how])
            found = simulated([*command, *how, "--out", f"{folder}/{number}.parquet"])
            first = first or found.speed
            rows.add(digest(Path(folder) / f"{number}.parquet"))
            each, beside = (found.processor - few.processor) / (games - FEW), found.seconds - games / found.speed
            print(f"{name:12} {found.speed:12,.0f} {found.speed / first:7.2f}x {1e6 * each:22,.1f} {beside:12.1f} s {few.processor:14.1f} s")
        print("the rows are equal" if len(rows) == 1 else "THE ROWS DIFFER")


class Run(NamedTuple):
    """Seconds in all, with starting; the games per second that the command tells; processor seconds of all its processes."""

    seconds: float
    speed: float
    processor: float


def simulated(command: list[str]) -> Run:
    began, before = time.perf_counter(), processor_seconds()
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    speed = float(told.rpartition("decisions/s, ")[2].partition(" games/s")[0].replace(",", ""))
    return Run(time.perf_counter() - began, speed, processor_seconds() - before)


def processor_seconds() -> float:
    """Of processes that have ended, and of those that they have waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def digest(table: Path) -> str:
    import polars as pl

    return str(pl.scan_parquet(table).select(pl.struct(pl.all()).hash(1).sum(), pl.len().alias("rows")).collect(engine="streaming").row(0))


def chunks(sizes: list[int], games: int) -> None:
    """What a chunk costs beside its games: more and more chunks of the same games, by one worker."""
    with tempfile.TemporaryDirectory() as folder:
        seconds = {}
        for size in sizes:
            command = [sys.executable, "-c", "from branchline.cli import main; main()", "simulate", "london", "--players", "2", "--games", str(games)]
            found = simulated([*command, "--chunk", str(size), "--cluster", "local:1", "--out", f"{folder}/{size}.parquet"])
            seconds[-(-games // size)] = games / found.speed
        (few, quick), (many, slow) = min(seconds.items()), max(seconds.items())
        print(f"a chunk costs {1000 * (slow - quick) / (many - few):.1f} ms beside its games ({seconds})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("engines", "hosts", "measure", "simulate", "chunks", "figures"))
    parser.add_argument("names", nargs="*", default=list(ENGINES), help="engines to measure")
    parser.add_argument("--workers", help="numbers of workers, such as 1,2,4,8,16; for engines, one number")
    parser.add_argument("--on-hosts", action="store_true", help="in the network namespaces that `hosts` has made")
    parser.add_argument("--tasks", type=int, default=10_000)
    parser.add_argument("--games", type=int, default=400_000)
    parser.add_argument("--game", default="europe")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--bots", default="greedy")
    asked = parser.parse_args()
    cores = os.cpu_count() or 1
    numbers = [int(number) for number in (asked.workers or str(cores)).split(",")]
    if asked.what == "measure":
        measure(asked.names[0], numbers[0], asked.tasks, asked.on_hosts)
    elif asked.what in ("engines", "hosts"):
        engines(asked.names, numbers[0], asked.tasks, asked.what == "hosts")
    if asked.what in ("simulate", "figures"):
        several = numbers if asked.workers else [n for n in (1, 2, 4, 8, 16, 32, 64) if n <= cores]
        simulate(several, asked.games, asked.game, asked.players, asked.bots)
    if asked.what in ("chunks", "figures"):
        chunks([asked.games // 16, asked.games // 1024], asked.games)


if __name__ == "__main__":
    main()
