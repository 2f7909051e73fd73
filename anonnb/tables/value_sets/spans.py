"""How neighboring values are written as one interval: ``[26.2–31]`` for numbers, ``(0,39]`` for joined intervals.

The ends of an interval of numbers with many decimals are rounded outward, but only so far that no other value of the
column gets in. So the text reads back as the same values, and shows nobody's own number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from itertools import pairwise

from anonnb.tables.attribute import Attribute

EN_DASH = "\u2013"
MAX_DECIMALS = 3  # that people write
TOLERANCE = 100  # an end moves by one in so many parts of the column's range at most
_WIDE = Context(prec=400)
_NUMBER = r"[-+]?\d+(?:\.\d+)?"
_INTERVAL = re.compile(
    rf"([\[(]?\s*(?P<low>{_NUMBER}))(\s*(?:,|;|-|\u2013|\u2014|\.\.|\sto\s)\s*)((?P<high>{_NUMBER})\s*[\])]?)"
    rf"|((?P<end>{_NUMBER}))(\s*\+)()"
)
Piece = tuple[str, str, str]  # the text before the separator, the separator, the text after it


def number_ends(attribute: Attribute, lo: int, hi: int) -> tuple[str, str]:
    """Return the ends of the codes ``lo..hi`` of a column of numbers as people write them.

    >>> import pandas as pd
    >>> from anonnb import Table
    >>> table = Table(pd.DataFrame({"age": [26.2778918548939, 30.5735797399042, 31, 78.4394250513347]}))
    >>> number_ends(table.attributes["age"], 0, 1), number_ends(table.attributes["age"], 1, 3)
    (('26', '30.6'), ('30.5', '78.5'))
    """
    numbers, last = attribute.numbers, len(attribute.domain) - 1
    slack = (numbers[last] - numbers[0]) / TOLERANCE
    low = _rounded(attribute.labels[lo], ROUND_FLOOR, numbers[lo - 1] if lo else -float("inf"), slack)
    high = _rounded(attribute.labels[hi], ROUND_CEILING, numbers[hi + 1] if hi < last else float("inf"), slack)
    return low, high


def _rounded(label: str, direction: str, neighbor: float, slack: float) -> str:
    """Return a number with as few decimals as keep it within the slack and on its side of the neighbor."""
    exact = Decimal(label)
    exponent = exact.as_tuple().exponent
    decimals = -exponent if isinstance(exponent, int) else 0
    if decimals <= MAX_DECIMALS:
        return label
    for kept in range(decimals):
        short = exact.quantize(Decimal(1).scaleb(-kept), rounding=direction, context=_WIDE)
        inside = float(short) > neighbor if direction == ROUND_FLOOR else float(short) < neighbor
        if inside and abs(float(short - exact)) <= slack:
            return f"{short + 0:f}"
    return label


def value_pieces(attribute: Attribute) -> list[Piece] | None:
    """Take the values of an ordinal column apart if they are intervals, such as ``(0,15]``."""
    return interval_pieces(attribute.labels[: len(attribute.domain)]) if attribute.kind == "ordinal" else None


def interval_pieces(names: Sequence[str]) -> list[Piece] | None:
    """Take values that are intervals apart, so that neighbors can be joined; None if they do not ascend.

    >>> interval_pieces(["(0,15]", "(15,29]", "29+"])
    [('(0', ',', '15]'), ('(15', ',', '29]'), ('29', '+', '')]
    """
    matches = [_INTERVAL.fullmatch(name) for name in names]
    starts = [float(match["low"] or match["end"]) for match in matches if match]
    ends = [float(match["high"] or "inf") for match in matches if match]
    ascending = all(a < b for each in (starts, ends) for a, b in pairwise(each))
    if len(starts) < len(names) or not ascending:
        return None
    return [_piece(match) for match in matches if match]


def _piece(match: re.Match[str]) -> Piece:
    return (match[1], match[3], match[4]) if match["low"] else (match[6], match[8], match[9])


def joined(pieces: Sequence[Piece], lo: int, hi: int) -> str | None:
    """Return the interval from one value to another; None if they are written differently.

    >>> joined([("(0", ",", "15]"), ("(15", ",", "29]"), ("(29", ",", "39]")], 0, 2)
    '(0,39]'
    """
    (head, first, _), (_, separator, tail) = pieces[lo], pieces[hi]
    return f"{head}{separator}{tail}" if first == separator or not tail else None


def read_joined(word: str, pieces: Sequence[Piece]) -> tuple[int, int] | None:
    """Return the first and the last value of a joined interval; None if it is none.

    >>> read_joined("(0,39]", [("(0", ",", "15]"), ("(15", ",", "29]"), ("(29", ",", "39]")])
    (0, 2)
    """
    match = _INTERVAL.fullmatch(word.strip())
    if match is None:
        return None
    head, separator, tail = _piece(match)
    heads = {piece[0]: code for code, piece in enumerate(pieces)}
    tails = {piece[1:]: code for code, piece in enumerate(pieces)}
    lo, hi = heads.get(head), tails.get((separator, tail))
    return None if lo is None or hi is None or lo > hi else (lo, hi)
