"""Methods that choose cells, cuts or clusters: what is demanded of Forest and OKA, and where TopDown's time goes."""

from __future__ import annotations

from common import Bench, Call, Work, main
from tables import adult, grown, loss

K = 10


def method(name: str, rows: int, **options) -> Work:
    from anonnb import methods

    table = grown(adult(), rows)
    made = getattr(methods, name)(k=K, **options)
    return Work(lambda: made.anonymize(table), lambda release: loss(table, release), rows=rows)


def measure(bench: Bench) -> None:
    rows = bench.size(30_000)
    bench.profile(f"TopDown, k = {K}", "Adult, grown", Call("anonnb", method, name="TopDown", rows=rows))
    rows = bench.size(100_000)
    for name in bench.some(("OKA", "Forest")):
        bench.demand(f"{name}, k = {K}", "Adult, grown", Call("anonnb", method, name=name, rows=rows), s=1.5)


if __name__ == "__main__":
    main(measure, __doc__)
