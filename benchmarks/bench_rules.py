"""Rule induction: where the time of MLEM2 goes, and what is demanded; bench_learners.py has the peers."""

from __future__ import annotations

from common import Bench, Call, Work, main
from tables import adult


def induction(table: str, rows: int | None = None, unions: bool = False, variant: str | None = None) -> Work:
    """MLEM2 for the classes, or for all unions of classes."""
    from anonnb import load
    from anonnb.rules import imprecise_rules, mlem2

    options = {} if variant is None else {"variant": variant}
    data = adult(rows, **options) if table == "adult" else load(table)
    return Work(
        lambda: (imprecise_rules if unions else mlem2)(data), lambda rules: {"rules": len(rules)}, rows=len(data)
    )


def measure(bench: Bench) -> None:
    rows = bench.size(5_000)
    bench.profile("MLEM2", "Adult", Call("anonnb", induction, table="adult", rows=rows))
    bench.demand("all 126 unions of classes", "zoo", Call("anonnb", induction, table="zoo", unions=True), s=0.1)
    bench.demand("all 14 unions of classes", "car", Call("anonnb", induction, table="car", unions=True), s=0.2)
    rows = bench.size(30_162)
    bench.demand("MLEM2", "Adult", Call("anonnb", induction, table="adult", rows=rows), s=5)


if __name__ == "__main__":
    main(measure, __doc__)
