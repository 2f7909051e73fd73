"""Tables and distances that the tests of clustering share."""

import numpy as np
import pandas as pd

from anonnb import Hierarchy, Table
from anonnb.methods.clustering.clusters import ValueDistance

PLACES = Hierarchy.from_nested({"Europe": {"North": ["SE", "NO"], "South": ["IT"]}, "Asia": {"East": ["JP", "CN"]}})


def random_table(seed, rows=None):
    rng = np.random.default_rng(seed)
    n = rows or int(rng.integers(6, 60))
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 60, n),
            "place": rng.choice(["SE", "NO", "IT", "JP", "CN"], n),
            "sex": rng.choice(["m", "f"], n),
            "ill": rng.choice(["a", "b", "c"], n),
        }
    )
    hierarchies = {"age": Hierarchy.intervals(5, 10, 20), "place": PLACES, "sex": Hierarchy.flat()}
    return Table(frame, quasi=["age", "place", "sex"], sensitive=["ill"], hierarchies=hierarchies)


def value_distances(attribute):
    distance = ValueDistance(attribute)
    return np.stack([distance(code) for code in range(attribute.size)])
