"""A network of whole numbers: what a seat sees, through a few layers, to a score for each decision and a value.

All arithmetic is on integers, so the same view brings the same scores in plain Python, compiled, and on every machine. Weights are int8; the first
layer only adds the rows of numbers that are not 0, which are few. A network is in memory that Python keeps (`bots/networks.py`): `net` is the address
of its table of sizes and places. So is the room to think in, which every thread has for itself. Both addresses are in a bot's memory, after the
planner's weights. Scores are in units of 2 ** -(SCALE_BITS + the table's FRACTION).
"""

import numpy as np

from branchline.bots.compiled.thoughts import WEIGHTS as PLANNERS
from branchline.compiling import kept, lowest, record, rule
from branchline.compiling.vectors import add_times, dot, finder, long_at, word_at
from branchline.play.observations.compiled.observing import observe
from branchline.play.observations.compiled.observing_tickets import find_joined
from branchline.play.observations.compiled.writing import IN_WHOLE
from branchline.rules.bits import EMPTY, drop_lowest, first
from branchline.rules.work import WORK

# the table: sizes, binary places, and where the arrays are, in bytes from the table on
SIZES = ("INPUTS", "WIDTH", "LAYERS", "OUTPUTS", "SEATS", "SHIFT", "FRACTION")
ARRAYS = ("FACTORS", "FIRST", "FIRST_BIAS", "WEIGHTS", "SCALES", "BIASES", "HEAD", "HEAD_SCALES", "HEAD_BIASES")
INPUTS, WIDTH, LAYERS, OUTPUTS, SEATS, SHIFT, FRACTION = range(len(SIZES))
FACTORS, FIRST, FIRST_BIAS, WEIGHTS, SCALES, BIASES, HEAD, HEAD_SCALES, HEAD_BIASES = range(len(SIZES), len(SIZES) + len(ARRAYS))
TABLE = 16
SCALE_BITS = 24  # binary places of the scales
MOST = 32767  # a hidden number
LOWEST = -(1 << 62)
ADDRESS, ROOM_ADDRESS = PLANNERS, PLANNERS + 2  # where both addresses are in a bot's memory

MOST_INPUTS, MOST_WIDTH = 4096, 1024
THINKING = record(
    [
        ("row", np.float32, MOST_INPUTS),  # what is seen, in whole numbers
        ("sums", np.int32, MOST_WIDTH),
        ("hidden", np.int16, MOST_WIDTH),
    ]
)
WORK_AT = THINKING.itemsize  # scratch for looking comes after it
ROOM = WORK_AT + WORK.itemsize  # bytes to think in

room_at, work_at = finder(THINKING), finder(WORK)


@rule
def enter(net, room):
    """The first layer: the sum of the weights of what is seen."""
    width, shift = long_at(net, WIDTH), long_at(net, SHIFT)
    factors, bias, weights = net + long_at(net, FACTORS), net + long_at(net, FIRST_BIAS), net + long_at(net, FIRST)
    for i in range(width):
        room.sums[i] = word_at(bias, i)
    for place in range(long_at(net, INPUTS)):
        if room.row[place] != 0:
            add_times(room.sums, weights + place * width, np.int32(room.row[place]) * word_at(factors, place), width)
    half = np.int64(1) << (shift - 1)
    for i in range(width):
        room.hidden[i] = min(max((np.int64(room.sums[i]) + half) >> shift, 0), MOST)


@rule
def go_through(net, layer, room):
    """A hidden layer: it adds to the numbers that come in."""
    width = long_at(net, WIDTH)
    weights = net + long_at(net, WEIGHTS) + layer * width * width
    scales, biases = net + long_at(net, SCALES) + 8 * layer * width, net + long_at(net, BIASES) + 8 * layer * width
    for i in range(width):
        found = (np.int64(dot(weights + i * width, room.hidden, width)) * long_at(scales, i) + long_at(biases, i)) >> SCALE_BITS
        room.sums[i] = min(max(found, 0), MOST)
    for i in range(width):
        room.hidden[i] = min(np.int64(room.hidden[i]) + room.sums[i], MOST)


@rule
def score(net, room, output):
    width = long_at(net, WIDTH)
    found = np.int64(dot(net + long_at(net, HEAD) + output * width, room.hidden, width))
    return found * long_at(net + long_at(net, HEAD_SCALES), output) + long_at(net + long_at(net, HEAD_BIASES), output)


@rule
def see(net, board, seen, viewer, address):
    """Write down what a seat sees, in the room at an address."""
    room, work = room_at(address), work_at(address + WORK_AT)
    find_joined(board, seen, viewer, work.groups, work.joined)
    observe(board, seen, viewer, work.joined, long_at(net, SEATS), room.row, IN_WHOLE, None)
    return room


@rule
def think(net, room):
    """Think about what was seen: the scores can be asked for then."""
    enter(net, room)
    for layer in range(long_at(net, LAYERS)):
        go_through(net, layer, room)


@rule
def look(net, board, seen, viewer, address):
    room = see(net, board, seen, viewer, address)
    think(net, room)
    return room


@rule
def best(net, room, mask):
    """The legal decision with the highest score; of equal ones, the first."""
    chosen, highest = np.int64(first(mask)), np.int64(LOWEST)
    for place in range(mask.shape[0]):
        word = mask[place]
        while word != EMPTY:
            decision = np.int64(64 * place + lowest(word))
            found = score(net, room, decision)
            if found > highest:
                chosen, highest = decision, found
            word = drop_lowest(word)
    return chosen


@rule
def address_in(thoughts, place):
    """An address in a bot's memory: two words."""
    low, high = np.uint64(np.uint32(thoughts.weights[place])), np.uint64(np.uint32(thoughts.weights[place + 1]))
    return np.int64(high << np.uint64(32) | low)


@kept
def scores_of(net, address, boards, views, out):
    """For Python: the scores of all outputs on the one view of `views`."""
    room = look(net, boards[0], views[0], np.int64(views[0].viewer), address)
    for output in range(out.shape[0]):
        out[output] = score(net, room, output)
