"""Table: a DataFrame whose columns have kinds and roles, encoded once as integer codes.

Every attribute has an ordered domain of its distinct values; a cell is a code into it. A missing value has the last
code. Row and column selections share the domains, so that codes of a table and of its parts can be compared.
"""

from __future__ import annotations

import html
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.errors import Message, advice
from anonnb.core.plugins import provided
from anonnb.tables.attribute import Attribute, encode, shorten, some
from anonnb.tables.hierarchy import Hierarchy

__all__ = ["Attribute", "Table"]


class Table:
    """A table with kinds and roles.

    Parameters
    ----------
    frame:
        The data. The frame is encoded at once; later changes to it do not reach the table.
    quasi, sensitive, identifier:
        Column names by role. Identifiers are never published.
    decision:
        The class or target column; it may be sensitive too.
    kinds:
        Overrides the inferred kind: ``{"legs": "nominal"}``. Numbers and dates are numeric, an ordered Categorical is
        ordinal, everything else is nominal.
    orders:
        ``{"safety": ["low", "med", "high"]}`` makes a column ordinal with that order.
    hierarchies:
        ``{"age": Hierarchy.intervals(5, 10)}``. A nominal column with a hierarchy takes the order of its leaves, so
        that each label covers neighbours.
    missing:
        ``"value"`` (a missing value is a value of its own), ``"drop"`` (rows with one are left out) or ``"error"``.

    >>> frame = pd.DataFrame({"zip": ["a", "b", "a"], "ill": ["flu", "flu", None]})
    >>> table = Table(frame, quasi=["zip"], sensitive="ill")
    >>> table
    Table: 3 rows × 2 attributes
      zip  nominal  quasi      2 values
      ill  nominal  sensitive  1 value and missing
    >>> table.codes("ill").tolist()
    [0, 0, 1]
    """

    def __init__(
        self,
        frame: pd.DataFrame,
        *,
        quasi: Sequence[str] | str = (),
        sensitive: Sequence[str] | str = (),
        decision: str | None = None,
        identifier: Sequence[str] | str = (),
        kinds: Mapping[str, str] | None = None,
        orders: Mapping[str, Sequence] | None = None,
        hierarchies: Mapping[str, Hierarchy] | None = None,
        missing: str = "value",
    ):
        if not isinstance(frame, pd.DataFrame):
            raise TypeError(
                f"Table needs a pandas DataFrame, not {type(frame).__name__}; try Table(pd.DataFrame(data))"
            )
        if missing not in ("value", "drop", "error"):
            raise ValueError(f"missing={missing!r} is not known; use 'value', 'drop' or 'error'")
        doubled = frame.columns[frame.columns.duplicated()]
        if len(doubled):
            raise ValueError(f"column {str(doubled[0])!r} occurs more than once; rename one of them")
        frame = _without_missing(frame, missing)
        self.index = frame.index
        self._roles = Roles.of(frame.columns, quasi, sensitive, decision, identifier)
        kinds, orders, hierarchies = dict(kinds or {}), dict(orders or {}), dict(hierarchies or {})
        for option, given in (("kinds", kinds), ("orders", orders), ("hierarchies", hierarchies)):
            check_known(given, frame.columns, option)
        self.attributes: dict[str, Attribute] = {}
        self._codes: dict[str, np.ndarray] = {}
        for name in frame.columns:
            attribute, codes = encode(frame[name], kinds.get(name), orders.get(name), hierarchies.get(name))
            self.attributes[name], self._codes[name] = attribute, codes

    @staticmethod
    def from_parquet(path: str | os.PathLike | Sequence, **options) -> Any:
        """A table larger than memory, from parquet files: its rows stay on the workers of a Dask cluster.

        ``options`` are the roles and kinds as above, ``scheduler=`` and ``region_rows=``; see
        :class:`anonnb.cluster.ClusterTable`. Needs the extra ``cluster``.
        """
        return provided("anonnb.tables", "parquet")(path, **options)

    @staticmethod
    def from_dask(frame: Any, **options) -> Any:
        """The same from a Dask DataFrame."""
        return provided("anonnb.tables", "dask")(frame, **options)

    @classmethod
    def _of(cls, attributes: dict, codes: dict, roles: Roles, index: pd.Index) -> Table:
        table = cls.__new__(cls)
        table.attributes, table._codes, table._roles, table.index = attributes, codes, roles, index
        return table

    def __getstate__(self) -> dict:
        """Everything but the frame, which is made again when asked for."""
        return {name: value for name, value in vars(self).items() if name != "frame"}

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
        return list(self._roles.identifier)

    @property
    def decision(self) -> str | None:
        return self._roles.decision

    @property
    def conditions(self) -> list[str]:
        """The columns a decision can be explained by: all but identifiers and the decision."""
        return [name for name in self.columns if name != self.decision and name not in self._roles.identifier]

    def codes(self, name: str) -> np.ndarray:
        """The codes of a column (do not write into them)."""
        check_known([name], self.attributes, "column")
        return self._codes[name]

    def counts(self, name: str) -> np.ndarray:
        """How many rows have each code of a column: the distribution that groups of rows are compared with."""
        return np.bincount(self.codes(name), minlength=self.attributes[name].size)

    def code_matrix(self, names: Sequence[str] | None = None) -> np.ndarray:
        """Codes of several columns (the quasi-identifier by default) as a rows × columns array."""
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
        """The given rows (numbers in the order wanted, or a mask); the domains stay those of the whole table."""
        rows = row_numbers(rows, len(self))
        codes = {name: column[rows] for name, column in self._codes.items()}
        return Table._of(self.attributes, codes, self._roles, self.index[rows])

    def select(self, names: Sequence[str]) -> Table:
        """The given columns, in that order."""
        names = _names(names)
        check_known(names, self.attributes, "column")
        return Table._of(
            {name: self.attributes[name] for name in names},
            {name: self._codes[name] for name in names},
            self._roles.within(names),
            self.index,
        )

    def with_roles(self, **roles) -> Table:
        """The same table with other roles: ``table.with_roles(quasi=["age"], sensitive=["ill"])``.

        Roles that are not named stay, less the columns that now have another role.
        """
        unknown = set(roles) - {"quasi", "sensitive", "decision", "identifier"}
        if unknown:
            raise TypeError(f"unknown role {sorted(unknown)[0]!r}; use quasi, sensitive, decision, identifier")
        return Table._of(self.attributes, self._codes, self._roles.changed(self.columns, roles), self.index)

    def with_hierarchies(self, **hierarchies: Hierarchy) -> Table:
        """The same table with hierarchies attached: ``table.with_hierarchies(age=Hierarchy.intervals(5, 10))``."""
        return self.recoded(hierarchies=hierarchies)

    def recoded(self, *, kinds=None, orders=None, hierarchies=None) -> Table:
        """The same rows, with other kinds, orders or hierarchies for the columns named."""
        attributes, codes = dict(self.attributes), dict(self._codes)
        kinds, orders, hierarchies = dict(kinds or {}), dict(orders or {}), dict(hierarchies or {})
        for option, given in (("kinds", kinds), ("orders", orders), ("hierarchies", hierarchies)):
            check_known(given, self.attributes, option)
        for name in {**kinds, **orders, **hierarchies}:
            old = attributes[name]
            kind = kinds.get(name, None if name in orders else old.kind)
            order = orders.get(name, list(old.domain) if kind == "ordinal" else None)
            hierarchy = hierarchies.get(name, old.hierarchy)
            # values are few where rows are many: encode the domain again, then look the codes up
            values = old.decode(np.arange(old.size))
            attributes[name], place = encode(values, kind, order, hierarchy)
            codes[name] = place[codes[name]]
        return Table._of(attributes, codes, self._roles, self.index)

    def preview(self, name: str) -> pd.DataFrame:
        """What each level of a column's hierarchy does: labels, rows in the rarest one, and a few examples."""
        codes, levels = self.codes(name), self.attributes[name].levels
        rows = []
        for level, labels in enumerate(levels.labels):
            counts = np.bincount(levels.maps[level][codes], minlength=len(labels))
            rows.append((level, len(labels), int(counts[counts > 0].min(initial=len(self))), some(labels)))
        return pd.DataFrame(rows, columns=["level", "labels", "rows in the rarest", "examples"])

    # ---- looking ----------------------------------------------------------------------------------------------

    def describe(self) -> pd.DataFrame:
        """One line per attribute: kind, roles, number of values, hierarchy."""
        lines = []
        for name, attribute in self.attributes.items():
            values = f"{len(attribute.domain):,} value{'s' if len(attribute.domain) != 1 else ''}"
            values += " and missing" * attribute.missing
            height = "" if attribute.hierarchy is None else f"hierarchy of height {attribute.hierarchy.height}"
            lines.append((str(name), attribute.kind, ", ".join(self._roles.of_column(name)), values, height))
        return pd.DataFrame(lines, columns=["attribute", "kind", "role", "values", "hierarchy"])

    def __repr__(self) -> str:
        count = len(self.columns)
        lines = [f"Table: {len(self):,} rows × {count} attribute{'s' if count != 1 else ''}"]
        described = self.describe()
        described["attribute"] = [shorten(name) for name in described["attribute"]]
        widths = [max((len(cell) for cell in described[column]), default=0) for column in described]
        for line in described.itertuples(index=False):
            cells = [cell.ljust(width) for cell, width in zip(line, widths, strict=True) if width]
            lines.append("  " + "  ".join(cells).rstrip())
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        head = self.take(np.arange(min(5, len(self)))).frame
        return html_block(repr(self).splitlines()[0], self.describe().set_index("attribute"), head)


