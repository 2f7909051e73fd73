"""Table: a DataFrame whose columns have kinds and roles, encoded once as integer codes.

Every attribute has an ordered domain of its distinct values; a cell is a code into it. A missing value has the last
code. Row and column selections share the domains, so that codes of a table and of its parts can be compared.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from anonnb.core.plugins import provided
from anonnb.tables.attribute import Attribute
from anonnb.tables.descriptions import aligned_lines, described_attributes, described_levels, html_block
from anonnb.tables.encoding import encode
from anonnb.tables.hierarchy import Hierarchy
from anonnb.tables.roles import (
    Roles,
    check_known,
    names_of,
    of_known_columns,
    preferring,
    warn_of_repeated_people,
    without_missing,
)

__all__ = ["Attribute", "Table"]


class Table:
    """A table with kinds and roles.

    Parameters
    ----------
    frame:
        The data. The frame is encoded at once; later changes to it do not affect the table.
    quasi, sensitive, identifier:
        Column names by role. Identifiers are never published.
    decision:
        The class or target column; it may be sensitive too.
    person:
        The column that says whose row it is, if somebody may have several rows: privacy then counts people, not rows.
        It is never published; no value of it may be missing.
    kinds:
        Overrides the inferred kind: ``{"legs": "nominal"}``. Numbers and dates are numeric, an ordered Categorical is
        ordinal, everything else is nominal.
    orders:
        ``{"safety": ["low", "med", "high"]}`` makes a column ordinal with that order.
    hierarchies:
        ``{"age": Hierarchy.intervals(5, 10)}``. A nominal column with a hierarchy takes the order of its leaves, so
        that each label covers neighbours.
    domains:
        What a column may hold, occurring or not: ``{"sex": ["female", "male"], "age": [0, 18, 65, 120]}``, values or,
        for numbers, edges between intervals (``range(18, 91)``: every whole number), and None if a value may be
        missing. Orders, and hierarchies that list values, declare them too. Differentially private methods need this.
    weights, limits:
        How much a column's loss counts, ``{"age": 3}`` (1 by default), and the highest level of its hierarchy that may
        be published, ``{"zip": 2}``. Methods that generalize read both.
    missing:
        ``"value"`` (a missing value is a value of its own), ``"drop"`` (rows with one are left out; ``table.dropped``
        counts them) or ``"error"``. Only quasi-identifiers, sensitive, decision and person columns matter, or all
        columns if none has such a role.

    Raises
    ------
    TypeError
        If ``frame`` is not a DataFrame.
    ValueError
        If ``missing`` is unknown, or a column name occurs twice.

    Examples
    --------
    >>> frame = pd.DataFrame({"zip": ["a", "b", "a"], "ill": ["flu", "flu", None]})
    >>> table = Table(frame, quasi=["zip"], sensitive="ill")
    >>> table
    Table: 3 rows × 2 attributes
      zip  nominal  quasi      2 values
      ill  nominal  sensitive  1 value and missing
    >>> table.codes("ill").tolist(), table.counts("zip").tolist(), table.code_matrix().tolist()
    ([0, 0, 1], [2, 1], [[0], [1], [0]])
    >>> visits = Table(frame.assign(patient=[7, 9, 7]), quasi=["zip"], sensitive="ill", person="patient")
    >>> visits.people.tolist(), visits.n_people
    ([0, 1, 0], 2)
    >>> table.take([0, 2]).frame["zip"].tolist(), table.select(["ill"]).columns, table.with_roles(quasi=[]).quasi
    (['a', 'a'], ['ill'], [])
    >>> table.with_weights(zip=3).weights, table.with_hierarchies(zip=Hierarchy.flat()).with_limits(zip=0).limits
    ({'zip': 3.0}, {'zip': 0})
    >>> table.recoded(orders={"zip": ["b", "a"]}).codes("zip").tolist()
    [1, 0, 1]
    >>> table.with_hierarchies(zip=Hierarchy.flat()).preview("zip")["labels"].tolist()
    [2, 1]
    """

    of_a_whole: ClassVar[bool] = False  # some rows of a larger table, whose counts these are

    def __init__(
        self,
        frame: pd.DataFrame,
        *,
        quasi: Sequence[str] | str = (),
        sensitive: Sequence[str] | str = (),
        decision: str | None = None,
        identifier: Sequence[str] | str = (),
        person: str | None = None,
        kinds: Mapping[str, str] | None = None,
        orders: Mapping[str, Sequence] | None = None,
        hierarchies: Mapping[str, Hierarchy] | None = None,
        domains: Mapping[str, Sequence] | None = None,
        missing: str = "value",
        weights: Mapping[str, float] | None = None,
        limits: Mapping[str, int] | None = None,
    ):
        if not isinstance(frame, pd.DataFrame):
            raise TypeError(
                f"Table needs a pandas DataFrame, not {type(frame).__name__}; try Table(pd.DataFrame(data))"
            )
        if missing not in ("value", "drop", "error"):
            raise ValueError(f"missing={missing!r} is not known; use 'value', 'drop' or 'error'")
        if not frame.columns.is_unique:
            doubled = frame.columns[frame.columns.duplicated()]
            raise ValueError(f"column {str(doubled[0])!r} occurs more than once; rename one of them")
        self._roles = Roles.of(frame.columns, quasi, sensitive, decision, identifier, person)
        kept = without_missing(frame, missing, self._roles)
        self.dropped, frame = len(frame) - len(kept), kept
        self.index = frame.index
        given = {"kinds": kinds, "orders": orders, "hierarchies": hierarchies, "domains": domains}
        kinds, orders, hierarchies, domains = of_known_columns(given, frame.columns)
        self.attributes: dict[str, Attribute] = {}
        self._codes: dict[str, np.ndarray] = {}
        for name in frame.columns:
            order, allowed = orders.get(name), domains.get(name, orders.get(name))
            attribute, codes = encode(frame[name], kinds.get(name), order, hierarchies.get(name), None, allowed)
            self.attributes[name], self._codes[name] = attribute, codes
        self.attributes = preferring(self.attributes, weights or {}, limits or {})
        self._whose = self._person_codes(self._roles)
        self._warn_of_repeated_people()

    @staticmethod
    def from_parquet(path: str | os.PathLike | Sequence, **options) -> Any:
        """A table larger than memory, from parquet files: its rows stay on the workers of a Dask cluster.

        Needs the extra ``cluster``; see :class:`anonnb.cluster.ClusterTable`.

        Parameters
        ----------
        path:
            One or more files or folders.
        options:
            Roles and kinds as for a table, ``scheduler`` and ``region_rows``.

        Returns
        -------
        anonnb.cluster.ClusterTable
            The table.
        """
        return provided("anonnb.tables", "parquet")(path, **options)

    @staticmethod
    def from_dask(frame: Any, **options) -> Any:
        """A table larger than memory, from a Dask DataFrame.

        Needs the extra ``cluster``; see :class:`anonnb.cluster.ClusterTable`.

        Parameters
        ----------
        frame:
            The Dask DataFrame.
        options:
            As for :meth:`from_parquet`.

        Returns
        -------
        anonnb.cluster.ClusterTable
            The table.
        """
        return provided("anonnb.tables", "dask")(frame, **options)

    @classmethod
    def _of(
        cls, attributes: dict, codes: dict, roles: Roles, index: pd.Index, whose: np.ndarray | None = None
    ) -> Table:
        """``whose`` gives the person of each row if that column is not among ``codes``."""
        table = cls.__new__(cls)
        table.attributes, table._codes, table._roles, table.index = attributes, codes, roles, index
        table.dropped = 0
        table._whose = table._person_codes(roles) if roles.person in codes else whose
        if table._whose is None and roles.person is not None:
            table._roles = roles.without_person()
        return table

    def _same_rows(self, attributes: dict, codes: dict, roles: Roles) -> Table:
        made = Table._of(attributes, codes, roles, self.index, self._whose if roles.person == self.person else None)
        made.dropped = self.dropped
        return made

    def _person_codes(self, roles: Roles) -> np.ndarray | None:
        """Equal numbers for rows of one person; None where no person is named."""
        if roles.person is None:
            return None
        attribute, codes = self.attributes[roles.person], self._codes[roles.person]
        roles.check_everybody_named(codes == attribute.missing_code if attribute.missing else codes[:0])
        return attribute.as_written[codes]

    def _warn_of_repeated_people(self) -> None:
        if self.person is None and len(self):
            values = {name: int(np.count_nonzero(self.counts(name))) for name in self.identifiers}
            warn_of_repeated_people(len(self), values)

    def __getstate__(self) -> dict:
        """Everything but the frame and the numbers of people, which are made again when needed."""
        return {name: value for name, value in vars(self).items() if name not in ("frame", "people")}

    # ---- reading ----------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.index)

    @property
    def columns(self) -> list[str]:
        return list(self.attributes)

    @property
    def quasi(self) -> list[str]:
        return list(self._roles.quasi)

    @property
    def sensitive(self) -> list[str]:
        return list(self._roles.sensitive)

    @property
    def identifiers(self) -> list[str]:
        """The columns that are never published: identifiers and the person column."""
        person = [self.person] if self.person in self.attributes else []
        return list(dict.fromkeys([*self._roles.identifier, *person]))

    @property
    def decision(self) -> str | None:
        return self._roles.decision

    @property
    def person(self) -> str | None:
        """The name of the person column; the column itself may have been left out since."""
        return self._roles.person

    @cached_property
    def people(self) -> np.ndarray:
        """The number of every row's person, 0 to ``n_people`` − 1; each row's own where no person is named."""
        if self._whose is None:
            return np.arange(len(self))
        return pd.factorize(self._whose)[0].astype(np.int64, copy=False)

    @property
    def n_people(self) -> int:
        """How many people the rows are about; the number of rows where no person is named."""
        return len(self) if self._whose is None else int(self.people.max(initial=-1)) + 1

    @property
    def people_repeat(self) -> bool:
        """Whether somebody has several rows, so that rows and people differ."""
        return self.n_people < len(self)

    @property
    def conditions(self) -> list[str]:
        """The columns that can explain a decision: all but identifiers and the decision."""
        return [name for name in self.columns if name != self.decision and name not in self.identifiers]

    def codes(self, name: str) -> np.ndarray:
        """The codes of a column.

        Parameters
        ----------
        name:
            The column.

        Returns
        -------
        numpy.ndarray
            A code per row; do not write into it.
        """
        check_known([name], self.attributes, "column")
        return self._codes[name]

    def counts(self, name: str) -> np.ndarray:
        """How many rows have each code of a column.

        Parameters
        ----------
        name:
            The column.

        Returns
        -------
        numpy.ndarray
            A number per code.
        """
        return np.bincount(self.codes(name), minlength=self.attributes[name].size)

    def code_matrix(self, names: Sequence[str] | None = None) -> np.ndarray:
        """The codes of several columns.

        Parameters
        ----------
        names:
            The columns; the quasi-identifiers by default.

        Returns
        -------
        numpy.ndarray
            Rows × columns.
        """
        names = self.quasi if names is None else list(names)
        if not names:
            return np.empty((len(self), 0), dtype=np.int32)
        return np.column_stack([self.codes(name) for name in names])

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The table as a DataFrame, dtypes and index as they came (treat it as read-only)."""
        decoded = {name: self.attributes[name].decode(codes) for name, codes in self._codes.items()}
        return pd.DataFrame(decoded, columns=self.columns).set_axis(self.index, axis=0)

    def __getitem__(self, key):
        """A column name gives a Series; a list of names, a slice, a mask or row numbers give a Table."""
        if isinstance(key, str) or (pd.api.types.is_hashable(key) and key in self.attributes):
            return self._series(key)
        if isinstance(key, list) and key and all(name in self.attributes and name is not True for name in key):
            return self.select(key)
        if isinstance(key, slice) and (isinstance(key.start, str) or isinstance(key.stop, str)):
            return self.select(list(pd.Series(self.columns, index=self.columns).loc[key]))
        if isinstance(key, list) and any(isinstance(name, str) for name in key):
            check_known(key, self.attributes, "column")
        return self.take(np.atleast_1d(np.arange(len(self))[key]))

    def _series(self, name: str) -> pd.Series:
        """One column as a Series with the table's index."""
        codes = self.codes(name)
        return self.attributes[name].decode(codes).set_axis(self.index)

    # ---- making others ----------------------------------------------------------------------------------------

    def take(self, rows: np.ndarray) -> Table:
        """Some of the rows; the domains stay those of the whole table.

        Parameters
        ----------
        rows:
            Row numbers in the order wanted, or a mask.

        Returns
        -------
        Table
            These rows.
        """
        rows = row_numbers(rows, len(self))
        codes = {name: column[rows] for name, column in self._codes.items()}
        whose = None if self._whose is None else self._whose[rows]
        return Table._of(self.attributes, codes, self._roles, self.index[rows], whose)

    def select(self, names: Sequence[str]) -> Table:
        """Some of the columns; the person of a row stays known.

        Parameters
        ----------
        names:
            The columns in the order wanted.

        Returns
        -------
        Table
            These columns.
        """
        names = names_of(names)
        check_known(names, self.attributes, "column")
        return self._same_rows(
            {name: self.attributes[name] for name in names},
            {name: self._codes[name] for name in names},
            self._roles.within(names),
        )

    def with_roles(self, **roles) -> Table:
        """The same table with other roles.

        Roles that are not named stay, without the columns that now have another role.

        Parameters
        ----------
        roles:
            ``quasi``, ``sensitive``, ``decision``, ``identifier`` and ``person``, as for the table itself.

        Returns
        -------
        Table
            The table.

        Raises
        ------
        TypeError
            If a role is unknown.
        """
        unknown = set(roles) - {"quasi", "sensitive", "decision", "identifier", "person"}
        if unknown:
            raise TypeError(f"unknown role {sorted(unknown)[0]!r}; use quasi, sensitive, decision, identifier, person")
        made = self._same_rows(self.attributes, self._codes, self._roles.changed(self.columns, roles))
        if "identifier" in roles:
            made._warn_of_repeated_people()
        return made

    def with_hierarchies(self, **hierarchies: Hierarchy) -> Table:
        """The same table with hierarchies attached: ``table.with_hierarchies(age=Hierarchy.intervals(5, 10))``.

        Parameters
        ----------
        hierarchies:
            Hierarchies by column.

        Returns
        -------
        Table
            The table.
        """
        return self.recoded(hierarchies=hierarchies)

    def with_weights(self, **weights: float) -> Table:
        """The same table with other weights: ``table.with_weights(age=3)`` counts its loss three times.

        Parameters
        ----------
        weights:
            Weights by column.

        Returns
        -------
        Table
            The table.
        """
        return self._same_rows(preferring(self.attributes, weights, {}), self._codes, self._roles)

    def with_limits(self, **limits: int) -> Table:
        """The same table with limits on generalization: ``table.with_limits(zip=2)``.

        Parameters
        ----------
        limits:
            The highest level that may be published, by column.

        Returns
        -------
        Table
            The table.
        """
        return self._same_rows(preferring(self.attributes, {}, limits), self._codes, self._roles)

    @property
    def limits(self) -> dict[str, int]:
        """The highest level that may be published, of the columns that have one."""
        return {name: each.limit for name, each in self.attributes.items() if each.limit is not None}

    @property
    def weights(self) -> dict[str, float]:
        """The weights of the columns whose weight is not 1."""
        return {name: each.weight for name, each in self.attributes.items() if each.weight != 1}

    def recoded(self, *, kinds=None, orders=None, hierarchies=None, domains=None) -> Table:
        """The same rows, with other kinds, orders, hierarchies or declared domains for some columns.

        Parameters
        ----------
        kinds, orders, hierarchies, domains:
            As for the table itself; columns that are not named stay as they are.

        Returns
        -------
        Table
            The table.
        """
        attributes, codes = dict(self.attributes), dict(self._codes)
        given = {"kinds": kinds, "orders": orders, "hierarchies": hierarchies, "domains": domains}
        kinds, orders, hierarchies, domains = of_known_columns(given, self.attributes)
        for name in {**kinds, **orders, **hierarchies, **domains}:
            old = attributes[name]
            kind = kinds.get(name, None if name in orders else old.kind)
            order = orders.get(name, list(old.domain) if kind == "ordinal" else None)
            hierarchy = hierarchies.get(name, old.hierarchy)
            kept = old.declared if kind == old.kind else None  # edges are not values, nor vice versa
            allowed = domains.get(name, orders.get(name, kept))
            # values are few where rows are many: encode the domain again, then look the codes up
            values = old.decode(np.arange(old.size))
            fresh, place = encode(values, kind, order, hierarchy, self.counts(name), allowed)
            attributes[name] = fresh.preferring(old.weight, old.limit)
            codes[name] = place[codes[name]]
        return self._same_rows(attributes, codes, self._roles)

    def preview(self, name: str) -> pd.DataFrame:
        """What each level of a column's hierarchy does.

        Parameters
        ----------
        name:
            The column.

        Returns
        -------
        pandas.DataFrame
            For each level its labels, the rows of the rarest label, and a few examples.
        """
        codes = self.codes(name)
        return described_levels(self.attributes[name].levels, codes)

    # ---- display ----------------------------------------------------------------------------------------------

    def describe(self) -> pd.DataFrame:
        """A row per attribute: kind, roles, number of values, hierarchy."""
        return described_attributes(self.attributes, self._roles)

    def __repr__(self) -> str:
        count = len(self.columns)
        people = f" of {self.n_people:,} {'people' if self.n_people != 1 else 'person'}" * (self.person is not None)
        dropped = f", {self.dropped:,} row{'s' * (self.dropped != 1)} dropped for a missing value" * bool(self.dropped)
        title = f"Table: {len(self):,} rows{people} × {count} attribute{'s' if count != 1 else ''}{dropped}"
        return "\n".join([title, *aligned_lines(self.describe())])

    def _repr_html_(self) -> str:
        head = self.take(np.arange(min(5, len(self)))).frame
        return html_block(repr(self).splitlines()[0], self.describe().set_index("attribute"), head)


def row_numbers(rows: object, count: int) -> np.ndarray:
    """Row numbers from numbers or from a mask over ``count`` rows."""
    rows = np.asarray(rows)
    if rows.dtype != bool:
        return rows.astype(np.int64)
    if len(rows) != count:
        raise ValueError(f"the mask has {len(rows)} flags for {count} rows; give one flag per row")
    return np.flatnonzero(rows)
