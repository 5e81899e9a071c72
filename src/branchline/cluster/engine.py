"""The one place that talks to Dask: start or find a cluster, send files along, hand out work, and outlive whatever dies on the way."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple
from uuid import uuid4

import dask
from distributed import Client, Future, KilledWorker, LocalCluster, Security, WorkerPlugin
from distributed.client import FutureCancelledError

from branchline.cluster.code import check_code, code_here
from branchline.cluster.failures import ClusterError, WorkersDied
from branchline.cluster.luggage import luggage
from branchline.cluster.parcels import Parcel
from branchline.cluster.working import Answer, perform
from branchline.errors import from_extra

AHEAD = 2  # tasks handed out for each thread of a worker: it finds the next one waiting
PATIENCE = 0.2  # seconds after which the caller gets a turn even if nothing has been answered
LOOKS_EVERY = 2.0  # seconds between looks at how many workers there are
CONNECTING, ARRIVING, RETURNING = 5.0, 60.0, 60.0  # seconds: for the scheduler to answer, the first worker to come, a lost scheduler to come back
MOST_DEATHS = 3  # times that Dask gives up a task, each after several workers have died over it
# Dask's web servers, which ask for no certificates, have no pages
NO_PAGES: dict[str, list[str]] = {"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []}
dask.config.set({"distributed.admin.large-graph-warning-threshold": "1GB"})  # the weights of a network are sent with every task


class Running(NamedTuple):
    client: Client
    here: LocalCluster | None = None  # what was started on this machine


class Delivery(WorkerPlugin):
    """Brings a parcel to every worker, also to those that come later."""

    def __init__(self, parcel: Parcel, owner: str) -> None:
        self.parcel, self.owner = parcel, owner

    def setup(self, worker: Any) -> None:  # noqa: ARG002  # as Dask calls it
        luggage.take(self.parcel, self.owner)

    def teardown(self, worker: Any) -> None:  # noqa: ARG002
        luggage.drop(self.parcel.digest, self.owner)


class LeaveCtrlC(WorkerPlugin):
    """Workers that were started from a terminal leave Ctrl-C to whoever started them: a terminal sends it to one group of processes only."""

    def setup(self, worker: Any) -> None:  # noqa: ARG002
        if hasattr(os, "setpgid"):  # not on Windows
            os.setpgid(0, 0)


def started_here(workers: int) -> Running:
    """Workers on this machine, a process for each. Other users of it can see their ports, but lack the certificates."""
    with dask.config.set(NO_PAGES):
        cluster = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            security=own_certificates(),
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        )
    client = Client(cluster)
    client.register_plugin(LeaveCtrlC(), name="branchline-ctrl-c")
    return Running(client, cluster)


def own_certificates() -> Security:
    """Made for one cluster, and kept in the memory of its processes only."""
    with from_extra("cluster", "a cluster on this machine"):
        import_module("cryptography")  # Dask would not say how to install it
    return Security.temporary()


def connected(address: str) -> Running:
    """A scheduler that is already there. For TLS, Dask's own settings say where the certificates are."""
    where = {"scheduler_file": address} if address.endswith(".json") else {"address": address}
    try:
        return Running(Client(**where, timeout=CONNECTING))
    except (OSError, TimeoutError, ValueError, TypeError) as error:
        raise ClusterError(f"no scheduler can be reached at {address} ({error}): start one with `dask scheduler`, see docs/cluster.md") from None


