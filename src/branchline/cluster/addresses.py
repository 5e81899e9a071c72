"""Where a cluster is: `local` and `local:4` are started here, any other is the address of a scheduler."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from branchline.batch.threads import cores
from branchline.cluster.failures import ClusterOptionError
from branchline.errors import from_extra

if TYPE_CHECKING:
    from branchline.cluster.engine import Cluster

LOCAL = re.compile(r"local(?::([1-9]\d{0,3}))?")
SCHEDULER = re.compile(r"(tcp|tls)://\S+:\d+|(?!local:)[^\s/:]+:\d+|\S+\.json")


def check_address(address: str) -> str:
    if not LOCAL.fullmatch(address) and not SCHEDULER.fullmatch(address):
        raise ClusterOptionError(
            f"{address!r} is not the address of a cluster: write local, local:4 for 4 workers here, tls://host:8786, tcp://host:8786, "
            "or the scheduler's file, which ends with .json"
        )
    return address


def is_elsewhere(address: str | None) -> bool:
    """Is it a cluster on other machines, for all we know?"""
    return address is not None and not LOCAL.fullmatch(address)


def open_cluster(address: str) -> Cluster:
    """Start a cluster on this machine, or connect to one."""
    local = LOCAL.fullmatch(check_address(address))
    with from_extra("cluster", "a cluster"):
        from branchline.cluster.engine import Cluster, connected, started_here
    return Cluster(started_here(int(local[1] or cores())) if local else connected(address), address)
