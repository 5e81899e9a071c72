"""`branchline verify`: was the game shuffled as promised before it began?

A server shows the SHA-256 of its secret when a table opens and the secret when the game is over. Nobody can find another secret with the same hash,
so it was fixed before the first decision. If the players gave numbers of their own, the seed is made of the secret and of them (`chance.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from branchline.errors import RecordError, UsageError
from branchline.play.chance import COMMITMENT, NUMBER, commitment_of, dealing_seed
from branchline.play.events import for_people, redact
from branchline.play.records import Record

NOTHING_PROMISED = (
    "there is nothing to verify against: give the commitment that was shown when the game began (--commitment), "
    "or a record downloaded while it was played (--early)"
)


class NothingPromised(RecordError, UsageError):
    """Neither a commitment nor an early record was given."""


def verify(record: Record, promised: str | None, early: Record | None, number: str | None = None) -> list[str]:
    """Check a finished record against what was promised. Returns what was confirmed, in words; raises RecordError at the first mismatch."""
    if promised is None and early is None:
        raise NothingPromised(NOTHING_PROMISED)
    if promised is None and early is not None and early.commitment is None:
        raise RecordError(NOTHING_PROMISED)
    state = record.replay()
    if not state.is_over or record.seed is None or (record.chance is not None and "secret" not in record.chance):
        raise RecordError("the game is not over: it can be verified once its seed is shown")
    found = [f"the {len(record.decisions or [])} decisions and {len(record.events)} events follow from the seed by the rules"]
    found += check_promises(record, promised, early)
    if record.chance is not None:
        found += check_chance(record)
    if number is not None:
        found.append(check_number(record, number.lower()))
    if early is not None:
        check_early(record, early)
        found.append("the names, and who was a person and who a bot, are those of the early record")
        found.append(f"the {len(early.events)} events of the early record are the first of this game")
    return found


def not_checked(record: Record, early: Record | None) -> list[str]:
    """What a successful `verify` could not check, and how it can be checked. Only players' numbers make the names a part of the seed."""
    if early is not None or record.chance is not None:
        return []
    return [
        "the names, and who was a person and who a bot, were not checked, because nobody promised a number for the shuffle: "
        "give a record downloaded while the game was played (--early)"
    ]


def check_promises(record: Record, promised: str | None, early: Record | None) -> Iterator[str]:
    """The server's secret, which is the seed if the players had no part in it, has the hash that was promised."""
    secret, what = (record.seed, "seed") if record.chance is None else (record.chance["secret"], "secret")
    promises = {"the one you gave": promised, "the one in the record": record.commitment, "the one in the early record": early and early.commitment}
    for whose, one in ((whose, one.lower()) for whose, one in promises.items() if one):
        if not re.fullmatch(COMMITMENT, one):
            raise RecordError(f"a commitment is 64 hexadecimal digits; {whose} is not")
        if commitment_of(secret or "") != one:
            raise RecordError(f"NOT as promised: the {what} {secret} has the SHA-256 {commitment_of(secret or '')}, but {whose} is {one}")
        yield f"the {what}'s SHA-256 is {whose}"


def check_chance(record: Record) -> Iterator[str]:
    """Every number is the one that its seat promised, and all of them, with the secret and the names, make the seed."""
    assert record.chance is not None
    numbers = record.chance["numbers"]
    for seat, commitment, number in zip(record.seats, record.chance["commitments"], numbers, strict=True):
        if number is None and commitment is not None:
            yield f"no number of {seat['name']} was used, although it was promised: it did not come in time"
        elif number is not None and commitment != commitment_of(number):
            raise RecordError(f"NOT as promised: the number of {seat['name']} has the SHA-256 {commitment_of(number)}, not {commitment}")
        elif number is not None:
            yield f"the number of {seat['name']} is the one that was promised"
    seed = dealing_seed(record.chance["secret"], record.seats, numbers)
    if seed != record.seed:
        raise RecordError(f"NOT as promised: the secret, the numbers and the names make the seed {seed}, but the cards were dealt with {record.seed}")
    yield "the secret, the numbers and the names of all seats make the seed"


def check_number(record: Record, number: str) -> str:
    """That one's own number is a part of the seed."""
    if not re.fullmatch(NUMBER, number):
        raise RecordError("a number is 32 hexadecimal digits; the one you gave is not")
    numbers = [] if record.chance is None else record.chance["numbers"]
    if number not in numbers:
        raise RecordError("NOT as promised: your number was not used in the shuffle")
    return f"your number was used, as that of {record.seats[numbers.index(number)]['name']}"


def check_early(record: Record, early: Record) -> None:
    """Check that what a viewer saw during the game is what happened."""
    if (early.game, len(early.seats)) != (record.game, len(record.seats)):
        raise RecordError("the early record is of another game")
    for seat, (now, then) in enumerate(zip(record.seats, early.seats, strict=True)):
        if (now["name"], now["player"]) != (then["name"], then["player"]):
            was = f"{then['name']} ({then['player']})"
            raise RecordError(f"NOT as shown: seat {seat} is {now['name']} ({now['player']}); in the early record it is {was}")
    if promised_in(record) != promised_in(early):
        raise RecordError("NOT as shown: the commitments of the players are not those of the early record")
    for viewer in (*range(len(record.seats)), None):
        shown = [redact(event, viewer) for event in record.events[: len(early.events)]]
        if early.events in (shown, list(map(for_people, shown)), record.events[: len(early.events)]):
            return
    raise RecordError("NOT as shown: the events of the early record are not the first of this game")


def promised_in(record: Record) -> list[str | None] | None:
    return None if record.chance is None else list(record.chance["commitments"])
