"""Who is in a release: known from the release's rows and the labels of the table behind it, never from an order."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from anonnb.tables.release import Release
from anonnb.tables.table import Table


def members(release: Release) -> pd.Index:
    """The labels of those who are in a release; everybody behind it where it does not tell whose its rows are."""
    if release.rows is None:
        return release.table.index
    return release.table.index[np.unique(release.owners[1])]


def check_outsiders(control: Table, releases: Iterable[Release]) -> None:
    """Refuse a control that holds people who are in one of the releases."""
    if not isinstance(control, Table):
        raise TypeError(f"control must be a Table of people who are not in the release, not {type(control).__name__}")
    for release in releases:
        inside = control.index.isin(members(release))
        if inside.any():
            label = control.index[int(np.argmax(inside))]
            raise ValueError(
                f"row {label!r} of the control is in the release, and {int(inside.sum()) - 1:,} others are; a control "
                "holds people who are not (rows are known by the table's index: give other people other labels)"
            )


def tally(people: Table, counted: np.ndarray, claimed: np.ndarray, right: np.ndarray) -> tuple[int, float, float]:
    """Attempts, claims and right ones among those who are counted; all given for each row of the people's table."""
    claims, hits = claimed[counted], right[counted]
    return int(counted.sum()), float(claims.sum()), float(hits.sum())
