"""From the whole numbers of an observation to the row that a network reads: scaled, and normalised if a mean and a scale are given."""

import numpy as np

from branchline.compiling import rule


@rule
def scaled(number, unit):
    """A whole number as the layout scales it: yes and no are 1 and 0, small counts are tenths, large ones hundredths."""
    return np.float32(number) * unit


@rule
def normalised(number, unit, mean, factor):
    return (scaled(number, unit) - mean) * factor


@rule
def scale_part(part, units):
    for place in range(part.shape[0]):
        part[place] = scaled(part[place], units[place])


@rule
def scale_row(row, counts, units, means, factors):
    """Scale a row of whole numbers in place, and fill it with zeros after the last. `counts` are the stretches of it that are not yes and no.

    Without means, numbers are only scaled.
    """
    size = units.shape[0]
    if means.shape[0] == 0:
        for stretch in range(counts.shape[0]):
            first, after = counts[stretch, 0], counts[stretch, 1]
            scale_part(row[first:after], units[first:after])
    else:
        part = row[:size]
        for place in range(size):
            part[place] = normalised(part[place], units[place], means[place], factors[place])
    for place in range(size, row.shape[0]):
        row[place] = np.float32(0)


@rule
def as_bfloat16(bits):
    """The bits of a float32 rounded to those of a bfloat16, its upper half: to the nearest, and in the middle to the even one."""
    return np.uint16((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16)
