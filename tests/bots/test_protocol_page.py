"""docs/protocol.md: its tables follow from the declarations, its conversation is one, and its shortest bot plays."""

import json
import re
import sys
from pathlib import Path

from scripts.protocol_tables import PAGE, with_tables

from branchline.bots.conformance import check
from branchline.bots.processes import messages as m
from branchline.bots.processes.speaking import sent
from branchline.bots.processes.talking import waiting
from branchline.play.events import BY_NAME

TEXT = PAGE.read_text(encoding="utf-8")


def test_its_tables_are_up_to_date():
    """If this fails: `python scripts/protocol_tables.py`."""
    assert with_tables(TEXT) == TEXT


CONVERSATION = re.search(r"```text\n(.*?)```", TEXT, re.DOTALL).group(1).splitlines()


def test_every_line_of_its_conversation_is_a_message():
    assert len(CONVERSATION) > 6
    for line in CONVERSATION:
        text = line[2:]
        if line.startswith("> "):
            sent[m.Kind.model_validate_json(text).type].model_validate_json(text)
        else:
            m.answers.validate_json(text)


def test_every_event_of_its_conversation_is_one_of_the_game_with_its_fields():
    messages = [json.loads(line[2:]) for line in CONVERSATION]
    events = [event for message in messages if message["type"] == "happened" for event in message["events"]]
    assert events
    for event in events:
        fields = BY_NAME[event.pop("event")].fields
        counts = {field.counted_as for field in fields.values() if field.counted_as}
        may_lack = {name for name, field in fields.items() if field.optional or field.secret or field.covered}
        assert fields.keys() - may_lack <= event.keys() <= fields.keys() | counts


def test_its_shortest_bot_passes_the_check(tmp_path):
    code = re.search(r"```py\n(.*?)```", TEXT, re.DOTALL).group(1)
    file = tmp_path / "first.py"
    file.write_text(f"#!{sys.executable} -S\n{code}")
    assert check(str(file), games=["london"], players=[2]).passed
    waiting.end_all()


def test_it_names_the_limits_that_hold():
    from branchline.bots.processes import program_bot, running, talking

    assert f"{running.LONGEST_LINE // 1024} KiB" in TEXT
    assert f"{running.MOST_UNREAD // 1024**2} MiB" in TEXT
    assert f"within {talking.TO_START:g} seconds" in TEXT
    assert f"there are {program_bot.TO_PREPARE:g} seconds" in TEXT
    assert Path(running.KEEPER).name in TEXT
