"""The first start of a version: people can play immediately, in plain Python, and continue when the rules are compiled."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import httpx
import pytest

from branchline.batch.warm import mark
from branchline.compiling.sources import cache_folder
from tests.server.running import ServerProcess

KEY = {"authorization": f"Bearer {'k' * 30}"}
COMPILED_WITHIN = 480.0  # seconds: alone it takes ten, but the compiler gives way to all other tests


def not_yet_compiled(folder: Path) -> Path:
    """A cache with everything except the mark that it is complete: putting it together again takes seconds, not a minute."""
    copied = folder / "branchline" / cache_folder().name
    shutil.copytree(cache_folder(), copied)
    (copied / mark("playouts").name).unlink()
    return folder


def decide(url: str, table: str) -> int:
    """Answer the open question with its first legal answer; returns the number of the next question."""
    position = httpx.get(f"{url}/api/tables/{table}", headers=KEY, timeout=30).json()["state"]["position"]
    body = {"id": f"d{position['question']}", "question": position["question"], "decision": position["legal"][0]}
    httpx.post(f"{url}/api/tables/{table}/decide", headers=KEY, json=body, timeout=30).raise_for_status()
    return int(position["question"])


@pytest.mark.timeout(600)
def test_a_game_begins_before_the_rules_are_compiled_and_goes_on_after(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRANCHLINE_CACHE", str(not_yet_compiled(tmp_path / "cache")))
    server = ServerProcess(f"sqlite:///{tmp_path / 'games.db'}", tmp_path).start()
    try:
        assert "compiling the rules" in server.log.read_text()
        body = {"game": "london", "seats": ["person", "easy"], "name": "Ann", "pace": 0}
        table = httpx.post(f"{server.url}/api/tables", headers=KEY, json=body, timeout=30).json()["table"]
        asked = decide(server.url, table)
        wait_for_restart(server)
        assert decide(server.url, table) > asked
        assert mark("playouts").exists()  # in the cache that is set above
    finally:
        assert server.stop() == 0


def wait_for_restart(server: ServerProcess) -> None:
    """Its address stays open all the time: requests in the meantime wait a little."""
    end = time.monotonic() + COMPILED_WITHIN
    while server.log.read_text().count('"event": "serving"') < 2:
        assert time.monotonic() < end, server.log.read_text()[-2000:]
        assert httpx.get(f"{server.url}/health", timeout=60).status_code == 200
        time.sleep(0.5)
    server.wait_until_ready()
