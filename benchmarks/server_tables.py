"""What the server benchmark found, as tables: each run as it ends, and everything in Markdown, with a column for each version."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

console = Console(width=120)
PARTS = ("p50", "p95", "p99", "max")
TIMES = {
    "acknowledged": "until acknowledged",
    "all told": "until every socket knows",
    "refused after": "until refused",
    "sent late": "sent later than due",
}


def show_run(title: str, run: dict[str, Any]) -> None:
    told = f"{run['offered']} offered, {run['decided']} acknowledged, {run['sockets told']:.1f} sockets told about each"
    odd = {name: run[name] for name in ("missed", "unanswered", "refused", "lost") if run[name]}
    table = Table(title=f"{title}: {told}{f', {odd}' if odd else ''}")
    table.add_column("ms")
    for heading in PARTS:
        table.add_column(heading, justify="right")
    for name, words in TIMES.items():
        if name == "refused after" and not run["refused"]:
            continue
        table.add_row(words, *(f"{run[name][part]:,.1f}" for part in PARTS))
    for words, own in run["server"].items():
        table.add_row(f"server: {words}", *(f"≤ {own[part]:,.1f}" if own else "" for part in PARTS))
    console.print(table)


def table_of(found: Mapping[str, dict[str, Any]]) -> str:
    """A row that a version has no figure for is empty."""
    columns = [rows_of(results) for results in found.values()]
    names = dict.fromkeys(name for column in columns for name in column)
    lines = [f"| what | {' | '.join(found)} |", f"| --- |{' ---: |' * len(columns)}"]
    return "\n".join(lines + [f"| {name} | {' | '.join(column.get(name, '') for column in columns)} |" for name in names])


def rows_of(results: dict[str, Any]) -> dict[str, str]:
    rows = {
        name: f"{results[name]:,.0f}"
        for name in ("decisions per second, as fast as possible", "tables opened per second", "sockets opened per second")
    }
    rows["the server's processor time per decision"] = f"{results['processor time per decision, ms']:.2f} ms"
    for title, run in results.items():
        if title.endswith("decisions per second"):
            rows |= rows_of_run(title, run)
    for name, rows_of_part in ROWS.items():
        rows |= rows_of_part(results[name]) if name in results else {}
    rows |= rows_of_memory(results["memory, MiB"], results)
    rows |= {name: f"{results[name]:,.0f}" for name in results if name.startswith("bytes per finished game")}
    for title, run in results.items():
        if title.startswith("people decide"):
            rows[f"{title}: acknowledged after, p50, p95, p99"] = in_ms(run["acknowledged"])
        if isinstance(run, dict) and "decisions of bots" in run:
            rows["decisions by master bots meanwhile"] = f"{run['decisions of bots']:,.0f}"
    return rows


def in_ms(times: dict[str, float]) -> str:
    return f"{', '.join(f'{times[part]:,.1f}' for part in PARTS[:3])} ms"


def rows_of_run(title: str, run: dict[str, Any]) -> dict[str, str]:
    counts = f"{run['offered']:,}, {run['decided']:,}, {sum(run['refused'].values()):,}"
    late = f" (and {run['missed']:,} not sent, because the table still waited)" if run["missed"] else ""
    return {
        f"{title}: offered, acknowledged, refused": counts + late,
        f"{title}: acknowledged after, p50, p95, p99": in_ms(run["acknowledged"]),
    }


def rows_of_crowd(run: dict[str, Any]) -> dict[str, str]:
    guest, title, beside = run["over HTTP"], f"twice the ceiling from {run['tables']:,} tables", "guests over HTTP beside them"
    rows = {f"{title}: wanted and acknowledged per second": f"{run['wanted']:,.0f}, {run['per second']:,.0f}"} | rows_of_run(title, run)
    rows[f"{title}: refused after, p50, p95, p99"] = in_ms(run["refused after"]) if run["refused"] else ""
    rows[f"{title}: unanswered, sockets lost"] = f"{run['unanswered']:,}, {run['lost']:,}"
    rows[f"{beside}: answers by status"] = ", ".join(f"{status}: {count}" for status, count in sorted(guest["answers"].items()))
    rows[f"{beside}: Retry-After of the refused"] = ", ".join(f"{seconds} s" for seconds in guest["retry after"])
    return rows | {f"{beside}: served after, p50, p95, p99": in_ms(guest["served"])}


def rows_of_pings(pings: dict[str, Any]) -> dict[str, str]:
    return {
        "the server's processor time per ping": f"{pings['processor time, ms']:.3f} ms",
        f"{pings['number']:,} pings in {pings['seconds']} s: answered after, p50, p95, p99": in_ms(pings["answered"]),
    }


def rows_of_memory(memory: dict[str, float], results: dict[str, Any]) -> dict[str, str]:
    start, opened, come, played = memory.values()
    tables, sockets = results["tables"], results["sockets"]
    return {
        "memory at the start": f"{start:,.0f} MiB",
        "memory per table": f"{1024 * (opened - start) / tables:,.0f} KiB",
        "memory per socket": f"{1024 * (come - opened) / sockets:,.0f} KiB",
        "additional memory per table that plays": f"{1024 * (played - come) / tables:,.0f} KiB",
    }


def rows_of_restart(restart: dict[str, Any]) -> dict[str, str]:
    title = f"after a restart with {restart['due']:,} due tables"
    rows = {f"{title}: {what}": f"{seconds:.1f} s" for what, seconds in restart["seconds"].items()}
    if "move where a bot was due last" not in restart["seconds"]:
        rows[f"{title}: move where a bot was due last"] = f"not within {restart['watched for']:.0f} s"
    if restart["moves"] < restart["due"]:
        rows[f"{title}: moves after {restart['watched for']:.0f} s"] = f"{restart['moves']:,.0f}"
    return rows | {"first read of a table with 20,002 entries": f"{restart['first read']:.2f} s"}


def rows_of_silence(silent: dict[str, Any]) -> dict[str, str]:
    gone = silent["dropped after, s"]
    return {
        "a client that does not read is dropped": "not at all" if gone is None else f"after {gone:,.0f} s",
        "memory it takes until then": f"{silent['memory, MiB']:,.1f} MiB",
    }


ROWS = {
    "crowd": rows_of_crowd,
    "pings": rows_of_pings,
    "restart": rows_of_restart,
    "the client that does not read": rows_of_silence,
}
