"""Several server processes on one PostgreSQL: how many decisions per second with 1, 2 and 4, and what a decision costs each part.

The servers, the database and the simulated people share this machine, so more processes help only as long as a core is free. What carries over to
other machines is the processor time per decision. Each table is played through one of the servers, as behind a proxy.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from server_people import PeopleElsewhere
from server_process import Server, running_server
from tests.server.running import new_database, running_postgres

from server import SEATS, allow_sockets

NUMBERS = (1, 2, 4)


def processor_seconds(program: str) -> float:
    """What all running processes of a program have used."""
    used = 0.0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command, fields = (folder / "cmdline").read_text(), (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue  # it has ended
        if program in command.split("\0")[0]:
            used += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return used


@contextmanager
def running_servers(number: int, database_url: str) -> Iterator[list[Server]]:
    with ExitStack() as stack:
        yield [stack.enter_context(running_server(database_url)) for _ in range(number)]


def measured(servers: list[Server], tables: int, seconds: float) -> dict[str, float]:
    """As fast as the answers come, at all servers at once."""
    share = tables // len(servers)
    people = [PeopleElsewhere(server.port, [server.open_table(["person"] * SEATS) for _ in range(share)]) for server in servers]
    together(people, "come")
    together(people, "play_freely", 3)
    before, began = costs(servers), time.perf_counter()
    reports = together(people, "play_freely", seconds)
    took, after = time.perf_counter() - began, costs(servers)
    decided = sum(one["decided"] for report in reports for one in report)
    together(people, "go")
    return {"per second": decided / took} | {name: 1000 * (after[name] - before[name]) / max(1, decided) for name in after}


def together(people: list[PeopleElsewhere], name: str, *arguments: Any) -> list[list[Any]]:
    """All begin before the first answer is waited for."""
    for one in people:
        one.tell(name, *arguments)
    return [one.answers() for one in people]


def costs(servers: list[Server]) -> dict[str, float]:
    return {"servers": sum(server.processor_seconds() for server in servers), "PostgreSQL": processor_seconds("postgres")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=240, help=f"in all, each with {SEATS} people (240)")
    parser.add_argument("--seconds", type=float, default=10, help="how long for each number of servers (10)")
    asked = parser.parse_args()
    allow_sockets(SEATS * asked.tables)
    print("| server processes | decisions per second | servers' processor time per decision | PostgreSQL's |\n| ---: | ---: | ---: | ---: |")
    with running_postgres() as address:
        for number in NUMBERS:
            with running_servers(number, new_database(address, f"games_{number}")) as servers:
                found = measured(servers, asked.tables, asked.seconds)
            print(f"| {number} | {found['per second']:,.0f} | {found['servers']:.2f} ms | {found['PostgreSQL']:.2f} ms |", flush=True)


if __name__ == "__main__":
    main()
