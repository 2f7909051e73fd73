"""A table as a data steward brings it: 52,000 rows, columns of thousands of values, `anonnb report --data` and attacks.

Run: python benchmarks/bench_own_table.py [--quick]. The report is the whole command: four notebooks, a kernel for each,
two at a time on two cores. Its memory is that of the command, its workers and their kernels together, sampled five
times a second, shared pages counted once.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from common import Bench, Call, Work, main
from memory import watched

ROWS, QUICK_ROWS, K = 52_000, 2_000, 10
DATA = "columns of thousands of values"
QUASI = ["income", "postcode", "born", "occupation", "sex", "education"]
EDUCATION = ["none", "primary", "lower secondary", "upper secondary", "bachelor", "master", "doctorate"]
SEARCH_SECONDS = 60.0  # for the deep attack, which is exponential where rows overlap


def people(rows: int, seed: int = 0):
    """A frame of made-up people: about 15,000 incomes, 4,000 postcodes, 9,000 birthdays, 400 occupations."""
    import numpy as np
    import pandas as pd

    rng = np.random.default_rng(seed)
    education = np.minimum(rng.binomial(9, 0.4, rows), len(EDUCATION) - 1)
    age = rng.integers(40 * 365, 65 * 365, rows)  # in days
    occupation = (rng.zipf(1.3, rows) + 37 * education) % 400
    income = 5 * np.exp(rng.normal(8.3 + 0.12 * education + age / 50_000, 0.35)).astype(int)
    place = rng.gamma(2.0, 600.0, rows).astype(int) % 5_000
    illness = (rng.zipf(1.4, rows) + 3 * (age // (5 * 365))) % 300
    return pd.DataFrame(
        {
            "person": np.char.add("p", np.arange(rows).astype(str)),
            "income": income,
            "postcode": [f"{chr(65 + number // 200)}{number % 200:03d}" for number in place],
            "born": (np.datetime64("2025-01-01") - age).astype(str),
            "occupation": [f"O{number:03d}" for number in occupation],
            "sex": rng.choice(["female", "male"], rows),
            "education": np.array(EDUCATION)[education],
            "diagnosis": [f"{chr(65 + number // 20)}{number % 20:02d}" for number in illness],
        }
    )


def report(folder: str, rows: int) -> Work:
    """All notebooks that the command runs on somebody's file."""
    file, out, facts = Path(folder) / "people.csv", Path(folder) / "reports", {}
    people(rows).to_csv(file, index=False)
    columns = ["--quasi", ",".join(QUASI), "--sensitive", "diagnosis", "--identifier", "person"]
    command = [sys.executable, "-m", "anonnb", "report", "--data", str(file), *columns, "--out", str(out), "--fresh"]

    def run() -> None:
        with watched() as megabytes:
            subprocess.run(command, check=True, capture_output=True)
        facts["MB"] = max(megabytes)

    def quality(_: None) -> dict[str, float]:
        return {"notebooks": len(list((out / "runs").glob("*.ipynb")))}

    return Work(run, quality, rows=rows, peak_mb=lambda: facts["MB"])


def attack(folder: str, name: str, rows: int, method: str, **options) -> Work:
    """All pairs of known values, all targets; the table is read as the command reads it."""
    from anonnb import attacks, methods
    from anonnb.projects.own_table import open_table

    file = Path(folder) / "people.csv"
    people(rows).to_csv(file, index=False)
    data = open_table(file, quasi=QUASI, sensitive=["diagnosis"], decision="diagnosis", identifier=["person"])
    release = getattr(methods, method)(k=K).anonymize(data)
    trial = getattr(attacks, name)(known=2, **options)
    quality = lambda found: {"success": found.success, "attempts": found.attempts, **found.info}  # noqa: E731
    return Work(lambda: trial.run(release), quality, rows=rows)


def measure(bench: Bench) -> None:
    rows = bench.size(ROWS, QUICK_ROWS)
    whole = Call("anonnb", report, rows=rows, limit=600)
    bench.demand("report --data", DATA, whole, s=60, MB=1536, least={"notebooks": 4})
    for method in bench.some(("Mondrian", "GCCG")):
        given = {"rows": rows, "method": method}
        shallow = Call("anonnb", attack, name="ShallowAttack", **given)
        bench.demand(f"ShallowAttack on {method}, k = {K}", DATA, shallow, s=10, MB=1536)
        deep = Call("anonnb", attack, name="DeepAttack", **given, time_limit=SEARCH_SECONDS, limit=300)
        bench.demand(f"DeepAttack on {method}, k = {K}", DATA, deep, s=60, MB=1536, most={"undecided": 0})


if __name__ == "__main__":
    main(measure, __doc__)
