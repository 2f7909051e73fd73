"""The worked example of the SCIKD paper (object x1, λ = 1/5), and random incomplete tables with rules."""

import numpy as np
import pandas as pd

from anonnb.experiments.chase_experiment import worked_example
from anonnb.rules import implies
from anonnb.tables.incomplete_table import IncompleteTable


def example_rules():
    return worked_example()[1]


def example_system():
    return worked_example()[0]


def random_cell(rng, values):
    kind = rng.random()
    if kind < 0.15:
        return None
    if kind < 0.3:
        first, second = rng.choice(values, 2, replace=False)
        weight = rng.choice([0.25, 0.5, 0.75])
        return f"{first} {weight} | {second} {1 - weight}"
    return str(rng.choice(values))


def random_case(seed, rows=4):
    """A random incomplete table with the attributes a to e and the secret s, and random rules about all of them."""
    rng = np.random.default_rng(seed)
    names = list("abcdes")
    frame = pd.DataFrame(
        {name: [random_cell(rng, [f"{name}{n}" for n in range(3)]) for _ in range(rows)] for name in names}
    )
    rules = []
    for _ in range(int(rng.integers(1, 14))):
        end, *start = rng.choice(names, int(rng.integers(2, 5)), replace=False)
        premise = {name: f"{name}{rng.integers(0, 2)}" for name in start if name != "s"}
        if premise:
            sure, support = float(rng.choice([1, 0.9, 0.6, 0.3])), int(rng.integers(1, 20))
            rules.append(implies(premise, {end: f"{end}{rng.integers(0, 2)}"}, sure, support))
    return IncompleteTable.from_frame(frame), rules, float(rng.choice([0.1, 0.2, 0.4, 0.7]))
