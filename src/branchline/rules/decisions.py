"""The decision table: one number for everything a player can decide.

The table of a board is a row of blocks, each as long as the board needs it (no stations: an empty block). Where blocks
start is board data (`board.starts`); the order of blocks never changes, so a decision's number is fixed for a board.
"""

import numpy as np

from branchline.modes import inlined, rule
from branchline.rules.bits import put

CLAIM = 0  # claim route r
BUILD = 1  # build a station in city c
KEEP = 2  # keep the offered ticket t
RETURN = 3  # return the offered ticket t
PAY = 4  # pay a card of kind k
DRAW = 5  # draw the top card of deck d
TAKE = 6  # take the face-up card in space i
DRAW_TICKETS = 7
ABANDON = 8  # take back the cards laid for a tunnel
PASS = 9


@rule
def block_of(board, decision):
    block = 0
    while decision >= board.starts[block + 1]:
        block += 1
    return block


@inlined
def allow(board, mask, block, what):
    put(mask, np.int64(board.starts[block] + what))
