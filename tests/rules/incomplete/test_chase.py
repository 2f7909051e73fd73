"""Chase: votes, containment, chains; local and distributed."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Table
from anonnb.rules import chase, implies, knowledge_base
from anonnb.rules.incomplete.knowledge import Knowledge, merged, ready
from anonnb.tables.incomplete_table import IncompleteTable
from tests.methods.chase_protection.scikd_example import example_rules, example_system, random_case


def system(**cells):
    return IncompleteTable.from_frame(pd.DataFrame(cells))


@pytest.mark.parametrize("normalize", [True, False])
def test_the_example_reveals_d1(normalize):
    found = chase(example_system(), example_rules(), 0.2, normalize=normalize)
    assert found.system.frame.loc["x1"].tolist() == ["a1", "b1", "c1", "d1", "e1", "f1", "g1"]
    assert found.revealed("d").tolist() == [0]
    assert [str(step.rule) for step in found.chain(0, "d")] == [str(rule) for rule in example_rules()[7:]]


@pytest.mark.parametrize("normalize", [True, False])
def test_the_kept_sets_reveal_nothing(normalize):
    for hidden in (["c", "f", "g"], ["c", "f", "e"]):
        found = chase(example_system().hide(hidden), example_rules(), 0.2, normalize=normalize)
        assert found.revealed("d").tolist() == []


def test_votes_are_premise_times_confidence_times_support():
    s = system(a=["a1 1/2 | a2 1/2"], b=["b1"], d=[None])
    rules = [implies({"a": "a1"}, {"d": "d1"}, 0.8, 10), implies({"b": "b1"}, {"d": "d2"}, 0.5, 12)]
    cell = chase(s, rules, 0.2).system.columns["d"]
    assert cell.weight([0, 1])[0] == pytest.approx([4 / 10, 6 / 10])
    assert chase(s, rules, 0.45).system.frame["d"].tolist() == ["d2"], "a value below λ leaves"
    loose = chase(s, rules, 0.2, normalize=False).system.columns["d"]
    assert loose.weight([0, 1])[0] == pytest.approx([0.4, 0.5])


def test_known_values_are_never_questioned_and_partial_ones_keep_to_their_values():
    s = system(a=["x", "x"], d=["d1", "d1 | d2"])
    rules = [implies({"a": "x"}, {"d": "d3"}), implies({"a": "x"}, {"d": "d2"}, 0.5)]
    assert chase(s, rules).system.frame["d"].tolist() == ["d1", "d2"]


def test_a_chain_over_two_rounds():
    s = system(a=["a1"], b=[None], c=[None], z=["z"])
    rules = [implies({"a": "a1"}, {"b": "b1"}), implies({"b": "b1"}, {"c": "c1"}), implies({"z": "z"}, {"z2": "y"})]
    found = chase(s, rules[:2])
    assert found.rounds == 2
    assert [(step.round, step.rule) for step in found.chain(0, "c")] == [(1, rules[0]), (2, rules[1])]
    assert found.sources(0, found.knowledge.names.index("c")) == [0]
    with pytest.raises(KeyError, match="there is no column 'z2'"):
        chase(s, rules)


def test_rules_must_name_single_values():
    from anonnb.rules import Condition, Rule

    wide = Rule((Condition("a", values=("x", "y")),), "d", ("d1",), 2, 2)
    with pytest.raises(ValueError, match="rules of single values only"):
        chase(system(a=["x"], d=["d1"]), [wide])
    with pytest.raises(ValueError, match="has a premise and one value"):
        implies({}, {"d": "d1"})
    with pytest.raises(ValueError, match="confidence must lie in"):
        implies({"a": "x"}, {"d": "d1"}, 1.2)


@pytest.mark.slow
@settings(max_examples=60)
@given(st.integers(0, 100_000))
def test_the_result_is_more_complete_of_type_and_at_rest(seed):
    before, rules, threshold = random_case(seed)
    found = chase(before, rules, threshold)
    assert found.before.completed_by(found.system)
    assert found.system.is_type(threshold)
    for row, name in zip(*np.nonzero(found.changed_cells()[found.start.line]), strict=True):
        assert found.chain(int(row), found.knowledge.names[name])


@pytest.mark.slow
@settings(max_examples=60)
@given(st.integers(0, 100_000))
def test_without_scaling_chase_stays_within_the_closure(seed):
    before, rules, threshold = random_case(seed)
    found = chase(before, rules, threshold, normalize=False)
    base = ready(before, rules, threshold)
    knowledge = Knowledge.of(rules, base)
    closure = knowledge.closure(knowledge.weights(base), threshold)
    assert (found.final[found.start.line] <= closure + 1e-9).all()


def test_distributed_knowledge():
    full = Table(pd.DataFrame({"a": list("xxyy"), "b": list("pppq"), "d": list("1122")}))
    client = IncompleteTable.of(full).hide("d")
    local = knowledge_base(client, (), 0.1, 0.9)
    assert {rule.decision for rule in local} == {"a", "b"}
    rules = knowledge_base(client, [full, full], 0.1, 0.9)
    about_d = [rule for rule in rules if rule.decision == "d"]
    assert [str(rule) for rule in about_d][:2] == ["if a = x then d = 1", "if a = y then d = 2"]
    assert about_d[0].strength == 4, "two sites, two rows each"
    assert about_d == merged(about_d)
    assert chase(client, rules).system.frame["d"].tolist() == list("1122")
    assert not len(chase(client, local).revealed("d"))
