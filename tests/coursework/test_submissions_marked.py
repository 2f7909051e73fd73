"""Submissions as students hand them in, right in their own style, partly right, wrong, hostile: marked as people would.

What students see of a check never disagrees with what the marker sees.
"""

import re

import pytest
from nbformat.v4 import new_code_cell

from tests.coursework.desk import ALL, Desk, Paper, papers
from tests.coursework.tiny import grade_id, submission
from tests.coursework.tiny import mark as mark_notebook
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
    assert lost(paper.number, mark.points) == paper.lost, mark.messages
    assert mark.notes == []
    assert all(mark.messages[check] for check in paper.lost)


def lost(number, points):
    """What was taken off, by check."""
    off = {cell.id: cell.points - points[cell.id] for cell in ALL[number].checks}
    return {check: points for check, points in off.items() if points}


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
    assert 0.5 < mark.total / ALL["01"].auto_points < 0.7


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
        assert not [text for text in mark.messages.values() if "SECRET" in text]
        assert mark.total < ALL[number].auto_points or not functions


def handed_in(paper):
    """A submission as a notebook, with the cells that the student added."""
    known = ALL[paper.number]
    answers = {cell.id: paper.cells.get(cell.id, cell.source) for cell in known.cells if cell.role in ("answer", "id")}
    notebook = submission(known, answers)
    for name in (name for name in paper.cells if name.startswith("+")):
        place = next(place for place, cell in enumerate(notebook.cells) if grade_id(cell) == name[1:])
        notebook.cells.insert(place + 1, new_code_cell(paper.cells[name]))
    return notebook


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", [pytest.param(number, marks=() if number in ("01", "07") else pytest.mark.thorough) for number in ALL]
)
def test_behind_walls_the_marks_are_the_same(number):
    """Three right submissions in different styles, one right in part and a hostile one, each in its processes."""
    usual = [paper for paper in papers(number) if "student_id" not in paper.cells]
    chosen = [paper for paper in usual if paper.kind == "right"][:3]
    chosen += [next(paper for paper in usual if paper.kind == kind) for kind in ("partly", "hostile")]
    for paper in chosen:
        found = mark_notebook(ALL[number], handed_in(paper), student="")
        assert lost(number, found.points) == paper.lost, (paper.title, found.said)
