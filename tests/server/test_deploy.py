"""The files in deploy/: nginx's configuration with a real nginx, and the others as far as they can be tried without Docker and systemd."""

import asyncio
import json
import re
import shlex
import shutil
import subprocess
import sys
import time
import zipfile
from contextlib import ExitStack
from fnmatch import fnmatch
from pathlib import Path

import httpx
import pytest
import yaml
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import connect

from branchline.server.settings import declared
from tests.left_out import leave_out
from tests.server.inside import bearer
from tests.server.proxies import DEPLOY, NGINX, Proxy
from tests.server.running import Guest, ServerProcess, free_port, new_key, running_server

ROOT = DEPLOY.parent
VARIABLES = {one.variable for one in declared()} | {f"BRANCHLINE_{name}" for name in ("HOST", "PORT", "LOG_LEVEL", "CACHE")}
SOCKETS = 1_100


# nginx


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    options = ("--trusted-proxy", "127.0.0.1", "--requests-per-minute", "60")
    with running_server(tmp_path_factory.mktemp("behind"), None, *options) as server:
        yield server


@pytest.fixture(scope="module")
def proxy(server, tmp_path_factory):
    if NGINX is None:
        leave_out("nginx")
    proxy = Proxy(tmp_path_factory.mktemp("nginx"), server)
    (proxy.folder / "challenges" / ".well-known" / "acme-challenge").mkdir(parents=True)
    proxy.start()
    try:
        yield proxy
    finally:
        proxy.stop()


def test_people_play_through_the_proxy(proxy):
    """HTTP, and a WebSocket from a page of the site."""
    with proxy.client(local_address="127.0.0.10") as client:
        answer = client.get("/api/about")
        assert answer.status_code == 200
        assert answer.headers["strict-transport-security"]
        assert "content-security-policy" in answer.headers
        asked = {"game": "london", "seats": ["person", "easy"], "name": "Zoë"}
        origin = {"origin": f"https://localhost:{proxy.port}"}
        key = new_key()
        table = client.post("/api/tables", json=asked, headers=bearer(key) | origin).json()["table"]
    address = f"wss://localhost:{proxy.port}/api/tables/{table}/live"
    with connect(address, ssl=proxy.trust, origin=origin["origin"]) as live:
        live.send(json.dumps({"type": "hello", "key": key}))
        assert json.loads(live.recv(20))["type"] == "snapshot"


def test_without_tls_people_are_sent_to_it_and_certificates_can_be_renewed(proxy):
    plain = f"http://127.0.0.1:{proxy.plain_port}"
    assert httpx.get(f"{plain}/t/abc", headers={"host": "localhost"}).headers["location"] == "https://localhost/t/abc"
    (proxy.folder / "challenges/.well-known/acme-challenge/token").write_text("proof")
    assert httpx.get(f"{plain}/.well-known/acme-challenge/token").text == "proof"


def test_an_address_cannot_be_forged_through_the_proxy(proxy):
    def codes(source):
        with proxy.client(local_address=source) as client:
            return {client.get("/api/about", headers={"X-Forwarded-For": f"203.0.113.{number}"}).status_code for number in range(100)}

    assert codes("127.0.0.20") == {200, 429}
    with proxy.client(local_address="127.0.0.21") as client:
        assert client.get("/api/about").status_code == 200


def test_half_sent_requests_do_not_reach_the_server_and_are_cut_off(proxy, server):
    with ExitStack() as stack:
        opened = [stack.enter_context(proxy.raw()) for _ in range(SOCKETS)]
        with proxy.client(local_address="127.0.0.30") as client:
            began = time.monotonic()
            assert client.get("/api/about").status_code == 200
            assert time.monotonic() - began < 2
        assert float(re.search(r"^branchline_connections (\S+)", server.figures(), re.MULTILINE)[1]) < 100
        opened[0].settimeout(10)
        assert opened[0].recv(100) == b""


def test_a_large_head_and_a_large_body_are_refused(proxy):
    with proxy.client(local_address="127.0.0.40") as client:
        assert client.get("/api/about", headers={"x": "y" * 20_000}).status_code == 400
        assert client.post("/api/replay", content=b"x" * 3_000_000).status_code == 413


