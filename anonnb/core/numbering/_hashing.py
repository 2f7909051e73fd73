"""Numbering in one pass over a hash table of fixed size, compiled: of keys, for ``arrays``, and of ``texts``.

A thing is looked for from the place that the upper bits of a product with an odd number give (Knuth's multiplicative
hashing), and from there on. Tables are all -1 at first and have ``2 ** bits`` places.
"""

import numpy as np

from anonnb.core.compiled import compiled

ODD, OTHER_ODD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)


@compiled(makes_arrays=False)
def number_keys(keys, slots, bits, ids):
    """Number keys in order of first appearance, and count the different ones.

    ``slots`` has more places than there are different keys; ``ids`` takes in the number of each key. The different keys
    are left at the beginning of ``keys``, where all have been read by then: every new piece of memory costs time.
    """
    count = 0
    last, shift = np.uint64(len(slots) - 1), np.uint64(64 - bits)
    for row in range(len(keys)):
        key = keys[row]
        slot = (np.uint64(key) * ODD) >> shift
        while True:
            number = slots[slot]
            if number < 0:
                slots[slot] = count
                keys[count] = key
                ids[row] = count
                count += 1
                break
            if keys[number] == key:
                ids[row] = number
                break
            slot = (slot + np.uint64(1)) & last
    return count


@compiled(makes_arrays=False)
def number_texts(words, offsets, absent, slots, bits, first, heads, tails, ids):
    """Number texts in order of first appearance, and count the different ones; -1 when they take half of the slots.

    Text ``row`` is the bytes from ``offsets[row]`` to ``offsets[row + 1]`` of ``words``, 64 bits each, the lowest byte
    first; after the last text there is a word more. Missing texts, where any are, are ``absent`` and get -1. ``first``
    takes in the row where each different text occurs first, ``heads`` and ``tails`` its first and last eight bytes,
    which overlap in a text of less than sixteen: they and the length are all that most texts are compared by. The
    loop is one function without calls, as it takes twice as long otherwise.
    """
    count = 0
    last, shift, half = np.uint64(len(slots) - 1), np.uint64(64 - bits), len(slots) // 2
    one, three, seven, eight = np.uint64(1), np.uint64(3), np.uint64(7), np.uint64(8)
    half_word, top, everything = np.uint64(32), np.uint64(63), ~np.uint64(0)
    for row in range(len(ids)):
        if len(absent) and absent[row]:
            ids[row] = -1
            continue
        start, stop = np.uint64(offsets[row]), np.uint64(offsets[row + 1])
        length = stop - start
        end = start if length < eight else stop - eight
        mask = (one << (length << three)) - one if length < eight else everything
        bit = (start & seven) << three
        head = ((words[start >> three] >> bit) | ((words[(start >> three) + one] << one) << (top - bit))) & mask
        bit = (end & seven) << three
        tail = ((words[end >> three] >> bit) | ((words[(end >> three) + one] << one) << (top - bit))) & mask
        mixed = (head ^ length) * ODD
        mixed = (mixed ^ (mixed >> half_word) ^ tail) * OTHER_ODD
        offset = start + eight
        while offset + eight < stop:
            bit = (offset & seven) << three
            middle = (words[offset >> three] >> bit) | ((words[(offset >> three) + one] << one) << (top - bit))
            mixed = (mixed ^ (mixed >> half_word) ^ middle) * ODD
            offset += eight
        slot = (mixed * ODD) >> shift
        while True:
            number = slots[slot]
            if number < 0:
                if count == half:
                    return -1
                slots[slot] = count
                first[count] = row
                heads[count] = head
                tails[count] = tail
                ids[row] = count
                count += 1
                break
            if heads[number] == head and tails[number] == tail:
                there = np.uint64(offsets[first[number]])
                same = np.uint64(offsets[first[number] + 1]) - there == length
                offset, there = start + eight, there + eight
                while same and offset + eight < stop:
                    bit = (offset & seven) << three
                    middle = (words[offset >> three] >> bit) | ((words[(offset >> three) + one] << one) << (top - bit))
                    bit = (there & seven) << three
                    known = (words[there >> three] >> bit) | ((words[(there >> three) + one] << one) << (top - bit))
                    same = middle == known
                    offset += eight
                    there += eight
                if same:
                    ids[row] = number
                    break
            slot = (slot + one) & last
    return count


@compiled(makes_arrays=False)
def renumber(ids, numbers):
    """Replace each id by its new number; -1 is the last one."""
    for row in range(len(ids)):
        ids[row] = numbers[ids[row]]
