"""Rules widened by imprecise condition values: still without an error, now with k supporters."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Table
from anonnb.rules import Condition, Rule, RuleSet, mlem2
from anonnb.rules.induction.satisfying import CodeRanges
from anonnb.rules.induction.widening import widen_rules

KINDS = {"word": "nominal", "number": "numeric", "grade": "ordinal"}


@st.composite
def two_class_tables(draw):
    rows = draw(st.integers(4, 30))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    frame = pd.DataFrame(
        {
            "word": rng.choice(["x", "y", "z", None], rows, p=[0.3, 0.3, 0.3, 0.1]),
            "number": np.where(rng.random(rows) < 0.1, np.nan, rng.integers(0, 8, rows)),
            "grade": rng.choice(["low", "mid", "high"], rows),
            "class": rng.choice(["yes", "no"], rows),
        }
    )
    return Table(
        frame,
        quasi=["word", "number", "grade"],
        decision="class",
        kinds={"number": "numeric"},
        orders={"grade": ["low", "mid", "high"]},
    )


def supporters(rule, table):
    values = table.frame.astype(object).where(table.frame.notna(), None)
    return [
        row
        for row in range(len(table))
        if all(part.allows(values[part.attribute].iloc[row]) for part in rule.conditions)
    ]


@pytest.mark.slow
@given(two_class_tables(), st.integers(1, 6))
@settings(max_examples=80)
def test_widened_rules_have_k_supporters_and_no_error(table, k):
    if len(np.unique(table.codes("class"))) < 2:
        return
    found = mlem2(table)
    wide = widen_rules(found, table, k)
    for rule in wide:
        rows = supporters(rule, table)
        assert rule.support == len(rows) >= k
        assert set(table["class"].iloc[rows]) <= set(rule.conclusion)
    kept = [rule for rule in found if rule.support >= k]
    assert list(wide)[: len(kept)] == kept
    assert wide.info["widened"] == len(wide) - len(kept)
    assert len(set(wide)) == len(wide)


def test_the_step_that_wins_most_rows_is_taken():
    frame = pd.DataFrame({"land": list("abbcd"), "class": ["yes", "yes", "yes", "yes", "no"]})
    table = Table(frame, quasi=["land"], decision="class")
    rule = Rule((Condition("land", values=("a",)),), "class", ("yes",), 1, 1, 4, 5)
    rules = RuleSet([rule], "class", ("no", "yes"))
    assert str(widen_rules(rules, table, 3)[0]) == "if land = a or b then class = yes"
    assert str(widen_rules(rules, table, 4)[0]) == "if land = a or b or c then class = yes"
    assert len(widen_rules(rules, table, 5)) == 0  # only d is left, and its row says no
    assert widen_rules(rules, table, 5).info["dropped"] == 1


def plainly_widened(rule, table, k):
    """Value by value: the step that gains the most rows without an error; ties by attribute, then by value."""
    codes = {part.attribute: table.codes(part.attribute) for part in rule.conditions}
    allowed = {}
    for part in rule.conditions:
        attribute = table.attributes[part.attribute]
        values = [*attribute.domain, *[None] * attribute.missing]
        allowed[part.attribute] = {code for code, value in enumerate(values) if part.allows(value)}
    wrong = ~table.frame[rule.decision].isin(rule.conclusion).to_numpy()

    def inside():
        return [row for row in range(len(table)) if all(codes[name][row] in held for name, held in allowed.items())]

    while len(inside()) < k:
        best, most, now = None, 0, set(inside())
        for name, held in allowed.items():
            attribute = table.attributes[name]
            further = sorted(set(range(attribute.size)) - held)
            if attribute.kind != "nominal":
                known = len(attribute.domain)
                ends = {min(held) - 1, max(held) + 1}
                further = [code for code in further if code in ends and code < known and max(held) < known]
            for code in further:
                held.add(code)
                new = set(inside()) - now
                held.discard(code)
                if len(new) > most and not wrong[list(new)].any():
                    best, most = (name, code), len(new)
        if best is None:
            return None
        allowed[best[0]].add(best[1])
    return allowed


@settings(max_examples=60)
@given(two_class_tables(), st.integers(2, 6))
def test_rules_are_widened_as_plainly_as_possible(table, k):
    if len(np.unique(table.codes("class"))) < 2:
        return
    for rule in mlem2(table):
        if rule.support >= k:
            continue
        found, plain = widen_rules(RuleSet([rule], "class", ("no", "yes")), table, k), plainly_widened(rule, table, k)
        assert len(found) == (plain is not None)
        for part in found[0].conditions if len(found) else ():
            mask = CodeRanges([part], table).mask(0)
            assert set(np.flatnonzero(mask).tolist()) == plain[part.attribute]
