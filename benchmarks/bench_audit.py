"""The steward's audit of three tables of up to a million rows, beside a pandas groupby over the same combinations."""

from __future__ import annotations

from itertools import combinations

from common import Bench, Call, Work, main
from tables import adult, census_table, grown


def table_of(data: str, rows: int):
    if data == "Adult":
        return adult(rows)
    return census_table(rows) if data == "census" else grown(adult(), rows)


def audit(data: str, rows: int) -> Work:
    from anonnb import privacy

    table = table_of(data, rows)
    return Work(
        lambda fresh: privacy.audit(fresh),
        lambda found: {"singled out": found.singled_out},
        lambda: table_of(data, rows),
        rows=len(table),
    )


def by_pandas(data: str, rows: int) -> Work:
    """Which rows are alone in some combination of up to three columns: one groupby for each, over the same codes."""
    import numpy as np
    import pandas as pd

    table = table_of(data, rows)
    frame = pd.DataFrame({name: table.codes(name) for name in table.quasi})

    def singled_out():
        found = np.zeros(len(frame), dtype=bool)
        for size in (1, 2, 3):
            for names in combinations(frame.columns, size):
                found |= frame.groupby(list(names))[names[0]].transform("size").to_numpy() == 1
        return found

    return Work(singled_out, lambda found: {"singled out": int(found.sum())}, rows=len(table))


def measure(bench: Bench) -> None:
    sizes = {"Adult": bench.size(30_162), "Adult, grown": bench.size(300_000), "census": bench.size(1_000_000)}
    for data, rows in sizes.items():
        calls = [Call("anonnb", audit, data=data, rows=rows), Call("pandas", by_pandas, data=data, rows=rows)]
        bench.compare("Audit", data, calls)
    bench.demand("Audit", "Adult", Call("anonnb", audit, data="Adult", rows=sizes["Adult"]), s=2)
    bench.demand("Audit", "census", Call("anonnb", audit, data="census", rows=sizes["census"]), s=10, MB=1536)


if __name__ == "__main__":
    main(measure, __doc__)
