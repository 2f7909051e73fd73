"""A steward's day on a large table: init, audit, anonymize, check and compare of a register that is made up.

Run: python benchmarks/bench_steward.py [--quick]. Each command runs as on the command line, one process at a time; what
it needs from the commands before it is made beforehand and not timed.
"""

from __future__ import annotations

from pathlib import Path

from common import Bench, Call, Work, main

ROWS, QUICK_ROWS = 828_000, 500
COMPARING = ["--quasi", "age,sex,zip,education,marital_status,occupation", "--sensitive", "diagnosis"]
COMMANDS = {
    "init": ["init", "people.parquet", "--force"],
    "audit": ["audit", "--project", "people.yaml"],
    "anonymize": ["anonymize", "--project", "people.yaml", "-o", "release.parquet", "--force"],
    "anonymize to CSV": ["anonymize", "--project", "people.yaml", "-o", "release.csv", "--force"],
    "check": ["check", "release.parquet", "--project", "people.yaml"],
    "compare": ["compare", "people.parquet", *COMPARING, "--identifier", "patient_id", "-o", "all.csv", "--force"],
}
BEFORE = {"init": [], "compare": [], "check": ["init", "anonymize"]}  # "init" before any other
SECONDS, COMPARE_SECONDS, MEGABYTES = 30, 90, 1536


def people(rows: int, seed: int = 0):
    """Rows with the columns that a register of patients has."""
    import numpy as np
    import pandas as pd

    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "patient_id": np.char.add("p", np.arange(rows).astype(str)),
            "age": rng.binomial(95, 0.45, rows),
            "sex": rng.choice(["female", "male"], rows),
            "zip": rng.integers(10_000, 10_900, rows).astype(str),
            "education": rng.choice(["none", "school", "college", "university"], rows, p=[0.1, 0.4, 0.3, 0.2]),
            "marital_status": rng.choice(["single", "married", "widowed", "divorced"], rows),
            "occupation": rng.choice([f"job {number}" for number in range(40)], rows),
            "diagnosis": rng.choice([f"illness {number}" for number in range(60)], rows),
        }
    )


def command(folder: str, name: str, rows: int) -> Work:
    """One command, after those that it needs."""
    people(rows).to_parquet(Path(folder) / "people.parquet", index=False)
    for earlier in BEFORE.get(name, ["init"]):
        exit_code(folder, COMMANDS[earlier])
    return Work(lambda: exit_code(folder, COMMANDS[name]), lambda code: {"exit code": code}, rows=rows)


def exit_code(folder: str, words: list[str]) -> int:
    """Run a command in a folder, in this process, so that its memory is counted."""
    from contextlib import chdir

    from anonnb.cli import main as anonnb

    with chdir(folder):
        try:
            anonnb(words, prog_name="anonnb")
        except SystemExit as done:
            return int(done.code or 0)


def measure(bench: Bench) -> None:
    rows = bench.size(ROWS, QUICK_ROWS)
    for name in COMMANDS:
        call = Call("anonnb", command, name=name, rows=rows, limit=300)
        limits = {"s": COMPARE_SECONDS if name == "compare" else SECONDS, "MB": MEGABYTES}
        bench.demand(name, f"register, {rows:,} rows", call, most={"exit code": 0}, **limits)


if __name__ == "__main__":
    main(measure, __doc__)
