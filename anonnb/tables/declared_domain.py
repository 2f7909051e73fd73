"""A declared domain: the values that a column may hold, or the edges of the intervals in which its numbers lie.

Idea: what is known about a column before anybody looks at the data, for example from a questionnaire. Reading: a list
means values of a nominal or ordinal column and edges of a numeric one; ``range(18, 91)``, or the text "18..90", its
whole numbers one by one; ``None`` in a list allows for missing values.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from anonnb.tables.labels import text


@dataclass(frozen=True)
class DeclaredDomain:
    """What a column may hold: listed ``values``, or intervals between ``edges`` (the last one holds its upper edge).

    >>> declared("sex", ["female", "male", None], "nominal", pd.Index(["male"]))
    DeclaredDomain(values=('female', 'male'), edges=(), missing=True)
    >>> declared("age", [0, 18, 65, 120], "numeric", pd.Index([44])).edges
    (0, 18, 65, 120)
    """

    values: tuple = ()
    edges: tuple = ()
    missing: bool = False

    def outside(self, domain: pd.Index) -> Any:
        """Return the first value of a column that was not declared; None if all were."""
        strays = ~domain.isin(list(self.values))
        if self.edges:
            strays = (domain < self.edges[0]) | (domain > self.edges[-1])
        return domain[int(np.argmax(strays))] if np.any(strays) else None


def declared(name: object, given: object, kind: str, domain: pd.Index) -> DeclaredDomain:
    """Return the domain declared for a column of this kind, which must hold the values that occur.

    Missing values are not checked: an order does not mention them.
    """
    ends = re.fullmatch(r"\s*(-?\d+)\s*\.\.\s*(-?\d+)\s*", given) if isinstance(given, str) else None
    given = range(int(ends[1]), int(ends[2]) + 1) if ends else given
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise TypeError(
            f"domains: column {name!r} needs a list of values, or of edges for numbers, not {type(given).__name__}"
        )
    result = _read(name, list(given), numbers=kind == "numeric", listed=isinstance(given, range))
    if result.edges and not pd.api.types.is_numeric_dtype(domain.dtype):
        raise ValueError(f"domains: column {name!r} holds dates, which have no edges here; use numbers such as years")
    stray = result.outside(domain)
    if stray is not None:
        raise ValueError(
            f"domains: column {name!r} holds {text(stray)[:60]!r}, which its domain lacks; add it, or correct the value"
        )
    return result


def _read(name: object, items: list, *, numbers: bool, listed: bool) -> DeclaredDomain:
    known = [item for item in items if not (pd.api.types.is_scalar(item) and pd.isna(item))]
    missing = len(known) < len(items)
    if numbers and not listed:
        return DeclaredDomain(edges=_edges(name, known), missing=missing)
    if not known:
        raise ValueError(f"domains: column {name!r} has no value; list those that it may hold")
    doubled = pd.Index(known, dtype=object).duplicated()
    if doubled.any():
        raise ValueError(f"domains: column {name!r} has the value {text(known[int(np.argmax(doubled))])!r} twice")
    return DeclaredDomain(tuple(known), missing=missing)


def _edges(name: object, items: list) -> tuple:
    numbers = all(isinstance(item, Real) and not isinstance(item, bool) and math.isfinite(item) for item in items)
    if not numbers or len(items) < 2 or any(low >= high for low, high in itertools.pairwise(items)):
        raise ValueError(
            f"domains: column {name!r} holds numbers and needs the edges of its intervals, two or more rising ones "
            "such as 0, 18, 65, 120; make it nominal to list values"
        )
    return tuple(items)
