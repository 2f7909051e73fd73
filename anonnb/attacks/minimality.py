"""The minimality attack (Wong, Fu, Wang and Pei 2007): the attacker knows the algorithm and reasons backwards.

An algorithm that looks at the secrets blurs no more than it must; so tables on which it would have blurred differently
cannot be the original. Reading: worlds are drawn by shuffling the secrets within each published class, and kept when
the same method publishes the same release; the kept worlds are the attacker's belief.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonnb.arrays import group_order, group_table
from anonnb.attacks import register
from anonnb.attacks.base import Attack, AttackResult
from anonnb.attacks.candidates import secret_column
from anonnb.errors import Infeasible
from anonnb.release import Release
from anonnb.table import Table


@register
@dataclass(frozen=True)
class MinimalityAttack(Attack):
    """Run the method again on tables that could be the original, and keep those that give the same release.

    Parameters
    ----------
    column:
        The secret (the first sensitive column by default).
    worlds:
        How many tables to try.
    belief:
        The attack succeeds on a person when the share of kept worlds with their true value is at least this, and higher
        than the share in their class by more than chance (three standard errors).

    The attacker knows everybody's quasi-identifier, the release and its method. Small tables only: the method runs once
    per world. ``info`` tells how many worlds were kept; a method that does not look at the secret keeps all.
    """

    column: str | None = None
    worlds: int = 200
    belief: float = 0.8
    seed: int = 0

    def __post_init__(self) -> None:
        if self.worlds < 1:
            raise ValueError(f"worlds must be at least 1, not {self.worlds}")

    def run(self, release: Release, table: Table | None = None) -> AttackResult:
        """One line per person: the share of the true value in the class, and in the worlds that are left."""
        table = release.table if table is None else table
        if release.method is None or release.rows is None:
            raise ValueError("the minimality attack needs a release that tells its method and its rows")
        secret = secret_column(self.column, release)
        rows, groups, truth = release.rows, release.groups, table.codes(secret)[release.rows]
        size = table.attributes[secret].size
        plain = group_table(truth, size, groups, release.n_groups) / release.group_sizes[:, None]
        seen, kept = np.zeros((len(rows), size)), 0
        published = _fingerprint(release)
        rng = np.random.default_rng(self.seed)
        for _ in range(self.worlds):
            world = _shuffled(truth, groups, release.n_groups, rng)
            if self._publishes(table, secret, rows, world, release.method) == published:
                seen[np.arange(len(rows)), world] += 1
                kept += 1
        belief = seen / kept if kept else plain[groups]
        before, after = plain[groups, truth], belief[np.arange(len(rows)), truth]
        noise = 3 * np.sqrt(before * (1 - before) / max(kept, 1))  # what shuffling alone may add
        hit = (after >= self.belief - 1e-12) & (after > before + noise + 1e-12)
        labels = np.array(table.attributes[secret].labels, dtype=object)[truth]
        frame = pd.DataFrame({"row": rows, "class": groups, secret: labels, "before": before, "after": after})
        info = {"worlds kept": kept, "worlds": self.worlds, "largest gain": float((after - before).max(initial=0.0))}
        return AttackResult(self, float(hit.mean()) if len(hit) else 0.0, len(hit), frame.assign(score=hit * 1.0), info)

    def _publishes(self, table: Table, secret: str, rows: np.ndarray, world: np.ndarray, method) -> tuple | None:
        codes = table.codes(secret).copy()
        codes[rows] = world
        try:
            return _fingerprint(method.anonymize(_with_column(table, secret, codes)))
        except Infeasible:
            return None


def _with_column(table: Table, name: str, codes: np.ndarray) -> Table:
    changed = {other: table.codes(other) for other in table.columns} | {name: codes.astype(np.int32)}
    return Table._of(table.attributes, changed, table._roles, table.index)


def _shuffled(values: np.ndarray, groups: np.ndarray, n_groups: int, rng: np.random.Generator) -> np.ndarray:
    """Values permuted within each group."""
    order, _ = group_order(groups, n_groups)
    mixed = np.lexsort([rng.random(len(values)), groups])
    shuffled = np.empty_like(values)
    shuffled[order] = values[mixed]
    return shuffled


def _fingerprint(release: Release) -> tuple:
    """What the quasi-identifiers of a release look like, whatever the secrets."""
    cells = [tuple(release.columns[name].texts()) for name in release.quasi]
    return (tuple(release.rows.tolist()), *cells)
