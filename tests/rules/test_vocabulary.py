"""The vocabulary: everything declared is complete, and what follows from it is up to date."""

from pathlib import Path

import pytest
from scripts.vocabulary import KEYS, TABLES, TYPES, message_keys, typescript, with_table

from branchline.play.events import LISTS, VALUES, redact
from branchline.play.naming import NAMES
from branchline.rules.sizes import BLOCKS as MOST_BLOCKS
from branchline.rules.vocabulary.decisions import BLOCKS
from branchline.rules.vocabulary.events import EVENTS
from branchline.rules.vocabulary.fields import BUILDING, CARD_ROW, EVENT_KINDS, MOVE, PARTS, PAYMENT
from branchline.rules.vocabulary.phases import PHASES

ROOT = Path(__file__).parents[2]


def test_numbers_and_names_are_given_once():
    assert sorted(EVENTS) == list(range(1, len(EVENTS) + 1))
    assert sorted(PHASES) == list(range(len(PHASES)))
    for names in ([event.name for event in EVENTS.values()], [phase.name for phase in PHASES.values()], [block.verb for block in BLOCKS]):
        assert len(set(names)) == len(names)


def test_events_and_rows_of_their_parts_cannot_be_mistaken():
    assert max(EVENTS) < CARD_ROW


def test_every_type_of_field_can_be_read_from_the_log():
    for event in EVENTS.values():
        for field in event.fields.values():
            assert field.type in (LISTS if field.column == PARTS else VALUES)


def test_events_of_a_kind_have_what_those_who_ask_for_the_kind_read():
    for event in EVENTS.values():
        assert set(event.kinds) <= set(EVENT_KINDS)
        assert PAYMENT not in event.kinds or {"seat", "cards"} <= event.fields.keys()
        assert BUILDING not in event.kinds or {"seat", "city"} <= event.fields.keys()
        assert MOVE not in event.kinds or "seat" in event.fields


def test_every_block_of_decisions_can_be_named():
    assert all(block.of is None or block.of in NAMES for block in BLOCKS)


def test_there_is_room_for_further_mechanisms():
    """A mechanism takes one to three blocks."""
    assert MOST_BLOCKS - len(BLOCKS) >= 6


def test_secret_fields_are_seen_by_their_own_seat_alone():
    """Only an event with a seat can have secrets, and others get no more than how many there are."""
    for event in EVENTS.values():
        secrets = [name for name, field in event.fields.items() if field.secret]
        assert not secrets or "seat" in event.fields
        whole = {"event": event.name, "seat": 1} | {name: ["a", "b"] if event.fields[name].type.is_list else "a" for name in secrets}
        assert redact(whole, 1) == whole
        for viewer in (0, None):
            seen = redact(whole, viewer)
            assert not set(secrets) & set(seen)
            assert {seen[field.counted_as] for field in event.fields.values() if field.secret and field.counted_as} <= {2}


@pytest.mark.parametrize("page", TABLES)
def test_tables_of_events_in_the_docs_are_those_declared(page):
    """If this fails: `python scripts/vocabulary.py`."""
    text = (ROOT / page).read_text(encoding="utf-8")
    assert with_table(page, text) == text


def test_the_page_knows_the_declared_fields():
    """If this fails: `python scripts/vocabulary.py`."""
    assert (ROOT / TYPES).read_text(encoding="utf-8") == typescript()


def test_the_page_knows_the_keys_of_all_its_catalogues():
    """If this fails: `python scripts/vocabulary.py`."""
    assert (ROOT / KEYS).read_text(encoding="utf-8") == message_keys()
