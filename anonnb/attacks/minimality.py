"""The minimality attack (Wong, Fu, Wang and Pei 2007): the attacker knows the algorithm and reasons backwards.

An algorithm that looks at the secrets blurs no more than it must; so tables on which it would have blurred differently
cannot be the original. Reading: worlds are drawn by shuffling the secrets within each published class; rows that were
withheld get secrets drawn from the published ones, for nobody knows theirs. A world is kept when the same method
publishes the same release; the kept worlds are the attacker's belief.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from anonnb.attacks import register
from anonnb.attacks.base import Attack, AttackResult
from anonnb.attacks.candidates import in_order, secret_column
from anonnb.core.arrays import group_table
from anonnb.core.card import Card
from anonnb.core.errors import Infeasible
from anonnb.core.parameters.compound import Optional
from anonnb.core.parameters.constraints import POSITIVE, SECONDS, SEED, SHARE, Name
from anonnb.core.parameters.declared import parameter
from anonnb.tables.release import Release
from anonnb.tables.table import Table

FEWEST = 10  # worlds that must be tried before their shares mean anything


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

    time_limit:
        Seconds after which no further world is tried (None: all are).

    The attacker knows everybody's quasi-identifier, the release and its method, which runs once per world. ``info``
    tells how many worlds were tried and kept; a method that does not look at the secret keeps all. The larger a table
    whose secrets matter, the rarer the worlds that fit: when none does, nothing is learned and the attack is refused.

    >>> import anonnb
    >>> from anonnb.methods import Mondrian
    >>> MinimalityAttack(worlds=20).run(Mondrian(k=9).anonymize(anonnb.load("survey"))).info["worlds kept"]
    20
    """

    card: ClassVar[Card] = Card(
        proved="A method that does not look at the secret keeps every world, so the attack learns nothing from it.",
        tested=(
            "By hand, on four people where 2-diversity forbids a cut; on survey and on 1,000 rows of Adult a method "
            "that ignores the secret keeps all worlds."
        ),
        heuristic=(
            "Worlds are a random sample of shuffles within the classes, and a gain counts when it exceeds three "
            "standard errors. On a large table no sampled world may fit; then the attack is refused."
        ),
        paper="R. Wong, A. Fu, K. Wang and J. Pei, Minimality attack in privacy preserving data publishing, 2007.",
    )

    quick: ClassVar[bool] = False  # it runs the method again and again
    by_default: ClassVar[bool] = False
    judged: ClassVar[frozenset[str]] = frozenset({"before", "after", "score"})

    column: str | None = parameter(Optional(Name()), default=None)
    worlds: int = parameter(POSITIVE, default=200)
    belief: float = parameter(SHARE, default=0.8)
    seed: int = parameter(SEED, default=0)
    time_limit: float | None = parameter(Optional(SECONDS), default=None)

    def run(self, release: Release, table: Table | None = None) -> AttackResult:
        """One line per person: the share of the true value in the class, and in the worlds that are left."""
        if release.method is None or release.rows is None:
            raise ValueError("the minimality attack needs a release that tells its method and its rows")
        table = in_order(release.table, table)
        if not len(release):
            raise ValueError("the release has no rows, so the minimality attack has nothing to reason from")
        secret = secret_column(self.column, release)
        rows, groups, truth = release.rows, release.secret_groups, table.codes(secret)[release.rows]
        size, sizes = table.attributes[secret].size, np.bincount(groups)
        plain = group_table(truth, size, groups, len(sizes)) / np.maximum(sizes, 1)[:, None]
        seen, kept, tried = self._worlds(release, table, secret)
        before, after = plain[groups, truth], (seen / kept)[np.arange(len(rows)), truth]
        noise = 3 * np.sqrt(before * (1 - before) / kept)  # what shuffling alone may add
        hit = (after >= self.belief - 1e-12) & (after > before + noise + 1e-12)
        labels = np.array(table.attributes[secret].labels, dtype=object)[truth]
        frame = pd.DataFrame({"row": rows, "class": groups, secret: labels, "before": before, "after": after})
        info = {"worlds kept": kept, "worlds": tried, "largest gain": float((after - before).max(initial=0.0))}
        return AttackResult(self, float(hit.mean()) if len(hit) else 0.0, len(hit), frame.assign(score=hit * 1.0), info)

    def _worlds(self, release: Release, table: Table, secret: str) -> tuple[np.ndarray, int, int]:
        """How often each row has each secret in the worlds that fit, how many fit, and how many were tried."""
        rows, truth = release.rows, table.codes(secret)[release.rows]
        seen, kept, tried = np.zeros((len(rows), table.attributes[secret].size)), 0, 0
        published = _cells(release)
        rng, start = np.random.default_rng(self.seed), time.monotonic()
        while tried < self.worlds and (self.time_limit is None or time.monotonic() - start < self.time_limit):
            world = table.codes(secret).copy()
            world[release.suppressed] = rng.choice(truth, len(release.suppressed))
            world[rows] = _shuffled(truth, release.secret_groups, rng)
            if self._gives(published, table, secret, world, release.method):
                seen[np.arange(len(rows)), world[rows]] += 1
                kept += 1
            tried += 1
        if tried < min(FEWEST, self.worlds):
            raise Infeasible(
                f"{release.method} ran on {tried} shuffled tables in {self.time_limit:g} s, too few to learn from; "
                "give a longer time_limit or a smaller table"
            )
        if not kept:
            again = self._gives(published, table, secret, table.codes(secret), release.method)
            raise Infeasible(
                f"none of {tried} shuffled tables gave this release; more worlds or a smaller table may have some"
                if again
                else f"{release.method} does not give this release again, so there is nothing to reason from"
            )
        return seen, kept, tried

    def _gives(self, published: list, table: Table, secret: str, world: np.ndarray, method) -> bool:
        """Whether the method publishes the same cells when the secrets are those of a world."""
        try:
            found = _cells(method.anonymize(_with_column(table, secret, world)))
        except Infeasible:
            return False
        return all(np.array_equal(one, other) for one, other in zip(published, found, strict=True))


def _with_column(table: Table, name: str, codes: np.ndarray) -> Table:
    changed = {other: table.codes(other) for other in table.columns} | {name: codes.astype(np.int32)}
    return Table._of(table.attributes, changed, table._roles, table.index)


def _shuffled(values: np.ndarray, groups: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Values permuted within each group."""
    order = np.argsort(groups, kind="stable")
    mixed = np.lexsort([rng.random(len(values)), groups])
    shuffled = np.empty_like(values)
    shuffled[order] = values[mixed]
    return shuffled


def _cells(release: Release) -> list[np.ndarray]:
    """The rows of a release and what their quasi-identifiers read, whatever the secrets; those of groups count."""
    shown = release.quasi if release.secrets is None else [*release.quasi, release.secrets.column]
    return [release.rows, *(release.columns[name].texts() for name in shown)]
