"""Fuzzy-rough nearest neighbours, FRNN (Jensen and Cornelis 2008; with weights, Ramentol et al. 2015).

Idea: a row belongs to a class to the degree that its neighbours in the class are near (upper approximation) and those
outside are far (lower approximation); the class with the highest mean of both wins. Reading chosen, as in
fuzzy-rough-learn: the k nearest count with linearly falling weights, attributes are joined by their mean unless a
t-norm is named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from anonnb.roughsets.fuzzy.relations import Positions, check_similarity, positions, t_norm
from anonnb.roughsets.relations import PAIRS_AT_ONCE
from anonnb.tables.table import Table
from anonnb.tables.table_estimator import TableEstimator

WEIGHTS = ("linear", "equal", "last")


class FRNN(ClassifierMixin, TableEstimator):
    """Fuzzy-rough nearest neighbours, a scikit-learn classifier; each row is compared with all training rows.

    Parameters
    ----------
    k:
        How many neighbours count, in the class and outside it; fewer if there are not so many. With 1, the
        approximations are those of :func:`approximate`.
    weights:
        ``"linear"`` (the nearest counts k times as much as the k-th), ``"equal"``, or ``"last"`` (only the k-th).
    similarity:
        ``"range"``, ``"deviation"``, ``"gaussian"`` or ``"equal"``, as in :func:`similarity`, measured on the training
        rows.
    join:
        ``"mean"`` of the attributes, or a name in ``T_NORMS``.
    kinds, orders:
        Kinds and orders of the columns, as for :class:`anonnb.Table`, when ``fit`` gets a frame or an array.

    Examples
    --------
    >>> from anonnb import load
    >>> from sklearn.model_selection import cross_val_score
    >>> frame = load("iris").frame
    >>> bool(cross_val_score(FRNN(), frame.drop(columns="class"), frame["class"], cv=5).mean() > 0.9)
    True
    >>> X = np.array([[0], [1], [9]])
    >>> near = FRNN(k=1).fit(X, ["a", "a", "b"])
    >>> near.predict(X).tolist(), near.predict_proba(X).round(2).tolist()
    (['a', 'a', 'b'], [[1.0, 0.0], [0.94, 0.06], [0.06, 0.94]])
    >>> [degrees.round(2).tolist() for degrees in near.memberships(X)]
    [[[1.0, 0.0], [0.89, 0.0], [0.0, 0.89]], [[1.0, 0.0], [1.0, 0.11], [0.11, 1.0]]]
    """

    def __init__(
        self,
        k: int = 20,
        *,
        weights: str = "linear",
        similarity: str = "range",
        join: str = "mean",
        kinds: Mapping[str, str] | None = None,
        orders: Mapping[str, Sequence] | None = None,
    ):
        self.k = k
        self.weights = weights
        self.similarity = similarity
        self.join = join
        self.kinds = kinds
        self.orders = orders

    def fit(self, X: Any, y: Any = None) -> FRNN:
        """Remember the training rows.

        Parameters
        ----------
        X:
            A table with a decision, or a frame or an array.
        """
        self._check()
        table = self.training_table(X, y)
        if table.decision is None:
            raise ValueError("fit needs a Table with a decision column, or y")
        if not len(table):
            raise ValueError("the table has no rows; FRNN cannot learn from nothing")
        codes, self.class_numbers_ = np.unique(table.codes(table.decision), return_inverse=True)
        attribute = table.attributes[table.decision]
        values = attribute.domain.tolist() + [None] * attribute.missing
        self.classes_ = np.array([values[code] for code in codes])
        if len(self.classes_) < 2:
            raise ValueError(f"the decision has one class only, {values[codes[0]]!r}; FRNN needs at least two classes")
        self.table_ = table.select(table.conditions)
        return self

    def memberships(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return the degrees to which rows belong to the lower and to the upper approximation (rows × classes each)."""
        check_is_fitted(self, "table_")
        table = self.known_table(X)
        lower, upper = (np.zeros((len(table), len(self.classes_))) for _ in range(2))
        scaled = [self._scaled(table, name) for name in self.table_.columns]
        step = max(PAIRS_AT_ONCE // len(self.table_), 1)
        for start in range(0, len(table), step):
            rows = slice(start, start + step)
            near = self._joined([known.alike(asked[rows]) for known, asked in scaled])
            for number in range(len(self.classes_)):
                inside = self.class_numbers_ == number
                upper[rows, number] = self._nearest(near[:, inside])
                lower[rows, number] = 1 - self._nearest(near[:, ~inside])
        return lower, upper

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the mean of both memberships of every class, divided by their sum (rows × classes)."""
        scores = np.mean(self.memberships(X), axis=0)
        total = scores.sum(axis=1, keepdims=True)
        return np.divide(scores, total, out=np.full_like(scores, 1 / scores.shape[1]), where=total > 0)

    def predict(self, X: Any) -> np.ndarray:
        """Return the class with the highest mean of both memberships; ties go to the first."""
        scores = np.sum(self.memberships(X), axis=0)
        return self.classes_[scores.argmax(axis=1)]

    def _check(self) -> None:
        if isinstance(self.k, bool) or not isinstance(self.k, int | np.integer) or self.k < 1:
            raise ValueError(f"k={self.k!r} is not possible; give a whole number of at least 1")
        if self.weights not in WEIGHTS:
            raise ValueError(f"weights={self.weights!r} is not known; use one of {', '.join(WEIGHTS)}")
        check_similarity(self.similarity)
        if self.join != "mean":
            t_norm(self.join)

    def _scaled(self, table: Table, name: str) -> tuple[Positions, np.ndarray]:
        """Return the positions of the training rows in one attribute, and those of the rows to classify."""
        if name not in table.columns:
            raise KeyError(f"the rows to classify have no column {name!r}, which training had; add it")
        known, kind = positions(self.table_, self.table_, name, self.similarity)
        return Positions(known, kind), positions(table, self.table_, name, self.similarity)[0]

    def _joined(self, parts: list[np.ndarray]) -> np.ndarray:
        return reduce(np.add, parts) / len(parts) if self.join == "mean" else reduce(t_norm(self.join), parts)

    def _nearest(self, near: np.ndarray) -> np.ndarray:
        """Return the weighted mean of the highest similarities."""
        k = min(self.k, near.shape[1])
        highest = -np.sort(-near, axis=1)[:, :k]
        if self.weights == "last":
            return highest[:, -1]
        falling = np.arange(k, 0, -1) if self.weights == "linear" else np.ones(k)
        return highest @ (falling / falling.sum())
