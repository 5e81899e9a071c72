"""Put a game server under load, all on this machine: many people at many tables, bots that think for long, a client that never reads, a restart.

The server is a real `branchline serve`. The people are bare sockets in separate processes, which measure the times. Messages follow a schedule that
does not wait for answers, so a slow server does not get less work: a table has one decision in flight at a time, and at twice the ceiling it sends
something the server must refuse instead of waiting.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from server_people import PeopleElsewhere
from server_process import Server, SilentSocket, own_figures, running_server

from branchline.server.protocol.keys import new_table_id
from branchline.server.store.archiving import packed
from branchline.server.store.changes import Summary
from branchline.server.store.entries import PLAYING
from branchline.server.store.store import Store

SEATS = 4
RATES = (20, 100, 500, 1000)  # decisions per second
LONG_THINKERS = 8
QUIET_RATE = 20  # decisions per second while bots think or one client does not read
DROPPED_WITHIN = 180  # seconds to wait for the server to drop the client that does not read
FINISHED = 20  # games whose size is measured
BELATED = 5_000  # tables where a bot is due when the server starts again
console = Console(width=120)


@dataclass
class Bench:
    server: Server
    tables: int
    rates: tuple[float, ...]
    seconds: float
    processes: int
    results: dict[str, Any] = field(default_factory=dict)

    def run(self) -> None:
        self.results |= self.finished_games()
        memory = {"at the start": self.server.memory()}
        began = time.perf_counter()
        tables = [self.server.open_table(["person"] * SEATS) for _ in range(self.tables)]
        self.results["tables opened per second"] = self.tables / (time.perf_counter() - began)
        memory[f"{self.tables} tables open"] = self.server.memory()
        people = PeopleElsewhere(self.server.port, tables, self.processes)
        self.results["sockets opened per second"] = SEATS * self.tables / max(people.do("come"))
        memory[f"{SEATS * self.tables} sockets open"] = self.server.memory()
        self.ceiling(people)
        for rate in self.rates:
            self.measured(f"{rate:,.0f} decisions per second", people, slice(None), rate, self.seconds)
        twice = 2 * self.results["decisions per second, as fast as possible"]
        self.measured(f"twice the ceiling, {twice:,.0f} decisions per second", people, slice(None), twice, self.seconds, hurry=True)
        memory["games under way"] = self.server.memory()
        self.results["memory, MiB"] = memory
        self.bots_think(people)
        self.one_does_not_read(people, tables[-1][0])
        people.do("go")
        self.restart()

    def ceiling(self, people: PeopleElsewhere) -> None:
        """As fast as each table gets its answers, for long enough that the start does not count."""
        people.played("play_freely", 3)
        busy = self.server.processor_seconds()
        report = people.played("play_freely", self.seconds)
        self.results["decisions per second, as fast as possible"] = report["per second"]
        self.results["processor time per decision, ms"] = 1000 * (self.server.processor_seconds() - busy) / max(1, report["decided"])

    def measured(
        self, title: str, people: PeopleElsewhere, tables: slice, rate: float, seconds: float, talk: bool = False, hurry: bool = False
    ) -> None:
        """One run on schedule, with the server's own figures for the same time."""
        before = self.server.figures()
        report = people.played("play", tables, rate / self.processes, seconds, talk, hurry)
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
        grown = self.server.database_bytes() - before
        compact = asyncio.run(compact_bytes(self.server.database_url, names))
        return {"bytes per finished game": grown / FINISHED, "bytes per finished game, compact": compact / FINISHED}

    def restart(self) -> None:
        """Thousands of tables where a bot is due, on a server that has just started."""
        name, _ = self.server.open_table(["person", "easy", "easy"])
        self.server.stop()
        asyncio.run(multiply(self.server.database_url, name, BELATED))
        self.server.start()
        began = time.perf_counter()
        self.server.wait()
        ready, first = time.perf_counter() - began, None
        while (moved := self.moves()) < BELATED:
            first = first or (time.perf_counter() - began if moved else None)
            time.sleep(0.02)
        self.results["after a restart, s"] = {"ready": ready, "first move": first, f"{BELATED} moves": time.perf_counter() - began}

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


