"""How likely each published row is a person's: the weights of the candidates.

By Bayes, row r weighs P(r | person) / P(r). A cell that holds the true value weighs 1 / the share of people in it,
which is the same for everybody who fits, so each row has one weight (``box_logs``). If a method says how likely a
published value is given a true one, or a model of errors does, everybody has weights of their own (``LikelyRows``).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from anonnb.attacks.matching.secret_counts import SecretCounts
from anonnb.attacks.matching.shares import published_shares, shares_of_sets
from anonnb.core.arrays import group_order, in_ranges
from anonnb.core.progress import ticks
from anonnb.privacy.likelihoods import Likelihood
from anonnb.tables.matching import DistinctRows, Matching, Overlaps
from anonnb.tables.release import Release
from anonnb.tables.table import Table

if TYPE_CHECKING:
    from scipy.sparse import csr_array

BLOCK = 100_000  # people × rows in memory at once: what fits into a cache is weighed seven times as fast
MAX_PAIRS = 1_000_000_000  # people × distinct rows that are weighed at most: about a minute
MAX_TABLE = 10_000_000  # values × distinct rows that are kept
MAX_KEPT = 10_000_000  # people × distinct rows whose weights are kept
MAX_CELLS = 40_000_000  # people × values of secrets
FEW_VALUES = 64  # of a secret: sums over them are plain products of matrices
TIE = 1e-9  # logarithms that differ by less are equal
ROUNDS = 10  # of scaling rows and people; one if they are too many to be kept
LOWEST = -300.0  # the logarithm of the smallest weight


def box_logs(published: DistinctRows, names: Sequence[str], without: Collection[str] = ()) -> np.ndarray:
    """Return the log weight of each distinct row: the fewer people its cells hold, the more a fit says.

    A cell holds the share of the release that its values have. Columns in ``without`` do not count.
    """
    logs = np.zeros(len(published))
    for name in names:
        if name not in without and len(published):
            logs -= held_logs(published, name)
    return np.maximum(logs - logs.max(initial=-np.inf), LOWEST) if len(logs) else logs


def held_logs(published: DistinctRows, name: str) -> np.ndarray:
    """Return for each distinct row the logarithm of the share of the release that its cell in one column holds."""
    column = published.column(name)
    held = shares_of_sets(column.sets, published_shares(published.release, name, count_missing=True))
    return np.log(np.clip(held, 1e-12, 1.0))[column.index]


class LikelihoodPart(Protocol):
    """What some columns add to the log weights."""

    def logs(self, cases: np.ndarray) -> np.ndarray:
        """Return what the columns add for some cases (cases × distinct rows)."""


@dataclass(frozen=True, eq=False)
class Tabled:
    """A column in which cases with the same ``number`` share a line of a table (numbers × distinct rows)."""

    number: np.ndarray
    table: np.ndarray

    def logs(self, cases: np.ndarray) -> np.ndarray:
        return self.table[self.number[cases]]


@dataclass(frozen=True, eq=False)
class Fitting:
    """Columns that fit or not: a row that does adds its log weight, one that does not ``otherwise``."""

    fits: Overlaps
    weight: np.ndarray
    otherwise: float = -np.inf

    def logs(self, cases: np.ndarray) -> np.ndarray:
        return np.where(self.fits.matrix(cases), self.weight, self.otherwise)


class StatedLikelihood:
    """Columns whose likelihood a method states."""

    def __init__(self, part: Likelihood, matching: Matching, people: Table):
        self._part, shown, true = part, [], []
        for name in part.names:
            column, own = matching.published.column(name), people.attributes[name]
            values = own.numbers_from(column.attribute) if part.numbers else own.recode_to(column.attribute)
            codes = column.sets.lo[column.index]
            true.append(values[people.codes(name)[matching.first_person]])
            shown.append(column.attribute.numbers[codes] if part.numbers else codes)
        self._true, self._shown = np.column_stack(true), np.column_stack(shown)
        self._share = 0.0 if part.log_share is None else part.log_share(self._shown)

    def logs(self, cases: np.ndarray) -> np.ndarray:
        return self._part.log_chance(self._true[cases], self._shown) - self._share

    def exchanges(self, matching: Matching) -> list[np.ndarray]:
        """Return the cases and the rows, in the same order, of codes that one person has and one row shows."""
        both = [(self._true[:, 0] + 1, matching.people_per_case), (self._shown[:, 0] + 1, matching.rows_per_kind)]
        size = max(codes.max(initial=0) for codes, _ in both) + 1
        once = np.all([np.bincount(codes, number, size) == 1 for codes, number in both], axis=0)
        once[0] = False  # no code
        return [np.flatnonzero(once[codes])[np.argsort(codes[once[codes]])] for codes, _ in both]

    def tabled(self) -> LikelihoodPart:
        """Return the same, each pair of values compared once; if a column has so many that it is not worth it, self."""
        (true, number), (shown, row) = (np.unique(part, return_inverse=True) for part in (self._true, self._shown))
        if self._true.shape[1] > 1 or len(true) * len(self._shown) > MAX_TABLE:
            return self
        chance = self._part.log_chance(true[:, None], shown[:, None])[:, row.ravel()]
        return Tabled(number.ravel(), chance - self._share)


def stated_likelihoods(release: Release, known: Sequence[str]) -> list[Likelihood]:
    """Return what the method of a release states about its values; a file from elsewhere has no method."""
    return release.method.likelihoods(release, known) if len(release) and hasattr(release.method, "likelihoods") else []


def stated_parts(release: Release, people: Table, matching: Matching, known: Sequence[str]) -> list[LikelihoodPart]:
    """Return what columns add to the weights as the release's method states; nothing if it states nothing.

    Columns about which it states nothing must fit.
    """
    stated = stated_likelihoods(release, known)
    if not stated:
        return []
    named = {name for part in stated for name in part.names}
    rest = [number for number, name in enumerate(known) if name not in named]
    parts: list[LikelihoodPart] = [StatedLikelihood(part, matching, people).tabled() for part in stated]
    if rest:
        parts.append(Fitting(matching.only(rest), box_logs(matching.published, known, named)))
    return parts


@dataclass(frozen=True, eq=False)
class Contested:
    """What each distinct row adds for everybody alike."""

    weight: np.ndarray

    def logs(self, cases: np.ndarray) -> np.ndarray:
        return np.tile(self.weight, (len(cases), 1))


def exchanged(
    release: Release, people: Table, matching: Matching, known: Sequence[str], parts: Sequence[LikelihoodPart]
) -> list[LikelihoodPart]:
    """Return what rules out rows that would need an impossible exchange; nothing if no values are exchanged in pairs.

    If a row is a person's, whoever had one of its values has the row that shows the person's own value. So if that row
    is ruled out for them, this one is ruled out for the person, too.
    """
    swaps = [part for part in stated_likelihoods(release, known) if part.mutual]
    if not swaps or matching.n_cases * len(matching.published) > MAX_KEPT:
        return []
    blocks = [np.ix_(*StatedLikelihood(part, matching, people).exchanges(matching)) for part in swaps]
    every, left = np.arange(matching.n_cases), -1
    possible = np.isfinite(summed(parts, every))
    while left != (count := int(possible.sum())):
        left = count
        for block in blocks:
            possible[block] &= possible[block].T
    return [Tabled(every, np.where(possible, 0.0, -np.inf))]


def contested(matching: Matching, parts: Sequence[LikelihoodPart]) -> Contested:
    """Return what makes up for how many people claim each row, as every row is one person's (Sinkhorn and Knopp 1967).

    Rows and people are scaled in turns until nobody has more than one row, and no row more than one person. People who
    are in the release and not on the list claim all rows alike.
    """
    rows, people = matching.rows_per_kind.astype(np.float64), matching.people_per_case
    absent, log_weight = max(1 - people.sum() / max(rows.sum(), 1), 0.0), np.zeros(len(rows))
    blocks = case_blocks(matching)
    kept = [weighed(parts, cases) for cases in blocks] if matching.n_cases * len(rows) <= MAX_KEPT else None
    for _ in range(ROUNDS if kept else 1):
        claims = np.zeros(len(rows))
        for number, cases in enumerate(blocks):
            weights = (weighed(parts, cases) if kept is None else kept[number]) * (rows * np.exp(log_weight))
            claims += (people[cases] / np.maximum(weights.sum(axis=1), 1e-300)) @ weights
        log_weight -= np.log(np.maximum(claims / rows + absent, TIE))
    return Contested(log_weight)


def case_blocks(matching: Matching) -> list[np.ndarray]:
    """Return the cases in blocks that are weighed at once."""
    step = max(BLOCK // max(len(matching.published), 1), 1)
    return [np.arange(start, min(start + step, matching.n_cases)) for start in range(0, matching.n_cases, step)]


def summed(parts: Sequence[LikelihoodPart], cases: np.ndarray) -> np.ndarray:
    """Return the log weights of all rows for some cases."""
    logs = parts[0].logs(cases)
    for part in parts[1:]:
        logs += part.logs(cases)
    return logs


def weighed(parts: Sequence[LikelihoodPart], cases: np.ndarray, above: float = -np.inf) -> np.ndarray:
    """Return the weights of all rows for some cases: 1 for the likeliest, 0 only if impossible."""
    logs = summed(parts, cases)
    best, impossible = logs.max(axis=1, initial=-np.inf)[:, None], logs <= above
    logs -= np.where(np.isfinite(best), best, 0.0)
    weights = np.exp(np.maximum(logs, LOWEST, out=logs), out=logs)
    weights[impossible] = 0.0
    return weights


class LikelyRows:
    """All distinct rows weighed for each case, by what each part of the columns adds to the log weights.

    ``size`` counts the rows that could be a case's, ``n_best`` the likeliest of them, and ``chance`` is how likely each
    of these is theirs. ``among`` flags, for pairs of a case and a row, whether the row is one of the likeliest. By
    secret, ``said`` holds the weighted counts of its values (cases × values), and ``left`` how many values the possible
    rows have, and the first of them.

    Parameters
    ----------
    matching, parts:
        Cases and rows, and what adds to the log weights: minus infinity if a row cannot be theirs.
    says:
        By secret, what the rows of each distinct kind say.
    pairs:
        Cases and distinct rows to ask about.
    above:
        Rows whose log weight is not above this could not be theirs.
    """

    def __init__(
        self,
        matching: Matching,
        parts: Sequence[LikelihoodPart],
        says: Mapping[str, csr_array],
        pairs: tuple[np.ndarray, np.ndarray],
        above: float = -np.inf,
    ):
        self._parts, self._per_kind, self._pairs, self._above = (
            parts,
            matching.rows_per_kind.astype(np.float64),
            pairs,
            above,
        )
        count, self._order = matching.n_cases, group_order(pairs[0], matching.n_cases)
        self.size, self.n_best = (np.zeros(count, dtype=np.int64) for _ in range(2))
        self.chance, self.among = np.zeros(count), np.zeros(len(pairs[0]), dtype=bool)
        self.said = {name: np.zeros((count, part.shape[1])) for name, part in says.items()}
        self.left = {name: np.zeros((2, count), dtype=np.int64) for name in says}
        dense = {name: part.toarray() if part.shape[1] <= FEW_VALUES else part for name, part in says.items()}
        for cases in ticks(case_blocks(matching), "likely rows"):
            weights = self.weigh(cases)
            possible = weights > 0
            for name, part in dense.items():
                self.said[name][cases] = weights @ part
                self.left[name][:, cases] = _left(possible, part)
            self._record(cases, weights, possible)

    def weigh(self, cases: np.ndarray) -> np.ndarray:
        """Return the weights of all rows for some cases (cases × rows): 1 for the likeliest, 0 only if impossible."""
        return weighed(self._parts, cases, self._above)

    def _record(self, cases: np.ndarray, weights: np.ndarray, possible: np.ndarray) -> None:
        """Store what the weights say about some cases."""
        likeliest, total = weights >= 1.0 - TIE, weights @ self._per_kind
        self.size[cases] = self._count(possible)
        self.n_best[cases] = self._count(likeliest)
        self.chance[cases] = np.divide(1.0, total, out=np.zeros(len(cases)), where=total > 0)
        (order, starts), (case, kind) = self._order, self._pairs
        asked = order[in_ranges(starts[cases], starts[cases + 1])]
        self.among[asked] = likeliest[case[asked] - cases[0], kind[asked]]

    def _count(self, flags: np.ndarray) -> np.ndarray:
        """Return the number of published rows behind flagged distinct rows (cases × distinct rows)."""
        return np.rint(flags.astype(np.float64) @ self._per_kind)


def _left(possible: np.ndarray, says: np.ndarray | csr_array) -> tuple[np.ndarray, np.ndarray]:
    """Return how many values the possible rows of each case have, and the first of them."""
    from scipy.sparse import csr_array

    lines = possible[:1] if possible.all() else possible  # all cases are alike, or each is counted
    return SecretCounts(csr_array(lines.astype(np.float64) @ says)).left()
