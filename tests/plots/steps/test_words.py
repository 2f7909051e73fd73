"""The words for a picture say what it shows, and what changed."""

import numpy as np
import pandas as pd

from anonnb import Release, Table, load
from anonnb.attacks import LinkageAttack
from anonnb.plots.steps.words import words
from anonnb.steps import Graph, RowGroups, Step


def said(now, before=None):
    return words(Step("t", "s.", now), None if before is None else Step("t", "s.", before))


def test_a_graph_names_nodes_by_status_and_those_that_changed():
    one, two = (Graph.of({"a": (0, "open"), "b": (1, status)}, [("a", "b")]) for status in ("open", "pruned"))
    assert said(two, one) == "A graph of 2 nodes. Open: a. Pruned: b. Changed: b."


def test_groups_are_counted():
    table = Table(pd.DataFrame({"age": np.arange(50)}), quasi=["age"])
    before, now = RowGroups(table, np.zeros(50)), RowGroups(table, np.repeat([0, 1, -1], [20, 20, 10]))
    expected = "50 rows in 2 groups, of 20 to 20 rows; 10 rows in no group; 2 groups new or changed."
    assert said(now, before) == expected


def test_of_many_changes_some_are_named():
    before, now = (pd.DataFrame({"n": np.full(9, n)}) for n in (0, 1))
    assert said(now, before).endswith("n of 5 is 1 and 3 more.")


def test_no_state_and_texts():
    assert said(None) == "Nothing is drawn for this step."
    assert said("one\ntwo") == "A table of 2 rows."


def test_a_step_without_a_state_is_drawn_by_its_candidates():
    scores = pd.DataFrame({"saves": [1, 3]}, index=["a", "b"])
    assert words(Step("Take b", "b saves more.", candidates=scores, chosen=["b"])) == "2 candidates: saves. Chosen: b."


def test_a_result_says_itself_unless_its_step_does():
    table = load("survey")
    result = LinkageAttack().run(Release.of(table))
    last = LinkageAttack().steps(Release.of(table), table)[-1]
    assert f"{result}." in said(result)
    assert last.sentence.startswith("LinkageAttack()")
    assert "LinkageAttack" not in words(last)
