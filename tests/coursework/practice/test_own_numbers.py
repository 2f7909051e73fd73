"""Numbers of one's own: they follow from the id, two students differ, and each one's own right answer counts."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from anonnb.coursework.assignment import Assignment, BadAssignment
from anonnb.coursework.practice import personal
from anonnb.coursework.practice.own_numbers import same_id, written_id
from anonnb.coursework.sanitizing import rebuild, steps
from tests.coursework.tiny import graded, mark, submission

NAME = "07_own"


def own_assignment(folder):
    """A student adds up numbers of their own."""
    given = (
        "from anonnb.coursework.practice import personal\nNUMBERS = personal('07_own', STUDENT).rows(1000, 5).tolist()"
    )
    check = "### BEGIN HIDDEN TESTS\nassert total == sum(NUMBERS), 'not the sum'\n### END HIDDEN TESTS"
    cells = [
        graded("code", "student_id", 'STUDENT = ""  # your id'),
        graded("code", "given", given, locked=True),
        graded("code", "a1", "### BEGIN SOLUTION\ntotal = sum(NUMBERS)\n### END SOLUTION", solution=True),
        graded("code", "c1", check, grade=True, locked=True, points=3),
    ]
    path = folder / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(new_notebook(cells=cells), path)
    return Assignment.read(path)


def total(student):
    return int(personal(NAME, student).rows(1000, 5).sum())


def test_draws_follow_from_the_id_and_the_assignment():
    assert total("ann") == total(" ANN ") != total("bob")
    assert personal("a", "ann").rows(10**6, 3).tolist() != personal("b", "ann").rows(10**6, 3).tolist()
    assert personal("a").one_of([7, 8, 9]) == 7
    own = personal("a", "ann")
    assert own.rows(10**6, 3).tolist() != own.rows(10**6, 3).tolist()


def test_rows_are_different_ones():
    rows = personal(NAME, "ann").rows(20, 20)
    assert rows.tolist() == list(range(20))
    with pytest.raises(ValueError, match="21 different rows cannot be drawn from 20"):
        personal(NAME).rows(20, 21)


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('STUDENT = "Ann"', "ann"),
        ("STUDENT: str = 'ann '", "ann"),
        ("# my id\nSTUDENT = 's1'\nSTUDENT = 's2'", "s2"),
        ("STUDENT = 1047", "1047"),
        ("STUDENT = ann", ""),
        ("STUDENT = True", ""),
        ("import os; os._exit(0)", ""),
        ("STUDENT = (" * 300, ""),
        ("\0", ""),
    ],
)
def test_the_id_is_read_and_not_run(code, found):
    assert written_id(code) == found


def test_an_id_has_one_spelling():
    assert same_id("Zoe\u0308") == same_id("ZO\u00cb") != same_id("zoe")


def test_a_locked_cell_for_the_id_is_refused(tmp_path):
    own_assignment(tmp_path)
    path = tmp_path / NAME / f"{NAME}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[0].metadata["nbgrader"]["locked"] = True
    nbformat.write(notebook, path)
    with pytest.raises(BadAssignment, match="neither graded nor a solution nor locked"):
        Assignment.read(path)


def test_cells_after_the_one_for_the_id_run_too(tmp_path):
    assignment = own_assignment(tmp_path)
    notebook = submission(assignment, then=lambda notebook: notebook.cells.insert(1, new_code_cell("helper = 1")))
    found = list(steps(assignment, rebuild(assignment, notebook, "ann").notebook))
    assert [step["code"] for step in found][:2] == ["STUDENT = 'ann'", "helper = 1"]


@pytest.mark.parametrize("code", ["STUDENT = str(17)", "STUDENT = ann", "STUDENT = 0017", "pass"])
def test_an_id_that_cannot_be_read_is_told(tmp_path, code):
    assignment = own_assignment(tmp_path)
    rebuilt = rebuild(assignment, submission(assignment, {"student_id": code}), "s17")
    assert rebuilt.notes == ["the notebook has the numbers of nobody in particular; it was marked with those of 's17'"]


# ---- marking ---------------------------------------------------------------------------------------------------------

HANDED_IN = {  # nbgrader's student id: the cell for the id, the answer, the points, whose numbers the notebook has
    "ann": ('STUDENT = "ann"', f"total = {total('ann')}", 3, None),
    "bob": ('STUDENT = "Bob "', "total = sum(NUMBERS)", 3, None),
    "cem": ('STUDENT = "ann"', f"total = {total('ann')}", 0, "'ann'"),  # the whole notebook of Ann
    "dora": ('STUDENT = "dora"', f"total = {total('ann')}", 0, None),  # Ann's answer
    "eli": (None, f"total = {total('')}", 0, "nobody in particular"),  # the usual numbers
    "fay": ("STUDENT = 'f'\nNUMBERS = [1]\ndef personal(*_): return NUMBERS", "total = 1", 0, "'f'"),
    "gus": ("STUDENT = 'wrong'", "total = sum(NUMBERS)", 3, "'wrong'"),  # mistyped, but computed
}


@pytest.mark.slow
def test_everybody_is_marked_with_their_own_numbers(tmp_path):
    assignment = own_assignment(tmp_path)
    for student, (written, answer, points, whose) in HANDED_IN.items():
        answers = {"a1": answer} | ({"student_id": written} if written else {})
        found = mark(assignment, submission(assignment, answers), student)
        assert (student, found.points) == (student, {"c1": points})
        note = f"- the notebook has the numbers of {whose}; it was marked with those of {student!r}"
        assert found.said.get("notes") == (note if whose else None)
