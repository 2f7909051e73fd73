"""The tables that the benchmarks share, how peers get them as files, and how their results are judged as ours are."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd

from anonnb import Release, Table, load, utility
from anonnb.tables.value_sets import Column


def adult(rows: int | None = None, **options) -> Table:
    """Adult, or its first rows."""
    table = load("adult", **options)
    return table if rows is None or rows >= len(table) else table.take(np.arange(rows))


def resampled(rows: int) -> Table:
    """Adult drawn with replacement, with noise on age, so that a large table still has many distinct rows."""
    table = load("adult")
    rng = np.random.default_rng(0)
    frame = table.frame.iloc[rng.integers(len(table), size=rows)][[*table.quasi, table.decision]].reset_index(drop=True)
    frame["age"] = (frame["age"] + rng.integers(-3, 4, size=rows)).clip(17, 90)
    hierarchies = {name: table.attributes[name].hierarchy for name in table.quasi}
    return Table(frame, quasi=table.quasi, sensitive=[table.decision], decision=table.decision, hierarchies=hierarchies)


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


def of_partition(table: Table, parts: list) -> Release:
    """The same from lists of row numbers."""
    groups = np.full(len(table), -1)
    for number, members in enumerate(parts):
        groups[np.asarray(members)] = number
    return of_groups(table, groups)


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
