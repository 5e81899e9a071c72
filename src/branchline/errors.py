"""What can go wrong when somebody plays: each error says what to do about it."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import SequenceMatcher, get_close_matches
from pathlib import Path

TIE = 0.05  # names that are almost as close as the closest are suggested too (1: the same, 0: nothing in common)
LONGEST = 80  # letters that are compared
CLONE = Path(__file__).parents[2]  # where pyproject.toml is, unless this was installed from a wheel


class BranchlineError(ValueError):
    """Any error that a user of Branchline can cause."""


class UsageError(BranchlineError):
    """Something asked for does not exist or does not fit together. Commands exit with 2 instead of 1."""


class MissingPackage(BranchlineError):
    """A part of Branchline needs a package that is not installed."""


@contextmanager
def from_extra(extra: str, what: str) -> Iterator[None]:
    """Import what needs an extra. If it is not installed, say what to type."""
    try:
        yield
    except ModuleNotFoundError as missing:
        package = str(missing.name).partition(".")[0]
        if package == "branchline":
            raise
        raise MissingPackage(missing_package(what, package, extra)) from None


def missing_package(what: str, package: str, extra: str) -> str:
    return f"{what} needs the package {package}, which is not installed: {how_to_install(extra)}"


def how_to_install(extra: str) -> str:
    """What to type."""
    if (CLONE / "pyproject.toml").is_file():
        return f"{sys.executable} -m pip install --editable '{CLONE}[{extra}]'"
    wanted = f"'branchline[{extra}]'"
    return f"pip install {wanted}, or with uv: uvx --from {wanted} branchline …"


class NotADecision(BranchlineError):
    """The game has no such decision at all."""


class IllegalDecision(BranchlineError):
    """The decision exists, but is not allowed now."""


class GameOver(IllegalDecision):
    """The game is over: there is nothing left to decide."""


class GameOptionError(UsageError):
    """A game cannot be played like this: an unknown game, a wrong number of players, an invalid seed."""


class RecordError(BranchlineError):
    """A game record cannot be read, or does not agree with the rules."""


def did_you_mean(wanted: str, known: Iterable[str], most: int = 1) -> str:
    """The end of an error message about an unknown name: `; did you mean 'greedy'?`, or nothing if no known name is close."""
    return suggestion(close_names(wanted, list(known), most))


def suggestion(near: list[str]) -> str:
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""


def close_names(wanted: str, known: list[str], most: int) -> list[str]:
    """The known names closest to the wanted one, best first, without those that are clearly further away than the best."""
    wanted, scores = wanted[:LONGEST], dict[str, float]()
    for form in (plain, in_any_order):
        forms = {form(name): name for name in known}
        for near in get_close_matches(form(wanted), forms, most):
            scores[forms[near]] = max(likeness(near, form(wanted)), scores.get(forms[near], 0))
    ranked = sorted(scores, key=lambda name: (-scores[name], name))
    return [name for name in ranked if scores[name] >= scores[ranked[0]] - TIE][:most]


def likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other).ratio()


def plain(name: str) -> str:
    """In lower case and without accents: `Athína` becomes `athina`."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def in_any_order(name: str) -> str:
    """With its words sorted: `wien-berlin` becomes `berlin wien`."""
    return " ".join(sorted(plain(name).replace("-", " ").split()))
