"""Discretizer: the cuts of a training set as a scikit-learn transformer, for pipelines and cross-validation.

Idea: cuts are learnt from the training rows only and then applied to any row, so that a score is honest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from anonnb.roughsets.discretization.cuts import CutPoints
from anonnb.roughsets.discretization.recoding import WITHOUT_CLASSES, chosen_cuts
from anonnb.tables.learning.estimator import TableEstimator, as_frame
from anonnb.tables.table import Table


class Discretizer(OneToOneFeatureMixin, TransformerMixin, TableEstimator):
    """Cuts numeric columns into intervals, as :func:`discretize` does.

    After ``fit``, ``cuts_`` maps every numeric column to its cuts.

    Parameters
    ----------
    method, bins, share:
        As for :func:`discretize`.
    kinds, orders:
        Kinds and orders of the columns, as for :class:`anonnb.Table`.

    Examples
    --------
    >>> from anonnb import load
    >>> frame = load("iris").frame
    >>> cut = Discretizer().fit(frame.drop(columns="class"), frame["class"])
    >>> cut.transform(frame.drop(columns="class")).iloc[0].tolist()
    ['<5.55', '>=3.35', '<2.45', '<0.8']
    """

    def __init__(
        self,
        method: str = "mdlp",
        *,
        bins: int = 5,
        share: float = 1.0,
        kinds: Mapping[str, str] | None = None,
        orders: Mapping[str, Sequence] | None = None,
    ):
        self.method = method
        self.bins = bins
        self.share = share
        self.kinds = kinds
        self.orders = orders

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self._needs_classes
        tags.transformer_tags.preserves_dtype = []
        return tags

    def fit(self, X: Any, y: Any = None) -> Discretizer:
        """Choose cuts from training rows.

        Parameters
        ----------
        X:
            A frame or an array.
        y:
            The classes of the rows; methods that ignore classes do not need them.

        Returns
        -------
        Discretizer
            This object.
        """
        if y is None and not isinstance(X, Table) and not self._needs_classes:
            y = np.zeros(len(as_frame(X)), dtype=np.int64)  # one class for all, which is never used
        table = self.training_table(X, y)
        found = chosen_cuts(table, self.method, attributes=None, bins=self.bins, share=self.share)
        self.cuts_: dict[str, CutPoints] = found
        return self

    @property
    def _needs_classes(self) -> bool:
        return self.method not in WITHOUT_CLASSES

    def transform(self, X: Any) -> pd.DataFrame | np.ndarray:
        """Replace numbers by their intervals; other columns stay as they are.

        Parameters
        ----------
        X:
            A frame or an array with the columns of the training rows.

        Returns
        -------
        pandas.DataFrame or numpy.ndarray
            A frame with ordered categories in place of numbers, or an array with the numbers of the intervals, from 0.
        """
        check_is_fitted(self, "cuts_")
        frame = X.frame if isinstance(X, Table) else self._frame(X, reset=False)
        numbers = {name: _interval_numbers(frame[name], cuts) for name, cuts in self.cuts_.items()}
        if not isinstance(X, Table | pd.DataFrame):
            return frame.assign(
                **{name: np.where(found < 0, np.nan, found) for name, found in numbers.items()}
            ).to_numpy()
        labels = {name: cuts.labels for name, cuts in self.cuts_.items()}
        made = {name: pd.Categorical.from_codes(found, labels[name], ordered=True) for name, found in numbers.items()}
        return frame.assign(**made)


def _interval_numbers(column: pd.Series, cuts: CutPoints) -> np.ndarray:
    """The number of the interval of every value, -1 where it is missing."""
    numbers = np.zeros(len(column), dtype=np.int64)
    try:
        for point in cuts.points:
            numbers += (column >= point).to_numpy(dtype=bool, na_value=False)
    except TypeError:
        raise ValueError(
            f"column {column.name!r} was numeric when the cuts were chosen and now holds {column.dtype} values; "
            "give numbers or dates as before"
        ) from None
    return np.where(column.isna(), -1, numbers)
