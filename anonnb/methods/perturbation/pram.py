"""PRAM, the post-randomization method (Gouweleeuw, Kooiman, Willenborg and de Wolf 1998).

Each value is replaced by one drawn from its row of a transition matrix P. The matrix is published, so that counts can
be estimated without bias: if λ are the true counts, Pᵀλ are the expected ones. Reading chosen for the invariant matrix:
keep a value with probability ``keep``, else draw from the column's distribution, which gives Pᵀλ = λ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from anonnb.core.parameters.compound import Optional
from anonnb.core.parameters.constraints import SEED, Choice, Constraint, Number
from anonnb.core.parameters.declared import parameter
from anonnb.core.wording import short_repr
from anonnb.methods import register
from anonnb.methods.base import Method, Progress
from anonnb.methods.perturbation.columns import COLUMNS, chosen, log_shares, tell_column, tell_columns
from anonnb.methods.perturbation.promises import RandomizedCells
from anonnb.methods.promises import Promise
from anonnb.privacy.likelihoods import Likelihood, LogChance
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column


class Matrices(Constraint):
    """Transition matrices by the name of a column; each row sums to 1."""

    kind = "a mapping of columns to transition matrices"

    def has_valid_type(self, value: object) -> bool:
        return isinstance(value, Mapping)

    def validate(self, name: str, value: Any) -> Any:
        value = super().validate(name, value)
        return {column: _checked_matrix(name, column, rows) for column, rows in value.items()}


def _checked_matrix(name: str, column: str, rows: Any) -> tuple[tuple[float, ...], ...]:
    try:
        matrix = np.asarray(rows, dtype=float)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: that of column {column!r} must be rows of numbers, not {short_repr(rows)}") from None
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"{name}: that of column {column!r} must be square, not {short_repr(rows)}")
    if (matrix < 0).any() or not np.allclose(matrix.sum(axis=1), 1):
        raise ValueError(f"{name}: every row of that of column {column!r} must sum to 1, without negative entries")
    return tuple(map(tuple, matrix.tolist()))


@register
@dataclass(frozen=True)
class PRAM(Method):
    """Replace values at random, with probabilities that are published.

    Parameters
    ----------
    keep:
        The probability with which a value is kept without a draw.
    kind:
        ``"invariant"`` draws from the column's own distribution, so that expected counts stay as they are;
        ``"uniform"`` draws from all its values alike.
    matrices:
        Transition matrices for some columns, ``{"sex": [[0.9, 0.1], [0.2, 0.8]]}``, in the order of the column's
        values; they replace the two parameters above.
    columns, seed:
        The quasi-identifiers to change (all by default), and the seed of the draws.

    Notes
    -----
    ``release.info`` holds the ``"matrices"`` of all columns, and as ``"factors"`` how many times as likely a published
    value may be for one true value as for another (infinite where a published value excludes a true one).

    Examples
    --------
    >>> table = Table(pd.DataFrame({"sex": list("fmfmfmfm")}), quasi=["sex"])
    >>> release = PRAM(matrices={"sex": [[0.9, 0.1], [0.2, 0.8]]}).anonymize(table)
    >>> float(round(release.info["factors"]["sex"], 1))
    8.0

    Guarantees
    ----------
    proved:
        Cells are drawn independently by the published matrix, so the estimates of true counts are unbiased where the
        matrix has an inverse. The invariant matrix keeps expected counts as they are.
    tested:
        The example of the literature (60 and 40 seen give 57.14 and 42.86). 400 draws: mean counts within four standard
        errors, for both kinds of matrices.
    heuristic:
        No class size is promised: rows may be unique, and unchanged with probability keep per cell.
    paper:
        J. Gouweleeuw, P. Kooiman, L. Willenborg and P.-P. de Wolf, Post randomisation for statistical disclosure
        control: theory and implementation, Journal of Official Statistics 14, 1998.
    """

    promised: ClassVar[type[Promise]] = RandomizedCells
    truthful: ClassVar[bool] = False
    order_matters: ClassVar[bool] = True
    rows_in_seconds: ClassVar[int] = 1_000_000

    keep: float = parameter(Number(at_least=0, at_most=1), default=0.8)
    kind: str = parameter(Choice(["invariant", "uniform"]), default="invariant")
    matrices: Mapping[str, Sequence] | None = parameter(Optional(Matrices()), default=None, compare=False)
    columns: Sequence[str] | None = parameter(COLUMNS, default=None)
    seed: int = parameter(SEED, default=0)

    def _check_table(self, table: Table) -> None:
        super()._check_table(table)
        named = chosen(table, self.columns)
        for name, matrix in (self.matrices or {}).items():
            if name not in named:
                raise KeyError(f"matrices: {name!r} is not among the columns to change: {', '.join(map(str, named))}")
            if len(matrix) != table.attributes[name].size:
                values, size = table.attributes[name].size, len(matrix)
                raise ValueError(f"matrices: column {name!r} has {values} values, but its matrix has {size} rows")

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        rng, names = np.random.default_rng(self.seed), chosen(table, self.columns)
        columns, transitions = {}, {}
        tell_columns(table, names)
        for name in progress(names, desc="columns"):
            transitions[name] = self._transition(table, name)
            columns[name] = Column.original(table.attributes[name], drawn(transitions[name], table.codes(name), rng))
            counts = table.counts(name)
            kept = float(transitions[name].diagonal @ counts / counts.sum())
            tell_column(table, columns, name, f"A cell keeps its value with probability {kept:.4g} on average")
        frames = Frames(transitions, {name: table.attributes[name].labels for name in names})
        factors = {name: factor(transition) for name, transition in transitions.items()}
        info = {"matrices": frames, "factors": factors}
        return Release(table, columns, np.arange(len(table)), method=self, info=info)

    def likelihoods(self, release: Release, names: Sequence[str]) -> list[Likelihood]:
        # The published matrix.
        changed = [name for name in release.info.get("matrices", ()) if name in names]
        return [
            Likelihood((name,), self._log_chance(release, name), log_shares(release, name), numbers=False)
            for name in changed
        ]

    def _log_chance(self, release: Release, name: str) -> LogChance:
        transition = release.info["matrices"].transition(name)

        def log_chance(true: np.ndarray, published: np.ndarray) -> np.ndarray:
            with np.errstate(divide="ignore"):
                return np.log(transition.chances(np.maximum(true, 0), published.T) * (true >= 0))

        return log_chance

    def _transition(self, table: Table, name: str) -> Matrix | Mixture:
        if self.matrices and name in self.matrices:
            return Matrix(np.array(self.matrices[name]))
        weights = table.counts(name) if self.kind == "invariant" else np.ones(table.attributes[name].size)
        return Mixture(self.keep, (1 - self.keep) * weights / weights.sum())


def estimated_counts(release: Release, name: str) -> pd.Series:
    """Estimate without bias how often each value of a column occurs in the original table, from what was published.

    The estimates solve Pᵀλ = observed; one may be negative where a value is rare.

    >>> table = Table(pd.DataFrame({"ill": ["no"] * 50 + ["yes"] * 50}), quasi=["ill"])
    >>> release = PRAM(matrices={"ill": [[0.9, 0.1], [0.2, 0.8]]}).anonymize(table)
    >>> float(estimated_counts(release, "ill").sum().round(6))
    100.0
    """
    matrices = release.info.get("matrices", {})
    if name not in matrices:
        raise KeyError(f"column {name!r} was not drawn by a matrix; those that were: {', '.join(matrices) or 'none'}")
    column = release.columns[name]
    observed = np.bincount(column.sets.lo[column.index], minlength=len(matrices[name]))
    return solved_counts(observed, matrices[name])


def solved_counts(observed: Sequence[float] | np.ndarray, matrix: pd.DataFrame | np.ndarray) -> pd.Series:
    """Solve Pᵀλ = observed for the counts λ.

    Parameters
    ----------
    matrix:
        The transition matrix P, with a row for each true value and a column for each published one.

    Examples
    --------
    >>> solved_counts([60, 40], [[0.9, 0.1], [0.2, 0.8]]).round(4).tolist()
    [57.1429, 42.8571]
    """
    values = matrix.index if isinstance(matrix, pd.DataFrame) else range(len(observed))
    try:
        counts = np.linalg.solve(np.asarray(matrix, dtype=float).T, np.asarray(observed, dtype=float))
    except np.linalg.LinAlgError:
        raise ValueError("the matrix has no inverse, so counts cannot be estimated; keep more of the values") from None
    return pd.Series(counts, index=pd.Index(values), name="estimated")


# ---- transition matrices ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Matrix:
    """A matrix that somebody gave."""

    matrix: np.ndarray

    def row(self, code: int) -> np.ndarray:
        """Return the probability of each value to be published in place of this one."""
        return self.matrix[code]

    def chances(self, true: np.ndarray, published: np.ndarray) -> np.ndarray:
        """Return the probability that each of some true values is published as each of others."""
        return self.matrix[true, published]

    @property
    def diagonal(self) -> np.ndarray:
        """The chance of each value to stay as it is."""
        return self.matrix.diagonal()

    @property
    def extremes(self) -> tuple[np.ndarray, np.ndarray]:
        """For each published value the largest and the smallest chance, over all true ones."""
        return self.matrix.max(axis=0), self.matrix.min(axis=0)


@dataclass(frozen=True)
class Mixture:
    """Keep the value with probability ``keep``, else draw from ``others``: keep·I + 1·othersᵀ."""

    keep: float
    others: np.ndarray  # they sum to 1 - keep

    def row(self, code: int) -> np.ndarray:
        """Return the probability of each value to be published in place of this one."""
        chances = self.others.copy()
        chances[code] += self.keep
        return chances

    def chances(self, true: np.ndarray, published: np.ndarray) -> np.ndarray:
        """Return the probability that each of some true values is published as each of others."""
        return self.others[published] + self.keep * (true == published)

    @property
    def diagonal(self) -> np.ndarray:
        """The chance of each value to stay as it is."""
        return self.keep + self.others

    @property
    def extremes(self) -> tuple[np.ndarray, np.ndarray]:
        """For each published value the largest and the smallest chance, over all true ones."""
        return self.diagonal, self.others if len(self.others) > 1 else self.diagonal


def drawn(transition: Matrix | Mixture, codes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw a value for each row, with the probabilities that belong to its own value.

    >>> drawn(Mixture(1.0, np.zeros(3)), np.array([2, 0]), np.random.default_rng(0)).tolist()
    [2, 0]
    """
    result, chance = np.empty(len(codes), dtype=np.int64), rng.random(len(codes))
    order = np.argsort(codes, kind="stable")
    for members in np.split(order, np.flatnonzero(np.diff(codes[order])) + 1):
        if len(members):
            edges = np.cumsum(transition.row(codes[members[0]]))
            edges[-1] = 1.0  # rounding must not leave a gap at the end
            result[members] = np.searchsorted(edges, chance[members], side="right")
    return result


def factor(transition: Matrix | Mixture) -> float:
    """Return how many times as likely a published value may be for one true value as for another.

    >>> factor(Matrix(np.array([[0.9, 0.1], [0.2, 0.8]]))), factor(Matrix(np.eye(2)))
    (8.0, inf)
    """
    high, low = transition.extremes
    used = high > 0  # a value that is never published reveals nothing
    return float(np.divide(high, low, out=np.full(len(high), np.inf), where=low > 0)[used].max(initial=1.0))


class Frames(Mapping):
    """Transition matrices by column, each made into a frame when it is asked for."""

    def __init__(self, transitions: Mapping[str, Matrix | Mixture], labels: Mapping[str, Sequence[str]]):
        self._transitions, self._labels = dict(transitions), dict(labels)

    def __getitem__(self, name: str) -> pd.DataFrame:
        transition, labels = self._transitions[name], self._labels[name]
        return pd.DataFrame([transition.row(code) for code in range(len(labels))], index=labels, columns=labels)

    def transition(self, name: str) -> Matrix | Mixture:
        """Return a column's matrix without spelling it out."""
        return self._transitions[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._transitions)

    def __len__(self) -> int:
        return len(self._transitions)
