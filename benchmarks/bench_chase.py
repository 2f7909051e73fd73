"""How long SCIKD takes: 10,000 rows × 10 attributes with 100 random rules, then Chase on the result.

Run: python benchmarks/bench_chase.py [rows] [rules]
"""

import sys
import time

import numpy as np
import pandas as pd

from anonnb import Table
from anonnb.attacks import ChaseAttack
from anonnb.methods import ChaseProtection
from anonnb.rules import implies

ATTRIBUTES, VALUES = 10, 4


def random_case(rows: int, count: int, seed: int) -> tuple[Table, list]:
    """A random table, and random rules of one to three premises about all attributes, the secret one included."""
    rng = np.random.default_rng(seed)
    names = [f"a{number}" for number in range(ATTRIBUTES)]
    cells = rng.integers(0, VALUES, (rows, ATTRIBUTES)).astype(str)
    rules = []
    for _ in range(count):
        chosen = rng.choice(names, rng.integers(2, 5), replace=False)
        values = rng.integers(0, VALUES, len(chosen)).astype(str)
        premise = {name: value for name, value in zip(chosen[1:], values[1:], strict=True) if name != names[-1]}
        if premise:
            confidence = float(rng.choice([1.0, 0.9, 0.7, 0.5]))
            rules.append(implies(premise, {chosen[0]: values[0]}, confidence, int(rng.integers(5, 100))))
    return Table(pd.DataFrame(cells, columns=names), sensitive=[names[-1]]), rules


def main() -> None:
    rows, count = (int(word) for word in (*sys.argv[1:], "10000", "100")[:2])
    for seed in range(3):
        table, rules = random_case(rows, count, seed)
        start, cpu = time.perf_counter(), time.process_time()
        release = ChaseProtection(rules=rules).anonymize(table)
        spent, worked = time.perf_counter() - start, time.process_time() - cpu
        after = ChaseAttack(rules=rules, targets=table.sensitive).run(release)
        info = release.info
        print(
            f"seed {seed}: {rows:,} rows, {len(rules)} rules: {spent:.1f} s, {worked:.1f} s of them at work "
            f"({worked / 30:.2f} of the 30 s allowed), {info['objects']:,} objects, "
            f"{info['cells']:,} cells hidden, {info['extra']:,} of them extra, "
            f"{after.info['revealed']} secrets revealed"
        )


if __name__ == "__main__":
    main()
