"""Boards from outside: a made-up one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from branchline.boards import folders
from tests.boards.test_made_up_board import far_isles

ENGLISH = """
name = "The Isles"
line = "Six islands, and storms between them"
summary = ["A small game."]
[[sections]]
id = "setup"
title = "Before the game"
[[sections.rules]]
id = "FI-1"
text = "Everyone has 12 trains."
"""


@contextmanager
def only(*named: Path) -> Iterator[None]:
    """Meanwhile these are the boards from outside, besides those that come with Branchline, and afterwards none is."""
    nowhere()
    try:
        if named:
            folders.use_folders([str(one) for one in named])
        yield
    finally:
        nowhere()


def nowhere() -> None:
    os.environ.pop(folders.VARIABLE, None)
    folders._copies.clear()
    folders.forget_boards()


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    """No board from outside is known, before and after each test of a module that imports this."""
    with only():
        yield


def write_board(folder: Path, changes: dict[str, str | None] | None = None) -> Path:
    """The files of the Far Isles; `changes` replaces some, or leaves out those that are None."""
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in (far_isles() | (changes or {})).items():
        path = folder / file
        path.parent.mkdir(exist_ok=True)
        if text is not None:
            path.write_text(text, encoding="utf-8")
    return folder
