"""Membership by shadow releases (Stadler, Oprisanu and Troncoso 2022; Carlini et al. 2022, who call it LiRA).

The method runs on samples of everybody the attacker knows, so each person is in some samples and not in others. What
the releases show about the person, with them and without, is taken for normal with equal covariances, and the real
release decides by the ratio of both likelihoods. Reading: all people share the same runs; the attacker knows the whole
rows of the people attacked and of the reference, but not who was published. A release shows whether a row fits the
person, how much of it falls on them, and how common each of their values is in it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonnb.attacks.membership.densities import log_nearness
from anonnb.privacy.shadows import shadow_releases
from anonnb.tables.release import Release
from anonnb.tables.table import Table

SHARED = 0.5  # weight of the covariance of all people in that of one person, whom few runs are about
RIDGE = 0.05  # of the variances


def shadow_odds(
    method: Any,
    release: Release,
    groups: Sequence[Table],
    known: Sequence[str],
    *,
    shadows: int,
    seed: int = 0,
    time_limit: float | None = None,
) -> tuple[list[np.ndarray], dict[str, Any]]:
    """Return for each row of each group the log of how much likelier the release is with it, and facts about the runs.

    Parameters
    ----------
    method, release:
        The method that runs again, and what it published.
    groups:
        Tables of everybody the attacker knows: people attacked, outsiders and a reference. Samples are drawn from all.
    """
    pool, start = stacked(groups), time.perf_counter()
    random, size = np.random.default_rng(seed), min(release.table.n_people, pool.n_people // 2)
    inside, seen = [], []
    drawn: dict[int, np.ndarray] = {}

    def draw(run: int) -> Table:
        chosen = np.zeros(pool.n_people, dtype=bool)
        chosen[random.permutation(pool.n_people)[:size]] = True
        drawn[run] = chosen[pool.people]
        return pool.take(np.flatnonzero(drawn[run]))

    for run, shadow in shadow_releases(method, draw, shadows, seed=seed, time_limit=time_limit):
        inside.append(drawn[run])
        seen.append(_features(shadow, pool, known))
    if len(seen) < 4:
        raise ValueError(f"only {len(seen)} of {shadows} shadow runs gave a release; raise shadows or time_limit")
    odds = _log_likelihood_ratios(np.array(seen), np.array(inside), _features(release, pool, known))
    seconds = time.perf_counter() - start
    info = {"shadows": len(seen), "people per shadow": size, "seconds": round(seconds, 1)}
    if len(seen) < shadows:
        info["seconds for all shadows, about"] = round(seconds / len(seen) * shadows)
    return np.split(odds, np.cumsum([len(each) for each in groups])[:-1]), info


def _features(release: Release, people: Table, known: Sequence[str]) -> np.ndarray:
    """Return what a release shows about everybody (people × features)."""
    near = log_nearness(release, people, known) if len(release) else np.full(len(people), -np.inf)
    fits, lowest = np.isfinite(near), -np.log(max(len(release), 1)) - 1.0
    parts = [fits * 1.0]
    for name in known:
        column = release.columns[name]
        shares = np.append(column.expected_counts() / max(len(release), 1), 0.0)
        parts.append(shares[people.attributes[name].recode_to(column.attribute)][people.codes(name)])
        lowest -= np.log(max(column.attribute.size, 1))
    return np.column_stack([np.where(fits, near, lowest), *parts])


def _log_likelihood_ratios(seen: np.ndarray, inside: np.ndarray, real: np.ndarray) -> np.ndarray:
    """Return the ratio for each person, from runs × people × features, runs × people and people × features."""
    flags = inside[:, :, None].astype(np.float64)
    with_them, without = flags.sum(axis=0), (1 - flags).sum(axis=0)
    means = [(weight * seen).sum(axis=0) / np.maximum(weight.sum(axis=0), 1) for weight in (flags, 1 - flags)]
    spread = seen - np.where(flags > 0, means[0], means[1])
    scale = np.sqrt((spread**2).mean(axis=(0, 1))) + 1e-9
    spread = spread / scale
    own = np.einsum("rpf,rpg->pfg", spread, spread) / max(len(seen) - 2, 1)
    covariance = (1 - SHARED) * own + SHARED * own.mean(axis=0) + RIDGE * np.eye(len(scale))
    gap, middle = (means[0] - means[1]) / scale, (means[0] + means[1]) / 2
    weights = np.linalg.solve(covariance, gap[:, :, None])[:, :, 0]
    odds = ((real - middle) / scale * weights).sum(axis=1)
    return np.where(np.minimum(with_them, without)[:, 0] >= 2, odds, 0.0)


def stacked(groups: Sequence[Table]) -> Table:
    """Return the rows of several tables as one; they must be rows of one table.

    >>> import anonnb
    >>> table = anonnb.load("survey")
    >>> len(stacked([table.take(np.arange(3)), table.take(np.arange(5, 9))]))
    7
    """
    first = groups[0]
    for table in groups[1:]:
        for name in first.columns:
            if table.attributes.get(name) is not first.attributes[name]:
                raise ValueError(
                    f"column {name!r} of the people, the control or the reference has another domain; shadow releases "
                    "are made of all of them, so take them from one table with Table.take"
                )
    codes = {name: np.concatenate([table.codes(name) for table in groups]) for name in first.columns}
    index = groups[0].index.append([table.index for table in groups[1:]])
    return Table._of(first.attributes, codes, first._roles, pd.Index(index))
