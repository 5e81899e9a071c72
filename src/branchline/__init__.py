"""Branchline: railway-network board games, exact and fast."""

from typing import TYPE_CHECKING

from branchline.loading import on_first_use

__version__ = "0.2.0"  # the only place: the package's metadata is made from it

if TYPE_CHECKING:
    from branchline.boards import Board, BoardError, available_boards, load_board
    from branchline.errors import BranchlineError, GameOptionError, GameOver, IllegalDecision, NotADecision, RecordError
    from branchline.play.games import Game, State, View
    from branchline.play.records import Record, read_records

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


__getattr__ = on_first_use(globals(), _HOMES)
