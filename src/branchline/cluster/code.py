"""What is installed: all machines must run the same code, or games would differ from worker to worker."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from branchline import __version__
from branchline.cluster.failures import ClusterError
from branchline.compiling.sources import play_hash


class Code(NamedTuple):
    version: str
    fingerprint: str  # of the rules and of whatever decides how bots play

    def __str__(self) -> str:
        return f"{self.version} ({self.fingerprint})"


@cache
def code_here() -> Code:
    return Code(__version__, play_hash())


def check_code(ours: Code, theirs: Code, worker: str) -> None:
    if theirs != ours:
        raise ClusterError(
            f"the worker {worker} has Branchline {theirs}, and this machine {ours}: install the same version on all machines, and restart the worker"
        )
