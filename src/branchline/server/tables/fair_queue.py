"""Whose turn it is to think for long: one of each address after the other, and at each address one of each host, however many tables they have."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from dataclasses import dataclass, field

MOST_KNOWN = 50_000  # hosts whose address is remembered


@dataclass(frozen=True)
class Asker:
    """For whom a bot thinks."""

    host: str  # of the table: the hash of a key
    address: str  # that the host came from; or the host again, if it has not come since the server started
    has_people: bool = True  # somebody waits for the bot


Turn = asyncio.Future[None]
Hosts = OrderedDict[str, deque[Turn]]


@dataclass
class FairQueue:
    _addresses: OrderedDict[str, Hosts] = field(default_factory=OrderedDict)

    def add(self, asker: Asker, turn: Turn) -> None:
        self._addresses.setdefault(asker.address, OrderedDict()).setdefault(asker.host, deque()).append(turn)

    def next(self) -> Turn | None:
        """The next turn of somebody who still waits."""
        while self._addresses:
            turn = self._take()
            if not turn.done():
                return turn
        return None

    def _take(self) -> Turn:
        """From the address, and there from the host, whose last turn was longest ago."""
        address, hosts = next(iter(self._addresses.items()))
        host, turns = next(iter(hosts.items()))
        turn = turns.popleft()
        hosts.move_to_end(host)
        self._addresses.move_to_end(address)
        if not turns:
            del hosts[host]
        if not hosts:
            del self._addresses[address]
        return turn


class Addresses:
    """Where hosts came from last. It is kept in memory alone."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, str] = OrderedDict()

    def note(self, key: str, address: str) -> None:
        self._known[key] = address
        self._known.move_to_end(key)
        while len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)

    def of(self, key: str) -> str:
        return self._known.get(key, key)
