"""ERID: supports and confidences by the formula, against a plain search over all premises."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb.rules import erid
from tests.methods.chase_protection.scikd_example import random_case


def plain(system, decision, min_support, min_confidence, max_length):
    """Every premise, shortest first; skipped when a part of it made a rule for the same value."""
    items = {
        (name, label): column.weight([code])[:, 0]
        for name, column in system.columns.items()
        for code, label in enumerate(column.attribute.labels)
    }
    found = {}
    others = [item for item in items if item[0] != decision]
    for length in range(1, max_length + 1):
        for premise in combinations(others, length):
            if len({name for name, _ in premise}) < length:
                continue
            weight = np.prod([items[item] for item in premise], axis=0)
            for goal in (item for item in items if item[0] == decision):
                covered = any(
                    (frozenset(part), goal) in found for n in range(1, length) for part in combinations(premise, n)
                )
                both = float((weight * items[goal]).sum())
                if (
                    not covered
                    and both >= min_support * len(system) - 1e-9
                    and both >= min_confidence * weight.sum() - 1e-9
                ):
                    found[frozenset(premise), goal] = (both, float(weight.sum()))
    return found


@given(st.integers(0, 10_000), st.sampled_from([0.1, 0.2]), st.sampled_from([0.6, 0.9]))
@settings(max_examples=30)
def test_against_a_plain_search(seed, support, confidence):
    system, _, _ = random_case(seed, rows=8)
    rules = erid(system, "s", support, confidence, max_length=3)
    ours = {
        (frozenset((c.attribute, c.values[0]) for c in rule.conditions), ("s", rule.conclusion[0])): rule
        for rule in rules
    }
    theirs = plain(system, "s", support, confidence, 3)
    assert len(ours) == len(rules)
    assert set(ours) == set(theirs)
    for key, (both, premise) in theirs.items():
        assert (ours[key].strength, ours[key].support) == (pytest.approx(both), pytest.approx(premise))


def test_all_attributes_by_default_and_chosen_premises():
    table = anonnb.load("decision6").select(["domicile", "occupation", "evaluation"])
    assert {rule.decision for rule in erid(table, None, 0.1, 0.6)} <= set(table.columns)
    rules = erid(table, "evaluation", 0.1, 0.5, premises=["domicile"])
    assert rules
    assert {c.attribute for rule in rules for c in rule.conditions} == {"domicile"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_support": 0}, "min_support must be a share above 0"),
        ({"min_confidence": 1.5}, "min_confidence must be a share"),
        ({"max_length": 0}, "max_length must be a whole number"),
    ],
)
def test_bad_thresholds(options, message):
    with pytest.raises(ValueError, match=message):
        erid(anonnb.load("decision6"), **options)


def test_an_unknown_column_is_named():
    with pytest.raises(KeyError, match="there is no column 'nothing'"):
        erid(anonnb.load("decision6"), "nothing")
