"""Models that compare a release with a public population: k-map (Sweeney 2002), δ-presence (Nergiz et al. 2007).

A class of a release is a box of value sets; what counts is how many people of the population lie in it.
Reading chosen: while a method searches, a group is judged by the smallest box around its rows. What it publishes is
judged by the published sets, which may be wider or hold other values: a release that fails is never returned.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from anonnb.core import remedies
from anonnb.core.arrays import distinct_per_group, first_places, group_ids
from anonnb.core.errors import Message, advice
from anonnb.core.parameters.compound import Instance
from anonnb.core.parameters.constraints import POSITIVE, Number
from anonnb.core.parameters.declared import parameter
from anonnb.privacy.base import EPSILON, Checker, Model, people_per_group
from anonnb.tables.attribute import Attribute
from anonnb.tables.labels import HIDDEN_CELL, HIERARCHY_ROOT
from anonnb.tables.matching import Overlaps
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column, ValueSets

POPULATION = Instance(Table, "an anonnb.Table", advice="wrap it: Table(frame)")

Boxes = Mapping[str, tuple[ValueSets, np.ndarray]]


class Population:
    """People to hide among: counts how many of them lie in each of many boxes.

    ``attributes`` are those of the release. Values that only the population has are added to their domains: a number
    may lie within an interval, any other value only in a cell that shows ``*`` or the root of its hierarchy. A missing
    value matches a missing value.
    """

    def __init__(self, people: Table, attributes: Mapping[str, Attribute]):
        POPULATION.validate("population", people)
        if not attributes:
            name_them = advice("; name columns: ", remedies.role("quasi"))
            raise ValueError(Message("there is no quasi-identifier to compare", name_them))
        self._axes = {
            name: _Axis(attribute, _column(people, name, attribute)) for name, attribute in attributes.items()
        }
        codes = [axis.places(people.codes(name)) for name, axis in self._axes.items()]
        ids, count = group_ids([index + 1 for index in codes], [axis.wider.size + 1 for axis in self._axes.values()])
        self.weights = _people_per_kind(people, ids, count)
        first = first_places(ids, count)
        self._people = [axis.people(index[first]) for axis, index in zip(self._axes.values(), codes, strict=True)]

    def count(self, boxes: Boxes) -> tuple[np.ndarray, bool]:
        """Return the people in each box, and whether every one of them is in some box.

        A box has a set per column: ``boxes[name]`` holds a dictionary of sets and, for each box, the number of its set.
        """
        wide = [Column(axis.widen(boxes[name][0]), boxes[name][1]) for name, axis in self._axes.items()]
        counts = Overlaps(self._people, wide)
        (covered,), (people,) = counts.totals([np.ones(counts.n_rows)], [self.weights])
        return people.astype(np.int64), bool((covered > 0).all())


class _Axis:
    """Domain of a release's column together with the population's values; the code -1 is a value in no domain."""

    def __init__(self, attribute: Attribute, other: Attribute):
        self.attribute = attribute
        self._roots = {HIDDEN_CELL, attribute.hierarchy.root if attribute.hierarchy else HIERARCHY_ROOT}
        self.wider, self.recode = attribute.extended(other.domain)
        self._place = other.recode_to(self.wider)

    def places(self, codes: np.ndarray) -> np.ndarray:
        """Return the codes of the population's column in the wider domain."""
        return self._place[codes]

    def people(self, codes: np.ndarray) -> Column:
        """Return people with these values, each a set of one."""
        every = np.arange(-1, self.wider.size)
        return Column(ValueSets(self.wider, every, every), codes + 1)

    def widen(self, sets: ValueSets) -> ValueSets:
        """Return the same sets in the wider domain; the set of all values also holds those in no domain."""
        lo, hi = self.recode[sets.lo], self.recode[sets.hi]
        # only a star, or the root of the hierarchy, holds values that the table does not have
        every = np.array([label in self._roots for label in sets.labels], dtype=bool)
        whole = every & (sets.sizes == self.attribute.size)
        lo[whole], hi[whole] = -1, self.wider.size - 1
        # new values lie between the known ones and the missing one, but do not belong to an interval that ends with it
        stretched = (sets.hi == self.attribute.missing_code) & (sets.sizes > 1) & (self.wider is not self.attribute)
        masked = np.flatnonzero(((sets.mask_row >= 0) | stretched) & ~whole)
        masks = np.zeros((len(masked), self.wider.size), dtype=bool)
        for row, set_number in enumerate(masked.tolist()):
            masks[row, self.recode[sets.mask(set_number)]] = True
        mask_row = np.full(len(sets), -1, dtype=np.int32)
        mask_row[masked] = np.arange(len(masked))
        return ValueSets(self.wider, lo, hi, masks, mask_row)


