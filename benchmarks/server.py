"""Put a game server under load, all on this machine: many people at many tables, pings, more than it can do, bots that think for long, a client that
never reads, a restart.

The server is a real `branchline serve`. The people are bare sockets in separate processes, which measure the times. Messages follow a schedule that
does not wait for answers, so a slow server does not get less work; but a table has one decision in flight at a time. With `--before`, an earlier
version goes through the same on the same machine first.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from server_crowd import crowded
from server_people import PeopleElsewhere, spread
from server_process import Server, SilentSocket, own_figures, running_server
from server_tables import show_run, table_of

from branchline.server.store.archiving import packed
from branchline.server.store.store import Store

SEATS = 4
PARTS = ("games", "rates", "pings", "bots", "silence", "crowd", "restart")
RATES = (20, 100, 500, 1000)  # decisions per second
LONG_THINKERS = 8
QUIET_RATE = 20  # decisions per second while bots think or one client does not read
DROPPED_WITHIN = 180  # seconds to wait for the server to drop the client that does not read
FINISHED = 20  # games whose size is measured
CROWD = 1_700  # tables that ask for twice what the server can do
PINGED = 5  # seconds
BELATED, GIVE_UP = 5_000, 75  # tables where a bot is due when the server starts again, and seconds to wait for them
console = Console(width=120)


@dataclass
class Bench:
    server: Server
    tables: int
    rates: tuple[float, ...]
    seconds: float
    processes: int
    is_now: bool = True  # not an earlier version
    results: dict[str, Any] = field(default_factory=dict)

    def run(self, parts: Collection[str]) -> None:
        self.results |= {"tables": self.tables, "sockets": SEATS * self.tables}
        if "games" in parts:
            self.results |= self.finished_games()
        memory = {"at the start": self.server.memory()}
        began = time.perf_counter()
        tables = [self.server.open_table(["person"] * SEATS) for _ in range(self.tables)]
        self.results["tables opened per second"] = self.tables / (time.perf_counter() - began)
        memory["tables open"] = self.server.memory()
        people = PeopleElsewhere(self.server.port, tables, self.processes)
        self.results["sockets opened per second"] = SEATS * self.tables / max(people.do("come"))
        memory["sockets open"] = self.server.memory()
        self.ceiling(people)
        for rate in self.rates if "rates" in parts else ():
            self.measured(f"{rate:,.0f} decisions per second", people, slice(None), rate, self.seconds)
        self.results["memory, MiB"] = memory | {"games under way": self.server.memory()}
        if "pings" in parts:
            self.pings(people)
        if "bots" in parts:
            self.bots_think(people)
        if "silence" in parts:
            self.one_does_not_read(people, tables[-1][0])
        people.do("go")
        if "crowd" in parts:
            self.crowd()
        if "restart" in parts:
            self.restart()

    def ceiling(self, people: PeopleElsewhere) -> None:
        """As fast as each table gets its answers, for long enough that the start does not count."""
        people.played("play_freely", 3)
        busy = self.server.processor_seconds()
        report = people.played("play_freely", self.seconds)
        self.results["decisions per second, as fast as possible"] = report["per second"]
        self.results["processor time per decision, ms"] = 1000 * (self.server.processor_seconds() - busy) / max(1, report["decided"])

    def pings(self, people: PeopleElsewhere) -> None:
        """Nobody decides anything; what the server does anyway is taken off."""
        began = self.server.processor_seconds()
        people.do("rest", PINGED)
        idle = self.server.processor_seconds()
        reports = people.do("ping", PINGED)
        busy = self.server.processor_seconds()
        number = sum(one["pings"] for one in reports)
        answered = spread(itertools.chain(*(one["pongs"] for one in reports)))
        cost = 1000 * ((busy - idle) - (idle - began)) / number
        self.results["pings"] = {"processor time, ms": cost, "number": number, "seconds": PINGED, "answered": answered}

    def crowd(self) -> None:
        """Twice the ceiling, from more tables than may wait at once."""
        before, twice = self.server.figures(), 2 * self.results["decisions per second, as fast as possible"]
        report = crowded(self.server, CROWD, SEATS, twice, self.seconds)
        self.results["crowd"] = report | {"server": own_figures(before, self.server.figures()), "wanted": twice, "tables": CROWD}
        show_run(f"{CROWD:,} tables ask for {twice:,.0f} decisions per second", self.results["crowd"])

    def measured(self, title: str, people: PeopleElsewhere, tables: slice, rate: float, seconds: float, talk: bool = False) -> None:
        """One run on schedule, with the server's own figures for the same time."""
        before = self.server.figures()
        report = people.played("play", tables, rate / self.processes, seconds, talk)
        self.results[title] = report | {"server": own_figures(before, self.server.figures())}
        show_run(title, self.results[title])

    def finished_games(self) -> dict[str, float]:
        """How much the database grows by a game of bots, with everything that is stored of it; and the compact log that is left after a day."""
        before = self.server.database_bytes()
        done = self.server.figures().get('branchline_entries_total{kind="start"}', 0)
        names = [self.server.open_table(["easy"] * SEATS)[0] for _ in range(FINISHED)]
        while any(json.loads(self.server.ask("GET", f"/api/tables/{name}"))["state"]["status"] == "playing" for name in names):
            time.sleep(0.5)
        assert done == 0
        sizes = {"bytes per finished game": (self.server.database_bytes() - before) / FINISHED}
        if self.is_now:
            sizes["bytes per finished game, compact"] = asyncio.run(compact_bytes(self.server.database_url, names)) / FINISHED
        return sizes

    def restart(self) -> None:
        """Thousands of tables where a bot was due while the server was away, and one where it falls due as it starts."""
        name, _ = self.server.open_table(["person", "easy", "easy"])
        self.server.stop()
        last, long = self.server.run("server_fill.py", self.server.database_url, name, BELATED).split()
        self.server.start()
        began = time.perf_counter()
        self.server.wait()
        times = {"ready": time.perf_counter() - began}
        while len(times) < 4 and time.perf_counter() - began < GIVE_UP:
            moved, at_last = self.moves(), self.server.number(f"SELECT count(*) FROM entries WHERE table_id = '{last}' AND kind = 'decide'")
            now = time.perf_counter() - began
            happened = {"first move": moved, "move where a bot was due last": at_last, f"{BELATED:,} moves": moved >= BELATED}
            times |= {what: now for what, is_so in happened.items() if is_so and what not in times}
            time.sleep(0.05)
        watched, asked_at = time.perf_counter() - began, time.perf_counter()
        self.server.ask("GET", f"/api/tables/{long}")
        read = time.perf_counter() - asked_at
        self.results["restart"] = {"seconds": times, "moves": moved, "due": BELATED, "watched for": watched, "first read": read}

    def moves(self) -> float:
        return self.server.figures().get('branchline_entries_total{kind="decide"}', 0)

    def bots_think(self, people: PeopleElsewhere) -> None:
        """Slow bots at tables of their own, all thinking all the time."""
        seconds = min(self.seconds, 15)
        self.measured("people decide, no bots", people, slice(None), QUIET_RATE, seconds)
        hosted = [self.server.open_table(["master", "master"]) for _ in range(LONG_THINKERS)]
        time.sleep(min(5, seconds))  # their processes start
        before = self.server.figures()
        title = f"people decide, {LONG_THINKERS} master bots think"
        self.measured(title, people, slice(None), QUIET_RATE, seconds)
        thought = 'branchline_bot_seconds_count{level="master"}'
        self.results[title]["decisions of bots"] = self.server.figures().get(thought, 0) - before.get(thought, 0)
        for name, keys in hosted:
            self.server.ask("POST", f"/api/tables/{name}/abandon", keys[0], {})

    def one_does_not_read(self, people: PeopleElsewhere, table: str) -> None:
        """The last two tables play and chat: at one everybody reads, at the other a spectator does not."""
        seconds = min(self.seconds, 15)
        self.measured("one table plays and chats, everybody reads", people, slice(-2, -1), QUIET_RATE, seconds, True)
        memory = self.server.memory()
        silent = SilentSocket(self.server, table)
        time.sleep(0.5)
        began, sockets = time.monotonic(), self.server.figures()["branchline_sockets"]
        self.measured("one table plays and chats, one client does not read", people, slice(-1, None), QUIET_RATE, seconds, True)
        while (there := self.server.figures()["branchline_sockets"] >= sockets) and time.monotonic() - began < DROPPED_WITHIN:
            people.do("play", slice(-1, None), QUIET_RATE, 1, True)
        self.results["the client that does not read"] = {
            "dropped after, s": None if there else time.monotonic() - began,
            "memory, MiB": self.server.memory() - memory,
        }
        silent.close()


