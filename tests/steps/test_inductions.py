"""What rules, trees, itemsets, ERID and Chase tell is what they do: the steps lead to the result, choice by choice."""

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Table, load, steps
from anonnb.rules import chase, erid, frequent_itemsets, imprecise_rules, mlem2
from anonnb.tables.incomplete_table import IncompleteTable
from anonnb.trees import grow
from tests.steps.test_every_method import calls


@st.composite
def tables(draw, rows=12):
    """Small decision tables with a number, two nominal columns and two or three classes."""
    n = draw(st.integers(4, rows))
    frame = pd.DataFrame(
        {
            "x": draw(st.lists(st.integers(0, 4), min_size=n, max_size=n)),
            "a": draw(st.lists(st.sampled_from("pqr"), min_size=n, max_size=n)),
            "b": draw(st.lists(st.sampled_from("st"), min_size=n, max_size=n)),
            "c": ["yes", "no", *draw(st.lists(st.sampled_from(["yes", "no", "so"]), min_size=n - 2, max_size=n - 2))],
        }
    )
    return Table(frame, quasi=["x", "a", "b"], decision="c")


def every(function, *arguments, **options):
    """All steps of a run; small tables need no sample."""
    run = steps.of(function, *arguments, most=500, **options)
    assert not run.sampled
    return run


@pytest.mark.slow
@given(tables())
def test_mlem2_tells_the_rules_it_gives(table):
    run = every(mlem2, table)
    assert str(run.result) == str(mlem2(table))
    made = {step.title: step.sentence for step in run if step.title.startswith("Rule") and "If " in step.sentence}
    gone = {step.title.removesuffix(" can go") for step in run if step.title.endswith("can go")}
    told = [sentence.partition(":")[0].lower() for title, sentence in made.items() if title not in gone]
    assert sorted(map(parts, told)) == sorted(parts(str(rule)) for rule in run.result)


def parts(rule):
    """The conditions and the conclusion of a rule, which may stand in any order."""
    return sorted(rule.removeprefix("if ").replace(" then ", " and ").split(" and "))


@given(tables())
def test_mlem2_takes_a_best_condition(table):
    for step in every(mlem2, table):
        if step.candidates is not None:
            scores = [(-line.covers, line.block) for line in step.candidates.itertuples()]
            [chosen] = step.chosen
            assert scores[step.candidates.index.get_loc(chosen)] == min(scores)


def test_the_rule_of_the_paper_step_by_step():
    run = steps.of(mlem2, load("decision6"), "high")
    assert [step.title for step in run] == [
        "Take sex = male",
        "Then occupation = salesman",
        "Keep sex = male",
        "Keep occupation = salesman",
        "Rule 1 for evaluation = high",
        "The result",
    ]
    assert run[0].candidates.loc["sex = male"].tolist() == [3, 4]
    assert len(run[4].state.marked) == 3


@given(tables(), st.integers(1, 4))
@settings(max_examples=30)
def test_imprecise_rules_come_union_by_union(table, k):
    run = every(imprecise_rules, table, k)
    assert str(run.result) == str(imprecise_rules(table, k))
    *unions, kept, _ = run
    assert sorted(kept.state.index) == sorted(str(rule) for rule in run.result)
    assert sum(len(step.candidates) + step.left_out for step in unions) == len(imprecise_rules(table))


@given(tables(), st.integers(2, 6))
def test_a_tree_grows_split_by_split(table, leaves):
    run = every(grow, table, max_leaves=leaves)
    assert run.result.text() == grow(table, max_leaves=leaves).text()
    for step in run[:-1]:
        [chosen] = step.chosen
        assert step.candidates["score"][chosen] == pytest.approx(step.candidates["score"].max(), rel=1e-8)
    if len(run) > 1:
        told = run[-2].state.nodes["text"]
        assert told.tolist() == [
            f"{node.condition or 'all rows'}\n{len(node.rows):,} rows" for node in run.result.nodes
        ]


@given(tables(), st.sampled_from([0.2, 0.4, 0.7]))
def test_itemsets_come_level_by_level(table, share):
    run = every(frequent_itemsets, table, share)
    assert run.result.equals(frequent_itemsets(table, share))
    nodes = run[-2].state.nodes if hasattr(run[-2].state, "nodes") else None
    if nodes is not None:
        assert (nodes["status"] == "kept").sum() == len(run.result)
    assert sum(len(step.candidates) + step.left_out for step in run[:-1]) >= len(run.result)


@given(tables(), st.sampled_from([0.1, 0.3]), st.sampled_from([0.6, 0.9]))
def test_erid_tells_every_rule_at_its_level(table, support, confidence):
    run = every(erid, table, "c", support, confidence)
    assert run.result == erid(table, "c", support, confidence)
    told = [label for step in run[:-1] for label in step.state.index[step.state["what"] == "a rule"]]
    assert sorted(told) == sorted(map(str, run.result))
    for step in run[:-1]:
        rules = step.state[step.state["what"] == "a rule"]
        assert (rules["confidence"] >= confidence - 1e-4).all()


@given(tables())
@settings(max_examples=30)
def test_the_last_round_of_chase_is_its_result(table):
    frame = table.frame[["a", "b", "c"]].astype(object)
    frame.iloc[::3, 0] = None
    frame.iloc[1::3, 2] = None
    system = IncompleteTable.from_frame(frame)
    run = every(chase, system, erid(system, None, 0.1, 0.6))
    assert len(run) == run.result.rounds + 1
    if len(run) > 1:
        assert run[-2].state.equals(run.result.system.frame)


INDUCTIONS = {
    "mlem2": mlem2,
    "imprecise_rules": imprecise_rules,
    "frequent_itemsets": lambda table: frequent_itemsets(table, 0.2),
    "grow": lambda table: grow(table, max_leaves=6),
}


@pytest.mark.parametrize("name", INDUCTIONS)
def test_what_is_played_is_what_runs(name):
    table, work = load("hayes-roth"), INDUCTIONS[name]
    work(table), steps.of(work, table)  # compiled before anything is counted
    alone = calls(lambda: work(load("hayes-roth")))
    assert not alone - calls(lambda: steps.of(work, load("hayes-roth")))
