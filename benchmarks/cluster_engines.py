"""The engines that `cluster.py` compares: Ray and Dask, on this machine or on hosts of their own, behind the same few methods."""

from __future__ import annotations

import os
import signal
import socket
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


class DaskOnHosts(Dask):
    """A scheduler on the first host, and a worker on each of the others."""

    def __init__(self, workers: int) -> None:
        from distributed import Client

        head, *others = hosts_of(workers)
        address = f"tcp://{head.address}:8786"
        self.head = begun(head, ["-m", "distributed.cli.dask_scheduler", "--host", head.address, "--port", "8786", "--no-dashboard"])
        for host in others:
            begun(host, ["-m", "distributed.cli.dask_worker", address, "--host", host.address, "--nthreads", "1", "--no-dashboard"])
        self.client, self.cluster = Client(address, timeout=60), None
        self.client.wait_for_workers(workers)

    def kill_head(self) -> None:
        self.asked = self.ask(slowly, range(SLOW))
        time.sleep(1)
        self.head.send_signal(signal.SIGKILL)


class RayOnHosts(Ray):
    """A head without a worker, and a worker on each of the other hosts."""

    def __init__(self, workers: int) -> None:
        import ray

        self.ray = ray
        head, *others = hosts_of(workers)
        start = [f"{Path(sys.executable).with_name('ray')}", "start", "--block", "--disable-usage-stats"]
        begun(head, [*start, "--head", "--port", "6379", "--node-ip-address", head.address, "--num-cpus", "0", "--include-dashboard=false"])
        wait_for(head.address, 6379)
        for host in others:
            begun(host, [*start, "--address", f"{head.address}:6379", "--node-ip-address", host.address, "--num-cpus", "1"])
            time.sleep(5)  # two at once get in each other's way: they share the folder of the session here
        while not self.joined(head.address, workers):
            time.sleep(0.05)

    def joined(self, head: str, workers: int) -> bool:
        try:
            if not self.ray.is_initialized():
                self.ray.init(f"{head}:6379", _node_ip_address=head, log_to_driver=False, logging_level="CRITICAL")
            return bool(self.ray.cluster_resources().get("CPU", 0) == workers)
        except Exception:
            return False  # the head is not there yet


def wait_for(host: str, port: int) -> None:
    while True:
        try:
            return socket.create_connection((host, port), timeout=1).close()
        except OSError:
            time.sleep(0.05)


def hosts_of(workers: int) -> list[Any]:
    """Those that `hosts` has made, with the head's, in which this program runs, as the first."""
    from tests.server.hosts import Host

    return [Host(number) for number in range(workers + 1)]


def begun(host: Any, python: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen([*host.inside, sys.executable, *python], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


ENGINES: dict[str, type[Dask] | type[Ray]] = {"dask": Dask, "ray": Ray}
ON_HOSTS: dict[str, type[Dask] | type[Ray]] = {"dask": DaskOnHosts, "ray": RayOnHosts}
PACKAGES = {"dask": "distributed", "ray": "ray"}
