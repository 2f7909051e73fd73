import pytest

import anonnb
from anonnb import plots
from anonnb.methods.cuts.k_optimize import KOptimize
from anonnb.methods.lattice.full_domain import FullDomain
from anonnb.methods.lattice.incognito import Incognito
from anonnb.methods.lattice.samarati import Samarati
from anonnb.privacy import LDiversity


@pytest.fixture
def survey():
    """The survey chapter's table on {Marital_status, Sex}."""
    return anonnb.load("survey").with_roles(quasi=["Marital_status", "Sex"])


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_the_lattice_names_every_node_and_numbers_the_checks(survey):
    release = Samarati(k=4, max_suppressed=1).anonymize(survey)
    found = texts(plots.lattice_search(release))
    assert {"⟨M0,S0⟩", "⟨M0,S1⟩", "⟨M1,S0⟩", "⟨M1,S1⟩", "⟨M2,S0⟩", "⟨M2,S1⟩"} <= set(found)
    assert sorted(text for text in found if text.isdigit()) == ["1", "2", "3"]


def test_a_lattice_that_nobody_could_read_is_refused():
    release = FullDomain(k=10).anonymize(anonnb.load("adult"))
    with pytest.raises(ValueError, match="15,360 nodes"):
        plots.lattice_search(release)


def test_intervals_have_a_column_per_attribute_and_a_gap_per_cut(survey):
    release = KOptimize(k=20).anonymize(survey)
    ax = plots.intervals(release)
    shown = texts(ax)
    assert {"Sex", "Marital_status"} <= set(shown)
    assert len(ax.patches) == len(release.info["cuts"]) + len(release.quasi)
    values = "\n".join(shown).split("\n")
    assert {"married", "divorced", "single", "F", "M"} <= set(values)  # each in full
    assert sum(int(line.removesuffix(" rows")) for line in values if line.endswith(" rows")) == 2 * len(survey)


def test_incognito_prunes_by_fewer_columns(survey):
    """⟨M0,S0⟩ lies below no node that was checked and fails: S0 fails alone."""
    reasons = {
        (): "pruned: fails on fewer columns",
        (LDiversity(2),): "pruned: fails on fewer columns, or below one that fails",
    }
    for require, reason in reasons.items():
        ax = plots.lattice_search(Incognito(k=12, require=require).anonymize(survey))
        assert reason in [text.get_text() for text in ax.get_legend().get_texts()]


def test_other_releases_are_refused(survey):
    with pytest.raises(ValueError, match="Samarati"):
        plots.lattice_search(KOptimize(k=4).anonymize(survey))
    with pytest.raises(ValueError, match="KOptimize"):
        plots.intervals(Samarati(k=4).anonymize(survey))
