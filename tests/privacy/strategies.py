"""Random small tables for the property tests, with and without missing values."""

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from anonnb import Hierarchy, Table

ILLNESSES = ["flu", "cold", "cough", "ulcer", "gastritis", "nausea"]
HIERARCHY = Hierarchy.from_nested(
    {"lungs": {"cold or flu": ["flu", "cold"], "other": ["cough"]}, "stomach": {"wall": ["ulcer", "gastritis"]}}
    | {"general": {"feeling": ["nausea"]}}
)


@st.composite
def tables(draw, missing: bool = False, least: int = 1):
    """Up to 14 rows of zip (nominal), age (numeric), an illness (nominal) and pay (numeric, sensitive too)."""
    rows = draw(st.integers(least, 14))
    zips = ["x", "y", None] if missing else ["x", "y"]
    ages = [20, 30, None] if missing else [20, 30, 40]

    def column(values):
        return draw(st.lists(st.sampled_from(values), min_size=rows, max_size=rows))

    frame = pd.DataFrame(
        {
            "zip": pd.Series(column(zips), dtype=object),
            "age": pd.Series(column(ages), dtype=float),
            "ill": pd.Series(column(ILLNESSES), dtype=object),
            "pay": column([3, 4, 5, 8]),
        }
    )
    return Table(frame, quasi=["zip", "age"], sensitive=["ill", "pay"], hierarchies={"ill": HIERARCHY})


@st.composite
def groupings(draw, rows: int):
    """A numbering of some of the rows into groups, of which some may be empty: (groups, n_groups, rows)."""
    chosen = np.array(draw(st.lists(st.integers(0, rows - 1), min_size=1, max_size=rows, unique=True)))
    n_groups = draw(st.integers(1, 4))
    groups = draw(st.lists(st.integers(0, n_groups - 1), min_size=len(chosen), max_size=len(chosen)))
    return np.array(groups), n_groups, chosen
