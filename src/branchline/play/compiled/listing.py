"""A set of bits as a list: what Python asks for before every decision."""

import numpy as np

from branchline.compiling import kept, lowest


@kept
def list_members(words, found):
    """For Python: write the numbers in a set, in ascending order, to `found`; return how many there are."""
    size = np.int64(0)
    for word in range(words.shape[0]):
        left = words[word]
        while left != 0:
            found[size] = 64 * word + lowest(left)
            left &= left - np.uint64(1)
            size += 1
    return size
