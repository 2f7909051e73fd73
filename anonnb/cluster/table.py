"""ClusterTable: a table whose rows stay on the workers, as codes of a byte or two; what is here are the domains.

It is read once. Its rows are in the memory of the workers, and on their disks where that is short; what a lost worker
had is read again. Everything computed from it is the same whatever the partitions and the number of workers are.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import dask
import numpy as np
import pandas as pd
from dask.delayed import Delayed
from distributed import Client

from anonnb.cluster.clients import client_of, computed, explained, reduced
from anonnb.cluster.coding import WholeTable, check_same_families, coded, coded_whole, merged, tallied
from anonnb.cluster.reading import Files, Piece, Raw, raw
from anonnb.core import remedies
from anonnb.core.errors import Message, advice
from anonnb.core.parameters.constraints import POSITIVE
from anonnb.tables.attribute import Attribute
from anonnb.tables.hierarchies.hierarchy import Hierarchy
from anonnb.tables.roles import Roles, check_known

if TYPE_CHECKING:
    import dask.dataframe as dd

REGION_ROWS = 200_000


class ClusterTable:
    """A table on a cluster; make one with ``Table.from_parquet`` or ``Table.from_dask``.

    Parameters
    ----------
    quasi, sensitive, decision, identifier, kinds, orders, hierarchies, missing:
        As for :class:`anonnb.Table`, which also takes a ``person``: here rows are counted. Columns without a role, and
        identifiers, are not read at all.
    scheduler:
        The address of a Dask scheduler, or a Client. None takes the client in use, and starts a cluster on this machine
        where there is none. Workers elsewhere need anonnb, the files, and the folder to publish to. A scheduler without
        a worker waits for one as long as its own ``no-workers-timeout`` says.
    region_rows:
        A region of at most this many rows, or one that no cut can divide, is finished by one worker, which needs about
        a kilobyte for each row.
    client, whole, held, blocks:
        What :meth:`from_parquet` and :meth:`from_dask` make of the above; nobody else needs to.

    Examples
    --------
    >>> import dask.dataframe as dd
    >>> from anonnb import cluster
    >>> from anonnb.methods import Mondrian
    >>> frame = pd.DataFrame({"age": [20, 25, 30, 60], "ill": ["flu", "flu", "cold", "flu"]})
    >>> with cluster.local(workers=1, processes=False):
    ...     parts = dd.from_pandas(frame, npartitions=2)
    ...     table = cluster.ClusterTable.from_dask(parts, quasi=["age"], sensitive=["ill"])
    ...     print(table)
    ...     print(table.counts("ill"))
    ...     print(Mondrian(k=2).anonymize(table))
    ClusterTable: 4 rows × 2 attributes in 2 partitions
      age  numeric  quasi      4 values
      ill  nominal  sensitive  2 values
    [1 3]
    ClusterRelease by Mondrian(): 4 rows in 2 classes, smallest 2
    """

    def __init__(self, client: Client, whole: WholeTable, held: Delayed, blocks: Sequence[Delayed], region_rows: int):
        self.client, self.region_rows = client, region_rows
        self.whole, self.held, self.blocks = whole, held, list(blocks)

    # ---- ways to make one -------------------------------------------------------------------------------------

    @classmethod
    def from_dask(cls, frame: dd.DataFrame, **options: Any) -> ClusterTable:
        """Make a table from a Dask DataFrame; the options are those of the class, such as the roles."""
        import dask.dataframe as dd  # it takes a moment, and workers need it only where partitions are made of it

        if not isinstance(frame, dd.DataFrame):
            raise TypeError(f"from_dask needs a Dask DataFrame, not {type(frame).__name__}; use Table for pandas")
        names = check_names(list(frame.columns), options)
        parts = frame[names].to_delayed() if names else frame.to_delayed()
        drop = options.get("missing") == "drop"
        raws = [dask.delayed(raw, pure=False)(part, names, drop) for part in parts]
        return cls._read(raws, [f"partition {number}" for number in range(len(raws))], names, **options)

    @classmethod
    def from_parquet(cls, path: str | os.PathLike | Sequence, **options: Any) -> ClusterTable:
        """Make a table from a parquet file, a list of files, or a folder; the options are those of the class.

        >>> import tempfile
        >>> from anonnb import cluster
        >>> file = f"{tempfile.mkdtemp()}/people.parquet"
        >>> pd.DataFrame({"age": [20, 25, 30, 60]}).to_parquet(file)
        >>> with cluster.local(workers=1, processes=False):
        ...     len(cluster.ClusterTable.from_parquet(file, quasi=["age"]))
        4
        """
        files = Files(path)
        names = check_names(files.schema.names, options)
        pieces, drop = files.pieces(names), options.get("missing") == "drop"
        raws = [dask.delayed(Piece.read, pure=False)(piece, drop) for piece in pieces]
        return cls._read(raws, [repr(piece.label) for piece in pieces], names, **options)

    @classmethod
    def _read(
        cls,
        raws: Sequence[Delayed],
        labels: Sequence[str],
        names: Sequence[str],
        *,
        quasi: Sequence[str] | str = (),
        sensitive: Sequence[str] | str = (),
        decision: str | None = None,
        identifier: Sequence[str] | str = (),
        person: None = None,  # check_names refuses any
        household: None = None,
        weight: None = None,
        unit: str = "person",
        kinds: Mapping[str, str] | None = None,
        orders: Mapping[str, Sequence] | None = None,
        hierarchies: Mapping[str, Hierarchy] | None = None,
        missing: str = "value",
        scheduler: str | Client | None = None,
        region_rows: int = REGION_ROWS,
    ) -> ClusterTable:
        if missing not in ("value", "drop", "error"):
            raise ValueError(f"missing={missing!r} is not known; use 'value', 'drop' or 'error'")
        POSITIVE.validate("region_rows", region_rows)
        roles = Roles.of(names, quasi=quasi, sensitive=sensitive, decision=decision)
        client = client_of(scheduler)
        with explained():
            raws = client.persist(list(raws))
        notes = computed(client, *[dask.delayed(Raw.notes, pure=False)(part) for part in raws])
        check_same_families(notes, labels)
        absent = next((name for note in notes for name in note.missing), None)
        if missing == "error" and absent is not None:
            use = advice("; use ", *remedies.MISSING_VALUES, tail=", or fill it")
            raise ValueError(Message(f"column {absent!r} has a missing value", use))
        tallies = reduced(merged, [dask.delayed(tallied, pure=False)(part) for part in raws])
        rows = sum(note.rows for note in notes)
        both = dask.delayed(coded_whole, pure=False, nout=2)(
            tallies, rows, roles, dict(kinds or {}), dict(orders or {}), dict(hierarchies or {})
        )
        held, codings = client.persist(list(both))
        blocks = client.persist([dask.delayed(coded, pure=False)(part, held, codings) for part in raws])
        (whole,) = computed(client, held)
        return cls(client, whole, held, blocks, int(region_rows))

    person, household, weight, counted_by, unit, counted = None, None, None, None, "person", "people"
    people_repeat = False  # a cluster counts rows, see check_names

    # ---- reading ----------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return self.whole.rows

    @property
    def n_people(self) -> int:
        return len(self)

    @property
    def attributes(self) -> dict[str, Attribute]:
        return self.whole.attributes

    @property
    def columns(self) -> list[str]:
        return list(self.attributes)

    @property
    def quasi(self) -> list[str]:
        return list(self.whole.roles.quasi)

    @property
    def sensitive(self) -> list[str]:
        return list(self.whole.roles.sensitive)

    @property
    def decision(self) -> str | None:
        return self.whole.roles.decision

    def counts(self, name: str) -> np.ndarray:
        """Count the rows that have each code of a column."""
        check_known([name], self.attributes, "column")
        return self.whole.counts[name]

    def describe(self) -> pd.DataFrame:
        """Return a line per attribute: kind, roles, number of values, hierarchy."""
        return self._domains.describe()

    @property
    def _domains(self):
        """The same attributes and roles without a row."""
        return self.whole.part({name: np.empty(0, dtype=np.int32) for name in self.columns})

    def __repr__(self) -> str:
        _, *lines = repr(self._domains).splitlines()
        count, blocks = len(self.columns), len(self.blocks)
        shape = f"{len(self):,} rows × {count} attribute{'s' * (count != 1)}"
        return "\n".join([f"ClusterTable: {shape} in {blocks:,} partition{'s' * (blocks != 1)}", *lines])


def check_names(columns: Sequence[str], options: Mapping[str, Any]) -> list[str]:
    """Return the columns to read: those with a role, without the identifiers."""
    if options.get("person") is not None:
        raise ValueError(
            f"a table on a cluster counts rows, and cannot count people by person={options['person']!r}; "
            "read it into memory: Table(frame, person=…), or make one row of each person's rows first"
        )
    for role in ("household", "weight", "unit"):
        if options.get(role) not in (None, "person"):
            raise ValueError(f"a table on a cluster has no {role}; read it into memory: Table(frame, {role}=…)")
    doubled = pd.Index(columns)[pd.Index(columns).duplicated()]
    if len(doubled):
        raise ValueError(f"column {str(doubled[0])!r} occurs more than once; rename one of them")
    quasi, sensitive, identifier = (options.get(role, ()) for role in ("quasi", "sensitive", "identifier"))
    roles = Roles.of(columns, quasi=quasi, sensitive=sensitive, decision=options.get("decision"), identifier=identifier)
    for option in ("kinds", "orders", "hierarchies"):
        check_known(options.get(option) or (), columns, option)
    wanted = {*roles.quasi, *roles.sensitive, roles.decision}
    names = [name for name in columns if name in wanted]
    if not names:
        raise ValueError("no column has a role, so there is nothing to read; name the quasi-identifier: quasi=[…]")
    return names
