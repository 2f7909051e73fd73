"""The tables that the benchmarks share, how peers get them as files, and how their results are judged as ours are."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd

from anonnb import Hierarchy, Release, Table, load, utility
from anonnb.tables.value_sets import Column

MANY = 10  # a nominal column with as many values may get finer ones
FINER = " no. "


def adult(rows: int | None = None, **options) -> Table:
    """Load Adult, or its first rows."""
    table = load("adult", **options)
    return table if rows is None or rows >= len(table) else table.take(np.arange(rows))


def table_of(data: str, rows: int | None = None) -> Table:
    """Load or make a table by the name that records call it; ``rows`` cuts Adult, or makes what grows."""
    if data == "Adult, grown":
        return grown(adult(), rows or 10_000, new_values=0.05)
    if data == "census":
        return census_table(rows or 10_000)
    if data.startswith("Adult"):
        return adult(rows, **({"variant": "migration"} if data in ("Adult, migration", "Adult, 9 columns") else {}))
    return load(data)


def grown(table: Table, rows: int, seed: int = 0, share: float = 0.05, new_values: float = 0.0) -> Table:
    """A larger table with nearly the joint distribution of ``table``, but with values and combinations it lacks.

    Rows are drawn with replacement. Numbers move within the values around them, to numbers that may be new unless a
    hierarchy lists which there are. A ``share`` of all other cells is drawn again, from the rows that agree with theirs
    in the decision and roughly in one more column. So distinct rows keep growing with the table, as resampled ones do
    not. A share ``new_values`` of the cells of nominal columns with ten values or more gets a value that is a finer one
    of the cell's own, with the same place in its hierarchy; their number grows with the root of the rows, about.
    """
    rng = np.random.default_rng(seed)
    names = list(dict.fromkeys([*table.quasi, *table.sensitive, *([table.decision] if table.decision else [])]))
    drawn = rng.integers(len(table), size=rows)
    columns = {}
    for name in names:
        attribute = table.attributes[name]
        if attribute.is_number and attribute.kind == "numeric":
            columns[name] = _moved(table, name, table.codes(name)[drawn], rng)
        else:
            again = np.flatnonzero(rng.random(rows) < (share if name in table.quasi else 0.0))
            source = drawn.copy()
            source[again] = _alike(table, name, drawn[again], rng)
            columns[name] = attribute.domain.to_numpy()[table.codes(name)[source]]
            if new_values and name in table.quasi and attribute.kind == "nominal" and attribute.size >= MANY:
                columns[name] = _refined(columns[name], new_values, rng)
    kinds = {name: table.attributes[name].kind for name in names}
    hierarchies = {name: table.attributes[name].hierarchy for name in table.quasi}
    return Table(
        pd.DataFrame(columns),
        quasi=table.quasi,
        sensitive=table.sensitive,
        decision=table.decision,
        hierarchies={name: _with_finer(own, columns[name]) for name, own in hierarchies.items() if own is not None},
        kinds=kinds,
        orders={name: list(table.attributes[name].domain) for name in names if kinds[name] == "ordinal"},
    )


def _moved(table: Table, name: str, codes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Numbers between the values three places below and above: of those a hierarchy lists, else any of that kind."""
    attribute = table.attributes[name]
    known = np.sort(attribute.domain.to_numpy())
    places = np.searchsorted(known, attribute.domain.to_numpy())[codes]
    if attribute.hierarchy is not None and attribute.hierarchy.values is not None:
        known = np.sort(np.array(attribute.hierarchy.values, dtype=known.dtype))
        places = np.searchsorted(known, attribute.domain.to_numpy())[codes]
        return known[np.clip(places + rng.integers(-3, 4, len(codes)), 0, len(known) - 1)]
    low, high = known[np.maximum(places - 3, 0)], known[np.minimum(places + 3, len(known) - 1)]
    if known.dtype.kind in "iu":
        return rng.integers(low, high + 1)
    return np.round(rng.uniform(low, high), 3)


