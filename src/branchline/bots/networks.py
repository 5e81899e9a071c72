"""Networks in files: the weights of `learned` on each board, and of who tells chances.

A file (`learned.net` or `chances.net` in a board's folder) is a line of JSON, which says what the network was made for, and the arrays that compiled
code reads (`compiled/network.py`). It is mapped into memory, so opening it costs nothing, and processes share it. What it was made for is a
fingerprint of the observations, the decisions and the rules: with other ones it would play nonsense, so it does not play at all.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from branchline.boards import Board, BoardError, load_board
from branchline.boards.folders import board_folder, is_available, kept_per_board
from branchline.bots.compiled.network import ARRAYS, SIZES, TABLE
from branchline.errors import UsageError
from branchline.play.observations.layout import OBSERVATION_VERSION, fields_of

LEARNED, CHANCES = "learned.net", "chances.net"  # what a board's folder has: to play, and to tell chances
VARIABLE = "BRANCHLINE_NETWORK"  # a file to play with instead, for the board it was made for
WHO = {LEARNED: "the bot 'learned' has", CHANCES: "who tells chances has"}
FORMAT = 1
NEEDED = {"game", "fingerprint", "players"}  # in the first line
ALIGNED = 64
KINDS = dict(zip(ARRAYS, (np.int32, np.int8, np.int32, np.int8, np.int64, np.int64, np.int8, np.int64, np.int64), strict=True))
Array = np.ndarray[Any, Any]


class NetworkError(UsageError):
    """There is no network for this game, or the file does not fit it."""


@dataclass(frozen=True)
class Network:
    """A network in memory, and where compiled code finds it."""

    header: dict[str, Any]
    memory: Array
    address: int

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of seats that it has learned."""
        return tuple(self.header["players"])


@kept_per_board
def fingerprint_of(game: str) -> str:
    """Sixteen hex digits that change with what a network sees, what it decides about, and the rules."""
    return fingerprint(load_board(game))


def fingerprint(board: Board) -> str:
    layout = [(field.name, field.offset, field.shape, field.scale) for field in fields_of(board).values()]
    named = [[one.id for one in things] for things in (board.cities, board.routes, board.cards, board.tickets)]
    told = [OBSERVATION_VERSION, board.rules_version, layout, named, board.record.starts.tolist()]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def write_network(path: Path, header: dict[str, Any], sizes: dict[str, int], arrays: dict[str, Array]) -> None:
    """Write a network's file."""
    table, parts, at = np.zeros(TABLE, np.int64), list[bytes](), 8 * TABLE
    for place, name in enumerate(SIZES):
        table[place] = sizes[name]
    for place, name in enumerate(ARRAYS):
        part = np.ascontiguousarray(arrays[name], KINDS[name]).tobytes()
        table[len(SIZES) + place] = at
        parts.append(part + bytes(-len(part) % ALIGNED))
        at += len(parts[-1])
    line = json.dumps({"format": FORMAT, **header}).encode()
    line += b" " * (-(len(line) + 1) % ALIGNED) + b"\n"
    path.write_bytes(line + table.tobytes() + b"".join(parts))


def read_network(path: Path) -> Network:
    """Map a network's file into memory."""
    try:
        memory = np.memmap(path, np.uint8, "r")
    except (OSError, ValueError) as error:
        raise NetworkError(f"the network {path} cannot be read: {error}") from None
    end = bytes(memory[:4096]).find(b"\n") + 1
    try:
        header = json.loads(bytes(memory[:end]))
    except ValueError:
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT or end % ALIGNED or not header.keys() >= NEEDED:
        raise NetworkError(f"{path} is not a network of this version of Branchline; export it again with `branchline train --export`")
    if not is_whole_file(memory[end:]):
        raise NetworkError(f"the network {path} is incomplete: copy it again, or export it again with `branchline train --export`")
    return Network(header, memory, int(memory.ctypes.data) + end)


def is_whole_file(memory: Array) -> bool:
    """Do the arrays that the table names end where the file ends? Compiled code reads them without looking."""
    if len(memory) < 8 * TABLE:
        return False
    at = np.frombuffer(memory[: 8 * TABLE].tobytes(), np.int64)[len(SIZES) :]
    return at[0] == 8 * TABLE and bool((np.diff(at) > 0).all()) and 2 * at[-1] - at[-2] == len(memory)  # the last two are equally long


def checked(network: Network, game: str, now: str, path: Any) -> Network:
    """The network, if it fits the board with this fingerprint."""
    if network.header["game"] != game:
        raise NetworkError(f"the network {path} plays {network.header['game']}, not {game}")
    if network.header["fingerprint"] != now:
        raise NetworkError(
            f"the network {path} was trained for other rules, decisions or observations of {game} "
            f"({network.header['fingerprint']}, now {now}): train it again with `branchline train {game}`"
        )
    return network


def check_network(folder: Path, board: Board, name: str) -> None:
    """Raise a BoardError if a board's folder has a network that nobody could play with."""
    if not (folder / name).is_file():
        return
    try:
        checked(read_network(folder / name), board.game, fingerprint(board), name)
    except NetworkError as error:
        raise BoardError(f"{folder.name}/{name}", f"{str(error).replace(str(folder / name), name)}; or remove the file") from None


@cache
def opened(path: Path) -> Network:
    return read_network(path)


def network_for(game: str, players: int | None = None, name: str = LEARNED) -> Network:
    """The network for a board and a number of seats. Raises an error if there is none."""
    path, who = file_for(game, name), WHO[name]
    if path is None:
        raise NetworkError(f"{who} no network for {game}: `branchline train {game}` makes one")
    network = checked(opened(path), game, fingerprint_of(game), path)
    if players is not None and players not in network.players:
        learned = ", ".join(map(str, network.players))
        raise NetworkError(f"{who} learned {game} with {learned} players, not with {players}")
    return network


OWN: list[Path] = []


@contextmanager
def using(path: Path) -> Iterator[None]:
    """Whoever is made meanwhile plays with another file, for the board it was made for."""
    OWN.append(path)
    try:
        yield
    finally:
        OWN.remove(path)


def own_files() -> list[Path]:
    named = os.environ.get(VARIABLE)
    return [*reversed(OWN), *([Path(named)] if named else [])]


def file_for(game: str, name: str = LEARNED) -> Path | None:
    """A file of your own, if there is one for this board, or the one in the board's folder."""
    for own in own_files() if name == LEARNED else []:
        if opened(own).header.get("game") == game:
            return own
    path = Path(str(board_folder(game) / name)) if is_available(game) else None
    return path if path and path.is_file() else None


def address_for(game: str) -> int:
    """Where compiled code finds the network of a board; 0 if there is none that fits."""
    try:
        return network_for(game).address
    except NetworkError:
        return 0


def has_network(game: str, players: int) -> bool:
    """Is there a network for a board and a number of seats?"""
    try:
        network_for(game, players)
    except NetworkError:
        return False
    return True


def check_networks(bots: Any, game: str, players: int) -> None:
    """Raise an error if a bot among these needs a network that is not there."""
    if "learned" in bots:
        network_for(game, players)
