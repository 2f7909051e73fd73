"""Condition, Rule and RuleSet: texts, measures, filters, matching, JSON."""

import json

import numpy as np
import pandas as pd
import pytest

from anonnb import Table, load
from anonnb.rules import Condition, Rule, RuleSet, imprecise_rules, mlem2


def test_possible_rules_tell_support_from_strength():
    table = Table(pd.DataFrame({"x": ["u", "u", "u", "v"], "y": ["a", "a", "b", "b"]}), decision="y")
    rule = mlem2(table, "a", approximation="upper")[0]
    assert (rule.support, rule.strength) == (3, 2)
    assert rule.confidence == pytest.approx(2 / 3)
    assert rule.lift == pytest.approx((2 / 3) / (2 / 4))


def test_json_holds_every_rule(tmp_path):
    rules = imprecise_rules(load("iris"), max_classes=2)
    path = tmp_path / "rules.json"
    content = json.loads(rules.to_json(path))
    assert content == json.loads(path.read_text(encoding="utf-8"))
    assert content["decision"] == rules.decision
    for written, rule in zip(content["rules"], rules, strict=True):
        assert (written["support"], written["strength"]) == (rule.support, rule.strength)
        assert tuple(written["then"]) == rule.conclusion
        assert [part["attribute"] for part in written["if"]] == [part.attribute for part in rule.conditions]
        assert [part.get("lower") for part in written["if"]] == [part.lower for part in rule.conditions]


def test_filter_and_sort():
    rules = imprecise_rules(load("decision6"))
    assert all(rule.support >= 3 for rule in rules.filter(min_support=3))
    assert {rule.is_imprecise for rule in rules.filter(imprecise=False)} == {False}
    assert all("low" in rule.conclusion for rule in rules.filter(concludes="low"))
    assert all("sex" in rule.premise for rule in rules.filter(attribute="sex"))
    assert len(rules.filter(lambda rule: rule.specificity == 1)) == sum(r.specificity == 1 for r in rules)
    supports = [rule.support for rule in rules.sort("support")]
    assert supports == sorted(supports, reverse=True)
    with pytest.raises(ValueError, match="not a measure"):
        rules.sort("beauty")


def test_intersecting_conclusions_gives_the_class():
    """As the paper says of Table 2: Fukuoka and engineer leave medium, Fukuoka and salesman leave high."""
    classes = ("high", "low", "medium")

    def rule(name, value, *conclusion):
        return Rule((Condition(name, values=(value,)),), "evaluation", conclusion)

    rules = RuleSet(
        [
            rule("occupation", "engineer", "low", "medium"),
            rule("occupation", "salesman", "low", "high"),
            rule("domicile", "Fukuoka", "medium", "high"),
        ],
        "evaluation",
        classes,
    )
    frame = pd.DataFrame({"occupation": ["engineer", "salesman", "pilot"], "domicile": ["Fukuoka", "Fukuoka", "Rome"]})
    left = rules.left_classes(frame)
    assert [[c for c, flag in zip(classes, row, strict=True) if flag] for row in left] == [["medium"], ["high"], []]
    assert rules.explains(frame).tolist() == [True, True, False]


def test_matching_agrees_with_the_conditions_one_by_one():
    table = load("hayes-roth")
    rules, frame = imprecise_rules(table), table.frame
    slow = [[all(c.allows(row[c.attribute]) for c in rule.conditions) for rule in rules] for _, row in frame.iterrows()]
    assert (rules.matches(table) == np.array(slow)).all()
    assert (rules.matches(table).sum(axis=0) == [rule.support for rule in rules]).all()


def test_a_column_that_the_rules_need_is_named():
    with pytest.raises(KeyError, match="'occupation'"):
        mlem2(load("decision6")).matches(pd.DataFrame({"sex": ["male"], "domicile": ["Osaka"]}))


def test_numbers_are_not_compared_with_texts():
    table = Table(pd.DataFrame({"x": [1, 2], "y": ["a", "b"]}), decision="y")
    with pytest.raises(ValueError, match="'x' with numbers, but it is nominal"):
        mlem2(table).matches(pd.DataFrame({"x": ["one", "two"]}))


def test_html_is_escaped():
    table = Table(pd.DataFrame({"x": ["<script>alert(1)</script>", "b"], "=cmd()": ["p", "q"]}), decision="=cmd()")
    shown = mlem2(table)._repr_html_()
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown


def test_a_conclusion_must_be_a_class():
    with pytest.raises(ValueError, match="'z', which is not among the classes"):
        RuleSet([Rule((), "y", ("z",))], "y", ["a", "b"])


def test_an_empty_condition_is_refused():
    with pytest.raises(ValueError, match="allows no value"):
        Condition("x", values=())
