"""Skewness and similarity: strong beliefs about a class, by hand."""

import pandas as pd
import pytest

from anonnb import Release, Table
from anonnb.attacks import SkewnessAttack


def test_skewness_by_hand(clinic):
    table, release = clinic
    # flu is 4/6 overall; 3/3 in the first class; cold is 2/6 overall and 2/3 in the second class
    assert SkewnessAttack(belief=0.9).run(release, table).success == pytest.approx(3 / 6)
    assert SkewnessAttack(belief=0.6).run(release, table).success == pytest.approx(5 / 6)


def test_similarity_by_hand(clinic):
    table, release = clinic
    # the first class's costs 10, 11, 12 lie within 2/90 of the range
    near = SkewnessAttack(column="cost", belief=1.0, similar=0.1).run(release, table)
    assert near.success == pytest.approx(3 / 6)
    assert SkewnessAttack(column="cost", belief=1.0).run(release, table).success == 0.0


def test_a_guess_without_the_release_may_name_a_band_too():
    """Of the salaries 3 to 11 any band of 30 % of the range, 2.4, holds three of nine; a single value is one."""
    frame = pd.DataFrame({"age": [29, 22, 27, 43, 52, 47, 30, 36, 32], "salary": [3, 4, 5, 6, 11, 8, 7, 9, 10]})
    table = Table(frame, quasi=["age"], sensitive="salary")
    boxes = frame.assign(age=["[22-29]"] * 3 + ["[43-52]"] * 3 + ["[30-36]"] * 3)
    release = Release.from_frame(boxes, like=table, rows=range(9))
    assert SkewnessAttack(similar=0.3).run(release, table).baseline == pytest.approx(3 / 9)
    assert SkewnessAttack().run(release, table).baseline == pytest.approx(1 / 9)


def test_bad_parameters_are_explained():
    with pytest.raises(ValueError, match="belief"):
        SkewnessAttack(belief=2)