def _people_per_kind(people: Table, kinds: np.ndarray, n_kinds: int) -> np.ndarray:
    """Count the people of each kind; a person with several rows counts once and must be of one kind."""
    if not people.people_repeat:
        return np.bincount(kinds, minlength=n_kinds)
    each = distinct_per_group(people.people, kinds, n_kinds)
    if each.sum() > people.n_people:
        raise ValueError(
            f"population: some people of column {people.person!r} have rows with different quasi-identifiers, so that "
            "they cannot be counted in boxes; keep one row of each person"
        )
    return each


def _column(people: Table, name: str, attribute: Attribute) -> Attribute:
    if name not in people.attributes:
        raise KeyError(f"population: it lacks the quasi-identifier column {name!r}")
    other = people.attributes[name]
    if (attribute.kind == "numeric") != (other.kind == "numeric"):
        raise ValueError(
            f"population: column {name!r} is {other.kind} there and {attribute.kind} in the release; convert one"
        )
    return other


@dataclass(frozen=True)
class PopulationModel(Model):
    """Base of the models that count the people of a population who could be in a group."""

    def _people(self) -> Table:
        return self.population  # type: ignore[attr-defined]  # a field of every subclass, after its own

    def check_table(self, table: Table) -> None:
        Population(self._people(), {name: table.attributes[name] for name in table.quasi})

    def checker(self, table: Table) -> Checker:
        attributes = {name: table.attributes[name] for name in table.quasi}
        population = Population(self._people(), attributes)

        def check(groups: np.ndarray, n_groups: int, rows: np.ndarray) -> np.ndarray:
            sizes = people_per_group(table, groups, n_groups, rows)
            present = np.flatnonzero(sizes)
            position = np.zeros(n_groups, dtype=np.int64)
            position[present] = np.arange(len(present))
            people = np.zeros(n_groups, dtype=np.int64)
            if len(present):
                boxes = _smallest_boxes(table, attributes, rows, position[groups], len(present))
                people[present] = population.count(boxes)[0]
            return self._judge(sizes, people)

        return check

    def holds(self, release: Release) -> np.ndarray:
        # by the published sets: they may be wider than the smallest box, or hold other values
        columns = {name: release.columns[name] for name in release.quasi}
        first = first_places(release.groups, release.n_groups)
        boxes = {name: (column.sets, column.index[first]) for name, column in columns.items()}
        population = Population(self._people(), {name: column.attribute for name, column in columns.items()})
        return self._judge(release.group_people, population.count(boxes)[0])

    def _judge(self, sizes: np.ndarray, people: np.ndarray) -> np.ndarray:
        raise NotImplementedError


def _smallest_boxes(
    table: Table, attributes: Mapping[str, Attribute], rows: np.ndarray, groups: np.ndarray, n_groups: int
) -> Boxes:
    first = first_places(groups, n_groups)
    boxes = {}
    for name, attribute in attributes.items():
        column = Column.of_groups(attribute, table.codes(name)[rows], groups, n_groups)
        boxes[name] = (column.sets, column.index[first])
    return boxes


@dataclass(frozen=True)
class KMap(PopulationModel):
    """At least k people of a population fit every group (Sweeney 2002).

    Parameters
    ----------
    k:
        The least number of people of the population.
    population:
        A table of the population, with the quasi-identifiers of the table.

    Examples
    --------
    >>> import pandas as pd
    >>> people = Table(pd.DataFrame({"zip": [1, 1, 2, 2, 2]}), quasi=["zip"])
    >>> KMap(3, people).checker(people.take([0, 2]))(np.array([0, 1]), 2, np.arange(2)).tolist()
    [False, True]
    """

    k: int = parameter(POSITIVE)
    population: Table = parameter(POPULATION, repr=False)

    def _judge(self, sizes: np.ndarray, people: np.ndarray) -> np.ndarray:
        return people >= self.k


@dataclass(frozen=True)
class DeltaPresence(PopulationModel):
    """The chance that somebody of the population is in the table lies between two bounds (Nergiz et al. 2007).

    The chance is (people of the group) / (people of the population who fit it). People who fit no group have the chance
    0, which no group can change; ``privacy.delta_presence`` counts them.

    Parameters
    ----------
    population:
        A table of the population, with the quasi-identifiers of the table.

    Examples
    --------
    >>> import pandas as pd
    >>> people = Table(pd.DataFrame({"zip": [1, 1, 2, 2, 2]}), quasi=["zip"])
    >>> model = DeltaPresence(0.2, 0.4, people)
    >>> model.checker(people.take([0, 2]))(np.array([0, 1]), 2, np.arange(2)).tolist()  # 1/2 and 1/3
    [False, True]
    """

    low: float = parameter(Number(at_least=0, at_most=1))
    high: float = parameter(Number(at_least=0, at_most=1))
    population: Table = parameter(POPULATION, repr=False)

    def _check_parameters(self) -> None:
        if self.low > self.high:
            raise ValueError(f"low must not exceed high, but {self.low} > {self.high}")

    def _judge(self, sizes: np.ndarray, people: np.ndarray) -> np.ndarray:
        return (sizes >= self.low * people - EPSILON) & (sizes <= self.high * people + EPSILON)
