"""Who is in a release: known from its rows and the labels of the table behind it, never from an order."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from anonnb.core.wording import pluralize
from anonnb.tables.release import Release
from anonnb.tables.table import Table


def members(release: Release) -> pd.Index:
    """The labels of those who are in a release; everybody behind it where it does not say whose its rows are."""
    if release.rows is None:
        return release.table.index
    return release.table.index[np.unique(release.owners[1])]


def are_all_members(people: Table, release: Release) -> bool:
    """Whether everybody in the release is among the people; if not, these are at most a sample of the members."""
    return people is release.table or bool(members(release).isin(people.index).all())


def check_outsiders(control: Table, releases: Iterable[Release]) -> None:
    """Refuse a control that holds people who are in one of the releases."""
    if not isinstance(control, Table):
        raise TypeError(f"control must be a Table of people who are not in the release, not {type(control).__name__}")
    for release in releases:
        inside = control.index.isin(members(release)) | _same_people(control, release)
        if inside.any():
            label = control.index[[int(np.argmax(inside))]].tolist()[0]  # a number of Python's, as people write it
            others = int(inside.sum()) - 1
            rows = f"row {label!r}" + (f" and {pluralize(others, 'other row')}" if others else "")
            raise ValueError(
                f"{rows} of the control {'are' if others else 'is'} also in the release; a control must not contain "
                "published people (rows are matched by index label, so give different people different labels)"
            )


def _same_people(control: Table, release: Release) -> np.ndarray:
    """Rows of people who have another row in the release, where both tables say whose a row is."""
    name, behind = release.table.counted_by, release.table
    if name is None or name not in behind.attributes or name not in control.attributes:
        return np.zeros(len(control), dtype=bool)
    rows = np.arange(len(behind)) if release.rows is None else np.unique(release.owners[1])
    codes = control.attributes[name].recode_to(behind.attributes[name])[control.codes(name)]
    return np.isin(codes, behind.codes(name)[rows])


def places_of(original: Table, people: Table) -> np.ndarray:
    """For every row of the original table the place of that person among ``people``, -1 where they are not among them.

    Rows are identified by the index. A person with the name of a row but other values would make every answer wrong.
    """
    if people is original:
        return np.arange(len(original))
    if not (people.index.is_unique and original.index.is_unique):
        raise ValueError(
            "people are known by the table's index, which has a label twice; give rows labels of their own"
        )
    place = people.index.get_indexer(original.index)
    rows = np.flatnonzero(place >= 0)
    for name in original.columns:
        if name in people.attributes:
            codes = people.attributes[name].recode_to(original.attributes[name])[people.codes(name)[place[rows]]]
            differs = np.flatnonzero(codes != original.codes(name)[rows])
            if len(differs):
                label = original.index[rows[differs[0]]]
                raise ValueError(
                    f"row {label!r} of the table differs in column {name!r} from the one behind the release; "
                    "give the original table, or rows taken from it"
                )
    return place


def in_order(original: Table, people: Table | None) -> Table:
    """The people behind a release in the order of its original table, for attacks that ask about every one of them."""
    if people is None or people is original:
        return original
    place = places_of(original, people)
    if (place < 0).any():
        label = original.index[int(np.argmax(place < 0))]
        raise ValueError(f"row {label!r} behind the release is not in the table; give the whole original table")
    return people.take(place)
