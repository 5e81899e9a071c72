"""Every decision: one number for everything a player can decide.

The decision table of a board is a row of blocks, each as long as the board needs it (no stations: an empty block). Where blocks
start is board data (`board.starts`). The order of blocks never changes, so a decision's number is fixed for a board; a new block comes last.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from branchline.compiling import inlined
from branchline.rules.bits import put
from branchline.rules.vocabulary.fields import CARD, CITY, DECK, ROUTE, SPACE, TICKET, FieldType

TRAINS = FieldType("trains")  # how many trains a seat begins with
EXCHANGE_OF_PIECES = FieldType("exchange")  # how many pieces, and for which kind


@dataclass(frozen=True)
class Block:
    verb: str  # the text of a decision begins with it
    of: FieldType | None  # what distinguishes the decisions of the block
    size: Callable[[Any], int]  # how many decisions a board has in it
    meaning: str


BLOCKS: list[Block] = []  # by number


def block(number: int, verb: str, of: FieldType | None, size: Callable[[Any], int], meaning: str) -> int:
    """Declare a block. The rules know it by its number."""
    assert number == len(BLOCKS), f"block {number} is out of order"
    BLOCKS.append(Block(verb, of, size, meaning))
    return number


CLAIM = block(0, "claim", ROUTE, lambda board: board.routes, "claim a route")
BUILD = block(1, "build", CITY, lambda board: board.cities if board.stations or board.harbours else 0, "build a station or a harbour")
KEEP = block(2, "keep", TICKET, lambda board: board.tickets, "keep the offered ticket")
RETURN = block(3, "return", TICKET, lambda board: board.tickets, "return the offered ticket")
PAY = block(4, "pay", CARD, lambda board: board.kinds if board.routes else 0, "pay a card")
DRAW = block(5, "draw", DECK, lambda board: board.decks, "draw the top card of a deck")
TAKE = block(6, "take", SPACE, lambda board: board.row, "take the face-up card in a space")
DRAW_TICKETS = block(7, "tickets", None, lambda _: 1, "draw tickets")
ABANDON = block(8, "abandon", None, lambda board: int(board.tunnel.any()), "take back the cards laid for a tunnel")
PASS = block(9, "pass", None, lambda _: 1, "pass, if there is nothing else to do")
FILL = block(10, "fill", DECK, lambda board: board.decks if board.decks > 1 else 0, "fill the empty face-up space from a deck")
SUPPLY = block(11, "supply", TRAINS, lambda board: board.pieces.sum() - board.supply + 1 if board.supply else 0, "begin with this number of trains")
EXCHANGE = block(
    12, "exchange", EXCHANGE_OF_PIECES, lambda board: 2 * board.pieces[0] if board.exchange_points else 0, "exchange pieces: trains, then ships"
)
PLACE = block(13, "place", CARD, lambda board: board.kinds if board.yards else 0, "place a card in the yard")
COMPLETE = block(14, "complete", TICKET, lambda board: board.tickets if board.yards else 0, "complete a ticket with cards of the track pile")
DONE = block(15, "done", None, lambda board: int(board.yards), "finish placing cards, choosing tickets or moving cards to the track")


@inlined
def allow(board, mask, block, what):
    put(mask, np.int64(board.starts[block] + what))
