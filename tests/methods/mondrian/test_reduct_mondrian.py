"""Mondrian on a reduct: what is published, what is suppressed."""

import numpy as np
import pandas as pd
import pytest

from anonnb import Table, load
from anonnb.methods import ReductMondrian
from anonnb.roughsets import quality
from anonnb.testing import check_method


@pytest.mark.parametrize("seed", range(40))
def test_attributes_outside_the_reduct_are_suppressed(seed):
    rng = np.random.default_rng(seed)
    rows, names = int(rng.integers(12, 41)), list("abcd")
    frame = pd.DataFrame(rng.integers(0, 3, (rows, 4)), columns=names).assign(z=rng.integers(0, 2, rows))
    table = Table(frame, quasi=names, decision="z")
    release = ReductMondrian(k=3).anonymize(table)
    kept = release.info["reduct"]
    assert release.group_sizes.min() >= 3
    assert quality(table, kept) == pytest.approx(quality(table, names))
    assert all((release.frame[name] == "*").all() for name in names if name not in kept)


def test_a_constant_decision_needs_no_attribute():
    table = load("survey").with_roles(decision="Hours")
    same = Table(table.frame.assign(Hours="40"), quasi=["Marital_status", "Sex"], decision="Hours")
    release = ReductMondrian(k=5).anonymize(same)
    assert release.info["reduct"] == []
    assert release.n_groups == 1


@pytest.mark.slow
def test_contract():
    check_method(ReductMondrian(k=3))
