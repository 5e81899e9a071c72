"""The seed of secret, numbers and names; and `branchline verify` of games whose players had a part in the shuffle."""

import hashlib
import json
import random

import pytest

from branchline import Game, Record, RecordError
from branchline.play.chance import commitment_of, dealing_seed
from branchline.play.verifying import not_checked, verify
from tests.commands import branchline

SECRET = "00112233445566778899aabbccddeeff"
NUMBERS = ["0123456789abcdef0123456789abcdef", None, "ffffffffffffffff0000000000000000"]
SEATS = [{"name": "Ann", "player": "human"}, {"name": "Żółta Łódź", "player": "human"}, {"name": "Bob 2", "player": "human"}]
PROMISED = [commitment_of(NUMBERS[0]), commitment_of("1" * 32), commitment_of(NUMBERS[2])]


def played(seats=SEATS, numbers=NUMBERS, seed=None):
    """The record of a finished game, and one that a seat downloaded during it."""
    rng = random.Random(2)
    state = Game("london", len(seats)).start(seed or dealing_seed(SECRET, seats, numbers))
    early = None
    while not state.is_over:
        state.apply(rng.choice(state.legal))
        if len(state.history) == 40:
            early = with_chance(Record.of(state, seats), numbers).redacted(1)
    return with_chance(Record.of(state, seats), numbers), early


def with_chance(record, numbers):
    record.commitment = commitment_of(SECRET)
    record.chance = {"secret": SECRET, "commitments": PROMISED[: len(numbers)], "numbers": list(numbers)}
    return Record.from_json(record.to_json())


@pytest.fixture(scope="module")
def recorded():
    return played()


@pytest.fixture
def record(recorded):
    return Record.from_json(recorded[0].to_json())


@pytest.fixture
def early(recorded):
    return Record.from_json(recorded[1].to_json())


def test_the_seed_can_be_worked_out_by_hand():
    text = (
        "branchline/chance/1\n"
        "00112233445566778899aabbccddeeff\n"
        "0123456789abcdef0123456789abcdef human Ann\n"
        "- human Żółta Łódź\n"
        "ffffffffffffffff0000000000000000 human Bob 2\n"
    )
    assert dealing_seed(SECRET, SEATS, NUMBERS) == hashlib.sha256(text.encode()).hexdigest()[:32]


def test_every_part_changes_the_seed():
    renamed = [{"name": "Anna", "player": "human"}, *SEATS[1:]]
    replaced = [{"name": "Ann", "player": "bot:hard"}, *SEATS[1:]]
    seeds = {
        dealing_seed(SECRET, SEATS, NUMBERS),
        dealing_seed(SECRET[::-1], SEATS, NUMBERS),
        dealing_seed(SECRET, SEATS, [*NUMBERS[:2], None]),
        dealing_seed(SECRET, SEATS, [NUMBERS[2], None, NUMBERS[0]]),
        dealing_seed(SECRET, renamed, NUMBERS),
        dealing_seed(SECRET, replaced, NUMBERS),
    }
    assert len(seeds) == 6


def test_a_game_with_everybodys_numbers_is_verified_in_one_go(record, early):
    assert verify(record, record.commitment, early, NUMBERS[2].upper()) == [
        f"the {len(record.decisions)} decisions and {len(record.events)} events follow from the seed by the rules",
        "the secret's SHA-256 is the one you gave",
        "the secret's SHA-256 is the one in the record",
        "the secret's SHA-256 is the one in the early record",
        "the number of Ann is the one that was promised",
        "no number of Żółta Łódź was used, although it was promised: it did not come in time",
        "the number of Bob 2 is the one that was promised",
        "the secret, the numbers and the names of all seats make the seed",
        "your number was used, as that of Bob 2",
        "the names, and who was a person and who a bot, are those of the early record",
        f"the {len(early.events)} events of the early record are the first of this game",
    ]


def test_the_early_record_has_the_promises_and_no_number(early):
    assert early.chance == {"commitments": PROMISED}
    for hidden in (SECRET, NUMBERS[0], dealing_seed(SECRET, SEATS, NUMBERS)):
        assert hidden not in early.to_json()


def test_a_number_that_was_not_used_is_found_out(record):
    with pytest.raises(RecordError, match="your number was not used"):
        verify(record, record.commitment, None, "1" * 32)
    with pytest.raises(RecordError, match="32 hexadecimal digits"):
        verify(record, record.commitment, None, "mine")


