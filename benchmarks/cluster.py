"""Measure engines for clusters, and Branchline on the one chosen: `python benchmarks/cluster.py engines`, `simulate`, `chunks` or `figures`.

`engines` starts Ray and Dask on this machine, whichever are installed, each in a process of its own: how long it takes to import and start one, what
a task costs, how much memory it takes, and what happens when a worker or the head is killed. `simulate` plays the same games with more and more
workers: how long starting and ending takes, what a game costs, and what more workers bring. `chunks` tells what a chunk costs beside its games.
`figures` is both: one command for a machine that has not been measured, such as `python benchmarks/cluster.py figures --workers 1,2,4,8,16`.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

WAIT = 0.05  # seconds that a task takes while workers are killed
SLOW = 200  # of them
NOTICED = 100  # seconds in which the death of a head should have been noticed


def processes() -> dict[int, tuple[int, str]]:
    """Those that this one has started, directly or not: parent and command by number."""
    every: dict[int, tuple[int, str]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            every[int(folder.name)] = parent, (folder / "cmdline").read_text().replace("\0", " ")
        except OSError:
            continue  # it has ended
    found = {os.getpid()}
    while more := {number for number, (parent, _) in every.items() if parent in found} - found:
        found |= more
    return {number: every[number] for number in found if number != os.getpid()}


def memory(numbers: Iterable[int]) -> float:
    """Megabytes, what several processes share counted once."""
    total = 0
    for number in numbers:
        try:
            lines = Path(f"/proc/{number}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def increased(number: int) -> int:
    return number + 1


def slowly(number: int) -> int:
    time.sleep(WAIT)
    return number


def own_number() -> int:
    return os.getpid()


class Dask:
    """Dask's `distributed`: a scheduler, and a nanny with a worker for each core."""

    def __init__(self, workers: int) -> None:
        from distributed import Client, LocalCluster

        self.cluster = LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address="127.0.0.1:0")
        self.client = Client(self.cluster)

    def ask(self, work: Callable[[int], int], numbers: Iterable[int]) -> list[Any]:
        return list(self.client.map(work, numbers, pure=False))

    def answers(self, asked: list[Any]) -> list[int]:
        return list(self.client.gather(asked))

    def worker_process(self) -> int:
        return int(next(iter(self.client.run(own_number).values())))

    def kill_head(self) -> None:
        """The scheduler lives in this process here, so one of its own is started for this."""
        command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", "scheduler.json"]
        head = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", "scheduler.json", "--nthreads", "1", "--no-dashboard"]
        while not Path("scheduler.json").exists():
            time.sleep(0.05)
        self.working = subprocess.Popen([*worker, "--death-timeout", "5"], stderr=subprocess.DEVNULL)
        from distributed import Client

        self.close()
        self.client, self.cluster = Client(scheduler_file="scheduler.json"), None
        self.client.wait_for_workers(1)
        self.asked = self.ask(slowly, range(SLOW))
        time.sleep(1)
        head.send_signal(signal.SIGKILL)
        head.wait()

    def close(self) -> None:
        self.client.close()
        if self.cluster is not None:
            self.cluster.close()


class Ray:
    """Ray: GCS, raylet, monitors and agents on every machine, and a worker for each core."""

    def __init__(self, workers: int) -> None:
        import ray

        self.ray = ray
        ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False, logging_level="ERROR")

    def ask(self, work: Callable[[int], int], numbers: Iterable[int]) -> list[Any]:
        remote = self.ray.remote(max_retries=3)(work)
        return [remote.remote(number) for number in numbers]

    def answers(self, asked: list[Any]) -> list[int]:
        return list(self.ray.get(asked))

    def worker_process(self) -> int:
        return int(self.ray.get(self.ray.remote(own_number).remote()))

    def kill_head(self) -> None:
        self.asked = self.ask(slowly, range(SLOW))
        time.sleep(1)
        os.kill(next(number for number, (_, command) in processes().items() if "gcs_server" in command), signal.SIGKILL)

    def close(self) -> None:
        self.ray.shutdown()


ENGINES: dict[str, type[Dask] | type[Ray]] = {"dask": Dask, "ray": Ray}
PACKAGES = {"dask": "distributed", "ray": "ray"}


