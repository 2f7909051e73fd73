"""Elementary conditions of tables and releases, as the integer arrays that the rule search works on.

An ordered attribute gives two threshold features (at least, at most), a nominal one a feature of candidate sets. A
cell satisfies a condition when its value set lies inside it; a plain table is the release whose sets are single values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anonnb.core.arrays import distinct_rows
from anonnb.rules.induction.flattening import FEATURE, FlatConditions, FlatSets, flatten
from anonnb.rules.induction.rule import Condition
from anonnb.tables.attribute import Attribute, preview
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column


@dataclass
class Threshold:
    """One side of an ordered attribute: the codes that its bounds lie between, and each row's key."""

    attribute: Attribute
    side: str  # "lower" or "upper"
    ends: np.ndarray
    keys: np.ndarray
    midpoints: bool

    @property
    def count(self) -> int:
        """How many bounds there are."""
        return max(len(self.ends) - 1, 0)

    def bound(self, key: int) -> object:
        """The bound of the condition that a key is at least ``key``, from 1 on: made for the few that rules ask."""
        index = key if self.side == "lower" else len(self.ends) - key
        return cut_between(self.attribute, self.ends[index - 1], self.ends[index], self.side, self.midpoints)


@dataclass
class NominalConditions:
    """The value sets of a nominal attribute that may be in a condition, and the set of each row."""

    attribute: Attribute
    conditions: list[Condition | None]  # one per distinct set; None where it is no condition
    index: np.ndarray
    holders: list[np.ndarray]  # for each set the conditions it satisfies; sets of the overlap copies follow the others
    rows: np.ndarray  # rows that satisfy each condition


