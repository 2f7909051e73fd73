"""Tables and distances that the tests of clustering share."""

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from anonnb import Hierarchy, Table
from anonnb.methods.clustering.clusters import ValueDistance

PLACES = Hierarchy.from_nested({"Europe": {"North": ["SE", "NO"], "South": ["IT"]}, "Asia": {"East": ["JP", "CN"]}})
TOWNS = {"Ulm": ["south", "*"], "Augsburg": ["south", "*"], "Kiel": ["north", "*"], "Bremen": ["north", "*"]}


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


@st.composite
def tables_with_ties(draw):
    """Few values, so that many distances are equal; a number, an order, a hierarchy and plain categories."""
    n, seed = draw(st.integers(12, 90)), draw(st.integers(0, 10_000))
    rng, few = np.random.default_rng(seed), draw(st.integers(2, 5))
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 20 + 3 * few, n),
            "place": rng.choice(list(TOWNS), n),
            "job": rng.choice(list("abcde")[:few], n),
            "size": pd.Categorical(rng.choice(list("SML"), n), list("SML"), ordered=True),
            "ill": rng.choice(["no", "flu"], n),
        }
    )
    weights = {"job": 0.3} if draw(st.booleans()) else None
    hierarchies = {"place": Hierarchy.from_dict(TOWNS)}
    quasi = ["age", "place", "job", "size"]
    return Table(frame, quasi=quasi, sensitive=["ill"], hierarchies=hierarchies, weights=weights)
