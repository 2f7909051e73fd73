"""Minimal sets that meet every clause: prime implicants of a monotone function, one greedily, and level by level.

Prime implicants come from multiplying out the clauses with absorption after each (Berge 1989, *Hypergraphs*, chapter
2). Sets of attributes are rows of flags, packed into 64-bit words, so that hundreds of attributes are feasible.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from anonnb.core.arrays import distinct_rows
from anonnb.core.progress import steps, ticks
from anonnb.core.wording import pluralize
from anonnb.roughsets.relations import PAIRS_AT_ONCE
from anonnb.steps.recording import listening, note


def minimal(flags: np.ndarray) -> np.ndarray:
    """Return the rows that contain no other row, each once, shortest first.

    >>> minimal(np.array([[1, 1, 0], [0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=bool)).astype(int).tolist()
    [[0, 1, 0], [1, 0, 1]]
    """
    first, _ = distinct_rows(np.packbits(flags, axis=1))
    flags = flags[first]
    sizes = flags.sum(axis=1)
    packed, kept = _packed(flags), np.zeros(len(flags), dtype=bool)
    for size in np.unique(sizes):  # rows of one size are different, so none contains another
        level = np.flatnonzero(sizes == size)
        kept[level[~_contains_one(packed[level], packed[kept])]] = True
    chosen = np.flatnonzero(kept)
    return flags[sorted(chosen, key=lambda index: (sizes[index], (~flags[index]).tolist()))]


def prime_implicants(clauses: np.ndarray, limit: int, names: Sequence[str] | None = None) -> np.ndarray:
    """Return all minimal sets that meet every clause, as rows of flags; ``names`` appear in the steps.

    Sets that meet the next clause stay; the others grow by one of its attributes. A grown set can contain one that
    stayed, but never another grown one, so only those pairs are compared.

    >>> prime_implicants(np.array([[1, 1, 0], [0, 1, 1]], dtype=bool), 9).astype(int).tolist()
    [[0, 1, 0], [1, 0, 1]]
    """
    width = clauses.shape[1]
    bits = _packed(np.eye(width, dtype=bool))
    implicants = np.zeros((1, bits.shape[1]), dtype=np.uint64)
    for clause, word in zip(ticks(clauses, "clauses"), _packed(clauses), strict=True):
        meets = (implicants & word).any(axis=1)
        kept, open_sets = implicants[meets], implicants[~meets]
        grown = [kept]
        for bit in bits[clause]:
            longer, rivals = open_sets | bit, kept[(kept & bit).any(axis=1)]
            grown.append(longer[~_contains_one(longer, rivals)])
        implicants = np.concatenate(grown)
        if listening():
            refused = len(kept) + len(open_sets) * int(clause.sum()) - len(implicants)
            _record_product(clause, len(kept), len(open_sets), refused, _unpacked(implicants, width), names)
        if len(implicants) > limit:
            raise ValueError(
                f"there are more than limit={limit:,} partial reducts; raise it, name fewer attributes, or use reduct"
            )
    return _unpacked(implicants, width)


def by_greed(clauses: np.ndarray, names: Sequence[str] | None = None) -> np.ndarray:
    """Return a set that meets every clause (Johnson 1974): take the attribute in most open clauses, ties: the first.

    Attributes that later choices make redundant are dropped, the last one taken first.

    >>> by_greed(np.array([[1, 1, 0], [0, 1, 1], [0, 0, 1]], dtype=bool)).astype(int).tolist()
    [0, 1, 1]
    """
    chosen: list[int] = []
    left = clauses
    while len(left):
        counts = left.sum(axis=0)
        best = int(np.argmax(counts))
        chosen.append(best)
        left = left[~left[:, best]]
        if listening():
            labels = _labels(names, len(counts))
            note(
                f"Take {labels[best]}",
                f"It is in {counts[best]} of the open clauses, the most; {len(left)} stay open.",
                candidates=pd.DataFrame({"open clauses": counts}, index=labels),
                chosen=[labels[best]],
            )
    for index in reversed(chosen.copy()):
        rest = [other for other in chosen if other != index]
        if clauses[:, rest].any(axis=1).all():
            chosen = rest
    flags = np.zeros(clauses.shape[1], dtype=bool)
    flags[chosen] = True
    return flags


def minimal_sets(names: Sequence[str], suffices: Callable[[list[str]], bool], limit: int) -> list[list[str]]:
    """Return all minimal sets of names that suffice, level by level; supersets of these must suffice, too.

    >>> minimal_sets(["a", "b", "c"], lambda chosen: "b" in chosen or len(chosen) == 2, limit=9)
    [['b'], ['a', 'c']]
    """
    minimal_found: list[list[str]] = []
    tried = steps("sets of attributes")
    level: list[tuple[int, ...]] = [()]
    while level:
        failing = []
        for indices in level:
            if next(tried) >= limit:
                raise ValueError(f"more than limit={limit:,} sets of attributes were tried; raise it or name fewer")
            chosen = [names[index] for index in indices]
            if suffices(chosen):
                minimal_found.append(chosen)
            else:
                failing.append(indices)
        level = _longer(failing, len(names))
    return minimal_found


def _longer(failing: list[tuple[int, ...]], width: int) -> list[tuple[int, ...]]:
    """Return the sets with one more index, all of whose subsets fail."""
    known = set(failing)
    return [
        grown
        for indices in failing
        for index in range(indices[-1] + 1 if indices else 0, width)
        if (grown := (*indices, index)) and all(part in known for part in combinations(grown, len(indices)))
    ]


def _record_product(
    clause: np.ndarray, kept: int, grown: int, refused: int, product: np.ndarray, names: Sequence[str] | None
) -> None:
    labels = np.array(_labels(names, len(clause)), dtype=object)
    sentences = []
    if kept:
        sentences.append(f"{pluralize(kept, 'set')} already {'has' if kept == 1 else 'have'} one of these.")
    if grown:
        which = f"{pluralize(grown, 'set')} {'does' if grown == 1 else 'do'} not" if kept else "No set has"
        which += "" if kept else (" it yet" if clause.sum() == 1 else " one of these yet")
        sentences.append(f"{which}, so {'it' if clause.sum() == 1 else 'each of them in turn'} is added.")
    if refused:
        sentences.append(
            f"{pluralize(refused, 'result')} with a smaller set inside {'is' if refused == 1 else 'are'} refused."
        )
    texts = ["{" + ", ".join(labels[flags]) + "}" for flags in product]
    sentences.append(f"Now there {'is' if len(product) == 1 else 'are'} {pluralize(len(product), 'set')}.")
    title = f"Meet the demand for {' or '.join(labels[clause])}"
    note(title, " ".join(sentences), pd.DataFrame({"set": texts}))


def _labels(names: Sequence[str] | None, width: int) -> list[str]:
    return [str(index) for index in range(width)] if names is None else list(names)


def _contains_one(sets: np.ndarray, smaller: np.ndarray) -> np.ndarray:
    """Tell which of the packed sets contain one of the smaller ones."""
    contained = np.zeros(len(sets), dtype=bool)
    if not len(smaller):
        return contained
    step = max(PAIRS_AT_ONCE // (len(smaller) * sets.shape[1]), 1)
    for start in range(0, len(sets), step):
        part = sets[start : start + step, None, :]
        contained[start : start + step] = ((part & smaller) == smaller).all(axis=2).any(axis=1)
    return contained


def _packed(flags: np.ndarray) -> np.ndarray:
    """Pack rows of flags into 64-bit words."""
    packed = np.packbits(flags, axis=1)
    padded = np.zeros((len(packed), max(-(-packed.shape[1] // 8), 1) * 8), dtype=np.uint8)
    padded[:, : packed.shape[1]] = packed
    return padded.view(np.uint64)


def _unpacked(packed: np.ndarray, width: int) -> np.ndarray:
    return np.unpackbits(np.ascontiguousarray(packed).view(np.uint8), axis=1, count=width).astype(bool)
