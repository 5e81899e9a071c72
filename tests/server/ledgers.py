"""What clients were told about their decisions, checked against the server's log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from branchline.server.store.entries import DECIDE, Entry, Header
from branchline.server.tables.table import Table


@dataclass(frozen=True)
class Sent:
    """A decision as a client sent it, with the client's own id."""

    table: str
    seat: int
    id: str
    decision: str


async def ask_over_http(http: httpx.AsyncClient, method: str, url: str, key: str | None, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """An answer over HTTP, in the form of a WebSocket's."""
    response = await http.request(method, url, json=body, headers={} if key is None else {"authorization": f"Bearer {key}"})
    answer: dict[str, Any] = response.json()
    assert response.status_code != 500, answer
    return {"type": "refused" if response.is_error else "done"} | answer


@dataclass
class Ledger:
    acknowledged: dict[Sent, int] = field(default_factory=dict)  # with the number of the seat's stream that was named
    refused: dict[Sent, str] = field(default_factory=dict)  # with the reason

    def note(self, sent: Sent, answer: dict[str, Any]) -> None:
        """A definite answer. A message sent several times has the same answer each time."""
        if answer["type"] == "refused":
            assert sent not in self.acknowledged, f"{sent} was done, and is now refused: {answer}"
            self.refused[sent] = answer["code"]
        else:
            assert sent not in self.refused, f"{sent} was refused, and is now done: {answer}"
            assert self.acknowledged.setdefault(sent, answer["cursor"]) == answer["cursor"]

    def check(self, header: Header, log: Sequence[Entry]) -> Table:
        """The log has no gap, replays, and contains exactly those decisions of people that were acknowledged: each once, under its number."""
        assert [entry.sequence for entry in log] == list(range(1, len(log) + 1))
        table = Table(header)
        numbered: dict[tuple[int | None, str | None], int] = {}
        for entry in log:
            table.apply(entry)
            numbered[entry.seat, entry.client_id] = len(table.streams[entry.seat])
        told = {sent: number for sent, number in self.acknowledged.items() if sent.table == header.id}
        kept = Counter((entry.seat, entry.client_id, entry.body["decision"]) for entry in log if entry.kind == DECIDE and entry.client_id)
        assert kept == Counter((sent.seat, sent.id, table.game.number(sent.decision)) for sent in told)
        assert all(numbered[sent.seat, sent.id] == number for sent, number in told.items())
        return table
