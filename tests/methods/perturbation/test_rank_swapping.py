"""Rank swapping: margins from the published text, and how far values move."""

import csv

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Table
from anonnb.methods import RankSwapping
from anonnb.methods.perturbation.rank_swapping import partners


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 9), st.sampled_from("abc")), min_size=1, max_size=40), st.integers(0, 9))
def test_every_column_holds_the_values_that_it_held(tmp_path_factory, rows, seed):
    table = Table(pd.DataFrame(rows, columns=["x", "y"]), quasi=["x", "y"])
    path = RankSwapping(percent=30, seed=seed).anonymize(table).publish(tmp_path_factory.mktemp("out") / "r.csv")
    with open(path, newline="", encoding="utf-8") as file:
        published = list(csv.DictReader(file))
    for place, name in enumerate(["x", "y"]):
        assert sorted(line[name] for line in published) == sorted(str(row[place]) for row in rows)


@settings(max_examples=60)
@given(st.integers(1, 60), st.integers(1, 20), st.integers(0, 99))
def test_partners_are_near_and_exchange_once(rows, reach, seed):
    partner = partners(rows, reach, np.random.default_rng(seed))
    assert (partner[partner] == np.arange(rows)).all()
    assert (np.abs(partner - np.arange(rows)) <= reach).all()
    alone = np.flatnonzero(partner == np.arange(rows))
    assert (np.diff(alone) > reach).all()  # two ranks without a partner within reach would have taken each other


def test_more_reach_weakens_correlations():
    rng = np.random.default_rng(0)
    x = rng.normal(size=2000)
    table = Table(pd.DataFrame({"x": x.round(3), "y": (x + rng.normal(0, 0.3, 2000)).round(3)}), quasi=["x", "y"])
    kept = [RankSwapping(percent=p).anonymize(table).frame.corr().iloc[0, 1] for p in (1, 10, 50)]
    assert kept[0] > kept[1] > kept[2]
    assert kept[0] == pytest.approx(table.frame.corr().iloc[0, 1], abs=0.02)


@given(values=st.lists(st.integers(0, 9), min_size=1, max_size=12), percent=st.sampled_from([10, 30, 100]))
def test_the_steps_are_the_exchanges_that_are_published(values, percent):
    """Each step changes two cells at most, among ranks within reach, and the last exchange leaves the release."""
    table = Table(pd.DataFrame({"x": values}), quasi=["x"])
    run = RankSwapping(percent=percent, seed=1).steps(table)
    swaps = [step for step in run if step.title.startswith(("Swap ", "Keep "))]
    before, reach = np.array(values), max(1, percent * len(values) // 100)
    for step in swaps:
        now = step.state.frame["x"].to_numpy()
        assert (now != before).sum() in (0, 2)
        assert len(step.candidates) <= reach
        assert set(step.chosen) <= set(step.candidates.index)
        before = now
    assert before.tolist() == run.result.frame["x"].tolist()
    assert run.result.frame.equals(RankSwapping(percent=percent, seed=1).anonymize(table).frame)
