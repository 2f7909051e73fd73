"""Variable precision (Ziarko 1993) and Bayesian rough sets (Ślęzak and Ziarko 2005): majority instead of certainty.

Idea: a class of rows that look alike counts as part of a concept when a large enough share of it belongs to it.
Reading: β is the required share, above 1/2 and at most 1 (Ziarko's own β is the error 1 − β), so that β = 1 gives
Pawlak's sets; on releases the lower approximation counts rows surely in the concept, the upper one rows possibly in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from anonnb.roughsets.approximations import Approximation, decision_flags, membership, ready
from anonnb.roughsets.relations import sums_over_relatives
from anonnb.tables.release import Release
from anonnb.tables.table import Table

ROUNDING = 1e-9  # shares are quotients of whole numbers; smaller differences are rounding


@dataclass(frozen=True, eq=False)
class BayesianRegions:
    """Row numbers where a concept is more likely, less likely and as likely as among all rows."""

    positive: np.ndarray
    negative: np.ndarray
    boundary: np.ndarray
    prior: float


def shares(
    data: Table | Release,
    concept: object = None,
    attributes: Sequence[str] | None = None,
    *,
    rows: Iterable[int] | None = None,
    relation: str = "equal",
) -> tuple[np.ndarray, np.ndarray]:
    """Return for every row the share of its relatives that surely, and that possibly, belong to a concept.

    In a table the two are the same: the rough membership P(X | [u]).

    >>> from anonnb import load
    >>> shares(load("decision6"), "high", ["occupation", "domicile"])[0].tolist()
    [1.0, 0.5, 0.5, 0.0, 0.0, 1.0]
    """
    release, names = ready(data, attributes)
    sure, possible = membership(release, concept, rows)
    counted = np.column_stack([sure, possible, np.ones(len(release), dtype=bool)])
    sums = sums_over_relatives(release, names, relation, counted)
    return sums[:, 0] / sums[:, 2], sums[:, 1] / sums[:, 2]


def approximate(
    data: Table | Release,
    concept: object = None,
    attributes: Sequence[str] | None = None,
    *,
    beta: float = 0.8,
    rows: Iterable[int] | None = None,
    relation: str = "equal",
) -> Approximation:
    """Return rows with at least a share β of relatives in the concept, and those with a share above 1 − β.

    >>> from anonnb import load
    >>> table, known = load("hayes-roth"), ["age", "marital_status"]
    >>> [len(approximate(table, 1, known, beta=beta).lower) for beta in (0.6, 0.8, 1)]
    [26, 21, 0]
    """
    _check(beta)
    sure, possible = shares(data, concept, attributes, rows=rows, relation=relation)
    release, _ = ready(data, attributes)
    _, members = membership(release, concept, rows)
    lower, upper = sure >= beta - ROUNDING, possible > 1 - beta + ROUNDING
    return Approximation(np.flatnonzero(lower), np.flatnonzero(upper), np.flatnonzero(members))


def positive_region(
    data: Table | Release, attributes: Sequence[str] | None = None, *, beta: float = 0.8, relation: str = "equal"
) -> np.ndarray:
    """Return the rows whose relatives have one class with a share of at least β.

    >>> from anonnb import load
    >>> positive_region(load("decision6"), ["occupation"], beta=0.75).tolist()
    [0, 1, 2, 5]
    """
    _check(beta)
    release, names = ready(data, attributes)
    flags = decision_flags(release)
    alone = flags & (flags.sum(axis=1) == 1)[:, None]  # a cell with several classes is surely in none
    counted = np.column_stack([alone, np.ones(len(release), dtype=bool)])
    sums = sums_over_relatives(release, names, relation, counted)
    best = sums[:, :-1].max(axis=1, initial=0.0) / np.maximum(sums[:, -1], 1)
    return np.flatnonzero(best >= beta - ROUNDING)


def quality(
    data: Table | Release, attributes: Sequence[str] | None = None, *, beta: float = 0.8, relation: str = "equal"
) -> float:
    """Return γ with precision β: the share of rows in :func:`positive_region`.

    It never falls as β falls, but unlike Pawlak's γ it may fall when an attribute is added.

    >>> from anonnb import load
    >>> [round(quality(load("hayes-roth"), beta=beta), 3) for beta in (0.6, 0.8, 1)]
    [0.9, 0.794, 0.794]
    """
    count = len(ready(data, attributes)[0])
    return len(positive_region(data, attributes, beta=beta, relation=relation)) / count if count else 1.0


def bayesian(
    data: Table | Release,
    concept: object = None,
    attributes: Sequence[str] | None = None,
    *,
    rows: Iterable[int] | None = None,
    relation: str = "equal",
) -> BayesianRegions:
    """Return where knowing the attributes makes the concept more likely, less likely, or neither.

    There is no threshold to choose: the share of a row's relatives in the concept is compared with that of all rows. On
    releases, a row is in a region only if its sure and its possible share agree.

    >>> from anonnb import load
    >>> found = bayesian(load("decision6"), "high", ["occupation", "domicile"])
    >>> found.positive.tolist(), found.negative.tolist(), found.boundary.tolist(), found.prior
    ([0, 5], [3, 4], [1, 2], 0.5)
    """
    sure, possible = shares(data, concept, attributes, rows=rows, relation=relation)
    release, _ = ready(data, attributes)
    surely, perhaps = (flags.mean() if len(flags) else 0.0 for flags in membership(release, concept, rows))
    above, below = sure > perhaps + ROUNDING, possible < surely - ROUNDING
    more, less, neither = map(np.flatnonzero, (above, below, ~above & ~below))
    return BayesianRegions(more, less, neither, prior=float(perhaps))


def _check(beta: float) -> None:
    if not 0.5 < beta <= 1:
        raise ValueError(f"beta={beta} is not a majority; give a share above 0.5 and at most 1 (1 is Pawlak's)")
