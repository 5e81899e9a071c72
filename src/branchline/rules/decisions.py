"""The decision table: one number for everything a player can decide.

The table of a board is a row of blocks, each as long as the board needs it (no stations: an empty block). Where blocks
start is board data (`board.starts`); the order of blocks never changes, so a decision's number is fixed for a board.
"""

import numpy as np

from branchline.compiling import inlined
from branchline.rules.bits import put

CLAIM = 0  # claim route r
BUILD = 1  # build a station or a harbour in city c
KEEP = 2  # keep the offered ticket t
RETURN = 3  # return the offered ticket t
PAY = 4  # pay a card of kind k
DRAW = 5  # draw the top card of deck d
TAKE = 6  # take the face-up card in space i
DRAW_TICKETS = 7
ABANDON = 8  # take back the cards laid for a tunnel
PASS = 9
FILL = 10  # fill the empty face-up space from deck d
SUPPLY = 11  # begin with the n-th number of trains that can be chosen
EXCHANGE = 12  # get trains for 1 to n ships; then, ships for 1 to n trains
PLACE = 13  # place a card of kind k in the yard
COMPLETE = 14  # complete ticket t with cards of the track pile
DONE = 15  # that is all: of the cards placed, of the tickets completed, of the cards that move to the track


@inlined
def allow(board, mask, block, what):
    put(mask, np.int64(board.starts[block] + what))
