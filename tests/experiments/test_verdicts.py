"""Verdicts follow their rule: on single figures, on several together, on sentences; and what a reader sees of them."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonnb.experiments.side_by_side import side_by_side
from anonnb.experiments.verdicts import (
    MARKS,
    VERDICTS,
    Sentence,
    VerdictRule,
    distances,
    judged,
    rank_correlation,
    sentences,
    verdict,
)

figures = st.floats(0, 1).map(lambda figure: round(figure, 6))


@given(figures, figures, st.sampled_from([0.01, 0.03, 0.1]))
def test_a_single_figure_is_judged_by_its_distance(ours, paper, near):
    word = verdict(ours, round(paper, 4), VerdictRule(near=near))
    apart = abs(ours - round(paper, 4))
    if apart < 0.00005 - 1e-6:
        assert word == "exact"
    elif 0.00005 + 1e-6 < apart < near - 1e-6:
        assert word == "close"
    elif apart > near + 1e-6:
        assert word == "differs"  # one figure has no shape


@given(st.lists(st.tuples(figures, figures), min_size=4, max_size=12), st.floats(0.2, 1))
def test_several_figures_are_judged_in_the_order_of_the_rule(pairs, share):
    ours, paper = map(np.array, zip(*pairs, strict=True))
    word = verdict(ours, paper, VerdictRule(share=share))
    near = np.mean(np.abs(ours - paper) <= 0.03 + 1e-9)
    alike = rank_correlation(pd.Series(ours), pd.Series(paper)) >= 0.8
    exact = (np.abs(ours - paper) <= 0.00005 + 1e-9).all()
    assert word == VERDICTS[0 if exact else 1 if near >= share else 2 if alike else 3]


def test_ranks_correlate_as_spearman_has_it():
    scipy = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(1)
    for _ in range(20):
        ours, paper = rng.integers(0, 5, (2, 8))
        if len(set(ours)) > 1 and len(set(paper)) > 1:
            found = rank_correlation(pd.Series(ours), pd.Series(paper))
            assert found == pytest.approx(scipy.spearmanr(ours, paper)[0])


def test_figures_without_a_partner_are_refused():
    with pytest.raises(ValueError, match="2 figures of ours and 1 of the paper's"):
        verdict([0.1, 0.2], [0.1])


def table(shift=0.0):
    cells = [("a", k, method, k / 10 + place / 100) for k in (2, 3) for place, method in enumerate(("cT1", "M1"))]
    frame = pd.DataFrame(cells, columns=["dataset", "k", "method", "paper"])
    return frame.assign(ours=frame["paper"] + [0, 0.02, 0.05, shift])


def test_the_shape_of_a_figure_is_that_of_its_block():
    assert judged(table(0.5), ["dataset"])["verdict"].tolist() == ["exact", "close", "same shape", "same shape"]
    assert judged(table(-0.2), ["dataset"])["verdict"].tolist() == ["exact", "close", "differs", "differs"]
    assert judged(table(), ["dataset", "k"])["verdict"].tolist() == ["exact", "close", "differs", "exact"]


def test_distances_of_parts():
    found = distances(table(0.5), ["dataset", "method"])
    assert found.loc[("a", "cT1"), "mean |difference|"] == 0.025
    assert found.loc[("a", "M1"), ["figures", "within 0.01", "within 0.03", "within 0.1"]].tolist() == [2, 0, 1, 1]
    assert found["verdict"].tolist() == ["differs", "differs"]
    assert distances(table(0.5), ["dataset"]).loc["a", "verdict"] == "same shape"


@pytest.mark.parametrize(
    ("held", "word"),
    [(20, "exact"), (19, "close"), (18, "close"), (17, "same shape"), (11, "same shape"), (10, "differs")],
)
def test_a_sentence_is_judged_by_the_comparisons_that_hold(held, word):
    said = Sentence("4", "M1 is best.", np.arange(20) < held, paper=np.ones((4, 5), dtype=bool))
    assert (said.held, said.held_in_paper, said.verdict) == (f"{held} of 20", "20 of 20", word)
    assert sentences([said])["verdict"].tolist() == [word]


def test_a_sentence_without_comparisons_is_refused():
    with pytest.raises(ValueError, match="has no comparison"):
        Sentence("4", "All is well.", [])


def test_every_cell_shows_ours_the_papers_and_the_difference():
    shown = side_by_side(table(0.5))
    assert shown.texts().loc[("a", 3)].tolist() == ["0.3500~ 0.3000 +0.0500", "0.8100~ 0.3100 +0.5000"]
    page = shown._repr_html_()
    for line in shown.figures.itertuples():
        assert f"<b>{line.ours:.4f}{MARKS[line.verdict]}</b><br>{line.paper:.4f}<br>" in page
    assert "≠ differs: all else" in repr(shown)


def test_names_are_text_and_gaps_stay_empty():
    frame = table().assign(method=["<b>", "M1", "<b>", "M1"]).iloc[:3]
    page = side_by_side(frame)._repr_html_()
    assert "&lt;b&gt;" in page
    assert page.count("<td></td>") == 1
