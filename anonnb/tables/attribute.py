"""Attribute: name, kind and ordered domain of a column, and what follows from them: codes, labels, numbers, levels.

The code of a value is its position in the domain; a missing value has the last code. A column is turned into its
attribute and codes in ``encoding``.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.arrays import first_places
from anonnb.core.errors import Message, advice
from anonnb.core.readonly import frozen
from anonnb.tables.declared_domain import DeclaredDomain
from anonnb.tables.hierarchies.automatic import default_hierarchy
from anonnb.tables.hierarchies.hierarchy import Hierarchy
from anonnb.tables.hierarchies.levels import Levels
from anonnb.tables.labels import MISSING, join_names, text, texts

LARGEST_WHOLE, LARGEST_NUMBER = 2**53, 1e290  # beyond these a double cannot hold whole numbers, or sums of a table


class DefaultHierarchyWarning(UserWarning):
    """A column has no hierarchy of its own and a default one is used."""


@dataclass(frozen=True, eq=False)
class Attribute:
    """Name, kind and ordered domain of a column.

    Parameters
    ----------
    name, kind:
        The name of the column; ``"nominal"``, ``"ordinal"`` or ``"numeric"``.
    domain:
        The values in order; the code of a value is its position.
    missing:
        Whether values are missing: the last code then stands for a missing value.
    categories:
        The dtype of a column that came as a Categorical.
    weight:
        How much its losses count, relative to other columns.
    limit:
        The highest level of its hierarchy that may be published.
    counts:
        Rows of each value, for a default hierarchy.
    declared:
        What the column may hold, if declared without looking at the data.

    Examples
    --------
    >>> from anonnb.tables.encoding import encode
    >>> attribute, codes = encode(pd.Series([30, 25, 30], name="age"))
    >>> attribute.kind, attribute.labels, codes.tolist()
    ('numeric', ['25', '30'], [1, 0, 1])
    >>> attribute.code(30), attribute.decode(np.array([0, 1])).tolist()
    (1, [25, 30])
    >>> wider, place = attribute.extended([27.5])
    >>> wider.labels, place.tolist(), attribute.recode_to(wider).tolist()
    (['25', '27.5', '30'], [0, 2], [0, 2])
    >>> attribute.preferring(weight=3).weight
    3.0
    >>> attribute.check_averages()  # these numbers have averages
    >>> Attribute("sex", "nominal", pd.Index(["f", "m"])).size
    2
    """

    name: str
    kind: str
    domain: pd.Index
    missing: bool = False
    hierarchy: Hierarchy | None = None
    categories: pd.CategoricalDtype | None = None  # of a column that came as a Categorical
    weight: float = 1.0  # how much its losses count, relative to other columns
    limit: int | None = None  # the highest level of its hierarchy that may be published
    counts: np.ndarray | None = field(default=None, repr=False)  # rows of each value, for a default hierarchy
    declared: DeclaredDomain | None = None  # what it may hold, if declared without looking at the data

    def __getstate__(self) -> dict:
        """Return only the fields, so that equal attributes pickle (and hash on disk) alike, whatever is cached."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def size(self) -> int:
        """Number of codes, a missing value included."""
        return len(self.domain) + self.missing

    @property
    def missing_code(self) -> int:
        """The code of a missing value, or -1 when none occurs."""
        return len(self.domain) if self.missing else -1

    @cached_property
    def is_number(self) -> bool:
        """Whether the domain holds numbers (and not, for example, dates)."""
        return pd.api.types.is_numeric_dtype(self.domain.dtype) and not pd.api.types.is_bool_dtype(self.domain.dtype)

    @cached_property
    def numbers(self) -> np.ndarray:
        """A position for every code: the number itself, days for dates, the rank for anything else; NaN if missing."""
        if self.kind == "numeric" and pd.api.types.is_datetime64_any_dtype(self.domain.dtype):
            positions = (self.domain - self.domain[0]) / pd.Timedelta(days=1) if len(self.domain) else []
        elif self.kind == "numeric" and pd.api.types.is_timedelta64_dtype(self.domain.dtype):
            positions = self.domain / pd.Timedelta(days=1)
        elif self.kind == "numeric":
            positions = self.domain.to_numpy(dtype=float)
        else:
            positions = np.arange(len(self.domain))
        return frozen(np.append(np.asarray(positions, dtype=float), [np.nan] * self.missing))

    def numbers_from(self, other: Attribute) -> np.ndarray:
        """Return ``numbers`` for comparison with another attribute: dates are counted from its first date.

        Raises
        ------
        ValueError
            If only one of them has a time zone: nobody knows how far their dates are apart.

        Examples
        --------
        >>> from anonnb import Table
        >>> days = [pd.DataFrame({"day": pd.to_datetime([day])}) for day in ("2020-01-01", "2020-01-11")]
        >>> first, later = [Table(frame).attributes["day"] for frame in days]
        >>> later.numbers.tolist(), later.numbers_from(first).tolist()
        ([0.0], [10.0])
        """
        domains = self.domain, other.domain
        if not all(pd.api.types.is_datetime64_any_dtype(domain.dtype) and len(domain) for domain in domains):
            return self.numbers
        if (self.domain.tz is None) != (other.domain.tz is None):
            raise ValueError(
                f"column {self.name!r} has a time zone in one of two tables that are compared and none in the other; "
                "give it one in both (Series.dt.tz_localize) or in none"
            )
        begin, other_begin = (domain[0].as_unit("us") for domain in domains)  # nanoseconds end in 1677 and 2262
        return self.numbers + (begin - other_begin) / pd.Timedelta(days=1)

    @cached_property
    def difference_scale(self) -> float:
        """Multiply ``numbers`` by it before subtracting them: 1, or less where differences would overflow."""
        known = self.numbers[: len(self.domain)]
        return 0.25 if len(known) and np.abs(known).max() > LARGEST_NUMBER else 1.0

    @cached_property
    def labels(self) -> list[str]:
        """The text of every code."""
        names = texts(self.domain)
        absent = MISSING
        while self.missing and absent in names:  # a value may be called so itself
            absent = f"({absent})"
        return names + [absent] * self.missing

    @cached_property
    def listed_labels(self) -> list[str]:
        """The text of every code as it stands in a list of several: quoted where it would be misread."""
        return [join_names([name]) for name in self.labels]

    @cached_property
    def code_of_label(self) -> dict[str, int]:
        """The code of each label; of the first one where two values have the same text."""
        return {label: code for code, label in reversed(list(enumerate(self.labels)))}

    @cached_property
    def levels(self) -> Levels:
        """The hierarchy as arrays over the codes; a default one, announced by a warning, when none is attached."""
        hierarchy = self.hierarchy
        if hierarchy is None:
            hierarchy, what = default_hierarchy(self, self.counts)
            attach_one = advice("; attach one with ", remedies.hierarchy(self.name))
            warnings.warn(
                Message(f"column {self.name!r} has no hierarchy: using {what}", attach_one),
                DefaultHierarchyWarning,
                stacklevel=2,
            )
        return hierarchy.bind(self)

    @cached_property
    def usable(self) -> Levels:
        """The levels that may be published: those of the hierarchy, up to the limit if there is one."""
        if self.limit is None or self.limit >= self.levels.height:
            return self.levels
        return Levels(self.levels.maps[: self.limit + 1], self.levels.labels[: self.limit + 1])

    def preferring(self, weight: float | None = None, limit: int | None = None) -> Attribute:
        """Return the same attribute with another weight or limit; None keeps the old one."""
        return replace(
            self,
            weight=self.weight if weight is None else _weight(self.name, weight),
            limit=self.limit if limit is None else self._checked_limit(limit),
        )

    def _checked_limit(self, limit: int) -> int:
        if self.hierarchy is None:
            raise ValueError(
                Message(
                    f"limits: column {self.name!r} has no hierarchy, so it has no levels",
                    advice("; attach one with ", remedies.hierarchy(self.name)),
                )
            )
        if isinstance(limit, bool) or not isinstance(limit, int | np.integer) or not 0 <= limit <= self.levels.height:
            raise ValueError(
                f"limits: column {self.name!r} has levels 0 to {self.levels.height}; {limit!r} is none of them"
            )
        return int(limit)

    def code(self, value: object) -> int:
        """Return the code of a value; a missing value (None, NaN) has the last code."""
        if pd.api.types.is_scalar(value) and pd.isna(value):
            if self.missing:
                return self.missing_code
            raise ValueError(f"column {self.name!r} has no missing values")
        try:
            code = self.domain.get_loc(value)
        except (KeyError, TypeError, pd.errors.InvalidIndexError):
            code = None
        if isinstance(code, int | np.integer):  # part of a date finds a slice of dates
            return int(code)
        code = self.code_of_label.get(text(value))
        if code is None or code == self.missing_code:
            raise ValueError(
                f"column {self.name!r} has no value {shorten(text(value))!r}; its values are {preview(self.labels)}"
            )
        return code

    def decode(self, codes: np.ndarray) -> pd.Series:
        """Return the values of an array of codes, in the column's own dtype."""
        codes = np.asarray(codes)
        if self.missing:
            codes = np.where(codes == self.missing_code, -1, codes)
        if self.categories is not None:
            positions = np.append(self.categories.categories.get_indexer(self.domain), -1)
            return pd.Series(pd.Categorical.from_codes(positions[codes], dtype=self.categories), name=self.name)
        values = values_at(self.domain, codes) if self.missing else self.domain.array.take(codes)
        # left alone, pandas would guess a dtype for objects
        return pd.Series(values, name=self.name, dtype=object if self.domain.dtype == object else None)

    def extended(self, values: Iterable) -> tuple[Attribute, np.ndarray]:
        """Return this attribute with more values in its domain, and the new code of each old one.

        Releases need it when they hold values that the table does not, such as means.
        """
        added = pd.Index(pd.unique(pd.Series(list(values))))
        added = added[~added.isin(self.domain)]
        if len(added) == 0:
            return self, np.arange(self.size)
        if self.kind == "numeric":
            domain = self.domain.append(added).sort_values().unique()  # as floats, huge whole numbers may be one
        else:
            domain = self.domain.astype(object).append(added.astype(object))
        wider = replace(self, domain=domain, hierarchy=None, categories=None, limit=None, counts=None)
        recode = np.append(domain.get_indexer(self.domain), [len(domain)] * self.missing).astype(np.int64)
        return wider, recode

    def check_averages(self, *others: remedies.Remedy) -> None:
        """Raise ValueError if means of the numbers would overflow or not differ from the numbers themselves.

        Parameters
        ----------
        others:
            Ways to do without means, for the message.
        """
        numbers = self.numbers[: len(self.domain)]
        if not self.is_number or not len(numbers):
            return
        whole = pd.api.types.is_integer_dtype(self.domain.dtype)
        limit = LARGEST_WHOLE if whole else LARGEST_NUMBER
        largest = int(np.argmax(np.abs(numbers)))
        if abs(numbers[largest]) > limit:
            too_large = f"column {self.name!r} holds {self.labels[largest]}, too large to take means with"
            problem = f"{too_large} (at most {limit:.0e}); rescale the column or leave it out"
            raise ValueError(Message(problem, advice(", or use ", *others)))

    @cached_property
    def as_written(self) -> np.ndarray:
        """For each code the first code that reads alike in a file: a missing value and the empty text read the same."""
        if self.domain.dtype.kind in "iu":  # whole numbers are all written differently, and not as nothing
            return np.arange(self.size)
        texts = np.array([text(value) for value in self.domain] + [""] * self.missing, dtype=object)
        alike, distinct = pd.factorize(texts)
        return first_places(alike, len(distinct))[alike]

    @cached_property
    def blank_code(self) -> int | None:
        """The first code that a file shows as nothing: the missing value or the empty text; None without one."""
        if self.missing:
            return self.missing_code
        if self.domain.dtype.kind in "iufbM" or "" not in self.domain:
            return None
        return int(np.flatnonzero(self.domain == "")[0])

    def recode_to(self, other: Attribute) -> np.ndarray:
        """Return, for each code, the code of the same value in another attribute; -1 if it has no such value."""
        if other is self:
            return np.arange(self.size)
        codes = other.domain.get_indexer(self.domain)
        return np.append(codes, [other.missing_code] * self.missing).astype(np.int64)


