"""Clients that are slow or greedy on purpose: half-sent requests, endless headers, thousands of connections, floods of bad requests."""

import asyncio
import itertools
import json
import os
import re
import select
import socket
import struct
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from statistics import median

import httpx
import pytest
from websockets.sync.client import connect

from tests.conftest import SOAK
from tests.server.running import new_key, running_server

HONEST, ATTACKER = "127.0.0.1", "127.0.0.2"
HALF_A_HEAD = b"GET /api/about HTTP/1.1\r\nHost: x\r\nX-Slow: "
HALF_A_HANDSHAKE = b"GET /api/tables/AAAAAAAAAAAAAAAA/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: "
SOCKETS = 1_100
FILES = 1_024  # what most systems allow a process at first
MEGABYTES = 100 if SOAK else 15
MAY_GROW = 8  # megabytes
BAD_REQUESTS = 12_394 if SOAK else 500
REQUEST = b"GET /api/about HTTP/1.1\r\nHost: x\r\n\r\n"
FLOOD_FOR = 4  # seconds

# Short times, so that the tests need not wait long; the defaults are longer.
QUICK = ("--head-within", "1.5", "--body-within", "1.5", "--idle-within", "2")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running_server(tmp_path_factory.mktemp("greedy"), None, "--connections-per-address", "400", *QUICK, files=FILES) as server:
        yield server


def connection(server, source=ATTACKER):
    return socket.create_connection((HONEST, server.port), 10, source_address=(source, 0))


def honest_request(server, source=HONEST):
    """How long a request takes that comes at once and whole; anything but an answer is an error."""
    began = time.perf_counter()
    with closing(HTTPConnection(HONEST, server.port, timeout=10, source_address=(source, 0))) as client:
        client.request("GET", "/api/about")
        assert client.getresponse().status == 200
    return time.perf_counter() - began


