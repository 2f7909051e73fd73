"""Tuple migration and the clustering baselines on Adult (30,169 rows, 7,647 groups) and on zoo, which is full of rules.

Wanted on Adult: UM3AR under 3 s for any k; OKA, KACA, GCCG and M3AR under 1 s. On zoo: a second for millions of new
rules. What is compiled stands beside the plain code for small tables, which publishes the same.
"""

from common import Bench, Call, Work, main
from tables import adult, grown

KS = (2, 10, 100)
LIMITS = {"UM3AR": 3, "OKA": 1, "KACA": 1, "GCCG": 1, "M3AR": 1}
PLAIN = {"KACA": "clustering.distortion", "GCCG": "clustering.clustering", "M3AR": "migration.exchanges"}
TABLES = {"Adult, migration": "adult", "Adult, 8 columns": "whole adult", "Adult, grown": "grown adult"}


def anonymized(method: str, data: str, k: int, plain: bool = False) -> Work:
    """One method on a table, by its plain code where that is asked for; the quality is the number of rules it loses."""
    from importlib import import_module

    from anonnb import methods

    if plain:
        import_module(f"anonnb.methods.{PLAIN[method]}").PLAIN = 10**9
    table, made, facts = table_of(data), methods.get(method)(k=k), ("lost_rules", "new_rules")
    return Work(
        lambda: made.anonymize(table),
        lambda release: {name.replace("_", " "): release.info[name] for name in facts},
        rows=len(table),
    )


def table_of(data: str):
    """A shipped table; Adult as the paper has it, with its eight quasi-identifiers, or a third of it with new rows."""
    import anonnb

    if data == "grown adult":
        return grown(adult(), 10_000)
    return adult(variant="migration") if data == "adult" else anonnb.load(data.removeprefix("whole "))


def measure(bench: Bench) -> None:
    for k in bench.some(KS):
        for method, seconds in LIMITS.items():
            call = Call("anonnb", anonymized, method=method, data="adult", k=k)
            bench.demand(f"{method}, k = {k}", "Adult, migration", call, s=seconds)
    for method in bench.some(PLAIN):
        for name, data in bench.some(TABLES.items()):
            of = {"method": method, "data": data, "k": 10}
            calls = [Call("anonnb", anonymized, **of), Call("anonnb, plain code", anonymized, plain=True, **of)]
            bench.compare(f"{method}, k = 10", name, calls)
    for method in ("UM3AR", "M3AR"):
        bench.demand(f"{method}, k = 5", "zoo", Call("anonnb", anonymized, method=method, data="zoo", k=5), s=1)
    if not bench.quick:
        bench.profile("M3AR, k = 10", "Adult, migration", Call("anonnb", anonymized, method="M3AR", data="adult", k=10))


if __name__ == "__main__":
    main(measure, __doc__)
