"""DOMLEM: rules hold, cover their approximations, none is needless; the students' rules; steps tell what is done."""

import numpy as np
import pytest

from anonnb import Table, load, steps
from anonnb.roughsets import dominance
from anonnb.roughsets.dominance_rules import domlem
from tests.roughsets.test_dominance import GRADES, random_criteria, students


def claimed(rule, classes):
    """Whether the class of each row is what the rule concludes."""
    return (classes >= rule.low) & (classes <= rule.high)


def test_the_rules_of_the_students():
    rules = domlem(students())
    assert len(rules) == 10
    assert sum(rule.kind == "approximate" for rule in rules) == 1
    texts = set(map(str, rules))
    assert "mathematics ≥ good and physics ≥ good → overall at least good" in texts
    assert "mathematics ≤ bad and physics ≥ medium → overall between bad and medium" in texts
    doubtful = next(rule for rule in rules if rule.kind == "approximate")
    assert {f"x{row + 1}" for row in doubtful.rows} == {"x4", "x6"}


@pytest.mark.parametrize("seed", range(60))
def test_rules_hold_cover_and_are_needed(seed):
    data, cost = random_criteria(seed, sets=seed % 3 == 0), ["b"] if seed % 2 else []
    rules = domlem(data, cost=cost, kinds=["certain", "possible", "approximate"])
    criteria = dominance.Criteria.of(data, None, cost)
    bounds, last = dominance.bounds_of(criteria), len(criteria.decision.domain) - 1
    for rule in rules:
        possible = np.ones(len(criteria), dtype=bool)
        for condition in rule.conditions:
            possible &= condition.fits(criteria)[1]
        if rule.kind == "certain":  # whoever may fit it, whatever they are
            assert (criteria.worst[possible] >= rule.low).all()
            assert (criteria.best[possible] <= rule.high).all()
        elif rule.kind == "approximate":
            assert claimed(rule, criteria.worst)[possible].all()
            assert not bounds.consistent[possible].any()
        else:  # nothing rules the conclusion out
            assert (bounds.high[possible] >= rule.low).all()
            assert (bounds.low[possible] <= rule.high).all()
        assert not any(rule.outdone_by(other) for other in rules if other is not rule)
    for code in range(1, last + 1):
        stronger = [rule for rule in rules if rule.kind == "certain" and rule.low >= code]
        covered = {row for rule in stronger for row in rule.rows.tolist()}
        assert set(np.flatnonzero(bounds.low >= code).tolist()) <= covered
    if criteria.exact:
        doubtful = {row for rule in rules if rule.kind == "approximate" for row in rule.rows.tolist()}
        assert doubtful == set(np.flatnonzero(~bounds.consistent).tolist())


def test_certain_rules_give_back_the_bounds_of_their_own_rows():
    table = load("car")
    rules = domlem(table, cost=["buying", "maint"], kinds="certain")
    bounds = dominance.class_bounds(table, cost=["buying", "maint"])
    names = np.array(table.attributes["class"].labels, dtype=object)
    told = rules.predict(table)
    assert told["at least"].tolist() == names[bounds.low].tolist()
    assert told["at most"].tolist() == names[bounds.high].tolist()


def test_the_steps_are_what_the_algorithm_does():
    run = steps.of(domlem, students())
    assert list(map(str, run.result)) == list(map(str, domlem(students())))
    first = run[0]
    assert first.title.startswith("Take ")
    assert first.candidates.loc[first.chosen[0], "share"] == first.candidates["share"].max()
    assert any(step.title.startswith("Rule ") for step in run)


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="'sure' is not known"):
        domlem(students(), kinds=["sure"])
    few = students().frame.head(3)
    other = Table(few, decision="overall", orders=dict.fromkeys(few, GRADES))  # nobody is good at literature here
    with pytest.raises(ValueError, match="has other values"):
        domlem(students()).predict(other)