def memory_of(server):
    """Megabytes."""
    with open(f"/proc/{server.process.pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def ends_within(raw, seconds):
    """Does the server close the connection in time? Returns what it says before."""
    raw.settimeout(seconds)
    said = b""
    try:
        while piece := raw.recv(65_536):
            said += piece
    except ConnectionResetError:
        pass
    return said


# half-sent requests


@pytest.mark.sample(3)
@pytest.mark.parametrize("half", [HALF_A_HEAD, HALF_A_HANDSHAKE, b""], ids=["head", "handshake", "nothing"])
@pytest.mark.parametrize("source", [ATTACKER, HONEST], ids=["elsewhere", "same-address"])
def test_half_sent_requests_on_1100_sockets_delay_nobody(server, half, source):
    """Not even others at the attacker's own address."""
    with ExitStack() as stack:
        for number in range(SOCKETS):
            raw = stack.enter_context(connection(server, source))
            raw.sendall(half)
            if number % 100 == 99:
                assert honest_request(server) < 2
        assert max(honest_request(server) for _ in range(5)) < 2
    assert "connection closed" in server.log.read_text()


def test_sockets_of_many_addresses_delay_nobody_either(server):
    with ExitStack() as stack:
        for number in range(SOCKETS):
            stack.enter_context(connection(server, f"127.0.1.{1 + number % 250}")).sendall(HALF_A_HEAD)
        assert max(honest_request(server) for _ in range(5)) < 2


def test_a_head_that_comes_byte_by_byte_is_cut_off(server):
    with connection(server) as raw:
        raw.sendall(HALF_A_HEAD)
        began = time.monotonic()
        assert trickle(raw, b"y")
        assert 1 < time.monotonic() - began < 3.5


def trickle(raw, piece):
    """Send piece after piece, slowly; true if the server has had enough of it."""
    try:
        for _ in range(40):
            raw.sendall(piece)
            time.sleep(0.1)
    except (BrokenPipeError, ConnectionResetError):
        return True
    return False


def test_the_second_request_of_a_connection_has_no_more_time_than_the_first(server):
    with connection(server) as raw:
        raw.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        raw.recv(100_000)
        raw.sendall(HALF_A_HEAD)
        assert b"408" in ends_within(raw, 4)


def test_a_body_that_does_not_come_is_not_waited_for(server):
    with connection(server) as raw:
        raw.sendall(b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
        assert b"408" in ends_within(raw, 4)


def test_a_body_that_goes_on_after_its_answer_is_cut_off(server):
    with connection(server) as raw:
        raw.sendall(b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
        assert trickle(raw, b"1000\r\n" + b"x" * 4096 + b"\r\n")


def test_an_idle_connection_is_closed(server):
    with connection(server) as raw:
        raw.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        began = time.monotonic()
        ends_within(raw, 5)
        assert 1.5 < time.monotonic() - began < 4


# too much


def pour(raw, piece):
    """Send piece after piece; true if the server stops taking them."""
    raw.settimeout(10)
    try:
        for _ in range(MEGABYTES * 1_000_000 // len(piece)):
            raw.sendall(piece)
    except (BrokenPipeError, ConnectionResetError):
        return True
    return False


CHUNKED = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n"
ENDLESS = {
    "lines": (b"GET / HTTP/1.1\r\n", b"".join(b"X-%d: %s\r\n" % (number, b"y" * 100) for number in range(100))),
    "one-line": (b"GET / HTTP/1.1\r\nX: ", b"y" * 10_000),
    "address": (b"GET /", b"y" * 10_000),
    "empty-lines": (b"", b"\r\n" * 5_000),
    "after-the-body": (CHUNKED, b"".join(b"X-%d: %s\r\n" % (number, b"y" * 100) for number in range(100))),
    "one-line-after-the-body": (CHUNKED + b"X: ", b"y" * 10_000),
    "pieces": (CHUNKED[:-3], b"1;" + b"y" * 10_000 + b"\r\nx\r\n"),
    "handshake": (HALF_A_HANDSHAKE, b"y" * 10_000),
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("kind", ENDLESS)
def test_endless_headers_take_no_memory(server, kind):
    first, piece = ENDLESS[kind]
    honest_request(server)
    before = memory_of(server)
    with connection(server) as raw:
        raw.sendall(first)
        assert pour(raw, piece)
    honest_request(server)
    assert memory_of(server) < before + MAY_GROW


def is_cut_off(raw, piece, seconds):
    """Send piece after piece as fast as the server takes them, and read what it answers; true if it ends the connection in time."""
    raw.setblocking(False)
    rest, end = piece, time.monotonic() + seconds
    try:
        while (left := end - time.monotonic()) > 0:
            readable, writable, _ = select.select([raw], [raw], [], left)
            if readable and not raw.recv(1_000_000):
                return True
            if writable:
                rest = rest[raw.send(rest) :] or piece
    except (BrokenPipeError, ConnectionResetError):
        return True
    return False


def test_pipelined_requests_without_end_take_no_memory(server):
    """Their answers are read, so nothing but the requests can pile up."""
    honest_request(server)
    before = memory_of(server)
    with connection(server) as raw:
        assert is_cut_off(raw, REQUEST * 1_000, 6)
        assert memory_of(server) < before + MAY_GROW
    assert honest_request(server) < 2
    assert any(line.get("reason") == "too many pipelined requests" for line in lines_of(server))


def test_a_few_pipelined_requests_are_all_answered(server):
    with connection(server) as raw:
        raw.sendall(REQUEST * 7 + REQUEST.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        assert ends_within(raw, 4).count(b"HTTP/1.1 200 ") == 8


@pytest.mark.parametrize("lines", [101, 300])
def test_a_whole_head_with_too_many_lines_is_refused(server, lines):
    with connection(server) as raw:
        raw.sendall(b"GET /health HTTP/1.1\r\n" + b"X: y\r\n" * lines + b"\r\n")
        assert ends_within(raw, 4).startswith(b"HTTP/1.1 431 ")


def test_a_head_of_usual_size_is_taken(server):
    with connection(server) as raw:
        raw.sendall(b"GET /health HTTP/1.1\r\nConnection: close\r\n" + b"X: %s\r\n" % (b"y" * 1_000) * 14 + b"\r\n")
        assert ends_within(raw, 4).startswith(b"HTTP/1.1 200 ")


# many connections


def new_table(server):
    body = {"game": "london", "seats": ["person", "person"], "name": "Zoe"}
    return httpx.post(f"{server.url}/api/tables", json=body, headers={"authorization": f"Bearer {new_key()}"}).json()["table"]


@contextmanager
def sockets(server, number, source):
    """People who watch a table: connections that do not wait for a request, so they need not give way."""
    table = new_table(server)
    with ExitStack() as stack:
        for _ in range(number):
            live = connect(f"ws://127.0.0.1:{server.port}/api/tables/{table}/live", sock=connection(server, source), ping_interval=None)
            stack.enter_context(live).send('{"type": "hello"}')
        yield


@pytest.fixture(scope="module")
def narrow(tmp_path_factory):
    """At most 20 connections per address, and 40 in all."""
    few = ("--connections-per-address", "20", "--most-connections", "40")
    with running_server(tmp_path_factory.mktemp("narrow"), None, *few) as server:
        yield server


def test_connections_per_address_are_limited(narrow):
    with sockets(narrow, 20, ATTACKER):
        with connection(narrow) as raw:
            assert ends_within(raw, 4).startswith(b"HTTP/1.1 503 ")
        assert honest_request(narrow) < 2
    time.sleep(0.3)  # the server sees that they have gone
    assert honest_request(narrow, ATTACKER) < 2
    assert any(line["event"] == "connection refused" and "one address" in line["reason"] for line in lines_of(narrow))


def test_connections_in_all_are_limited(narrow):
    with sockets(narrow, 20, "127.0.0.3"), sockets(narrow, 20, "127.0.0.4"), connection(narrow, "127.0.0.5") as raw:
        assert ends_within(raw, 4).startswith(b"HTTP/1.1 503 ")
    assert any(line["event"] == "connection refused" and line["reason"] == "too many connections" for line in lines_of(narrow))


def lines_of(server):
    return [json.loads(line) for line in server.log.read_text().splitlines()]


def test_the_limit_on_files_is_raised_or_obeyed(server):
    """It may open 1,024: it lets in fewer, and says so."""
    with open(f"/proc/{server.process.pid}/limits") as file:
        assert re.search(r"Max open files\s+1024\s+1024", file.read())
    [told] = [line for line in lines_of(server) if "limit on open files" in line["event"]]
    assert told["connections"] < told["files"] == FILES


def test_pings_without_end_from_somebody_who_does_not_read_take_no_memory(server):
    """Each is answered; the answers must not pile up."""
    before = memory_of(server)
    ping = struct.pack("!BBI", 0x89, 0x80 | 125, 0) + b"p" * 125
    with connection(server) as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        become_socket(raw, "A" * 16)
        assert pour(raw, ping * 100)
    assert memory_of(server) < before + MAY_GROW


def become_socket(raw, table):
    handshake = f"GET /api/tables/{table}/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    raw.sendall(f"{handshake}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {'A' * 22}==\r\n\r\n".encode())
    assert raw.recv(1000).startswith(b"HTTP/1.1 101 ")


# many small frames


def text(message):
    """A frame with a mask of zeros."""
    return struct.pack("!BBI", 0x81, 0x80 | len(message), 0) + message


FLOODS = {"pings": struct.pack("!BBI", 0x89, 0x80, 0), "ping-messages": text(b'{"type":"ping"}'), "nothing": text(b"{}")}


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    """As many messages per second as servers usually allow."""
    with running_server(tmp_path_factory.mktemp("usual"), None, "--messages-per-second", "20") as server:
        yield server


@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_of_small_frames_is_cut_off_and_delays_nobody(usual, kind):
    """Not even when it comes again and again."""
    table, end, cut_off = new_table(usual), time.monotonic() + FLOOD_FOR, []

    def flood():
        while time.monotonic() < end:
            with connection(usual) as raw:
                become_socket(raw, table)
                raw.sendall(text(b'{"type":"hello"}'))
                cut_off.append(is_cut_off(raw, FLOODS[kind] * 5_000, FLOOD_FOR))

    with ThreadPoolExecutor(1) as attacker:
        attack = attacker.submit(flood)
        waits = []
        while not attack.done():
            waits.append(honest_request(usual))
            time.sleep(0.02)  # the attacker needs the processor, too
        attack.result()
    assert all(cut_off)
    assert median(waits) < 0.2
    assert any(line.get("reason") == "flood" and line["address"] == ATTACKER for line in lines_of(usual))


def test_a_brisk_client_with_large_messages_is_not_cut_off(usual):
    """Twice as many messages as are allowed at once, each of almost the largest size."""
    address = f"ws://127.0.0.1:{usual.port}/api/tables/{new_table(usual)}/live"
    with connect(address, max_size=None) as live:
        live.send('{"type": "hello"}')
        live.recv(10)
        for _ in range(160):
            live.send('{"type": "ping"' + " " * 16_000 + "}")
        heard = (json.loads(live.recv(10))["type"] for _ in itertools.count())
        answers = list(itertools.islice((kind for kind in heard if kind in ("pong", "refused")), 160))
    assert answers.count("pong") >= 80


# the log


def test_bad_requests_do_not_fill_the_log(tmp_path):
    """However many they are, the log has few lines, and adds up how many there were."""
    with running_server(tmp_path, None, "--requests-per-minute", "60") as server:
        size = server.log.stat().st_size

        async def flood():
            for _ in range(BAD_REQUESTS // 30):
                await asyncio.gather(*(bad_request(server.port, number % 2) for number in range(30)))

        async def bad_request(port, is_nonsense):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"NONSENSE\r\n\r\n" if is_nonsense else b"GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            await reader.read()
            writer.close()

        asyncio.run(flood())
        assert server.log.stat().st_size - size < 150_000
        server.stop()
        written = [line for line in lines_of(server) if line.get("message") == "Invalid HTTP request received."]
        bad = sum((line["event"] == "uvicorn.error") + line.get("suppressed", 0) for line in written)
        assert bad == BAD_REQUESTS // 30 * 15
        assert len(written) < 300
