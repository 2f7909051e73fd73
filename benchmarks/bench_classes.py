"""Counting classes: the k of a table, beside databases and data frames, from texts and from codes, on one thread.

From texts everybody starts with the strings and numbers that a file holds; from codes, with a small integer per cell,
which is what a Table keeps.
"""

from __future__ import annotations

import pickle
from pathlib import Path

from common import Bench, Call, Work, main
from peers import run_columnar
from tables import adult, census_table, grown

TABLES = ("Adult", "census", "Adult, grown")


def table_of(data: str, rows: int):
    if data == "Adult":
        return adult(rows)
    return census_table(rows) if data == "census" else grown(adult(), rows, new_values=0.05)


def frame_of(table, form: str):
    """The quasi-identifiers as they are, or as their codes."""
    import pandas as pd

    return table.frame[table.quasi] if form == "texts" else pd.DataFrame({q: table.codes(q) for q in table.quasi})


def ours(data: str, rows: int, form: str) -> Work:
    """From texts, the table is made as well; from codes, it is there, but nothing was counted of it.

    Loops are compiled, as they are wherever a method ran before; a k of less than 100,000 rows would not load numba.
    """
    import numba  # noqa: F401

    from anonnb import Table, privacy

    table = table_of(data, rows)
    quasi, frame, kept = table.quasi, frame_of(table, form), pickle.dumps(table)
    prepare = (lambda: frame) if form == "texts" else (lambda: pickle.loads(kept))
    made = (lambda given: Table(given, quasi=quasi)) if form == "texts" else (lambda given: given)

    def quality(k: int) -> dict[str, float]:
        return {"k": k, "classes": len(frame.drop_duplicates())}

    return Work(lambda given: privacy.k(made(given)), quality, prepare, rows=len(table))


def by_pandas(data: str, rows: int, form: str) -> Work:
    frame = frame_of(table_of(data, rows), form)

    def count() -> tuple[int, int]:
        sizes = frame.groupby(list(frame), observed=True, sort=False).size()
        return int(sizes.min()), len(sizes)

    return Work(count, run_columnar.told, rows=len(frame))


def give(folder: Path, data: str, rows: int, form: str) -> None:
    frame_of(table_of(data, rows), form).to_parquet(folder / "table.parquet", index=False)


def measure(bench: Bench) -> None:
    for data in bench.some(TABLES):
        rows = bench.size(30_162 if data == "Adult" else 300_000)
        for form in ("texts", "codes"):
            given = {"data": data, "rows": rows, "form": form}
            peer = {"peer": "columnar", "rows": rows, "give": lambda folder, given=given: give(folder, **given)}
            told = {"note": "keeps no codes" if form == "texts" else ""}  # ours are there for whatever comes next
            calls = [
                Call("anonnb", ours, **given),
                Call("duckdb", run_columnar.by_duckdb, **peer, **told),
                Call("polars", run_columnar.by_polars, **peer, **told),
                Call("pandas", by_pandas, **given, **told),
            ]
            bench.compare(f"Classes, from {form}", data, calls)


if __name__ == "__main__":
    main(measure, __doc__)
