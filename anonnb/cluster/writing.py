"""Publishing a release from a cluster: a folder of parquet files that appears whole or not at all.

Every part is written beside the target under its final name, by a rename, so that a task which runs twice does no harm.
The folder gets its name when all rows are there and every class, counted in the tables as written, has k rows.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from anonnb.cluster.coding import Block, WholeTable
from anonnb.core.arrays import group_ids, group_order
from anonnb.core.atomic_files import atomic_write, temporary_folder
from anonnb.core.errors import Infeasible
from anonnb.methods.mondrian.mondrian import Mondrian
from anonnb.tables.attribute import Attribute
from anonnb.tables.release import Release
from anonnb.tables.shown_columns import content_rank
from anonnb.tables.value_sets import Column

ATTEMPTS = 200  # to remove a folder that is still written to


class Summary(NamedTuple):
    """What the client keeps of one part: rows, classes, rows of the smallest class, columns of single values only."""

    rows: int
    classes: int
    smallest: int
    exact: list[str]

    @classmethod
    def of(cls, release: Release) -> Summary:
        exact = [name for name in release.quasi if release.columns[name].is_exact()]
        return cls(len(release), release.n_groups, int(release.group_sizes.min(initial=np.iinfo(np.int64).max)), exact)


@dataclass(frozen=True, eq=False)
class Finished:
    """Some complete regions, cut to the end: the codes of their rows, the group of each, and what each group publishes.

    ``columns`` have a cell per group.
    """

    block: Block
    groups: np.ndarray
    columns: dict[str, Column]
    summary: Summary | None = None

    def checked(self, method: Mondrian, whole: WholeTable) -> Finished:
        """Return the same with its summary, once it is known that it keeps the method's promise."""
        release = self.release(method, whole)
        method.promise.check(release)
        return replace(self, summary=Summary.of(release))

    def release(self, method: Mondrian, whole: WholeTable) -> Release:
        """Return these rows as a release of their own, whose table knows the counts of the whole."""
        columns = {name: column.take(self.groups) for name, column in self.columns.items()}
        return Release(whole.part(self.block), columns, np.arange(len(self.groups)), method=method)


class Parts(Protocol):
    """What publishing asks of a release on a cluster."""

    @property
    def method(self) -> Any: ...

    @property
    def parts(self) -> list: ...

    @property
    def exact(self) -> list[str]: ...

    def __len__(self) -> int: ...

    def each_part(self, function: Callable, *shared: object, own: Sequence) -> list: ...


class WrittenPart(NamedTuple):
    """A file, its rows, and those of the smallest class in it."""

    name: str
    rows: int
    smallest: int


def publish(release: Parts, path: Path) -> Path:
    """Write the parts, verify them, and only then give the folder its name."""
    if path.suffix.lower() != ".parquet":
        raise ValueError(f"cannot publish to {path.name!r}: a table on a cluster becomes a folder *.parquet")
    if path.exists():
        raise FileExistsError(f"{str(path)!r} exists already; remove it or choose another name")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {str(path.parent)!r} to publish in")
    with temporary_folder(f".{path.name}", path.parent) as folder:
        try:
            _fill(release, folder)
            folder.chmod(0o755)
            folder.rename(path)
        except BaseException:
            _remove(folder)
            raise
    return path


def _fill(release: Parts, folder: Path) -> None:
    """Write the parts into a folder and count what is in it."""
    written = write_parts(release, folder)
    rows, smallest = sum(part.rows for part in written), min(part.smallest for part in written)
    if smallest < release.method.k:
        raise Infeasible(f"{release.method}: a class has {smallest} rows as written; nothing was published")
    if rows != len(release):
        raise RuntimeError(f"{rows:,} of {len(release):,} rows were written; nothing was published")
    for stray in {*folder.iterdir()} - {folder / part.name for part in written}:
        stray.unlink()  # half a file, of a worker that was killed while writing it


def _remove(folder: Path) -> None:
    """Remove a folder into which tasks that are still running may write one more file each."""
    for _ in range(ATTEMPTS):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.05)