def _weight(name: object, weight: float) -> float:
    is_number = isinstance(weight, int | float | np.number) and not isinstance(weight, bool)
    if not is_number or not 0 < weight < np.inf:
        raise ValueError(f"weights: column {name!r} needs a positive number, such as 2, not {weight!r}")
    return float(weight)


def values_at(domain: pd.Index, positions: np.ndarray) -> Any:
    """Return the values at some positions as an array, a missing one for -1; whole numbers stay whole numbers.

    >>> values_at(pd.Index([5, 2**53 + 1]), np.array([1, -1])).tolist()
    [9007199254740993, <NA>]
    """
    if isinstance(domain.dtype, np.dtype) and domain.dtype.kind in "iu":  # NaN would turn them into floats
        domain = domain.astype(str(domain.dtype).replace("i", "I").replace("uI", "UI"))
    return domain.array.take(positions, allow_fill=True)


def shorten(word: object, most: int = 60) -> str:
    """Return a text on one line and not too long, for messages and listings.

    >>> shorten("a very long text", 10)
    'a very lo…'
    """
    line = " ".join(str(word).splitlines())
    return line if len(line) <= most else line[: most - 1] + "…"


def preview(values: Sequence, most: int = 6) -> str:
    """Return the first few values, for messages."""
    joined = ", ".join(shorten(value, 40) for value in list(values)[:most])
    return joined + (f", … ({len(values) - most} more)" if len(values) > most else "")