def test_boards_and_pictures_for_the_editor_reach_the_server(proxy):
    """Which has no editor here and refuses them itself, in JSON."""

    def answered_with(size):
        with proxy.client(local_address="127.0.0.41") as client:
            return client.put("/api/editor/picture", content=b"x" * size).headers["content-type"]

    assert answered_with(7_900_000) == "application/json"
    assert answered_with(9_000_000) == "text/html"


def test_an_ipv6_household_is_limited_as_one(proxy):
    def is_refused_by_nginx(client, address):
        answer = client.get("/api/about", headers={"X-Coming-From": address})
        return answer.status_code == 429 and "nginx" in answer.text

    with proxy.client(local_address="127.0.0.42") as client:
        assert any(is_refused_by_nginx(client, f"2001:db8:1:2:{number:x}::1") for number in range(1, 1000))
        assert not is_refused_by_nginx(client, "2001:db8:1:3::1")


def test_figures_are_not_served_through_the_proxy(proxy):
    with proxy.client(local_address="127.0.0.50") as client:
        assert client.get("/metrics").status_code == 404


def test_the_proxys_logs_hold_no_links(proxy):
    with proxy.client(local_address="127.0.0.60") as client:
        client.get("/api/tables/SecretLinkSecret")
        client.get("/t/SecretLinkSecret")
    time.sleep(0.2)
    written = "".join(path.read_text() for path in proxy.folder.glob("*.log"))
    assert "127.0.0.60" in written
    assert "SecretLink" not in written


def test_people_whose_server_is_killed_reconnect_by_themselves_and_play_on(server, tmp_path):
    """Two servers behind one proxy, which sends everybody at a table to the same one."""
    if NGINX is None:
        leave_out("nginx")
    second = ServerProcess(server.database_url, tmp_path, "--trusted-proxy", "127.0.0.1").start()
    proxy = Proxy(tmp_path, server, second)
    proxy.start()
    ann = new_key()

    def new_table():
        with proxy.client(local_address="127.0.0.70") as client:
            asked = {"game": "london", "seats": ["person", "easy"], "name": "Ann"}
            return client.post("/api/tables", json=asked, headers=bearer(ann)).json()["table"]

    def people_at(one):
        return int(float(re.search(r"^branchline_sockets (\S+)", one.figures(), re.MULTILINE)[1]))

    async def table_at_the_second():
        """Which of the two it is follows from the table's name."""
        for _ in range(30):
            guest = Guest(proxy.url, table := new_table(), ann, proxy.trust)
            await connected(guest)
            is_there = people_at(second) > 0
            await guest.close()
            if is_there:
                return table
        raise AssertionError("no table of thirty is played at the second server")

    async def connected(guest):
        while True:
            try:
                return await guest.connect()
            except (OSError, WebSocketException):
                await asyncio.sleep(0.1)

    async def insisting(guest, work):
        """As the page does it: whenever the connection is lost, connect again and go on."""
        while True:
            try:
                return await work()
            except ConnectionClosed:
                await connected(guest)

    async def hears(guest):
        while not any(event["event"] == "say" for event in guest.events):
            await insisting(guest, guest.hear)

    async def whole():
        table, before = await table_at_the_second(), people_at(server)
        people = [Guest(proxy.url, table, key, proxy.trust) for key in (ann, *[None] * 11)]
        await asyncio.gather(*map(connected, people))
        assert (people_at(second) >= 12, people_at(server) <= before) == (True, True)
        second.kill()
        said = await insisting(people[0], lambda: people[0].ask(type="say", id="once", phrase="hello"))
        assert said["type"] == "done"
        await asyncio.wait_for(asyncio.gather(*map(hears, people)), 20)
        decided = await people[0].ask(type="decide", question=people[0].question, decision=people[0].legal[0])
        assert decided["type"] == "done"
        await asyncio.gather(*(guest.close() for guest in people))

    try:
        asyncio.run(whole())
    finally:
        proxy.stop()
        if second.process.poll() is None:
            second.stop()


# Docker


def instructions():
    text = re.sub(r"\\\n\s*", "", (DEPLOY / "Dockerfile").read_text())
    return [line.split(" ", 1) for line in text.splitlines() if line and not line.startswith("#")]


def copied():
    """What is copied from the repository, and where to, under /build."""
    return [words[1].split() for words in instructions() if words[0] == "COPY" and "--from" not in words[1]]


