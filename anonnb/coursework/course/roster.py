"""The list of students, and whose name a folder carries.

Idea: names are compared from strict to lenient (the id; the platform's number; the name; the name without accents, in
any order; with ae for ä; run together), and the first way in which exactly one student fits decides. Two students who
fit equally well are told, never guessed.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from anonnb.coursework.course.archives import composed
from anonnb.coursework.course.sheets import SheetRow, read_sheet

_MOODLE = re.compile(r"^(?P<name>.+?)_(?P<number>\d+)_assignsubmission_(?:file|onlinetext)(?:_(?P<file>.*))?$", re.S)
_CANVAS = re.compile(r"^(?P<name>[^_\W]+)_(?:LATE_)?(?P<number>\d+)_\d+_(?P<file>.+\.\w+)$", re.S)
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ı": "i"})
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa"})
_NOT_IN_FOLDERS = re.compile('[\x00-\x1f\x7f/\\\\:*?"<>|\ud800-\udfff]')


@dataclass(frozen=True)
class Enrolled:
    """One line of the list: the id under which marks are kept, a name, and what a learning platform knows besides."""

    id: str
    name: str = ""
    number: str = ""
    email: str = ""


@dataclass
class Owner:
    """Whose folder (or file) it is by its name: a name, a platform's number, and the rest of a file's name."""

    name: str
    number: str = ""
    file: str = ""


def owner_of(part: str) -> Owner:
    """What the name of a folder or a file tells about its owner.

    >>> owner_of("Zoë Müller_4711_assignsubmission_file_")
    Owner(name='Zoë Müller', number='4711', file='')
    >>> owner_of("mullerzoe_LATE_4711_88_02 (1).ipynb").file
    '02 (1).ipynb'
    """
    found = _MOODLE.match(part) or _CANVAS.match(part)
    return Owner(found["name"].strip(), found["number"], found["file"] or "") if found else Owner(part)


def usable_folder(name: str) -> str:
    """A name as a folder can have it on every system, and as marking finds it.

    >>> usable_folder(" ..a/b: "), usable_folder("...")
    ('a_b_', 'unnamed')
    """
    name = _NOT_IN_FOLDERS.sub("_", composed(name)).strip().lstrip(".").rstrip(". ")
    while len(name.encode()) > 120:
        name = name[:-1]
    return name or "unnamed"


@dataclass
class Roster:
    """The students of a course; without any, students are known under the names of their folders."""

    students: list[Enrolled] = field(default_factory=list)

    @classmethod
    def read(cls, path: str | os.PathLike) -> Roster:
        """A CSV with the columns id and name; Moodle's own (Identifier, Full name, ID number, …) will do as well."""
        students = [_student(line, Path(path).name) for line in read_sheet(path)]
        seen: set[str] = set()
        for student in students:
            if student.id.casefold() in seen:
                raise ValueError(
                    f"{Path(path).name}: the id {student.id!r} occurs twice; every student needs another one"
                )
            seen.add(student.id.casefold())
        return cls(students)

    @cached_property
    def by_id(self) -> dict[str, Enrolled]:
        return {student.id: student for student in self.students}

    @cached_property
    def _ways(self) -> list[dict[str, set[str]]]:
        ways: list[dict[str, set[str]]] = [{} for _ in _keys("", "")]
        for student in self.students:
            named = (
                [(student.id, ""), (student.name, student.number)] if student.name else [(student.id, student.number)]
            )
            for name, number in named:
                for way, keys in zip(ways, _keys(name, number), strict=True):
                    for key in keys:
                        way.setdefault(key, set()).add(student.id)
        return ways

    def find(self, owner: Owner) -> tuple[str | None, str]:
        """The id of the one student who fits, and otherwise None and why."""
        for way, keys in zip(self._ways, _keys(owner.name, owner.number), strict=True):
            hits = set().union(*(way.get(key, set()) for key in keys))
            if len(hits) == 1:
                return hits.pop(), ""
            if hits:
                return None, f"{owner.name!r} may be {' or '.join(sorted(hits))}; name the folder by the id"
        return None, f"{owner.name!r} is not in the list of students"


def _keys(name: str, number: str) -> list[list[str]]:
    """From strict to lenient, the texts under which a name is looked up."""
    folded = " ".join(composed(name).casefold().split())
    plain = _words(folded.translate(_LETTERS))
    expanded = _words(folded.translate(_UMLAUTS).translate(_LETTERS))
    turned = ["".join(words[turn:] + words[:turn]) for words in (plain, expanded) for turn in range(len(words))]
    return [
        [number] if number else [],
        [folded] if folded else [],
        [" ".join(sorted(plain))] if plain else [],
        [" ".join(sorted(expanded))] if expanded else [],
        turned,
    ]


def _words(text: str) -> list[str]:
    bare = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return re.findall(r"\w+", bare.replace("_", " "))


def _student(line: SheetRow, file: str) -> Enrolled:
    number = re.sub(r"\D", "", line.first("identifier", "moodle", "participant"))
    name = line.first("name", "full name", "student name") or _joined(
        [line.first("first name", "given name"), line.first("surname", "last name", "family name")]
    )
    found = line.first("id", "student id", "id number", "student", "matriculation number") or number
    if not found:
        raise ValueError(f"{file}, {line.where}: there is no id; the list needs the columns id and name")
    if usable_folder(found) != found:
        raise ValueError(f"{file}, {line.where}: the id {found!r} cannot be the name of a folder; choose another one")
    return Enrolled(found, name, number, line.first("email", "email address"))


def _joined(words: Iterable[str]) -> str:
    return " ".join(word for word in words if word)
