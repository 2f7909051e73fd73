"""Next month's table, generalized like this month's: the same levels, or the same boxes.

Full-domain methods repeat their levels. Boxes, of Mondrian or of clusters, are repeated by their texts: each new row
goes into the smallest box that holds it. Rows that fit no box, or a box that no longer meets the requirement, are
anonymized among themselves, and what still fails is suppressed. The new release is checked like any other.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from anonnb.core.arrays import first_places, group_ids
from anonnb.core.errors import Infeasible
from anonnb.core.progress import Progress
from anonnb.core.wording import pluralize
from anonnb.methods.base import GroupMethod, Method
from anonnb.tables.attribute import Attribute, preview
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column, ValueSets

_CHUNK = 2048
_FIRST_BIT = np.array([8, *(8 - value.bit_length() for value in range(1, 256))])


def new_values(old: Table, new: Table) -> list[str]:
    """Describe, for every column with a role, the values that the old table did not have."""
    sentences = []
    for name in dict.fromkeys([*new.quasi, *new.sensitive, new.decision]):
        if name is None or name not in old.attributes:
            continue
        known = set(old.attributes[name].labels)
        fresh = [label for label in new.attributes[name].labels if label not in known]
        if fresh:
            sentences.append(
                f"column {name!r} has {pluralize(len(fresh), 'value')} that did not occur before: {preview(fresh)}"
            )
    return sentences


def repeat(
    method: Method, old: Table, new: Table, progress: Progress, *, boxes: bool, limit: float | None
) -> tuple[Release | None, str]:
    """Generalize the new table like the old one and describe the outcome; None if it must be anonymized anew.

    ``boxes`` says to fill the boxes of the old release if there are no levels to repeat; without it, at most the share
    ``limit`` of the rows may be suppressed.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # warnings about the old table came when it was published
        before = method.anonymize(old, progress=progress)
        try:
            release, sentence = _recoded(before, new), "generalized like the project's own table"
        except ValueError as reason:
            if not boxes:
                return None, f"anonymized anew, so it does not read like the project's own table ({reason})"
            release, sentence = _into_boxes(before, new, progress), ""
    withheld = len(new) - len(release)
    if not boxes and withheld > (limit or 0) * len(new):
        lost = f"{withheld:,} of {pluralize(len(new), 'row')} would be suppressed"
        return None, f"anonymized anew, because the recoding of the project's own table does not do ({lost})"
    if not len(release):
        raise Infeasible(f"{method}: no row meets the requirement in the boxes of the project's own table", best=0)
    method.promise.check(release)
    sentence = sentence or str(release.info["sentence"])
    sentence += f"; {pluralize(withheld, 'row is', 'rows are')} suppressed" if withheld else ""
    return release.replace(info={**release.info, "repeated": sentence}), sentence


def _recoded(before: Release, new: Table) -> Release:
    """Repeat levels, or the set of each value, and suppress the classes that miss the requirement."""
    release = _at_levels(before, new) if "node" in before.info else None
    release = before.recode(new) if release is None else release
    if not isinstance(before.method, GroupMethod):
        before.method.promise.check(release)
        return release
    return _publishable(before.method, release)


def _at_levels(before: Release, new: Table) -> Release | None:
    """Generalize to the levels of a release; None if a value that both tables have would read otherwise."""
    columns = {}
    for name, level in before.info["node"].items():
        attribute = new.attributes[name]
        if level > attribute.levels.height:
            return None
        texts = _texts(attribute, level)
        if any(texts.get(label, text) != text for label, text in _texts(before.table.attributes[name], level).items()):
            return None
        columns[name] = Column.generalized(attribute, new.codes(name), level)
    return Release(new, columns, np.arange(len(new)), method=before.method, info=before.info)


def _texts(attribute: Attribute, level: int) -> dict[str, str]:
    """Return how each value reads on a level."""
    texts, codes = attribute.levels.labels[level], attribute.levels.maps[level]
    return {label: texts[code] if level else label for label, code in zip(attribute.labels, codes, strict=True)}


def _publishable(method: GroupMethod, release: Release) -> Release:
    """Withhold the rows of the classes that miss the requirement."""
    rows = np.asarray(release.rows)
    good = method.group_check(release.table).kept(release.groups, release.n_groups, rows)
    return release if good.all() else release.take(np.flatnonzero(good[release.groups]))


# ---- boxes -----------------------------------------------------------------------------------------------------------