@dataclass
class Features:
    """All elementary conditions of a release and, flattened, what the compiled search takes."""

    weights: np.ndarray  # how many rows of the table each row stands for
    attributes: list[Attribute]
    thresholds: list[Threshold]
    candidates: list[NominalConditions]
    plan: list[int]
    keys: np.ndarray = field(init=False)  # rows × threshold features
    base: np.ndarray = field(init=False)  # the first cell of each threshold feature, and of the candidate sets
    flat_sets: FlatSets = field(init=False)
    longest: int = 0  # the most conditions that a rule may have
    search: FlatConditions = field(init=False)
    sorted_rows: np.ndarray = field(init=False)  # the order of rows in ``search``
    conditions: list[Condition] = field(default_factory=list)  # those of the candidate sets
    _made: dict = field(default_factory=dict)
    _bounds: dict = field(default_factory=dict)  # rules share bounds, and listing an ordinal domain takes time

    @property
    def rows(self) -> int:
        return len(self.weights)

    def rule_conditions(self, cells: list[int]) -> tuple[Condition, ...]:
        """Return the conditions of one rule, one for each attribute, in attribute order."""
        key = tuple(sorted(cells))
        if key not in self._made:
            self._made[key] = self._merged(key)
        return self._made[key]

    def tightest(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What a row satisfies, once for rows that agree: each row's kind, where a kind's conditions begin, the cells.

        Of the conditions of a feature the tightest is enough: a row's own key, a row's own set.
        """
        first, kind = distinct_rows(np.hstack([self.keys, self.flat_sets.set_of])[: self.rows])
        keys, candidates = self.keys[first], self.flat_sets.candidate[self.flat_sets.set_of[first]]
        cells = np.hstack([self.base[:-1] + keys, self.base[-1] + candidates])
        asks = np.hstack([keys > 0, candidates >= 0])
        return kind, np.concatenate([[0], np.cumsum(asks.sum(axis=1))]), cells[asks]

    def _merged(self, cells: tuple[int, ...]) -> tuple[Condition, ...]:
        parts: dict[str, Condition] = {}
        for cell in cells:
            part = self._condition(cell)
            known = parts.get(part.attribute)
            parts[part.attribute] = part if known is None else known.intersection(part)
        return tuple(parts[attribute.name] for attribute in self.attributes if attribute.name in parts)

    def _condition(self, cell: int) -> Condition:
        if cell >= self.base[-1]:
            return self.conditions[cell - self.base[-1]]
        if cell not in self._bounds:
            f = self.search.asked[FEATURE, cell]
            threshold = self.thresholds[f]
            bound = threshold.bound(cell - self.base[f])
            self._bounds[cell] = bounded(threshold.attribute, **{threshold.side: bound})
        return self._bounds[cell]


def bounded(attribute: Attribute, lower: Any = None, upper: Any = None) -> Condition:
    """Return the condition ``lower <= attribute <= upper``; for ordinal attributes the bounds are codes."""
    if attribute.kind == "numeric":
        return Condition(attribute.name, lower=lower, upper=upper)
    domain = [plain(value) for value in attribute.domain]
    first, last = 0 if lower is None else int(lower), len(domain) - 1 if upper is None else int(upper)
    return Condition(
        attribute.name,
        values=tuple(domain[first : last + 1]),
        lower=None if lower is None else domain[first],
        upper=None if upper is None else domain[last],
    )


def features_of(
    release: Release,
    names: Sequence[str],
    *,
    midpoints: bool,
    overlap: bool = False,
    weights: np.ndarray | None = None,
) -> Features:
    """Encode the named columns. ``midpoints``: bounds lie halfway between values rather than on them.

    With ``overlap``, every row has a copy after all others that satisfies every condition that the row merely overlaps.
    ``weights`` says how many rows each row stands for, one by default.
    """
    weights = np.ones(len(release), dtype=np.int64) if weights is None else weights
    features = Features(weights, [release.columns[name].attribute for name in names], [], [], [])
    for name in names:
        column = release.columns[name]
        if column.attribute.kind == "nominal":
            _add(features, _nominal(column, overlap, weights))
            continue
        for threshold in _ordered(column, midpoints, overlap):
            features.plan.append(len(features.thresholds))
            features.thresholds.append(threshold)
        if column.attribute.missing:
            _add(features, _known_or_missing(column, overlap, weights))
    flatten(features, len(release) * (1 + overlap))
    return features


def _add(features: Features, candidates: NominalConditions) -> None:
    features.candidates.append(candidates)
    features.plan.append(-len(features.candidates))


# ---- ordered attributes -------------------------------------------------------------------------------------------


def _ordered(column: Column, midpoints: bool, overlap: bool) -> list[Threshold]:
    attribute, sets = column.attribute, column.sets
    absent = attribute.missing_code
    lo, hi = sets.lo[column.index].astype(np.int64), sets.hi[column.index].astype(np.int64)
    open_ended = (hi == absent) if attribute.missing else np.zeros(len(hi), bool)  # may be missing: inside no bound
    top = np.where(open_ended, absent - 1, hi)  # the largest value that is not missing
    known = lo != absent if attribute.missing else np.ones(len(lo), bool)
    lowest = np.unique(lo[~open_ended])
    highest = np.unique(hi[~open_ended])
    up = np.where(open_ended, 0, np.searchsorted(lowest, lo, "right") - 1)
    down = np.where(open_ended, 0, len(highest) - 1 - np.searchsorted(highest, hi, "left"))
    if overlap:
        meets_up = np.where(known, np.searchsorted(lowest, top, "right") - 1, 0)
        meets_down = np.where(known, len(highest) - 1 - np.searchsorted(highest, lo, "left"), 0)
        up, down = np.concatenate([up, meets_up]), np.concatenate([down, meets_down])
    return [
        Threshold(attribute, "lower", lowest, np.maximum(up, 0).astype(np.int32), midpoints),
        Threshold(attribute, "upper", highest, np.maximum(down, 0).astype(np.int32), midpoints),
    ]


def cut_between(attribute: Attribute, before: int, after: int, side: str, midpoints: bool = True) -> object:
    """Return the bound between two neighbouring codes; a number or a date, or a code for an ordinal attribute."""
    if not midpoints:
        code = after if side == "lower" else before
        return code if attribute.kind == "ordinal" else plain(attribute.domain[code])
    if attribute.kind == "ordinal":
        middle = (int(before) + int(after)) // 2
        return middle + 1 if side == "lower" else middle
    low, high = plain(attribute.domain[before]), plain(attribute.domain[after])
    middle = low + (high - low) / 2
    if not low < middle < high:  # neighbours without a number between them
        return high if side == "lower" else low
    return middle


# ---- sets ---------------------------------------------------------------------------------------------------------


def _nominal(column: Column, overlap: bool, weights: np.ndarray) -> NominalConditions:
    attribute = column.attribute
    used, index = np.unique(column.index, return_inverse=True)
    if (column.sets.sizes[used] == 1).all():
        codes, inverse = np.unique(column.sets.lo[used], return_inverse=True)
        index = inverse[index]
        inside = meets = [np.array([number]) for number in range(len(codes))]
        held = list(codes[:, None])
    else:
        masks = column.sets.as_masks()[used]
        first, inverse = distinct_rows(np.packbits(masks, axis=1))
        masks, index = masks[first], inverse[index]
        order = np.lexsort([masks.argmax(axis=1), masks.sum(axis=1)])  # small sets first, then by their first value
        masks, index = masks[order], np.argsort(order)[index]
        common = masks.astype(np.float32) @ masks.T.astype(np.float32)
        inside = [np.flatnonzero(column) for column in (common == masks.sum(axis=1)).T]
        meets = [np.flatnonzero(column) for column in common > 0]
        held = [np.flatnonzero(mask) for mask in masks]
    conditions = [Condition(attribute.name, values=tuple(_value(attribute, code) for code in codes)) for codes in held]
    return _candidates(attribute, conditions, index, inside, meets, overlap, weights)


def _known_or_missing(column: Column, overlap: bool, weights: np.ndarray) -> NominalConditions:
    """Conditions "is known" and "is missing": a missing value of an ordered attribute lies inside no bound."""
    attribute = column.attribute
    missing = column.sets.lo[column.index] == attribute.missing_code
    mixed = ~missing & (column.sets.hi[column.index] == attribute.missing_code)
    index = np.where(missing, 0, np.where(mixed, 2, 1))
    conditions = [Condition(attribute.name, values=(None,)), Condition(attribute.name), None]
    inside = [np.array([0]), np.array([1]), np.array([], dtype=np.int64)]
    meets = [np.array([0]), np.array([1]), np.array([0, 1])]
    return _candidates(attribute, conditions, index, inside, meets, overlap, weights)


def _candidates(
    attribute: Attribute,
    conditions: Sequence[Condition | None],
    index: np.ndarray,
    inside: list[np.ndarray],
    meets: list[np.ndarray],
    overlap: bool,
    weights: np.ndarray,
) -> NominalConditions:
    """Candidates without those that every row satisfies, and with the overlap copies on request."""
    held = np.zeros(len(conditions), dtype=np.int64)
    counts = np.bincount(index, weights, minlength=len(inside)).astype(np.int64)
    for holders, count in zip(inside, counts, strict=True):
        held[holders] += count
    kept = [None if rows == weights.sum() else part for part, rows in zip(conditions, held, strict=True)]
    if overlap:
        index, inside = np.concatenate([index, index + len(inside)]), [*inside, *meets]
    return NominalConditions(attribute, kept, index, inside, held)


def _value(attribute: Attribute, code: int) -> object:
    return None if code == attribute.missing_code else plain(attribute.domain[code])


def plain(value: Any) -> Any:
    """Return a Python value for a numpy one; whole numbers stay whole."""
    if isinstance(value, np.generic):
        return value.item()
    return value


def attribute_names(table: Table, names: Sequence[str] | None) -> list[str]:
    """Return the condition attributes to use: those named, or all but identifiers and the decision."""
    chosen = table.conditions if names is None else list(names)
    for name in chosen:
        if name not in table.columns:
            raise KeyError(f"attributes: there is no column {name!r}; the columns are {preview(table.columns, 20)}")
        if name == table.decision:
            raise ValueError(f"attributes: {name!r} is the decision; rules conclude it and cannot ask for it")
    if not chosen:
        raise ValueError("there are no condition attributes; a rule needs at least one column beside the decision")
    return chosen
