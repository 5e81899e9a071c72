"""Bots that an operator adds: shown by name, asked in processes, and nobody waits for one that hangs."""

import stat
import sys
import time
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from branchline import Record
from branchline.bots import BotError, make_bot
from branchline.bots.processes import running
from branchline.bots.processes.talking import waiting
from branchline.server.settings import Settings
from branchline.server.tables import further_bots
from branchline.server.tables.further_bots import free_id, introduced
from tests.bots.connect.test_connect import same_decisions
from tests.server.inside import running_inside
from tests.server.refusing import HOST, wait_until

EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"
SURVEYOR = str(EXAMPLES / "surveyor.py")


def program(path, text):
    path.write_text(f"#!{sys.executable} -S\n{text}")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


HANGING = """
import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": 1, "name": "Sleepy Head", "description": "Never answers."}), flush=True)
    elif message["type"] == "new_game":
        print(json.dumps({"type": "ready", "id": message["id"]}), flush=True)
    else:
        time.sleep(600)
"""


@pytest.fixture(scope="module")
def inside(tmp_path_factory):
    folder = tmp_path_factory.mktemp("further")
    sleepy = program(folder / "sleepy", HANGING)
    with running_inside(folder, bots=(f"{SURVEYOR}, {sleepy}", "tests.bots.test_processes:Watcher"), bot_limit=1.0) as running_there:
        yield running_there
    assert not running.everything_running, "no process outlives the server"


def new_table(inside, *seats):
    answer = inside.post("/api/tables", {"game": "london", "seats": list(seats), "name": "Zoe", "pace": 0}, HOST)
    assert answer.status_code == 201, answer.text
    return answer.json()["table"]


def finished(inside, table, within=60.0):
    wait_until(lambda: inside.get(f"/api/tables/{table}").json()["state"]["status"] == "finished", within)
    return Record.from_json(inside.get(f"/api/tables/{table}/record").text)


def test_they_are_listed_by_name_and_description(inside):
    bots = inside.get("/api/about").json()["bots"]
    assert [(bot["id"], bot["name"]) for bot in bots] == [("surveyor", "surveyor"), ("sleepy-head", "Sleepy Head"), ("watcher", "watcher")]
    assert bots[0]["description"] == "Looks for the cheapest way for each ticket."


def test_they_decide_on_a_server_as_anywhere_else(inside):
    record = finished(inside, new_table(inside, "easy", "surveyor"))
    assert [seat["player"] for seat in record.seats] == ["bot:easy", "bot:surveyor"]
    bot = make_bot(SURVEYOR)
    assert same_decisions(record, 1, bot)
    bot.close()


def test_a_python_bot_plays_too(inside):
    assert finished(inside, new_table(inside, "easy", "watcher")).replay().is_over
    assert not [one for one in inside.logged if one.get("event") == "a bot failed" and one.get("bot") == "watcher"]


def test_one_that_hangs_loses_its_moves_and_holds_up_nobody(inside):
    sleepy = new_table(inside, "person", "sleepy-head")
    slowest = 0.0
    for _ in range(10):  # meanwhile, others play
        started = time.monotonic()
        assert inside.get(f"/api/tables/{sleepy}").status_code == 200
        slowest = max(slowest, time.monotonic() - started)
        time.sleep(0.05)
    assert slowest < 0.9  # it thinks for a second
    bot_decides(inside, sleepy)
    assert finished(inside, new_table(inside, "easy", "easy")).replay().is_over


def bot_decides(inside, table):
    """Greedy has decided for the bot: its opening tickets are kept."""
    wait_until(lambda: inside.get(f"/api/tables/{table}").json()["state"]["position"]["choosing"] == [0], 20)


def test_a_seat_for_a_bot_that_is_not_there_is_refused(inside):
    body = {"game": "london", "seats": ["person", "deep-rail"], "name": "Zoe"}
    assert inside.post("/api/tables", body, HOST).json()["code"] == "no_such_bot"


def test_a_bot_that_the_server_no_longer_has_is_replaced_by_a_level(inside):
    table = inside.copy(new_table(inside, "person", "easy"), plan=("easy", "deep-rail"))
    inside.call(inside.service.driver.find(table))
    assert finished(inside, table).replay().is_over


def test_one_that_does_not_start_is_said(tmp_path):
    broken = program(tmp_path / "broken", "import sys; sys.exit('no licence')")
    with pytest.raises(BotError, match="cannot be offered: its process ended with code 1, saying: no licence"):
        introduced([broken])
    with pytest.raises(BotError, match="there is no file"):
        introduced(["./nobody"])


def test_bots_of_installed_packages_are_offered(monkeypatch):
    monkeypatch.setattr(further_bots, "installed_bots", lambda: {"greedy": EntryPoint("greedy", "x:Y", "branchline.bots")})
    assert [bot.name for bot in introduced([]).values()] == ["greedy"]
    waiting.end_all()


def test_one_of_an_installed_package_that_does_not_start_is_left_out(monkeypatch):
    """Nobody asked for it."""
    monkeypatch.setattr(further_bots, "installed_bots", lambda: {"nobody": EntryPoint("nobody", "x:Y", "branchline.bots")})
    assert introduced([]) == {}
    waiting.end_all()


def test_ids_are_plain_and_all_different():
    assert free_id("My Bot!", []) == "my-bot"
    assert free_id("easy", []) == "easy-2"
    assert free_id("person", []) == "person-2"
    assert free_id("поїзд", ["bot"]) == "bot-2"
    assert free_id("a", ["a", "a-2"]) == "a-3"


def test_several_are_named_with_commas_or_options():
    assert Settings(bots=("a:B, ./c", "d")).bot_names == ("a:B", "./c", "d")
