"""LinkedHouseholds: publish who lives with whom where k households look the same, and leave the others unlinked.

A household's signature is the multiset of what its members' rows show; a column that all members share is part of it.
Whoever knows a family matches signatures, so k people per class are not enough. Labels must be the same in the whole
table (global recoding), or the recoding itself would tell households apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.arrays import first_places, group_ids, multiset_ids
from anonnb.core.errors import Infeasible, Message, advice
from anonnb.core.parameters.constraints import Number
from anonnb.core.parameters.declared import parameter
from anonnb.core.progress import ticks
from anonnb.core.wording import percent
from anonnb.methods import register
from anonnb.methods.base import GroupMethod, Progress
from anonnb.methods.lattice.searching import SUPPRESSED, check_lattice_size, suppression_limit
from anonnb.methods.promises import GroupAnonymity, Promise
from anonnb.privacy.models import GroupCheck
from anonnb.steps.recording import listening, note
from anonnb.steps.states import RowGroups
from anonnb.tables.encoding import encode
from anonnb.tables.hierarchies.node_order import node_order
from anonnb.tables.release import Release
from anonnb.tables.shown_columns import content_rank
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column


@dataclass(frozen=True)
class LinkedAnonymity(GroupAnonymity):
    """k-anonymity of households whose members are published together."""

    name: ClassVar[str] = "k-anonymity of linked households"

    def guaranteed(self, table: Table) -> str:
        if table.household is None:
            return super().guaranteed(table)
        others = "one other household" if self.k == 2 else f"{self.k - 1} other households"
        return (
            f"Every household with a number reads, member for member, like at least {others} with a number. Every row "
            f"without a number has the same quasi-identifier as rows of at least {others} without one."
        )


@register
@dataclass(frozen=True)
class LinkedHouseholds(GroupMethod):
    """Publish the first node of the lattice at which enough households look like k − 1 others, member for member.

    The nodes come in the order of :class:`LocalRecoding`, which no data changes. Households that too few others look
    like are *unlinked*: their people are published without a household number, if their class has k households among
    the unlinked, and suppressed otherwise. In a table that names no household, everybody is one.

    Parameters
    ----------
    max_unlinked:
        The largest share of households that may be unlinked.
    max_suppressed:
        How many rows may be suppressed: a number of rows, or a share of them below 1.

    Notes
    -----
    Household numbers follow from what is published, ties broken at random. ``release.info``: node (levels by column),
    unlinked (households), suppressed (rows), lattice (the number of nodes).

    Examples
    --------
    >>> import anonnb
    >>> release = LinkedHouseholds(k=5).anonymize(anonnb.load("silc"))
    >>> release.info["node"]
    {'region': 1, 'size': 0, 'age': 4, 'sex': 0, 'citizenship': 1}

    Guarantees
    ----------
    proved:
        Whoever knows the quasi-identifiers of any members of a household finds at least k households that fit, because
        all k with its signature read alike. Every class (people who read alike, in households that read alike) has k
        households and meets every required model; this is checked again before the release is handed out.
    tested:
        100 random tables of up to 14 households of up to four: signatures, unlinked people and suppression
        recounted from the published text.
    heuristic:
        The first node in a fixed order need not lose least. Members of k equal households may share a secret unless
        l-diversity is required.
    paper:
        No paper: L. Franconi and S. Polettini, Individual risk estimation in µ-Argus: a review, Privacy in Statistical
        Databases, 2004, describe the risk of households; the lattice is that of P. Samarati, Protecting respondents'
        identities in microdata release, IEEE Transactions on Knowledge and Data Engineering 13(6), 2001.
    """

    promised: ClassVar[type[Promise]] = LinkedAnonymity
    uses_hierarchies: ClassVar[bool] = True
    uses_weights: ClassVar[bool] = True
    keeps_limits: ClassVar[str] = "levels"
    rows_in_seconds: ClassVar[int] = 30_000

    max_unlinked: float = parameter(Number(at_least=0, below=1), default=0.1)
    max_suppressed: int | float = parameter(SUPPRESSED, default=0.05)

    def _check_table(self, table: Table) -> None:
        super()._check_table(table)
        if table.household is not None and table.unit != "household":
            problem = "household numbers show who lives together, so k people of a class may be one family"
            raise ValueError(Message(problem, advice("; count households: ", remedies.option("unit", "household"))))

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        check_lattice_size(table, self)
        nodes, check, homes = node_order(table).tolist(), self.group_check(table), table.households
        levels, codes = [table.attributes[name].usable for name in table.quasi], [*map(table.codes, table.quasi)]
        total = best = int(homes.max()) + 1
        fewest = len(table) - suppression_limit(self.max_suppressed, len(table))
        for node in ticks(nodes, "nodes"):
            labels = [bound.maps[level][own] for bound, level, own in zip(levels, node, codes, strict=True)]
            classes = group_ids(labels)[0]
            signatures = multiset_ids(classes, homes, total)[homes]
            linked = _linked(classes, signatures, homes, check, self.k)
            unlinked = len(np.unique(homes[~linked]))
            best = min(best, unlinked)
            if listening():
                named = ", ".join(f"{name} {level}" for name, level in zip(table.quasi, node, strict=True))
                sentence = (
                    f"Levels: {named}. {unlinked:,} of {total:,} households look like fewer than {self.k - 1} others."
                )
                note(
                    f"{percent(unlinked / total, 0)} unlinked",
                    sentence,
                    RowGroups(table, np.where(linked, classes, -1)),
                )
            if unlinked <= self.max_unlinked * total + 1e-9:
                rows = _published(classes, np.where(linked, signatures + 1, 0), check)
                if len(rows) >= fewest:
                    return self._release(table, node, rows, linked[rows], unlinked, len(nodes))
        limited = [name for name in table.quasi if name in table.limits]
        higher = f"the limits of {', '.join(limited)}" if limited else "add a top level to the hierarchies"
        raise Infeasible(
            f"{self}: no node keeps to max_unlinked and max_suppressed (at least {best:,} of {total:,} households "
            f"stay unlinked); raise them, or {higher}",
            best=best,
        )

    def _release(
        self, table: Table, node: Sequence[int], rows: np.ndarray, linked: np.ndarray, unlinked: int, size: int
    ) -> Release:
        named = dict(zip(table.quasi, node, strict=True))
        columns = {
            name: Column.generalized(table.attributes[name], table.codes(name)[rows], level)
            for name, level in named.items()
        }
        info = {"node": named, "unlinked": unlinked, "suppressed": len(table) - len(rows), "lattice": size}
        release = Release(table, columns, rows, method=self, info=info)
        if table.household is None:
            return release
        return release.with_columns({table.household: _numbers(release, linked)})

    def told(self, release: Release) -> list[str]:
        attributes, info = release.table.attributes, release.info
        levels = [f"{name} {level} of {attributes[name].levels.height}" for name, level in info["node"].items()]
        unlinked = f"households without a number: {info['unlinked']:,} of {int(release.table.households.max()) + 1:,}"
        return [f"levels (0 is the value itself): {', '.join(levels)}", unlinked]


def _linked(classes: np.ndarray, signatures: np.ndarray, homes: np.ndarray, check: GroupCheck, k: int) -> np.ndarray:
    """Flag the rows of households that k share a signature with, if all classes of that signature pass the check."""
    sharing = np.bincount(signatures[first_places(homes, int(homes.max()) + 1)])
    linked = (sharing >= k)[signatures]
    rows = np.flatnonzero(linked)
    if len(rows):
        groups, count = group_ids([classes[rows], signatures[rows]])
        bad = ~check(groups, count, rows)[groups]
        linked &= ~np.isin(signatures, signatures[rows[bad]])
    return linked


def _published(classes: np.ndarray, signatures: np.ndarray, check: GroupCheck) -> np.ndarray:
    """Return the rows whose class passes within its signature, all or none of a signature but 0, the unlinked."""
    groups, count = group_ids([classes, signatures])
    bad = ~check.kept(groups, count)[groups]
    return np.flatnonzero(~(bad | np.isin(signatures, signatures[bad & (signatures > 0)])))


def _numbers(release: Release, linked: np.ndarray) -> Column:
    """Number the linked households by what they publish, ties at random; the others' number is missing."""
    table, rows = release.table, np.flatnonzero(linked)
    roles = [*release.quasi, *release.sensitive, *([] if release.decision is None else [release.decision])]
    keys = np.array([content_rank(release.columns[name]) for name in roles])[:, rows]
    homes, total = group_ids([table.households[np.asarray(release.rows)[rows]]])
    content = multiset_ids(np.unique(keys, axis=1, return_inverse=True)[1], homes, total)
    rank = np.empty(total, dtype=np.int64)
    rank[np.lexsort((np.random.default_rng().random(total), content))] = np.arange(1, total + 1)
    numbers = pd.Series(pd.NA, index=range(len(linked)), dtype="Int64", name=table.household)
    numbers.iloc[rows] = rank[homes]
    return Column.original(*encode(numbers, "numeric"))
