"""A steward's day on large tables: init, audit, anonymize, check, compare and a report, as on the command line.

Each command runs in a process of its own; what it needs from the commands before it is made beforehand and not timed.
The report runs four notebooks, two at a time, on a table with columns of thousands of values; its memory is that of the
command, its workers and their kernels together.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import numpy as np
import pandas as pd
from child import watched
from common import Bench, Call, Work

REGISTER, SURVEY, WIDE, QUICK = 828_000, 15_000, 52_000, 500
ROLES = ["--quasi", "age,sex,zip,education,marital_status,occupation", "--sensitive", "diagnosis"]
COMMANDS = {
    "init": ["init", "people.parquet", "--force"],
    "audit": ["audit", "--project", "people.yaml"],
    "anonymize": ["anonymize", "--project", "people.yaml", "-o", "release.parquet", "--force"],
    "anonymize to CSV": ["anonymize", "--project", "people.yaml", "-o", "release.csv", "--force"],
    "check": ["check", "release.parquet", "--project", "people.yaml"],
    "compare": ["compare", "people.parquet", *ROLES, "--identifier", "patient_id", "-o", "all.csv", "--force"],
}
BEFORE = {"init": [], "compare": [], "check": ["init", "anonymize"]}  # "init" before any other
THOUSANDS = "columns of thousands of values"
QUASI = ["income", "postcode", "born", "occupation", "sex", "education"]
SEARCH_SECONDS = 60.0  # for the deep attack, which is exponential where rows overlap


def register(rows: int) -> pd.DataFrame:
    """Make rows with the columns that a register of patients has."""
    rng = np.random.default_rng(0)
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


def people(rows: int) -> pd.DataFrame:
    """Make up people: about 15,000 incomes, 4,000 postcodes, 9,000 birthdays, 400 occupations."""
    rng = np.random.default_rng(0)
    education = np.minimum(rng.binomial(9, 0.4, rows), 6)
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
            "education": np.char.add("level ", education.astype(str)),
            "diagnosis": [f"{chr(65 + number // 20)}{number % 20:02d}" for number in illness],
        }
    )


def households(rows: int) -> pd.DataFrame:
    """Make up a survey of households with 28 columns, one of which has 6,000 incomes."""
    rng = np.random.default_rng(0)
    size = rng.choice(np.arange(1, 7), rows, p=[0.3, 0.3, 0.17, 0.15, 0.06, 0.02])
    size = size[: np.searchsorted(size.cumsum(), rows) + 1]
    home = np.repeat(np.arange(len(size)), size)[:rows]

    def amounts(mean: float, count: int) -> np.ndarray:
        return np.where(rng.random(count) < 0.5, 0.0, rng.gamma(2, mean / 2, count).round(2))

    frame = {
        **{
            "db030": home + 1,
            "hsize": size[home],
            "db040": rng.choice([f"Region {n}" for n in range(9)], len(size))[home],
        },
        **{
            "rb030": np.arange(rows) + 100,
            "age": rng.integers(0, 96, rows),
            "rb090": rng.choice(["male", "female"], rows),
        },
        "pl030": rng.choice(list("1234567"), rows),
        "pb220a": rng.choice(["AT", "EU", "Other"], rows, p=[0.88, 0.05, 0.07]),
        **{f"py{number}0n": amounts(200.0 * number, rows) for number in range(1, 10)},
        **{f"hy{number}0n": amounts(100.0 * number, len(size))[home] for number in range(1, 10)},
        "eqSS": (1 + 0.5 * (size - 1))[home],
        "eqIncome": rng.lognormal(9.8, 0.5, len(size)).round(2)[home],
    }
    return pd.DataFrame(frame)


def first_hour(folder: str, rows: int) -> Work:
    """From a survey to a release with its page: init, a signature, anonymize."""
    households(rows).to_csv(Path(folder) / "people.csv", index=False)

    def run() -> int:
        drafted = exit_code(folder, ["init", "people.csv", "--force"])
        sign(folder)
        words = ["anonymize", "--project", "people.yaml", "--rows-are-people", "-o", "release.csv", "--force"]
        return drafted + exit_code(folder, words)

    return Work(run, lambda code: {"exit code": code}, rows=rows)


def sign(folder: str) -> None:
    """Sign a draft, without which nothing is published."""
    project = Path(folder) / "people.yaml"
    project.write_text(project.read_text() + "reviewed: A. Benchmark, 2026-01-31\n")


def command(folder: str, name: str, rows: int) -> Work:
    """One command, after those that it needs."""
    register(rows).to_parquet(Path(folder) / "people.parquet", index=False)
    for earlier in BEFORE.get(name, ["init"]):
        exit_code(folder, COMMANDS[earlier])
        if earlier == "init":
            sign(folder)
    return Work(lambda: exit_code(folder, COMMANDS[name]), lambda code: {"exit code": code}, rows=rows)


def exit_code(folder: str, words: list[str]) -> int:
    """Run a command in a folder, in this process, so that its memory is counted."""
    from anonnb.cli import main as anonnb

    with chdir(folder):
        try:
            anonnb(words, prog_name="anonnb")
        except SystemExit as done:
            return int(done.code or 0)


def report(folder: str, rows: int) -> Work:
    """All notebooks that the command runs on somebody's file."""
    file, out, facts = Path(folder) / "people.csv", Path(folder) / "reports", {}
    people(rows).to_csv(file, index=False)
    columns = ["--quasi", ",".join(QUASI), "--sensitive", "diagnosis", "--identifier", "person"]
    words = [sys.executable, "-m", "anonnb", "report", "--data", str(file), *columns, "--out", str(out), "--fresh"]

    def run() -> None:
        with watched() as megabytes:
            subprocess.run(words, check=True, capture_output=True)
        facts["MB"] = max(megabytes)

    count = lambda _: {"notebooks": len(list((out / "runs").glob("*.ipynb")))}  # noqa: E731
    return Work(run, count, rows=rows, peak_mb=lambda: facts["MB"])