def is_sent_to_docker(path):
    """Does .dockerignore let it through? The last rule that fits decides."""
    sent = True
    for rule in (ROOT / ".dockerignore").read_text().split():
        pattern = rule.removeprefix("!").removeprefix("**/")
        parts = [str(one) for one in (path, *path.parents)][:-1]
        if any(fnmatch(one, pattern) or (rule.startswith("**/") and fnmatch(Path(one).name, pattern)) for one in parts):
            sent = rule.startswith("!")
    return sent


def test_what_the_image_is_made_of_is_there():
    for *sources, _ in copied():
        for source in sources:
            assert (ROOT / source).exists(), source
            assert is_sent_to_docker(Path(source)), source
    assert not is_sent_to_docker(Path("web/node_modules/x"))
    assert not is_sent_to_docker(Path("branchline.db"))
    assert not is_sent_to_docker(Path(".git/config"))


@pytest.mark.soak("it builds the package")
@pytest.mark.skipif(shutil.which("npm") is None, reason="npm is missing")
def test_the_package_builds_from_what_is_copied_alone(tmp_path):
    """The steps of the Dockerfile's second stage, without Docker."""
    for *sources, target in copied():
        for source in sources:
            into = tmp_path / target
            if (ROOT / source).is_dir():
                ignored = shutil.ignore_patterns("__pycache__", "node_modules", "client")
                shutil.copytree(ROOT / source, into, dirs_exist_ok=True, ignore=ignored)
            else:
                into.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / source, into)
    subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=tmp_path / "web", check=True, capture_output=True, timeout=600)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", tmp_path / "wheels", "."]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=600)
    [wheel] = (tmp_path / "wheels").glob("branchline-*.whl")
    assert "branchline/client/index.html" in zipfile.ZipFile(wheel).namelist()


def test_the_images_health_check_tells_sick_from_well(server):
    [check] = [words[1] for words in instructions() if words[0] == "HEALTHCHECK"]
    command = json.loads(check.split("CMD", 1)[1])
    for port, code in ((server.port, 0), (free_port(), 1)):
        words = [word.replace(":8000/", f":{port}/") for word in command]
        ended = subprocess.run([sys.executable, *words[1:]], capture_output=True, check=False, timeout=60)
        assert ended.returncode == code


def test_settings_in_all_files_exist():
    for name in ("Dockerfile", "compose.yaml", "branchline.service"):
        named = set(re.findall(r"BRANCHLINE_[A-Z_]+", (DEPLOY / name).read_text()))
        assert named, name
        assert named <= VARIABLES, name


def test_the_services_of_compose_fit_together():
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    services = compose["services"]
    assert set(services) == {"branchline", "database", "proxy", "certificates"}
    assert "ports" not in services["branchline"]
    assert "ports" not in services["database"]
    for service in services.values():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert (DEPLOY / source).exists() if source.startswith(".") else source in compose["volumes"], volume
        assert set(service.get("networks", [])) <= set(compose["networks"])
        assert set(service.get("depends_on", [])) <= set(services)
    assert f"@database/{services['database']['environment']['POSTGRES_DB']}" in services["branchline"]["environment"]["BRANCHLINE_DATABASE_URL"]
    subnet = compose["networks"]["front"]["ipam"]["config"][0]["subnet"]
    assert subnet == services["branchline"]["environment"]["BRANCHLINE_TRUSTED_PROXIES"]


# systemd


def test_the_unit_is_well_formed(tmp_path):
    """As systemd itself sees it, where it is installed."""
    text = (DEPLOY / "branchline.service").read_text()
    assert "ProtectSystem=strict" in text
    verify = shutil.which("systemd-analyze")
    if verify is None:
        pytest.skip("systemd is not here to look at it")
    unit = tmp_path / "branchline.service"
    unit.write_text(text.replace("/opt/branchline/bin/branchline", sys.executable))
    ended = subprocess.run([verify, "verify", unit], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    judged = subprocess.run([verify, "security", "--offline=true", "--threshold=20", unit], capture_output=True, text=True, check=False)
    assert judged.returncode == 0, judged.stdout[-500:]


def test_the_units_command_serves():
    command = shlex.split(re.search(r"^ExecStart=(.*)$", (DEPLOY / "branchline.service").read_text(), re.MULTILINE)[1])
    assert command[1:] == ["serve"]
