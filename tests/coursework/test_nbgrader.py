"""A term at nbgrader: our assignments are generated, handed in solved and untouched, marked, sent back, exported.

`make test` takes two of them, `make thorough` all ten.
"""

import csv
import html
import re
import shutil

import nbformat
import pytest

from anonnb.coursework.assignment import cleared
from anonnb.coursework.releasing import assignments, source_folder
from tests.coursework.tiny import Course, hand_in, solved
from tests.series import THOROUGH

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not source_folder().is_dir(), reason="there are no sources here")]
SOME = ("03", "04")  # an attack with compiled code; functions, and files beside the notebook
ALL = assignments() if source_folder().is_dir() else []
each = pytest.mark.parametrize(
    "assignment",
    [pytest.param(one, id=one.name, marks=() if one.name[:2] in SOME else pytest.mark.thorough) for one in ALL],
)


@pytest.fixture(scope="module")
def term(tmp_path_factory):
    """A course in which ann hands in the model solution, and bob what he was given."""
    course = Course(tmp_path_factory.mktemp("term"), source_folder())
    if not THOROUGH:
        for folder in (course.root / "source").iterdir():
            if folder.name[:2] not in SOME:
                shutil.rmtree(folder)
    course.nbgrader("generate_assignment", "*")
    for name in (folder.name for folder in (course.root / "source").iterdir()):
        hand_in(course.root, "ann", solved(course.assignments[name], "ann"), name)
        hand_in(course.root, "bob", nbformat.read(course.root / "release" / name / f"{name}.ipynb", 4), name)
    course.nbgrader("autograde", "*")
    course.nbgrader("generate_feedback", "*")
    course.nbgrader("export")
    return course


@each
def test_the_model_solution_gets_all_points_and_the_copy_none(term, assignment):
    points = term.points(assignment.name)
    checks = {cell.id: cell.points for cell in assignment.checks}
    texts = {cell.id for cell in assignment.texts}
    assert {cell: score for cell, score in points["ann"].items() if cell in checks} == checks
    assert {cell for cell, score in points["ann"].items() if score is None} == texts  # a person has to read them
    assert set(points["bob"].values()) == {0}
    assert term.said("ann", assignment.name) == {}
    assert "'bob'" in term.said("bob", assignment.name)["notes"]


@each
def test_the_gradebook_and_the_export_agree(term, assignment):
    with (term.root / "grades.csv").open(encoding="utf-8") as file:
        lines = {(line["assignment"], line["student_id"]): line for line in csv.DictReader(file)}
    line = lines[assignment.name, "ann"]
    assert float(line["score"]) == assignment.auto_points
    assert float(line["max_score"]) == assignment.auto_points + assignment.manual_points == 100
    assert float(lines[assignment.name, "bob"]["score"]) == 0


@each
def test_feedback_has_the_points_but_no_hidden_test_and_asks_nobody(term, assignment):
    visible = {line.strip() for cell in assignment.cells for line in cleared(cell).splitlines()}
    visible |= {line.strip() for cell in assignment.cells if cell.role == "answer" for line in cell.source.splitlines()}
    hidden = {line.strip() for cell in assignment.checks for line in cell.source.splitlines()} - visible
    hidden = {line for line in hidden if len(line) > 15 and "HIDDEN TESTS" not in line}
    assert hidden
    for student in ("ann", "bob"):
        page = term.root / "feedback" / student / assignment.name / f"{assignment.name}.html"
        text = page.read_text(encoding="utf-8")
        plain = html.unescape(re.sub(r"<[^>]+>", "", text))
        assert hidden & {line.strip() for line in plain.splitlines()} == set()
        assert any(line.strip() in visible for line in plain.splitlines() if len(line) > 15)  # else nothing is said
        assert "HIDDEN TESTS" not in text
        assert re.findall(r'(?:src|href)="(?!#|data:)([^"]*)', text) == []
        assert "<script" not in text


@each
def test_nbgrader_hands_out_the_same_cells_as_we_do(term, assignment):
    theirs = nbformat.read(term.root / "release" / assignment.name / f"{assignment.name}.ipynb", as_version=4)
    ours = assignment.student_copy()
    assert [cell.source.strip() for cell in theirs.cells] == [cell.source.strip() for cell in ours.cells]
