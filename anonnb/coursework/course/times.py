"""When work came in, by whoever collected it: a list of our own, or the grading worksheet that Moodle exports.

Moodle writes times in words ("Monday, 30 November 2026, 11:59 PM"), in the language of whoever exports them: English
words and plain numbers are read, a dash means that nothing came in. A time without a zone is local.
"""

from __future__ import annotations

import os
import re
from datetime import datetime
from pathlib import Path

from anonnb.coursework.course.roster import Owner, Roster
from anonnb.coursework.course.sheets import SheetRow, read_sheet
from anonnb.coursework.marks import readable_name

_COLUMNS = ("time", "last modified (submission)", "submission time", "submitted at")
_FORMATS = ("%d %B %Y, %I:%M %p", "%d %B %Y, %H:%M", "%d %b %Y, %H:%M", "%d/%m/%Y, %H:%M", "%d.%m.%Y, %H:%M")
_NOTHING = ("", "-", "–")

Times = dict[tuple[str, str], datetime]


def time_in(text: str) -> datetime:
    """A time as people and Moodle write it; a ValueError says how to write it.

    >>> time_in("Monday, 30 November 2026, 11:59 PM").strftime("%Y-%m-%dT%H:%M")
    '2026-11-30T23:59'
    """
    text = " ".join(text.replace("\u202f", " ").split())
    for reading in (lambda: datetime.fromisoformat(text.replace(" UTC", "+00:00")), *map(_reading(text), _FORMATS)):
        try:
            return reading().astimezone()
        except (ValueError, OverflowError):
            continue
    raise ValueError(f"write the time {text!r} like 2026-11-30T23:59")


def _reading(text: str):
    without_day = re.sub(r"^[^\W\d]+,\s*", "", text)
    return lambda form: lambda: datetime.strptime(without_day, form)


def read_collected_times(path: str | os.PathLike, roster: Roster | None = None) -> Times:
    """The times by (student, assignment), with "" for every assignment; students by their ids where there is a list."""
    times: Times = {}
    name = Path(path).name
    for line in read_sheet(path):
        student = _student(line, roster or Roster(), name)
        text = line.first(*_COLUMNS)
        if not any(column in line.cells for column in _COLUMNS) or not student:
            raise ValueError(f"{name}: its first line must name the columns student and time (or be Moodle's own)")
        if text in _NOTHING:
            continue
        try:
            times[student, line["assignment"]] = time_in(text)
        except ValueError as error:
            raise ValueError(f"{name}, {line.where}: {error}") from None
    return times


def _student(line: SheetRow, roster: Roster, file: str) -> str:
    number = re.sub(r"\D", "", line["identifier"])
    written = line.first("student", "id", "id number") or line.first("full name", "name") or number
    if not roster.students or not written:
        return written
    found, why = roster.find(Owner(written, number))
    if found is None:
        raise ValueError(f"{file}, {line.where}: {why}")
    return found


def file_times(folder: str | os.PathLike) -> Times:
    """The times of the notebooks' files in a folder that marking reads."""
    from anonnb.coursework.submissions import check_folder

    check_folder(folder)
    times: Times = {}
    for path in sorted(Path(folder).glob("*/**/*.ipynb")):
        inside = path.relative_to(folder).parts
        if path.is_file() and not any(part.startswith(".") for part in inside):
            when = datetime.fromtimestamp(path.stat().st_mtime).astimezone()
            times.setdefault((readable_name(inside[0]), path.stem), when)
    return times