def test_a_game_without_numbers_used_none():
    state = Game("london", 2).start(SECRET)
    while not state.is_over:
        state.apply(state.legal[0])
    record = Record.of(state)
    record.commitment = commitment_of(SECRET)
    assert len(verify(record, record.commitment, None)) == 3
    with pytest.raises(RecordError, match="your number was not used"):
        verify(record, record.commitment, None, NUMBERS[0])


def test_another_number_than_the_promised_one_is_found_out():
    """A server that exchanges a number, and deals with the seed that follows from it."""
    numbers = ["2" * 32, None, NUMBERS[2]]
    record, _ = played(numbers=numbers)
    with pytest.raises(RecordError, match="NOT as promised: the number of Ann"):
        verify(record, record.commitment, None)


def test_a_seed_that_does_not_follow_from_the_numbers_is_found_out():
    record, _ = played(seed="5" * 32)
    with pytest.raises(RecordError, match="NOT as promised: the secret, the numbers and the names make the seed"):
        verify(record, record.commitment, None)


def test_a_name_that_was_changed_is_found_out_even_without_an_early_record(record, early):
    record.seats = [{"name": "Eve", "player": "human"}, *record.seats[1:]]
    with pytest.raises(RecordError, match="the names make the seed"):
        verify(record, record.commitment, None)
    with pytest.raises(RecordError, match="the names make the seed"):
        verify(record, record.commitment, early)


@pytest.mark.parametrize("change", [{"name": "Eve"}, {"player": "bot:expert"}])
def test_names_of_a_game_without_numbers_are_those_of_the_early_record(change):
    seats = SEATS[:2]
    record, early = played(seats=seats, numbers=[None, None], seed=SECRET)
    record.chance = early.chance = None
    assert verify(record, record.commitment, early)
    record.seats = [record.seats[0] | change, record.seats[1]]
    with pytest.raises(RecordError, match="NOT as shown: seat 0 is"):
        verify(record, record.commitment, early)


def test_that_names_were_not_checked_is_said_where_no_number_makes_them_a_part_of_the_seed(record):
    assert not_checked(record, None) == []
    without, then = played(seats=SEATS[:2], numbers=[None, None], seed=SECRET)
    without.chance = then.chance = None
    without.seats = [without.seats[0] | {"name": "Eve"}, without.seats[1]]
    assert verify(without, without.commitment, None)
    [left] = not_checked(without, None)
    assert "names" in left
    assert "--early" in left
    assert not_checked(without, then) == []


def test_promises_that_were_changed_or_dropped_are_found_out(record, early):
    early.chance = {"commitments": [PROMISED[0], None, PROMISED[2]]}
    with pytest.raises(RecordError, match="NOT as shown: the commitments of the players"):
        verify(record, None, early)
    early.chance = None
    with pytest.raises(RecordError, match="NOT as shown: the commitments of the players"):
        verify(record, None, early)


def test_a_record_that_hides_the_numbers_is_found_out(record):
    record.chance = None
    with pytest.raises(RecordError, match="NOT as promised"):
        verify(record, commitment_of(SECRET), None)


@pytest.mark.parametrize(
    "chance",
    [
        [],
        {"more": 1},
        {"commitments": None},
        {"commitments": ["a" * 64] * 2},
        {"commitments": ["a" * 63] * 3},
        {"commitments": [None] * 3, "secret": SECRET},
        {"commitments": [None] * 3, "numbers": [None] * 3},
        {"commitments": [None] * 3, "numbers": [None] * 3, "secret": None},
        {"commitments": [None] * 3, "numbers": [None] * 2, "secret": SECRET},
        {"commitments": [None] * 3, "numbers": [1, None, None], "secret": SECRET},
        {"commitments": [None] * 3, "numbers": [None] * 3, "secret": SECRET[1:]},
        {"commitments": [None] * 3, "numbers": [None] * 3, "secret": SECRET + "\n"},
    ],
)
def test_a_record_with_malformed_chance_is_refused(record, chance):
    fields = json.loads(record.to_json()) | {"chance": chance}
    with pytest.raises(RecordError, match="not a game record: chance must"):
        Record.from_json(json.dumps(fields))


def test_the_command_checks_ones_own_number(record, tmp_path):
    (tmp_path / "game.json").write_text(record.to_json())
    done = branchline("verify", tmp_path / "game.json", "--commitment", record.commitment, "--number", NUMBERS[0])
    assert "your number was used, as that of Ann" in done.stdout
    failed = branchline("verify", tmp_path / "game.json", "--commitment", record.commitment, "--number", "0" * 32)
    assert (failed.returncode, "your number was not used" in failed.stderr) == (1, True)
