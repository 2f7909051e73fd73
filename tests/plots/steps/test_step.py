"""A step is drawn after the kind of its state: what changed stands out, and nothing overlaps or is cut."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.patches import Rectangle

from anonnb import Release, Table, load, plots
from anonnb.attacks import LinkageAttack
from anonnb.methods import Microaggregation, Mondrian
from anonnb.plots.steps.step import evenly_chosen
from anonnb.rules import mlem2
from anonnb.rules.association.published_itemsets import MinedItemsets
from anonnb.steps import Graph, RowGroups, Step, Steps
from anonnb.trees import grow
from tests.plots.parts.figure_defects import figure_defects


@pytest.fixture(scope="module")
def survey():
    return load("survey")


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"age": rng.integers(20, 70, 60), "income": rng.integers(10, 99, 60) * 1000})
    return Table(frame, quasi=["age", "income"])


def a_step(state, **parts):
    return Step("A title", "A sentence.", state, **parts)


def texts(ax):
    return [text.get_text() for text in (*ax.figure.texts, *ax.texts)]


def lattice(**other):
    size = (3, 2, 3)
    nodes = {node: (sum(node), other.get("".join(map(str, node)), "open")) for node in np.ndindex(*size)}
    above = {node: [tuple(np.add(node, one)) for one in np.eye(3, dtype=int)] for node in nodes}
    edges = [(node, up) for node, ups in above.items() for up in ups if up in nodes]
    return Graph.of(nodes, edges, down=False)


# ---- tables ----------------------------------------------------------------------------------------------------------


def test_a_cell_that_changed_is_bold_and_has_a_ground():
    before, now = (pd.DataFrame({"age": [20, n]}, index=["Ann", "Bob"]) for n in (25, 30))
    ax = plots.step(a_step(now), a_step(before))
    bold = [text.get_text() for text in ax.texts if text.get_weight() == "bold"]
    assert bold == ["age", "30"]
    assert len([patch for patch in ax.patches if isinstance(patch, Rectangle)]) == 1
    assert "Bold on orange: changed since the step before." in texts(ax)


def test_of_a_long_table_the_rows_that_changed_are_shown():
    before = pd.DataFrame({f"c{n}": np.zeros(300, dtype=int) for n in range(12)})
    now = before.copy()
    now.loc[250, "c11"] = 7
    ax = plots.step(a_step(now), a_step(before))
    assert "7" in texts(ax)
    assert "250" in texts(ax)
    assert any("22 of 300 rows, 7 of 12 columns." in text for text in texts(ax))


def test_a_step_without_a_state_shows_its_candidates():
    scores = pd.DataFrame({"saves": [1, 3]}, index=["a", "b"])
    assert "▸ b" in texts(plots.step(a_step(None, candidates=scores, chosen=["b"])))
    assert "A sentence." in texts(plots.step(a_step(None)))


# ---- groups ----------------------------------------------------------------------------------------------------------


def boxes(ax):
    return [part for part in ax.collections if isinstance(part, PolyCollection)]


def test_groups_differ_in_mark_and_colour_and_new_ones_have_thick_frames(people):
    old = (people["age"].to_numpy() > 45).astype(int)
    new = np.where(old == 1, np.where(people["income"].to_numpy() > 50_000, 2, 1), 0)
    ax = plots.step(a_step(RowGroups(people, new)), a_step(RowGroups(people, old)))
    points = [part for part in ax.collections if isinstance(part, PathCollection)]
    assert len(points) == 3
    assert len({tuple(part.get_facecolor()[0]) for part in points}) == 3
    assert len({part.get_paths()[0].vertices.tobytes() for part in points}) == 3
    by_width = {part.get_linewidth()[0]: len(part.get_paths()) for part in boxes(ax) if len(part.get_edgecolor())}
    assert by_width == {1.0: 1, 2.4: 2}


@pytest.mark.parametrize(("ages", "named"), [([20, 40, 60], True), ([20, 21, 60], False)])
def test_rows_have_their_names_unless_two_would_meet(ages, named):
    table = Table(pd.DataFrame({"age": ages, "sex": "F"}, index=["Ann", "Bea", "Cleo"]), quasi=["age", "sex"])
    ax = plots.step(a_step(RowGroups(table, np.zeros(3, int))), x="age", width=4)
    assert ("Cleo" in texts(ax)) == named


def test_all_frames_of_a_run_have_the_same_axes():
    points = [(1, 3), (2, 2), (2, 1), (3, 2), (4, 7), (4, 5), (5, 6), (6, 6), (6, 4), (7, 4)]
    ten = Table(pd.DataFrame(points, columns=["x", "y"], index=list("ABCDEFGHIJ")), quasi=["x", "y"])
    frames = [plots.step(step) for step in Microaggregation(k=3).steps(ten)[:3]]
    assert len({(*ax.get_xlim(), *ax.get_ylim()) for ax in frames}) == 1
    assert set("ABCDEFGHIJ") <= {text.get_text() for text in frames[0].texts}


def test_the_attributes_of_groups_can_be_chosen(survey):
    ax = plots.step(a_step(Mondrian(k=5).anonymize(survey)), x="Sex", y="Hours")
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Sex", "Hours")
    with pytest.raises(KeyError, match="'sex' is no quasi-identifier; choose from Marital_status, Sex, Hours"):
        plots.step(a_step(Release.of(survey)), x="sex")


# ---- graphs and trees ------------------------------------------------------------------------------------------------


def test_a_status_has_a_mark_and_what_changed_a_dot():
    ax = plots.step(a_step(lattice(**{"100": "failed", "111": "chosen"})), a_step(lattice(**{"100": "failed"})))
    assert "× (1, 0, 0)" in texts(ax)
    assert "✓● (1, 1, 1)" in texts(ax)
    assert {"open", "fails", "chosen, changed"} <= set(texts(ax))


def test_a_lattice_has_its_bottom_below_and_a_tree_its_root_above():
    for graph, top, bottom in (
        (lattice(), "(2, 1, 2)", "(0, 0, 0)"),
        (Graph.of({"root": (0, "open"), "leaf": (1, "open")}, [("root", "leaf")]), "root", "leaf"),
    ):
        ax = plots.step(a_step(graph))
        places = {text.get_text(): ax.transData.transform(text.get_position())[1] for text in ax.texts}
        assert places[top] > places[bottom]


def test_of_a_large_graph_the_part_that_matters_is_drawn():
    nodes = {n: (0 if n == 0 else 1 + n // 50, "now" if n == 399 else "open") for n in range(400)}
    ax = plots.step(a_step(Graph.of(nodes, [(0, n) for n in range(1, 400)])))
    assert "▸ 399" in texts(ax)
    assert any(" of 400 nodes: what the step is about" in text for text in texts(ax))
    assert figure_defects(ax.figure) == []


def test_a_graph_without_nodes_is_no_error():
    assert "A sentence." in texts(plots.step(a_step(Graph.of({}))))


# ---- all -------------------------------------------------------------------------------------------------------------


def states(survey, people):
    small = survey.take(np.arange(0, 66, 6))
    rules = mlem2(load("decision6"))
    groups = np.arange(len(people)) // 20
    return {
        "table": (small, None),
        "release": (Mondrian(k=3).anonymize(small), small),
        "large release": (Mondrian(k=5).anonymize(survey), Release.of(survey)),
        "groups in rows": (RowGroups(small, np.arange(11) % 3, marked=[1]), RowGroups(small, np.arange(11) % 2)),
        "groups": (RowGroups(people, groups, marked=[3]), RowGroups(people, np.where(groups == 0, -1, 0))),
        "lattice": (lattice(**{"100": "now", "111": "chosen", "212": "pruned", "211": "failed"}), lattice()),
        "rules": (rules, rules[:2]),
        "tree": (grow(survey, max_leaves=4), grow(survey, max_leaves=2)),
        "itemsets": (MinedItemsets.of({(): 9, ("M",): 5, ("F",): 4}), None),
        "result": (LinkageAttack().run(Release.of(small)), None),
        "text": ("one\ntwo", "one"),
    }


KINDS = ["table", "release", "large release", "groups in rows", "groups", "lattice", "rules", "tree", "itemsets"]


@pytest.mark.parametrize("kind", [*KINDS, "result", "text"])
def test_nothing_overlaps_and_nothing_is_cut(kind, survey, people):
    state, before = states(survey, people)[kind]
    figure = plots.step(a_step(state), None if before is None else a_step(before)).figure
    assert figure.get_figwidth() <= 7.0
    assert figure_defects(figure) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["release", "groups", "rules"])
def test_a_step_can_be_drawn_on_given_axes(kind, survey, people):
    state, before = states(survey, people)[kind]
    _, ax = plt.subplots(figsize=(6, 5))
    assert plots.step(a_step(state), a_step(before), ax) is ax
    assert ax.get_title(loc="left") == "A title"


def test_rows_that_stand_apart_stand_where_they_are():
    """A reader measures distances on the picture; only rows upon each other are spread."""
    points = pd.DataFrame({"x": [1, 2, 7, 6], "y": [3, 2, 4, 5]})
    for frame, exact in ((points, True), (pd.concat([points, points[:1]], ignore_index=True), False)):
        table = Table(frame, quasi=["x", "y"])
        ax = plots.step(a_step(RowGroups(table, [-1] * len(frame))))
        [crosses] = [each for each in ax.collections if isinstance(each, PathCollection)]
        drawn = np.sort(crosses.get_offsets(), axis=0)
        assert np.allclose(drawn, np.sort(frame[[ax.get_xlabel(), ax.get_ylabel()]].to_numpy(), axis=0)) == exact


def growing(count):
    """Steps that each add a line to a table."""
    sizes = range(1, count + 1)
    return [Step("One more", "A row comes in.", pd.DataFrame({"n": range(n)}), number=n) for n in sizes]


def headings(ax):
    return [text.get_text() for text in ax.figure.texts if text.get_weight() == "bold"]


@pytest.mark.parametrize("count", range(1, 30))
def test_chosen_steps_are_different_and_in_order(count):
    for frames in range(2, 8):
        places = evenly_chosen(count, frames)
        assert places == sorted(set(places))
        assert (places[0], places[-1]) == (0, count - 1)
        assert len(places) == min(count, frames)


def test_a_sampled_run_counts_all_its_steps():
    run = Steps([Step("One", "It begins.", 1), Step("Two", "It ends.", 2, number=101)], total=101)
    assert headings(plots.filmstrip(run)) == ["1 of 101: One", "101 of 101: Two"]


def test_what_is_marked_is_new_since_the_step_before_in_the_run():
    ax = plots.filmstrip(growing(9), 2)
    last = [text.get_text() for text in ax.figure.axes[1].texts]
    assert [text for text in last if text.startswith("+")] == ["+ 8"]


def test_bad_requests_are_named():
    with pytest.raises(ValueError, match="frames must be at least 1, not 0"):
        plots.filmstrip(growing(2), 0)
    with pytest.raises(ValueError, match="there are no steps to show"):
        plots.filmstrip([])
