"""Privacy measures of raw tables beside pycanon's, and a million rows: tables, measures, memory, import."""

from __future__ import annotations

from common import Bench, Call, Work
from peers import jobs
from tables import adult, census, census_table, give, table_of

# our measure, its options where pycanon reads the paper in its own way, and pycanon's name for it
MEASURES = {
    "k": ("k", {}, "k_anonymity"),
    "(α,k)": ("alpha_k", {}, "alpha_k_anonymity"),
    "l": ("l", {}, "l_diversity"),
    "entropy l": ("entropy_l", {}, "entropy_l_diversity"),
    "recursive (c,l)": ("recursive_c_l", {"reading": "pycanon"}, "recursive_c_l_diversity"),
    "t": ("t", {}, "t_closeness"),
    "basic β": ("beta", {}, "basic_beta_likeness"),
    "enhanced β": ("beta", {"kind": "enhanced", "reading": "pycanon"}, "enhanced_beta_likeness"),
    "δ-disclosure": ("delta_disclosure", {"reading": "pycanon"}, "delta_disclosure"),
}


def one_measure(name: str, data: str, rows: int | None) -> Work:
    """One of our measures on a table that was not measured before."""
    from anonnb import privacy

    function, options, _ = MEASURES[name]
    table = table_of(data, rows)

    value = lambda found: {"value": found[0] if isinstance(found, tuple) else found}  # noqa: E731
    run = lambda fresh: getattr(privacy, function)(fresh, **options)  # noqa: E731
    return Work(run, value, lambda: table_of(data, rows), rows=len(table))


def all_measures() -> Work:
    """All nine, one call each."""
    from anonnb import privacy

    table = adult()
    calls = [(getattr(privacy, function), options) for function, options, _ in MEASURES.values()]
    return Work(lambda fresh: [call(fresh, **options) for call, options in calls], None, adult, rows=len(table))


def building(rows: int) -> Work:
    from anonnb import Table

    frame = census(rows)
    return Work(lambda: Table(frame, quasi=list(frame)[:8], sensitive="income"), rows=rows)


def house(step: str, rows: int) -> Work:
    """A step on a release whose ages are intervals, as Mondrian makes them."""
    import numpy as np

    from anonnb import Release, privacy, utility
    from anonnb.tables.value_sets import Column

    table = census_table(rows)
    groups = table.codes("age") // 10
    ages = Column.of_groups(table.attributes["age"], table.codes("age"), groups, int(groups.max()) + 1)
    steps = {
        "privacy.report": lambda release: privacy.report(release),
        "utility.ncp": lambda release: utility.ncp(table, release),
        "published": lambda release: release.published(),
    }
    return Work(steps[step], None, lambda: Release(table, {"age": ages}, np.arange(rows)), rows=rows)


def importing() -> Work:
    """``import anonnb`` in a new interpreter, less the time of an empty one."""
    import subprocess
    import sys
    import time

    def seconds(program: str) -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", program], check=True)
        return time.perf_counter() - start

    ours, empty = (lambda program=program: min(seconds(program) for _ in range(5)) for program in ("import anonnb", ""))
    return Work(lambda: seconds("import anonnb"), lambda _: {"s of import": ours() - empty()})


def measure(bench: Bench) -> None:
    rows = bench.size(30_162)
    for data in bench.some(("Adult", "car", "gbsg2")):
        table = table_of(data, rows)
        for name in bench.some(MEASURES):
            files = {"give": lambda folder, table=table: give(table, folder)}
            theirs = Call("pycanon", jobs.pycanon, name=MEASURES[name][2], peer="pycanon", **files)
            ours = Call("anonnb", one_measure, name=name, data=data, rows=rows)
            bench.compare(f"Measure {name}", data, [ours, theirs])
    bench.scale("Table", "census", building)
    bench.scale("published", "census", house, step="published")
    rows = bench.size(1_000_000)
    bench.profile("Table", "census", Call("anonnb", building, rows=rows))
    bench.profile("privacy.report", "census", Call("anonnb", house, step="privacy.report", rows=rows))
    bench.demand("all nine measures of the raw table", "Adult", Call("anonnb", all_measures), s=0.5)
    bench.demand("Table", "census", Call("anonnb", building, rows=rows), s=5, MB=1536)
    for step in ("privacy.report", "utility.ncp"):
        bench.demand(step, "census", Call("anonnb", house, step=step, rows=rows), s=5, MB=1536)
    bench.demand("import anonnb", "new interpreter", Call("anonnb", importing), most={"s of import": 0.7})
