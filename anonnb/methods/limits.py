"""Limits of generalization: the highest level of a column's hierarchy that may be published, kept by every method.

``table.limits`` says what may be shown. Methods that walk through levels read ``attribute.usable`` and never go above;
methods that group rows are run on each part of the table whose rows share their labels on the limits, so that no group
spans two of them. Every release is recounted here; a method that can do neither refuses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from anonnb.core.arrays import group_ids, group_order
from anonnb.core.errors import Infeasible, message_of
from anonnb.core.wording import pluralize
from anonnb.steps.recording import listening, note
from anonnb.steps.states import RowGroups
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column, ValueSets
from anonnb.utility.cells import set_levels


def limited(table: Table) -> list[str]:
    """Return the quasi-identifiers that have a limit."""
    return [name for name in table.quasi if name in table.limits]


def check_limits(name: str, table: Table, way: str, truthful: bool) -> None:
    """Refuse a table whose limits a method cannot keep: one that publishes sets and has no way to narrow them."""
    names = limited(table)
    if names and not way and truthful:
        raise ValueError(
            f"{name} cannot keep to the limit of column {names[0]!r}, as it knows no levels; use a method that reads "
            "them, such as FullDomain, TopDown, Mondrian or OKA, or a table without limits"
        )


def column_above(table: Table, release: Release) -> str | None:
    """Return the first column with a published cell above its limit; None where all keep to it."""
    for name in limited(table):
        column, attribute = release.columns[name], table.attributes[name]
        used = np.bincount(column.index, minlength=len(column.sets)) > 0
        # values of their own, such as means, are single and show nothing of the hierarchy
        known = column.attribute.domain.equals(attribute.domain)
        levels = set_levels(attribute, column.sets) if known else np.where(column.sets.sizes > 1, np.inf, 0)
        if (levels[used] > attribute.limit).any():
            return name
    return None


def in_parts(table: Table, run: Callable[[Table], Release]) -> Release:
    """The releases of the parts as one; a part that cannot be published is withheld, and ``info["note"]`` says so."""
    names = limited(table)
    labels = [table.attributes[name].usable.maps[-1][table.codes(name)] for name in names]
    part, count = group_ids(labels)
    free, made, reason = _without_limits(table), [], ""
    order, starts = group_order(part, count)
    for number in range(count):
        rows = order[starts[number] : starts[number + 1]]
        if listening():
            note(
                f"Part {number + 1} of {count}",
                f"No group may reach beyond the limits of {', '.join(names)}, which make {pluralize(count, 'part')}; "
                f"what follows is about the {pluralize(len(rows), 'row')} of this one.",
                RowGroups(table, part, rows),
            )
        try:
            made.append((rows, run(free.take(rows))))
        except Infeasible as error:
            reason = message_of(error)
    what = f"the limits of {', '.join(names)} divide the table into {count} parts"
    if not made:
        raise Infeasible(f"{what}, none of which can be published ({reason}); raise a limit or ask for less", best=0)
    rows = np.concatenate([part_rows[release.rows] for part_rows, release in made])
    columns = {name: _together([release.columns[name] for _, release in made]) for name in table.quasi}
    order = np.argsort(rows, kind="stable")
    columns = {name: column.take(order) for name, column in columns.items()}
    info: dict[str, Any] = {"parts": count, "withheld_parts": count - len(made)}
    if len(made) < count:
        lost = f"{count - len(made)} of them, with {len(table) - len(rows)} rows"
        info["note"] = f"{what}; {lost}, were withheld: {reason}"
    return Release(table, columns, rows[order], info=info)


def _without_limits(table: Table) -> Table:
    """Return the same table without limits; its values have the same codes."""
    attributes = {name: replace(each, limit=None) for name, each in table.attributes.items()}
    return table._same_rows(attributes, table._codes, table._roles)


def _together(columns: list[Column]) -> Column:
    """Columns one below the other; sets that are equal and read alike become one."""
    attribute = columns[0].attribute
    numbers: dict[tuple, int] = {}
    index: list[np.ndarray] = []
    named = any(column.sets.has_own_labels for column in columns)
    for column in columns:
        sets = column.sets
        renumbered = np.empty(len(sets), dtype=np.int64)
        for number in range(len(sets)):
            row = sets.mask_row[number]
            bits = sets.masks[row].tobytes() if row >= 0 else None
            key = int(sets.lo[number]), int(sets.hi[number]), bits, sets.labels[number] if named else ""
            renumbered[number] = numbers.setdefault(key, len(numbers))
        index.append(renumbered[column.index])
    kept = list(numbers)
    gaps = np.array([bits is not None for _, _, bits, _ in kept], dtype=bool)
    masks = [np.frombuffer(bits, dtype=bool) for _, _, bits, _ in kept if bits is not None]
    sets = ValueSets(
        attribute,
        np.array([lo for lo, *_ in kept]),
        np.array([hi for _, hi, *_ in kept]),
        np.array(masks, dtype=bool).reshape(-1, attribute.size),
        np.where(gaps, np.cumsum(gaps) - 1, -1).astype(np.int32),
        [label for *_, label in kept] if named else None,
    )
    return Column(sets, np.concatenate(index))
