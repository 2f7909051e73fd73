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
from typing import Any

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.arrays import content_order, distinct_per_group, group_ids, pairs_of_taken
from anonnb.core.errors import Message, advice
from anonnb.files.publishing import published_file
from anonnb.files.two_files import secrets_path
from anonnb.files.writing import refuse_existing
from anonnb.tables.descriptions import html_block
from anonnb.tables.published_cells import fully_hidden, parse_columns
from anonnb.tables.repeated_recoding import recoded_alike, set_of_each_code
from anonnb.tables.roles import PersonWarning
from anonnb.tables.secrets.grouped import GroupedSecrets
from anonnb.tables.secrets.two_tables import people_frame, read_secrets, secrets_frame
from anonnb.tables.shown_columns import as_intervals, as_labels, content_rank, shown_frame
from anonnb.tables.table import Table, row_numbers
from anonnb.tables.value_sets import Column
from anonnb.tables.value_sets.sets import what_sets_say


class Release:
    """What a method publishes about a table.

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

    Raises
    ------
    KeyError
        If the table does not have a column.
    ValueError
        If columns differ in length, or a column is not given and its original values are unknown.

    Examples
    --------
    >>> table = Table(pd.DataFrame({"zip": [1, 1, 2]}), quasi=["zip"])
    >>> release = Release.of(table)
    >>> release.groups.tolist(), release.group_sizes.tolist()
    ([0, 0, 1], [2, 1])
    >>> np.shares_memory(Release.reading(table).columns["zip"].index, table.codes("zip"))
    True
    >>> Release(table, {}, np.array([0, 1])).n_suppressed, len(release.take(np.array([2])))
    (1, 1)
    >>> release.published()["zip"].tolist(), release.to_frame().shape, release.content_order(["zip"]).tolist()
    ([1, 1, 2], (3, 1), [0, 1, 2])
    >>> release.recode(table.take(np.array([2, 0]))).frame["zip"].tolist(), release.says("zip")[0].tolist()
    ([2, 1], [0, 0, 1])
    """

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
        secrets: GroupedSecrets | None = None,
    ):
        self.table = table
        self.rows = None if rows is None else np.asarray(rows, dtype=np.int64)
        self.method = method
        self.info = dict(info or {})
        self._withheld = withheld
        self._owners = owners
        self.secrets = secrets
        if secrets is not None:
            columns = {secrets.column: secrets.cells(table.attributes[secrets.column]), **columns}
        hidden = set(table.identifiers)
        names = [name for name in table.columns if name not in hidden]
        unknown = [name for name in columns if name not in table.columns]
        if unknown:
            raise KeyError(f"the table has no column {unknown[0]!r}; a release describes columns of its table")
        self.columns: dict[str, Column] = {}
        for name in names:
            if name in columns:
                self.columns[name] = columns[name]
            elif self.rows is not None:
                self.columns[name] = Column.original(table.attributes[name], table.codes(name)[self.rows])
            else:
                raise ValueError(f"column {name!r} is not given, and without rows= its original values are unknown")
        lengths = {len(column) for column in self.columns.values()}
        if len(lengths) > 1 or (self.rows is not None and lengths not in ({len(self.rows)}, set())):
            raise ValueError("the columns of a release must all have one cell per published row")

    @classmethod
    def of(cls, table: Table) -> Release:
        """The table as it is: every cell a single value.

        Parameters
        ----------
        table:
            The table.

        Returns
        -------
        Release
            The release that changes nothing.
        """
        return cls(table, {}, np.arange(len(table)))

    @classmethod
    def reading(cls, table: Table) -> Release:
        """The same, but made of the table's own codes: for measures, which write nothing and keep nothing.

        Parameters
        ----------
        table:
            The table.

        Returns
        -------
        Release
            The release that changes nothing; do not write into it.
        """
        hidden = set(table.identifiers)
        shown = {name: attribute for name, attribute in table.attributes.items() if name not in hidden}
        columns = {name: Column.original(attribute, table.codes(name)) for name, attribute in shown.items()}
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
    ) -> Release:
        """Read a table anonymized elsewhere, so that it can be attacked and measured.

        Cells may be values, intervals (``[30-39]``, ``30-39``, ``[30,40)``, ``>=50``), sets (``a|b``, ``a or b``, ``{a,
        b}``), dates and periods (``2020-03``, ``[2020-01-01, 2020-06-30]``), masked codes (``130**``), labels of the
        column's hierarchy, or ``*``.

        Parameters
        ----------
        frame:
            The anonymized table.
        like:
            The original table.
        rows:
            The original row of each row, if that is known.
        hidden:
            ``"suppressed"``: rows whose whole quasi-identifier is ``*`` count as suppressed (unless all are), as most
            tools mean them; ``"class"``: they are a class like any other, as in what our methods publish.
        secrets:
            The second table of a release that publishes secrets per group.

        Returns
        -------
        Release
            The release.

        Raises
        ------
        ValueError
            If ``rows`` has another length, or ``hidden`` is unknown.

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
        grouped = None if secrets is None else read_secrets(frame, secrets, like).take(kept)
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
        """What its method reports about this release: the levels that were chosen, what was minimized."""
        return self.method.told(self) if hasattr(self.method, "told") else []

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
            return np.zeros(len(self), dtype=np.int64), min(len(self), 1)
        columns = [self.columns[name] for name in self.quasi]
        return group_ids([column.index for column in columns], [len(column.sets) for column in columns])

    @property
    def groups(self) -> np.ndarray:
        """For each published row the number of its equivalence class: rows whose quasi-identifiers read alike."""
        return self._grouping[0]

    @property
    def n_groups(self) -> int:
        return self._grouping[1]

    @cached_property
    def group_sizes(self) -> np.ndarray:
        """Rows in each equivalence class."""
        return np.bincount(self.groups, minlength=self.n_groups)

    @property
    def people(self) -> np.ndarray | None:
        """The person of each published row, numbered as in the table; None where every row counts as another person.

        That is also so, with a warning, where people have several rows and the release does not link rows to people.
        """
        if not self.table.people_repeat or self.synthetic:
            return None
        if self.rows is None:
            problem = "the release does not tell whose row is whose: rows are counted, not people"
            link = advice("; pass ", remedies.python("rows= to Release.from_frame"))
            warnings.warn(PersonWarning(Message(problem, link)), stacklevel=3)
            return None
        return self.table.people[self.rows]

    @cached_property
    def group_people(self) -> np.ndarray:
        """People in each equivalence class: its rows, unless the table names a person who has several."""
        people = self.people
        return self.group_sizes if people is None else distinct_per_group(people, self.groups, self.n_groups)

    @property
    def secret_groups(self) -> np.ndarray:
        """For each published row, the group that hides its secret: its class, or its group of secrets."""
        return self.groups if self.secrets is None else self.secrets.group

    def says(self, name: str, count_missing: bool = False) -> tuple[np.ndarray, Any]:
        """How likely each value of a column is.

        Parameters
        ----------
        name:
            The column.
        count_missing:
            Whether a missing value counts as a value.

        Returns
        -------
        tuple
            For every row a number, and for every number the weights of the values.
        """
        if self.secrets is not None and name == self.secrets.column:
            return self.secrets.says(self.columns[name].attribute, count_missing)
        return self.columns[name].index, what_sets_say(self.columns[name].sets, count_missing)

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The release as a person reads it; dtypes stay where values do. Its index is that of the original rows."""
        return self.to_frame()

    def to_frame(self, *, intervals: str = "label") -> pd.DataFrame:
        """The release as a DataFrame.

        Parameters
        ----------
        intervals:
            ``"label"`` for texts such as ``[30–39]``, ``"pandas"`` for ``pd.Interval`` cells in numeric columns.

        Returns
        -------
        pandas.DataFrame
            The published cells, with the index of the original rows.

        Raises
        ------
        ValueError
            If ``intervals`` is neither of them.
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
            f"{' people' * (self.table.people_repeat and self.rows is not None)}, {self.n_suppressed:,} suppressed"
        )

    def _repr_html_(self) -> str:
        return html_block(repr(self), self.take(np.arange(min(8, len(self)))).frame)

    def take(self, places: np.ndarray) -> Release:
        """Some of the published rows.

        Parameters
        ----------
        places:
            Positions or a mask.

        Returns
        -------
        Release
            These rows.
        """
        places = row_numbers(places, len(self))
        columns = {name: column.take(places) for name, column in self.columns.items()}
        rows = None if self.rows is None else self.rows[places]
        return Release(
            self.table,
            columns,
            rows,
            method=self.method,
            info=self.info,
            withheld=self._withheld,
            owners=None if self._owners is None else pairs_of_taken(places, *self._owners),
            secrets=None if self.secrets is None else self.secrets.take(places),
        )

    # ---- the same generalization for other rows ---------------------------------------------------------------

    def recode(self, table: Table) -> Release:
        """Another table generalized in the same way, for releases that map equal values to equal sets.

        Use ``privacy.k`` on the result to see whether k still holds.

        Parameters
        ----------
        table:
            The other table.

        Returns
        -------
        Release
            Its release.

        Raises
        ------
        ValueError
            If a column was recoded differently in different groups, a value is new to it, or the rows are not linked.
        KeyError
            If the table lacks a quasi-identifier.
        """
        if self.rows is None:
            raise ValueError("a release without links to its original rows cannot be applied to another table")
        columns = {}
        for name in self.quasi:
            column, old = self.columns[name], self.table.attributes[name]
            target = set_of_each_code(column, self.table.codes(name)[self.rows], old)
            columns[name] = recoded_alike(table, column, target, old)
        return Release(table, columns, np.arange(len(table)), method=self.method, info=self.info)

    def update(self, table: Table, **options: Any) -> Release:
        """The next release of a table that has changed, by a method that takes earlier releases into account.

        Parameters
        ----------
        table:
            The changed table.
        options:
            Passed to the method's ``update``.

        Returns
        -------
        Release
            The next release.

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
        """What ``publish`` writes: quasi-identifiers, sensitive and decision columns.

        Rows are sorted by their published content, so their order reveals nothing about the original order. If secrets
        are published per group, the group stands in place of the sensitive columns (see :meth:`published_secrets`).

        Parameters
        ----------
        also:
            Further columns.

        Returns
        -------
        pandas.DataFrame
            The published table.
        """
        names = self._published_names(also)
        if self.secrets is not None:
            return people_frame(self, names)[0]
        return shown_frame(self.columns, names, self.content_order(names))

    def published_secrets(self, also: Sequence[str] = ()) -> pd.DataFrame:
        """The second table of a release with secrets per group.

        Parameters
        ----------
        also:
            Further columns of the first table.

        Returns
        -------
        pandas.DataFrame
            group, secret and count.

        Raises
        ------
        ValueError
            If the release has no secrets per group.

        Examples
        --------
        >>> Release.of(Table(pd.DataFrame({"zip": [1]}), quasi=["zip"])).published_secrets()
        Traceback (most recent call last):
        ValueError: the release has no table of secrets: each row shows its own
        """
        if self.secrets is None:
            raise ValueError("the release has no table of secrets: each row shows its own")
        return secrets_frame(self, people_frame(self, self._published_names(also))[2])

    def _published_names(self, also: Sequence[str]) -> list[str]:
        also = [also] if isinstance(also, str) else list(also)
        unknown = [name for name in also if name not in self.columns]
        if unknown:
            raise KeyError(f"also: the release has no column {unknown[0]!r}; identifiers cannot be published")
        wanted = {*self.quasi, *self.sensitive, self.decision, *also}
        if self.secrets is not None:
            wanted -= {*self.sensitive, self.secrets.column}
        names = [name for name in self.columns if name in wanted]
        if not names:
            also = remedies.option("also", words="also=[…]")
            raise ValueError(
                Message("nothing to publish: give the table roles", advice(", or name columns with ", also))
            )
        return names

    def content_order(self, names: Sequence[str]) -> np.ndarray:
        """The published rows in the order of what some columns show.

        Parameters
        ----------
        names:
            The columns, the most important first.

        Returns
        -------
        numpy.ndarray
            Positions of rows.
        """
        if self.secrets is not None:
            return people_frame(self, names)[1]
        return content_order([content_rank(self.columns[name]) for name in names])

    def publish(
        self,
        path: str | os.PathLike,
        *,
        also: Sequence[str] = (),
        unknown_outside: Sequence[str] = (),
        excel: bool = False,
        overwrite: bool = False,
    ) -> Path:
        """Write the release to a file, atomically; see :meth:`published` for what it contains.

        Before the file gets its name it is read again as text, and everything promised is recounted
        (:mod:`anonnb.files.gate`); if that fails, :class:`~anonnb.files.gate.Refused` says why and nothing is written.
        Secrets that are published per group go into a second file, ``people-secrets.csv`` beside ``people.csv``.

        Parameters
        ----------
        path:
            A name that ends in .csv or .parquet.
        also:
            Further columns, which then count as quasi-identifiers.
        unknown_outside:
            Those of them whose values nobody outside can know.
        excel:
            Write a .csv that spreadsheets open as it is: with a byte order mark, and an apostrophe before texts that
            begin like a formula. Without it, a warning says how many such texts the file holds.
        overwrite:
            Whether an existing file is replaced.

        Returns
        -------
        pathlib.Path
            The file.

        Examples
        --------
        >>> import tempfile
        >>> release = Release.of(Table(pd.DataFrame({"zip": [2, 1]}), quasi=["zip"]))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     release.publish(f"{folder}/zip.csv").read_text().split()
        ['"zip"', '1', '2']
        """
        for written in [path] if self.secrets is None else [path, secrets_path(Path(path))]:
            refuse_existing(written, overwrite)
        return published_file(self, Path(path), also, unknown_outside, excel)[0]


@singledispatch
def as_release(data: Table | Release) -> Release:
    """A table as the release that changes nothing; a release stays as it is.

    Parameters
    ----------
    data:
        A table or a release.

    Returns
    -------
    Release
        The release.

    Examples
    --------
    >>> as_release(Table(pd.DataFrame({"zip": [1, 1]}), quasi=["zip"]))
    Release: 2 rows in 1 class, smallest 2, 0 suppressed
    """
    return data if isinstance(data, Release) else Release.of(data)
