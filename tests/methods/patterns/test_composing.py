"""Cells of patterns as intervals beside the same cells as flags."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Table
from anonnb.methods.patterns import composing
from anonnb.methods.patterns.choosing import choose
from anonnb.methods.patterns.composing import PatternCells
from anonnb.rules import Condition, Rule, RuleSet

GRADES = ["poor", "fair", "good", "best", "top"]


def some_table(seed, rows=40):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "weight": rng.choice([*range(9), np.nan], rows),
            "grade": rng.choice(GRADES, rows),
            "town": rng.choice(list("abc"), rows),
            "class": rng.choice(["p", "q", "r"], rows),
        }
    )
    return Table(frame, decision="class", orders={"grade": GRADES})


def some_rules(seed, table):
    """Rules with open ends, with gaps in an ordered attribute, and with conditions on one attribute or on two."""
    rng = np.random.default_rng(seed)
    parts = [
        Condition("weight", lower=1.5, upper=4.5),
        Condition("weight", lower=2.5),
        Condition("weight", upper=5.5),
        Condition("grade", values=("poor", "good", "top")),
        Condition("grade", values=("fair", "good"), lower="fair", upper="good"),
        Condition("town", values=("a", "b")),
        Condition("town", values=("c",)),
    ]
    classes, rules = ("p", "q", "r"), []
    for _ in range(6):
        chosen = {part.attribute: part for part in rng.choice(np.array(parts, dtype=object), 2)}
        conclusion = tuple(value for value in classes if rng.random() < 0.6) or classes[:2]
        rules.append(Rule(tuple(chosen.values()), "class", conclusion))
    found = RuleSet(rules, "class", classes)
    strong = found.matches(table).sum(axis=0) >= 3
    return RuleSet([rule for rule, kept in zip(rules, strong, strict=True) if kept], "class", classes)


@pytest.mark.parametrize("open_ends", ["supporters", "table"])
@settings(max_examples=40)
@given(seed=st.integers(0, 10_000), widened=st.booleans(), printed=st.booleans(), room=st.sampled_from([1, 60, 10**6]))
def test_intervals_say_what_flags_say(open_ends, seed, widened, printed, room):
    table = some_table(seed)
    rules = some_rules(seed, table)
    choices = choose(table, rules, 3) if len(rules) else []
    if not choices:
        return
    cells = PatternCells(table, rules, rules.matches(table), choices)
    how = {"widened": widened, "printed": printed}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(composing, "_FLAGS", room)  # small blocks, and one of all patterns
        for name in table.conditions:
            column = cells.column(name, **how, open_ends=open_ends)
            expected = cells.flags(name, cells.asked(name, open_ends), np.arange(len(choices)), **how)
            assert (column.sets.as_masks()[column.index] == expected).all()
            assert len(np.unique(expected, axis=0)) == len(column.sets)
