"""What the TPP paper states: its printed figures, and its sentences counted in ours and in invented results."""

import pandas as pd
import pytest

from anonnb.experiments import tree_preserving as experiment
from anonnb.experiments.stated.tree_preserving_claims import EQUAL, quantities, sentences
from tests.experiments.stated.printed import check_quantity, check_sentence

QUALITY, PRIVACY = experiment.stored("quality"), experiment.stored("privacy")


def held(start, quality=QUALITY, privacy=PRIVACY, protocol="inside folds", **more):
    (said,) = [each for each in sentences(quality, privacy, protocol, **more) if each.text.startswith(start)]
    return said.held


def test_every_printed_figure_is_the_papers():
    table = experiment.table_named("adult")
    kinds = {name: table.attributes[name].kind for name in table.columns if name != "income"}
    found = quantities(len(table), kinds)
    for each in found:
        check_quantity("tree preserving", each)
    assert [each.verdict for each in found] == ["close", "exact", "exact"]


@pytest.mark.parametrize("protocol", experiment.PROTOCOLS)
def test_every_verdict_follows_the_rule(protocol):
    groups = pd.DataFrame([(name, leaves, 60) for name in experiment.DATASETS for leaves in (4, 5)])
    groups.columns = ["dataset", "leaves", "k"]
    said = sentences(QUALITY, PRIVACY, protocol, groups)
    assert len({each.text for each in said}) == len(said) == 17
    for each in said:
        check_sentence(each)


def test_counts_in_the_stored_results():
    assert held("TPP has the R² of the original") == "12 of 12"
    assert held("TPP has the R² of the original", protocol="first") == "0 of 12"
    assert held("TPP always preserves") == "6 of 6"
    assert held("K of TPP is slightly worse than InfoGain's for 4 or 5 leaves (K of TPP)") == "0 of 6"


def test_slightly_worse_is_less_but_at_least_half():
    sizes = {"gbsg2": (39, 13), "diabetes": (2, 2), "adult": (119, 1)}  # K of TPP for 4 and 5 leaves
    lines = [(name, leaves, 2 * k) for name, both in sizes.items() for leaves, k in zip((4, 5), both, strict=True)]
    groups = pd.DataFrame(lines, columns=["dataset", "leaves", "k"])
    text = f"K of TPP is slightly worse than InfoGain's for 4 or 5 leaves ({EQUAL.removeprefix('InfoGain, ')})"
    assert held(text, groups=groups) == "6 of 6"
    assert held(text, groups=groups.assign(k=groups["k"] + 1)) == "0 of 6"
    assert held(text, groups=groups.assign(k=1)) == "0 of 6"


def test_a_release_that_loses_the_tree_counts():
    broken = PRIVACY.assign(same=PRIVACY["same"] & ~((PRIVACY["method"] == "TPP") & (PRIVACY["leaves"] == 3)))
    assert held("TPP always preserves", privacy=broken) == "5 of 6"
    assert held("TPP preserves the regression tree", privacy=broken) == "10 of 12"


def test_as_many_groups_as_asked_for():
    table = experiment.table_named("diabetes")
    for groups in (2, 5):
        k = experiment.coarsest_k("diabetes", groups)
        assert experiment.InfoGainMondrian(k=k, summary="mean").anonymize(table).n_groups >= groups
        assert experiment.InfoGainMondrian(k=k + 1, summary="mean").anonymize(table).n_groups < groups


@pytest.mark.slow
def test_other_learners_are_compared_for_every_release():
    found = experiment.other_learners(leaves=(2,), step=60)
    assert set(found["method"]) == set(experiment.METHODS)
    assert found["score"].between(0, 1).all()
    said = sentences(QUALITY, PRIVACY, "first", learners=found)
    assert [len(each.ours) for each in said if each.text.startswith("other mining")] == [3, 3]
