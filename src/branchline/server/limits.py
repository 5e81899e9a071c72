"""Limits on how much one address, socket or seat may request."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

MOST_KNOWN = 50_000  # addresses or keys remembered
LONGEST_ADDRESS = 64
UNKNOWN = "unknown"
HOUSEHOLD = 64  # bits of an IPv6 address: what one customer gets, and can move about in freely
BURST = 4  # seconds' worth of messages that a WebSocket may send at once
Network = IPv4Network | IPv6Network


@lru_cache(4096)
def parsed_address(text: str) -> IPv4Address | IPv6Address | None:
    """An address; an IPv4 address inside an IPv6 one is itself."""
    try:
        address = ip_address(text) if len(text) <= LONGEST_ADDRESS else None
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def limited_as(text: str) -> str:
    """Whom an address counts for: itself, or its household in IPv6. A proxy may pass on something that is not an address."""
    address = parsed_address(text)
    if isinstance(address, IPv6Address):
        return str(IPv6Network((int(address) >> HOUSEHOLD << HOUSEHOLD, HOUSEHOLD)).network_address)
    return UNKNOWN if address is None else str(address)


class Networks:
    """Some addresses and networks, such as proxies or what the operator has blocked."""

    def __init__(self, networks: Iterable[str] = ()) -> None:
        self.replace(networks)

    def replace(self, networks: Iterable[str]) -> bool:
        """True if this changes anything."""
        before, self._networks = getattr(self, "_networks", []), [ip_network(one) for one in networks]
        return self._networks != before

    def has(self, text: str) -> bool:
        address = parsed_address(text) if self._networks else None
        return address is not None and any(address in network for network in self._networks)


class Bucket:
    """A token bucket: this many at once, refilled at a rate."""

    def __init__(self, size: float, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._size, self._rate, self._clock = size, per_second, clock
        self._left, self._at = size, clock()

    def take(self, many: int = 1) -> bool:
        now = self._clock()
        self._left = min(self._size, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < many:
            return False
        self._left -= many
        return True


class Limiter:
    """One bucket per address or key: what is allowed in a period may also come all at once."""

    def __init__(self, most: float, clock: Callable[[], float] = time.monotonic, seconds: float = 60.0) -> None:
        self._most, self._clock, self._seconds = most, clock, seconds
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, asker: str, many: int = 1) -> bool:
        if asker not in self._buckets:
            self._buckets[asker] = Bucket(self._most, self._most / self._seconds, self._clock)
        self._buckets.move_to_end(asker)
        while len(self._buckets) > MOST_KNOWN:
            self._buckets.popitem(last=False)
        return self._buckets[asker].take(many)
