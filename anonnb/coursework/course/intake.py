"""Intake: what a learning platform gives away becomes one folder per student, and a report that leaves nothing out.

Idea: every file that came has a line in the report, and every student on the list has one, too. Of several notebooks
for one assignment the newest counts: by the collector's time, then by the time in the student's own archive, then by
the number that a copy carries (``(2)`` after ``(1)``), then by the path; the others are named. Nothing is written
unless all of it is.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path, PurePosixPath

from anonnb.coursework.assignment import Assignment
from anonnb.coursework.course.archives import BadArchive, HandedFile, composed, is_clutter, walk
from anonnb.coursework.course.recognition import Recognizer, without_copy_marks
from anonnb.coursework.course.roster import Owner, Roster, owner_of, usable_folder
from anonnb.coursework.course.sheets import write_sheet
from anonnb.coursework.course.times import Times
from anonnb.coursework.marks import readable_name
from anonnb.coursework.submissions import LARGEST_FILE, LARGEST_NOTEBOOK

REPORT = ("student", "name", "assignment", "status", "file", "time", "note")
TIMES = ("student", "assignment", "time")
LONELY = "no notebook that counts lies in its folder"


@dataclass(frozen=True)
class Arrival:
    """A line of the report.

    ``status`` is ``taken``, ``beside`` (a table that goes with it), ``older`` (another notebook of the student counts),
    ``other assignment``, ``unknown`` (no assignment, or no student), ``refused``, ``left out`` (a file that marking has
    no use for) or ``missing``.
    """

    student: str
    assignment: str
    status: str
    file: str = ""
    time: datetime | None = None
    note: str = ""


@dataclass
class _Held:
    """A notebook or table that was copied aside, and what decides between several of them."""

    piece: HandedFile
    student: str
    content: Path
    assignment: str = ""
    note: str = ""

    @property
    def rank(self) -> tuple:
        number = without_copy_marks(PurePosixPath(self.piece.name).stem)[1]
        return (self.piece.time, self.piece.own_time, number, self.piece.place)


@dataclass
class Intake:
    """What came in: ``arrivals`` for the report, and what is written where."""

    arrivals: list[Arrival] = field(default_factory=list)
    notebooks: list[_Held] = field(default_factory=list)
    tables: list[_Held] = field(default_factory=list)


def collect(
    source: str | os.PathLike,
    assignments: Sequence[Assignment],
    out: str | os.PathLike,
    *,
    known: Sequence[Assignment] = (),
    roster: Roster | None = None,
    times: Times | None = None,
) -> list[Arrival]:
    """Sort what was handed in into ``out/STUDENT/ASSIGNMENT/ASSIGNMENT.ipynb``, with ``out-report.csv`` beside it.

    ``known`` are all assignments of the course, so that one that is not asked for is recognized. The times that the
    files get, and that ``out-times.csv`` lists, are those of ``times`` or else of the outermost folder or archive. With
    a ``roster`` there is ``out-ids.csv``, too, for marking where numbers vary by the student's id.
    """
    out, roster = Path(out), roster or Roster()
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ValueError(f"{os.fspath(out)!r} is there already; choose another folder")
    with _beside(out) as aside:
        intake = _sorted_out(source, aside, roster, times or {}, Recognizer([*assignments, *known]))
        taken = _chosen(intake, {one.name for one in assignments})
        placed = [table for held in taken for table in _placed(held, intake.tables, aside / "out")]
        lonely = [_arrival(one, "left out", LONELY) for one in intake.tables if not one.assignment]
        arrivals = [*intake.arrivals, *placed, *lonely]
        arrivals += _missing(arrivals, assignments, roster)
        (aside / "out").mkdir(exist_ok=True)
        if out.exists():
            out.rmdir()
        (aside / "out").replace(out)
    arrivals.sort(key=lambda one: (one.student.casefold(), one.assignment, one.status != "taken", one.file))
    _write_report(out, arrivals, roster)
    return arrivals


@contextmanager
def _beside(out: Path):
    """A folder beside the target, so that what is whole can be renamed; it goes away whatever happens."""
    if not out.parent.is_dir():
        raise ValueError(f"there is no folder {os.fspath(out.parent)!r}")
    folder = Path(tempfile.mkdtemp(prefix=".intake-", dir=out.parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


# ---- whose and what --------------------------------------------------------------------------------------------------


def _sorted_out(source: str | os.PathLike, aside: Path, roster: Roster, times: Times, recognizer: Recognizer) -> Intake:
    intake = Intake()
    owned = _owned(list(_pieces(source)), roster)
    known = _names(owner for _, owner in owned if owner)
    for number, (piece, owner) in enumerate(owned):
        student, why = None, "it is in no student's folder"
        if owner:
            student, why = roster.find(owner) if roster.students else (known[owner.name, owner.number], "")
        shown, kind = "/".join(map(readable_name, piece.place)), piece.name.lower().rpartition(".")[2]
        if piece.refused or student is None:
            status = "refused" if piece.refused else "unknown"
            name = readable_name(owner.name) if owner and student is None else student or ""
            intake.arrivals.append(Arrival(name, "", status, shown, piece.time, piece.refused or why))
        elif kind not in ("ipynb", "csv"):
            note = "only notebooks and CSV files are used"
            intake.arrivals.append(Arrival(student, "", "left out", shown, piece.time, note))
        else:
            _hold(intake, piece, student, aside / str(number), recognizer, times, shown)
    return intake


def _pieces(source: str | os.PathLike):
    path = Path(source)
    if not path.exists():
        raise ValueError(
            f"there is no {os.fspath(path)!r}; name the folder or the ZIP archive that came from the platform"
        )
    return (piece for piece in walk(path) if not is_clutter(piece.place))


def _owned(pieces: list[HandedFile], roster: Roster) -> list[tuple[HandedFile, Owner | None]]:
    """Each piece with its owner: the first part of its path, below a folder that holds everything."""
    while _is_wrapper(pieces, roster):
        pieces = [replace(piece, place=piece.place[1:]) for piece in pieces]
    return [(piece, _owner(piece.place)) for piece in pieces]


def _is_wrapper(pieces: list[HandedFile], roster: Roster) -> bool:
    """Whether all lie in one folder that is no student's, with several folders or names of owners below it."""
    tops = {piece.place[0] for piece in pieces}
    if len(tops) != 1 or any(len(piece.place) < 2 for piece in pieces):
        return False
    top = owner_of(next(iter(tops)))
    if top.number or (roster.students and roster.find(_without_suffix(top))[0]):
        return False
    below = {piece.place[1] for piece in pieces}
    known = [owner_of(part) for part in below]
    if any(owner.number or (roster.students and roster.find(_without_suffix(owner))[0]) for owner in known):
        return True
    return len(below) > 1 and all(len(piece.place) > 2 or piece.name.lower().endswith(".zip") for piece in pieces)


