"""Candidates that are not equally likely: those whose row holds few people, or whose values the method makes likely."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from anonnb.attacks.matching.candidates import Candidates, Figures
from anonnb.attacks.matching.fellegi_sunter import agreement_parts, agreement_rates
from anonnb.attacks.matching.likely import (
    MAX_CELLS,
    MAX_PAIRS,
    TIE,
    LikelihoodPart,
    LikelyRows,
    box_logs,
    contested,
    exchanged,
    stated_parts,
)
from anonnb.attacks.matching.nearest import shows_single_values
from anonnb.attacks.matching.secret_counts import SecretCounts
from anonnb.core.parameters.constraints import Choice
from anonnb.tables.matching import Matching
from anonnb.tables.release import Release
from anonnb.tables.table import Table

if TYPE_CHECKING:
    from scipy.sparse import csr_array

WEIGHTS = Choice({
    "likely": "a row counts by how likely it is the person's",
    "equal": "all rows that fit count alike",
})  # fmt: skip


def weighted_candidates(
    weights: str,
    release: Release,
    people: Table,
    known: Sequence[str],
    secrets: Sequence[str] = (),
    *,
    tolerance: Mapping[str, float] | None = None,
    count_missing: bool = False,
) -> Candidates:
    """Return the candidates of people with ``"equal"`` weights, or weighted by how ``"likely"`` each row is theirs.

    What the method of the release states about its values counts if the people's values are exact, and if people and
    rows are few enough to be weighed one by one. If no secrets are asked for, everybody competes for the rows, and
    exchanges must be mutual.

    >>> from anonnb import load
    >>> from anonnb.methods import KACA
    >>> table = load("survey")
    >>> release = KACA(k=5).anonymize(table)
    >>> [float(weighted_candidates(each, release, table, release.quasi).right_chances().sum().round(2))
    ...  for each in ("equal", "likely")]
    [4.0, 4.0]
    """
    cases = Candidates(release, people, known, secrets, tolerance=tolerance, count_missing=count_missing)
    if weights == "equal":
        return cases
    parts = [] if tolerance else _stated(cases)
    if parts:
        if not secrets:
            parts += exchanged(release, people, cases._matching, known, parts)
            parts.append(contested(cases._matching, parts))
        return StatedCandidates(cases, parts)
    return cases if shows_single_values(release, known) else NarrowCandidates(cases, tolerance or ())


def agreeing_candidates(
    weights: str, release: Release, people: Table, known: Sequence[str], *, tolerance: Mapping[str, float]
) -> StatedCandidates:
    """Return candidates by the model of Fellegi and Sunter; a row is none if its columns speak against it.

    ``rates`` of the result holds m and u of every column.
    """
    rates = agreement_rates(Matching.of(release, release.table, known, tolerance), known)
    cases = Candidates(release, people, known, tolerance=tolerance)
    result = StatedCandidates(cases, agreement_parts(cases._matching, rates, weights == "likely", tolerance), above=0.0)
    result.rates = rates
    return result


def _stated(cases: Candidates) -> list[LikelihoodPart]:
    """Return what columns add to the weights, as the method of the release states; nothing if that is too much."""
    rows, values = len(cases._matching.published), sum(part.shape[1] for part in cases._says.values())
    if cases.n_cases * rows > MAX_PAIRS or cases.n_cases * values > MAX_CELLS:
        return []
    return stated_parts(cases.release, cases.people, cases._matching, cases.known)


class NarrowCandidates(Candidates):
    """Candidates that hold their people's values: the fewer people a row's cells hold, the likelier it is theirs."""

    because = "few other people fit into so narrow cells"

    def __init__(self, cases: Candidates, without: Collection[str] = ()):
        vars(self).update(vars(cases))
        self._logs = box_logs(self._matching.published, self.known, without)

    def _weigh(self, says: csr_array) -> csr_array:
        if not self._several:
            return says
        from scipy.sparse import diags_array

        return diags_array(np.exp(self._logs)).tocsr() @ says

    def weighted_counts(self) -> csr_array:
        return self._counted(weighted=True) if self._several else self.counts

    @cached_property
    def _several(self) -> bool:
        """Whether somebody fits several kinds of rows; if not, no weights are needed."""
        selections = self._matching.selections
        return selections is None or bool(np.diff(selections.rows.indptr).max(initial=0) > 1)

    @cached_property
    def _likeliest(self) -> tuple[csr_array, np.ndarray] | None:
        """The likeliest rows of each selection (selections × rows) and their log weight; None if these are many."""
        selections = self._matching.selections
        if selections is None:
            return None
        rows = selections.rows.copy()
        line, best = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr)), np.full(rows.shape[0], -np.inf)
        np.maximum.at(best, line, self._logs[rows.indices])
        rows.data = (self._logs[rows.indices] >= best[line] - TIE).astype(np.float64)
        rows.eliminate_zeros()
        return rows, best

    @cached_property
    def _best(self) -> tuple[np.ndarray, np.ndarray]:
        """For each case the largest log weight, and the number of rows that have it."""
        matching, count = self._matching, self._matching.rows_per_kind
        if matching.selections is not None and self._likeliest is not None:
            rows, best = self._likeliest
            return best[matching.selections.number], (rows @ count)[matching.selections.number]
        best, number = np.full(self.n_cases, -np.inf), np.zeros(self.n_cases)
        for some, near, fits in matching.blocks():
            logs = np.where(fits, self._logs[near], -np.inf)
            best[some] = logs.max(axis=1, initial=-np.inf)
            number[some] = (fits & (logs >= best[some, None] - TIE)) @ count[near]
        return best, number

    def left_by_likeliest(self) -> list[np.ndarray]:
        selections = self._matching.selections
        if not self._several or selections is None or self._likeliest is None:
            return self.left()
        left = SecretCounts(self._likeliest[0] @ self._says[self.secret]).left()
        return [part[selections.number] for part in left]

    def picked(self) -> tuple[np.ndarray, np.ndarray]:
        best, rows = self._best
        [total], _ = self._matching.totals([np.exp(self._logs) * self._matching.rows_per_kind])
        some = self.size > 0
        chance = np.divide(
            np.exp(best, where=some, out=np.zeros(len(best))), total, out=np.zeros(len(best)), where=some
        )
        return rows.astype(np.int64), chance

    def _own_picked(self) -> np.ndarray:
        published, persons = self.own_pairs
        logs = self._logs[self._matching.published.kind[published]]
        return self._matching.own_rows(persons, published) & (logs >= self._best[0][self.case[persons]] - TIE)

    def row_chances(self, case: int) -> tuple[np.ndarray, np.ndarray]:
        rows = self.rows_of(case)
        return _ordered(rows, np.exp(self._logs)[self._matching.published.kind[rows]])


class StatedCandidates(Candidates):
    """Candidates whose weights come from likelihoods: those that a method states, or a model of errors.

    Rows that fit are counted as before, as is what they say; beliefs and links follow the weights.
    """

    fits, fit, among = (
        "could be theirs",
        "could be theirs",
        " in rows that show these very values, or in all possible ones",
    )
    because = "the method publishes such values most often for people like this one"

    rates: pd.DataFrame | None = None  # m and u, if they were learnt

    def __init__(self, cases: Candidates, parts: Sequence[LikelihoodPart], above: float = -np.inf):
        vars(self).update(vars(cases))
        linked = not self._says and self.release.rows is not None
        rows, persons = self.own_pairs if linked else (np.zeros(0, dtype=np.int64),) * 2
        pairs = self.case[persons], self._matching.published.kind[rows]
        self._rows = LikelyRows(self._matching, parts, self._says, pairs, above)
        self.size = self._rows.size

    def per_case(self, figures: Figures, weighted: bool = False) -> list[np.ndarray]:
        return list(figures(SecretCounts(self.weighted_counts()))) if weighted else super().per_case(figures)

    def weighted_counts(self) -> csr_array:
        from scipy.sparse import csr_array

        return csr_array(self._rows.said[self.secret])

    @cached_property
    def counts(self) -> csr_array:
        """The counts in rows that fit; in all rows that could be theirs, if these leave one value."""
        from scipy.sparse import csr_array, vstack

        count, first = self._rows.left[self.secret]
        line, one = np.arange(self.n_cases), np.flatnonzero(count == 1)
        line[one] = self.n_cases + np.arange(len(one))
        possible = csr_array((self.size[one], (np.arange(len(one)), first[one])), shape=(len(one), len(self.shares)))
        return vstack([self._counted(weighted=False), possible], format="csr")[line]

    def left(self) -> list[np.ndarray]:
        return list(SecretCounts(self.counts).left())

    def picked(self) -> tuple[np.ndarray, np.ndarray]:
        return self._rows.n_best, self._rows.chance

    def _own_picked(self) -> np.ndarray:
        return self._rows.among

    def row_chances(self, case: int) -> tuple[np.ndarray, np.ndarray]:
        weights = self._rows.weigh(np.array([case]))[0][self._matching.published.kind]
        return _ordered(np.flatnonzero(weights), weights[weights > 0])


def _ordered(rows: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return rows by falling weight, and their weights as shares."""
    order = np.argsort(-weights, kind="stable")
    return rows[order], weights[order] / max(weights.sum(), 1e-300)
