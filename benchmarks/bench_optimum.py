"""Bounds, exact optima and polished groups: what is promised of their time, and what polishing wins on Adult."""

from __future__ import annotations

from common import Bench, Call, Work, main
from tables import loss

K = 10


def optimum_of(k: int, rows: int = 100) -> Work:
    """The proved optimum of rows of Adult with four columns."""
    import numpy as np

    from anonnb import load, optimum

    chosen = np.sort(np.random.default_rng(0).permutation(30_162)[:rows])
    table = load("adult").take(chosen).with_roles(quasi=["age", "education", "marital-status", "sex"])
    return Work(
        lambda: optimum.best(table, k),
        lambda found: {"NCP": found.value, "least": found.least, "proved": float(found.proved)},
        rows=rows,
    )


def mondrian(polish: bool, rows: int) -> Work:
    import numpy as np

    from anonnb import load
    from anonnb.methods import Mondrian

    table = load("adult")
    table = table if rows >= len(table) else table.take(np.linspace(0, len(table) - 1, rows).astype(int))
    made = Mondrian(k=K, cut="loss", polish=polish)
    return Work(lambda: made.anonymize(table), lambda release: loss(table, release), rows=rows)


def measure(bench: Bench) -> None:
    for k in bench.some((2, 3, 4, 5)):
        call = Call("anonnb", optimum_of, k=k)
        bench.demand(f"exact optimum, k = {k}", "Adult, 100 rows, 4 columns", call, s=60, least={"proved": 1.0})
    rows = bench.size(30_162)
    polished, plain = (Call(name, mondrian, polish=name == "anonnb", rows=rows) for name in ("anonnb", "no polish"))
    bench.compare(f"Mondrian by loss, k = {K}, polished", "Adult", [polished, plain])
    most = {} if bench.quick else {"NCP": 0.035}
    bench.demand(f"Mondrian by loss, k = {K}, polished", "Adult", polished, s=10, most=most)


if __name__ == "__main__":
    main(measure, __doc__)
