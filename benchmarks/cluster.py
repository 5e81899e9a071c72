"""Measure engines for clusters, and Branchline on the one that was chosen: `python benchmarks/cluster.py engines` and `… simulate`.

`engines` starts Ray and Dask on this machine, whichever are installed, each in a process of its own: how long it takes to import and start one, what
a task costs, how much memory it takes, and what happens when a worker or the head is killed. `simulate` plays the same games with more and more
workers.
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
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

WAIT = 0.05  # seconds that a task takes while workers are killed
SLOW = 200  # of them


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


def measured(name: str, workers: int, tasks: int) -> dict[str, str]:
    """All figures of an engine."""
    found = {"version": "", "import": f"{timed(lambda: __import__(PACKAGES[name])):.2f} s"}
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
    found["the head killed"] = head_killed(engine)
    return found


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
    engine.kill_head()
    began = time.perf_counter()
    try:
        engine.answers(engine.asked)  # type: ignore[union-attr]
        return "nothing happened"
    except BaseException as error:
        return f"{type(error).__name__} after {time.perf_counter() - began:.1f} s"


def engines(names: list[str], workers: int, tasks: int) -> None:
    """A table with a column for each engine that is installed."""
    there = [name for name in names if importlib.util.find_spec(PACKAGES[name])]
    columns = {name: in_own_process(name, workers, tasks) for name in there}
    for row in next(iter(columns.values()), {}):
        print(f"{row:32}", *(f"{column.get(row, '–'):50}" for column in columns.values()))


def in_own_process(name: str, workers: int, tasks: int) -> dict[str, str]:
    import tempfile

    with tempfile.TemporaryDirectory() as folder, open(f"{folder}/errors", "w") as errors:
        command = [sys.executable, str(Path(__file__).resolve()), "measure", name, "--workers", str(workers), "--tasks", str(tasks)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, cwd=folder, text=True)
        told, _ = process.communicate()
        line = next((line for line in told.splitlines() if line.startswith("{")), None)
        if line is None:
            sys.exit(f"{name} failed:\n{Path(errors.name).read_text()[-2000:]}")
    found: dict[str, str] = json.loads(line)
    return found


def measure(name: str, workers: int, tasks: int) -> None:
    print(json.dumps(measured(name, workers, tasks)), flush=True)
    for number in processes():
        with_luck(lambda number=number: os.kill(number, signal.SIGKILL))
    os._exit(0)  # what was killed cannot be shut down in order


def with_luck(work: Callable[[], None]) -> None:
    try:
        work()
    except ProcessLookupError:
        return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("engines", "measure"))
    parser.add_argument("names", nargs="*", default=list(ENGINES))
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--tasks", type=int, default=10_000)
    asked = parser.parse_args()
    if asked.what == "measure":
        measure(asked.names[0], asked.workers, asked.tasks)
    engines(asked.names, asked.workers, asked.tasks)


if __name__ == "__main__":
    main()
