"""Whose address counts: forged headers, IPv6 households, proxies, blocked networks; and figures that are not for everybody."""

import socket
from contextlib import contextmanager, suppress
from unittest.mock import Mock

import httpx
import pytest
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from websockets.exceptions import ConnectionClosed, InvalidStatus

from branchline.server.app import create_app
from branchline.server.limits import Networks, limited_as
from branchline.server.serving import configured
from branchline.server.settings import Settings
from tests.commands import branchline
from tests.server.inside import Talk, running_inside
from tests.server.refusing import HOST, wait_until
from tests.server.running import free_port


@pytest.mark.parametrize(
    ("address", "asker"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::"),
        ("2001:db8:1:2:bbbb::9", "2001:db8:1:2::"),
        ("2001:db8:1:3::1", "2001:db8:1:3::"),
        ("testclient", "unknown"),
        ("x" * 10_000, "unknown"),
        ("", "unknown"),
    ],
)
def test_an_address_counts_for_itself_or_its_household(address, asker):
    assert limited_as(address) == asker


def test_networks():
    some = Networks(["203.0.113.0/24", "2001:db8::/32", "10.0.0.1"])
    assert all(map(some.has, ["203.0.113.200", "2001:db8:9::1", "10.0.0.1", "::ffff:10.0.0.1"]))
    assert not any(map(some.has, ["203.0.114.1", "2001:db9::1", "10.0.0.2", "nonsense", ""]))
    assert some.replace(["10.0.0.1"])
    assert not some.replace(["10.0.0.1"])


# forged headers

FORGED = ["10.9.9.%d", "10.9.9.%d, 127.0.0.1", "127.0.0.1, 10.9.9.%d", "%d"]


def codes(inside, forged, number=60):
    headers = ("X-Forwarded-For", "X-Real-IP", "Forwarded", "X-Client-IP")
    return {inside.http.get("/api/about", headers=dict.fromkeys(headers, forged.replace("%d", str(one)))).status_code for one in range(number)}


@pytest.mark.parametrize("forged", FORGED)
def test_by_default_nobody_is_believed_about_an_address(tmp_path, forged):
    """Whatever a client says, all its requests count together."""
    with running_inside(tmp_path, trusted_proxies=(), requests_per_minute=30) as inside:
        assert codes(inside, forged) == {200, 429}


def test_a_proxy_that_is_not_named_is_not_believed(tmp_path):
    with running_inside(tmp_path, trusted_proxies=("127.0.0.2", "10.0.0.0/8"), requests_per_minute=30) as inside:
        assert codes(inside, "192.0.2.%d") == {200, 429}


def test_a_proxy_that_is_named_is_believed_about_the_last_address_only(tmp_path):
    """What stands before it was sent by the client."""
    with running_inside(tmp_path, trusted_proxies=("127.0.0.0/8",), requests_per_minute=30) as inside:
        assert codes(inside, "192.0.2.%d") == {200}
        assert codes(inside, "198.51.100.%d, 203.0.113.5") == {200, 429}


def test_a_proxy_that_is_not_named_is_mentioned_in_the_log_once(tmp_path, monkeypatch):
    log = Mock()
    monkeypatch.setattr("branchline.server.http.security.log", log)
    with running_inside(tmp_path, trusted_proxies=()) as inside:
        inside.http.get("/api/about")
        assert log.warning.call_count == 0
        codes(inside, "192.0.2.%d", 5)
    assert log.warning.call_count == 1
    assert "--trusted-proxy" in log.warning.call_args[0][0]


@pytest.mark.parametrize(("proxy", "form"), [("10.0.0.1", "::ffff:10.0.0.1"), ("10.1.0.0/16", "::ffff:10.1.255.9"), ("2001:db8::/32", "2001:db8::7")])
def test_a_proxy_is_known_in_ipv6_too(proxy, form):
    config = configured(Settings(trusted_proxies=(proxy,)), create_app())
    assert form in ProxyHeadersMiddleware(None, config.forwarded_allow_ips).trusted_hosts
    assert "::ffff:203.0.113.9" not in ProxyHeadersMiddleware(None, config.forwarded_allow_ips).trusted_hosts


# blocked


def test_a_blocked_address_is_turned_away_at_the_door_and_behind_a_proxy(tmp_path):
    with running_inside(tmp_path, watch_every=0.1, trusted_proxies=("127.0.0.1",)) as inside:
        table = inside.new_table(HOST)
        store = inside.service.tables.store
        port = int(inside.url.rsplit(":", 1)[1])
        from_there = httpx.Client(base_url=inside.url, transport=httpx.HTTPTransport(local_address="127.0.0.9"))
        with (
            from_there as direct,
            inside.live(table, None) as stays,
            connect_from(inside, table, "10.1.2.3") as through_proxy,
            socket_from(port, "127.0.0.9") as opened,
        ):
            stays.hear()
            assert direct.get("/api/about").status_code == 200
            inside.call(store.block("127.0.0.8/31", 0.0, "a test"))
            inside.call(store.block("10.1.0.0/16", 0.0, "a test"))
            assert opened.recv(100) == b""
            assert code_at_the_end(through_proxy) == 1008
            assert direct.get("/api/about").status_code == 403
            with pytest.raises(InvalidStatus), connect_from(inside, table, "10.1.9.9"):
                pass
            stays.send({"type": "ping"})
            assert stays.answer() == {"type": "pong"}
            inside.call(store.unblock("127.0.0.8/31"))
            wait_until(lambda: direct.get("/api/about").status_code == 200)


def code_at_the_end(talk):
    """The code with which the socket is closed, after whatever it still hears."""
    with suppress(ConnectionClosed):
        while True:
            talk.hear()
    return talk.socket.close_code


@contextmanager
def connect_from(inside, table, address):
    """A socket that has said hello, through a proxy."""
    with inside.socket(table, additional_headers={"X-Forwarded-For": address}) as opened:
        talk = Talk(opened)
        talk.send({"type": "hello"})
        talk.hear()
        yield talk


def socket_from(port, address):
    return socket.create_connection(("127.0.0.1", port), 10, source_address=(address, 0))


# figures


def test_figures_are_not_on_the_public_port(server):
    assert httpx.get(f"{server.url}/metrics").status_code == 404
    assert "branchline_entries_total" in server.figures()


def test_by_default_there_are_no_figures(monkeypatch, tmp_path):
    served = []
    monkeypatch.setattr("branchline.server.serving.set_up_logs", lambda _: None)
    monkeypatch.setattr("branchline.server.serving.start_http_server", lambda *given: served.append(given))
    monkeypatch.setattr("branchline.server.serving.run", lambda *_: None)
    monkeypatch.setattr("branchline.server.first_start.should_begin_plain", lambda: False)
    assert branchline("serve", "--port", free_port(), cwd=tmp_path).returncode == 0
    assert served == []


@pytest.mark.parametrize("where", ["9100", "127.0.0.1", "127.0.0.1:99999", "127.0.0.1:x", "203.0.113.7:9100"])
def test_an_impossible_address_for_figures_is_reported(monkeypatch, tmp_path, where):
    monkeypatch.setattr("branchline.server.serving.set_up_logs", lambda _: None)
    monkeypatch.setattr("branchline.server.first_start.should_begin_plain", lambda: False)
    ended = branchline("serve", "--port", free_port(), "--metrics", where, cwd=tmp_path)
    assert (ended.returncode, "--metrics" in ended.stderr) == (1, True)
