"""Several hosts on one machine: a network namespace for each, joined by a bridge. Only root can make them."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

NETWORK = "10.231.77"
BRIDGE = "branchline0"


def can_make_hosts() -> bool:
    can = os.geteuid() == 0 and shutil.which("ip") is not None
    return can and subprocess.run(["unshare", "-n", "true"], capture_output=True, check=False).returncode == 0


def ip(*words: str) -> None:
    told(*words)


def told(*words: str) -> str:
    return subprocess.run(["ip", *words], check=True, capture_output=True, text=True).stdout


@dataclass(frozen=True)
class Host:
    number: int

    @property
    def name(self) -> str:
        return f"branchline-{self.number}"

    @property
    def address(self) -> str:
        return f"{NETWORK}.{10 + self.number}"

    @property
    def inside(self) -> list[str]:
        """Before a command that is to run on this host."""
        return ["ip", "netns", "exec", self.name]

    def make(self) -> None:
        near = f"branchline{self.number}p"
        ip("netns", "add", self.name)
        ip("link", "add", near, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        ip("link", "set", near, "master", BRIDGE, "up")
        ip("-n", self.name, "addr", "add", f"{self.address}/24", "dev", "eth0")
        for device in ("lo", "eth0"):
            ip("-n", self.name, "link", "set", device, "up")

    def cut(self, other: Host) -> None:
        """Nothing gets from here to the other host, and nobody is told."""
        ip("-n", self.name, "route", "add", "blackhole", f"{other.address}/32")

    def join(self, other: Host) -> None:
        ip("-n", self.name, "route", "del", "blackhole", f"{other.address}/32")


def remove_all() -> None:
    """Also what tests that were killed have left behind."""
    for name in re.findall(r"^branchline-\d+", told("netns", "list"), re.MULTILINE):
        ip("netns", "del", name)
    if f" {BRIDGE}:" in told("link"):
        ip("link", "del", BRIDGE)


@contextmanager
def hosts(number: int) -> Iterator[list[Host]]:
    made = [Host(one) for one in range(number)]
    with Path(tempfile.gettempdir(), "branchline-hosts.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one test at a time has them; the system unlocks it if that one is killed
        remove_all()
        try:
            ip("link", "add", BRIDGE, "type", "bridge")
            ip("addr", "add", f"{NETWORK}.1/24", "dev", BRIDGE)
            ip("link", "set", BRIDGE, "up")
            for host in made:
                host.make()
            yield made
        finally:
            remove_all()
