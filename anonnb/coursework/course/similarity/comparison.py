"""Pairs of submissions by what they share, beside what any two of the class share.

Idea: a fingerprint that many have tells little (everybody calls the same function), so it weighs log((n + 1) / owners),
and one of more than 500 owners does not count. The similarity of two submissions is twice the weight that they share
over the weight that they have, from 0 to 1. Work grows with the number of fingerprints, hardly with that of pairs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from anonnb.coursework.course.similarity.fingerprints import K, hashes, is_own, own_hashes, winnowed
from anonnb.coursework.course.similarity.tokens import BORDER, Lexed

MOST_OWNERS = 500
MOST_PLACES = 20  # of one k-gram that are looked at when runs are aligned


@dataclass(frozen=True)
class SharedRun:
    """Tokens that two submissions have in common: where they begin in each, how many, how many to the letter."""

    first: int
    second: int
    length: int
    literal: int


@dataclass(frozen=True)
class SimilarPair:
    """Two students, how similar their submissions are, and the runs that they share, longest first."""

    one: str
    other: str
    similarity: float
    runs: tuple[SharedRun, ...] = ()

    @property
    def shared(self) -> int:
        return sum(run.length for run in self.runs)

    @property
    def literal(self) -> int:
        return sum(run.literal for run in self.runs)


@dataclass(frozen=True)
class ClassComparison:
    """All pairs of an assignment: ``similarities`` of all, most similar first, and who they are in ``pairs``."""

    assignment: str
    documents: Mapping[str, Lexed]
    similarities: np.ndarray
    places: np.ndarray  # per pair the two students, as places in documents
    starter_shares: Mapping[str, float]
    usual: np.ndarray  # hashes of the starter, and of what more than half of the class has
    empty: tuple[str, ...] = ()  # who handed in nothing but what was handed out

    @property
    def median(self) -> float:
        return float(np.median(self.similarities)) if len(self.similarities) else 0.0

    def quantile(self, share: float) -> float:
        return float(np.quantile(self.similarities, share)) if len(self.similarities) else 0.0

    def top(self, count: int) -> list[SimilarPair]:
        """The most similar pairs that share anything, with their runs aligned."""
        names = list(self.documents)
        found = []
        for (one, other), similarity in zip(self.places[:count], self.similarities[:count], strict=True):
            if similarity > 0:
                runs = shared_runs(self.documents[names[one]], self.documents[names[other]], self.usual)
                found.append(SimilarPair(names[one], names[other], float(similarity), tuple(runs)))
        return found


def compared(assignment: str, submissions: Mapping[str, Lexed], starter: Lexed) -> ClassComparison:
    """Compare all submissions of an assignment with each other, and each with the starter."""
    documents = {name: found for name, found in submissions.items() if set(found.tokens) - {BORDER}}
    of_starter = np.unique(hashes(starter.tokens))
    own = [own_hashes(document.tokens, of_starter) for document in documents.values()]
    similarities, places = _pairs([winnowed(values) for values in own])
    shares = {
        name: _starter_share(document, values) for (name, document), values in zip(documents.items(), own, strict=True)
    }
    return ClassComparison(
        assignment,
        documents,
        similarities,
        places,
        shares,
        of_starter,
        tuple(sorted(set(submissions) - set(documents))),
    )


def _usual(own: list[np.ndarray], starter: np.ndarray) -> np.ndarray:
    """What needs no showing: the starter, and in a class of more than three whatever most have written."""
    seen, owners = np.unique(np.concatenate([*map(np.unique, own), starter[:0]]), return_counts=True)
    return np.union1d(starter, seen[owners > max(len(own) / 2, 3)])


def _starter_share(document: Lexed, own: np.ndarray) -> float:
    """The share of a submission's runs that the starter has, too."""
    count = int(is_own(hashes(document.tokens)).sum())
    return 1 - int(is_own(own).sum()) / count if count else 0.0


def _pairs(prints: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Similarities of all pairs in falling order, and the two places of each."""
    count = len(prints)
    owners = np.repeat(np.arange(count), [len(values) for values in prints])
    known, columns, sharers = np.unique(
        np.concatenate([*prints, np.zeros(0, np.uint64)]), return_inverse=True, return_counts=True
    )
    weights = np.where(sharers <= MOST_OWNERS, np.log((count + 1) / np.maximum(sharers, 1)), 0.0)
    matrix = sparse.csr_array((np.sqrt(weights)[columns], (owners, columns)), shape=(count, len(known)))
    shared = (matrix @ matrix.T).toarray()
    totals = shared.diagonal()
    first, second = np.triu_indices(count, 1)
    both = totals[first] + totals[second]
    similarity = np.divide(2 * shared[first, second], both, out=np.zeros(len(first)), where=both > 0)
    order = np.argsort(-similarity, kind="stable")
    return np.minimum(similarity[order], 1.0), np.column_stack([first, second])[order]


def shared_runs(one: Lexed, other: Lexed, usual: np.ndarray, k: int = K) -> list[SharedRun]:
    """Runs of at least ``k`` tokens that both have, wherever they stand, longest first; no token is in two of them.

    A run begins with something that is not ``usual``.
    """
    mine, theirs = own_hashes(one.tokens, usual, k), own_hashes(other.tokens, usual, k)
    places: dict[int, list[int]] = {}
    for place, value in enumerate(theirs.tolist()):
        places.setdefault(value, []).append(place)
    found = [
        (_length(one.tokens, other.tokens, first, second), first, second)
        for first, value in enumerate(mine.tolist())
        if is_own(mine[first])
        for second in places.get(value, [])[:MOST_PLACES]
        if not (first and second and one.tokens[first - 1] == other.tokens[second - 1] and is_own(mine[first - 1]))
    ]
    runs, taken, taken_there = [], set(), set()
    for length, first, second in sorted(found, key=lambda run: (-run[0], run[1:])):
        mine_now, theirs_now = range(first, first + length), range(second, second + length)
        if taken.isdisjoint(mine_now) and taken_there.isdisjoint(theirs_now):
            taken.update(mine_now)
            taken_there.update(theirs_now)
            pairs = zip(one.written[first : first + length], other.written[second : second + length], strict=True)
            runs.append(SharedRun(first, second, length, sum(a == b for a, b in pairs)))
    return runs


def _length(one: tuple[str, ...], other: tuple[str, ...], first: int, second: int) -> int:
    length, most = 0, min(len(one) - first, len(other) - second)
    while length < most and one[first + length] == other[second + length] != BORDER:
        length += 1
    return length
