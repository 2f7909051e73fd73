"""Methods that choose cells, cuts or clusters: Forest, TopDown, BottomUp and OKA, how they grow, where time goes."""

from __future__ import annotations

from common import Bench, Call, Work, main
from tables import loss, resampled

K = 10


def method(name: str, rows: int, **options) -> Work:
    from anonnb import methods

    table = resampled(rows)
    made = getattr(methods, name)(k=K, **options)
    return Work(lambda: made.anonymize(table), lambda release: loss(table, release), rows=rows)


def measure(bench: Bench) -> None:
    for name in bench.some(("TopDown", "BottomUp")):
        bench.scale(f"{name}, k = {K}", "Adult, resampled", method, name=name)
    for name in bench.some(("OKA", "Forest")):
        bench.scale(f"{name}, k = {K}", "Adult, resampled", method, sizes=(1_000, 3_000, 10_000, 100_000), name=name)
    rows = bench.size(30_000)
    bench.profile(f"TopDown, k = {K}", "Adult, resampled", Call("anonnb", method, name="TopDown", rows=rows))
    rows = bench.size(5_000)
    bench.demand(f"Forest, k = {K}", "Adult, resampled", Call("anonnb", method, name="Forest", rows=rows), s=30)


if __name__ == "__main__":
    main(measure, __doc__)
