"""Rebuild a student's notebook from the teacher's source: only what the student was asked for is taken from it.

Given code and checks come from the source, in the source's order; answers are found by their ``grade_id``. Cells that a
student added follow the cell that they followed; they run in the student's process, where they can do no harm. What
stands in an answer is text: formgrader would render its HTML in the teacher's browser, so nothing in it may act.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from anonnb.coursework.assignment import Assignment, Cell, cleared, grade_id
from anonnb.coursework.practice.own_numbers import NAME, same_id, written_id

MAX_CODE = 200_000  # characters of one cell
MAX_TEXT = 20_000  # characters of an answer in words: some Markdown takes a time that grows with their square
MAX_ADDED = 200  # cells of a student's own
_UNREADABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_LINK = re.compile(r"\](?=[(\[:])")
_ACTIVE_TEX = re.compile(r"\\(?=(href|url|class|style|cssId|require|unicode|mmlToken|html))")


def readable(text: str) -> str:
    """Return the text with escapes for control characters and for halves of characters.

    >>> readable("a\\x1b[2J\\ud800")
    'a\\\\x1b[2J\\\\ud800'
    """
    return _UNREADABLE.sub(lambda match: ascii(match[0])[1:-1], text)


def harmless(text: str) -> str:
    """Return Markdown in which no HTML, link, picture or TeX command acts; it reads the same to a person.

    A ``<`` before a space is no tag, and a bracket before a space no link.

    >>> harmless("a<b, *so* <script>alert(1)</script> [x](javascript:alert(1))")
    'a< b, *so* < script>alert(1)< /script> [x] (javascript:alert(1))'
    """
    rest = len(text) - MAX_TEXT
    text = text[:MAX_TEXT] + (f" … ({rest:,} more characters)" if rest > 0 else "")
    return readable(_ACTIVE_TEX.sub("", _LINK.sub("] ", _TAG.sub("< ", text))))


@dataclass
class Rebuilt:
    """The notebook to mark, and what was odd about the one that was handed in."""

    notebook: Any
    notes: list[str] = field(default_factory=list)


def rebuild(assignment: Assignment, notebook: Any, student: str) -> Rebuilt:
    """Put the student's answers into the source; where numbers vary, those of this student id count."""
    answers, extras, notes = _sorted_out(assignment, notebook)
    rebuilt = Rebuilt(copy.deepcopy(assignment.notebook), notes)
    rebuilt.notebook.metadata = {
        key: value for key, value in assignment.notebook.metadata.items() if key in ("kernelspec", "language_info")
    }
    cells = list(extras.get("", []))
    for cell, known in zip(rebuilt.notebook.cells, assignment.cells, strict=True):
        if known.role != "prose":
            cell.source = _source(known, answers.get(known.id), student, rebuilt.notes)
            cell.metadata["nbgrader"]["checksum"] = _checksum(cell, known)
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        cells += [cell, *(extras.get(known.id, []) if known.role != "prose" else [])]
    rebuilt.notebook.cells = cells
    return rebuilt


def steps(assignment: Assignment, notebook: Any) -> Iterator[dict[str, Any]]:
    """Return what an examiner does with a rebuilt notebook, cell by cell."""
    known = {cell.id: cell for cell in assignment.cells if cell.role != "prose"}
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type == "code":
            name = grade_id(cell) or ""
            role = known[name].role if name in known else "answer"
            role = {"text": "answer", "id": "given"}.get(role, role)
            code = known[name].source if role == "check" else cell.source
            yield {"role": role, "id": name, "code": code, "cell": index}


def _sorted_out(assignment: Assignment, notebook: Any) -> tuple[dict[str, Any], dict[str, list[Any]], list[str]]:
    """Return the student's cells by grade_id, those of their own by the known cell before them, and notes."""
    known = {cell.id: cell for cell in assignment.cells if cell.role != "prose"}
    answers: dict[str, Any] = {}
    extras: dict[str, list[Any]] = {}
    notes, last, added = [], "", 0
    prose = {cell.source.strip() for cell in assignment.cells if cell.role == "prose"}
    for cell in notebook.cells:
        name, text = grade_id(cell), _text(cell)
        if name in known and name not in answers:
            answers[name], last = cell, name
            if known[name].role in ("given", "check") and text.strip() != cleared(known[name]).strip():
                notes.append(f"the locked cell {name} was changed; the original was used")
        elif name in known:
            notes.append(f"the cell {name} occurs more than once; the first one counts")
        elif text.strip() and text.strip() not in prose:
            added += 1
            if added <= MAX_ADDED:
                extras.setdefault(last, []).append(_extra(cell, text, added))
    if added > MAX_ADDED:
        notes.append(f"{added - MAX_ADDED} of {added} cells that were added are left out")
    return answers, extras, notes


def _text(cell: Any) -> str:
    source = cell.get("source", "")
    return readable((source if isinstance(source, str) else "".join(map(str, source)))[:MAX_CODE])


def _extra(cell: Any, text: str, number: int) -> Any:
    from nbformat.v4 import new_code_cell, new_markdown_cell

    if cell.cell_type == "code":
        return new_code_cell(text, id=f"added-{number}")
    return new_markdown_cell(harmless(text), id=f"added-{number}")


def _source(cell: Cell, answer: Any, student: str, notes: list[str]) -> str:
    """Return the text of a cell in the rebuilt notebook."""
    if cell.role == "id":
        return _id_code(cell, answer, student, notes)
    if cell.role in ("given", "check"):
        return cell.source
    if answer is None:
        notes.append(f"the cell {cell.id} is missing")
        return cleared(cell)
    text = _text(answer)
    if cell.is_code and answer.cell_type != "code":
        notes.append(f"the cell {cell.id} is no code cell any more; it was not run")
        return "\n".join(f"# {line}" for line in text.splitlines())
    if cell.is_code:
        return text
    return harmless(text) if text.strip() not in ("", cleared(cell).strip()) else cleared(cell)


def _id_code(cell: Cell, answer: Any, student: str, notes: list[str]) -> str:
    """Return the code that says whose numbers count; nothing else of the student's cell runs."""
    written = written_id(cell.source if answer is None else _text(answer))
    if written != same_id(student):
        whose = f"of {written!r}" if written else "of nobody in particular"
        notes.append(f"the notebook has the numbers {whose}; it was marked with those of {student!r}")
    return f"{NAME} = {same_id(student)!r}"


def _checksum(cell: Any, known: Cell) -> str:
    """Return nbgrader's hash of the cell as handed out: what still has it was not answered."""
    from nbgrader.utils import compute_checksum

    handed_out = copy.deepcopy(cell)
    handed_out.source = cleared(known) if known.role in ("answer", "text") else known.source
    return compute_checksum(handed_out)
