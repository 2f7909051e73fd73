"""The steward's audit before publication: what singles people out in a table or a release, and who is at most risk.

The scores are those of Elliot, Manning and Ford (2002), see ``sample_uniques``; ``population_uniqueness`` estimates who
is unique in the population. People are counted where the table names a person column, rows otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.errors import Message, advice
from anonnb.core.parameters.constraints import POSITIVE, SHARE, Whole
from anonnb.core.progress import no_progress, watched_by
from anonnb.files.personal_texts import IdentifierNames, personal_texts
from anonnb.privacy import measures
from anonnb.privacy.audit_result import Audit
from anonnb.privacy.classes import Classes
from anonnb.privacy.population_risk import unit_weights
from anonnb.privacy.population_uniqueness import from_fraction, from_weights
from anonnb.privacy.risks import risk
from anonnb.privacy.sample_uniques import SHARED, SampleUniques, distinct_count
from anonnb.tables.release import Release
from anonnb.tables.roles import identity_values
from anonnb.tables.table import Table


def audit(
    data: Table | Release,
    *,
    weights: str | None = None,
    fraction: float | None = None,
    population: Table | None = None,
    largest: int = 3,
    worst: int = 10,
    threshold: float = 0.2,
    progress: Callable[..., Any] | None = None,
) -> Audit:
    """Find what makes people unique in a table or a release, how exposed secrets are, and which rows are most at risk.

    Worked example: of five rows, row 2 is unique by its zip and row 3 by its age; the others are unique by both
    together.

    Parameters
    ----------
    weights:
        The column with survey weights, if the table does not name it. Who is unique in the population is then
        estimated after Benedetti and Franconi.
    fraction:
        Without weights, the share of the population that the table holds: the same estimate by Dankar's rule.
    population:
        A table of the population, for the journalist's and the marketer's risk.
    largest:
        The most columns in a combination.
    worst:
        How many of the rows at most risk are listed.
    threshold:
        The risk above which a row counts as at risk.

    Examples
    --------
    >>> frame = pd.DataFrame({"zip": [1, 2, 3, 1, 2], "age": [20, 30, 30, 40, 20], "ill": list("abaab")})
    >>> found = audit(Table(frame, quasi=["zip", "age"], sensitive=["ill"]))
    >>> found.combinations[["columns", "people"]].values.tolist()
    [[('zip', 'age'), 3], [('zip',), 1], [('age',), 1]]
    >>> found.worst[["row", "values"]].head(3).values.tolist()
    [[2, 'zip = 3'], [3, 'age = 40'], [0, 'zip = 1, age = 20']]
    """
    classes = Classes.of(data)
    if weights is not None:
        release = classes.release
        classes = Classes(release.replace(table=release.table.with_roles(weight=weights)))
    largest = POSITIVE.validate("largest", largest)
    worst = Whole(at_least=0).validate("worst", worst)
    _check(classes.release)
    if weights is not None and fraction is not None:
        raise ValueError("give weights or fraction, not both: the weights already tell the size of the population")
    counted = AuditedPeople(classes)
    estimate = None
    if fraction is None and classes.release.table.weight is not None:
        owner, weight = unit_weights(classes.release)
        estimate = from_weights(counted.sizes, np.bincount(owner, weights=weight, minlength=classes.n_groups))
    elif fraction is not None:
        estimate = from_fraction(counted.sizes, SHARE.validate("fraction", fraction))
    with watched_by(progress or no_progress):
        uniques = SampleUniques.of(*counted.codes, counted.owners, largest)
    return Audit(
        quasi=tuple(classes.release.quasi),
        rows=len(classes),
        people=counted.n_people,
        unit=counted.unit,
        largest=largest,
        alone=distinct_count(counted.owners[counted.owners != SHARED]),
        singled_out=distinct_count(counted.owners[uniques.smallest >= 0]),
        class_sizes=_class_sizes(counted.sizes),
        smallest_classes=_smallest_classes(counted),
        columns=_columns(counted, uniques),
        combinations=_combinations(counted, uniques),
        scores=_scores(counted, uniques),
        secrets=_secrets(counted),
        texts=_texts(classes.release.table),
        worst=_worst(counted, uniques, worst),
        risk=risk(classes, population, threshold=threshold),
        population=estimate,
    )


def _texts(table: Table) -> pd.DataFrame:
    """Count the rows of each column whose texts hold identifiers, e-mail addresses, telephone or identity numbers."""
    names = IdentifierNames(
        value for values in identity_values(table.frame[table.identifiers]).values() for value in values
    )
    lines = [
        (str(name), kind, int(table.counts(name)[: len(flags)][flags].sum()))
        for name in table.columns
        if name not in table.identifiers
        for kind, flags in personal_texts(
            table.attributes[name].labels[: len(table.attributes[name].domain)], names
        ).items()
    ]
    return pd.DataFrame(lines, columns=["column", "holds", "rows"])


def _check(release: Release) -> None:
    if not release.quasi:
        name_them = advice("; name them: ", remedies.role("quasi"))
        raise ValueError(Message("the table has no quasi-identifier, so nothing tells people apart", name_them))
    if len(release) == 0:
        raise ValueError("the table has no rows, so there is nobody to audit")


class AuditedPeople:
    """Classes of a release with the people in them; a class stands for all its rows, which read alike."""

    def __init__(self, classes: Classes):
        self.classes, self.release = classes, classes.release
        table = self.release.table
        named = table.counted_by is not None and self.release.rows is not None
        self.people = table.people[self.release.rows] if named else np.arange(len(self.release))
        self.unit = table.counted if named else "rows"
        self.n_people = distinct_count(self.people)

    @cached_property
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the class of every (class, person) that occurs, and for every row the number of its pair."""
        key = self.classes.groups * np.int64(int(self.people.max()) + 1) + self.people
        position, distinct = pd.factorize(key)
        owner = np.zeros(len(distinct), dtype=np.int64)
        owner[position] = self.classes.groups
        return owner, position

    @cached_property
    def sizes(self) -> np.ndarray:
        """People in each class."""
        return self.classes.people

    @cached_property
    def owners(self) -> np.ndarray:
        """The person each class belongs to; ``SHARED`` where it holds several people."""
        return np.where(self.sizes == 1, self.people[self.classes.first], SHARED)

    @cached_property
    def codes(self) -> tuple[list[np.ndarray], list[int]]:
        """The cells of each quasi-identifier per class, as numbers, and how many there can be."""
        columns = [self.release.columns[name] for name in self.release.quasi]
        return [column.index[self.classes.first] for column in columns], [len(column.sets) for column in columns]


