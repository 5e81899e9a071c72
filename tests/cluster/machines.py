"""A small cluster as an operator starts it: a scheduler, and workers in folders of their own, all of which can be killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
SCHEDULER, WORKER = ([sys.executable, "-m", f"distributed.cli.dask_{what}", "--no-dashboard"] for what in ("scheduler", "worker"))


def begun(command: Sequence[str], folder: Path) -> subprocess.Popen[Any]:
    """In a folder of its own, as a process that can be killed with all it starts."""
    folder.mkdir(parents=True, exist_ok=True)
    return subprocess.Popen(list(command), cwd=folder, start_new_session=True, **QUIET)


@dataclass
class Machines:
    """A scheduler and its workers; `inside` stands before the commands of each, to run them on other hosts."""

    folder: Path
    host: str = "127.0.0.1"
    inside: Sequence[Sequence[str]] = ((),)
    workers: list[subprocess.Popen[Any]] = field(default_factory=list)
    port: int = 0
    joined: int = 0

    def start_scheduler(self) -> None:
        self.file.unlink(missing_ok=True)
        where = ["--host", self.host, "--port", str(self.port), "--dashboard-address", f"{self.host}:0", "--scheduler-file", str(self.file)]
        self.scheduler = begun([*self.inside[0], *SCHEDULER, *where], self.folder / "scheduler")
        while not self.file.exists() or not self.file.read_text():
            assert self.scheduler.poll() is None
            time.sleep(0.05)
        self.address = json.loads(self.file.read_text())["address"]
        self.port = int(self.address.rpartition(":")[2])

    @property
    def file(self) -> Path:
        return self.folder / "scheduler.json"

    def join(self) -> None:
        number = self.joined
        self.joined += 1
        inside = self.inside[1 + number % (len(self.inside) - 1)] if len(self.inside) > 1 else ()
        options = ["--nthreads", "1", "--name", f"w{number}", "--memory-limit", "0", "--local-directory", str(self.folder / f"space{number}")]
        self.workers.append(begun([*inside, *WORKER, self.address, *options], self.folder / f"worker{number}"))

    def working(self) -> list[int]:
        """The processes that do the work; each has a nanny, which starts it again if it dies."""
        found = [child for nanny in self.workers if nanny.poll() is None for child in psutil.Process(nanny.pid).children()]
        return [child.pid for child in found if "spawn_main" in " ".join(child.cmdline())]

    def kill_one(self, number: int) -> bool:
        """Kill one of the working processes, if there is any at the moment."""
        with suppress(psutil.NoSuchProcess, ProcessLookupError):
            if pids := self.working():
                os.kill(pids[number % len(pids)], signal.SIGKILL)
                return True
        return False

    def mend(self) -> None:
        """Start machines again on which even the nanny has given up, as systemd or Kubernetes would."""
        for gone in [worker for worker in self.workers if worker.poll() is not None]:
            self.workers.remove(gone)
            self.join()

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            end(process)


def end(process: subprocess.Popen[Any]) -> None:
    """With all it has started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def machines(folder: Path, workers: int = 2, **where: Any) -> Iterator[Machines]:
    made = Machines(folder, **where)
    made.start_scheduler()
    try:
        for _ in range(workers):
            made.join()
        yield made
    finally:
        made.close()
