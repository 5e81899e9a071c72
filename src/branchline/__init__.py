"""Branchline: railway-network board games, exact and fast."""

__version__ = "0.1.0"  # the only place: the package's metadata is made from it

from branchline.boards import Board, BoardError, available_boards, load_board
from branchline.errors import BranchlineError, GameOptionError, GameOver, IllegalDecision, NotADecision, RecordError
from branchline.play.games import Game, State, View
from branchline.play.records import Record, read_records

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
