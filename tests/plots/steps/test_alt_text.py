"""The words for a picture say what it shows, and what changed."""

import numpy as np
import pandas as pd
import pytest

from anonnb import Release, Table, load
from anonnb.attacks import LinkageAttack
from anonnb.plots.steps.alt_text import alt_text
from anonnb.steps import Graph, RowGroups, Step


def alt_of(now, before=None):
    return alt_text(Step("t", "s.", now), None if before is None else Step("t", "s.", before))


TABLE = Table(pd.DataFrame({"age": np.arange(50)}), quasi=["age"])


@pytest.mark.parametrize(
    ("now", "before", "text"),
    [
        (
            Graph.of({"a": (0, "open"), "b": (1, "pruned")}, [("a", "b")]),
            Graph.of({"a": (0, "open"), "b": (1, "open")}, [("a", "b")]),
            "A graph of 2 nodes. Open: a. Pruned: b. Changed: b.",
        ),
        (
            RowGroups(TABLE, np.repeat([0, 1, -1], [20, 20, 10])),
            RowGroups(TABLE, np.zeros(50)),
            "50 rows in 2 groups, of 20 to 20 rows; 10 rows in no group; 2 groups new or changed.",
        ),
        (None, None, "Nothing is drawn for this step."),
        ("one\ntwo", None, "A table of 2 rows."),
    ],
    ids=["graph", "groups", "no state", "text"],
)
def test_the_state_and_what_changed_are_described(now, before, text):
    assert alt_of(now, before) == text


def test_a_result_says_itself_unless_its_step_does():
    table = load("survey")
    result = LinkageAttack().run(Release.of(table))
    last = LinkageAttack().steps(Release.of(table), table)[-1]
    assert f"{result}." in alt_of(result)
    assert last.sentence.startswith("LinkageAttack()")
    assert "LinkageAttack" not in alt_text(last)
