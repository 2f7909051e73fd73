"""Jobs of DuckDB and polars; they run in the environment that columnar.txt describes, without anonnb, on one thread."""

from __future__ import annotations

import os
from pathlib import Path

from child import Work


def by_duckdb(folder: str, rows: int) -> Work:
    """The smallest class and the number of classes, by a query; the table is in the memory of the database."""
    import duckdb

    database = duckdb.connect()
    database.execute("SET threads = 1")
    database.execute("CREATE TABLE t AS SELECT * FROM read_parquet(?)", [str(Path(folder) / "table.parquet")])
    names = ", ".join(f'"{line[0]}"' for line in database.execute("DESCRIBE t").fetchall())
    query = f"SELECT min(n), count(*) FROM (SELECT count(*) AS n FROM t GROUP BY {names})"
    return Work(lambda: database.execute(query).fetchone(), told, rows=rows)


def by_polars(folder: str, rows: int) -> Work:
    os.environ["POLARS_MAX_THREADS"] = "1"
    import polars

    frame = polars.read_parquet(Path(folder) / "table.parquet")

    def count() -> tuple[int, int]:
        sizes = frame.group_by(frame.columns).len()["len"]
        return sizes.min(), len(sizes)

    return Work(count, told, rows=rows)


def told(found: tuple[int, int]) -> dict[str, float]:
    return {"k": found[0], "classes": found[1]}
