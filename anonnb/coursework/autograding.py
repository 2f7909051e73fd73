"""nbgrader's autograder with safe marking: what its configuration names in place of its own steps.

``Sanitize`` rebuilds a notebook from the source, ``Examine`` lets an examiner mark it in processes of its own and
writes the verdicts where nbgrader reads them, ``HideTests`` keeps hidden tests out of the feedback. A test cell whose
output is an error has no points, one with a number so many, one without output all of them. Formgrader, feedback,
export and the gradebook then show our marks.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
import textwrap
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from anonnb.core.extras import needs
from anonnb.coursework.assignment import Assignment
from anonnb.coursework.examiners import Conditions, examiners, find_isolation
from anonnb.coursework.isolation import KINDS
from anonnb.coursework.limits import Limits
from anonnb.coursework.sanitizing import readable, rebuild, steps

needs(__name__, "coursework", "nbgrader", "traitlets")

from nbformat.v4 import new_code_cell, new_output  # noqa: E402
from nbgrader.preprocessors import ClearHiddenTests, NbGraderPreprocessor  # noqa: E402
from nbgrader.utils import is_grade, is_solution  # noqa: E402
from traitlets import Bool, Float, Integer  # noqa: E402

TEMPLATES = Path(__file__).parent / "templates"
MAX_NOTEBOOK = 20_000_000  # bytes
MAX_FILE = 10_000_000
_WIDTH = 100  # characters of a line in an output
_HERE = __name__


class MarkingFailed(Exception):
    """The examiner could not do its work, through no fault of the student; there is no mark."""


def configure(c: Any) -> None:
    """Set what nbgrader_config.py of a course needs; ``c`` is the object that ``get_config()`` returns there."""
    # nbgrader looks for alembic, which makes the gradebook, on the path
    os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])
    c.Autograde.pre_convert_hook = f"{_HERE}.set_strange_files_aside"
    c.Autograde.sanitize_preprocessors = [f"{_HERE}.Sanitize"]
    c.Autograde.autograde_preprocessors = [
        f"{_HERE}.Examine",
        "nbgrader.preprocessors.SaveAutoGrades",
        "nbgrader.preprocessors.AssignLatePenalties",
    ]
    c.GenerateFeedback.preprocessors = [
        "nbgrader.preprocessors.GetGrades",
        f"{_HERE}.HideTests",
        "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
    ]
    from nbgrader.server_extensions.formgrader.handlers import template_path

    c.GenerateFeedback.HTMLExporter.template_name = "marked"
    c.GenerateFeedback.HTMLExporter.extra_template_basedirs = [os.fspath(TEMPLATES), template_path]


def set_strange_files_aside(assignment: str, student: str, notebooks: Sequence[str]) -> None:
    """Move what nobody asked for out of a submission, before nbgrader copies it; called in the course folder.

    CSV files, notebooks and ``timestamp.txt`` stay, if they are plain files of a usual size: nbgrader would follow a
    link, read a device without end, and serve a page to the teacher's browser.
    """
    for folder in {Path(notebook).parent for notebook in notebooks}:
        aside = Path("set_aside", *folder.parts[-2:])
        links = [path for path in (folder.parent, folder) if path.is_symlink()]
        walk = os.walk(folder)
        entries = links[:1] or [Path(parent, name) for parent, *names in walk for name in (*names[0], *names[1])]
        for path in (path for path in entries if not _is_usual(path)):
            aside.mkdir(parents=True, exist_ok=True)
            os.replace(path, aside / f"{len(list(aside.iterdir())) + 1}-{path.name[-100:]}")


def _is_usual(path: Path) -> bool:
    status = path.lstat()
    if stat.S_ISDIR(status.st_mode):
        return True
    limit = MAX_NOTEBOOK if path.suffix == ".ipynb" else MAX_FILE
    named = path.suffix in (".csv", ".ipynb") or path.name == "timestamp.txt"
    return stat.S_ISREG(status.st_mode) and named and status.st_size <= limit


class _Marking(NbGraderPreprocessor):
    """What both steps know: the course, the assignment, the student."""

    def _paths(self, resources: Mapping[str, Any]) -> tuple[Path, Path, Path, Path]:
        """Return the course, the source notebook, the folder that was handed in and the one that is being made."""
        course, names = self.parent.parent.coursedir, resources["nbgrader"]
        source, submitted, marked = (
            Path(course.format_path(folder, student, names["assignment"])).resolve()
            for folder, student in (
                (course.source_directory, "."),
                (course.submitted_directory, names["student"]),
                (course.autograded_directory, names["student"]),
            )
        )
        return Path(course.root).resolve(), source / f"{names['notebook']}.ipynb", submitted, marked


class Sanitize(_Marking):
    """Rebuild the notebook from the source's cells with the student's answers."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        assignment = Assignment.read(self._paths(resources)[1])
        rebuilt = rebuild(assignment, nb, resources["nbgrader"]["student"])
        rebuilt.notebook.metadata["anonnb"] = {"notes": rebuilt.notes}
        return rebuilt.notebook, resources


