"""The rules and the others of a row, beside a plain search."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb.methods.patterns import choosing
from anonnb.methods.patterns.choosing import choose, needed_rules
from tests.methods.patterns.test_composing import some_rules, some_table


@settings(max_examples=60)
@given(seed=st.integers(0, 10_000), k=st.integers(1, 3), least=st.booleans(), with_row=st.booleans())
@pytest.mark.parametrize("room", [50, 10**6])
def test_others_are_the_most_or_least_alike(room, seed, k, least, with_row):
    table = some_table(seed)
    rules = some_rules(seed, table)
    if not len(rules):
        return
    matches = rules.matches(table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choosing, "_BLOCK", room)
        found = choose(table, rules, k, least_alike=least, with_row=with_row)
    assert [(c.row, c.rule) for c in found] == [
        (u, r) for u, own in enumerate(needed_rules(matches, rules)) for r in own
    ]
    codes = table.code_matrix(table.conditions)
    for choice in found:
        supporters = np.flatnonzero(matches[:, choice.rule]).tolist()
        common = {row: int((codes[row] == codes[choice.row]).sum()) for row in supporters}
        by_rank = sorted(supporters, key=lambda row: (row == choice.row, common[row] * (1 if least else -1), row))
        wanted = by_rank[: k - with_row]
        assert list(choice.members) == [choice.row] * with_row + wanted
