"""`branchline verify`: was the game shuffled as promised?"""

import random
from dataclasses import replace

import pytest

from branchline import Game, Record, RecordError
from branchline.play.chance import commitment_of
from branchline.play.verifying import verify
from tests.commands import branchline


@pytest.fixture
def played():
    """The record of a finished game, and one that a seat downloaded during it."""
    rng = random.Random(2)
    state = Game("london", 2).start("00112233445566778899aabbccddeeff")
    early = None
    while not state.is_over:
        state.apply(rng.choice(state.legal))
        if len(state.history) == 40:
            early = promised(Record.of(state)).redacted(1)
    return promised(Record.of(state)), early


def promised(record):
    record.commitment = commitment_of(record.seed)
    return record


def test_a_fair_game_is_verified(played):
    record, early = played
    assert len(verify(record, record.commitment, None)) == 3
    assert len(verify(record, record.commitment.upper(), early)) == 6


def test_another_seed_is_found_out(played):
    record, early = played
    with pytest.raises(RecordError, match="NOT as promised"):
        verify(record, commitment_of("0" * 32), None)
    other = Record.of(Game("london", 2).start(5))
    with pytest.raises(RecordError, match="not over"):
        verify(promised(other), None, early)


def test_events_that_were_not_shown_are_found_out(played):
    record, early = played
    early.events[6] = early.events[6] | {"seat": 0, "cards": ["red"]}
    with pytest.raises(RecordError, match="NOT as shown"):
        verify(record, None, early)


def test_without_a_promise_there_is_nothing_to_verify(played):
    record, _ = played
    with pytest.raises(RecordError, match="nothing to verify against"):
        verify(record, None, None)  # its own commitment may have been written with it
    with pytest.raises(RecordError, match="nothing to verify against"):
        verify(record, None, replace(record, commitment=None))
    with pytest.raises(RecordError, match="64 hexadecimal digits"):
        verify(record, "abc", None)


def test_g_1_a_changed_decision_is_found_out(played):
    record, _ = played
    record.decisions[30] = record.decisions[30] + 1
    with pytest.raises(RecordError, match=r"decision|event"):
        verify(record, record.commitment, None)


def test_the_command_says_what_it_found(played, tmp_path):
    record, early = played
    (tmp_path / "game.json").write_text(record.to_json())
    (tmp_path / "early.json").write_text(early.to_json())
    done = branchline("verify", tmp_path / "game.json", "--early", tmp_path / "early.json", "--commitment", record.commitment)
    assert "the seed's SHA-256 is the one you gave" in done.stdout
    assert "not checked" not in done.stdout
    alone = branchline("verify", tmp_path / "game.json", "--commitment", record.commitment)
    assert alone.stdout.splitlines()[-1].startswith("– the names")
    failed = branchline("verify", tmp_path / "game.json", "--commitment", "0" * 64)
    assert (failed.returncode, "NOT as promised" in failed.stderr) == (1, True)
