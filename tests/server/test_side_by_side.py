"""Servers on hosts of their own behind one nginx, with one PostgreSQL, as an operator would have them, while everything goes wrong."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from branchline.server.store import migrating
from branchline.server.tables import table
from tests.left_out import leave_out
from tests.server.hosts import Host, can_make_hosts, hosts
from tests.server.next_version import SAY, WAVE, with_one_more_migration
from tests.server.ordeals import Fault, check_lively, hold, live_through
from tests.server.proxies import NGINX, Proxy
from tests.server.running import ServerProcess, has_postgres, new_database, running_postgres
from tests.server.test_upgrades import NEXT_VERSION

PARTITION = 30.0  # seconds
FAULTS = 12  # with four hosts, each is upgraded
NEXT = [str(NEXT_VERSION)]


def part(servers: list[ServerProcess], database: Host) -> Fault:
    def parted(rng: random.Random) -> None:
        host = rng.choice(servers).host
        assert host is not None
        host.cut(database)
        time.sleep(PARTITION)
        host.join(database)

    return parted


def kill(servers: list[ServerProcess]) -> Fault:
    """From the first upgrade on, who is killed starts again as the next version: the old one refuses a database of a newer one."""

    def killed(rng: random.Random) -> None:
        server = rng.choice(servers)
        server.kill()
        if any(one.program == NEXT for one in servers):
            server.program = NEXT
        server.start()

    return killed


def upgrade(servers: list[ServerProcess]) -> Fault:
    """One host after the other is stopped in an orderly way, and starts as the next version."""

    def upgraded(rng: random.Random) -> None:
        old = [server for server in servers if server.program != NEXT]
        server = rng.choice(old or servers)
        server.stop()
        server.program = NEXT
        server.start()

    return upgraded


@contextmanager
def site(folder: Path) -> Iterator[tuple[list[ServerProcess], Proxy, Host]]:
    """Four servers on four hosts, their database on a fifth, and nginx in front on a sixth."""
    with hosts(6) as (database, edge, *others), running_postgres(database) as address:
        url = new_database(address, "games")
        servers = [ServerProcess(url, folder, "--trusted-proxy", edge.address, host=host) for host in others]
        proxy = Proxy(folder, *servers, host=edge)
        try:
            for server in servers:
                server.start()
            proxy.start()
            yield servers, proxy, database
        finally:
            for server in servers:
                if server.process is not None:
                    server.kill()
            proxy.stop()


@pytest.fixture
def knows_waves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process read what the next version writes."""
    monkeypatch.setattr(migrating, "configuration", with_one_more_migration)
    monkeypatch.setitem(table.HANDLERS, WAVE, table.HANDLERS[SAY])


@pytest.mark.timeout(3_000)
@pytest.mark.usefixtures("knows_waves")
@pytest.mark.soak("four servers on hosts of their own take minutes; test_histories.py tests two, test_deploy.py nginx")
def test_pages_behind_nginx_see_everything_through_kills_partitions_and_a_rolling_upgrade(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not (can_make_hosts() and has_postgres() and NGINX is not None):
        leave_out("nginx" if NGINX is None else "PostgreSQL" if can_make_hosts() else "the right to make network namespaces")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))  # all servers share the key of the seeds
    with site(tmp_path) as (servers, proxy, database):
        faults = [part(servers, database), kill(servers), upgrade(servers)]
        world = asyncio.run(live_through(servers, faults, FAULTS, proxy))
        told = asyncio.run(hold(servers[0].database_url, world, {WAVE: SAY}))
    check_lively(told, world)
    assert all(server.program == NEXT for server in servers)
    assert world.written[WAVE]
    assert world.reconnected
