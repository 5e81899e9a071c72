"""Figures for Prometheus. They only count, and reveal nothing about a table, a seat or a card."""

from __future__ import annotations

from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

FINE = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.035, 0.05, 0.075, 0.1, 0.25, 0.5, 1, 2.5, 5)


class Metrics:
    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        make: dict[str, Any] = {"registry": self.registry}
        self.entries = Counter("branchline_entries", "Entries committed to tables' logs", ["kind"], **make)
        self.lost_races = Counter("branchline_lost_races", "Entries that lost a race to another", **make)
        self.refused = Counter("branchline_refused", "Requests refused", ["code"], **make)
        self.turned_away = Counter("branchline_turned_away", "Connections refused or closed by the server", ["reason"], **make)
        self.commit_seconds = Histogram("branchline_commit_seconds", "Time to commit an entry", buckets=FINE, **make)
        self.told_seconds = Histogram(
            "branchline_told_seconds", "From the receipt of a request until it is in the queues of those who are asked next", buckets=FINE, **make
        )
        self.bot_seconds = Histogram("branchline_bot_seconds", "Time a bot thinks", ["level"], buckets=FINE, **make)
        self.loop_lag = Histogram("branchline_loop_lag_seconds", "How late the event loop runs what is due", buckets=FINE, **make)
        self.connections = Gauge("branchline_connections", "Open connections", **make)
        self.sockets = Gauge("branchline_sockets", "Open WebSockets", **make)
        self.tables = Gauge("branchline_tables_loaded", "Tables in memory", **make)
        self.failures = Counter("branchline_failures", "Unexpected errors", **make)

    def committed(self, kind: str, seconds: float) -> None:
        self.entries.labels(kind).inc()
        self.commit_seconds.observe(seconds)