def _owner(place: tuple[str, ...]) -> Owner | None:
    owner = owner_of(place[0])
    if owner.number:
        return owner
    return _without_suffix(owner) if len(place) > 1 or place[0].lower().endswith(".zip") else None


def _without_suffix(owner: Owner) -> Owner:
    return replace(owner, name=owner.name[:-4]) if owner.name.lower().endswith(".zip") else owner


def _names(owners: Iterable[Owner]) -> dict[tuple[str, str], str]:
    """Without a list of students: a folder for each owner; two who would get the same one are told apart."""
    wanted: dict[str, set[tuple[str, str]]] = {}
    for owner in owners:
        wanted.setdefault(usable_folder(owner.name), set()).add((owner.name, owner.number))
    names = {}
    for folder, those in wanted.items():
        for name, number in those:
            mark = number or sha256(os.fsencode(name)).hexdigest()[:8]
            names[name, number] = f"{folder} {mark}" if len(those) > 1 else folder
    return names


def _hold(
    intake: Intake, piece: HandedFile, student: str, aside: Path, recognizer: Recognizer, times: Times, shown: str
) -> None:
    """Copy a notebook or a table aside, or say why not."""
    is_notebook = piece.name.lower().endswith(".ipynb")
    most = LARGEST_NOTEBOOK if is_notebook else LARGEST_FILE
    try:
        content, why = piece.read(most), f"it has more than {most // 1_000_000} MB"
    except (BadArchive, OSError) as error:
        content, why = None, getattr(error, "strerror", None) or str(error)
    if content is None:
        intake.arrivals.append(Arrival(student, "", "refused", shown, piece.time, why))
        return
    aside.write_bytes(content)
    held = _Held(piece, student, aside)
    if is_notebook:
        name = owner_of(piece.name).file or piece.name
        found = recognizer.recognize(name, content)
        held.assignment, held.note = found.assignment, found.note
        when = times.get((student, found.assignment)) or times.get((student, ""))
        held.piece = replace(piece, time=when) if when else piece
    (intake.notebooks if is_notebook else intake.tables).append(held)


