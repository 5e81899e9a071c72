"""Boards: a folder of data each, and the loader that reads and checks them."""

from branchline.boards.folders import available_boards
from branchline.boards.loader import load_board
from branchline.boards.model import Board, BoardError

__all__ = ["Board", "BoardError", "available_boards", "load_board"]