def html_block(title: str, *frames: pd.DataFrame) -> str:
    """A title and frames as HTML: names and cells are texts, so they are shortened and escaped."""

    def short(cell: object) -> object:
        return shorten(cell) if isinstance(cell, str) else cell

    tables = []
    for frame in frames:
        cells = frame.astype(object).map(short).set_axis(frame.index.map(short), axis=0)
        cells.columns = [shorten(name) for name in frame.columns]
        tables.append(cells.to_html(border=0, index_names=False))  # pandas escapes names and cells alike
    return f"<p><b>{html.escape(title)}</b></p>{''.join(tables)}"


def row_numbers(rows: object, count: int) -> np.ndarray:
    """Row numbers from numbers or from a mask over ``count`` rows."""
    rows = np.asarray(rows)
    if rows.dtype != bool:
        return rows.astype(np.int64)
    if len(rows) != count:
        raise ValueError(f"the mask has {len(rows)} flags for {count} rows; give one flag per row")
    return np.flatnonzero(rows)


@dataclass(frozen=True)
class Roles:
    quasi: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    decision: str | None = None
    identifier: tuple[str, ...] = ()

    @classmethod
    def of(cls, columns, quasi, sensitive, decision, identifier) -> Roles:
        lists = {"quasi": _names(quasi), "sensitive": _names(sensitive), "identifier": _names(identifier)}
        for role, names in lists.items():
            check_known(names, columns, role)
        if decision is not None:
            check_known([decision], columns, "decision")
        single = () if decision is None else (decision,)
        pairs = [
            ("quasi", lists["quasi"], "sensitive", lists["sensitive"]),
            ("quasi", lists["quasi"], "decision", single),
            ("quasi", lists["quasi"], "identifier", lists["identifier"]),
            ("sensitive", lists["sensitive"], "identifier", lists["identifier"]),
            ("decision", single, "identifier", lists["identifier"]),
        ]
        for first, ones, second, others in pairs:
            both = [name for name in ones if name in others]
            if both:
                raise ValueError(f"column {both[0]!r} cannot be both {first} and {second}; give it one of the roles")
        return cls(lists["quasi"], lists["sensitive"], decision, lists["identifier"])

    def within(self, names: Sequence[str]) -> Roles:
        def keep(role: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(name for name in role if name in names)

        decision = self.decision if self.decision in names else None
        return Roles(keep(self.quasi), keep(self.sensitive), decision, keep(self.identifier))

    def changed(self, columns: Sequence[str], roles: Mapping) -> Roles:
        given = {
            role: _names(names) if role != "decision" else (() if names is None else (names,))
            for role, names in roles.items()
        }
        taken = {
            role: {name for other, names in given.items() if other != role for name in names}
            - (set(given.get("decision", ())) if role == "sensitive" else set())
            - (set(given.get("sensitive", ())) if role == "decision" else set())
            for role in ("quasi", "sensitive", "decision", "identifier")
        }

        def role(name: str, old: tuple[str, ...]) -> tuple[str, ...]:
            return given.get(name, tuple(column for column in old if column not in taken[name]))

        decision = role("decision", () if self.decision is None else (self.decision,))
        return Roles.of(
            columns,
            role("quasi", self.quasi),
            role("sensitive", self.sensitive),
            decision[0] if decision else None,
            role("identifier", self.identifier),
        )

    def of_column(self, name: str) -> list[str]:
        found = [role for role in ("identifier", "quasi", "sensitive") if name in getattr(self, role)]
        return found + ["decision"] * (name == self.decision)


def _names(names: Sequence[str] | str | None) -> tuple[str, ...]:
    if names is None:
        return ()
    # a column may be called 0: any single name will do
    return tuple(dict.fromkeys(names)) if isinstance(names, Iterable) and not isinstance(names, str) else (names,)


def check_known(names: Iterable, columns: Iterable, option: str) -> None:
    columns = list(columns)
    for name in names:
        if name not in columns:
            raise KeyError(f"{option}: there is no column {name!r}; the columns are {some(columns, 20)}")


def _without_missing(frame: pd.DataFrame, missing: str) -> pd.DataFrame:
    if missing == "value":
        return frame
    absent = frame.isna()
    if missing == "drop":
        return frame[~absent.any(axis=1)]
    bad = absent.any()
    if bad.any():
        name = bad.index[bad.to_numpy()][0]
        row = int(np.argmax(absent[name].to_numpy()))
        use = advice("; use ", *remedies.MISSING_VALUES, tail=", or fill it")
        raise ValueError(Message(f"column {name!r} has a missing value in row {row}", use))
    return frame
