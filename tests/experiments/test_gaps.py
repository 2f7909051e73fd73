"""The stored gaps: bounds below every loss, and what the notebook reads off them."""

import numpy as np
import pandas as pd
import pytest

from anonnb.experiments import gaps
from anonnb.experiments.results import stored


def test_one_table_has_a_line_per_method_and_no_loss_below_the_bound():
    frame = pd.DataFrame(gaps.one_table("survey", 5), columns=gaps.COLUMNS)
    assert frame["method"].tolist() == list(gaps.METHODS)
    assert frame["reason"].eq("").all()
    assert (frame["bound"] <= frame["ncp"] + 1e-9).all()
    plain, polished = (frame.set_index("method")["ncp"][name] for name in ("Mondrian by loss", "Mondrian, polished"))
    assert polished < plain


def test_a_large_table_is_cut_to_rows_spread_evenly():
    table = gaps.sample("adult")
    assert len(table) == gaps.ROWS
    assert len(gaps.sample("survey")) == 66


def test_what_was_won_is_a_share_of_the_distance_to_the_bound():
    lines = [("a", 2, "cut", 0.3, 0.1), ("a", 2, "new", 0.2, 0.1), ("b", 2, "cut", 0.1, 0.1), ("b", 2, "new", 0.1, 0.1)]
    found = gaps.won(pd.DataFrame(lines, columns=["table", "k", "method", "ncp", "bound"]), "cut", "new")
    assert found["table"].tolist() == ["a"]  # at the bound there is nothing to win
    assert found["closed"].tolist() == [pytest.approx(0.5)]


def test_the_stored_results_are_those_of_this_experiment():
    frame = stored("gaps", "methods")
    assert list(frame) == gaps.COLUMNS
    assert set(frame["table"]) == set(gaps.DATA["full"])
    assert set(frame["k"]) == set(gaps.KS["full"])
    assert set(frame["method"]) == set(gaps.METHODS)
    made = frame.dropna(subset="ncp")
    assert (made["bound"] <= made["ncp"] + 1e-4).all()  # rounded to four digits
    finite = made[np.isfinite(made["gap"]) & (made["bound"] > 0.01)]
    assert np.allclose(finite["gap"], finite["ncp"] / finite["bound"] - 1, rtol=0.01, atol=0.02)
