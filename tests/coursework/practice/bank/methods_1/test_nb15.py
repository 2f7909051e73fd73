"""Notebook 15: the judges of its exercises tell right from wrong."""

import pytest

from anonnb.coursework.practice.bank.methods_1 import nb15
from anonnb.methods import TopDown


@pytest.mark.parametrize("k", [2, 3, 4])
def test_the_rows_that_mislead_top_down_do(k):
    rows = nb15.misleading_rows(k)
    assert nb15._not_misled(rows, k) == ""
    assert "predicts every row" in nb15._not_misled([(x, y, "z", c) for x, y, _, c in rows], k)
    assert "several class values" in nb15._not_misled([("a", "b", z, c) for _, _, z, c in rows], k)


def test_a_choice_that_refines_nothing_is_found_out():
    assert "differently" in nb15._differs(lambda shown, finer, decision, k: None)


def test_refining_whatever_top_down_refines_publishes_the_same():
    for _, table, k in nb15._tables()[:2]:
        release = TopDown(k=k).anonymize(table)
        moves = iter(zip(release.info["trace"]["attribute"][1:], release.info["trace"]["before"][1:], strict=True))
        shown = nb15.refined_with(lambda *_, moves=moves: next(moves, None), table, k)
        assert (shown.to_numpy() == release.frame[table.quasi].astype(str).to_numpy()).all()
