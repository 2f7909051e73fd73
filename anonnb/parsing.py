"""Reading cells of a table that somebody else anonymized: values, intervals, sets, hierarchy labels, ``*``.

Each distinct text is read once. A value of the domain wins over every other reading, then a hierarchy label, then
``*``, then an interval, then a set; a number that the table does not have (a mean, say) widens the domain.
"""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from anonnb.hierarchy import MISSING, SUPPRESSED, text
from anonnb.table import Attribute
from anonnb.valuesets import Column, ValueSets

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_RANGE = re.compile(rf"^\s*([\[(]?)\s*({_NUMBER})\s*(?:\.\.|-|–|—|,|;|:|\sto\s)\s*({_NUMBER})\s*([\])]?)\s*$")
_BOUND = re.compile(rf"^\s*(<=|>=|<|>|≤|≥)\s*({_NUMBER})\s*$")
_SET = re.compile(r"\s*\|\s*|\s+or\s+|\s*;\s*")


def parse_column(series: pd.Series, attribute: Attribute) -> Column:
    """The column of value sets that a column of texts stands for.

    Raises ValueError naming the column and the first cell that cannot be read.
    """
    index, cells = pd.factorize(series)
    absent = index < 0
    if absent.any():
        index = np.where(absent, len(cells), index)
    cells = [*cells, *([None] if absent.any() else [])]
    attribute = _widened(cells, attribute)
    masks = np.array([_mask(cell, attribute) for cell in cells], dtype=bool).reshape(len(cells), attribute.size)
    labels = [MISSING if cell is None else text(cell) for cell in cells]
    return Column(ValueSets.from_masks(attribute, masks, labels), index)


def _widened(cells: list, attribute: Attribute) -> Attribute:
    """Numbers that the table lacks join the domain, and so does a missing value."""
    if any(cell is None for cell in cells) and not attribute.missing:
        attribute = Attribute(attribute.name, attribute.kind, attribute.domain, True, attribute.hierarchy)
    if attribute.kind != "numeric" or not attribute.is_number:
        return attribute
    known, fresh = set(attribute.labels) | _level_labels(attribute), []
    for cell in cells:
        if cell is None or text(cell) in known or text(cell).strip() == SUPPRESSED:
            continue
        number = _number(cell)
        if number is not None:
            fresh.append(number)
            continue
        bounds = _bounds(text(cell))
        if bounds is not None and not _between(attribute, *bounds).any():
            fresh.append((bounds[0] + bounds[2]) / 2)  # an interval between two values of the table
    hierarchy = attribute.hierarchy
    wider, _ = attribute.extended(fresh)
    if wider is attribute or hierarchy is None or hierarchy.values is not None:
        return wider
    return Attribute(wider.name, wider.kind, wider.domain, wider.missing, hierarchy)


def _mask(cell: object, attribute: Attribute) -> np.ndarray:
    mask = np.zeros(attribute.size, dtype=bool)
    if cell is None:
        mask[attribute.missing_code] = True
        return mask
    word = text(cell)
    if word in attribute.labels:
        mask[attribute.labels.index(word)] = True
        return mask
    if word.strip() == SUPPRESSED:
        return ~mask
    found = _level_mask(word, attribute)
    if found is None and attribute.is_number:
        number = _number(cell)
        bounds = _bounds(word)
        if number is not None:
            found = attribute.numbers == number
        elif bounds is not None:
            found = _between(attribute, *bounds)
    if found is None:
        found = _ordinal_range(word, attribute)
    if found is None:
        found = _set_mask(word, attribute)
    if found is None or not found.any():
        raise ValueError(
            f"column {attribute.name!r}: the cell {word!r} is no value, interval, set, hierarchy label or '*' "
            "of that column; correct it or attach the hierarchy it comes from"
        )
    return found


def _level_labels(attribute: Attribute) -> set[str]:
    return set() if attribute.hierarchy is None else {name for names in attribute.levels.labels for name in names}


def _level_mask(word: str, attribute: Attribute) -> np.ndarray | None:
    if attribute.hierarchy is None:
        return None
    levels = attribute.levels
    for level in range(1, levels.height + 1):
        if word in levels.labels[level]:
            return levels.maps[level] == levels.labels[level].index(word)
    return None


def _number(cell: object) -> float | None:
    try:
        return float(cell)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None


def _bounds(word: str) -> tuple[float, bool, float, bool] | None:
    """Low end, whether it belongs, high end, whether it belongs."""
    one_sided = _BOUND.match(word)
    if one_sided:
        sign, end = one_sided[1], float(one_sided[2])
        closed = sign in ("<=", ">=", "≤", "≥")
        return (-np.inf, True, end, closed) if sign[0] in "<≤" else (end, closed, np.inf, True)
    both = _RANGE.match(word)
    if both is None or float(both[2]) > float(both[3]):
        return None
    return float(both[2]), both[1] != "(", float(both[3]), both[4] != ")"


def _between(attribute: Attribute, low: float, with_low: bool, high: float, with_high: bool) -> np.ndarray:
    numbers = attribute.numbers
    above = numbers >= low if with_low else numbers > low
    return above & (numbers <= high if with_high else numbers < high)


def _ordinal_range(word: str, attribute: Attribute) -> np.ndarray | None:
    """``[low–high]`` as our own labels write it, for ordered values that are not numbers."""
    if attribute.kind == "nominal" or not (word.startswith("[") and word.endswith("]")):
        return None
    names = attribute.labels
    for dash in ("–", "-"):
        parts = word[1:-1].split(dash)
        for cut in range(1, len(parts)):
            low, high = dash.join(parts[:cut]).strip(), dash.join(parts[cut:]).strip()
            if low in names and high in names and names.index(low) <= names.index(high):
                codes = np.arange(attribute.size)
                return (codes >= names.index(low)) & (codes <= names.index(high))
    return None


def _set_mask(word: str, attribute: Attribute) -> np.ndarray | None:
    inner = word.strip()
    if inner.startswith("{") and inner.endswith("}"):
        parts = [part.strip() for part in inner[1:-1].split(",")]
    else:
        parts = _SET.split(inner)
    if len(parts) < 2:
        return None
    mask = np.zeros(attribute.size, dtype=bool)
    for part in parts:
        part = part.strip()
        if part in attribute.labels:
            mask[attribute.labels.index(part)] = True
            continue
        piece = _level_mask(part, attribute)
        if piece is None and attribute.is_number and _bounds(part) is not None:
            piece = _between(attribute, *_bounds(part))
        if piece is None:
            return None
        mask |= piece
    return mask
