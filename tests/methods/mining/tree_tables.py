"""Random tables for trees: numbers with ties and without, categories, orders, missing values, three targets."""

import numpy as np
import pandas as pd

from anonnb.tables.table import Table

KINDS = ("numeric", "categorical", "mixed")


def random_table(rng: np.random.Generator, kind: str, *, missing: bool = False, rows: int | None = None) -> Table:
    """A table with a class of two or three values and two numbers to predict."""
    n = int(rng.integers(5, 60)) if rows is None else rows
    numbers = {
        "few": rng.integers(0, 8, n),
        "tied": (rng.normal(50, 20, n) // 5 * 5).astype(int),
        "real": rng.lognormal(0, 2, n).round(int(rng.integers(0, 4))),
    }
    names = {
        "colour": rng.choice(list("uvwxyz")[: int(rng.integers(2, 7))], n),
        "flag": rng.choice(["yes", "no"], n),
        "size": pd.Categorical(rng.choice(["S", "M", "L", "XL"], n), categories=["S", "M", "L", "XL"], ordered=True),
    }
    chosen = {"numeric": numbers, "categorical": names, "mixed": numbers | names}[kind]
    frame = pd.DataFrame(chosen)
    if missing:
        for name in frame:
            frame[name] = frame[name].where(rng.random(n) > 0.15)
    classes = list("pqr")[: int(rng.integers(2, 4))]
    frame = frame.assign(y=rng.choice(classes, n), z=rng.integers(0, 20, n), w=rng.normal(0, 1, n))
    return Table(frame, quasi=list(chosen), decision="y", sensitive=["z"])
