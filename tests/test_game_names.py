"""Nothing above the boards knows a game by name: a board switches things on by its data, so a new board needs no code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from branchline import available_boards, load_board
from branchline.boards.presentation import presentation_of

ROOT = Path(__file__).parents[1]
PACKAGE, PAGE = ROOT / "src/branchline", ROOT / "web/src"
# the boards themselves; every word that people read, by language; the page as built
EXCEPTED = {PACKAGE / "boards": "names its own", PACKAGE / "words": "the texts of games", PACKAGE / "client": "built from web/src"}
KINDS = {".py", ".ts", ".svelte", ".css", ".js", ".html"}
ORDINARY = {"world"}  # words that also mean something else: only a capital or quotes make them the game's
EXAMPLE = re.compile(r'\b(?:Game|Batch|load_board)\("[a-z-]+"')  # in a docstring: how something is called


def patterns() -> Iterator[str]:
    for game in available_boards():
        name = load_board(game).name.removeprefix("The ")
        if game in ORDINARY:
            yield rf"['\"`.]{game}['\"`]"
            yield rf"\b[Tt]he {name}\b"
        else:
            yield rf"(?i:\b(?:{game}|{game.replace('-', '_')}|{name})\b)"


NAMED = re.compile("|".join(patterns()))
RULE_ID = re.compile(rf"['\"`](?:{'|'.join(str(presentation_of(game).rule_ids) for game in available_boards())})-\d+['\"`]")


def sources(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.suffix in KINDS and not any(parent in EXCEPTED for parent in path.parents))


def without_examples(text: str) -> str:
    """A Python file without the calls that its docstrings show."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (docstring := ast.get_docstring(node, clean=False)):
            text = text.replace(docstring, EXAMPLE.sub("", docstring))
    return text


def found(path: Path, pattern: re.Pattern[str]) -> list[str]:
    text = path.read_text(encoding="utf-8")
    lines = (without_examples(text) if path.suffix == ".py" else text).splitlines()
    return [f"{path.relative_to(ROOT)}: {line.strip()[:120]}" for line in lines if pattern.search(line)]


@pytest.mark.parametrize("folder", [PACKAGE, PAGE, ROOT / "web/index.html"], ids=["package", "page", "index"])
def test_no_game_is_named_above_the_boards(folder: Path) -> None:
    paths = sources(folder) if folder.is_dir() else [folder]
    assert [line for path in paths for line in found(path, NAMED)] == []


def test_the_page_shows_no_rule_by_its_id() -> None:
    """The board says which rules belong to a kind of route: `rules` in its page.toml."""
    assert [line for path in sources(PAGE) for line in found(path, RULE_ID)] == []


@pytest.mark.parametrize("line", ["game === 'london'", 'game == "world"', "wild.london", "// as in the World", "const card_game = 1", "`game.world`"])
def test_a_name_would_be_found(line: str) -> None:
    assert NAMED.search(line)


@pytest.mark.parametrize("line", ["supposed_world(boards)", "# the same worlds for all", "a world that agrees with the view", "a card of the game"])
def test_other_words_are_not_taken_for_names(line: str) -> None:
    assert not NAMED.search(line)
