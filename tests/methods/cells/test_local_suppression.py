import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Infeasible, Table, load
from anonnb.methods import LocalSuppression
from anonnb.privacy import LDiversity
from anonnb.tables.labels import HIDDEN_CELL


@st.composite
def tables(draw):
    n = draw(st.integers(1, 40))

    def column(values):
        return draw(st.lists(values, min_size=n, max_size=n))

    frame = pd.DataFrame(
        {
            "number": pd.Series(column(st.one_of(st.none(), st.integers(0, 5))), dtype="float"),
            "word": column(st.sampled_from("abc")),
            "same": ["x"] * n,
            "ill": column(st.sampled_from(["flu", "cold", "none"])),
        }
    )
    return Table(frame, quasi=draw(st.sampled_from([["number", "word", "same"], ["word"]])), sensitive="ill")


def stars(table, release):
    """Suppressed cells, counted in what is published; every other cell must be the original one."""
    count = 0
    for name in table.quasi:
        shown = release.columns[name].texts()
        original = np.array(table.attributes[name].labels, dtype=object)[table.codes(name)[release.rows]]
        assert ((shown == original) | (shown == HIDDEN_CELL)).all()
        count += int((shown != original).sum())
    return count


@pytest.mark.slow
@settings(max_examples=60)
@given(tables(), st.integers(1, 45), st.booleans())
def test_every_class_has_k_rows_and_nothing_is_generalized(table, k, diverse):
    method = LocalSuppression(k=k, require=[LDiversity(2)] if diverse else ())
    if len(table) < k or (diverse and len(set(table["ill"])) < 2):
        with pytest.raises(Infeasible):
            method.anonymize(table)
        return
    release = method.anonymize(table)
    assert len(release) == len(table)
    shown = pd.DataFrame({name: release.columns[name].texts() for name in table.quasi})
    classes = shown.groupby(table.quasi, sort=False).ngroup()
    assert classes.value_counts().min() >= k
    assert not diverse or table["ill"].reset_index(drop=True).groupby(classes).nunique().min() >= 2
    assert stars(table, release) == release.info["cost"]


def test_rows_that_are_safe_already_stay_as_they_are():
    frame = pd.DataFrame({"a": [1, 1, 1, 2, 3], "b": [1, 1, 1, 1, 1]})
    release = LocalSuppression(k=2).anonymize(Table(frame, quasi=["a", "b"]))
    assert release.frame["a"].tolist() == ["1", "1", "1", HIDDEN_CELL, HIDDEN_CELL]
    assert release.info["cost"] == 2


def test_adult_needs_fewer_stars_than_the_best_known_tool():
    table = load("adult")
    release = LocalSuppression(k=10).anonymize(table)
    assert stars(table, release) < 44_119
    assert release.group_sizes.min() >= 10


def test_sixty_columns_fall_back_on_regions():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 4, (120, 60)), columns=[f"c{i}" for i in range(60)])
    release = LocalSuppression(k=5).anonymize(Table(frame, quasi=list(frame.columns)))
    assert release.group_sizes.min() >= 5
    assert release.info["cost"] < frame.size
