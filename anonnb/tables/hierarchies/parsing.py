"""Hierarchies as people write them: ``intervals 5 10 20``, ``mask 5``, ``month year decade``, a CSV file, nested lists.

Idea: one parser for the command line, the project file and Python, so that the same text means the same everywhere.
Reading chosen: a word that names an existing file means that file, whatever else it could mean.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NoReturn

import numpy as np
import pandas as pd

from anonnb.core.wording import pluralize
from anonnb.files.reading import read_rows
from anonnb.tables.hierarchies.hierarchy import Hierarchy
from anonnb.tables.labels import (
    DATE_STEPS,
    HIERARCHY_ROOT,
    MASK_CHARACTER,
    Capped,
    Intervals,
    Mask,
    Rare,
    is_missing_word,
    join_names,
    text,
)

FORMS = (
    "intervals 5 10 20",
    "top 90000 bottom 10000",
    "mask 5",
    "prefix 3 1",
    "month year decade",
    "rare 20 100",
    "suppress",
)
LONG_CODE = 100  # characters: a mask may be longer than the values of this table, but not without end
_KEYWORDS = ("intervals", "from", "top", "bottom", "mask", "step", "prefix", "rare", "dates", "suppress")

Written = Hierarchy | str | Mapping | list | tuple


def parse_hierarchy(
    written: Written,
    column: pd.Series,
    *,
    folder: str | os.PathLike = "",
    counts: np.ndarray | None = None,
) -> Hierarchy:
    """Return the hierarchy that a text or a nested collection describes.

    Parameters
    ----------
    written:
        A text, one of :data:`FORMS`, nested lists in JSON or the name of a CSV file with one column per level (a header
        line or none); a nested dict of labels, or nested lists of values, whose groups are then named by their values.
        A Hierarchy is taken as it is.
    column:
        The values, on whose number of rows, length or texts the hierarchy may depend; messages use its name.
    folder:
        Where relative names of files begin.
    counts:
        How many rows have each value of ``column``, where it lists distinct values only.

    >>> ages = pd.Series([23, 37, 41], name="age")
    >>> parse_hierarchy("intervals 10 20", ages).generalize(37, 1)
    '[30,40)'
    >>> parse_hierarchy("top 40", ages).generalize(41, 1)
    '>=40'
    >>> cities = pd.Series(["Bonn", "Ulm", "Kiel"], name="city")
    >>> parse_hierarchy({"south": ["Ulm"], "north": ["Bonn", "Kiel"]}, cities).generalize("Ulm", 1)
    'south'
    >>> parse_hierarchy([["Bonn", "Kiel"], ["Ulm"]], cities).generalize("Bonn", 1)
    'Bonn or Kiel'
    """
    if isinstance(written, Hierarchy):
        return written
    if isinstance(written, Mapping | list | tuple):
        return _nested(written, column.name)
    if not isinstance(written, str):
        raise TypeError(
            f"column {column.name!r}: a hierarchy is a text, a nested list or a Hierarchy, not {type(written).__name__}"
        )
    if written.strip() and os.path.exists(Path(folder, written.strip())):
        return _from_file(Path(folder, written.strip()), column)
    if written.lstrip()[:1] in ("{", "["):
        return _nested(_read_nested(written, column.name), column.name)
    runs = _runs(written)
    if runs is None:
        _refuse(written, column.name)
    try:
        return _BUILDERS[next(iter(runs))](runs, column, counts)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"column {column.name!r}: the hierarchy {written!r}: {error}") from None


def _refuse(written: str, name: object) -> NoReturn:
    looks_like_a_file = bool(Path(written).suffix) and " " not in written.strip()
    if looks_like_a_file:
        raise ValueError(f"column {name!r}: there is no hierarchy file {written!r}; check its name")
    forms = ", ".join(f"'{form}'" for form in FORMS)
    raise ValueError(f"column {name!r}: {written!r} is no hierarchy; write it like {forms}, or name a CSV file")


def _runs(written: str) -> dict[str, list[str]] | None:
    """Return the words after each keyword; None if the text does not begin with one, or uses one twice.

    >>> _runs("intervals 5, 10 from 18")
    {'intervals': ['5', '10'], 'from': ['18']}
    >>> _runs("month year")
    {'dates': ['month', 'year']}
    """
    words = written.replace(",", " ").split()
    if words and words[0] in DATE_STEPS:
        words = ["dates", *words]
    if not words or words[0] not in _KEYWORDS:
        return None
    runs: dict[str, list[str]] = {}
    for word in words:
        if word in runs:
            return None
        if word in _KEYWORDS:
            runs[word] = last = []
        else:
            last.append(word)
    return runs


def _allow(runs: dict, *keywords: str) -> None:
    strange = [word for word in runs if word not in keywords]
    if strange:
        raise ValueError(f"{strange[0]!r} does not go with {next(iter(runs))!r}; leave it out")


def _numbers(runs: dict[str, list[str]], keyword: str, limit: int | None = None) -> list[float]:
    """Return the numbers after a keyword: at least one, whole ones as such."""
    words = runs[keyword]
    if not words or (limit is not None and len(words) > limit):
        wanted = "one number" if limit == 1 else "one or more numbers"
        raise ValueError(f"{keyword!r} wants {wanted}, such as {keyword} {'5' if limit == 1 else '5 10'}")
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        numbers = [math.nan]
    if not all(map(math.isfinite, numbers)):
        raise ValueError(f"{' '.join(words)!r} after {keyword!r} is not a list of numbers")
    return [int(number) if number.is_integer() else number for number in numbers]


def _whole(runs: dict[str, list[str]], keyword: str, limit: int | None = None) -> list[int]:
    numbers = _numbers(runs, keyword, limit)
    wrong = [number for number in numbers if not isinstance(number, int) or number < 1]
    if wrong:
        raise ValueError(f"{wrong[0]} after {keyword!r} is no whole number of at least 1")
    return [int(number) for number in numbers]


def _amounts(runs: dict[str, list[str]], column: pd.Series, counts: object) -> Hierarchy:
    """Build ``intervals`` with ``from``, ``top`` and ``bottom``; each except ``from`` may stand alone."""
    _allow(runs, "intervals", "from", "top", "bottom")
    widths = _numbers(runs, "intervals") if "intervals" in runs else []
    if "from" in runs and not widths:
        raise ValueError("'from' says where intervals begin; add them, such as intervals 5 10")
    start = _numbers(runs, "from", 1)[0] if "from" in runs else 0
    plain = Hierarchy.intervals(*widths, start=start) if widths else Hierarchy.flat()  # checks the widths
    top, bottom = (_numbers(runs, end, 1)[0] if end in runs else None for end in ("top", "bottom"))
    if top is None and bottom is None:
        return plain
    if top is not None and bottom is not None and bottom >= top:
        raise ValueError(f"bottom {bottom} is not below top {top}")
    inner = Intervals(widths, start, top=False) if widths else None
    return Hierarchy(Capped(bottom, top, inner), max(1, len(widths)) + 1)


def _mask(runs: dict[str, list[str]], column: pd.Series, counts: object) -> Hierarchy:
    """Build ``mask 5``: one more hidden character on each level; ``mask`` alone takes the longest value."""
    _allow(runs, "mask", "step")
    limit = longest(column)
    length = _whole(runs, "mask", 1)[0] if runs.get("mask") else limit
    if length > max(limit, LONG_CODE):
        raise ValueError(f"no value has more than {pluralize(limit, 'character')}; write mask {limit}")
    return Hierarchy.mask(length, steps=_whole(runs, "step", 1)[0] if "step" in runs else 1)


def _prefix(runs: dict[str, list[str]], column: pd.Series, counts: object) -> Hierarchy:
    """Build ``prefix 3 1``: keep three characters, then one, then none."""
    _allow(runs, "prefix")
    return prefixes(_whole(runs, "prefix"), longest(column))


def prefixes(kept: list[int], length: int) -> Hierarchy:
    """Build a hierarchy for codes of up to ``length`` characters that keeps fewer and fewer from the left.

    >>> prefixes([3, 1], 5).generalize("J45.0", 1)
    'J45**'
    """
    if kept != sorted(set(kept), reverse=True):
        raise ValueError("each level keeps fewer characters than the one before it, as in prefix 3 1")
    if kept[0] >= length:
        most = pluralize(kept[0], "character")
        raise ValueError(f"no value has more than {most}, so nothing would be hidden; keep fewer")
    hidden = [length - count for count in [*kept, 0]]
    return Hierarchy(Mask(length, hidden, MASK_CHARACTER), len(hidden))


def longest(column: pd.Series) -> int:
    """Return the length of the longest value as a text."""
    return max((len(text(value)) for value in column.dropna().unique()), default=1)


def _dates(runs: dict[str, list[str]], column: pd.Series, counts: object) -> Hierarchy:
    _allow(runs, "dates")
    return Hierarchy.dates(*runs["dates"])


def _rare(runs: dict[str, list[str]], column: pd.Series, counts: np.ndarray | None) -> Hierarchy:
    _allow(runs, "rare")
    return rare(_whole(runs, "rare"), column, counts)


def rare(limits: list[int], column: pd.Series, counts: np.ndarray | None = None) -> Hierarchy:
    """Build a hierarchy that merges values with fewer rows than each level's limit; at the top, all values.

    >>> rare([2], pd.Series(["a", "a", "b"])).generalize("b", 1)
    'rare (<2 rows)'
    """
    if limits != sorted(set(limits)) or limits[0] < 2:
        raise ValueError("each limit is above the one before it, and the first is 2 or more, as in rare 20 100")
    if counts is None:
        value_counts = column.value_counts()
        rows = {text(value): int(number) for value, number in value_counts.items()}
    else:
        rows = {text(value): int(number) for value, number in zip(column, counts, strict=False) if not pd.isna(value)}
    return Hierarchy(Rare(rows, limits), len(limits) + 1)


def _suppress(runs: dict[str, list[str]], column: pd.Series, counts: object) -> Hierarchy:
    _allow(runs, "suppress")
    if runs["suppress"]:
        raise ValueError("'suppress' stands alone")
    return Hierarchy.flat()


_BUILDERS = {
    "intervals": _amounts,
    "top": _amounts,
    "bottom": _amounts,
    "from": _amounts,
    "mask": _mask,
    "step": _mask,
    "prefix": _prefix,
    "dates": _dates,
    "rare": _rare,
    "suppress": _suppress,
}


def _from_file(path: Path, column: pd.Series) -> Hierarchy:
    """Read a CSV file, one column per level; line 1 is a header unless it begins with a value of the column."""
    rows = [[cell.strip() for cell in row] for row in read_rows(path)]
    values = {text(value) for value in column.dropna().unique()}
    return Hierarchy.from_rows(rows[1:] if _is_header(rows, values) else rows, source=path.name)


def _is_header(rows: list[list[str]], values: set[str]) -> bool:
    first = rows[0]
    if first[0] in values:
        return False
    # a line for the missing value ends in a label that other lines end in too; the names of levels do not
    return not (is_missing_word(first[0]) and first[-1] in {row[-1] for row in rows[1:]})


def _read_nested(written: str, name: object) -> Mapping | list:
    """Read nested lists that are written in JSON."""
    try:
        return json.loads(written)
    except (ValueError, RecursionError) as error:
        example = '{"south": ["Ulm"], "north": ["Bonn", "Kiel"]}'
        raise ValueError(f"column {name!r}: the hierarchy {written!r}: {error}; write it like {example}") from None


def _nested(written: Mapping | list | tuple, name: object) -> Hierarchy:
    rows = list(_rows(written, [HIERARCHY_ROOT]))
    height = max((len(row) for row in rows), default=0)
    # a branch with fewer levels than others keeps its lowest label on the way
    even = [[row[0], *([row[1]] * (height - len(row))), *row[1:]] for row in rows]
    return Hierarchy.from_rows(even, source=f"the hierarchy of column {name!r}")


def _rows(node: object, above: list[str]) -> Iterator[list]:
    if isinstance(node, Mapping):
        for label, below in node.items():
            yield from _rows(below, [text(label), *above])
    elif isinstance(node, list | tuple):
        for part in node:
            group = isinstance(part, list | tuple)
            yield from _rows(part, [_group_name(part), *above] if group else above)
    else:
        yield [node, *above]


def _group_name(node: list | tuple) -> str:
    """Name a group without a name after its values."""
    return join_names([text(row[0]) for row in _rows(node, [])])