# ---- which counts ----------------------------------------------------------------------------------------------------


def _chosen(intake: Intake, wanted: set[str]) -> list[_Held]:
    """The notebooks that count; all of them get their line."""
    groups: dict[tuple[str, str], list[_Held]] = {}
    for held in intake.notebooks:
        if held.assignment in wanted:
            groups.setdefault((held.student, held.assignment), []).append(held)
        else:
            status = "other assignment" if held.assignment else "unknown"
            note = held.note or ("it is not collected now" if held.assignment else "it has the cells of no assignment")
            intake.arrivals.append(_arrival(held, status, note))
    taken = []
    for group in groups.values():
        *older, newest = sorted(group, key=lambda held: held.rank)
        note = f"the newest of {len(group)} notebooks counts" if older else ""
        intake.arrivals.append(_arrival(newest, "taken", "; ".join(filter(None, [newest.note, note]))))
        shown = "/".join(map(readable_name, newest.piece.place))
        intake.arrivals += [_arrival(held, "older", f"{shown} is newer and counts") for held in older]
        taken.append(newest)
    return taken


def _arrival(held: _Held, status: str, note: str) -> Arrival:
    shown = "/".join(map(readable_name, held.piece.place))
    return Arrival(held.student, held.assignment, status, shown, held.piece.time, note)


def _missing(arrivals: Sequence[Arrival], assignments: Sequence[Assignment], roster: Roster) -> list[Arrival]:
    """Who did not hand in what; without a list of students, among those of whom anything came."""
    have = {(one.student, one.assignment) for one in arrivals if one.status == "taken"}
    sent = {one.student for one in arrivals if one.student and one.status != "taken"}
    known = [student.id for student in roster.students] or sorted(sent | {student for student, _ in have})
    return [
        Arrival(student, one.name, "missing", note="other files came" if student in sent else "nothing came")
        for student in known
        for one in assignments
        if (student, one.name) not in have
    ]


# ---- what is written -------------------------------------------------------------------------------------------------


def _placed(held: _Held, tables: list[_Held], out: Path) -> list[Arrival]:
    """Write the notebook under the assignment's name, and the tables that came in its folder; the lines of these."""
    folder, arrivals = out / held.student / held.assignment, []
    folder.mkdir(parents=True, exist_ok=True)
    _copy(held, folder / f"{held.assignment}.ipynb", held.piece.time)
    for one in tables:
        if one.student == held.student and one.piece.place[:-1] == held.piece.place[:-1]:
            one.assignment = held.assignment
            name = usable_folder(composed(owner_of(one.piece.name).file or one.piece.name))
            if (folder / name).exists():
                arrivals.append(_arrival(one, "left out", f"there is another {name}"))
            else:
                _copy(one, folder / name, held.piece.time)
                arrivals.append(_arrival(one, "beside", "it lies beside the notebook that counts"))
    return arrivals


def _copy(held: _Held, path: Path, when: datetime) -> None:
    shutil.copyfile(held.content, path)
    os.utime(path, (when.timestamp(),) * 2)


def _write_report(out: Path, arrivals: Sequence[Arrival], roster: Roster) -> None:
    names = {student.id: student.name for student in roster.students}
    rows = [
        (
            *(one.student, names.get(one.student, ""), one.assignment, one.status, one.file),
            *(one.time.isoformat(timespec="seconds") if one.time else "", one.note),
        )
        for one in arrivals
    ]
    write_sheet(out.with_name(f"{out.name}-report.csv"), REPORT, rows)
    taken = [one for one in arrivals if one.status == "taken"]
    times = [(one.student, one.assignment, one.time.isoformat(timespec="seconds")) for one in taken]
    write_sheet(out.with_name(f"{out.name}-times.csv"), TIMES, times)
    if names:  # whose numbers vary by an id has the id of the list, whatever the notebook says
        write_sheet(out.with_name(f"{out.name}-ids.csv"), ("student", "id"), [(name, name) for name in names])
