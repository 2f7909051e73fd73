"""Assignments: what a source must be, and the copy that follows from it."""

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell

from anonnb.coursework import assignments, release_copies
from anonnb.coursework.assignment import CODE_STUB, TEXT_STUB, Assignment, BadAssignment
from tests.coursework.tiny import NAME, graded, source_notebook, write_source


def written(folder, change):
    notebook = source_notebook()
    change(notebook)
    path = folder / f"{NAME}.ipynb"
    nbformat.write(notebook, path)
    return path


def test_roles_points_and_title(tmp_path):
    tiny = write_source(tmp_path)
    assert [cell.role for cell in tiny.cells] == ["prose", "given", "answer", "check", "answer", "check", "text"]
    assert (tiny.name, tiny.title, tiny.auto_points, tiny.manual_points) == (NAME, "Tiny", 5, 5)


def test_the_copy_has_stubs_and_no_hidden_tests(tmp_path):
    tiny = write_source(tmp_path)
    copy = {cell.id: cell for cell in tiny.student_copy().cells}
    assert copy["a1"].source == CODE_STUB
    assert copy["a2"].source == "def double(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()"
    assert copy["think"].source == TEXT_STUB
    assert copy["c1"].source == 'assert isinstance(total, int), "total must be a whole number"'
    assert copy["c1"].metadata["editable"] is copy["given"].metadata["editable"] is False
    assert "editable" not in copy["a1"].metadata
    assert copy["given"].source == "NUMBERS = [1, 2, 3]"


def test_outputs_do_not_reach_the_copy(tmp_path):
    def run(notebook):
        notebook.cells[2].outputs = [nbformat.v4.new_output("stream", text="6, the solution")]
        notebook.cells[2].execution_count = 3

    copy = Assignment.read(written(tmp_path, run)).student_copy()
    assert copy.cells[2].outputs == []
    assert "the solution" not in json.dumps(copy)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda n: n.cells.append(new_code_cell("x = 1")), "code without nbgrader's metadata"),
        (lambda n: n.cells.append(graded("code", "a1", "x", solution=True)), "'a1' occurs twice"),
        (lambda n: n.cells[3].metadata["nbgrader"].pop("points"), "needs points above 0, not 0"),
        (lambda n: n.cells[3].metadata["nbgrader"].update(points="many"), "not 'many'"),
        (lambda n: n.cells[3].metadata["nbgrader"].update(schema_version=1), "schema_version 3"),
        (lambda n: n.cells[3].metadata["nbgrader"].pop("grade_id"), "grade_id"),
        (lambda n: n.cells.append(graded("markdown", "m", "x", solution=True)), "must be a code cell"),
        (lambda n: n.cells[2].update(source="### BEGIN SOLUTION\nx = 1"), "without END SOLUTION"),
        (lambda n: n.cells[2].update(source="### END SOLUTION"), "do not alternate"),
        (lambda n: n.cells[2].update(source="### BEGIN SOLUTION\n### BEGIN SOLUTION"), "do not alternate"),
        (lambda n: n.cells[3].update(source="### BEGIN HIDDEN TESTS"), "without END HIDDEN TESTS"),
    ],
)
def test_bad_sources_are_refused(tmp_path, change, message):
    with pytest.raises(BadAssignment, match=message) as error:
        Assignment.read(written(tmp_path, change))
    assert NAME in str(error.value)


def test_files_beside_the_source_go_with_it(tmp_path):
    write_source(tmp_path / "source")
    (tmp_path / "source" / NAME / "people.csv").write_text("a\n1\n")
    changed = release_copies(tmp_path / "source")
    assert {path.name for path in changed} == {f"{NAME}.ipynb", "people.csv"}
    assert (tmp_path / "release" / NAME / "people.csv").read_text() == "a\n1\n"
    assert release_copies(tmp_path / "source") == []


def test_assignments_are_chosen_by_the_start_of_their_name(tmp_path):
    write_source(tmp_path)
    assert [one.name for one in assignments(tmp_path, ["01"])] == [NAME]
    with pytest.raises(BadAssignment, match="'02' names 0 assignments; known are 01_tiny"):
        assignments(tmp_path, ["02"])
    with pytest.raises(BadAssignment, match="there is no assignment in"):
        assignments(tmp_path / NAME)
