"""Which attributes suffice: the core, one reduct found greedily, and all of them as prime implicants (Skowron 1992).

Besides exact reducts: QuickReduct (Shen and Chouchoulas 2000), Johnson's greedy search, reducts of a single row, and
sets that keep the quality γ within a tolerance. Reading: a reduct keeps the positive region; ``keep="decision"``
requires more where rows contradict each other, see ``discernibility``. Cells may be value sets, related as in
``approximations``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonnb.core.arrays import group_ids
from anonnb.core.progress import Progress, no_progress, ticks, watched_by
from anonnb.roughsets.approximations import decision_flags, positive, ready
from anonnb.roughsets.discernibility import MAX_PAIRS, discernibility_function
from anonnb.roughsets.implicants import minimal_sets
from anonnb.roughsets.relations import set_numbers
from anonnb.steps.recording import listening, note
from anonnb.tables.release import Release
from anonnb.tables.table import Table

ROUNDING = 1e-12  # γ is a quotient of whole numbers; smaller differences are rounding


def core(data: Table | Release, attributes: Sequence[str] | None = None, *, relation: str = "equal") -> list[str]:
    """Return the attributes that every reduct contains: without one the positive region is smaller.

    >>> from anonnb import load
    >>> core(load("decision6"))
    ['sex', 'occupation']
    """
    release, names = ready(data, attributes)
    whole = positive(release, names, relation).sum()
    return [name for name in names if positive(release, _less(names, name), relation).sum() < whole]


def reduct(data: Table | Release, attributes: Sequence[str] | None = None, *, relation: str = "equal") -> list[str]:
    """Find one reduct, fast: a small set of attributes with the whole positive region, none of them redundant.

    Starts from the core, adds the attribute that enlarges the positive region most (ties: the first), then drops
    redundant attributes, the last one first.

    >>> from anonnb import load
    >>> reduct(load("decision6"))
    ['sex', 'occupation']
    """
    release, names = ready(data, attributes)
    whole = positive(release, names, relation).sum()
    chosen = core(release, names, relation=relation)
    while positive(release, chosen, relation).sum() < whole:
        rest = [name for name in names if name not in chosen]
        sizes = [positive(release, [*chosen, name], relation).sum() for name in rest]
        chosen.append(rest[int(np.argmax(sizes))])
    for name in reversed(chosen.copy()):
        if positive(release, _less(chosen, name), relation).sum() == whole:
            chosen.remove(name)
    return [name for name in names if name in chosen]


def reducts(
    data: Table | Release,
    attributes: Sequence[str] | None = None,
    *,
    relation: str = "equal",
    keep: str = "region",
    relative: bool = True,
    limit: int = 20_000,
    max_rows: int = 100_000,
    max_pairs: int = MAX_PAIRS,
    progress: Progress = no_progress,
) -> list[list[str]]:
    """Return all reducts: the prime implicants of the discernibility function, shortest first.

    For every row of the positive region and every row of another class, one of the attributes that tell them apart must
    be kept. There is an error if this is too much work; :func:`reduct` finds one reduct in any case.

    Parameters
    ----------
    keep:
        ``"region"``: rows of the positive region stay in it; ``"decision"``: every row keeps its generalized decision.
    relative:
        False: all different rows must stay distinct, whatever their decision.
    limit, max_rows, max_pairs:
        The most partial reducts, different rows, and pairs of rows that agree in the core.

    Examples
    --------
    >>> from anonnb import load
    >>> reducts(load("decision6")), reducts(load("decision6"), relative=False)
    ([['sex', 'occupation']], [['sex', 'occupation', 'domicile']])
    """
    with watched_by(progress):
        function = discernibility_function(
            data, attributes, relation=relation, keep=keep, relative=relative, max_rows=max_rows, max_pairs=max_pairs
        )
        return function.reducts(limit)


def johnson_reduct(
    data: Table | Release,
    attributes: Sequence[str] | None = None,
    *,
    relation: str = "equal",
    keep: str = "region",
    progress: Progress = no_progress,
) -> list[str]:
    """Find one reduct by Johnson's greedy search: take the attribute in most clauses, and drop these clauses.

    Reading: clauses that others imply do not count, and attributes that later choices make redundant are dropped at the
    end.

    Parameters
    ----------
    keep:
        ``"region"``: rows of the positive region stay in it; ``"decision"``: every row keeps its generalized decision.

    Examples
    --------
    >>> from anonnb import load
    >>> johnson_reduct(load("zoo"))
    ['eggs', 'milk', 'aquatic', 'toothed', 'legs']
    """
    with watched_by(progress):
        return discernibility_function(data, attributes, relation=relation, keep=keep).johnson()


def quick_reduct(
    data: Table | Release,
    attributes: Sequence[str] | None = None,
    *,
    relation: str = "equal",
    tolerance: float = 0.0,
    progress: Progress = no_progress,
) -> list[str]:
    """Run QuickReduct: from nothing, add the attribute that raises γ most until γ is that of all attributes.

    Ties go to the first attribute. As published it drops nothing, so the result keeps the whole positive region but may
    contain a redundant attribute; :func:`reduct` contains none.

    Parameters
    ----------
    tolerance:
        Stop as soon as γ is at most this much below that of all attributes.

    Examples
    --------
    >>> from anonnb import load
    >>> quick_reduct(load("decision6")), quick_reduct(load("zoo"), tolerance=0.3)
    (['sex', 'occupation'], ['milk', 'legs', 'fins'])
    """
    release, names = ready(data, attributes)
    _check(tolerance)
    quality = _Growing(release, names, relation)
    goal = quality.of_all - tolerance - ROUNDING
    chosen: list[str] = []
    with watched_by(progress):
        for _ in ticks(range(len(names)), "attributes taken"):
            if quality.now >= goal:
                break
            rest = [name for name in names if name not in chosen]
            figures = [quality.with_one(name) for name in rest]
            best = rest[int(np.argmax(figures))]
            if listening():
                note(
                    f"Take {best}",
                    f"It raises γ from {quality.now:.3f} to {max(figures):.3f}; no other attribute raises it further.",
                    ", ".join([*chosen, best]),
                    pd.DataFrame({"γ": figures}, index=rest).round(4),
                    [best],
                )
            chosen.append(best)
            quality.take(best)
    return chosen


def approximate_reducts(
    data: Table | Release,
    attributes: Sequence[str] | None = None,
    *,
    tolerance: float,
    relation: str = "equal",
    limit: int = 20_000,
    progress: Progress = no_progress,
) -> list[list[str]]:
    """Return all minimal sets of attributes whose γ is at most a tolerance below that of all, shortest first.

    The search goes level by level; there is an error after ``limit`` sets. ``quick_reduct(…, tolerance=…)`` finds one
    without a search.

    >>> from anonnb import load
    >>> approximate_reducts(load("decision6"), tolerance=0.4)
    [['sex', 'occupation'], ['sex', 'domicile'], ['occupation', 'domicile']]
    """
    release, names = ready(data, attributes)
    _check(tolerance)
    goal = _gamma(release, names, relation) - tolerance - ROUNDING
    with watched_by(progress):
        return minimal_sets(names, lambda chosen: _gamma(release, chosen, relation) >= goal, limit)


class _Growing:
    """γ of a growing set of attributes; if equal rows are related, classes are refined rather than recomputed."""

    def __init__(self, release: Release, names: Sequence[str], relation: str):
        self._release, self._relation = release, relation
        self.of_all = _gamma(release, names, relation)
        self.now = _gamma(release, [], relation)
        self._chosen: list[str] = []
        self._groups = np.zeros(len(release), dtype=np.int64)
        self._flags = decision_flags(release)

    def with_one(self, name: str) -> float:
        """Return γ with one more attribute."""
        if self._relation != "equal":
            return _gamma(self._release, [*self._chosen, name], self._relation)
        groups, count = self._refined(name)
        reached = np.zeros((count, self._flags.shape[1]), dtype=bool)
        for index, flag in enumerate(self._flags.T):
            reached[groups[flag], index] = True
        return _mean((reached.sum(axis=1) == 1)[groups])

    def take(self, name: str) -> None:
        self.now = self.with_one(name)
        self._groups, _ = self._refined(name)
        self._chosen.append(name)

    def _refined(self, name: str) -> tuple[np.ndarray, int]:
        return group_ids([self._groups, set_numbers(self._release.columns[name])])


def _gamma(release: Release, names: Sequence[str], relation: str) -> float:
    return _mean(positive(release, names, relation))


def _mean(flags: np.ndarray) -> float:
    return float(flags.mean()) if len(flags) else 1.0


def _check(tolerance: float) -> None:
    if not 0 <= tolerance <= 1:
        raise ValueError(f"tolerance={tolerance} is not a share; give a number from 0 to 1")


def _less(names: Sequence[str], name: str) -> list[str]:
    return [other for other in names if other != name]