def _class_sizes(sizes: np.ndarray) -> pd.DataFrame:
    size, classes = np.unique(sizes, return_counts=True)
    return pd.DataFrame({"size": size, "classes": classes, "people": size * classes})


def _smallest_classes(counted: AuditedPeople) -> pd.DataFrame:
    """Count everybody once, by the smallest class they are in: a person may have rows in several classes."""
    sizes = counted.sizes[counted.classes.groups]
    size, people = np.unique(pd.Series(sizes).groupby(counted.people).min(), return_counts=True)
    return pd.DataFrame({"size": size, "people": people})


def _columns(counted: AuditedPeople, uniques: SampleUniques) -> pd.DataFrame:
    names, owners = counted.release.quasi, counted.owners
    total = uniques.score.sum()
    return pd.DataFrame(
        {
            "column": names,
            "values": [distinct_count(codes) for codes in counted.codes[0]],
            "alone": uniques.people[: len(names)],
            "helps": [distinct_count(owners[flags]) for flags in uniques.with_column],
            "score": uniques.contribution,
            "share": uniques.contribution / total if total else np.zeros(len(names)),
        }
    ).sort_values("score", ascending=False, kind="stable", ignore_index=True)


def _combinations(counted: AuditedPeople, uniques: SampleUniques) -> pd.DataFrame:
    names = counted.release.quasi
    frame = pd.DataFrame(
        {
            "columns": [tuple(names[index] for index in combination) for combination in uniques.combinations],
            "size": [len(combination) for combination in uniques.combinations],
            "people": uniques.people,
            "share": uniques.people / counted.n_people,
        }
    )
    return frame[frame["people"] > 0].sort_values("people", ascending=False, kind="stable", ignore_index=True)


def _scores(counted: AuditedPeople, uniques: SampleUniques) -> pd.DataFrame:
    groups = counted.classes.groups
    taken = np.array([*map(len, uniques.combinations), 0])[uniques.smallest]
    release = counted.release
    return pd.DataFrame(
        {
            "class_size": counted.sizes[groups],
            "score": uniques.score[groups],
            "combinations": uniques.count[groups],
            "smallest": taken[groups],
        },
        index=_labels(release, np.arange(len(release))),
    )


def _labels(release: Release, rows: np.ndarray) -> pd.Index:
    """Return the labels of published rows: those of the original rows, if they are known."""
    return pd.Index(rows) if release.rows is None else release.table.index[release.rows[rows]]


def _secrets(counted: AuditedPeople) -> pd.DataFrame:
    classes, lines = counted.classes, []
    for name in classes.release.sensitive:
        counts, whole = classes.counts(name)
        one = counts.distinct == 1
        several = one & (counted.sizes > 1)
        exposed = distinct_count(counted.people[one[classes.groups]])
        lines.append(
            (name, whole.size, int(several.sum()), exposed, measures.l(classes, name), measures.t(classes, column=name))
        )
    return pd.DataFrame(lines, columns=["column", "values", "homogeneous", "exposed", "l", "t"])


def _worst(counted: AuditedPeople, uniques: SampleUniques, limit: int) -> pd.DataFrame:
    """Return the rows with the highest scores, fewest columns first among equals; the first of each person."""
    scored = np.flatnonzero(uniques.smallest >= 0)
    taken = np.array([len(combination) for combination in uniques.combinations])[uniques.smallest[scored]]
    order = scored[np.lexsort((counted.classes.first[scored], taken, -uniques.score[scored]))]
    order = order[~pd.Series(counted.owners[order]).duplicated().to_numpy()][:limit]
    release, first = counted.release, counted.classes.first[order]
    by, values = [], []
    for number, row in zip(order, first, strict=True):
        names = [release.quasi[index] for index in uniques.combinations[uniques.smallest[number]]]
        cells = [release.columns[name] for name in names]
        labels = [column.sets.labels[column.index[row]] for column in cells]
        by.append(tuple(names))
        values.append(", ".join(f"{name} = {label}" for name, label in zip(names, labels, strict=True)))
    return pd.DataFrame(
        {
            "row": list(_labels(release, first)),
            "score": uniques.score[order],
            "combinations": uniques.count[order],
            "by": by,
            "values": values,
        }
    )
