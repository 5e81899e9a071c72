"""The available languages: every folder beside this file that has a `language.json`."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
ENGLISH = "en"
SET_BY = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")  # the order in which gettext looks, too


@dataclass(frozen=True)
class Language:
    """What `language.json` says. Where a language is not complete, English fills the gaps."""

    code: str
    name: str  # in the language itself
    short: str  # for a narrow screen
    complete: bool
    alphabets: tuple[str, ...]  # those of the page's typeface that it is written in

    def __str__(self) -> str:
        return f"{self.code} ({self.name}{'' if self.complete else ', partly translated'})"


@cache
def languages() -> dict[str, Language]:
    """All languages by code, complete ones first."""
    found = [read_language(path) for path in HERE.glob("*/language.json")]
    return {one.code: one for one in sorted(found, key=lambda one: (not one.complete, one.code))}


def read_language(path: Path) -> Language:
    facts = json.loads(path.read_text(encoding="utf-8"))
    return Language(path.parent.name, facts["name"], facts["short"], facts["complete"], tuple(facts["alphabets"]))


def systems_language(environment: Mapping[str, str] = os.environ) -> str:
    """The first language of the system's settings that we speak completely: `pl` for `LANG=pl_PL.UTF-8`; English otherwise."""
    for name in SET_BY:
        for wanted in environment.get(name, "").split(":"):
            code = wanted.replace("-", "_").split(".")[0].split("_")[0].lower()
            if code in ("c", "posix"):
                return ENGLISH
            if code in languages() and languages()[code].complete:
                return code
    return ENGLISH
