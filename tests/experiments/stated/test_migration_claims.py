"""What Truong (2023) states: its printed figures, and its sentences counted in invented results."""

import pandas as pd
import pytest

from anonnb.experiments import migration
from anonnb.experiments.stated.migration_claims import printed_curves, quantities, sentences
from tests.experiments.stated.printed import check_quantity, check_sentence

NAMES = ("U-M3AR", "M3AR", "OKA", "GCCG")


def invented(**changes):
    """Results in which the methods are slower, smaller and lossier in the order of their names."""
    lines = [
        (name, k, 1.0 + place - k / 100, 0.2 * place, 4.0 - place, 0.0, 0.2 * place)
        for place, name in enumerate(NAMES)
        for k in (5, 20, 30, 40)
    ]
    frame = pd.DataFrame(lines, columns=["method", "k", "seconds", "lrp", "cavg", "nrp", "drp"])
    for measure, values in changes.items():
        for (name, k), value in values.items():
            frame.loc[(frame["method"] == name) & (frame["k"] == k), measure] = value
    return frame


def found(start, results):
    (said,) = [each for each in sentences(results) if each.text.startswith(start)]
    return said.held


def test_every_printed_figure_is_the_papers():
    lines = quantities(30169, 9, 6, migration.stored("comparison"))
    assert len(lines) == 6
    for each in lines:
        check_quantity("migration", each)


def test_bounds_and_zeros_are_judged():
    by_name = {
        each.name: each.verdict
        for each in quantities(32169, 8, 6, invented(nrp={("U-M3AR", 30): 0.01, ("U-M3AR", 40): 0.2}))
    }
    assert by_name["rows of Adult"] == "exact"
    assert by_name["attributes"] == "differs"
    assert by_name["NRP, largest, k ≤ 30"] == "close"
    assert by_name["NRP, largest, k > 30"] == "differs"
    assert len(quantities(1, 1, 1, invented().query("k <= 20"))) == 5


@pytest.mark.parametrize("results", [migration.stored("comparison"), invented()], ids=["stored", "invented"])
def test_every_verdict_follows_the_rule(results):
    said = sentences(results)
    assert len({each.text for each in said}) == len(said) == 16
    if len(results) > 16:
        for each in said:
            check_sentence(each)


def test_sentences_are_counted_over_k():
    assert found("U-M3AR is faster", invented()) == "4 of 4"
    assert found("U-M3AR is faster", invented(seconds={("U-M3AR", 5): 9.0})) == "3 of 4"
    assert found("OKA is faster", invented()) == "0 of 3"
    assert found("OKA is faster", invented(seconds={("OKA", 20): 0.1})) == "1 of 3"
    assert found("GCCG takes longer", invented()) == "4 of 4"
    assert found("GCCG has the lowest", invented()) == "4 of 4"
    assert found("GCCG has the lowest", invented(cavg={("OKA", 5): 0.5})) == "3 of 4"
    assert found("U-M3AR makes some new", invented(nrp={("U-M3AR", 40): 0.1})) == "1 of 1"
    assert found("OKA and GCCG lose many", invented(lrp={("OKA", 5): 0.05})) == "7 of 8"


def test_points_of_the_curves_that_the_text_states():
    frame = printed_curves(invented())
    assert frame["paper"].eq(0).all()
    assert frame.groupby("figure").size().to_dict() == {"Figure 6: LRP": 4, "Figure 8: NRP": 3}


def test_our_remark_on_class_sizes_is_true():
    sizes = migration.stored("comparison").pivot(index="k", columns="method", values="cavg")
    assert (sizes["OKA"] < sizes[["U-M3AR", "M3AR", "GCCG"]].min(axis=1)).all()
