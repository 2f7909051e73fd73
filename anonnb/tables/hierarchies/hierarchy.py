"""Generalization hierarchies (Samarati 2001; Ciriani et al. 2008, section 2).

A hierarchy maps every value to a label per level; level 0 is the value itself and each level refines the next.
Bound to an attribute it becomes integer arrays: for each level, the label number of every code of the domain.
"""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import pandas as pd

from anonnb.files.reading import read_rows
from anonnb.tables.hierarchies.levels import Domain, Levels, check_refinement, check_rows, leaf_order
from anonnb.tables.labels import (
    DATE_STEPS,
    HIERARCHY_ROOT,
    MASK_CHARACTER,
    Dates,
    Everything,
    Intervals,
    Listed,
    Mask,
    is_missing_word,
    telling_steps,
    text,
)


class Hierarchy:
    """Labels of every value, one per level.

    Make one with :meth:`from_csv`, :meth:`from_dict`, :meth:`from_nested`, :meth:`intervals`, :meth:`mask`,
    :meth:`dates` or :meth:`flat`; attach it with ``Table(..., hierarchies={"age": hierarchy})``.

    Parameters
    ----------
    label:
        A function from a value to its labels on levels 1 to ``height``; None for a value that is not covered.
    height:
        The number of levels above the values.
    values:
        The values in the order of the leaves, if they are listed.

    Examples
    --------
    >>> h = Hierarchy.from_dict({"married": ["been_married", "any"], "single": ["never_married", "any"]})
    >>> h.height, h.generalize("single", 1)
    (2, 'never_married')
    """

    def __init__(self, label: Callable[[object], Sequence[str] | None], height: int, values: Sequence | None = None):

        self._label = label
        self.height = height
        self.values = None if values is None else list(values)

    def __repr__(self) -> str:
        covered = "any value" if self.values is None else f"{len(self.values)} values"
        return f"Hierarchy({covered}, height {self.height})"

    @property
    def root(self) -> str | None:
        """The label above every value that the hierarchy knows, in the column or not; None where it has several tops.

        >>> Hierarchy.from_dict({"France": "Europe", "Japan": "Asia"}).root
        >>> Hierarchy.from_dict({"France": ["Europe", "any"], "Japan": ["Asia", "any"]}).root
        'any'
        """
        if self.values is None:  # without a list of values only a star is known to stand above all
            return HIERARCHY_ROOT
        tops = {labels[-1] for labels in map(self._label, self.values) if labels}
        return tops.pop() if len(tops) == 1 else None

    def generalize(self, value: object, level: int) -> str:
        """Return the label of a value on a level."""
        if not 0 <= level <= self.height:
            raise ValueError(f"level {level} does not exist; this hierarchy has levels 0 to {self.height}")
        labels = self._label(value)
        if labels is None:
            raise ValueError(f"the hierarchy does not cover the value {text(value)!r}; add a line for it")
        return text(value) if level == 0 else labels[level - 1]

    # ---- ways to make one -------------------------------------------------------------------------------------

    @classmethod
    def from_rows(cls, rows: Iterable[Sequence[object]], source: str = "the hierarchy") -> Hierarchy:
        """Make a hierarchy from rows of labels.

        Parameters
        ----------
        rows:
            Rows of (value, label of level 1, …, label of the top level).

        Raises
        ------
        ValueError
            If rows are missing or differ in length, a label is empty, or a level does not refine the next.

        Examples
        --------
        >>> Hierarchy.from_rows([("Ulm", "south", "*"), ("Kiel", "north", "*")]).generalize("Ulm", 1)
        'south'
        """
        rows = [list(row) for row in rows]
        check_rows(rows, source)
        labels: dict[str, list[str]] = {}
        for row in rows:
            labels.setdefault(text(row[0]), [text(label) for label in row[1:]])
        return cls(Listed(labels), len(rows[0]) - 1, leaf_order(rows))

    @classmethod
    def from_csv(cls, path: str | os.PathLike, *, header: bool = True, sep: str | None = None) -> Hierarchy:
        r"""Make a hierarchy from a file with one column per level, the values first.

        Parameters
        ----------
        sep:
            The delimiter; guessed by default.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "city.csv")
        ...     _ = path.write_text("city,region,all\nUlm,south,*\nKiel,north,*\n")
        ...     Hierarchy.from_csv(path).generalize("Kiel", 1)
        'north'
        """
        rows = read_rows(path, sep)
        return cls.from_rows(rows[1:] if header else rows, source=os.path.basename(path))

    @classmethod
    def from_dict(cls, labels: Mapping[object, Sequence[object] | object]) -> Hierarchy:
        """Make a hierarchy from a list of labels for each value.

        Parameters
        ----------
        labels:
            ``{value: [label of level 1, …]}``; a single label needs no list.
        """
        rows = [
            [value, *(parents if isinstance(parents, list | tuple) else [parents])] for value, parents in labels.items()
        ]
        return cls.from_rows(rows)

    @classmethod
    def from_nested(cls, tree: Mapping[str, Mapping | Iterable], root: str = HIERARCHY_ROOT) -> Hierarchy:
        """Make a hierarchy from a nested dict of labels whose innermost collections hold the values.

        Parameters
        ----------
        tree:
            The labels, from the top down.

        Examples
        --------
        >>> h = Hierarchy.from_nested({"Europe": {"North": ["SE", "NO"], "South": ["IT"]}, "Asia": {"East": ["JP"]}})
        >>> [h.generalize("IT", level) for level in range(4)]
        ['IT', 'South', 'Europe', '*']
        """

        def walk(node: Mapping | Iterable, above: list[str]) -> Iterator[list]:
            if isinstance(node, Mapping):
                for label, below in node.items():
                    yield from walk(below, [str(label), *above])
            else:
                for value in [node] if isinstance(node, str) else node:
                    yield [value, *above]

        return cls.from_rows(walk(tree, [root]), source="the nested hierarchy")

    @classmethod
    def intervals(cls, *widths: float, start: float = 0, top: bool = True) -> Hierarchy:
        """Make a hierarchy of half-open intervals ``[a,b)`` for numbers.

        Parameters
        ----------
        widths:
            The width on each level, each a multiple of the one before it.
        start:
            Where an interval begins.
        top:
            Whether ``*`` is the last level.

        Raises
        ------
        ValueError
            If a width is not positive, or not a multiple of the one before it.

        Examples
        --------
        >>> Hierarchy.intervals(5, 10, start=0).generalize(37, 1)
        '[35,40)'
        """
        if not widths or not all(0 < width < math.inf for width in widths):
            raise ValueError("give one or more positive interval widths, such as Hierarchy.intervals(5, 10, 20)")
        for narrow, wide in itertools.pairwise(widths):
            ratio = wide / narrow
            if round(ratio) < 1 or not math.isclose(ratio, round(ratio), rel_tol=1e-9):
                raise ValueError(f"interval width {wide:g} is not a multiple of {narrow:g}; levels would not be nested")
        return cls(Intervals(widths, start, top), len(widths) + top)

    @classmethod
    def mask(cls, length: int, *, steps: int = 1, char: str = MASK_CHARACTER) -> Hierarchy:
        """Make a hierarchy for codes such as ZIP codes that hides more characters from the right on each level.

        Places count from the left, so a shorter code has less to hide; a number gets its leading zeros back.

        Parameters
        ----------
        steps:
            How many more characters are hidden on each level.

        Examples
        --------
        >>> zips = Hierarchy.mask(5, steps=2)
        >>> zips.generalize("41058", 1), zips.generalize("4105", 1), zips.generalize(1234, 1)
        ('410**', '410**', '012**')
        """
        if length < 1 or steps < 1:
            raise ValueError("a prefix mask needs length and steps of at least 1")
        hidden = [min(level * steps, length) for level in range(1, math.ceil(length / steps) + 1)]
        return cls(Mask(length, hidden, char), len(hidden))

    @classmethod
    def dates(cls, *steps: str) -> Hierarchy:
        """Make a hierarchy of periods of dates.

        Parameters
        ----------
        steps:
            Some of hour, day, month, quarter, year and decade, each longer than the last; by default month, year and
            decade.

        Raises
        ------
        ValueError
            If a step is unknown, or not longer than the last.

        Examples
        --------
        >>> Hierarchy.dates("month", "year").generalize("2020-03-17", 1)
        '2020-03'
        """
        steps = steps or ("month", "year", "decade")
        positions = [DATE_STEPS.index(step) if step in DATE_STEPS else -1 for step in steps]
        if -1 in positions or positions != sorted(set(positions)):
            raise ValueError(f"steps of a date hierarchy are some of {', '.join(DATE_STEPS)}, each wider than the last")
        return cls(Dates(steps), len(steps) + 1)

    @classmethod
    def flat(cls) -> Hierarchy:
        """Make a hierarchy of one step, from every value to ``*``: keep or suppress."""
        return cls(Everything(), 1)

    @classmethod
    def default(cls, attribute: Domain) -> Hierarchy:
        """Return the hierarchy that numbers and dates have if none is given.

        Doubling intervals for numbers; hour, day, month, year and decade for dates, as far as they differ in the
        column; for anything else, keep or suppress (but see :mod:`anonnb.tables.hierarchies.automatic`).

        >>> from anonnb import Table
        >>> Hierarchy.default(Table(pd.DataFrame({"age": range(20, 90)})).attributes["age"])
        Hierarchy(any value, height 5)
        """
        if pd.api.types.is_datetime64_any_dtype(attribute.domain.dtype):
            steps = telling_steps(pd.DatetimeIndex(attribute.domain))
            return cls.dates(*steps) if steps else cls.flat()
        if attribute.kind != "numeric" or len(attribute.domain) < 3 or not attribute.is_number:
            return cls.flat()
        low, high = float(attribute.numbers[0]), float(attribute.numbers[len(attribute.domain) - 1])
        if not 1e-200 < high - low < 1e200:  # beyond what widths of doubles can tell apart
            return cls.flat()
        base = 10.0 ** math.floor(math.log10((high - low) / 10)) * 5
        if pd.api.types.is_integer_dtype(attribute.domain.dtype):
            base = max(base, 2.0)  # an interval of one whole number generalizes nothing
        widths = [base * 2**step for step in range(12) if base * 2**step < high - low] or [base]
        return cls.intervals(*widths, start=math.floor(low / widths[-1]) * widths[-1])

    # ---- bound to an attribute --------------------------------------------------------------------------------

    def bind(self, attribute: Domain) -> Levels:
        """Return the hierarchy as arrays over an attribute's codes.

        >>> from anonnb import Table
        >>> Hierarchy.intervals(10).bind(Table(pd.DataFrame({"age": [23, 27, 31]})).attributes["age"]).labels
        [['23', '27', '31'], ['[20,30)', '[30,40)'], ['*']]
        """
        rows = []
        for value, name in zip(attribute.domain, attribute.labels, strict=False):  # a missing value has a label only
            labels = self._label(value)
            if labels is None:
                remedy = "add a line for it" if self.values is not None else "choose another hierarchy"
                raise ValueError(
                    f"column {attribute.name!r}: the hierarchy does not cover the value {text(value)!r}; "
                    f"{remedy} or correct the value"
                )
            rows.append([name, *labels])
        check_refinement(rows, f"column {attribute.name!r}")
        if attribute.missing:
            rows.append([attribute.labels[-1], *self._labels_of_missing(attribute, {row[-1] for row in rows})])
        return Levels.of(rows, self.height)

    def _labels_of_missing(self, attribute: Domain, tops: set[str]) -> Sequence[str]:
        """Return the labels listed for a missing value; without any, it stays separate up to a root."""
        values = set(map(text, attribute.domain))
        for word in self.values or ():
            labels = self._label(word) if is_missing_word(word) and word not in values else None
            if labels is not None:
                return labels
        absent, root = attribute.labels[-1], self.root
        # a top that is not a root says where a value lies, which is unknown for a missing one
        return [absent] * (self.height - 1) + [absent if root is None or tops != {root} else root]
