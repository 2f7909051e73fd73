"""Anatomy (Xiao and Tao 2006): exact quasi-identifiers in one table, secrets per group in another.

Rows are dealt into groups of l different secrets; who in a group has which secret stays open. Readings: one sensitive
column is published and others are left out, as l different pairs do not bound the belief in one of their parts; a row
without a value joins some group and does not count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonnb.core import remedies
from anonnb.core.errors import Infeasible, Message, advice
from anonnb.core.parameters.compound import Optional
from anonnb.core.parameters.constraints import SEED, Name, Whole
from anonnb.core.parameters.declared import parameter
from anonnb.core.wording import pluralize
from anonnb.methods import register
from anonnb.methods.anatomy.belief import BoundedBelief, grouped_secrets
from anonnb.methods.anatomy.groups import dealt_groups, largest_l
from anonnb.methods.base import Method, Progress
from anonnb.methods.promises import Promise
from anonnb.steps.recording import note
from anonnb.steps.states import RowGroups
from anonnb.tables.attribute import shorten
from anonnb.tables.grouped_secrets import GroupedSecrets
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column


@register
@dataclass(frozen=True)
class Anatomy(Method):
    """Groups with l different secrets: who is in which group in one table, the secrets of each group in another.

    Parameters
    ----------
    l:
        Every group has at least ``l`` rows, all with different values.
    column:
        The sensitive column, the first by default. Other sensitive columns are not published.
    seed:
        Chooses which row of a secret joins which group.

    Notes
    -----
    Quasi-identifiers and the decision are published as they are. A missing value is no secret: such rows join the
    groups in turn and do not count. A table in which somebody has several rows is refused.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [20, 30, 40, 50], "ill": ["flu", "flu", "cold", "cough"]})
    >>> release = Anatomy(l=2).anonymize(Table(frame, quasi=["age"], sensitive=["ill"]))
    >>> release.published_secrets().values.tolist()
    [[1, 'cold', 1], [1, 'flu', 1], [2, 'cough', 1], [2, 'flu', 1]]
    >>> release.published()["group"].tolist()
    [1, 1, 2, 2]

    Guarantees
    ----------
    proved:
        No value has a share above 1/l in a group, every person's value is among those of their group, and the counts of
        all groups together are those of the table. Groups exist exactly when no value has more than n/l rows (Xiao and
        Tao 2006); the shares are recounted from the two files before they get their names.
    tested:
        150 random tables of 2 to 44 rows, recounted from the two published files by plain code; the largest l that an
        Infeasible names works, and the next does not.
    heuristic:
        Which rows share a group is left to chance, so what groups say about how secrets depend on quasi-identifiers is
        not the most that the same l allows.
    paper:
        X. Xiao and Y. Tao, Anatomy: simple and effective privacy preservation, VLDB 2006.
    """

    promised: ClassVar[type[Promise]] = BoundedBelief
    changes: ClassVar[frozenset[str]] = frozenset({"sensitive"})
    order_matters: ClassVar[bool] = True
    counts_people: ClassVar[bool] = False
    secrets_apart: ClassVar[bool] = True
    strength: ClassVar[str] = "l"
    rows_in_seconds: ClassVar[int] = 300_000

    l: int = parameter(Whole(at_least=2), default=2)  # noqa: E741
    column: str | None = parameter(Optional(Name()), default=None)
    seed: int = parameter(SEED, default=0)

    def told(self, release: Release) -> list[str]:
        left = [str(name) for name in release.sensitive if name != grouped_secrets(release).column]
        return [f"not published, as only one sensitive column is: {', '.join(left)}"] if left else []

    def _last_step(self, release: Release) -> tuple[str, str]:
        rows, groups = pluralize(len(release), "row"), pluralize(grouped_secrets(release).n_groups, "group")
        return (
            "Two tables",
            f"{self} publishes {rows} with exact values and a group, and separately the secrets of {groups}.",
        )

    def _check_table(self, table: Table) -> None:
        super()._check_table(table)
        check_roles(table, self.column, type(self).__name__)

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        name = secret_of(table, self.column, type(self).__name__)
        values = known_values(table, name)
        check_largest(table, name, values, self.l)
        labels = table.attributes[name].labels
        groups = dealt_groups(values, self.l, np.random.default_rng(self.seed), labels)
        note(
            "Rows are drawn",
            "Chance decides which row of a secret joins which group. Each remaining row joins a group that lacks its "
            "secret.",
            lambda: RowGroups(table, groups),
        )
        secrets = GroupedSecrets.of(name, table.codes(name), groups, table.attributes[name].size)
        return Release(table, hidden_secrets(table, name), np.arange(len(table)), method=self, secrets=secrets)


def secret_of(table: Table, column: str | None, method: str) -> str:
    """Return the sensitive column that is published per group."""
    if not table.sensitive:
        raise ValueError(
            Message(f"{method} needs a sensitive column", advice("; name it: ", remedies.role("sensitive")))
        )
    if column is None:
        return table.sensitive[0]
    if column not in table.sensitive:
        named = ", ".join(map(repr, table.sensitive))
        raise KeyError(f"column={column!r} is not a sensitive column; the table has {named}")
    return column


def check_roles(table: Table, column: str | None, method: str) -> None:
    """Groups of people need something to find people by, and a secret."""
    if not table.quasi:
        name_them = advice("; name its columns: ", remedies.role("quasi"))
        raise ValueError(Message("the table has no quasi-identifier", name_them))
    secret_of(table, column, method)


def known_values(table: Table, name: str) -> np.ndarray:
    """Return a number per row for the text of its secret, −1 for a missing one."""
    attribute = table.attributes[name]
    values = attribute.as_written[table.codes(name)].astype(np.int64)
    if attribute.blank_code is not None:
        values[values == attribute.as_written[attribute.blank_code]] = -1
    return values


def check_largest(table: Table, name: str, values: np.ndarray, l: int, called: str = "l") -> None:  # noqa: E741
    """Raise Infeasible, with the largest l possible (or what it is ``called``), where a secret has too many rows."""
    counts = np.bincount(values[values >= 0], minlength=1)
    value, best = int(counts.argmax()), largest_l(counts)
    if best >= l:
        return
    if not counts.any():
        raise Infeasible(f"column {name!r} has no values, so there are no secrets to group", best=0)
    label = shorten(table.attributes[name].labels[value])
    known = "" if counts.sum() == len(table) else " with a value"
    largest = f"the largest {called} possible is {best}" if best > 1 else f"no {called} above 1 is possible"
    raise Infeasible(
        f"column {name!r}: the value {label!r} has {int(counts[value]):,} of {int(counts.sum()):,} rows{known}, more "
        f"than 1/{l} of them; {largest}",
        best=best,
        remedies=[remedies.parameter(called, best)] if best > 1 else [],
    )


def hidden_secrets(table: Table, name: str) -> dict[str, Column]:
    """Return the sensitive columns other than the published one, as columns that reveal nothing."""
    others = [other for other in table.sensitive if other != name]
    return {other: Column.suppressed(table.attributes[other], len(table)) for other in others}
