"""Shedding: when more waits than can be done soon, new requests are refused at once instead of waiting for long."""

import asyncio
import time

import httpx
import pytest

from branchline.server.protocol.refusals import Refused
from branchline.server.tables.pressure import FEW, Pressure
from tests.conftest import SOAK
from tests.server.inside import bearer, running_inside
from tests.server.refusing import code_of
from tests.server.running import new_key
from tests.server.tables_only import Clock

CROWD = 1_000 if SOAK else 150
ROOM = 20
SLOW = 0.5  # seconds per transaction


def is_refused(pressure):
    try:
        pressure.must_have_room()
    except Refused:
        return True
    return False


def test_the_refusal_says_when_to_come_again():
    pressure = Pressure(0, 1.0)
    with pytest.raises(Refused) as raised:
        pressure.must_have_room()
    assert (raised.value.code, raised.value.status, raised.value.headers) == ("busy", 503, {"retry-after": "2"})


def let_wait(pressure, many, since=0.0):
    pressure._since = {object(): since for _ in range(many)}


def test_what_waits_is_compared_with_what_was_done_lately():
    clock = Clock()
    pressure = Pressure(10_000, 1.0, clock)
    for _ in range(3):
        for _ in range(500):
            with pressure.wait():
                pass
        clock.now += 1
    let_wait(pressure, 400)
    assert not is_refused(pressure), "less than a second's work"
    let_wait(pressure, 600)
    assert is_refused(pressure)
    clock.now += 10
    let_wait(pressure, FEW - 1)
    assert not is_refused(pressure), "a few may always wait"
    let_wait(pressure, FEW)
    assert is_refused(pressure), "nothing was done for seconds"


def test_a_server_with_nothing_to_do_may_be_asked_for_much_at_once():
    clock = Clock()
    pressure = Pressure(1_000, 1.0, clock)
    let_wait(pressure, 900, clock())
    assert not is_refused(pressure)
    clock.now += 0.6
    assert is_refused(pressure), "nobody was served meanwhile"


def test_no_more_than_the_most_wait_and_none_come_in_while_the_event_loop_is_late():
    pressure = Pressure(10, 1.0)
    let_wait(pressure, 10)
    assert is_refused(pressure)
    let_wait(pressure, 0)
    assert not is_refused(pressure)
    pressure.lag = 1.5
    assert is_refused(pressure)


def test_a_failed_request_does_not_wait_for_ever():
    pressure = Pressure(10, 1.0)
    with pytest.raises(ZeroDivisionError), pressure.wait():
        raise ZeroDivisionError
    assert not pressure._since


@pytest.fixture
def slow(tmp_path):
    """A server with a slow disk and little room."""
    with running_inside(tmp_path, most_waiting=ROOM) as inside:
        committer = inside.service.tables.store._committer
        write = committer._write

        async def slowly(changes):
            await asyncio.sleep(SLOW)
            return await write(changes)

        committer._write = slowly
        yield inside


def test_a_crowd_gets_an_answer_soon_done_or_503_with_when_to_come_again(slow):
    """Each of them speaks at a table of its own."""
    keys = [new_key() for _ in range(CROWD)]
    write = slow.service.tables.store._committer._write
    slow.service.tables.store._committer._write = slow.service.tables.store._database.writer.write
    tables = [slow.new_table(key) for key in keys]
    slow.service.tables.store._committer._write = write

    async def whole():
        limits = httpx.Limits(max_connections=None)
        async with httpx.AsyncClient(base_url=slow.url, timeout=60, limits=limits) as http:

            async def say(table, key):
                began = time.monotonic()
                answer = await http.post(f"/api/tables/{table}/say", json={"id": "once", "text": "hello"}, headers=bearer(key))
                return answer, time.monotonic() - began

            return await asyncio.gather(*(say(table, key) for table, key in zip(tables, keys, strict=True)))

    answers = asyncio.run(whole())
    done = [answer for answer, _ in answers if answer.status_code == 200]
    refused = [answer for answer, _ in answers if answer.status_code != 200]
    print(f"\n{len(done)} done, {len(refused)} refused, the last after {max(took for _, took in answers):.1f} s")
    assert len(done) >= ROOM
    assert refused
    assert {code_of(answer) for answer in refused} == {"busy"}
    assert {answer.headers["retry-after"] for answer in refused} == {"2"}
    for (answer, _), table in zip(answers, tables, strict=True):
        assert len(slow.log(table)) == (2 if answer.status_code == 200 else 1), "a refusal means that nothing happened"


def test_over_a_socket_the_refusal_names_the_message_and_the_same_message_may_be_sent_again(slow):
    key = new_key()
    table = slow.new_table(key)
    with slow.live(table, key) as talk:
        talk.hear()
        pressure = slow.service.tables.pressure
        let_wait(pressure, ROOM)
        message = {"type": "say", "id": "once", "text": "hello"}
        refused = talk.ask(message)
        assert (refused["type"], refused["code"], refused["id"]) == ("refused", "busy", "once")
        let_wait(pressure, 0)
        assert talk.ask(message)["type"] == "done"
        assert [entry.kind for entry in slow.log(table)] == ["sit", "say"]
