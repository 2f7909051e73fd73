"""KACA: the paper's distances, and the pair that loses least."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Table
from anonnb.methods import KACA
from anonnb.methods.clustering.kaca import CostedTree
from anonnb.methods.merging import pass_together
from anonnb.privacy import LDiversity
from tests.methods.clustering.plain import plain_kaca
from tests.methods.clustering.tables import random_table, tables_with_ties


def test_kaca_costs_are_the_papers_weighted_hierarchical_distance():
    tree = CostedTree(random_table(0, rows=60).attributes["place"], beta=1.0)
    node = tree.labels.index
    # h = 4 levels, w_2 = 1, w_3 = 1/2, w_4 = 1/3: a value to its region costs w_4 over their sum
    total = 1 + 1 / 2 + 1 / 3
    assert tree.with_each(node("SE"))[0][node("NO")] == pytest.approx((1 / 3) / total)
    assert tree.with_each(node("SE"))[0][node("IT")] == pytest.approx((1 / 3 + 1 / 2) / total)
    assert tree.with_each(node("SE"))[0][node("JP")] == pytest.approx(1)
    assert tree.with_each(node("North"))[0][node("SE")] == 0
    assert tree.labels[tree.with_each(node("SE"))[2][node("South")]] == "Europe"


@pytest.mark.filterwarnings("ignore::anonnb.tables.attribute.DefaultHierarchyWarning")
@settings(max_examples=30)
@given(table=tables_with_ties(), k=st.integers(2, 5), diverse=st.booleans())
def test_kaca_publishes_what_plain_code_does(table, k, diverse):
    """Where a model is required, groups unite until they pass it."""
    table = with_both_secrets(table) if diverse else table
    method = KACA(k=k, require=[LDiversity(2)] if diverse else [])
    check = method.further_check(table)
    texts = plain_kaca(table, k, check and (lambda rows: pass_together(check, rows)))
    assert method.anonymize(table).frame[table.quasi].astype(str).values.tolist() == texts


def with_both_secrets(table):
    frame = table.frame.assign(ill=["no", "flu"] * (len(table) // 2) + ["no"] * (len(table) % 2))
    return Table(frame, quasi=table.quasi, sensitive=["ill"])
