"""Several hosts on one machine: a network namespace for each, joined by a bridge. Only root can make them."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

NETWORK = "10.231.77"
BRIDGE = "branchline0"


def can_make_hosts() -> bool:
    can = os.geteuid() == 0 and shutil.which("ip") is not None
    return can and subprocess.run(["unshare", "-n", "true"], capture_output=True, check=False).returncode == 0


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


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

    def remove(self) -> None:
        with suppress(subprocess.CalledProcessError):
            ip("netns", "del", self.name)


@contextmanager
def hosts(number: int) -> Iterator[list[Host]]:
    made = [Host(one) for one in range(number)]
    ip("link", "add", BRIDGE, "type", "bridge")
    try:
        ip("addr", "add", f"{NETWORK}.1/24", "dev", BRIDGE)
        ip("link", "set", BRIDGE, "up")
        for host in made:
            host.make()
        yield made
    finally:
        for host in made:
            host.remove()
        ip("link", "del", BRIDGE)
