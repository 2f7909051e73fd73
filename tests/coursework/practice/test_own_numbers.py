"""Numbers of one's own: they follow from the id, two students differ, and each one's own right answer counts."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from anonnb.coursework import mark_folder
from anonnb.coursework.assignment import Assignment, BadAssignment
from anonnb.coursework.practice import personal
from anonnb.coursework.practice.own_numbers import same_id, written_id
from anonnb.coursework.submissions import merge, read_ids
from tests.coursework.tiny import LIMITS, graded, hand_in, isolation, submission

NAME = "07_own"
STUDENTS = [f"s{number}" for number in range(200)]


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


def test_students_are_spread_over_the_options():
    drawn = [personal(NAME, student).one_of(range(4)) for student in STUDENTS]
    assert min(map(drawn.count, range(4))) > 25
    assert len({total(student) for student in STUDENTS}) > 150


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


def test_students_get_the_cell_for_their_id(tmp_path):
    copy = own_assignment(tmp_path).student_copy()
    assert copy.cells[0].source == 'STUDENT = ""  # your id'
    assert "editable" not in copy.cells[0].metadata


def test_the_list_of_ids(tmp_path):
    path = tmp_path / "ids.csv"
    for text, message in {
        "student,number\nann,1\n": "must name the columns student and id",
        "student,id\nann,\n": "line 2: student and id must both be there",
        "student,id\nann,1\nann,2\n": "line 3: 'ann' has two ids",
    }.items():
        path.write_text(text)
        with pytest.raises(ValueError, match=message):
            read_ids(path)
    path.write_text("\ufeffstudent,id,more\nann, 1 ,x\nann,1,y\n", encoding="utf-8")
    assert read_ids(path) == {"ann": "1"}
    with pytest.raises(ValueError, match="there is no file"):
        read_ids(tmp_path / "none.csv")


def test_cells_after_the_one_for_the_id_run_too(tmp_path):
    assignment = own_assignment(tmp_path)
    notebook = submission(assignment, then=lambda notebook: notebook.cells.insert(1, new_code_cell("helper = 1")))
    steps = merge(assignment, hand_in(tmp_path / "in", "ann", notebook, NAME)).steps
    assert [step["code"] for step in steps][:2] == ["STUDENT = ''", "helper = 1"]


@pytest.mark.parametrize("code", ["STUDENT = str(17)", "STUDENT = ann", "STUDENT = 0017", "pass"])
def test_an_id_that_cannot_be_read_is_told(tmp_path, code):
    assignment = own_assignment(tmp_path)
    path = hand_in(tmp_path / "in", "ann", submission(assignment, {"student_id": code}), NAME)
    merged = merge(assignment, path)
    told = 'no id can be read in the cell student_id (write STUDENT = "…"); the usual numbers counted'
    assert (merged.id, merged.notes) == ("", [told])
    assert merge(assignment, path, "s17").id == "s17"


# ---- marking ---------------------------------------------------------------------------------------------------------

HANDED_IN = {  # folder: the cell for the id, the answer, and the points without and with the teacher's list of ids
    "ann": ('STUDENT = "ann"', f"total = {total('ann')}", 3, 3),
    "bob": ('STUDENT = "Bob "', "total = sum(NUMBERS)", 3, 3),
    "cem": ('STUDENT = "ann"', f"total = {total('ann')}", 3, 0),  # the whole notebook of Ann
    "dora": ('STUDENT = "dora"', f"total = {total('ann')}", 0, 0),  # Ann's answer
    "eli": (None, f"total = {total('')}", 3, 0),  # the usual numbers
    "fay": ("STUDENT = 'f'\nNUMBERS = [1]\ndef personal(*_): return NUMBERS", "total = 1", 0, 0),
    "gus": ("STUDENT = 'wrong'", "total = sum(NUMBERS)", 3, 3),  # mistyped, but computed
}


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory):
    root = tmp_path_factory.mktemp("own")
    assignment = own_assignment(root / "source")
    for student, (written, answer, *_) in HANDED_IN.items():
        answers = {"a1": answer} | ({"student_id": written} if written else {})
        hand_in(root / "in", student, submission(assignment, answers), NAME)
    return assignment, root / "in"


def marked(handed_in, ids):
    assignment, folder = handed_in
    found = mark_folder(folder, [assignment], limits=LIMITS, isolation=isolation()[0], ids=ids)
    return {mark.student: mark for mark in found}


@pytest.mark.slow
def test_without_a_list_the_id_in_the_notebook_counts(handed_in):
    marks = marked(handed_in, None)
    assert {name: mark.auto_points for name, mark in marks.items()} == {
        name: line[2] for name, line in HANDED_IN.items()
    }
    assert marks["ann"].notes == marks["cem"].notes == ["another submission has the id 'ann', too"]
    assert marks["bob"].notes == marks["eli"].notes == []
    assert {name: mark.id for name, mark in marks.items()} == {
        "ann": "ann", "bob": "bob", "cem": "ann", "dora": "dora", "eli": "", "fay": "f", "gus": "wrong"
    }  # fmt: skip


@pytest.mark.slow
def test_with_a_list_everybody_has_their_own_numbers(handed_in):
    marks = marked(handed_in, {name: name for name in HANDED_IN})
    assert {name: mark.auto_points for name, mark in marks.items()} == {
        name: line[3] for name, line in HANDED_IN.items()
    }
    assert marks["ann"].notes == marks["bob"].notes == []
    assert marks["cem"].notes == ["the notebook has the numbers of 'ann'; it was marked with those of 'cem'"]
    assert marks["eli"].notes == [
        "the notebook has the numbers of nobody in particular; it was marked with those of 'eli'"
    ]
