"""What a worker does: check that it has the same code, take up your own files, work, and say who it is."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from typing import Any, NamedTuple

from branchline.bots.base import in_short
from branchline.cluster.code import Code, check_code, code_here
from branchline.cluster.failures import WorkFailed
from branchline.cluster.luggage import luggage
from branchline.errors import BranchlineError

os.environ.setdefault("POLARS_MAX_THREADS", "1")  # before it is imported: there are other workers on the other cores


class Answer(NamedTuple):
    """What a task has given, and whose work it is: as people call the worker, and as the cluster does."""

    value: Any
    worker: str
    address: str


def perform(code: Code, digest: str, work: Callable[[Any], Any], task: Any) -> Answer:
    """Do a piece of work with what was sent along."""
    worker, address = who()
    check_code(code, code_here(), worker)
    try:
        with luggage.used(digest):
            return Answer(work(task), worker, address)
    except Exception as error:
        raise WorkFailed(f"{in_words(error)} (on the worker {worker})") from None


def in_words(error: Exception) -> str:
    """What has happened, and what to do if a package is missing: those that are installed are not sent."""
    told = str(error) if isinstance(error, BranchlineError) else in_short(error)
    missing = next((one for one in (error, error.__cause__) if isinstance(one, ModuleNotFoundError)), None)
    return f"{told}. Install {missing.name} on every machine" if missing else told


def who() -> tuple[str, str]:
    """This worker's machine with its name there, and its address."""
    from distributed import get_worker

    worker, host = get_worker(), socket.gethostname()
    name = str(worker.name).rpartition("//")[2]
    return name if host in name else f"{host} {name}", worker.address
