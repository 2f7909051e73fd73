"""Tuple migration and the clustering baselines on Adult (30,169 rows, 7,647 groups) and on zoo, which is full of rules.

Wanted on Adult: UM3AR under 3 s for any k; OKA, KACA and GCCG under 10 s. On zoo: a second for millions of new rules.
"""

from common import Bench, Call, Work, main

KS = (2, 10, 100)
LIMITS = {"UM3AR": 3, "OKA": 10, "KACA": 10, "GCCG": 10}


def anonymized(method: str, data: str, k: int) -> Work:
    """One method on a shipped table; the quality is the number of significant rules that it loses."""
    import anonnb
    from anonnb import methods

    table = anonnb.load("adult", variant="migration") if data == "adult" else anonnb.load(data)
    made = methods.get(method)(k=k)
    facts = ("lost_rules", "new_rules")
    return Work(
        lambda: made.anonymize(table),
        lambda release: {name.replace("_", " "): release.info[name] for name in facts},
        rows=len(table),
    )


def measure(bench: Bench) -> None:
    for k in bench.some(KS):
        for method, seconds in LIMITS.items():
            call = Call("anonnb", anonymized, method=method, data="adult", k=k)
            bench.demand(f"{method}, k = {k}", "Adult, migration", call, s=seconds)
    for method in ("UM3AR", "M3AR"):
        bench.demand(f"{method}, k = 5", "zoo", Call("anonnb", anonymized, method=method, data="zoo", k=5), s=1)
    if not bench.quick:
        call = Call("anonnb", anonymized, method="M3AR", data="adult", k=10)
        bench.demand("M3AR, k = 10", "Adult, migration", call, s=1)
        bench.profile("M3AR, k = 10", "Adult, migration", call)


if __name__ == "__main__":
    main(measure, __doc__)
