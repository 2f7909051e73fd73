"""The arena: every method against every attack on the small tables together, and the methods that scale on Adult.

Two processes at once. Which methods enter is the arena's own choice (``arena.default_methods``).
"""

from common import Bench, Call, Work, main

SMALL = ["survey", "iris", "hayes-roth", "car", "zoo", "gbsg2", "decision6", "salary5"]


def arena_of(names: list[str], k: int, jobs: int) -> Work:
    """All default methods and all attacks on some shipped tables."""
    import pandas as pd

    import anonnb
    from anonnb import arena

    tables = [anonnb.load(name) for name in names]

    def run() -> pd.DataFrame:
        return pd.concat([arena.compare(table, attacks="all", k=k, jobs=jobs) for table in tables])

    return Work(run, _counts, rows=sum(len(table) for table in tables))


def _counts(frame) -> dict[str, float]:
    """Releases and pairs of a method and an attack that gave a figure, or a reason, or neither, which must not be."""
    figures = frame[frame["value"].notna()]
    return {
        "empty": int((frame["value"].isna() & (frame["reason"].str.len() == 0) & (frame["kind"] == "attack")).sum()),
        "releases": int((figures["name"] == "made").sum()),
        "pairs": int((figures["kind"] == "attack").sum()),
        "reasons": int((frame["reason"] != "").sum()),
    }


def measure(bench: Bench) -> None:
    small = bench.some(SMALL)
    everyone = Call("anonnb", arena_of, names=small, k=5, jobs=2, limit=600)
    bench.demand("arena, all methods and attacks, k = 5", " ".join(small), everyone, most={"empty": 0}, s=180)
    if bench.quick:
        return
    scalable = Call("anonnb", arena_of, names=["adult"], k=10, jobs=2, limit=1200)
    bench.demand("arena, methods that scale, k = 10", "Adult", scalable, s=600)


if __name__ == "__main__":
    main(measure, __doc__)
