"""TableEstimator: X and y of scikit-learn as a Table, with the checks that scikit-learn requires of an estimator.

Idea: columns of a frame keep their names and kinds, those of an array are called x0, x1, … Reading chosen: texts and
missing values are allowed; an estimator fitted with a frame needs the same columns later, one fitted with a Table finds
its columns by name.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d, validate_data

from anonnb.tables.attribute import Attribute
from anonnb.tables.table import Table


class TableEstimator(BaseEstimator):
    """Base of estimators that learn from a Table, or from X and y.

    A subclass may have the parameters ``kinds`` and ``orders``, as :class:`anonnb.Table` takes them.
    """

    kinds: Any = None
    orders: Any = None

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = tags.input_tags.categorical = tags.input_tags.allow_nan = True
        return tags

    def training_table(self, X: Any, y: Any = None) -> Table:
        """Return the rows to learn from; the estimator remembers their attributes.

        >>> TableEstimator().training_table([[1], [2]], ["a", "b"]).columns
        ['x0', 'class']
        """
        if isinstance(X, Table) and y is None:
            self.__dict__.pop("feature_names_in_", None)
            self._by_name, table = True, X
        else:
            frame = X.frame if isinstance(X, Table) else self._frame(X, reset=True)
            self._by_name, table = isinstance(X, Table), self._with_decision(frame, y)
        self.attributes_ = dict(table.attributes)
        self.n_features_in_ = len(table.conditions)
        return table

    def _with_decision(self, frame: pd.DataFrame, y: Any) -> Table:
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None; "
                "give y, or a Table with a decision column"
            )
        decision = getattr(y, "name", None) or "class"
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        if len(y) != len(frame):
            raise ValueError(f"y has {len(y)} entries, X has {len(frame)} rows; they must be as many")
        while decision in frame.columns:
            decision = f"{decision}_"
        frame = frame.assign(**{decision: np.asarray(y)})
        kinds = {decision: "nominal", **(self.kinds or {})}
        return Table(frame, decision=decision, kinds=kinds, orders=self.orders)

    def known_table(self, X: Any) -> Table:
        """Return rows as a table whose columns have the kinds seen in training.

        >>> estimator = TableEstimator()
        >>> _ = estimator.training_table([[1], [2]], ["a", "b"])
        >>> estimator.known_table([[3]]).attributes["x0"].kind
        'numeric'
        """
        if isinstance(X, Table):
            return X
        frame = as_frame(X) if getattr(self, "_by_name", True) else self._frame(X, reset=False)
        seen: dict[str, Attribute] = getattr(self, "attributes_", {})
        known = {name: seen[name].kind for name in frame.columns if name in seen}
        # an order may have more values here than in training; only their names count
        return Table(frame, kinds={name: "nominal" if kind == "ordinal" else kind for name, kind in known.items()})

    def _frame(self, X: Any, *, reset: bool) -> pd.DataFrame:
        frame = as_frame(X)
        validate_data(self, X, reset=reset, skip_check_array=True)  # names and number of the columns
        if not len(frame.columns):
            raise ValueError(f"X has 0 feature(s) (shape={frame.shape}) while a minimum of 1 is required.")
        if not len(frame):
            raise ValueError(f"X has 0 sample(s) (shape={frame.shape}) while a minimum of 1 is required.")
        return frame


def as_frame(X: Any) -> pd.DataFrame:
    """Return a frame as it is, and an array with columns called x0, x1, …

    >>> as_frame([[1, "a"], [2, "b"]]).dtypes.map(str).tolist()
    ['int64', 'str']
    """
    if isinstance(X, pd.DataFrame):
        return X
    if issparse(X):
        raise TypeError("X is sparse, but dense data is required; use X.toarray()")
    values = np.asarray(X) if not isinstance(X, list) else np.array(X, dtype=object)
    if values.ndim != 2:
        raise ValueError(
            f"X must have two dimensions, not {values.ndim}. Reshape your data to rows × columns, such as by "
            "X.reshape(-1, 1) for one column or X.reshape(1, -1) for one row"
        )
    if np.iscomplexobj(values):
        raise ValueError("Complex data not supported; give real and imaginary parts as two columns of X")
    return pd.DataFrame(values, columns=[f"x{number}" for number in range(values.shape[1])]).infer_objects()
