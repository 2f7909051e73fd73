"""Submissions as students hand them in, right in their own style, partly right, wrong, hostile: marked as people would.

What students see of a check never disagrees with what the marker sees.
"""

import copy
import re

import pytest

from anonnb.coursework import mark_folder
from tests.coursework.desk import ALL, KINDS, Desk, Paper, papers
from tests.coursework.tiny import LIMITS, hand_in
from tests.series import THOROUGH

FOUND = [paper for number in ALL for paper in papers(number)]
# In `make test` a third of those that are right, beginning with the first of each assignment, and all the others.
RIGHT = {number: [paper.label for paper in papers(number) if paper.kind == "right"] for number in ALL}
EVERY_TIME = {paper.label for paper in FOUND if paper.label not in RIGHT[paper.number]}
EVERY_TIME |= {label for labels in RIGHT.values() for label in labels[::3]}


@pytest.fixture(scope="module")
def desks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("desks")
    return {number: Desk(one, folder / number, every_check=THOROUGH) for number, one in ALL.items()}


def test_there_are_enough():
    assert len(FOUND) >= 60
    for number in {"01", "02", "03", "04", "05"} | {paper.number for paper in FOUND}:
        assert sum((paper.number, paper.kind) == (number, "right") for paper in FOUND) >= 10, number


def test_titles_tell_them_apart():
    assert {paper.kind for paper in FOUND} == set(KINDS)
    assert len({paper.label for paper in FOUND}) == len(FOUND)
    assert all(bool(paper.lost) == (paper.kind != "right") for paper in FOUND)


@pytest.mark.slow
@pytest.mark.parametrize(
    "paper",
    [
        pytest.param(paper, id=paper.label, marks=() if paper.label in EVERY_TIME else pytest.mark.thorough)
        for paper in FOUND
    ],
)
def test_marked_as_a_person_would(paper, desks):
    mark = desks[paper.number].mark(paper)
    lost = {task.task: task.max_points - task.points for task in mark.tasks if task.kind == "auto"}
    told = {task.task: task.message for task in mark.tasks if task.message and task.kind == "auto"}
    assert {task: points for task, points in lost.items() if points} == paper.lost, told
    assert mark.notes == []
    assert all(told.get(task) for task in paper.lost)


@pytest.mark.slow
def test_work_that_is_about_sixty_percent_right_gets_about_sixty_percent(desks):
    """Of every task about three fifths: most people found, ordinary cases without edges, a release that loses much."""
    cells = {
        "classes": 'classes = [{"p1"}, {"p2", "p3", "p4"}, {"p5", "p7"}, {"p6"}, {"p10"}, {"p8"}, {"p9"}]',
        "approximation": 'lower = {"p1", "p5", "p7", "p8"}\nupper = lower | {"p3", "p4"}\nboundary = upper - lower',
        "quality": "def quality(frame, attributes, decision):\n    return "
        "frame.groupby(attributes)[decision].transform('nunique').eq(1).mean()",
        "reducts": 'reducts = [{"debts", "savings"}]\ncore = {"savings"}',
        "rules": 'rules = [({"savings": "many"}, "yes"), ({"income": "low"}, "no")]',
    }
    mark = desks["01"].mark(Paper("01", "partly", "three fifths", {}, cells))
    assert 0.5 < mark.auto_points / mark.most("auto") < 0.7


@pytest.mark.slow
@pytest.mark.parametrize("number", sorted({paper.number for paper in FOUND}))
def test_no_message_tells_what_a_function_was_called_with(number, desks):
    """Functions that hand on their arguments, by what they return or raise: none of it reaches the feedback."""
    functions = {
        cell.id: re.sub(r"### BEGIN SOLUTION.*?### END SOLUTION", "{}", cell.source, flags=re.DOTALL)
        for cell in ALL[number].cells
        if cell.role == "answer" and cell.source.startswith("def ")
    }
    for how in ('raise ValueError("SECRET" + repr(locals()))', 'return "SECRET" + repr(locals())'):
        cells = {name: source.replace("{}", how) for name, source in functions.items()}
        mark = desks[number].mark(Paper(number, "hostile", f"hands on {how[:5]}", {}, cells))
        judged = [task for task in mark.tasks if task.kind == "auto"]
        assert not [task.message for task in judged if "SECRET" in task.message]
        assert mark.auto_points < mark.most("auto") or not functions


@pytest.mark.slow
def test_behind_walls_the_marks_are_the_same(tmp_path):
    """Some submissions as notebooks, each in processes of its own."""
    chosen = [paper for paper in FOUND if paper.number == "01" and paper.kind in ("partly", "hostile")][2:7]
    for paper in chosen:
        notebook = copy.deepcopy(ALL["01"].student_copy())
        for cell, known in zip(notebook.cells, ALL["01"].cells, strict=True):
            cell.source = paper.cells.get(known.id, known.source) if known.role == "answer" else cell.source
        hand_in(tmp_path, paper.title, notebook, ALL["01"].name)
    marks = {mark.student: mark for mark in mark_folder(tmp_path, [ALL["01"]], limits=LIMITS, jobs=2)}
    for paper in chosen:
        lost = {task.task: task.max_points - task.points for task in marks[paper.title].tasks if task.kind == "auto"}
        assert {task: points for task, points in lost.items() if points} == paper.lost, paper.title