async def compact_bytes(database_url: str, names: list[str]) -> int:
    store = await Store.open(database_url)
    sizes = [len(packed(await store.log(name))) for name in names]
    await store.close()
    return sum(sizes)


@contextmanager
def database(asked: argparse.Namespace) -> Iterator[str | None]:
    if not asked.postgresql:
        yield asked.database_url
        return
    from tests.server.running import new_database, running_postgres

    with running_postgres() as address:
        yield new_database(address, "games")


def allow_sockets(many: int) -> None:
    """Allow enough open files, here and in the processes we start."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = many + 500 if hard == resource.RLIM_INFINITY else min(hard, many + 500)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database-url", help="an empty PostgreSQL database; by default SQLite, in a folder that is removed afterwards")
    parser.add_argument("--postgresql", action="store_true", help="start a PostgreSQL for it; needs PYTHONPATH=.")
    parser.add_argument("--tables", type=int, default=250, help=f"each with {SEATS} people (250)")
    parser.add_argument("--rates", type=float, nargs="+", default=RATES, help="decisions per second, over all tables (20 100 500 1000)")
    parser.add_argument("--processes", type=int, default=1, help="for the people (1)")
    parser.add_argument("--seconds", type=float, default=12, help="how long for each (12)")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="besides the ceiling (all)")
    parser.add_argument("--before", type=Path, metavar="CHECKOUT", help="measure the version there first, in the same way")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to this file")
    asked = parser.parse_args()
    if asked.before and asked.database_url:
        parser.error("--before needs a new database for each version: SQLite, or --postgresql")
    allow_sockets(SEATS * (asked.tables + CROWD))
    console.print(f"{asked.tables} tables, {SEATS * asked.tables} sockets; {os.cpu_count()} cores")
    trees = {"before": asked.before, "now": None} if asked.before else {"now": None}
    found: dict[str, dict[str, Any]] = {}
    for name, tree in trees.items():
        found[name] = measured(asked, tree)
        if asked.json:
            asked.json.write_text(json.dumps(found, indent=1) + "\n")
    print(table_of(found))


def measured(asked: argparse.Namespace, tree: Path | None) -> dict[str, Any]:
    with database(asked) as url, running_server(url, tree) as server:
        bench = Bench(server, asked.tables, tuple(asked.rates), asked.seconds, asked.processes, is_now=tree is None)
        bench.run(asked.parts)
    return bench.results


if __name__ == "__main__":
    main()