def timed(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def measured(name: str, workers: int, tasks: int) -> dict[str, Any]:
    """All figures of an engine."""
    found: dict[str, Any] = {"version": "", "import": f"{timed(lambda: __import__(PACKAGES[name])):.2f} s"}
    found["version"] = sys.modules[PACKAGES[name]].__version__
    began = time.perf_counter()
    engine = ENGINES[name](workers)
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
    return found | {"": engine}


def worker_killed(engine: Dask | Ray, workers: int) -> str:
    """Are all answers there, and how much later than they would have been?"""
    asked = engine.ask(slowly, range(SLOW))
    victim = engine.worker_process() if isinstance(engine, Dask) else next(n for n, (_, c) in processes().items() if "ray::slowly" in c)
    began = time.perf_counter()
    time.sleep(0.3)
    os.kill(victim, signal.SIGKILL)
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


def engines(names: list[str], workers: int, tasks: int) -> None:
    """A table with a column for each engine that is installed."""
    there = [name for name in names if importlib.util.find_spec(PACKAGES[name])]
    columns = {name: in_own_process(name, workers, tasks) for name in there}
    for row in next(iter(columns.values()), {}):
        print(f"{row:32}", *(f"{column.get(row, '–'):50}" for column in columns.values()))


def in_own_process(name: str, workers: int, tasks: int) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as folder, open(f"{folder}/errors", "w") as errors:
        command = [sys.executable, str(Path(__file__).resolve()), "measure", name, "--workers", str(workers), "--tasks", str(tasks)]
        told = subprocess.run(command, stdout=subprocess.PIPE, stderr=errors, cwd=folder, text=True, check=False).stdout
        found: dict[str, str] = {}
        for line in told.splitlines():
            found |= json.loads(line) if line.startswith("{") else {}
        if not found:
            sys.exit(f"{name} failed:\n{Path(errors.name).read_text()[-2000:]}")
    return found


def measure(name: str, workers: int, tasks: int) -> None:
    found = measured(name, workers, tasks)
    engine = found.pop("")
    print(json.dumps(found), flush=True)
    print(json.dumps({"the head killed": head_killed(engine)}), flush=True)
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
            ("1 thread", 1, ["--threads", "1"]),
            ("all threads", os.cpu_count() or 1, []),
            *((f"{number} workers", number, ["--cluster", f"local:{number}"]) for number in numbers),
        ]
        rows: set[str] = set()
        print(f"{game}, {players} seats, {bots}, {games:,} games")
        print(f"{'':12} {'games/s':>12} {'speed-up':>8} {'core × µs per game':>20} {'start and end':>14}")
        for number, (name, used, how) in enumerate(ways):
            took, speed = simulated([*command, *how, "--out", f"{folder}/{number}.parquet"])
            first = first or speed
            rows.add(digest(Path(folder) / f"{number}.parquet"))
            print(f"{name:12} {speed:12,.0f} {speed / first:7.2f}x {1e6 * used / speed:20,.1f} {took - games / speed:12.1f} s", flush=True)
        print("the rows are equal" if len(rows) == 1 else "THE ROWS DIFFER")


def simulated(command: list[str]) -> tuple[float, float]:
    """Seconds in all, with starting, and the games per second that the command tells."""
    began = time.perf_counter()
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return time.perf_counter() - began, float(told.rpartition("decisions/s, ")[2].partition(" games/s")[0].replace(",", ""))


def digest(table: Path) -> str:
    import polars as pl

    return str(pl.scan_parquet(table).select(pl.struct(pl.all()).hash(1).sum(), pl.len().alias("rows")).collect(engine="streaming").row(0))


def chunks(sizes: list[int], games: int) -> None:
    """What a chunk costs beside its games: more and more chunks of the same games, by one worker."""
    with tempfile.TemporaryDirectory() as folder:
        seconds = {}
        for size in sizes:
            command = [sys.executable, "-c", "from branchline.cli import main; main()", "simulate", "london", "--players", "2", "--games", str(games)]
            _, speed = simulated([*command, "--chunk", str(size), "--cluster", "local:1", "--out", f"{folder}/{size}.parquet"])
            seconds[-(-games // size)] = games / speed
        (few, quick), (many, slow) = min(seconds.items()), max(seconds.items())
        print(f"a chunk costs {1000 * (slow - quick) / (many - few):.1f} ms beside its games ({seconds})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("engines", "measure", "simulate", "chunks", "figures"))
    parser.add_argument("names", nargs="*", default=list(ENGINES), help="engines to measure")
    parser.add_argument("--workers", help="numbers of workers, such as 1,2,4,8,16; for engines, one number")
    parser.add_argument("--tasks", type=int, default=10_000)
    parser.add_argument("--games", type=int, default=400_000)
    parser.add_argument("--game", default="europe")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--bots", default="greedy")
    asked = parser.parse_args()
    cores = os.cpu_count() or 1
    numbers = [int(number) for number in (asked.workers or str(cores)).split(",")]
    if asked.what == "measure":
        measure(asked.names[0], numbers[0], asked.tasks)
    elif asked.what == "engines":
        engines(asked.names, numbers[0], asked.tasks)
    if asked.what in ("simulate", "figures"):
        several = numbers if asked.workers else [n for n in (1, 2, 4, 8, 16, 32, 64) if n <= cores]
        simulate(several, asked.games, asked.game, asked.players, asked.bots)
    if asked.what in ("chunks", "figures"):
        chunks([asked.games // 16, asked.games // 1024], asked.games)


if __name__ == "__main__":
    main()
