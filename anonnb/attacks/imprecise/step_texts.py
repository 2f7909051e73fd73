"""How the shallow and the deep attack record their steps: the rows that fit, what they say, and what they share.

Called only while steps are recorded. The rows, sets and values are those of the attack's own arrays.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from anonnb.attacks.matching.step_texts import FEW, most_exposed, one_line
from anonnb.steps.recording import MOST_CANDIDATES, note
from anonnb.tables.matching import DistinctRows


def tell_lines(
    frame: pd.DataFrame,
    exposure: np.ndarray,
    published: DistinctRows,
    rows_of: Callable[[int], np.ndarray],
    deep: Callable[[int, pd.Series, np.ndarray], None] | None = None,
) -> None:
    """Note the most exposed lines of the result: the rows that each selects, and what these say about the target.

    ``rows_of`` gives the distinct rows that a line selects; ``deep``, if given, notes what only the deep attack does
    with a line.
    """
    shown = most_exposed(exposure, MOST_CANDIDATES)
    names = pd.Index(_named(frame.iloc[shown]), name="known, and target", dtype=object)
    lines = frame.iloc[shown][["people", "rows", "left"]].set_index(names)
    found = int((frame["left"] == 1).sum())
    sentence = (
        f"The attacker tries {len(frame):,} combinations of known values and a target. A single value is left in "
        f"{found:,} of them; the most exposed come first"
    )
    if len(frame) == 1:
        sentence = (
            f"The attacker knows {one_line(frame['known'].iloc[0])} and asks for {one_line(frame['target'].iloc[0])}"
        )
    note("What to infer", f"{sentence}.", lines.reset_index(), lines, list(names[:FEW]))
    for place in shown[:FEW]:
        line = frame.iloc[place]
        rows = rows_of(place)
        _tell_selection(line, published, rows)
        if deep is not None and line["by"] != "shallow":
            deep(place, line, rows)


def _named(frame: pd.DataFrame) -> list[str]:
    return [f"{known}: {target}?" for known, target in zip(frame["known"], frame["target"], strict=True)]


def _tell_selection(line: pd.Series, published: DistinctRows, rows: np.ndarray) -> None:
    """Note the rows that can take the known values, and the values that all of them leave possible."""
    known, target = one_line(line["known"]), one_line(line["target"])
    shown = published_rows(published, rows)
    can = f"{len(rows):,} of the {len(published):,} distinct published rows allow {known}"
    note(f"Who has {known}", f"{can}; if the person is in the release, one of these rows is theirs.", shown)
    values = allowed(published, line["target"], rows)
    every = values["rows that allow it"] == len(rows)
    left = list(values.index[every]) if len(rows) else []
    fit = "the one row that fits allows" if len(rows) == 1 else f"all {len(rows):,} rows allow"
    sentence = f"{len(left):,} values of {target} are left that {fit}, so the shallow attack infers nothing."
    if len(left) < 2:
        sentence = f"There is no {target} that {fit}, so the shallow attack infers nothing."
    if len(left) == 1:
        sentence = f"The only {target} that {fit} is {one_line(left[0])}, so it is inferred."
    note(f"Intersect {target}", sentence, shown, values, left if len(left) == 1 else ())


def published_rows(published: DistinctRows, rows: np.ndarray) -> pd.DataFrame:
    """Some of the distinct rows as they read, each by the place of the first published one."""
    return published.release.take(published.first[rows]).frame.set_axis(published.first[rows])


def allowed(published: DistinctRows, target: str, rows: np.ndarray) -> pd.DataFrame:
    """For every value of a target how many of some distinct rows may have it; those that none may are left out."""
    column = published.column(target)
    counts = column.sets.as_masks()[column.index[rows]].sum(axis=0)
    index = pd.Index(column.attribute.labels, name=target, dtype=object)
    values = pd.DataFrame({"rows that allow it": counts}, index)
    return values[counts > 0].sort_values("rows that allow it", ascending=False, kind="stable")