def attack(name: str, rows: int, method: str, **options) -> Work:
    """All pairs of known values, all targets."""
    from anonnb import attacks, methods
    from anonnb.publishing.own_table import open_table

    roles = {"quasi": QUASI, "sensitive": ["diagnosis"], "decision": "diagnosis", "identifier": ["person"]}
    release = getattr(methods, method)(k=10).anonymize(open_table(people(rows), **roles))
    made = getattr(attacks, name)(known=2, **options)
    return Work(lambda: made.run(release), lambda result: {"success": result.success, **result.info}, rows=rows)


def measure(bench: Bench) -> None:
    rows = bench.size(REGISTER, QUICK)
    for name in COMMANDS:
        limits = {"s": 90 if name.startswith(("compare", "anonymize")) else 30, "MB": 1536}
        call = Call("anonnb", command, name=name, rows=rows, limit=300)
        bench.demand(name, f"register, {rows:,} rows", call, most={"exit code": 0}, **limits)
    rows = bench.size(SURVEY, QUICK)
    call = Call("anonnb", first_hour, rows=rows, limit=300)
    bench.demand("init to page", f"survey of households, {rows:,} rows", call, most={"exit code": 0}, s=60, MB=1536)
    rows = bench.size(WIDE)
    whole = Call("anonnb", report, rows=rows, limit=600)
    bench.demand("report --data", THOUSANDS, whole, s=60, MB=1536, least={"notebooks": 4})
    for method in bench.some(("Mondrian", "GCCG")):
        given = {"rows": rows, "method": method}
        shallow = Call("anonnb", attack, name="ShallowAttack", **given)
        bench.demand(f"ShallowAttack on {method}, k = 10", THOUSANDS, shallow, s=10, MB=1536)
        deep = Call("anonnb", attack, name="DeepAttack", **given, time_limit=SEARCH_SECONDS, limit=300)
        bench.demand(f"DeepAttack on {method}, k = 10", THOUSANDS, deep, s=60, MB=1536, most={"undecided": 0})