async def multiply(database_url: str, name: str, many: int) -> None:
    """As many tables like this one, at which something is due."""
    store = await Store.open(database_url)
    header, log = await store.header(name), await store.log(name)
    assert header is not None
    for _ in range(0, many, 500):
        new = [replace(header, id=new_table_id()) for _ in range(500)]
        await asyncio.gather(*(store.create(one, log[:2], Summary(PLAYING, False, time.time() - 10)) for one in new))
    await store.close()


def show_run(title: str, run: dict[str, Any]) -> None:
    told = f"{run['decided']} decisions, {run['sockets told']:.1f} sockets told about each"
    odd = {name: run[name] for name in ("missed", "unanswered", "refused", "hurried", "lost") if run[name]}
    table = Table(title=f"{title}: {told}{f', {odd}' if odd else ''}")
    table.add_column("ms")
    for heading in ("p50", "p95", "p99", "max"):
        table.add_column(heading, justify="right")
    rows = {
        "acknowledged": "until acknowledged",
        "all told": "until every socket knows",
        "refused after": "until refused",
        "sent late": "sent later than due",
    }
    for name, words in rows.items():
        table.add_row(words, *(f"{run[name][part]:,.1f}" for part in ("p50", "p95", "p99", "max")))
    for words, own in run["server"].items():
        table.add_row(f"server: {words}", *(f"≤ {own[part]:,.1f}" if own else "" for part in ("p50", "p95", "p99", "max")))
    console.print(table)


def show_rest(results: dict[str, Any], tables: int) -> None:
    """One table, in Markdown, of everything."""
    rows = {
        name: f"{results[name]:,.0f}"
        for name in ("decisions per second, as fast as possible", "tables opened per second", "sockets opened per second")
    }
    rows["the server's processor time per decision"] = f"{results['processor time per decision, ms']:.2f} ms"
    for title, run in results.items():
        if title.endswith("decisions per second"):
            times = run["acknowledged"]
            busy = sum(run[part].get("busy", 0) for part in ("refused", "hurried"))
            rest = f"; {run['missed']:,} not sent in time" if run["missed"] and not run["hurried"] else f"; {busy:,} refused as busy" if busy else ""
            rows[f"acknowledged at {title}: p50, p95, p99"] = f"{times['p50']:,.1f}, {times['p95']:,.1f}, {times['p99']:,.1f} ms{rest}"
    memory = results["memory, MiB"]
    start, opened, sockets, played = memory.values()
    rows["memory at the start"] = f"{start:,.0f} MiB"
    rows["memory per table"] = f"{1024 * (opened - start) / tables:,.0f} KiB"
    rows["memory per socket"] = f"{1024 * (sockets - opened) / (SEATS * tables):,.0f} KiB"
    rows["additional memory per table that plays"] = f"{1024 * (played - sockets) / tables:,.0f} KiB"
    rows |= {name: f"{results[name]:,.0f}" for name in ("bytes per finished game", "bytes per finished game, compact")}
    for name, seconds in results["after a restart, s"].items():
        rows[f"after a restart with {BELATED:,} due tables: {name}"] = f"{seconds:.1f} s"
    rows["decisions by master bots meanwhile"] = f"{results[f'people decide, {LONG_THINKERS} master bots think']['decisions of bots']:,.0f}"
    silent = results["the client that does not read"]
    gone = silent["dropped after, s"]
    rows["a client that does not read is dropped"] = "not at all" if gone is None else f"after {gone:,.0f} s"
    rows["memory it takes until then"] = f"{silent['memory, MiB']:,.1f} MiB"
    print("| what | figure |\n| --- | ---: |")
    for name, figure in rows.items():
        print(f"| {name} | {figure} |")


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
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to this file")
    asked = parser.parse_args()
    allow_sockets(SEATS * asked.tables)
    console.print(f"{asked.tables} tables, {SEATS * asked.tables} sockets; {os.cpu_count()} cores")
    with database(asked) as url, running_server(url) as server:
        bench = Bench(server, asked.tables, tuple(asked.rates), asked.seconds, asked.processes)
        bench.run()
    show_rest(bench.results, asked.tables)
    if asked.json:
        asked.json.write_text(json.dumps(bench.results, indent=1) + "\n")


if __name__ == "__main__":
    main()
