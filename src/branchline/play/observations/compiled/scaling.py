"""From the numbers of an observation to the row that a network reads: normalised, if a mean and a scale are given."""

import numpy as np

from branchline.compiling import rule


@rule
def normalised(number, mean, factor):
    return (number - mean) * factor


@rule
def finish_row(row, size, means, factors):
    """Normalise a row in place if there are means, and fill it with zeros after the last number."""
    for place in range(means.shape[0]):
        row[place] = normalised(row[place], means[place], factors[place])
    for place in range(size, row.shape[0]):
        row[place] = np.float32(0)


@rule
def as_bfloat16(bits):
    """The bits of a float32 rounded to those of a bfloat16, its upper half: to the nearest, and in the middle to the even one."""
    return np.uint16((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16)