class Cluster:
    """Hands out tasks and yields their answers. A task is done once or again, never lost, so repeating it has to change nothing."""

    def __init__(self, running: Running, address: str) -> None:
        self.client, self._here, self.address = running.client, running.here, address
        self._parcel, self._threads, self._looked = Parcel(), 1, float("-inf")
        self._owner = f"branchline-{uuid4().hex}"  # another command may send the same files
        quieten()
        try:
            self._meet()
        except BaseException:
            self.close()
            raise

    def _meet(self) -> None:
        """Wait for a first worker, and compare what all of them have installed."""
        try:
            self.client.wait_for_workers(1, timeout=ARRIVING)
        except TimeoutError:
            raise ClusterError(f"the cluster at {self.address} has no workers: start some with `dask worker {self.address}`") from None
        for worker, code in self.on_all(code_here).items():
            check_code(code_here(), code, worker)

    def carry(self, parcel: Parcel) -> None:
        """Send files to all workers."""
        self._parcel = parcel
        if parcel.digest:
            self.client.register_plugin(Delivery(parcel, self._owner), name=self._owner)

    def on_all(self, ask: Callable[[], Any]) -> dict[str, Any]:
        """What every worker of the moment says; those that are dying say nothing."""
        said = self.client.run(ask, on_error="return")
        for worker, error in said.items():
            if isinstance(error, ModuleNotFoundError):
                raise ClusterError(
                    f"the worker {worker} does not have {error.name}: install it there, pip install 'branchline[cluster]=={code_here().version}'"
                ) from None
        return {worker: answer for worker, answer in said.items() if not isinstance(answer, Exception)}

    def answers(self, work: Callable[[Any], Any], tasks: Iterator[Any]) -> Iterator[Answer | None]:
        """What comes back, in any order; None now and then, while nothing does."""
        errands = Errands(self, work)
        try:
            while True:
                for task in islice(tasks, max(0, AHEAD * self.threads - errands.number)):
                    errands.send(task)
                if not errands.number:
                    return
                yield errands.next()
        finally:
            errands.call_back()

    def submit(self, work: Callable[[Any], Any], task: Any) -> Future:
        return self.client.submit(perform, code_here(), self._parcel.digest, work, task, pure=False)

    def renew(self, worker: str) -> None:
        """Start a worker's process again: something in it does not end."""
        with suppress(Exception):
            self.client.restart_workers([worker], raise_for_error=False)

    @property
    def threads(self) -> int:
        """Of all workers; they come and go."""
        if time.monotonic() - self._looked > LOOKS_EVERY:
            self._looked = time.monotonic()
            with suppress(Exception):  # while the scheduler is away, it is as before
                self._threads = max(1, sum(self.client.nthreads().values()))
        return self._threads

    def wait_for_scheduler(self) -> None:
        """A scheduler that is started again has forgotten everything, and its workers come back to it."""
        until = time.monotonic() + RETURNING
        while time.monotonic() < until and self._here is None:
            with suppress(OSError, TimeoutError, ValueError, ClusterError):
                if self.client.status == "closed":
                    self.client = connected(self.address).client
                self.client.wait_for_workers(1, timeout=2)
                self.carry(self._parcel)
                return
            time.sleep(PATIENCE)
        raise ClusterError(f"the scheduler at {self.address} has gone away: start it again, and then this command")

    def close(self) -> None:
        with suppress(Exception):
            if self._parcel.digest and self._here is None:
                self.client.unregister_worker_plugin(self._owner)
        self.client.close()
        if self._here is not None:
            self._here.close()


def quieten() -> None:
    """Dask's log stays out of the terminal: what matters is said by us."""
    for name in [name for name in logging.root.manager.loggerDict if name.partition(".")[0] == "distributed"]:
        logging.getLogger(name).setLevel(logging.CRITICAL)


class Errands:
    """Tasks that are out, and answers that have come."""

    def __init__(self, cluster: Cluster, work: Callable[[Any], Any]) -> None:
        self._cluster, self._work = cluster, work
        self._out: dict[Future, tuple[Any, int]] = {}  # each task, and how often workers have died over it
        self._arrived: SimpleQueue[Future] = SimpleQueue()

    @property
    def number(self) -> int:
        return len(self._out)

    def send(self, task: Any, deaths: int = 0) -> None:
        if deaths == MOST_DEATHS:
            raise WorkersDied("workers keep dying over the same task: see their logs; perhaps they have too little memory")
        future = self._cluster.submit(self._work, task)
        self._out[future] = task, deaths
        future.add_done_callback(self._arrived.put)

    def next(self) -> Answer | None:
        """An answer; None if there is none yet, or if a task had to be handed out again."""
        try:
            future = self._arrived.get(timeout=PATIENCE)
        except Empty:
            return None
        task, deaths = self._out.pop(future)
        try:
            if future.status in ("cancelled", "lost"):
                raise OSError("the scheduler has forgotten it")
            answer: Answer = future.result()
            return answer
        except KilledWorker:
            self.send(task, deaths + 1)
        except (OSError, TimeoutError, FutureCancelledError):
            self._cluster.wait_for_scheduler()
            self.send(task, deaths)
        return None

    def call_back(self) -> None:
        """Nobody waits for these any more."""
        for future in self._out:
            with suppress(Exception):
                future.cancel()
