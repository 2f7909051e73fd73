"""Training sets and samples: tests/experiments/test_inuiguchi.py has the folds."""

import anonnb
from anonnb.experiments.imprecise.samples import SAMPLE_ROWS, sample_of


def test_samples_have_15_rows_of_two_classes_or_more():
    table = anonnb.load("car")
    for sample in range(30):
        drawn = sample_of(table, sample, seed=0)
        assert len(drawn) == SAMPLE_ROWS
        assert drawn[drawn.decision].nunique() > 1
    assert not sample_of(table, 0, seed=0).frame.equals(sample_of(table, 0, seed=1).frame)
