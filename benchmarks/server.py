"""Put a game server under load, all on this machine: many people at many tables, bots that think for long, and a client that never reads.

The server is a real `branchline serve`. The people are sockets in a separate process, which measures the times. Messages follow a schedule that
does not wait for answers, so a slow server does not get less work.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from server_people import PeopleElsewhere
from server_process import Server, SilentSocket, own_figures, running_server

SEATS = 4
LONG_THINKERS = 8
QUIET_RATE = 20  # decisions per second while bots think or one client does not read
DROPPED_WITHIN = 180  # seconds to wait for the server to drop the client that does not read
console = Console(width=120)


@dataclass
class Bench:
    server: Server
    tables: int
    rate: float
    seconds: float
    results: dict[str, Any] = field(default_factory=dict)

    def run(self) -> None:
        memory = {"at the start": self.server.memory()}
        began = time.perf_counter()
        tables = [self.server.open_table(["person"] * SEATS) for _ in range(self.tables)]
        self.results["tables opened per second"] = self.tables / (time.perf_counter() - began)
        memory[f"{self.tables} tables open"] = self.server.memory()
        people = PeopleElsewhere(self.server.url, tables)
        self.results["sockets opened per second"] = SEATS * self.tables / people.do("come")
        memory[f"{SEATS * self.tables} sockets open"] = self.server.memory()
        self.results["decisions per second, as fast as possible"] = people.do("play_openings", 5 * SEATS)
        self.measured("people decide", people, slice(None), self.rate, self.seconds)
        memory["games under way"] = self.server.memory()
        self.results["memory, MiB"] = memory
        self.bots_think(people)
        self.one_does_not_read(people, tables[-1][0])
        people.do("go")

    def measured(self, title: str, people: PeopleElsewhere, tables: slice, rate: float, seconds: float, talk: bool = False) -> None:
        """One run on schedule, with the server's own figures for the same time."""
        before = self.server.figures()
        report = people.do("play", tables, rate, seconds, talk)
        self.results[title] = report | {"server": own_figures(before, self.server.figures())}
        show_run(title, self.results[title])

    def bots_think(self, people: PeopleElsewhere) -> None:
        """Slow bots at tables of their own, all thinking all the time."""
        seconds = min(self.seconds, 15)
        self.measured("people decide, no bots", people, slice(None), QUIET_RATE, seconds)
        hosted = [self.server.open_table(["expert", "expert"]) for _ in range(LONG_THINKERS)]
        time.sleep(min(5, seconds))  # their processes start
        before = self.server.figures()
        title = f"people decide, {LONG_THINKERS} expert bots think"
        self.measured(title, people, slice(None), QUIET_RATE, seconds)
        thought = 'branchline_bot_seconds_count{level="expert"}'
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


def show_run(title: str, run: dict[str, Any]) -> None:
    told = f"{run['decided']} decisions, {run['sockets told']:.1f} sockets told about each"
    odd = {name: run[name] for name in ("missed", "unanswered", "refused") if run[name]}
    table = Table(title=f"{title}: {told}{f', {odd}' if odd else ''}")
    table.add_column("ms")
    for heading in ("p50", "p95", "p99", "max"):
        table.add_column(heading, justify="right")
    for name, words in (("acknowledged", "until acknowledged"), ("all told", "until every socket knows"), ("sent late", "sent later than due")):
        table.add_row(words, *(f"{run[name][part]:,.1f}" for part in ("p50", "p95", "p99", "max")))
    for words, own in run["server"].items():
        table.add_row(f"server: {words}", *(f"≤ {own[part]:,.1f}" if own else "" for part in ("p50", "p95", "p99", "max")))
    console.print(table)


def show_rest(results: dict[str, Any], tables: int) -> None:
    table = Table(title="The rest")
    table.add_column("what")
    table.add_column("figure", justify="right")
    for name in ("tables opened per second", "sockets opened per second", "decisions per second, as fast as possible"):
        table.add_row(name, f"{results[name]:,.0f}")
    memory = results["memory, MiB"]
    for name, used in memory.items():
        table.add_row(f"memory {name}", f"{used:,.0f} MiB")
    start, opened, sockets, played = memory.values()
    table.add_row("memory per table", f"{1024 * (opened - start) / tables:,.0f} KiB")
    table.add_row("memory per socket", f"{1024 * (sockets - opened) / (SEATS * tables):,.0f} KiB")
    table.add_row("additional memory per table that plays", f"{1024 * (played - sockets) / tables:,.0f} KiB")
    table.add_row("decisions by expert bots meanwhile", f"{results[f'people decide, {LONG_THINKERS} expert bots think']['decisions of bots']:,.0f}")
    silent = results["the client that does not read"]
    gone = silent["dropped after, s"]
    table.add_row("a client that does not read is dropped", "not at all" if gone is None else f"after {gone:,.0f} s")
    table.add_row("memory it takes until then", f"{silent['memory, MiB']:,.1f} MiB")
    console.print(table)


def allow_sockets(many: int) -> None:
    """Allow enough open files, here and in the processes we start."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = many + 500 if hard == resource.RLIM_INFINITY else min(hard, many + 500)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database-url", help="an empty PostgreSQL database; by default SQLite, in a folder that is removed afterwards")
    parser.add_argument("--tables", type=int, default=250, help=f"each with {SEATS} people (250)")
    parser.add_argument("--rate", type=float, default=100, help="decisions per second, over all tables (100)")
    parser.add_argument("--seconds", type=float, default=30, help="how long (30)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to this file")
    asked = parser.parse_args()
    allow_sockets(SEATS * asked.tables)
    console.print(f"{asked.tables} tables, {SEATS * asked.tables} sockets, {asked.rate:g} decisions per second; {os.cpu_count()} cores")
    with running_server(asked.database_url) as server:
        bench = Bench(server, asked.tables, asked.rate, asked.seconds)
        bench.run()
    show_rest(bench.results, asked.tables)
    if asked.json:
        asked.json.write_text(json.dumps(bench.results, indent=1) + "\n")


if __name__ == "__main__":
    main()
