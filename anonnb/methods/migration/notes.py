"""The steps of a migration: which rows take on whose values, and what that costs the budgets of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonnb.core.wording import counted
from anonnb.methods.migration.ledger import Ledger
from anonnb.methods.migration.watch import KEEP
from anonnb.rules.association.mining import readable
from anonnb.steps.recording import note
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column


def shown_release(table: Table, first: np.ndarray, now: np.ndarray) -> Release:
    """What is published when every row shows the quasi-identifier of its group now; ``first``: a row of each group."""
    shown = first[now]
    columns = {name: Column.original(table.attributes[name], table.codes(name)[shown]) for name in table.quasi}
    return Release(table, columns, np.arange(len(table)))


def tell_begin(table: Table, groups: Any) -> None:
    """Note which groups are unsafe, and the rules with their budgets."""
    unsafe, rows = len(groups.unsafe), sum(map(groups.size, groups.unsafe))
    sentence = (
        f"Of {counted(groups.count, 'group')}, {unsafe} with {counted(rows, 'row')} are unsafe; a significant rule "
        "survives while no more rows are harmed than its budget"
    )
    note("Unsafe groups and budgets", f"{sentence}.", Release.of(table), _accounts(groups.ledger, groups.ledger.spent))


def tell_move(table: Table, groups: Any, rows: Sequence[int], ends: tuple[int, int], before: np.ndarray) -> None:
    """Note that rows moved from one group to another, after the move; ``before`` is what was spent before it."""
    source, target = (_values(table, groups, group) for group in ends)
    accounts = _accounts(groups.ledger, before)
    charged = accounts.index[accounts["now"] != accounts["before"]]
    back = all(groups.home[row] == ends[1] for row in rows)
    title = f"{counted(len(rows), 'row')}: {source} → {target}"
    verb = "are" if len(charged) > 1 else "is"
    cost = f"{len(charged)} of {counted(len(accounts), 'rule')} {verb}" if len(charged) else "no rule is"
    why = "they return to their own values" if back else f"the group has {counted(groups.size(ends[1]), 'row')} then"
    sentence = f"Instead of {source}, {counted(len(rows), 'row')} will show {target}: {why}, and {cost} charged"
    state = shown_release(table, groups.first, groups.current())
    note(title, f"{sentence}.", state, accounts, list(charged))


def _accounts(ledger: Ledger, before: np.ndarray) -> pd.DataFrame:
    """The rules to keep, with budgets and what is spent, the tightest first."""
    kept = ledger.watch.constraints.kind == KEEP
    frame = readable(ledger.watch.rules.frame())
    sides = zip(frame["antecedents"], frame["consequents"], strict=True)
    names = pd.Index([f"{left} → {right}" for left, right in sides], name="rule")
    accounts = pd.DataFrame(
        {"budget": ledger.budget[kept], "before": before[kept], "now": ledger.spent[kept]}, index=names
    )
    return accounts.iloc[np.argsort(accounts["budget"] - accounts["now"], kind="stable")]


def _values(table: Table, groups: Any, group: int) -> str:
    """The quasi-identifier of a group in words."""
    row = groups.first[group]
    return ", ".join(table.attributes[name].labels[table.codes(name)[row]] for name in table.quasi)