class Examine(_Marking):
    """Mark a rebuilt notebook in processes of its own, in place of nbgrader's ``Execute``."""

    seconds = Float(Limits.seconds, help="The time of all cells of a submission in total.").tag(config=True)
    cell_seconds = Float(Limits.cell_seconds, help="The time of one cell or one check.").tag(config=True)
    megabytes = Integer(Limits.megabytes, help="The resident memory of a submission's processes.").tag(config=True)
    unprotected = Bool(False, help="Mark even if students' processes cannot be isolated.").tag(config=True)

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        course, source, submitted, marked = self._paths(resources)
        assignment = Assignment.read(source)
        try:
            conditions = _conditions(self._limits(), self.unprotected, os.fspath(course))
            _check_model(source, assignment.digest, conditions)
        except ValueError as error:  # it holds for everybody, so that nobody is marked
            shutil.rmtree(marked, ignore_errors=True)
            raise SystemExit(f"Nobody was marked: {error}") from None
        (self.log.warning if conditions.isolation == "none" else self.log.info)(KINDS[conditions.isolation])
        files = [file for file in sorted(submitted.glob("*.csv")) if _is_usual(file)]
        result = examine_notebook(assignment, nb, conditions, files)
        if "failed" in result:
            raise MarkingFailed(result["failed"])
        notes = nb.metadata.pop("anonnb", {}).get("notes", [])
        write_verdicts(nb, assignment, result, notes)
        return nb, resources

    def _limits(self) -> Limits:
        return Limits(self.seconds, self.cell_seconds, self.megabytes)


@cache
def _conditions(limits: Limits, unprotected: bool, course: str) -> Conditions:
    kind, why = find_isolation(limits)
    if kind == "none" and not unprotected:
        raise ValueError(
            f"students' processes cannot be isolated here ({why}). Mark on Linux or in the container of the guide, or "
            "accept that their cells can write what you can write, also your gradebook: --Examine.unprotected=True"
        )
    return Conditions(limits, kind, (course,))


@cache
def _check_model(source: Path, digest: bytes, conditions: Conditions) -> None:
    """Raise a ValueError unless the model solution gets full marks under the same conditions."""
    assignment = Assignment.read(source)
    result = examine_notebook(assignment, assignment.notebook, conditions)
    why = result.get("failed") or result["stopped"]
    if not why:
        write_verdicts(assignment.notebook, assignment, result, [])
        cells = (assignment.notebook.cells[line["cell"]] for line in result["outcomes"])
        outputs = [output for cell in cells for output in cell.outputs]
        why = " ".join([*outputs[0].get("traceback", []), outputs[0].get("text", "")]).strip() if outputs else ""
    if why:
        limits = conditions.limits
        raise ValueError(
            f"the model solution of {assignment.name} does not get full marks with {limits.megabytes} MB, "
            f"{limits.cell_seconds:g} s per cell and {limits.seconds:g} s in total ({why}); allow more"
        )


def examine_notebook(
    assignment: Assignment, notebook: Any, conditions: Conditions, handed_in: Sequence[Path] = ()
) -> dict[str, Any]:
    """Let an examiner go through a rebuilt notebook; see :func:`anonnb.coursework.examiner.examine` for the result."""
    files = {
        "given": [os.fspath(file.resolve()) for file in assignment.files],
        "handed_in": [os.fspath(file) for file in handed_in],
    }
    return examiners().examine(conditions.job(steps(assignment, notebook), **files))


def write_verdicts(notebook: Any, assignment: Assignment, result: Mapping[str, Any], notes: Sequence[str]) -> None:
    """Write an examiner's result into a rebuilt notebook, as outputs of its cells; what else was odd comes first."""
    max_points = {cell.id: cell.points for cell in assignment.checks}
    for line in result["outcomes"]:
        cell = notebook.cells[line["cell"]]
        if "error" in line:
            cell.outputs = [_error(line["error"])]
        else:
            cell.outputs = verdict_outputs(line["points"], max_points[line["id"]], line["message"])
    if result["stopped"]:
        notes = [f"stopped: {result['stopped']}; what was checked before counts", *notes]
    if notes:
        text = "".join(f"{_wrapped(f'- {note}')}\n" for note in notes)
        cell = new_code_cell("# Notes on this submission", id="notes", outputs=[new_output("stream", text=text)])
        notebook.cells.insert(0, cell)


def verdict_outputs(points: float | None, most: float, message: str) -> list[Any]:
    """Return the outputs of a test cell; nbgrader takes NaN and negative points for all points, so they are clamped."""
    points = most if points is None else min(points, most) if points > 0 else 0
    if points == most:
        return []
    if points == 0:
        return [_error(message or "the check fails")]
    number = new_output("execute_result", data={"text/plain": repr(float(points))}, execution_count=None)
    return [new_output("stream", text=_wrapped(message or "right in part") + "\n"), number]


def _error(text: str) -> Any:
    lines = _wrapped(text).splitlines()
    return new_output("error", ename="Not yet", evalue=lines[0] if lines else "", traceback=lines)


def _wrapped(text: str) -> str:
    return "\n".join(part for line in readable(text).splitlines() for part in textwrap.wrap(line, _WIDTH))


class HideTests(ClearHiddenTests):
    """Clear hidden tests from test cells; what a student writes about hidden tests stays."""

    def preprocess_cell(self, cell: Any, resources: Any, cell_index: int) -> tuple[Any, Any]:
        if is_grade(cell) and not is_solution(cell):
            return super().preprocess_cell(cell, resources, cell_index)
        return cell, resources
