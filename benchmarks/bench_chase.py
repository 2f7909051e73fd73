"""Protection against Chase: random rules about a random table, how it grows, and that nothing is revealed."""

from __future__ import annotations

import numpy as np
import pandas as pd
from common import Bench, Call, Work, main

ATTRIBUTES, VALUES, RULES = 10, 4, 100


def random_case(rows: int, seed: int):
    """A random table, and random rules of one to three premises about all attributes, the secret one included."""
    from anonnb import Table
    from anonnb.rules import implies

    rng = np.random.default_rng(seed)
    names = [f"a{number}" for number in range(ATTRIBUTES)]
    cells = rng.integers(0, VALUES, (rows, ATTRIBUTES)).astype(str)
    rules = []
    for _ in range(RULES):
        chosen = rng.choice(names, rng.integers(2, 5), replace=False)
        values = rng.integers(0, VALUES, len(chosen)).astype(str)
        premise = {name: value for name, value in zip(chosen[1:], values[1:], strict=True) if name != names[-1]}
        if premise:
            confidence = float(rng.choice([1.0, 0.9, 0.7, 0.5]))
            rules.append(implies(premise, {chosen[0]: values[0]}, confidence, int(rng.integers(5, 100))))
    return Table(pd.DataFrame(cells, columns=names), sensitive=[names[-1]]), rules


def protection(rows: int, seed: int = 0) -> Work:
    from anonnb.attacks import ChaseAttack
    from anonnb.methods import ChaseProtection

    table, rules = random_case(rows, seed)

    def quality(release) -> dict[str, float]:
        after = ChaseAttack(rules=rules, targets=table.sensitive).run(release)
        return {"revealed": after.info["revealed"], "cells hidden": release.info["cells"]}

    return Work(lambda: ChaseProtection(rules=rules).anonymize(table), quality, rows=rows)


def measure(bench: Bench) -> None:
    bench.scale("ChaseProtection, 100 rules", "random", protection, sizes=(1_000, 3_000, 10_000))
    rows = bench.size(10_000, quick=1_000)
    bench.profile("ChaseProtection, 100 rules", "random", Call("anonnb", protection, rows=bench.size(2_000)))
    for seed in bench.some(range(3)):
        call = Call("anonnb", protection, rows=rows, seed=seed)
        bench.demand(f"ChaseProtection, 100 rules, seed {seed}", "random", call, s=1, most={"revealed": 0})


if __name__ == "__main__":
    main(measure, __doc__)
