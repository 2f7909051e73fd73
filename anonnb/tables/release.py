"""Release: published rows, their value sets and the method that made them; ``publish`` writes what may be published.

The object keeps the link to the original rows for the evaluator. What ``publish`` writes does not: no index, no
identifiers, and rows in an order that follows from their published content alone.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from functools import cached_property, singledispatch
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd

import anonnb
from anonnb.core import remedies
from anonnb.core.arrays import (
    content_order,
    distinct_per_group,
    group_ids,
    grouped_means,
    multiset_ids,
    pairs_of_taken,
)
from anonnb.core.errors import Message, advice
from anonnb.core.readonly import ReadOnly, ReadOnlyDict, frozen
from anonnb.tables import grouped_secrets
from anonnb.tables.descriptions import html_block
from anonnb.tables.encoding import encode
from anonnb.tables.published_cells import fully_hidden, parse_columns
from anonnb.tables.roles import PersonWarning
from anonnb.tables.shown_columns import as_intervals, as_labels, content_rank, shown_frame
from anonnb.tables.table import Table, row_numbers
from anonnb.tables.value_sets import Column
from anonnb.tables.value_sets.column import recoded, set_of_each_code
from anonnb.tables.value_sets.sets import what_sets_say


class Release(ReadOnly):
    """What a method publishes about a table; it cannot be changed, but :meth:`with_columns` gives another one.

    Parameters
    ----------
    table:
        The original table; for a release made elsewhere, a table with the domains and roles.
    columns:
        The columns that changed. Other columns keep the original values of ``rows``; identifiers never enter a release.
    rows:
        The original row behind each published row (None: unknown; then every column must be given).
    method, info:
        The method that made it, and what it found on the way (levels, trace, …).
    withheld:
        How many rows were not published, if ``rows`` does not show it.
    owners:
        Pairs of (published row, original row) where a published row may stand for several people, or a person for
        several rows; by default each published row belongs to its entry in ``rows``.
    secrets:
        A sensitive column that is published per group, in a table of its own; its cells become the groups' values.

    Examples
    --------
    >>> table = Table(pd.DataFrame({"zip": [1, 1, 2]}), quasi=["zip"])
    >>> release = Release.of(table)
    >>> release.groups.tolist(), release.group_sizes.tolist()
    ([0, 0, 1], [2, 1])
    >>> np.shares_memory(release.columns["zip"].index, table.codes("zip"))
    True
    >>> Release(table, {}, np.array([0, 1])).n_suppressed, len(release.take(np.array([2])))
    (1, 1)
    >>> release.published()["zip"].tolist(), release.to_frame().shape, release.content_order(["zip"]).tolist()
    ([1, 1, 2], (3, 1), [0, 1, 2])
    >>> release.recode(table.take(np.array([2, 0]))).frame["zip"].tolist(), release.says("zip")[0].tolist()
    ([2, 1], [0, 0, 1])
    >>> release.replace(info={"levels": (1,)}).info
    {'levels': (1,)}
    >>> release.with_columns(zip=release.columns["zip"].with_suppressed([2])).frame["zip"].tolist()
    ['1', '1', '*']
    """

    instead: ClassVar[str] = "release.with_columns(…) and release.replace(…) give a changed one"
    table: Table
    columns: Mapping[str, Column]
    rows: np.ndarray | None
    method: Any
    info: Mapping[str, Any]
    secrets: grouped_secrets.GroupedSecrets | None
    _withheld: int | None
    _owners: tuple[np.ndarray, np.ndarray] | None

    def __init__(
        self,
        table: Table,
        columns: Mapping[str, Column],
        rows: np.ndarray | None = None,
        *,
        method: object = None,
        info: Mapping[str, Any] | None = None,
        withheld: int | None = None,
        owners: tuple[np.ndarray, np.ndarray] | None = None,
        secrets: grouped_secrets.GroupedSecrets | None = None,
    ):
        rows = None if rows is None else frozen(np.array(rows, dtype=np.int64))  # the caller may change its own array
        if secrets is not None:
            columns = {secrets.column: secrets.cells(table.attributes[secrets.column]), **columns}
        coarse = {table.weight, table.household} & set(columns)  # not published unless cells are given
        hidden = set(table.identifiers) - coarse
        own = [name for name in coarse if name is not None and name not in table.attributes]
        names = [*own, *(name for name in table.columns if name not in hidden)]
        unknown = [name for name in columns if name not in table.attributes and name not in own]
        if unknown:
            raise KeyError(f"the table has no column {unknown[0]!r}; a release describes columns of its table")
        cells: dict[str, Column] = {}
        for name in names:
            if name in columns:
                cells[name] = columns[name]
            elif rows is not None:
                cells[name] = Column.original(table.attributes[name], table.codes(name)[rows])
            else:
                raise ValueError(f"column {name!r} is not given, and without rows= its original values are unknown")
        lengths = {len(column) for column in cells.values()}
        if len(lengths) > 1 or (rows is not None and lengths not in ({len(rows)}, set())):
            raise ValueError("the columns of a release must all have one cell per published row")
        vars(self).update(
            table=table,
            columns=ReadOnlyDict(cells, "the columns of a release", "release.with_columns(…) gives a changed one"),
            rows=rows,
            method=method,
            info=ReadOnlyDict(info or {}, "the info of a release", "release.replace(info=…) gives a changed one"),
            secrets=secrets,
            _withheld=withheld,
            _owners=frozen(owners),
        )

    @classmethod
    def of(cls, table: Table) -> Self:
        """Return the table as it is, every cell a single value; the release shares the codes of the table."""
        hidden = set(table.identifiers)
        visible = {name: attribute for name, attribute in table.attributes.items() if name not in hidden}
        columns = {name: Column.original(attribute, table.codes(name)) for name, attribute in visible.items()}
        return cls(table, columns, np.arange(len(table)))

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        like: Table,
        *,
        rows: np.ndarray | None = None,
        hidden: str = "suppressed",
        secrets: pd.DataFrame | None = None,
    ) -> Self:
        """Read a table anonymized elsewhere, so that it can be attacked and measured.

        Cells may be values, intervals (``[30-39]``, ``30-39``, ``[30,40)``, ``>=50``), sets (``a|b``, ``a or b``, ``{a,
        b}``), dates and periods (``2020-03``, ``[2020-01-01, 2020-06-30]``), masked codes (``130**``), labels of the
        column's hierarchy, or ``*``.

        Parameters
        ----------
        rows:
            The original row behind each row, if known.
        hidden:
            ``"suppressed"``: rows whose whole quasi-identifier is ``*`` count as suppressed (unless all are), as most
            tools mean them; ``"class"``: they are a class like any other, as in what our methods publish.
        secrets:
            The second table of a release that publishes secrets per group.

        Examples
        --------
        >>> like = Table(pd.DataFrame({"age": [31, 38, 52]}), quasi=["age"])
        >>> Release.from_frame(pd.DataFrame({"age": ["30-39", "[30,40)", "*"]}), like)
        Release: 2 rows in 1 class, smallest 2, 1 suppressed
        """
        if rows is not None and len(rows) != len(frame):
            raise ValueError(f"rows links {len(rows)} rows, but the anonymized table has {len(frame)}")
        columns = parse_columns(frame, like)
        if hidden not in ("suppressed", "class"):
            raise ValueError(f"hidden={hidden!r} is not known; use 'suppressed' or 'class'")
        quasi = [columns[name] for name in like.quasi] if hidden == "suppressed" else []
        kept = np.flatnonzero(~fully_hidden(quasi, len(frame)))
        columns = {name: column.take(kept) for name, column in columns.items()}
        linked = None if rows is None else np.asarray(rows, dtype=np.int64)[kept]
        grouped = None if secrets is None else grouped_secrets.read_secrets(frame, secrets, like.attributes).take(kept)
        shown = {*columns, *([] if grouped is None else [grouped.column])}
        table = like.select([name for name in like.columns if name in shown])
        return cls(table, columns, linked, withheld=max(len(like) - len(kept), 0), secrets=grouped)

    # ---- reading ----------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        if self.rows is not None:
            return len(self.rows)
        return len(next(iter(self.columns.values()))) if self.columns else 0

    @property
    def quasi(self) -> list[str]:
        return [name for name in self.table.quasi if name in self.columns]

    @property
    def sensitive(self) -> list[str]:
        return [name for name in self.table.sensitive if name in self.columns]

    @property
    def decision(self) -> str | None:
        return self.table.decision if self.table.decision in self.columns else None

    @property
    def promise(self) -> Any:
        """What the method guarantees for the published rows, an :class:`anonnb.methods.promises.Promise`, or None."""
        return getattr(self.method, "promise", None)

    def told(self) -> list[str]:
        """Return what the method reports about this release, such as the levels it chose, a sentence each."""
        told = self.method.told(self) if hasattr(self.method, "told") else []
        return [*told, *([self.info["survey"]] if "survey" in self.info else [])]

    @property
    def owners(self) -> tuple[np.ndarray, np.ndarray]:
        """Pairs of (published row, original row): whose rows were published where."""
        if self._owners is not None:
            return self._owners
        if self.rows is None:
            name_them = advice("; pass ", remedies.python("rows= to Release.from_frame"))
            raise ValueError(Message("the release does not tell which row is whose", name_them))
        return np.arange(len(self.rows)), self.rows

    @property
    def synthetic(self) -> bool:
        """Whether rows were drawn at random, so that none belongs to anybody."""
        return self.rows is None and self._owners is not None

    @property
    def n_suppressed(self) -> int:
        """Number of original rows that were not published."""
        return len(self.suppressed) if self._withheld is None else self._withheld

    @property
    def suppressed(self) -> np.ndarray:
        """The original rows that were not published (-1 for each if it is unknown which)."""
        if self.rows is None:
            return np.full(self._withheld or 0, -1, dtype=np.int64)
        withheld = np.ones(len(self.table), dtype=bool)
        withheld[self.owners[1]] = False
        return np.flatnonzero(withheld)

    @cached_property
    def _grouping(self) -> tuple[np.ndarray, int]:
        if not self.quasi:
            return frozen(np.zeros(len(self), dtype=np.int64)), min(len(self), 1)
        columns = [self.columns[name] for name in self.quasi]
        groups, count = group_ids([column.index for column in columns], [len(column.sets) for column in columns])
        if self.household_numbers is None:
            return frozen(groups), count
        return frozen(group_ids([groups, 1 + self.signatures(groups)]))

    def signatures(self, values: np.ndarray) -> np.ndarray:
        """Number the published households by the multisets of their rows' values; -1 for rows without a household.

        >>> table = Table(pd.DataFrame({"home": [1, 1, 2, 2], "sex": list("fmmf")}), household="home")
        >>> home = Column.original(table.attributes["home"], table.codes("home"))
        >>> Release(table, {"home": home}, range(4)).signatures(table.codes("sex")).tolist()
        [0, 0, 0, 0]
        """
        numbers = np.full(len(self), -1) if self.household_numbers is None else self.household_numbers
        linked, result = np.flatnonzero(numbers >= 0), np.full(len(self), -1)
        homes, count = group_ids([numbers[linked]])
        result[linked] = multiset_ids(values[linked], homes, count)[homes]
        return result

    @cached_property
    def household_numbers(self) -> np.ndarray | None:
        """The household of each row as it is published, -1 where it is not; None if no row shows one."""
        name = self.table.household
        if name is None or name not in self.columns:
            return None
        column = self.columns[name]
        codes = np.where(column.sets.sizes == 1, column.sets.lo, -1)[column.index]
        return frozen(np.where(codes == column.attribute.missing_code, -1, codes))

    @property
    def groups(self) -> np.ndarray:
        """The equivalence class of each published row: rows whose quasi-identifiers read alike share a number.

        Where household numbers are published, the households of these rows must read alike, too, member for member.
        """
        return self._grouping[0]

    @property
    def n_groups(self) -> int:
        return self._grouping[1]

    @cached_property
    def group_sizes(self) -> np.ndarray:
        """Rows in each equivalence class."""
        return frozen(np.bincount(self.groups, minlength=self.n_groups))

    @property
    def people(self) -> np.ndarray | None:
        """The person of each published row, numbered as in the table; None if every row counts as another person.

        Where household numbers are published, households count: those of the table or, without rows, the numbers.
        Rows count as people, with a warning, if people have several rows and the release does not link them.
        """
        numbers = self.household_numbers
        if numbers is not None and self.rows is None:
            return np.where(numbers < 0, -1 - np.arange(len(self)), numbers)
        if numbers is not None:
            return self.table.households[self.rows]
        if not self.table.people_repeat or self.synthetic:
            return None
        if self.rows is None:
            problem = "the release does not tell whose row is whose: in its classes, rows are counted, not people"
            link = advice("; pass ", remedies.python("rows= to Release.from_frame"))
            warnings.warn(PersonWarning(Message(problem, link)), stacklevel=3)
            return None
        return self.table.people[self.rows]

    @property
    def row_weights(self) -> np.ndarray:
        """The survey weight of each published row: that of its original row, or else the published one."""
        name = self.table.weight
        if name is None:
            return np.ones(len(self))
        if self.rows is not None:
            return self.table.row_weights[self.rows]
        if name not in self.columns:
            link = advice("; pass ", remedies.python("rows= to Release.from_frame"))
            raise ValueError(Message(f"the release neither shows the weight {name!r} nor links its rows", link))
        return as_labels(self.columns[name]).to_numpy(dtype=float)

    @cached_property
    def group_people(self) -> np.ndarray:
        """People in each equivalence class: its rows, unless the table names people who have several."""
        people = self.people
        return self.group_sizes if people is None else frozen(distinct_per_group(people, self.groups, self.n_groups))

    @property
    def secret_groups(self) -> np.ndarray:
        """For each published row, the group that hides its secret: its class, or its group of secrets."""
        return self.groups if self.secrets is None else self.secrets.group

    def says(self, name: str, count_missing: bool = False) -> tuple[np.ndarray, Any]:
        """Return how likely each value of a column is: a number per row, and the weights of the values per number.

        A missing value has no weight unless ``count_missing``.
        """
        if self.secrets is not None and name == self.secrets.column:
            return self.secrets.says(self.columns[name].attribute, count_missing)
        return self.columns[name].index, what_sets_say(self.columns[name].sets, count_missing)

    @property
    def frame(self) -> pd.DataFrame:
        """The release as people read it, with the index of the original rows; exact columns keep their dtypes."""
        return self._frame.copy(deep=False)  # what is written into it does not come back

    @cached_property
    def _frame(self) -> pd.DataFrame:
        return self.to_frame()

    def to_frame(self, *, intervals: str = "label") -> pd.DataFrame:
        """Return the published cells as a DataFrame, with the index of the original rows.

        Parameters
        ----------
        intervals:
            ``"label"`` for texts such as ``[30–39]``, ``"pandas"`` for ``pd.Interval`` cells in numeric columns.
        """
        if intervals not in ("label", "pandas"):
            raise ValueError(f"intervals={intervals!r} is not known; use 'label' or 'pandas'")
        show = as_intervals if intervals == "pandas" else as_labels
        cells = {name: show(column) for name, column in self.columns.items()}
        index = pd.RangeIndex(len(self)) if self.rows is None else self.table.index[self.rows]
        return pd.DataFrame(cells, columns=list(self.columns)).set_axis(index, axis=0)

    def __repr__(self) -> str:
        made = "" if self.method is None else f" by {self.method}"
        return (
            f"Release{made}: {len(self):,} rows in {self.n_groups:,} class{'es' * (self.n_groups != 1)}"
            f", smallest {int(self.group_people.min(initial=len(self))):,}"
            f"{f' {self.table.counted}' * (self.table.people_repeat and self.rows is not None)}"
            f", {self.n_suppressed:,} suppressed"
        )

    def _repr_html_(self) -> str:
        return html_block(repr(self), self.take(np.arange(min(8, len(self)))).frame)

    # ---- making others ----------------------------------------------------------------------------------------

    def take(self, places: np.ndarray) -> Self:
        """Return some of the published rows, given their positions or a mask."""
        positions = row_numbers(places, len(self))
        return self.replace(
            columns={name: column.take(positions) for name, column in self.columns.items()},
            rows=None if self.rows is None else self.rows[positions],
            owners=None if self._owners is None else pairs_of_taken(positions, *self._owners),
            secrets=None if self.secrets is None else self.secrets.take(positions),
        )

    def with_columns(self, columns: Mapping[str, Column] | None = None, /, **named: Column) -> Self:
        """Return the same release with other cells in some columns.

        Method, info and links to the original rows stay. ``publish`` recounts what the method promises, so it refuses
        a release whose new cells break the promise.
        """
        changed = {**(columns or {}), **named}
        if self.secrets is not None and self.secrets.column in changed:
            raise ValueError(
                f"column {self.secrets.column!r} is published per group, so no row has a cell of its own to replace; "
                "make a Release with other secrets="
            )
        return self.replace(columns={**self.columns, **changed})

    def with_grouped_weights(self, k: int | None = None) -> Self:
        """Return the same release with a column of survey weights: means of k adjacent weights within a class.

        Households with a number have one weight each, so their class is the signature.

        So at least k people of a class share each weight, and the weights of a class keep their sum, up to nine digits.
        The mean of a whole class would do so too, but shift totals by several standard errors; ``publish``
        refuses it. Who is in a stratum with weights of its own can still be guessed from the means.

        Parameters
        ----------
        k:
            Fewest people who share a weight; by default the k that the method promises.

        Examples
        --------
        >>> frame = pd.DataFrame({"zip": [1, 1, 1, 1], "w": [9, 2, 4, 5]})
        >>> Release.of(Table(frame, quasi=["zip"], weight="w")).with_grouped_weights(2).frame["w"].tolist()
        [7.0, 3.0, 3.0, 7.0]
        """
        if self.table.weight is None:
            raise ValueError(Message("the table has no survey weight", advice("; name it: ", remedies.role("weight"))))
        k = k or (0 if self.promise is None else self.promise.floors.get("class", 0))
        if k < 2:
            raise ValueError("weights are published as means of k people's, but no k is promised; give k=5, say")
        signatures = self.signatures(self.groups)  # a household with a number has one weight
        groups = np.where(signatures < 0, self.groups, self.n_groups + signatures)
        means = grouped_means(self.row_weights, groups, self.people, k)
        attribute, codes = encode(pd.Series(means, name=self.table.weight), "numeric")
        said = [self.info.get("survey", ""), f"weights are published as means of {k} or more people of a class"]
        changed = self.with_columns({self.table.weight: Column.original(attribute, codes)})
        return changed.replace(info={**self.info, "survey": "; ".join(filter(None, said))})

    def replace(self, **changes: Any) -> Self:
        """Return the same release with other arguments of ``Release``, such as ``method`` or ``info``."""
        same = {name: getattr(self, name) for name in ("table", "columns", "rows", "method", "info", "secrets")}
        return type(self)(**{**same, "withheld": self._withheld, "owners": self._owners, **changes})

    def recode(self, table: Table) -> Release:
        """Generalize another table in the same way, if this release maps equal values to equal sets.

        A method may have a way of its own (``method.recode``), as LocalRecoding has. Use ``privacy.k`` on the result to
        see whether k still holds.

        Raises
        ------
        ValueError
            If a column was recoded differently in different groups, a value is new to it, or the rows are not linked.
        KeyError
            If the table lacks a quasi-identifier.
        """
        if self.rows is None:
            raise ValueError("a release without links to its original rows cannot be applied to another table")
        if hasattr(self.method, "recode"):
            return self.method.recode(self, table)
        columns = {}
        for name in self.quasi:
            column, attribute = self.columns[name], self.table.attributes[name]
            sets = set_of_each_code(column, self.table.codes(name)[self.rows], attribute)
            columns[name] = Column(column.sets, recoded(table, attribute, sets))
        return Release(table, columns, np.arange(len(table)), method=self.method, info=self.info)

    def update(self, table: Table, **options: Any) -> Release:
        """Return the next release of a table that has changed, by a method that considers earlier releases.

        The options go to the method's ``update``.

        Raises
        ------
        ValueError
            If the method does not take earlier releases into account.

        Examples
        --------
        >>> Release.of(Table(pd.DataFrame({"zip": [1]}), quasi=["zip"])).update(None)
        Traceback (most recent call last):
        ValueError: ... does not take earlier releases into account...
        """
        if not hasattr(self.method, "update"):
            made = "no method" if self.method is None else str(self.method)
            use = advice("; use ", remedies.method("MInvariance"))
            raise ValueError(Message(f"{made} does not take earlier releases into account", use))
        return self.method.update(self, table, **options)

    # ---- publishing ------------------------------------------------------------------------------------------

    def published(self, also: Sequence[str] = ()) -> pd.DataFrame:
        """Return what ``publish`` writes: quasi-identifiers, sensitive and decision columns, and those in ``also``.

        Survey weights are among them if they are grouped (:meth:`with_grouped_weights`). Rows are sorted by their
        published content, so their order reveals nothing about the original order. If secrets are published per group,
        the group stands in place of the sensitive columns (see :meth:`published_secrets`).
        """
        names = self._published_names(also)
        if self.secrets is not None:
            return self._people_frame(self.secrets, names)[0]
        return shown_frame(self.columns, names, self.content_order(names))

    def published_secrets(self, also: Sequence[str] = ()) -> pd.DataFrame:
        """Return the second table of a release with secrets per group: group, secret and count.

        ``also`` are further columns of the first table.

        >>> Release.of(Table(pd.DataFrame({"zip": [1]}), quasi=["zip"])).published_secrets()
        Traceback (most recent call last):
        ValueError: the release has no table of secrets: each row shows its own
        """
        if self.secrets is None:
            raise ValueError("the release has no table of secrets: each row shows its own")
        numbers = self._people_frame(self.secrets, self._published_names(also))[2]
        attribute = self.columns[self.secrets.column].attribute
        return grouped_secrets.secrets_frame(attribute, self.secrets, numbers, self.table.columns)

    def _people_frame(
        self, secrets: grouped_secrets.GroupedSecrets, names: Sequence[str]
    ) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
        return grouped_secrets.people_frame(self.columns, secrets, names, self.table.columns)

    def _published_names(self, also: Sequence[str]) -> list[str]:
        also = [also] if isinstance(also, str) else list(also)
        unknown = [name for name in also if name not in self.columns]
        if unknown:
            raise KeyError(f"also: the release has no column {unknown[0]!r}; identifiers cannot be published")
        wanted = {*self.quasi, *self.sensitive, self.decision, self.table.household, self.table.weight, *also}
        if self.secrets is not None:
            wanted -= {*self.sensitive, self.secrets.column}
        names = [name for name in self.columns if name in wanted]
        if not names:
            name_some = advice(", or name columns with ", remedies.option("also", words="also=[…]"))
            raise ValueError(Message("nothing to publish: give the table roles", name_some))
        return names

    def content_order(self, names: Sequence[str]) -> np.ndarray:
        """Return the positions of the published rows in the order of what some columns show, the first above all."""
        if self.secrets is not None:
            return self._people_frame(self.secrets, names)[1]
        return content_order([content_rank(self.columns[name]) for name in names])

    def publish(
        self,
        path: str | os.PathLike[str],
        *,
        also: Sequence[str] = (),
        unknown_outside: Sequence[str] = (),
        may_name: Sequence[str] = (),
        excel: bool = False,
        overwrite: bool = False,
    ) -> Path:
        """Write what :meth:`published` returns to a file, atomically, and return its path.

        Before the file gets its name it is read again as text, and everything promised is recounted
        (:mod:`anonnb.publishing.verification`); if that fails, a ``VerificationError`` says why and nothing is written.
        Secrets that are published per group go into a second file, ``people-secrets.csv`` beside ``people.csv``.

        Parameters
        ----------
        path:
            A name that ends in .csv or .parquet.
        also:
            Further columns, which then count as quasi-identifiers.
        unknown_outside:
            Those of them whose values nobody outside can know.
        may_name:
            Columns whose texts may hold identifiers, e-mail addresses or telephone numbers; of others the file is
            refused if they do.
        excel:
            Write a .csv that spreadsheets open as it is: with a byte order mark, and an apostrophe before texts that
            begin like a formula. Without it, a warning says how many such texts the file holds.

        Examples
        --------
        >>> import tempfile
        >>> release = Release.of(Table(pd.DataFrame({"zip": [2, 1]}), quasi=["zip"]))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     release.publish(f"{folder}/zip.csv").read_text().split()
        ['"zip"', '1', '2']
        """
        known = {"also": also, "unknown_outside": unknown_outside, "may_name": may_name}
        return anonnb.publish(self, path, **known, excel=excel, overwrite=overwrite)


@singledispatch
def as_release(data: Table | Release) -> Release:
    """Return a table as the release that changes nothing; a release stays as it is.

    >>> as_release(Table(pd.DataFrame({"zip": [1, 1]}), quasi=["zip"]))
    Release: 2 rows in 1 class, smallest 2, 0 suppressed
    """
    return data if isinstance(data, Release) else Release.of(data)
