"""Loads a board: reads its files, checks every fact and every total, and builds the record for the rules."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from branchline.boards.folders import add_board, add_copies, available_boards, board_folder, is_copy, is_packed, is_path, is_shipped, kept_per_board
from branchline.boards.model import Board, BoardError, UnknownBoard
from branchline.errors import UsageError, did_you_mean


class Incomplete(BoardError):
    """All errors have been collected; there is no board to go on with."""


class UnknownVersion(BoardError, UsageError):
    """The board's rules have no such version."""


def load_board(game: str | Path, rules_version: int | None = None) -> Board:
    """The board of a game, by its name or its folder, with the newest version of its rules or an earlier one; each is read once."""
    name = str(game)
    if is_path(name):
        name = add_board(name)
    check_known(name)
    newest = kept_board(name, None)
    return newest if rules_version in (None, newest.rules_version) else kept_board(name, rules_version)


def check_known(name: str) -> None:
    """Raise an error if there is no board of that name. What strangers send goes through here first: they may not name folders."""
    if not is_packed(name) and name not in available_boards():
        there = f"the boards are {', '.join(available_boards())}{did_you_mean(name, available_boards())}"
        raise UnknownBoard(name, f"there is no such board; {there}")


@kept_per_board
def kept_board(game: str, rules_version: int | None) -> Board:
    board = read_board(board_folder(game), rules_version)
    return replace(board, game=game, is_own=True) if is_copy(game) else board


def load_second(game: str) -> Board:
    """A board to compare with another, and maybe a copy of it that still has its name."""
    return load_board(add_copies([game])[0] if is_path(game) else game)


def read_board(folder: Traversable, rules_version: int | None = None) -> Board:
    """Read and check a board from any folder."""
    from branchline.boards.building import build_record  # these import pydantic, which takes a while: only reading a board waits for it
    from branchline.boards.facts import read_facts_of
    from branchline.boards.settings import Settings
    from branchline.boards.tables import checked, has_collected, read_settings, read_text
    from branchline.boards.totals import Source, check_fit, check_sizes, check_supply, check_totals

    label, tables = f"{folder.name}/board.toml", read_settings(folder, "board.toml")
    source = Source(label, read_text(folder, "board.toml"))
    if rules_version is not None:
        tables = as_in_version(label, tables, rules_version)
    settings = checked(Settings, label, tables, source.text)
    facts = read_facts_of(folder, settings)
    check_sizes(source, facts)
    check_fit(source, settings, facts)
    if settings.totals is not None and not has_collected():  # rows with errors are not counted
        check_totals(source, settings.totals, facts)
    if has_collected():
        raise Incomplete(label, "has errors")
    records = build_record(label, settings, facts)
    check_supply(source, settings.players[1], records[0])
    return Board(
        game=settings.game,
        name=settings.name,
        rules_version=settings.rules_version,
        options=tuple(settings.yards.options) if settings.yards else (),
        players=(settings.players[0], settings.players[1]),
        districts=tuple(map(str, settings.districts.points)) if settings.districts else (),
        settings=tables,
        is_own=not is_shipped(settings.game),
        records=records,
        **vars(facts),
    )


def as_in_version(label: str, tables: dict[str, Any], rules_version: int) -> dict[str, Any]:
    """The settings of a version of the rules: the newest ones, with what an earlier version did differently."""
    newest, earlier = tables.get("rules_version"), tables.get("versions", {})
    if rules_version == newest:
        return tables
    if str(rules_version) not in earlier:
        raise UnknownVersion(label, f"there is no version {rules_version} of these rules; the versions are {', '.join([*earlier, str(newest)])}")
    changed = {name: tables.get(name, {}) | table for name, table in earlier[str(rules_version)].items()}
    return tables | changed | {"rules_version": rules_version}
