"""The sentences of the paper, counted: in invented figures, in the printed ones; and what their remarks say."""

import pytest

from anonnb.experiments import inuiguchi
from anonnb.experiments.imprecise.paper_sentences import STATED, paper_sentences

PRINTED = {f"table{number}": part for number, part in inuiguchi.paper().groupby("table")}


def with_ours(**change):
    """The printed tables, ours equal to the paper's but for some methods."""
    return {
        name: frame.assign(ours=frame["method"].map(change).fillna(frame["paper"]).astype(float))
        for name, frame in PRINTED.items()
    }


def found(start, results):
    (said,) = [each for each in paper_sentences(results) if each.text.startswith(start)]
    return said


def test_the_same_figures_give_the_same_counts():
    for said in paper_sentences(with_ours()):
        assert said.ours == said.paper, said.text


def test_sentences_are_told_apart_and_counted_over_all_that_they_speak_of():
    texts = [said.text for said in STATED]
    assert len(set(texts)) == len(texts) >= 30
    counts = {said.text: len(said.ours) for said in paper_sentences(with_ours())}
    assert counts["rules from cT1 … cT4 are better than those from M1 and M2"] == 4 * 2 * 8
    assert counts["M1 protects the class best of all"] == 5 * 24
    assert counts["the deep attack reveals more than the shallow attack"] == 2 * 54
    assert counts["cT1 … cT4 protect worse than M1 (Tables 9 to 12)"] == 4 * (24 + 24 + 18 + 18)


@pytest.mark.parametrize(
    ("start", "count"),
    [
        ("k-Ori is better", "3 of 3"),
        ("the accuracy of k-anonymous rules falls", "2 of 4"),  # car rises, iris stays
        ("rules from cT1 … cT4 are better", "64 of 64"),
        ("rules from cT1 … cT4 are worse", "32 of 32"),
        ("for hayes-roth with k = 10", "4 of 4"),
        ("the usefulness of M1", "39 of 40"),  # car, k = 5: 0.7011 against 0.7000
        ("M1 protects the class better", "96 of 96"),
        ("cT1 … cT4 protect the class better than M2 in car", "24 of 48"),  # k = 2, 3, 4 speak against it
        ("cT1 … cT4 protect the class less than M1", "72 of 72"),
    ],
)
def test_what_the_printed_figures_make_of_it(start, count):
    assert found(start, with_ours()).held_in_paper == count


def test_a_useful_mondrian_refutes_the_paper():
    said = found("rules from cT1 … cT4 are better", with_ours(M1=1.0, M2=1.0))
    assert (said.held, said.verdict) == ("0 of 64", "differs")
    assert found("M1 protects the class best", with_ours(M1=0.0)).verdict == "exact"


def test_remarks_on_printed_figures_are_true():
    wide = PRINTED["table8"].pivot(index=["dataset", "k"], columns="method", values="paper")
    assert wide.loc[("car", 10), "k-Ori"] > wide.loc[("car", 5), "k-Ori"]
    assert wide.loc[("iris", 10), "k-Ori"] == wide.loc[("iris", 5), "k-Ori"]
    lost = wide["Ori"] - wide[["cT1", "cT2", "cT3", "cT4"]].min(axis=1)
    assert round(lost["zoo"].max(), 2) == 0.30
    attacked = (
        PRINTED["table10"].pivot(index=["dataset", "k"], columns="method", values="paper").loc[["car", "hayes-roth"]]
    )
    ahead = attacked[["cT1", "cT2", "cT3", "cT4"]].lt(attacked["M2"], axis=0).all(axis=1)
    assert [k for (_, k), better in ahead.items() if not better] == [2, 3, 4, 2, 3, 4]
