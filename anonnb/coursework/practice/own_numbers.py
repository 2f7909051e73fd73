"""Numbers and tables of one's own: an assignment asks everybody the same, and each student about other data.

Idea: all that varies is drawn from a hash of the student's id and the assignment's name, so that the marker, who knows
the id, draws the same and computes what is right for this student. Nobody in particular gets the usual numbers.
"""

from __future__ import annotations

import ast
import unicodedata
from collections.abc import Iterable
from typing import Any

import numpy as np

from anonnb.coursework.practice.exercise import Numbers

NAME = "STUDENT"  # what the cell for the id defines


class Personal(Numbers):
    """What one student gets in one assignment; each draw depends on the draws before it.

    >>> personal("07_differential_privacy").one_of([0.5, 1.0, 2.0])
    0.5
    >>> ada = personal("07_differential_privacy", "ada")
    >>> ada.one_of([0.5, 1.0, 2.0]) == personal("07_differential_privacy", " Ada").one_of([0.5, 1.0, 2.0])
    True
    >>> ada.rows(1000, 3).tolist() != personal("07_differential_privacy", "bob").rows(1000, 3).tolist()
    True
    """

    def generator(self) -> np.random.Generator:
        """A source of random numbers."""
        return np.random.default_rng(self.integer())

    def shuffled(self, items: Iterable[Any]) -> list[Any]:
        """The items in an order of the student's own; as they are for nobody in particular."""
        items, drawing = list(items), self.generator()
        return [items[index] for index in drawing.permutation(len(items))] if self._student else items

    def rows(self, among: int, count: int) -> np.ndarray:
        """``count`` different row numbers below ``among``, in order."""
        if not 0 <= count <= among:
            raise ValueError(f"{count} different rows cannot be drawn from {among}")
        return np.sort(self.generator().choice(among, count, replace=False))


def personal(assignment: str, student: str = "") -> Personal:
    """What a student gets in an assignment; without a student, the usual numbers.

    Parameters
    ----------
    assignment:
        Its name, so that a student has unrelated numbers in each of them.
    student:
        The id. Case, spaces around it and the way accents are written do not matter.
    """
    return Personal(assignment, same_id(student))


def same_id(student: str) -> str:
    """The id in one spelling.

    >>> same_id(" Zoë ") == same_id("ZOE\\u0308")
    True
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", str(student)).casefold()).strip()


def written_id(code: str) -> str:
    """The id that a student wrote into the cell for it: the last text that is given to ``STUDENT``, else nothing.

    >>> written_id('STUDENT = "ann"'), written_id("STUDENT = 17"), written_id("STUDENT = ")
    ('ann', '17', '')
    """
    try:
        values = [value for node in ast.parse(code).body for value in _values(node)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    return same_id(values[-1]) if values else ""


def _values(node: ast.stmt) -> Iterable[str]:
    if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Constant):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        named = any(isinstance(target, ast.Name) and target.id == NAME for target in targets)
        if named and isinstance(node.value.value, str | int) and not isinstance(node.value.value, bool):
            yield str(node.value.value)