def write_parts(release: Parts, folder: Path) -> list[WrittenPart]:
    """Have every part written to the folder, which all workers must see."""
    names = [f"part-{number:05d}.parquet" for number in range(len(release.parts))]
    return release.each_part(write, str(folder), release.exact, own=names)


def write(part: Finished, whole: WholeTable, name: str, folder: str, exact: list[str]) -> WrittenPart:
    """Write one part, rows in the order of their published content."""
    if not Path(folder).is_dir():
        raise FileNotFoundError(f"a worker does not see the folder {folder!r}; publish where all workers can write")
    roles = whole.roles
    names = [one for one in whole.attributes if one in {*roles.quasi, *roles.sensitive, roles.decision}]
    order = content_order(part, names)
    groups, columns = part.groups[order], {}
    for one in names:
        if one not in part.columns:
            columns[one] = values(whole.attributes[one], part.block[one][order])
        elif one in exact:
            column = part.columns[one].take(groups)
            columns[one] = values(column.attribute, column.sets.lo[column.index])
        else:
            columns[one] = _labels(part.columns[one], groups)
    table = pa.table(columns)
    with atomic_write(Path(folder) / name, "wb") as file:
        pq.write_table(table, file, compression="zstd")
    return WrittenPart(name, len(order), _smallest_class(table.select(roles.quasi)))


def content_order(part: Finished, names: Sequence[str]) -> np.ndarray:
    """Return the rows in the order of what these columns show, the first column first.

    Rows of a group differ in few columns: neighboring columns that have a cell per group are ranked group by group.
    """
    order = np.arange(len(part.groups))
    for published, neighbors in groupby(reversed(names), key=part.columns.__contains__):
        some = list(neighbors)
        for rank in [_group_ranks(part, some)[part.groups]] if published else [part.block[one] for one in some]:
            order = order[group_order(rank[order], int(rank.max(initial=0)) + 1)[0]]
    return order


def _group_ranks(part: Finished, names: Sequence[str]) -> np.ndarray:
    """Return a number per group that orders groups by what these columns show, the last one first."""
    ranks = np.stack([content_rank(part.columns[name]) for name in names])
    order = np.lexsort(ranks)
    differs = (np.diff(ranks[:, order], axis=1) != 0).any(axis=0)
    result = np.empty(len(order), dtype=np.int64)
    result[order] = np.append(0, np.cumsum(differs))
    return result


def _labels(column: Column, groups: np.ndarray) -> pa.Array:
    codes, labels = pd.factorize(np.array(column.sets.labels, dtype=object))  # sets that read alike are one text
    cells = codes.astype(np.int32)[column.index]
    return pa.DictionaryArray.from_arrays(pa.array(cells[groups]), pa.array(labels, pa.string()))


def values(attribute: Attribute, codes: np.ndarray) -> pa.Array:
    """Single values in the column's own type, and texts as a dictionary; the type does not depend on the codes.

    >>> from anonnb.tables.encoding import encode
    >>> attribute, codes = encode(pd.Series([30, 25, 30], name="age"))
    >>> values(attribute, codes).to_pylist()
    [30, 25, 30]
    """
    try:
        domain = pa.array(attribute.domain, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        reason = str(error).splitlines()[0]
        raise ValueError(f"column {attribute.name!r} cannot be written to parquet ({reason}); convert it") from error
    codes = pa.array(codes.astype(np.int32), mask=codes == attribute.missing_code)
    if pa.types.is_string(domain.type) or pa.types.is_large_string(domain.type):
        return pa.DictionaryArray.from_arrays(codes, domain.cast(pa.string()))
    return domain.take(codes)


def _smallest_class(table: pa.Table) -> int:
    """Return the rows of the smallest class of a table as written: runs of equal rows are added up."""
    codes = []
    for column in table.columns:
        column = column.combine_chunks()
        column = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
        codes.append(column.indices.fill_null(-1).to_numpy(zero_copy_only=False))
    differs = np.ones(table.num_rows, dtype=bool)
    differs[1:] = np.any([column[1:] != column[:-1] for column in codes], axis=0)
    first = np.flatnonzero(differs)
    groups, count = group_ids([column[first].astype(np.int64) + 1 for column in codes])
    return int(np.bincount(groups, np.diff(first, append=table.num_rows), minlength=count).min())
