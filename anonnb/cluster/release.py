"""ClusterRelease: what Mondrian made of a table on a cluster; it measures itself and publishes a folder of files.

Groups do not cross the borders of its parts, so every measure is computed part by part with the code for releases in
memory, against the distribution of the whole table, and reduced. What is published appears whole or not at all.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from operator import attrgetter
from pathlib import Path
from typing import Any

import dask
from dask.delayed import Delayed

from anonnb.cluster.clients import computed, explained
from anonnb.cluster.coding import WholeTable
from anonnb.cluster.table import ClusterTable
from anonnb.cluster.writing import Finished, Summary, publish
from anonnb.methods.mondrian.mondrian import Mondrian
from anonnb.tables.release import Release


class ClusterRelease:
    """A release whose rows stay on the workers.

    ``k``, ``n_groups`` and ``len`` are those of the whole. ``privacy.report(release)`` and ``utility.report(table,
    release)`` measure it, :meth:`publish` writes it, :meth:`part` shows a piece of it.

    Parameters
    ----------
    parts:
        A task for each piece of the release.

    Examples
    --------
    >>> import tempfile
    >>> import dask.dataframe as dd
    >>> import pandas as pd
    >>> from anonnb import cluster
    >>> parts = dd.from_pandas(pd.DataFrame({"age": [20, 25, 30, 60]}), npartitions=2)
    >>> with cluster.local(workers=1, processes=False):
    ...     release = Mondrian(k=2).anonymize(cluster.ClusterTable.from_dask(parts, quasi=["age"]))
    ...     isinstance(release, ClusterRelease), release.each(len), release.part(0).n_groups
    ...     release.each_part(lambda part, whole: f"{len(part.groups)} of {whole.rows} rows")
    ...     release.publish(f"{tempfile.mkdtemp()}/people.parquet").name
    (True, [4], 2)
    ['4 of 4 rows']
    'people.parquet'
    """

    def __init__(self, table: ClusterTable, method: Mondrian, parts: list[Delayed]):
        self.table, self.method, self.parts = table, method, parts
        self.client = table.client
        summary = dask.delayed(attrgetter("summary"), pure=False)
        self.summaries: list[Summary] = computed(self.client, *[summary(part) for part in parts])
        missing = len(table) - sum(summary.rows for summary in self.summaries)
        if missing:
            raise RuntimeError(f"{missing:,} rows got lost on the cluster; nothing was published")

    def __len__(self) -> int:
        return len(self.table)

    @property
    def n_groups(self) -> int:
        return sum(summary.classes for summary in self.summaries)

    @property
    def k(self) -> int:
        """Rows of the smallest class."""
        return min(summary.smallest for summary in self.summaries)

    def __repr__(self) -> str:
        return (
            f"ClusterRelease by {self.method}: {len(self):,} rows in {self.n_groups:,} "
            f"class{'es' * (self.n_groups != 1)}, smallest {self.k:,}"
        )

    def each(self, function: Callable, *shared: object, own: Sequence | None = None) -> list:
        """Compute ``function(release, *shared)`` of every part, where the part is.

        Parameters
        ----------
        function:
            Takes a release in memory; it must be picklable.
        shared:
            Further arguments, the same for all parts.
        own:
            Something for each part, which the function gets as its second argument.
        """
        return self.each_part(partial(_of_release, function, self.method), *shared, own=own)

    def each_part(self, function: Callable, *shared: object, own: Sequence | None = None) -> list:
        """Compute ``function(part, whole, *shared)`` of every part, where the part is; see :meth:`each`."""
        task, held = dask.delayed(function, pure=False), self.table.held
        before: list[tuple] = [()] * len(self.parts) if own is None else [(one,) for one in own]
        pairs = zip(self.parts, before, strict=True)
        return computed(self.client, *[task(part, held, *arguments, *shared) for part, arguments in pairs])

    def part(self, number: int = 0) -> Release:
        """Give one piece as a Release in memory, to look at or to attack; its table knows the counts of the whole."""
        finished, whole = computed(self.client, self.parts[number], self.table.held)
        return finished.release(self.method, whole)

    @cached_property
    def exact(self) -> list[str]:
        """The quasi-identifiers that were published as they are."""
        return [name for name in self.table.quasi if all(name in summary.exact for summary in self.summaries)]

    # ---- publishing ------------------------------------------------------------------------------------------

    def publish(self, path: str | os.PathLike) -> Path:
        """Write a folder of parquet files: quasi-identifiers, sensitive and decision columns, no identifiers.

        Rows are in an order that follows from their published content. The folder appears under its name when every
        file is written and every class counted again; when anything fails nothing is left.
        """
        with explained():
            return publish(self, Path(path).absolute())


def _of_release(function: Callable, method: Mondrian, part: Finished, whole: WholeTable, *arguments: object) -> Any:
    return function(part.release(method, whole), *arguments)
