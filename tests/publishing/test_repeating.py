"""Rows of the next month in boxes of the last: cells hold their values, and classes meet the requirement."""

import warnings

import numpy as np
import pandas as pd
import pytest

from anonnb import Table, privacy, utility
from anonnb.core.errors import Infeasible
from anonnb.methods import OKA, FullDomain, Mondrian
from anonnb.methods.base import no_progress
from anonnb.privacy import LDiversity, TCloseness
from anonnb.publishing.repeating import repeat


def month(draw, seed):
    """Draw rows with numbers, words, blanks and people who may come twice."""
    rows = int(draw.integers(12, 100))
    frame = pd.DataFrame(
        {
            "age": draw.integers(0, draw.integers(5, 60), rows).astype(float),
            "town": draw.choice(list("abcdef")[: draw.integers(2, 7)], rows).astype(object),
            "ill": draw.choice(["flu", "cold", "gout"], rows),
            "who": draw.integers(0, max(2, rows // draw.integers(1, 3)), rows),
        }
    )
    frame.loc[draw.random(rows) < 0.1 * (seed % 2), ["age", "town"]] = None
    return Table(frame, quasi=["age", "town"], sensitive="ill", person="who" if seed % 4 > 1 else None)


@pytest.mark.parametrize("seed", range(60))
def test_boxes_of_random_tables(seed):
    draw = np.random.default_rng(seed)
    require = [(), (LDiversity(2),), (TCloseness(0.4),)][seed % 3]
    method = [Mondrian, OKA, FullDomain][seed // 3 % 3](k=int(draw.integers(2, 5)), require=require)
    old, new = month(draw, seed), month(draw, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            release, _ = repeat(method, old, new, no_progress, boxes=True, limit=None)
        except Infeasible:
            return
    assert privacy.k(release) >= method.k
    assert utility.truthfulness(new, release) == 1
    assert len(release) + release.n_suppressed == len(new)
    rows = pd.DataFrame(
        {"class": release.groups, "who": new.people[release.rows], "ill": new["ill"].iloc[release.rows]}
    )
    assert rows.groupby("class")["who"].nunique().min() >= method.k
    shared = rows.groupby(["class", "ill"])["who"].nunique()
    everybody = rows.groupby("class")["who"].nunique()
    assert require != (LDiversity(2),) or (shared < everybody.loc[shared.index.get_level_values(0)].to_numpy()).all()