def _refined(values: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """Some cells with a number behind their value: small numbers often, large ones rarely, and new ones ever again."""
    chosen = np.flatnonzero(rng.random(len(values)) < share)
    numbers = np.minimum(rng.zipf(2.0, len(chosen)), 10_000)
    values = values.astype(object)
    values[chosen] = [f"{value}{FINER}{number}" for value, number in zip(values[chosen], numbers, strict=True)]
    return values


def _with_finer(hierarchy: Hierarchy, values: np.ndarray) -> Hierarchy:
    """The hierarchy with the values that ``_refined`` made, each with the groups of the value that it refines."""
    new = [value for value in pd.unique(values) if isinstance(value, str) and FINER in value]
    if not new:
        return hierarchy
    above = range(1, hierarchy.height + 1)
    rows = [(value, value.partition(FINER)[0]) for value in new] + [(value, value) for value in hierarchy.values]
    return Hierarchy.from_rows([[leaf, *(hierarchy.generalize(old, level) for level in above)] for leaf, old in rows])


def _alike(table: Table, name: str, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """For each of some rows another row with its decision and roughly its value in a column drawn for all of them."""
    other = rng.choice([column for column in table.quasi if column != name] or [name])
    rough = table.codes(other) * 4 // max(table.attributes[other].size, 1)
    rough = rough if table.decision is None else rough + 4 * table.codes(table.decision)
    order = np.argsort(rough, kind="stable")
    sizes = np.bincount(rough)
    starts = np.cumsum(sizes) - sizes
    return order[starts[rough[rows]] + rng.integers(sizes[rough[rows]])]


def census(rows: int) -> pd.DataFrame:
    """A frame like a census, not yet a table: eight quasi-identifiers of all kinds and a sensitive column."""
    rng = np.random.default_rng(0)

    def names(stem: str, count: int) -> np.ndarray:
        return np.array([f"{stem}-{number}" for number in range(count)], dtype=object)[rng.integers(0, count, rows)]

    return pd.DataFrame(
        {
            "age": rng.integers(17, 91, rows),
            "sex": names("sex", 2),
            "race": names("race", 5),
            "marital": names("marital", 7),
            "education": pd.Categorical.from_codes(rng.integers(0, 16, rows), list("abcdefghijklmnop"), ordered=True),
            "country": names("country", 41),
            "hours": rng.normal(40, 10, rows).round(1),
            "occupation": names("occupation", 14),
            "income": names("income", 2),
        }
    )


def census_table(rows: int) -> Table:
    """The census as a table."""
    frame = census(rows)
    return Table(frame, quasi=list(frame)[:8], sensitive="income")


def give(table: Table, folder: Path) -> None:
    """The quasi-identifiers and the sensitive column as table.csv, and the levels of each hierarchy, for a peer."""
    table.frame[[*table.quasi, *table.sensitive]].to_csv(folder / "table.csv", index=False)
    for number, name in enumerate(table.quasi):
        levels = table.attributes[name].levels
        texts = [np.array(labels, dtype=object)[own] for labels, own in zip(levels.labels, levels.maps, strict=True)]
        columns = [table.attributes[name].domain.astype(object), *texts[1:]]
        pd.DataFrame(dict(enumerate(columns))).to_csv(folder / f"levels-{number}.csv", index=False)


def of_groups(table: Table, groups: np.ndarray) -> Release:
    """A peer's partition as a release: in each group, every column shows the values that occur there."""
    count = int(groups.max()) + 1
    columns = {name: Column.of_groups(table.attributes[name], table.codes(name), groups, count) for name in table.quasi}
    return Release(table, columns, np.arange(len(table)))


def of_folder(table: Table, folder: Path) -> Release:
    """The same from what a peer left in its folder: a group per row, or the generalized table."""
    if (folder / "groups.json").exists():
        return of_groups(table, np.array(json.loads((folder / "groups.json").read_text(encoding="utf-8"))))
    found = pd.read_csv(folder / "found.csv", dtype=str, keep_default_na=False)
    return Release.from_frame(found, like=table.select([*table.quasi, *table.sensitive]))


def loss(table: Table, release: Release) -> dict[str, float]:
    """Information loss first; then what shows that k was kept."""
    published = release.group_sizes[release.group_sizes > 0]
    found = {"NCP": utility.ncp(table, release), "classes": release.n_groups, "smallest class": int(published.min())}
    return found | ({"suppressed rows": release.n_suppressed} if release.n_suppressed else {})
