"""Which technique a release used: the classes of Ciriani et al. 2008, Fig 1.3 (generalization × suppression).

A column is generalized as a whole when every value is shown in the same way everywhere; otherwise its cells are
generalized. Reading: a cut through the hierarchy counts as attribute generalization even when it mixes levels, because
it is one recoding of the column (the chapter files top-down specialization, which makes such cuts, under CG_).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anonnb.tables.attribute import Attribute
from anonnb.tables.labels import HIDDEN_LABELS
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

CLASSES = ("AG_TS", "AG_", "AG_CS", "CG_", "_TS", "_AS", "_CS")
NOT_APPLICABLE = ("CG_TS", "CG_AS")  # generalizing cells includes suppressing them, so these are CG_


@dataclass(frozen=True)
class ReleaseClass:
    """``name`` is one of CLASSES, ``"_"`` (nothing was done) or ``"other"``; ``why`` says it in words."""

    name: str
    why: str

    def __str__(self) -> str:
        return self.name


def release_class(table: Table, release: Table | Release) -> ReleaseClass:
    """Return the class of a release, judged by its quasi-identifiers and the rows it withholds.

    A cell is suppressed when it is shown as ``*``, generalized when it shows anything but its own value.

    >>> import anonnb
    >>> from anonnb.methods.cuts.specialization import TopDown
    >>> table = anonnb.load("survey")
    >>> print(release_class(table, TopDown(k=4).anonymize(table)))
    AG_
    """
    release = as_release(release)
    untrue = [name for name in release.quasi if not _is_truthful(table, release, name)]
    if untrue:
        return ReleaseClass("other", f"{untrue[0]} holds values that its rows did not have")
    columns = {name: _column_class(table, release, name) for name in release.quasi}
    withheld = release.n_suppressed
    name = _combined(set(columns.values()), withheld > 0)
    parts = [f"{column}: {_WORDS[kind]}" for column, kind in columns.items() if kind != "kept"]
    if withheld:
        parts.append(f"{withheld:,} row{'s' if withheld > 1 else ''} withheld")
    if withheld and name not in ("_TS", "AG_TS"):
        parts.append("a withheld row is one with every cell suppressed")
    return ReleaseClass(name, "; ".join(parts) or "nothing was changed")


_WORDS = {
    "kept": "kept",
    "suppressed": "suppressed as a whole",
    "generalized": "generalized as a whole",
    "cells suppressed": "some cells suppressed",
    "generalized, cells suppressed": "generalized as a whole, some cells suppressed",
    "cells generalized": "the same value shown in different ways",
}


def _combined(kinds: set[str], withheld: bool) -> str:
    if "cells generalized" in kinds:
        return "CG_"
    by_cell = bool(kinds & {"cells suppressed", "generalized, cells suppressed"})
    if kinds & {"generalized", "generalized, cells suppressed"}:
        return "AG_CS" if by_cell else "AG_TS" if withheld else "AG_"
    if by_cell:
        return "_CS"
    if "suppressed" in kinds:
        # a suppressed column is one generalized to the top, so with withheld rows it is AG_TS
        return "AG_TS" if withheld else "_AS"
    return "_TS" if withheld else "_"


def _column_class(table: Table, release: Release, name: str) -> str:
    """Return how one column was treated: a key of ``_WORDS``."""
    column = release.columns[name]
    number = _canonical(column)
    used = np.unique(number)
    hidden = np.array([column.sets.labels[index] in HIDDEN_LABELS for index in used]) & (
        column.sets.sizes[used] == column.attribute.size
    )
    original = np.array([_shows_itself(column, index) for index in used])
    if original.all():
        return "kept"
    if hidden.all():
        return "suppressed"
    if (original | hidden).all():
        return "cells suppressed"
    if not _is_recoding(table.attributes[name], column, number, used[~hidden], _original(table, release, name)):
        return "cells generalized"
    if not hidden.any():
        return "generalized"
    return "generalized, cells suppressed"


def _canonical(column: Column) -> np.ndarray:
    """Number the set of each cell; sets that read alike and hold the same values have the same number."""
    sets = column.sets
    seen: dict[tuple[str, int, int, bytes], int] = {}
    first = [
        seen.setdefault((label, int(lo), int(hi), sets.masks[row].tobytes() if row >= 0 else b""), index)
        for index, (label, lo, hi, row) in enumerate(zip(sets.labels, sets.lo, sets.hi, sets.mask_row, strict=True))
    ]
    return np.array(first, dtype=np.int64)[column.index]


def _shows_itself(column: Column, index: int) -> bool:
    sets = column.sets
    return sets.sizes[index] == 1 and sets.labels[index] == column.attribute.labels[sets.lo[index]]


def _original(table: Table, release: Release, name: str) -> np.ndarray | None:
    return None if release.rows is None else table.codes(name)[release.rows]


def _is_truthful(table: Table, release: Release, name: str) -> bool:
    """Return whether every cell can be its row's own value (assumed if the rows are not known)."""
    codes, column = _original(table, release, name), release.columns[name]
    if codes is None:
        return True
    return bool(column.holds(table.attributes[name].recode_to(column.attribute)[codes]).all())


def _is_recoding(
    attribute: Attribute, column: Column, number: np.ndarray, shown: np.ndarray, codes: np.ndarray | None
) -> bool:
    """Return whether the sets in ``shown`` could come from one recoding, which shows no value in two ways."""
    if codes is None:  # a foreign release: its sets must be disjoint
        return bool((column.sets.as_masks(shown).sum(axis=0) <= 1).all())
    kept = np.isin(number, shown)
    target = np.full(attribute.size, -1, dtype=np.int64)
    target[codes[kept]] = number[kept]
    return bool((target[codes[kept]] == number[kept]).all())
