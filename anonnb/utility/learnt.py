"""Models that an analyst learns from a release: a linear regression and a naive Bayes classifier, both from counts.

Overlap of intervals as in Karr et al. (2006): the common part as a share of either interval, the mean of both shares.
Reading: disjoint intervals overlap by 0 (the paper lets the figure go below), and a coefficient of a column that is
not published, or does not vary, overlaps by 0.
"""

from __future__ import annotations

import numpy as np

from anonnb.core.arrays import distinct_rows
from anonnb.tables.table import Table
from anonnb.utility.readings import Gram

Z = 1.959964  # of a 95 % interval
HELD_OUT = 1 / 3


def coefficient_overlaps(original: Gram, published: Gram, quasi: list[str], target: str) -> np.ndarray:
    """Return the overlap of each coefficient's 95 % intervals, without the intercept."""
    positions, owners = _predictors(original, quasi)
    low, high, given = _intervals(original, positions, _target(original, target))
    kept = np.flatnonzero(given)
    if not len(kept):
        return np.zeros(0)
    if not published.is_published(target):
        return np.zeros(len(kept))
    own_low, own_high, there = _intervals(published, positions, _target(original, target))
    shown = np.array([published.is_published(name) for name in owners], dtype=bool)
    common = np.minimum(high, own_high) - np.maximum(low, own_low)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = (common / (high - low) + common / (own_high - own_low)) / 2
    same = np.isclose(low, own_low, rtol=1e-9, atol=1e-12) & np.isclose(high, own_high, rtol=1e-9, atol=1e-12)
    overlaps = np.where(same, 1.0, np.clip(np.nan_to_num(shares, nan=0.0), 0.0, 1.0))
    return np.where(there & shown, overlaps, 0.0)[kept]


def _predictors(gram: Gram, quasi: list[str]) -> tuple[list[int], list[str]]:
    """Return a number per numeric column, and flags for the bins of the others except the first, the reference."""
    positions, owners = [], []
    for name in quasi:
        if name in gram.number:
            columns = [gram.number[name]]
        else:
            columns = [
                position
                for position in range(gram.bins[name].start + 1, gram.bins[name].stop)
                if gram.sums[position, 0] > 0
            ]
        positions += columns
        owners += [name] * len(columns)
    return positions, owners


def _target(gram: Gram, name: str) -> int:
    """Return the numbers of the target, or the flags of its most frequent value, which has the first bin."""
    return gram.number.get(name, gram.bins[name].start)


def _intervals(gram: Gram, positions: list[int], target: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the ends of the coefficients' 95 % intervals by least squares, and which coefficients exist."""
    used = np.array([0, *positions])
    n, p = gram.rows, len(used)
    if n <= p:
        return np.zeros(p - 1), np.zeros(p - 1), np.zeros(p - 1, dtype=bool)
    products, with_target = gram.sums[np.ix_(used, used)] / n, gram.sums[used, target] / n
    varies = np.diag(products) - products[0] ** 2 > 1e-12
    inverse = np.linalg.pinv(products, rcond=1e-10, hermitian=True)
    coefficients = inverse @ with_target
    left = max(float(gram.sums[target, target] / n - coefficients @ with_target), 0.0)
    errors = np.sqrt(np.maximum(np.diag(inverse), 0.0) * left / (n - p))
    return (coefficients - Z * errors)[1:], (coefficients + Z * errors)[1:], varies[1:]


# ---- a classifier -----------------------------------------------------------------------------------------------


def held_out(rows: int, seed: int) -> np.ndarray:
    """Draw a third of the rows, with a seed, from which nothing is learnt; return a flag per row."""
    tested = np.zeros(rows, dtype=bool)
    tested[np.random.default_rng(seed).permutation(rows)[: max(int(rows * HELD_OUT), 1)]] = True
    return tested


def accuracy_kept(judged: Table, original: Gram, learnt: Gram, names: list[str], target: str) -> float:
    """Return how far naive Bayes learnt from the release beats the majority, as a share of the original's lead.

    ``judged`` are original rows that were held out: neither ``original`` nor ``learnt`` counts them, unless it is
    unknown which rows the release is made of.
    """
    names = [name for name in names if name != target]
    best, reached = (_accuracy(judged, gram, names, target) for gram in (original, learnt))
    minimum = _accuracy(judged, original, [], target)
    if not original.is_published(target):
        return float("nan")  # all rows are held out
    if best <= minimum:  # there is nothing to learn beyond the majority
        return 1.0 if reached >= best and learnt.is_published(target) else 0.0
    return float(np.clip((reached - minimum) / (best - minimum), 0.0, 1.0))


def _accuracy(judged: Table, gram: Gram, names: list[str], target: str) -> float:
    """Return the share of rows classified correctly; 0 if nothing was published to learn from."""
    if not len(judged) or not gram.is_published(target):
        return 0.0
    names, scales = [name for name in names if gram.is_published(name)], {n: c.scale for n, c in gram.read.items()}
    classes = gram.sums[gram.bins[target], 0] + 1.0
    score = np.log(classes / classes.sum())
    bins = [scales[name].bins(judged.attributes[name])[judged.codes(name)] for name in names]
    first, kind = distinct_rows(np.column_stack([np.zeros(len(judged), dtype=np.int64), *bins]).astype(np.uint8))
    scores = np.tile(score, (len(first), 1))
    for name, position in zip(names, bins, strict=True):
        counts = gram.sums[gram.bins[target], gram.bins[name]] + 1.0
        scores += np.log(counts / counts.sum(axis=1, keepdims=True)).T[position[first]]
    guess = np.argmax(scores, axis=1)[kind]
    truth = scales[target].bins(judged.attributes[target])[judged.codes(target)]
    return float((guess == truth).mean())
