"""Bits of 64-bit words, for compiled loops; importing it loads numba."""

import numpy as np

from anonnb.core.compiled import inner


@inner
def ones(word):
    """Count the set bits of a 64-bit word."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@inner
def lowest(word):
    """Return the position of the lowest set bit of a 64-bit word that is not zero."""
    return ones(~word & (word - np.uint64(1)))
