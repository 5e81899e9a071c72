"""How many people watch a table: told to everybody there, and known to nobody else."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable

from branchline.server.protocol.keys import hash_of
from branchline.server.store.entries import DECIDE, Entry
from branchline.server.tables.publishing import Publisher, Reader
from branchline.server.tables.table import Table
from tests.server.inside import Inside, Talk
from tests.server.refusing import HOST, new_game, nothing_changes
from tests.server.running import new_key
from tests.server.worlds import key_of, new_table, twin_table

SOON = 5.0  # seconds


def reader_of(table: Table, viewer: int | None, key: str | None = None) -> Reader:
    return Reader(table.header.id, key or key_of(viewer), viewer, 1000)


def counts(reader: Reader) -> list[int]:
    """The numbers that a reader was told, and has not looked at yet."""
    messages = [json.loads(reader.queue.get_nowait()) for _ in range(reader.queue.qsize())]
    return [message["count"] for message in messages if message["type"] == "spectators"]


def test_everybody_at_the_table_is_told_when_the_number_changes() -> None:
    table, publisher = new_table("london", 2, 1), Publisher()
    seated, first, second = reader_of(table, 0), reader_of(table, None), reader_of(table, None)
    publisher.subscribe(table, seated, None)
    assert counts(seated) == []
    publisher.subscribe(table, first, None)
    assert counts(seated) == [1]
    publisher.subscribe(table, second, None)
    publisher.unsubscribe(first)
    publisher.unsubscribe(second)
    assert counts(seated) == [2, 1, 0]
    assert counts(first)[-1] == 2


def test_who_connects_later_is_told_how_many_there_are() -> None:
    table, publisher = new_table("london", 2, 1), Publisher()
    publisher.subscribe(table, reader_of(table, None), None)
    late = reader_of(table, 1)
    publisher.subscribe(table, late, 0)
    assert counts(late) == [1]


def test_somebody_who_watches_in_two_windows_is_one_spectator() -> None:
    table, publisher, key = new_table("london", 2, 1), Publisher(), hash_of(new_key())
    windows = [reader_of(table, None, key), reader_of(table, None, key)]
    for window in windows:
        publisher.subscribe(table, window, None)
    assert publisher.spectators(table.header.id) == 1
    publisher.unsubscribe(windows[0])
    assert publisher.spectators(table.header.id) == 1
    publisher.unsubscribe(windows[1])
    assert publisher.spectators(table.header.id) == 0


def test_another_table_hears_nothing_and_nothing_is_kept_when_all_have_gone() -> None:
    table, publisher = new_table("london", 2, 1), Publisher()
    watcher = reader_of(table, None)
    publisher.subscribe(table, watcher, None)
    assert publisher.spectators("BBBBBBBBBBBBBBBB") == 0
    publisher.unsubscribe(watcher)
    assert not publisher._counted
    assert not publisher._recounting
    assert not publisher.has_readers(table.header.id)


def test_what_comes_and_goes_meanwhile_is_told_once() -> None:
    waiting: list[Callable[[], None]] = []
    table, publisher = new_table("london", 2, 1), Publisher(later=waiting.append)
    seated, watchers = reader_of(table, 0), [reader_of(table, None) for _ in range(3)]
    publisher.subscribe(table, seated, None)
    for watcher in watchers:
        publisher.subscribe(table, watcher, None)
    publisher.unsubscribe(watchers[0])
    assert counts(seated) == []
    assert len(waiting) == 1
    waiting.pop()()
    assert counts(seated) == [2]
    publisher.unsubscribe(watchers[1])
    publisher.subscribe(table, watchers[1], None)  # a reload
    waiting.pop()()
    assert counts(seated) == []


def test_g_2_what_viewers_are_told_beside_spectators_is_the_same_in_twin_worlds() -> None:
    """Byte for byte, for seats and spectators, while spectators come and go and others decide."""
    for viewer in (0, 2, None):
        table = new_table("europe", 3, 5)
        twin = twin_table(table, viewer, random.Random(7))
        assert table.state is not None
        assert twin.state is not None
        assert table.state.records.tobytes() != twin.state.records.tobytes()
        assert told_beside_spectators(table, viewer) == told_beside_spectators(twin, viewer)


def told_beside_spectators(table: Table, viewer: int | None) -> list[bytes]:
    publisher, reader = Publisher(), reader_of(table, viewer)
    publisher.subscribe(table, reader, None)
    for seat in (0, 1):
        watcher = reader_of(table, None)
        publisher.subscribe(table, watcher, None)
        if seat != viewer:
            decide_all(publisher, table, seat)
        publisher.unsubscribe(watcher)
    return [reader.queue.get_nowait() for _ in range(reader.queue.qsize())]


def decide_all(publisher: Publisher, table: Table, seat: int) -> None:
    """The seat's whole opening choice, as it happens in this world."""
    while seat in table.choosers:
        assert table.state is not None
        table.apply(Entry(table.last_entry + 1, DECIDE, 1.0, seat, {"decision": table.state.view(seat).legal[0]}))
        publisher.publish(table)


def count_told(talk: Talk, wanted: int) -> None:
    """Listen until the number is told."""
    end = time.monotonic() + SOON
    while time.monotonic() < end:
        message = talk.hear()
        if message["type"] == "spectators" and message["count"] == wanted:
            return
    raise AssertionError(f"{wanted} was not told in {SOON} s")


def test_spectators_who_connect_and_go_are_told_over_sockets_and_written_nowhere(inside: Inside) -> None:
    table = new_game(inside)
    with nothing_changes(inside, table), inside.live(table, HOST) as host:
        with inside.live(table, None), inside.live(table, new_key()) as watcher:
            count_told(host, 2)
            count_told(watcher, 2)
            seen = inside.get(f"/api/tables/{table}", HOST).json()
        count_told(host, 0)
        assert inside.get(f"/api/tables/{table}", HOST).json() == seen


def test_a_spectator_who_takes_a_seat_watches_no_longer(inside: Inside) -> None:
    host, guest = new_key(), new_key()
    table = inside.new_table(host)
    with inside.live(table, host) as one, inside.live(table, guest) as two:
        count_told(one, 1)
        assert two.ask({"type": "join", "name": "Two"})["type"] == "done"
        count_told(one, 0)
        count_told(two, 0)
