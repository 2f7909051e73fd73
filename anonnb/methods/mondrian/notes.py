"""How Mondrian records its cuts: region by region in the order of the rounds, with what else could have been cut.

A round cuts all regions at once; they do not depend on each other, so showing them one after the other changes nothing.
The cutter explains why a single region was cut as it was. Called only while steps are recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from anonnb.core.wording import counted
from anonnb.steps.recording import note
from anonnb.steps.states import RowGroups
from anonnb.tables.table import Table


class Reason(NamedTuple):
    """Why a region was cut as it was: the possible cuts, the label of the one chosen, and a clause that says why."""

    candidates: pd.DataFrame
    chosen: str
    why: str
    cut: str = ""  # in words


def tell_start(table: Table, groups: np.ndarray, count: int) -> None:
    """The regions before the first cut."""
    many = f"Begin with {counted(count, 'region')}"
    note(many, f"The table has {counted(len(table), 'row')} in {counted(count, 'region')}.", RowGroups(table, groups))


def tell_round(
    table: Table,
    groups: np.ndarray,
    rows: Sequence[np.ndarray],
    sides: Sequence[np.ndarray | None],
    reason: Callable[[int], Reason],
    k: int,
) -> None:
    """A round of cuts: for each open region its rows and which of them go to the right, None where it is not cut.

    ``groups`` numbers the regions of all rows; the right side of a cut gets a new number there.
    """
    count = int(groups.max()) + 1
    for number, (own, right) in enumerate(zip(rows, sides, strict=True)):
        if right is not None:
            groups[own[right]] = count
            count += 1
        _Cut(table, groups, own, right, lambda number=number: reason(number), k).tell()


class _Cut:
    """One region that was cut or closed; its step is made only if it is kept."""

    def __init__(self, table: Table, groups: np.ndarray, rows: np.ndarray, right, reason: Callable[[], Reason], k: int):
        self._table, self._groups, self._rows, self._right, self._k = table, groups, rows, right, k
        self._make, self._reason = reason, None

    @property
    def reason(self) -> Reason:
        if self._reason is None:
            self._reason = self._make()
        return self._reason

    def tell(self) -> None:
        size = counted(len(self._rows), "row")
        if self._right is None:
            title, sentence = f"Close a region of {size}", lambda: f"It is final: {self.reason.why}."
        else:
            title, sentence = lambda: f"Cut {self.reason.cut}", self._sentence
        note(title, sentence, self._state, lambda: self.reason.candidates, self._chosen)

    def _state(self) -> RowGroups:
        return RowGroups(self._table, self._groups, self._rows)

    def _chosen(self) -> list[str]:
        return [] if self._right is None else [self.reason.chosen]

    def _sentence(self) -> str:
        right = int(self._right.sum())
        left = len(self._rows) - right
        return (
            f"Of {counted(len(self._rows), 'row')} {left:,} go to the left and {right:,} to the right, at least "
            f"{self._k:,} each: {self.reason.why}."
        )


# ---- frames of candidates ---------------------------------------------------------------------------------------


class Line(NamedTuple):
    """The best cut of an attribute: the last value on the left, the rows on both sides, and whether it is allowed."""

    after: str = "–"
    left: int = 0
    right: int = 0
    allowed: bool = False


def by_attribute(table: Table, scores: dict[str, Sequence], lines: Sequence[Line]) -> pd.DataFrame:
    """A line per attribute with its best cut, the allowed ones first, then by the first of the scores."""
    cuts = pd.DataFrame(lines, columns=["cut after", "left", "right", "allowed"])
    frame = pd.concat([pd.DataFrame(scores), cuts], axis=1).set_axis(list(table.quasi))
    return frame.sort_values(["allowed", next(iter(scores))], ascending=False, kind="stable")


def by_cut(table: Table, codes: np.ndarray, cuts: Sequence[tuple[int, int]], **scores: Sequence) -> pd.DataFrame:
    """A line per cut (axis, code) of a region with these ``codes`` (axes × rows), with the rows on its sides."""
    left = [int((codes[axis] <= code).sum()) for axis, code in cuts]
    frame = pd.DataFrame({**scores, "left": left, "right": [codes.shape[1] - rows for rows in left]})
    return frame.set_axis([cut_name(table, axis, code) for axis, code in cuts])


def cut_name(table: Table, axis: int, code: int) -> str:
    """A cut in words."""
    name = table.quasi[axis]
    return f"{name} after {table.attributes[name].labels[code]}"
