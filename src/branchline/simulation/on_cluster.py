"""A simulation on a cluster: the workers play chunks and store them, and send back sums.

Chunks begin at multiples of their size, so that a chunk that is played twice, by a worker that everybody had given up, is the same file again.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Generator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from branchline.cluster import ClusterError, open_cluster
from branchline.cluster.compiling import compiled_once
from branchline.cluster.locations import is_here, located
from branchline.cluster.luggage import luggage
from branchline.cluster.parcels import packed, statistics_places
from branchline.simulation.orders import Orders
from branchline.simulation.output import Output
from branchline.simulation.own_files import load_statistics
from branchline.simulation.pace import Stop
from branchline.simulation.plan import Plan, SimulationError
from branchline.simulation.players import ON_CPU, ON_GPU, PlaysGames, has_gpu, needs, new_player
from branchline.simulation.running import Done, Writes, chunks, stored

if TYPE_CHECKING:
    from branchline.cluster.engine import Cluster

PARTS, SMALLEST = 128, 64  # about how many chunks there are, and how few games one has at least


@dataclass(frozen=True)
class Job:
    """All that a worker needs to know, in a form that can be sent before your own files are unpacked."""

    digest: str  # of these files
    game: bytes
    bots: tuple[str, ...]
    seed: int
    tables: tuple[str, ...]
    statistics: tuple[str, ...]
    games: int
    out: str | None
    sign: str | None  # a file that all machines must see
    device: str
    threads: int

    def plan(self) -> Plan:
        statistics = load_statistics([luggage.folder / place for place in self.statistics])
        return Plan(pickle.loads(self.game), self.bots, self.seed, self.tables, statistics)


class OnCluster:
    """The crew of a cluster."""

    def __init__(self, plan: Plan, orders: Orders, output: Output) -> None:
        parcel = packed(plan.bots, [plan.game.board.game], orders.statistics)
        self._output, self._cluster = output, open_cluster(str(orders.cluster))
        self._sign = sign_at(orders.out)
        place = None if orders.out is None else str(orders.out.resolve() if is_here(orders.out) else orders.out)
        try:
            self._cluster.carry(parcel)
            self._size = orders.chunk or chunk_size(orders.games, most_games(self._cluster, orders.device))
        except BaseException:
            self.close()
            raise
        self._job = Job(
            parcel.digest, pickle.dumps(plan.game), plan.bots, plan.seed, plan.tables, statistics_places(orders.statistics), orders.games, place,
            str(self._sign) if self._sign else None, orders.device, orders.threads or 1,
        )  # fmt: skip

    def play(self, missing: list[range], stop: Stop) -> Generator[Done]:
        self._output.clear()
        tasks = chunks(missing, lambda rest: min(self._size - rest.start % self._size, len(rest)), stop)
        try:
            for answer in self._cluster.answers(partial(play_chunk, self._job), tasks):
                if answer is not None:
                    yield answer.value._replace(worker=answer.worker)
        except ClusterError as error:
            raise SimulationError(f"{error}{GO_ON if self._job.out else ''}") from None
        self._output.recount()

    def close(self) -> None:
        self._cluster.close()
        if self._sign is not None:
            self._sign.unlink(missing_ok=True)


GO_ON = ". What is done is kept: continue with the same command and --resume"


def most_games(cluster: Cluster, device: str) -> int:
    """GPUs want large chunks, if every worker has one. If no worker answers, nobody has one."""
    found = {} if device == "cpu" else cluster.on_all(has_gpu)
    return ON_GPU if found and all(found.values()) else ON_CPU


def chunk_size(games: int, most: int) -> int:
    """A power of two by the number of games, so that a command has the same chunks on any cluster: up to four million games, whatever `most` is."""
    return min(max(1 << max(games // PARTS, 1).bit_length() - 1, SMALLEST), most)


def sign_at(out: Path | None) -> Path | None:
    """A file next to the tables: a worker that does not see it would write them somewhere else."""
    if out is None:
        return None
    sign = (out.resolve() if is_here(out) else out).with_name(f".{out.name}.{uuid4().hex[:8]}.cluster")
    sign.write_bytes(b"branchline\n")
    return sign


def play_chunk(job: Job, chunk: range) -> Done:
    """What a worker does."""
    plan, player, writer = worker.ready_for(job)
    return stored(plan, writer, player.play(len(chunk), plan.seed, chunk.start))


class ChunkWorker(threading.local):
    """What a thread of a worker keeps from one chunk of a job to the next."""

    job: Job | None = None

    def ready_for(self, job: Job) -> tuple[Plan, PlaysGames, Writes]:
        if self.job != job:
            plan = job.plan()
            orders = Orders(job.games, device=job.device, threads=job.threads)
            compiled_once(needs(plan, orders))
            player, _ = new_player(plan, orders, Output())
            self.plan, self.player, self.writer = plan, player, writer_of(job, plan)
            self.job = job
        return self.plan, self.player, self.writer


worker = ChunkWorker()


def writer_of(job: Job, plan: Plan) -> Writes:
    if job.out is None or job.sign is None:
        return Output()
    out = located(job.out)
    if not located(job.sign).exists():
        raise SimulationError(f"this worker does not see {out.parent}: write to a folder that all machines share, or to an address such as s3://…")
    from branchline.simulation.table_folders import PartWriter

    return PartWriter(plan, out, job.games)
