"""Branchline: railway-network board games, exact and fast."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"  # the only place: the package's metadata is made from it

if TYPE_CHECKING:
    from branchline.boards import Board, BoardError, available_boards, load_board
    from branchline.errors import BranchlineError, GameOptionError, GameOver, IllegalDecision, NotADecision, RecordError
    from branchline.play.games import Game, State, View
    from branchline.play.records import Record, read_records

# Where everything comes from when it is first used: `import branchline` alone loads neither the rules nor a compiler.
_HOMES = {
    "branchline.boards": ("Board", "BoardError", "available_boards", "load_board"),
    "branchline.errors": ("BranchlineError", "GameOptionError", "GameOver", "IllegalDecision", "NotADecision", "RecordError"),
    "branchline.play.games": ("Game", "State", "View"),
    "branchline.play.records": ("Record", "read_records"),
}
__all__ = [
    "Board",
    "BoardError",
    "BranchlineError",
    "Game",
    "GameOptionError",
    "GameOver",
    "IllegalDecision",
    "NotADecision",
    "Record",
    "RecordError",
    "State",
    "View",
    "__version__",
    "available_boards",
    "load_board",
    "read_records",
]


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            globals()[name] = found = getattr(import_module(home), name)
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
