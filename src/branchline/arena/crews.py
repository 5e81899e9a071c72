"""Who plays the games of an arena: processes of this machine, or the workers of a cluster. It makes no difference to the games."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial

from branchline.arena.plan import Arena, PlannedGame
from branchline.arena.workers import Kept, Play, ProcessDied, play_chunk, played_by_processes
from branchline.batch.warm import warm
from branchline.cluster import check_address, open_cluster
from branchline.cluster.compiling import compiled_once
from branchline.cluster.failures import ClusterOptionError, WorkersDied
from branchline.cluster.parcels import packed


@dataclass(frozen=True)
class Crew:
    """That many processes of this machine, or whoever works at the address of a cluster."""

    jobs: int | None = None
    cluster: str | None = None

    def __post_init__(self) -> None:
        if self.cluster is not None:
            check_address(self.cluster)
            if self.jobs is not None:
                raise ClusterOptionError(
                    "--jobs counts processes of this machine, and --cluster uses all of its workers: leave one of them out, "
                    f"or write --cluster local:{self.jobs}"
                )


def played_by(crew: Crew, arena: Arena, chunks: Iterator[list[PlannedGame]], play: Play[Kept]) -> Iterator[list[Kept]]:
    """Yield games as they finish, and nothing now and then."""
    if crew.cluster is not None:
        return played_on_cluster(crew.cluster, arena, chunks, play)
    warm(arena.needs)  # once, not by each process
    return played_by_processes(arena, chunks, crew.jobs or 1, play)


def played_on_cluster(address: str, arena: Arena, chunks: Iterator[list[PlannedGame]], play: Play[Kept]) -> Generator[list[Kept]]:
    """On a cluster that gets the arena's bots and boards. The process of a bot that does not return is started again."""
    parcel = packed(arena.bots, arena.games)  # what does not travel is refused before anything is started
    with closing(open_cluster(address)) as cluster:
        cluster.carry(parcel)
        try:
            for answer in cluster.answers(partial(play_part, arena, play), chunks):
                games, returned = answer.value if answer is not None else ([], True)
                yield games
                if answer is not None and not returned:
                    cluster.renew(answer.address)
        except WorkersDied as error:
            raise ProcessDied(str(error)) from None


def play_part(arena: Arena, play: Play[Kept], chunk: list[PlannedGame]) -> tuple[list[Kept], bool]:
    """What a worker does."""
    compiled_once(arena.needs)
    return play_chunk(arena, chunk, play)
