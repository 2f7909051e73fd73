"""Which assignment a notebook is: by the ``grade_id`` of its cells first, by the name of its file where those are gone.

Names change on the way (`02 (1).ipynb`, `assignment-2 (copy).ipynb`), cells hardly do: a notebook is the assignment
most of whose cells it has.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from anonnb.coursework.assignment import Assignment

LEAST_SHARE = 0.5  # of an assignment's cells that a notebook must have
_COPY = re.compile(
    r"""(?: [\s_-]*\((?P<number>\d{1,3})\)
    | (?:[\s_-]+|(?=\())\(?(?:copy|kopie|copie|copia|kopia)\)?\s*\(?(?P<copy>\d{1,3})?\)?
    | (?:[\s_-]+|(?=\())\(?(?:finale?|neu|new|korr(?:igiert)?|v\d{1,2})\)? )\s*$""",
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True)
class Recognized:
    """The name of the assignment, or "" for none; ``note`` says what is odd about the file."""

    assignment: str
    note: str = ""


def without_copy_marks(stem: str) -> tuple[str, int]:
    """A file's name without what browsers and people add to copies, and the highest number among that.

    >>> [without_copy_marks(name) for name in ("02_hand - Copy (2)", "assignment-2 (copy)", "a-Copy1", "renew")]
    [('02_hand', 2), ('assignment-2', 0), ('a', 1), ('renew', 0)]
    """
    number = 0
    while found := _COPY.search(stem):
        if not found.start():
            break
        number = max(number, int(found["number"] or found["copy"] or 0))
        stem = stem[: found.start()]
    return stem, number


class Recognizer:
    """Knows the cells and the names of assignments."""

    def __init__(self, assignments: Sequence[Assignment]):
        self._cells = {one.name: {cell.id for cell in one.cells if cell.role != "prose"} for one in assignments}

    def recognize(self, name: str, content: bytes | None) -> Recognized:
        """The assignment of a notebook with this file name and content (None: too large to be read)."""
        named = self._by_name(name.rpartition(".")[0])
        found = _grade_ids(content)
        if found is None:
            return Recognized(named, "it is no readable notebook; it was recognized by its name")
        shares = {one: len(found & cells) / max(len(cells), 1) for one, cells in self._cells.items()}
        best = max(shares, key=shares.__getitem__, default="")
        if best and shares[best] >= LEAST_SHARE:
            wrong = named not in ("", best)
            return Recognized(best, f"its name says {named}, its cells are those of {best}" if wrong else "")
        note = f"only {100 * shares[named]:.0f} % of the cells of {named} are in it" if named else ""
        return Recognized(named, note)

    def _by_name(self, stem: str) -> str:
        stem = _letters(without_copy_marks(stem)[0])
        exact = [name for name in self._cells if _letters(name) == stem]
        within = exact or [name for name in self._cells if _letters(name) in stem]
        if within:
            return max(within, key=len)
        numbers = {int(digits) for digits in re.findall(r"\d+", stem) if len(digits) <= 3}
        numbered = [name for name in self._cells if _number(name) in numbers]
        return numbered[0] if len(numbered) == 1 else ""


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "_", text.casefold()).strip("_")


def _number(name: str) -> int | None:
    found = re.match(r"\d+", name)
    return int(found[0]) if found else None


def _grade_ids(content: bytes | None) -> set[str] | None:
    """The grade_ids in a notebook's bytes; None if they are no notebook."""
    try:
        cells = json.loads(content or b"")["cells"]
        known = [_mapping(_mapping(_mapping(cell).get("metadata")).get("nbgrader")).get("grade_id") for cell in cells]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return {name for name in known if isinstance(name, str)}


def _mapping(value: object) -> Mapping:
    return value if isinstance(value, Mapping) else {}