def _into_boxes(before: Release, new: Table, progress: Progress) -> Release:
    """Put each new row into the smallest box that holds it, and anonymize what fits none among itself."""
    method = before.method
    if not isinstance(method, GroupMethod) or before.secrets is not None or not _has_boxes(before):
        raise ValueError(f"{type(method).__name__} publishes no boxes that another table could be put into")
    first = first_places(before.groups, before.n_groups)
    columns = [before.columns[name].take(first) for name in before.quasi]
    share = sum(column.sizes / column.attribute.size for column in columns)
    order = np.argsort(np.asarray(share), kind="stable")
    columns = [column.take(order) for column in columns]
    masks = [_over(column.sets, new.attributes[name]) for name, column in zip(before.quasi, columns, strict=True)]
    box = _first_boxes(masks, [column.index for column in columns], [new.codes(name) for name in before.quasi])
    rows = np.flatnonzero(box >= 0)
    groups, count = group_ids([box[rows]])
    good = method.group_check(new).kept(groups, count, rows) if len(rows) else np.zeros(0, dtype=bool)
    box[rows[~good[groups]]] = -1
    parts = [(np.flatnonzero(box >= 0), [(column.sets.labels, mask, column.index[box[box >= 0]])
                                         for column, mask in zip(columns, masks, strict=True)])]  # fmt: skip
    others = np.flatnonzero(box < 0)
    made = None
    with suppress(ValueError):  # too few rows, or too few values of a secret
        made = method.anonymize(new.take(others), progress=progress)
    if made is not None:
        cells = [made.columns[name] for name in before.quasi]
        parts.append((others[made.rows], [(cell.sets.labels, cell.sets.as_masks(), cell.index) for cell in cells]))
    release = _publishable(method, _assembled(before, new, parts))
    published = np.asarray(release.rows)
    filled = published[np.isin(published, parts[0][0])]
    boxes = pluralize(len(np.unique(box[filled])), "box", "boxes")
    sentence = f"{pluralize(len(filled), 'row is', 'rows are')} in {boxes} of the project's own table"
    sentence += f" and {len(published) - len(filled):,} in new ones"
    return release.replace(info={"sentence": sentence})


def _has_boxes(release: Release) -> bool:
    """Return whether every published cell holds the value of its own row."""
    table, rows = release.table, release.rows
    return rows is not None and all(
        release.columns[name].attribute is table.attributes[name]
        and release.columns[name].holds(table.codes(name)[rows]).all()
        for name in release.quasi
    )


def _over(sets: ValueSets, new: Attribute) -> np.ndarray:
    """Return which values of another attribute each set holds; a new number belongs between two that it holds."""
    old = sets.attribute
    codes = new.recode_to(old)
    held, known = sets.as_masks(), (codes >= 0) & (codes < old.size)
    masks = held[:, np.where(known, codes, 0)] & known
    masks[sets.sizes == old.size] = True
    fresh = np.flatnonzero(~known[: len(new.domain)])
    if old.kind == "numeric" and new.kind == "numeric" and len(fresh):
        above = old.domain.searchsorted(new.domain[fresh])
        inside = (above > 0) & (above < len(old.domain))
        masks[:, fresh[inside]] |= held[:, above[inside] - 1] & held[:, above[inside]]
    return masks


def _first_boxes(masks: Sequence[np.ndarray], sets: Sequence[np.ndarray], codes: Sequence[np.ndarray]) -> np.ndarray:
    """Return the first box that holds each row, -1 for none: the boxes of every value are bits, joined over columns."""
    classes, count = group_ids(list(codes), [mask.shape[1] for mask in masks])
    first = first_places(classes, count)
    bits = []
    for mask, box_sets in zip(masks, sets, strict=True):
        chunks = range(0, mask.shape[1], _CHUNK // 8)
        bits.append(np.concatenate([np.packbits(mask[:, at : at + _CHUNK // 8][box_sets].T, axis=1) for at in chunks]))
    result = np.empty(count, dtype=np.int64)
    for at in range(0, count, _CHUNK):
        some = first[at : at + _CHUNK]
        joined = np.bitwise_and.reduce([own[code[some]] for own, code in zip(bits, codes, strict=True)])
        byte = (joined != 0).argmax(axis=1)
        value = joined[np.arange(len(some)), byte]
        result[at : at + _CHUNK] = np.where(value == 0, -1, 8 * byte + _FIRST_BIT[value])
    return result[classes]


def _assembled(before: Release, new: Table, parts: list[tuple[np.ndarray, list[tuple[Any, Any, Any]]]]) -> Release:
    """Join rows whose cells come from different dictionaries; sets with the same text are one set."""
    columns = {}
    for position, name in enumerate(before.quasi):
        numbers: dict[str, int] = {}
        kept: list[np.ndarray] = []
        index = []
        for _, cells in parts:
            labels, masks, own = cells[position]
            number = np.zeros(len(labels), dtype=np.int64)
            for used in np.unique(own).tolist():
                number[used] = numbers.setdefault(labels[used], len(numbers))
                if number[used] == len(kept):
                    kept.append(masks[used].copy())
                kept[number[used]] |= masks[used]
            index.append(number[own])
        sets = ValueSets.from_masks(new.attributes[name], np.array(kept), list(numbers))
        columns[name] = Column(sets, np.concatenate(index))
    return Release(new, columns, np.concatenate([rows for rows, _ in parts]), method=before.method)
