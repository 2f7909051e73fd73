"""A steward's day on a large table: init, audit, anonymize and check of generated rows, each in a process of its own.

    python benchmarks/bench_steward.py [ROWS]

Prints seconds and the most memory of every command; exits with 1 where one takes over 30 s or 1.5 GB.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

SECONDS, GIGABYTES = 30, 1.5


def people(rows: int, seed: int = 0) -> pd.DataFrame:
    """Rows with the columns that a register of patients has."""
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


def measured(*words: str) -> tuple[int, float, float]:
    """Exit code, seconds and gigabytes of a command."""
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "anonnb", *words], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    return os.waitstatus_to_exitcode(status), time.perf_counter() - start, usage.ru_maxrss / 2**20


def main(rows: int) -> int:
    worst = 0
    with tempfile.TemporaryDirectory() as folder:
        data, project, out = (str(Path(folder) / name) for name in ("people.parquet", "people.yaml", "release.parquet"))
        people(rows).to_parquet(data, index=False)
        for words in (
            ["init", data],
            ["audit", "--project", project],
            ["anonymize", "--project", project, "-o", out],
            ["check", out, "--project", project],
        ):
            code, seconds, gigabytes = measured(*words)
            print(f"{words[0]:<10} exit {code}  {seconds:6.1f} s  {gigabytes:5.2f} GB", flush=True)
            worst |= code != 0 or seconds > SECONDS or gigabytes > GIGABYTES
    return int(worst)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 828_000))
