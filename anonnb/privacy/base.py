"""What every privacy model is: a requirement that decides, for all groups at once, which of them satisfy it.

A checker is prepared once for a table (distributions, code arrays) and then called for any grouping of any of its rows,
so that a method can ask thousands of times.

Where the table names a person column, people are counted instead of rows: the size of a group is the number of
different people in it, and a person counts once for each value that their rows show there. So a share q is the share
of a group's people who have a value, and shares may add up to more than 1. A person's second value must not make a
group look more diverse than its people are: where all of them share a value, l is 1; see :class:`Counts`.

Where the table names survey weights, a share must satisfy a model both among the sampled people and by their weights:
the worse of the two decides. The size of a group counts people, never weights.

A missing sensitive value counts as a value like any other, because an empty cell often means "no". With
``missing="ignore"`` it protects nobody and exposes nobody: shares are among the people whose value is known, and a
group without a known value satisfies every requirement on values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonnb.core import remedies
from anonnb.core.arrays import distinct_per_group
from anonnb.core.errors import Advice, Message, advice
from anonnb.core.parameters.constraints import Choice
from anonnb.core.parameters.declared import Parameters
from anonnb.privacy.counts import Counts, Reference
from anonnb.tables.release import Release
from anonnb.tables.roles import check_known
from anonnb.tables.table import Table

Checker = Callable[[np.ndarray, int, np.ndarray], np.ndarray]
Judge = Callable[[Counts], np.ndarray]

EPSILON = 1e-9  # tolerance for rounding, so that a group exactly at a limit satisfies it
MISSING_SECRET = Choice(["ignore", "value"])


@dataclass(frozen=True)
class Model(Parameters):
    """Base of all privacy models: a frozen dataclass of parameters that makes a checker for a table.

    >>> from anonnb.privacy import KAnonymity
    >>> isinstance(KAnonymity(2), Model)
    True
    """

    def check_table(self, table: Table) -> None:
        """Raise a clear error if this model cannot judge a table, for example without a sensitive column.

        >>> import pandas as pd
        >>> from anonnb.privacy import KAnonymity, LDiversity
        >>> KAnonymity(2).check_table(Table(pd.DataFrame({"zip": [1, 1]}), quasi=["zip"]))  # nothing to complain about
        >>> LDiversity(2).check_table(Table(pd.DataFrame({"zip": [1, 1]}), quasi=["zip"]))
        Traceback (most recent call last):
        ValueError: the table has no sensitive column...
        """

    def checker(self, table: Table) -> Checker:
        """Prepare the test of many groups at once.

        Returns
        -------
        callable
            ``check(groups, n_groups, rows)`` gives a flag per group; ``groups`` holds the group of each of ``rows``,
            positions in the table.

        Examples
        --------
        >>> from anonnb.privacy import KAnonymity
        >>> check = KAnonymity(2).checker(None)
        >>> check(np.array([0, 0, 1]), 2, np.arange(3)).tolist()
        [True, False]
        """
        raise NotImplementedError

    def holds(self, release: Release) -> np.ndarray:
        """Tell which classes of a release satisfy the model, judged by what is published.

        >>> import pandas as pd
        >>> from anonnb import Release
        >>> from anonnb.privacy import KAnonymity
        >>> KAnonymity(2).holds(Release.of(Table(pd.DataFrame({"zip": [1, 1, 2]}), quasi=["zip"]))).tolist()
        [True, False]
        """
        return self.checker(release.table)(release.groups, release.n_groups, _original_rows(release))


def _original_rows(release: Release) -> np.ndarray:
    assert release.rows is not None, "a model judges releases that are linked to their original rows"
    return release.rows


def people_per_group(table: Table | None, groups: np.ndarray, n_groups: int, rows: np.ndarray) -> np.ndarray:
    """Count the people in each group of rows; rows are different people unless the table names a person column."""
    if table is None or not table.people_repeat:
        return np.bincount(groups, minlength=n_groups)
    return distinct_per_group(table.people[rows], groups, n_groups)


@dataclass(frozen=True)
class SensitiveModel(Model):
    """Base of the models of sensitive values; every sensitive column is judged by itself.

    ``relative`` models compare a group with the whole table. A reader of a release can only compare with what is
    published, so a release must satisfy them for both: all rows of the table, and the published ones.
    """

    relative: ClassVar[bool] = False
    missing = "value"  # no field: subclasses that let it be chosen declare a parameter, after their own

    @property
    def column(self) -> str | Sequence[str] | None:
        """The columns to judge, a parameter of subclasses; None: all sensitive ones."""
        return None

    def check_table(self, table: Table) -> None:
        for name in sensitive_columns(table.sensitive, table.columns, self.column):
            if name in table.quasi:
                raise ValueError(
                    f"{self}: {name!r} is a quasi-identifier, which all rows of a class show alike, so no class can "
                    "hold different values of it; name a sensitive column"
                )
            self._check_column(table, name)

    def checker(self, table: Table) -> Checker:
        people = table.people if table.people_repeat else None
        weights, judged = None if table.weight is None else table.row_weights, []
        for name, reference, judge in self.judges(table):
            places, heavy = reference.place[table.codes(name)], judge
            if weights is not None:
                heavy = self._judge(table, name, reference.weighted(places, weights, people))
            judged.append((places, reference, judge, heavy))

        def check(groups: np.ndarray, n_groups: int, rows: np.ndarray) -> np.ndarray:
            good = np.ones(n_groups, dtype=bool)
            whose = None if people is None else people[rows]
            for places, reference, judge, heavy in judged:
                counts = Counts.among(reference, places[rows], groups, n_groups, whose)
                good &= judge(counts)
                if weights is not None:
                    good &= heavy(counts.weighted(places[rows], reference.size, groups, weights[rows], whose))
            return good

        return check

    def holds(self, release: Release) -> np.ndarray:
        # relative models compare with the table and with what is published of it
        if release.secrets is not None:
            return self._holds_of_grouped(release)
        good = super().holds(release)
        rows = _original_rows(release)
        if self.relative and len(rows) != len(release.table):
            check = self.checker(self._secrets(release.table).take(rows))
            good &= check(release.groups, release.n_groups, np.arange(len(release)))
        return good

    def _holds_of_grouped(self, release: Release) -> np.ndarray:
        """Judge secrets published per group of people; other sensitive columns are not published at all."""
        good, secrets = np.ones(release.n_groups, dtype=bool), release.secrets
        for name, reference, judge in self.judges(release.table):
            if secrets is not None and name == secrets.column:
                good &= judge(Counts.of_grouped(reference, secrets, release.groups, release.n_groups))
        return good

    def _secrets(self, table: Table) -> Table:
        """Return the columns of a table that the model judges."""
        return table.select(sensitive_columns(table.sensitive, table.columns, self.column))

    def judges(self, table: Table) -> list[tuple[str, Reference, Judge]]:
        """Return name, distribution in the whole table and judge (counts to a flag per group) of each column judged.

        >>> import pandas as pd
        >>> from anonnb.privacy import LDiversity
        >>> table = Table(pd.DataFrame({"ill": ["flu", "flu", "cold", "cold"]}), sensitive="ill")
        >>> [(name, whole.share.tolist()) for name, whole, _ in LDiversity(2).judges(table)]
        [('ill', [0.5, 0.5])]
        """
        self.check_table(table)
        names = sensitive_columns(table.sensitive, table.columns, self.column)
        references = [self._reference(table, name) for name in names]
        return [(name, whole, self._judge(table, name, whole)) for name, whole in zip(names, references, strict=True)]

    def _check_column(self, table: Table, name: str) -> None:
        """Raise if a column lacks something that a subclass needs beyond values."""

    def _reference(self, table: Table, name: str) -> Reference:
        return Reference.of_table(table, name, self.missing)

    def _judge(self, table: Table, name: str, reference: Reference) -> Judge:
        raise NotImplementedError


def attach_hierarchy(column: str) -> Advice:
    """Say what to do about a column whose hierarchy is missing."""
    return advice("; attach one: ", remedies.hierarchy(column, "table.recoded(hierarchies={…})"))


def sensitive_columns(
    sensitive: Sequence[str], columns: Sequence[str], wanted: str | Sequence[str] | None
) -> list[str]:
    """Return the wanted columns, or all sensitive ones; raise a clear error if there is none."""
    if wanted is None:
        if not sensitive:
            column = remedies.parameter("column", words="column='…'", role="sensitive")
            name_one = advice("; name one: ", remedies.role("sensitive"), column)
            raise ValueError(Message("the table has no sensitive column", name_one))
        return list(sensitive)
    names = [wanted] if isinstance(wanted, str) else list(wanted)
    check_known(names, columns, "column")
    return names


# ---- minimality ------------------------------------------------------------------------------------------------------
# Minimality: why a method could not publish anything finer, for anyone who reasons backwards from a release.
#
# A method declares it (``Method.minimality``) and attacks read it, so no attack needs to know a method by name.


@dataclass(frozen=True)
class Minimality:
    """Why a release is not finer: everything one step below it leaves too many rows in classes of fewer than k.

    ``step`` says what a step is: ``"column"`` (a whole column goes down one level of its hierarchy) or ``"node"`` (one
    node of a column's hierarchy is replaced by its children). A step fails when it would put more than ``spare``
    further rows, those that could still have been suppressed, into classes below ``k``.

    >>> Minimality("node", k=2)
    Minimality(step='node', k=2, spare=0)
    """

    step: str
    k: int
    spare: int = 0
