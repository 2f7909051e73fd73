"""Pattern tables and attacks: what was demanded of them, and where the time of linkage goes."""

from __future__ import annotations

from common import Bench, Call, Work, main
from tables import adult, grown


def patterns(variant: str) -> Work:
    """From rules to patterns; the rules are induced before."""
    from anonnb import load
    from anonnb.methods import PatternTable
    from anonnb.rules import imprecise_rules

    car = load("car")
    method = PatternTable(k=5, variant=variant, rules=imprecise_rules(car, 5))
    return Work(lambda: method.anonymize(car), lambda release: {"patterns": len(release)}, rows=len(car))


def patterns_of_adult(k: int) -> Work:
    """With the rules, as somebody without any gets them."""
    from anonnb.methods import PatternTable

    data = adult()
    return Work(lambda: PatternTable(k=k).anonymize(data), lambda release: {"patterns": len(release)}, rows=len(data))


def shallow(table: str, method: str, k: int, rows: int | None = None) -> Work:
    """All pairs of known values, all targets."""
    from anonnb import load, methods
    from anonnb.attacks import ShallowAttack

    data = load(table) if rows is None else grown(load(table), rows)
    release = getattr(methods, method)(k=k).anonymize(data)
    quality = lambda result: {"success": result.success, "attempts": result.attempts}  # noqa: E731
    return Work(lambda: ShallowAttack(known=2).run(release), quality, rows=len(data))


def linkage(rows: int) -> Work:
    """Everybody against a Mondrian release, the whole quasi-identifier known."""
    from anonnb.attacks import LinkageAttack
    from anonnb.methods import Mondrian

    data = adult(rows)
    release = Mondrian(10).anonymize(data)
    return Work(lambda: LinkageAttack().run(release), lambda result: {"success": result.success}, rows=len(data))


def nearest(rows: int) -> Work:
    """Everybody against single values that need not be true: those who fit no row look for the nearest ones."""
    from anonnb import load
    from anonnb.attacks import LinkageAttack
    from anonnb.methods import PRAM

    data = grown(load("adult"), rows, new_values=0.05)
    release = PRAM(seed=1).anonymize(data)
    return Work(lambda: LinkageAttack().run(release), lambda result: {"success": result.success}, rows=len(data))


def measure(bench: Bench) -> None:
    given = {"table": "adult", "method": "Mondrian", "k": 10}
    rows = bench.size(30_162)
    bench.profile("LinkageAttack on Mondrian, k = 10", "Adult", Call("anonnb", linkage, rows=rows))
    for variant in bench.some(("cT1", "cT4")):
        bench.demand(f"PatternTable {variant}, k = 5", "car", Call("anonnb", patterns, variant=variant), s=0.3)
    for method in bench.some(("PatternTable", "ClassMondrian", "Mondrian")):
        call = Call("anonnb", shallow, table="zoo", method=method, k=5)
        bench.demand(f"ShallowAttack on {method}, k = 5", "zoo", call, s=0.2)
    bench.demand("ShallowAttack on Mondrian, k = 10", "Adult", Call("anonnb", shallow, **given), s=2)
    if not bench.quick:
        bench.demand("PatternTable cT1, k = 10", "Adult", Call("anonnb", patterns_of_adult, k=10, limit=60), s=10)
    million = Call("anonnb", shallow, **given, rows=bench.size(1_000_000))
    bench.demand("ShallowAttack on Mondrian, k = 10", "Adult, grown", million, s=5)
    million = Call("anonnb", nearest, rows=bench.size(1_000_000))
    bench.demand("LinkageAttack on PRAM", "Adult, grown", million, s=10)


if __name__ == "__main__":
    main(measure, __doc__)
