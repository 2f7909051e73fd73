"""How a weighted cell is written and read: ``a1 2/3 | a2 1/3``, values with separators in double quotes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from anonnb.tables.attribute import shorten
from anonnb.tables.labels import SUPPRESSED, quoted, text

_PART = re.compile(r'\s*("(?:[^"]|"")*"|[^|"]*?)\s*(?:(?<=[\s"])(\d+/\d+|\d*\.?\d+(?:e-?\d+)?))?\s*(?:\||$)')
_TRICKY = re.compile(r'[|"]|^\s|\s$|^$|^\*$|\s[\d.e/-]+$')


def weight_text(weight: float) -> str:
    """A short fraction if the weight is one, otherwise three digits.

    >>> weight_text(2 / 3), weight_text(0.123456)
    ('2/3', '0.123')
    """
    near = Fraction(weight).limit_denominator(30)
    return str(near) if abs(float(near) - weight) < 1e-9 else f"{weight:.3g}"


def cell_text(labels: Sequence[str], weights: Sequence[float]) -> str:
    """One cell; what the weights leave of 1 is written as unknown.

    >>> cell_text(["a1", "a2"], [2 / 3, 1 / 3]), cell_text(["a1"], [2 / 3]), cell_text(["a1"], [1.0])
    ('a1 2/3 | a2 1/3', 'a1 2/3 | * 1/3', 'a1')
    """
    rest = 1 - float(np.sum(weights))
    if len(labels) == 1 and rest < 1e-9:
        return labels[0]
    names = [quoted(label) if _TRICKY.search(label) else label for label in labels]
    parts = [f"{name} {weight_text(weight)}" for name, weight in zip(names, weights, strict=True)]
    return " | ".join(parts + [f"{SUPPRESSED} {weight_text(rest)}"] * (rest > 1e-9))


def read_cell(cell: object, column: str, known: Mapping[str, int]) -> dict[str, float]:
    """The weight of each value of a cell; nothing for an unknown cell.

    >>> read_cell("a1 1/4 | a2 3/4", "a", {}), read_cell("*", "a", {}), read_cell("x y", "a", {})
    ({'a1': 0.25, 'a2': 0.75}, {}, {'x y': 1.0})
    """
    word = text(cell)
    if word.strip() in ("", SUPPRESSED):
        return {}
    if "|" not in word or word in known:
        return {word: 1.0}
    parts = _parts(word)
    if parts is None:
        raise ValueError(f"column {column!r}: cannot read {shorten(word)!r}; write it like 'a1 2/3 | a2 1/3'")
    weights = [weight for _, weight in parts]
    if all(weight is None for weight in weights):
        weights = [1 / len(parts)] * len(parts)
    elif any(weight is None for weight in weights) or abs(sum(weights) - 1) > 5e-3 or min(weights) <= 0:
        raise ValueError(
            f"column {column!r}: the weights of {shorten(word)!r} must be given for all values, be above 0, sum to 1"
        )
    total = sum(weights)
    values = {value: weight / total for (value, _), weight in zip(parts, weights, strict=True)}
    if len(values) < len(parts):
        raise ValueError(f"column {column!r}: {shorten(word)!r} names a value twice; add up its weights")
    values.pop(None, None)  # the part that is left open
    return values


def _parts(word: str) -> list[tuple[str | None, float | None]] | None:
    """Names (None for an unquoted star) and weights between the bars; None when the text cannot be read."""
    found, place = [], 0
    while place < len(word):
        match = _PART.match(word, place)
        if match is None or match.end() == place or not match[1]:
            return None
        name = match[1][1:-1].replace('""', '"') if match[1].startswith('"') else match[1]
        weight = None if match[2] is None else _number(match[2])
        found.append((None if match[1] == SUPPRESSED else name, weight))
        place = match.end()
    return None if word.rstrip().endswith("|") else found


def _number(word: str) -> float:
    top, _, bottom = word.partition("/")
    return float(top) / float(bottom) if bottom and float(bottom) else 0.0 if bottom else float(top)
