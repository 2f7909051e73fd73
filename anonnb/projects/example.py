"""A table to try things on: visits to a doctor's practice, random but seeded, with all that makes real ones awkward.

People come several times, the year of birth and the month of a visit are dates, codes are long, cells are empty, and
two columns are secrets.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

EXAMPLE_ROLES = {
    "quasi": ["born", "sex", "zip", "visited"],
    "sensitive": ["diagnosis", "charge"],
    "identifier": ["name"],
    "person": "patient",
}
_TOWNS = ("10115", "10117", "10243", "10245", "12043", "12047", "12435", "13187", "13189", "14050")
_DIAGNOSES = {"J06.9": 30, "I10.9": 22, "E11.9": 14, "M54.5": 14, "F32.1": 8, "J45.0": 7, "C50.9": 3, "B24.0": 2}


def example_visits(patients: int = 1200, seed: int = 50) -> pd.DataFrame:
    """A row per visit of ``patients`` people, one to six each; the same seed gives the same rows.

    >>> visits = example_visits()
    >>> visits.columns.tolist()
    ['patient', 'name', 'born', 'sex', 'zip', 'visited', 'diagnosis', 'charge']
    >>> visits["patient"].nunique()
    1200
    """
    draw = np.random.default_rng(seed)
    whose = np.repeat(np.arange(patients), draw.choice(np.arange(1, 7), patients, p=[0.4, 0.25, 0.15, 0.1, 0.06, 0.04]))
    born = pd.to_datetime([f"{year}-01-01" for year in 1940 + draw.binomial(70, 0.5, patients)])
    sex, town = draw.choice(["female", "male"], patients), draw.choice(_TOWNS, patients)
    first = draw.choice(["A.", "B.", "C.", "D.", "E.", "F."], patients)
    shares = np.array(list(_DIAGNOSES.values()), dtype=float)
    usual = draw.choice(list(_DIAGNOSES), patients, p=shares / shares.sum())
    again = draw.random(len(whose)) < 0.7  # most come back for the same reason
    other = draw.choice(list(_DIAGNOSES), len(whose), p=shares / shares.sum())
    frame = pd.DataFrame(
        {
            "patient": [f"P{1000 + number}" for number in whose],
            "name": [f"{first[number]} Doe {number}" for number in whose],
            "born": born[whose],
            "sex": sex[whose],
            "zip": town[whose],
            "visited": pd.to_datetime([f"2025-{month:02}-01" for month in draw.integers(1, 13, len(whose))]),
            "diagnosis": np.where(again, usual[whose], other),
            "charge": np.round(draw.lognormal(4, 0.6, len(whose))).astype(int),
        }
    )
    frame = frame.iloc[draw.permutation(len(frame))].reset_index(drop=True)
    frame.loc[draw.random(len(frame)) < 0.03, "zip"] = None
    frame.loc[draw.random(len(frame)) < 0.02, "diagnosis"] = None
    return frame
