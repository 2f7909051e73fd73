"""A desk at which submissions of an assignment are marked in this process: the same steps, without walls and limits.

``submissions/NN.txt`` has the submissions of an assignment. ``=== kind | what is lost | title`` opens one: the kind is
right, partly, wrong or hostile, and what is lost names checks with the points that a person would take off (``nothing``
for none). ``--- name`` opens the code that stands in an answer cell, ``--- +name`` a cell of the student's own after
it. Cells that are not named hold the model solution.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

from nbformat.v4 import new_code_cell
from nbgrader.utils import determine_grade

from anonnb.coursework import assignments, student
from anonnb.coursework.assignment import Assignment, cleared
from anonnb.coursework.autograding import verdict_outputs
from anonnb.coursework.examiner import Examination, Student
from tests.coursework.tiny import words

HERE = Path(__file__).parent
ALL = {one.name[:2]: one for one in assignments(HERE.parents[1] / "notebooks" / "coursework" / "source")}
KINDS = ("right", "partly", "wrong", "hostile")
SLOW = {"ours"}  # cells whose model solution takes seconds: its values are computed once


@dataclass
class Mark:
    """Points and messages by check; ``notes`` name the checks that students see otherwise than the marker."""

    points: dict[str, float]
    messages: dict[str, str]
    notes: list[str]
    errors: list[str]

    @property
    def total(self) -> float:
        return sum(self.points.values())


@dataclass(frozen=True)
class Paper:
    """One submission: the code of some cells, and what a person would take off, by check."""

    number: str
    kind: str
    title: str
    lost: dict[str, float]
    cells: dict[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        return f"{self.number}-{self.kind}-{self.title}"


def papers(number: str) -> Iterator[Paper]:
    """The submissions of an assignment."""
    path = HERE / "submissions" / f"{number}.txt"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    for part in re.split(r"^=== ", text, flags=re.MULTILINE)[1:]:
        header, _, body = part.partition("\n")
        kind, lost, title = (word.strip() for word in header.split("|"))
        off = {} if lost == "nothing" else dict(one.split() for one in lost.split(","))
        pieces = re.split(r"^--- (\S+)\n", body, flags=re.MULTILINE)
        cells = dict(zip(pieces[1::2], pieces[2::2], strict=True))
        yield Paper(number, kind, title, {check: float(points) for check, points in off.items()}, cells)


class Here(Student):
    """The student's side in this process."""

    def __init__(self, folder: Path):
        self.folder, self.calls = folder, 0
        self.watch = SimpleNamespace(awaiting=contextlib.nullcontext)
        self.shell = SimpleNamespace(user_ns={"__name__": "__main__"})

    def run(self, code: str) -> str | None:
        try:
            with inside(self.folder), contextlib.redirect_stdout(io.StringIO()):
                exec(compile(code, "<cell>", "exec"), self.shell.user_ns)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return None

    def _ask(self, **request):
        with inside(self.folder):
            return student._ACTIONS[request.pop("do")](self.shell, **request)


class Desk:
    """One assignment and a folder to work in.

    Unless it makes ``every_check``, a task in which a submission holds the model solution and should lose nothing gets
    its points unseen; that the model solution gets them is tested elsewhere. Of a hostile one everything is checked.
    """

    def __init__(self, assignment: Assignment, folder: Path, *, every_check: bool = True):
        self.assignment, self.folder, self.every_check, self._known = assignment, folder, every_check, {}

    def mark(self, paper: Paper) -> Mark:
        """The mark of a submission, as nbgrader reads it."""
        examination = self.taken(paper)
        assert not examination.stopped
        most = {cell.id: cell.points for cell in self.assignment.checks}
        points, messages = {}, {}
        for line in (line for line in examination.outcomes if "points" in line):
            cell = new_code_cell(outputs=verdict_outputs(line["points"], most[line["id"]], line["message"]))
            cell.metadata["nbgrader"] = {"grade": True, "solution": False, "points": most[line["id"]]}
            points[line["id"]], messages[line["id"]] = determine_grade(cell)[0], words(cell)
        errors = [line["error"] for line in examination.outcomes if "error" in line]
        return Mark(points, messages, examination.notes, errors)

    def taken(self, paper: Paper) -> Examination:
        """All cells of a submission, gone through; ``notes`` tells where students see a check otherwise."""
        mine, theirs = (self.folder / f"{paper.title} {side}" for side in ("examiner", "student"))
        for folder in (mine, theirs):
            folder.mkdir(parents=True)
        changed = self._changed(paper)
        examination = Examination(Here(theirs))
        examination.notes = []
        with inside(mine):
            for cell in self.assignment.cells:
                if cell.role == "check" and cell.task in changed:
                    examination.notes += self._disagreement(examination, cell)
                self._take(examination, cell, paper)
        return examination

    def _changed(self, paper: Paper) -> set[str]:
        """The tasks in which a submission is not the model solution."""
        return {cell.task for cell in self.assignment.cells if {cell.id, f"+{cell.id}"} & set(paper.cells)}

    def _is_seen(self, cell, paper: Paper) -> bool:
        """Whether a check is made."""
        if self.every_check or paper.kind == "hostile" or cell.id in paper.lost:
            return True
        return cell.task in self._changed(paper)

    def _take(self, examination: Examination, cell, paper: Paper) -> None:
        names = examination.student.shell.user_ns
        if cell.role == "check" and not self._is_seen(cell, paper):
            examination.outcomes.append({"id": cell.id, "points": None, "message": ""})
            return
        if cell.role == "answer" and cell.id in SLOW and cell.id not in paper.cells:
            if cell.id not in self._known:
                before = dict(names)
                examination.take({"role": "answer", "id": cell.id, "code": cell.source})
                self._known[cell.id] = {name: names[name] for name in names if names[name] is not before.get(name)}
            names |= self._known[cell.id]
        elif cell.role in ("given", "id", "check", "answer"):
            role, code = cell.role, paper.cells.get(cell.id, cell.source)
            examination.take({"role": "given" if role == "id" else role, "id": cell.id, "code": code})
        if f"+{cell.id}" in paper.cells:
            examination.take({"role": "answer", "id": "", "code": paper.cells[f"+{cell.id}"]})

    def _disagreement(self, examination: Examination, cell) -> list[str]:
        """What students see of a check, on their own values and on the copies that the marker gets."""
        theirs, visible = examination.student, cleared(cell)
        raw = {name: value for name, value in theirs.shell.user_ns.items() if name not in examination.given}
        with inside(theirs.folder):
            own = outcome(visible, examination.given | raw)
        points, _ = Examination._examine(examination, visible, cell.id)
        return [] if own == (points is None) else [f"{cell.id}: visible {own}, marker {points}"]


def outcome(code: str, names: dict) -> bool:
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(code, "<check>", "exec"), dict(names))
    except (AssertionError, TypeError, ValueError, NameError, AttributeError, KeyError):
        return False
    return True


@contextlib.contextmanager
def inside(folder: Path):
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
