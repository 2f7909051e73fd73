"""Tables side by side: what is marked is what changed, and what is left out is said."""

import numpy as np
import pytest

import anonnb
from anonnb import Release, plots
from anonnb.methods import Mondrian, Samarati


@pytest.fixture(scope="module")
def survey():
    return anonnb.load("survey").with_roles(quasi=["Marital_status", "Sex"])


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_every_changed_cell_is_framed_and_bold_and_no_other(survey):
    small = survey.take(np.arange(0, 66, 8))
    release = Mondrian(k=4).anonymize(small)
    ax = plots.before_after(small, release, columns=release.quasi)
    place = np.argsort(release.rows)
    changed = sum(
        int((Release.of(small).columns[name].texts() != release.columns[name].texts()[place]).sum())
        for name in release.quasi
    )
    assert len(ax.patches) == changed > 0
    bold = [text for text in ax.texts if text.get_weight() == "bold"]
    assert len(bold) == changed + 2 * 2 + 2  # with the names of the columns on both sides, before and after


def test_a_large_table_is_sampled_and_the_title_counts_all_of_it(survey):
    release = Samarati(k=4, max_suppressed=0).anonymize(survey)
    ax = plots.before_after(survey, release, rows=5)
    assert "5 of 66 rows, 3 of 4 columns shown; changed cells are framed and bold" in texts(ax)
    assert " of 132 quasi-identifying cells" in ax.get_title()


def test_bad_input(survey):
    release = Mondrian(k=10).anonymize(survey)
    with pytest.raises(KeyError, match="'Age' is no column of the release; choose from"):
        plots.before_after(survey, release, columns=["Age"])
    with pytest.raises(ValueError, match="made of 66 rows, the table has 10"):
        plots.before_after(survey.take(np.arange(10)), release)
    with pytest.raises(ValueError, match="linked to its original rows"):
        plots.before_after(survey, Release.from_frame(release.frame.reset_index(drop=True), like=survey))
