"""Table: a DataFrame whose columns have kinds and roles, encoded once as integer codes.

Every attribute has an ordered domain of its distinct values; a cell is a code into it. A missing value has the last
code. Row and column selections share the domains, so that codes of a table and of its parts can be compared.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd

from anonnb.core.lazy import provided
from anonnb.core.readonly import ReadOnly, ReadOnlyDict, frozen
from anonnb.core.wording import pluralize
from anonnb.tables.attribute import Attribute
from anonnb.tables.descriptions import aligned_lines, described_attributes, described_levels, html_block
from anonnb.tables.encoding import encode
from anonnb.tables.hierarchies.parsing import Written
from anonnb.tables.roles import (
    KEPT,
    ROLES,
    Roles,
    check_constant,
    check_known,
    names_of,
    of_known_columns,
    preferring,
    values_of_rows,
    warn_of_repeated_people,
    without_missing,
)

__all__ = ["Attribute", "Table"]
CACHED = frozenset({"_frame", "people", "households", "limits", "weights"})


class Table(ReadOnly):
    """A table with kinds and roles; it cannot be changed, but ``with_roles`` and its like give another one.

    Parameters
    ----------
    frame:
        The data. The frame is encoded at once; later changes to it do not affect the table.
    quasi, sensitive, identifier:
        Column names by role. Identifiers are never published; ``identifiers`` is another name for them.
    decision:
        The class or target column; it may be sensitive too.
    person:
        The column that says whose row it is, if somebody may have several rows: privacy then counts people, not rows.
        It is never published; no value of it may be missing.
    household:
        The column that says which household a row belongs to. Further names, ``["hid", "region"]``, are columns that
        must be the same for all its members.
    unit:
        Whom k counts: ``"person"`` or ``"household"``.
    weight:
        The column with survey weights: how many people of the population a row stands for. It must be positive, and the
        same for all members of a household. It is never published as it is.
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
        counts them) or ``"error"``. Only columns that have a role other than identifier matter, or all columns if none
        has such a role.

    Examples
    --------
    >>> from anonnb import Hierarchy
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
    >>> homes = Table(frame.assign(home=[1, 1, 2], w=[5, 5, 8]), quasi=["zip"], household="home", weight="w")
    >>> homes.households.tolist(), homes.row_weights.tolist(), homes.with_roles(unit="household").n_people
    ([0, 0, 1], [5.0, 5.0, 8.0], 2)
    >>> table.take([0, 2]).frame["zip"].tolist(), table.select(["ill"]).columns, table.with_roles(quasi=[]).quasi
    (['a', 'a'], ['ill'], [])
    >>> table.with_weights(zip=3).weights, table.with_hierarchies(zip=Hierarchy.flat()).with_limits(zip=0).limits
    ({'zip': 3.0}, {'zip': 0})
    >>> table.with_index(pd.Index(["x", "y", "z"])).frame.index.tolist()
    ['x', 'y', 'z']
    >>> table.recoded(orders={"zip": ["b", "a"]}).codes("zip").tolist()
    [1, 0, 1]
    >>> table.with_hierarchies(zip=Hierarchy.flat()).preview("zip")["labels"].tolist()
    [2, 1]
    """

    instead: ClassVar[str] = "table.with_roles(…), with_hierarchies, recoded, take and select give a changed one"
    of_a_whole: ClassVar[bool] = False  # some rows of a larger table, whose counts these are
    attributes: Mapping[str, Attribute]
    index: pd.Index
    dropped: int
    _codes: Mapping[str, np.ndarray]
    _roles: Roles
    _kept: Mapping[str, np.ndarray]  # person, household and weight of every row, by role

    def __init__(
        self,
        frame: pd.DataFrame,
        *,
        quasi: Sequence[str] | str = (),
        sensitive: Sequence[str] | str = (),
        decision: str | None = None,
        identifier: Sequence[str] | str = (),
        person: str | None = None,
        household: Sequence[str] | str | None = None,
        unit: str = "person",
        weight: str | None = None,
        kinds: Mapping[str, str] | None = None,
        orders: Mapping[str, Sequence] | None = None,
        hierarchies: Mapping[str, Written] | None = None,
        domains: Mapping[str, Sequence] | None = None,
        missing: str = "value",
        weights: Mapping[str, float] | None = None,
        limits: Mapping[str, int] | None = None,
        identifiers: Sequence[str] | str = (),
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
        identifier = [*names_of(identifier), *names_of(identifiers)]
        single = {"decision": decision, "person": person, "household": household, "weight": weight}
        roles = Roles.of(frame.columns, quasi=quasi, sensitive=sensitive, identifier=identifier, **single, unit=unit)
        kept = without_missing(frame, missing, roles)
        dropped, frame = len(frame) - len(kept), kept
        given = {"kinds": kinds, "orders": orders, "hierarchies": hierarchies, "domains": domains}
        kinds, orders, hierarchies, domains = of_known_columns(given, frame.columns)
        attributes: dict[str, Attribute] = {}
        codes: dict[str, np.ndarray] = {}
        for name in frame.columns:
            order, allowed = orders.get(name), domains.get(name, orders.get(name))
            attributes[name], codes[name] = encode(
                frame[name], kinds.get(name), order, hierarchies.get(name), None, allowed
            )
        self._fill(preferring(attributes, weights or {}, limits or {}), codes, roles, frame.index, dropped)
        self._check_households()
        self._warn_of_repeated_people()

    @staticmethod
    def from_parquet(path: str | os.PathLike | Sequence, **options: Any) -> Any:
        """Return a table larger than memory from parquet files, one or more, or folders of them.

        Its rows stay on the workers of a Dask cluster. It needs the extra ``cluster`` and is a
        :class:`anonnb.cluster.ClusterTable`.

        Parameters
        ----------
        path:
            One or more files or folders.
        options:
            Roles and kinds as for a table, ``scheduler`` and ``region_rows``.
        """
        return provided("anonnb.tables", "parquet")(path, **options)

    @staticmethod
    def from_dask(frame: Any, **options: Any) -> Any:
        """Return a table larger than memory from a Dask DataFrame; options as for :meth:`from_parquet`."""
        return provided("anonnb.tables", "dask")(frame, **options)

    @classmethod
    def _of(
        cls,
        attributes: Mapping[str, Attribute],
        codes: Mapping[str, np.ndarray],
        roles: Roles,
        index: pd.Index,
        kept: Mapping[str, np.ndarray] | None = None,
        dropped: int = 0,
    ) -> Self:
        """Make a table of its parts; ``kept`` has person, household and weight of each row, else ``codes`` do."""
        table = cls.__new__(cls)
        table._fill(attributes, codes, roles, index, dropped, kept)
        return table

    def _fill(
        self,
        attributes: Mapping[str, Attribute],
        codes: Mapping[str, np.ndarray],
        roles: Roles,
        index: pd.Index,
        dropped: int,
        kept: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        kept = dict(kept or {})
        for role in KEPT:
            name = getattr(roles, role)
            if role not in kept and name in codes:
                kept[role] = values_of_rows(role, attributes[name], codes[name])
        instead = "table.with_hierarchies(…), with_roles and recoded give a changed one"
        vars(self).update(
            attributes=ReadOnlyDict(attributes, "the attributes of a table", instead),
            index=index,
            dropped=dropped,
            _codes={name: frozen(column) for name, column in codes.items()},
            _roles=roles.without([role for role in KEPT if role not in kept]),
            _kept={role: frozen(values) for role, values in kept.items()},
        )

    def _same_rows(self, attributes: Mapping[str, Attribute], codes: Mapping[str, np.ndarray], roles: Roles) -> Table:
        same = {role: values for role, values in self._kept.items() if getattr(roles, role) == getattr(self, role)}
        return Table._of(attributes, codes, roles, self.index, same, self.dropped)

    def _check_households(self) -> None:
        if self.person is not None and self.weight is not None:
            check_constant("person", self._kept["person"], {self.weight: self.row_weights}, "of row {}".format)
        if self.household is None:
            return
        values = {name: self.codes(name) for name in self.household_columns}
        values |= {} if self.weight is None else {self.weight: self.row_weights}
        check_constant("household", self._kept["household"], values, self._household_label)

    def _household_label(self, row: int) -> str:
        name = self.household or ""
        return f"of row {row}" if name not in self.attributes else self.attributes[name].labels[self._codes[name][row]]

    def _warn_of_repeated_people(self) -> None:
        if self.person is None and len(self):
            names = [name for name in self._roles.identifier if name != self.household]
            warn_of_repeated_people(len(self), {name: int(np.count_nonzero(self.counts(name))) for name in names})

    def __getstate__(self) -> dict:
        """Return everything but what is cached, so that equal tables pickle (and hash on disk) alike."""
        return {name: value for name, value in vars(self).items() if name not in CACHED}

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
        """The columns that are never published as they are: identifiers, person, household and weight."""
        names = [*self._roles.identifier, self.person, self.household, self.weight]
        return list(dict.fromkeys(name for name in names if name is not None and name in self.attributes))

    @property
    def decision(self) -> str | None:
        return self._roles.decision

    @property
    def person(self) -> str | None:
        """The name of the person column; the column itself may have been left out since."""
        return self._roles.person

    @property
    def household(self) -> str | None:
        """The name of the household column, which may have been left out since."""
        return self._roles.household

    @property
    def household_columns(self) -> list[str]:
        """The columns that are the same for all members of a household."""
        return list(self._roles.household_columns)

    @property
    def weight(self) -> str | None:
        """The name of the column of survey weights, which may have been left out since."""
        return self._roles.weight

    @property
    def unit(self) -> str:
        """Whom privacy counts: ``"person"`` or ``"household"``."""
        return self._roles.unit

    @property
    def counted_by(self) -> str | None:
        """The column that says whom privacy counts, the person's or the household's; None if rows are counted."""
        return self.household if self.unit == "household" else self.person

    @property
    def counted(self) -> str:
        """Whom privacy counts, in a word: ``"people"`` or ``"households"``."""
        return "households" if self.unit == "household" else "people"

    @property
    def row_weights(self) -> np.ndarray:
        """The survey weight of every row, read-only; 1 where no weight is named."""
        return self._kept.get("weight", frozen(np.ones(len(self))))

    @cached_property
    def households(self) -> np.ndarray:
        """The number of every row's household, from 0; each row's own where no household is named."""
        return self._numbers("household")

    @cached_property
    def people(self) -> np.ndarray:
        """The number of every row's person, 0 to ``n_people`` − 1; each row's own where no person is named.

        If the unit is the household, the number of its household: everything that counts people counts households then.
        """
        return self._numbers(self.unit)

    def _numbers(self, role: str) -> np.ndarray:
        values = self._kept.get(role)
        return frozen(np.arange(len(self)) if values is None else pd.factorize(values)[0].astype(np.int64, copy=False))

    @property
    def n_people(self) -> int:
        """How many people (or households) the rows are about; the number of rows where no person is named."""
        return len(self) if self.unit not in self._kept else int(self.people.max(initial=-1)) + 1

    @property
    def people_repeat(self) -> bool:
        """Whether somebody has several rows, so that rows and people differ."""
        return self.n_people < len(self)

    @property
    def conditions(self) -> list[str]:
        """The columns that can explain a decision: all but identifiers and the decision."""
        return [name for name in self.columns if name != self.decision and name not in self.identifiers]

    def codes(self, name: str) -> np.ndarray:
        """Return the codes of a column, one per row, read-only."""
        check_known([name], self.attributes, "column")
        return self._codes[name]

    def counts(self, name: str) -> np.ndarray:
        """Return how many rows have each code of a column."""
        return np.bincount(self.codes(name), minlength=self.attributes[name].size)

    def code_matrix(self, names: Sequence[str] | None = None) -> np.ndarray:
        """Return the codes of several columns, by default the quasi-identifiers, as rows × columns."""
        names = self.quasi if names is None else list(names)
        if not names:
            return np.empty((len(self), 0), dtype=np.int32)
        return np.column_stack([self.codes(name) for name in names])

    @property
    def frame(self) -> pd.DataFrame:
        """The table as a DataFrame, dtypes and index as they came."""
        return self._frame.copy(deep=False)  # what is written into it does not come back

    @cached_property
    def _frame(self) -> pd.DataFrame:
        decoded = {name: self.attributes[name].decode(codes) for name, codes in self._codes.items()}
        return pd.DataFrame(decoded, columns=self.columns).set_axis(self.index, axis=0)

    def __getitem__(self, key):
        """Return a Series for a column name; a Table for a list of names, a slice, a mask or row numbers."""
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
        """Return one column as a Series with the table's index."""
        codes = self.codes(name)
        return self.attributes[name].decode(codes).set_axis(self.index)

    # ---- making others ----------------------------------------------------------------------------------------

    def take(self, rows: np.ndarray) -> Table:
        """Return some of the rows, given their numbers or a mask; the domains stay those of the whole table."""
        rows = row_numbers(rows, len(self))
        codes = {name: column[rows] for name, column in self._codes.items()}
        kept = {role: values[rows] for role, values in self._kept.items()}
        return Table._of(self.attributes, codes, self._roles, self.index[rows], kept)

    def select(self, names: Sequence[str]) -> Table:
        """Return some of the columns, in the order given; person, household and weight of a row stay known."""
        names = names_of(names)
        check_known(names, self.attributes, "column")
        return self._same_rows(
            {name: self.attributes[name] for name in names},
            {name: self._codes[name] for name in names},
            self._roles.within(names),
        )

    def with_roles(self, **roles: Any) -> Table:
        """Return the same table with other roles.

        Roles that are not named stay, without the columns that now have another role.

        Parameters
        ----------
        roles:
            ``quasi``, ``sensitive``, ``decision``, ``identifier``, ``person``, ``household``, ``weight`` and ``unit``,
            as for the table itself.
        """
        if "identifiers" in roles:
            roles["identifier"] = [*names_of(roles.get("identifier")), *names_of(roles.pop("identifiers"))]
        unknown = set(roles) - {*ROLES, "unit"}
        if unknown:
            raise TypeError(f"unknown role {sorted(unknown)[0]!r}; use {', '.join(ROLES)} or unit")
        table = self._same_rows(self.attributes, self._codes, self._roles.changed(self.columns, roles))
        if {"person", "household", "weight"} & set(roles):
            table._check_households()
        if "identifier" in roles:
            table._warn_of_repeated_people()
        return table

    def with_index(self, index: pd.Index) -> Table:
        """Return the same table with other row labels, one per row."""
        if len(index) != len(self):
            raise ValueError(f"the index has {len(index):,} labels for {len(self):,} rows; give one per row")
        return Table._of(self.attributes, self._codes, self._roles, index, self._kept, self.dropped)

    def with_hierarchies(self, **hierarchies: Written) -> Table:
        """Return the same table with hierarchies: ``table.with_hierarchies(age=Hierarchy.intervals(5, 10))``."""
        return self.recoded(hierarchies=hierarchies)

    def with_weights(self, **weights: float) -> Table:
        """Return the same table with other weights: ``table.with_weights(age=3)`` counts its loss three times."""
        return self._same_rows(preferring(self.attributes, weights, {}), self._codes, self._roles)

    def with_limits(self, **limits: int) -> Table:
        """Return the same table with other highest levels that may be published: ``table.with_limits(zip=2)``."""
        return self._same_rows(preferring(self.attributes, {}, limits), self._codes, self._roles)

    @cached_property
    def limits(self) -> Mapping[str, int]:
        """The highest level that may be published, for the columns that have one."""
        limits = {name: each.limit for name, each in self.attributes.items() if each.limit is not None}
        return ReadOnlyDict(limits, "the limits of a table", "table.with_limits(…) gives a changed one")

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """The weights of the columns whose weight is not 1."""
        weights = {name: each.weight for name, each in self.attributes.items() if each.weight != 1}
        return ReadOnlyDict(weights, "the weights of a table", "table.with_weights(…) gives a changed one")

    def recoded(
        self,
        *,
        kinds: Mapping[str, str] | None = None,
        orders: Mapping[str, Sequence] | None = None,
        hierarchies: Mapping[str, Written] | None = None,
        domains: Mapping[str, Sequence] | None = None,
    ) -> Table:
        """Return the same rows with other kinds, orders, hierarchies or declared domains for some columns."""
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
            attribute, recode = encode(values, kind, order, hierarchy, self.counts(name), allowed)
            attributes[name] = attribute.preferring(old.weight, old.limit)
            codes[name] = recode[codes[name]]
        return self._same_rows(attributes, codes, self._roles)

    def preview(self, name: str) -> pd.DataFrame:
        """Return a line for each level of a column's hierarchy: its labels, rows of the rarest, and examples."""
        codes = self.codes(name)
        return described_levels(self.attributes[name].levels, codes)

    # ---- display ----------------------------------------------------------------------------------------------

    def describe(self) -> pd.DataFrame:
        """Return a line per attribute: kind, roles, number of values, hierarchy."""
        return described_attributes(self.attributes, self._roles)

    def __repr__(self) -> str:
        count = len(self.columns)
        people = f" of {pluralize(self.n_people, self.unit, self.counted)}" * (self.unit in self._kept)
        dropped = f", {self.dropped:,} row{'s' * (self.dropped != 1)} dropped for a missing value" * bool(self.dropped)
        title = f"Table: {len(self):,} rows{people} × {count} attribute{'s' if count != 1 else ''}{dropped}"
        return "\n".join([title, *aligned_lines(self.describe())])

    def _repr_html_(self) -> str:
        head = self.take(np.arange(min(5, len(self)))).frame
        return html_block(repr(self).splitlines()[0], self.describe().set_index("attribute"), head)


def row_numbers(rows: object, count: int) -> np.ndarray:
    """Return row numbers, given numbers or a mask over ``count`` rows."""
    rows = np.asarray(rows)
    if rows.dtype != bool:
        return rows.astype(np.int64)
    if len(rows) != count:
        raise ValueError(f"the mask has {len(rows)} flags for {count} rows; give one flag per row")
    return np.flatnonzero(rows)
