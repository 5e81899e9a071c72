"""Boards: a folder of data each, and the loader that reads and checks them."""

from branchline.boards.folders import available_boards
from branchline.boards.loader import check_known, load_board
from branchline.boards.model import Board, BoardError

__all__ = ["Board", "BoardError", "available_boards", "check_known", "load_board"]
