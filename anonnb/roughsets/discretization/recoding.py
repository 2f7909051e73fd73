"""Discretized tables: every numeric column as a few intervals, or with these intervals as its hierarchy.

A discretized column is ordinal and holds the labels of its intervals, so that every method, measure and inducer takes
the table; a hierarchy leaves the values as they are and lets generalizing methods publish the intervals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from anonnb.core import remedies
from anonnb.core.errors import Message, advice
from anonnb.roughsets.discretization.cuts import CutPoints, NumericColumn, equal_frequency, equal_width
from anonnb.roughsets.discretization.maximal_discernibility import maximal_discernibility
from anonnb.roughsets.discretization.mdlp import mdlp
from anonnb.tables.attribute import Attribute, preview
from anonnb.tables.table import Table
from anonnb.tables.table_estimator import TableEstimator, as_frame

WITHOUT_CLASSES = {"equal_width": equal_width, "equal_frequency": equal_frequency}
METHODS = (*WITHOUT_CLASSES, "mdlp", "maximal_discernibility")


def discretize(
    table: Table,
    method: str = "mdlp",
    *,
    attributes: Sequence[str] | None = None,
    bins: int = 5,
    share: float = 1.0,
    as_hierarchy: bool = False,
) -> Table:
    """Cut the numeric columns of a table into intervals.

    A discretized column is ordinal; a column without a cut has the single value "any value". Missing values stay
    missing. ``steps.of(discretize, table)`` shows the choices of MDLP and of maximal discernibility.

    Parameters
    ----------
    method:
        ``"equal_width"`` and ``"equal_frequency"`` make ``bins`` intervals and ignore the decision; ``"mdlp"`` (Fayyad
        and Irani 1993) cuts a column where its classes change; ``"maximal_discernibility"`` (Nguyen 2001) takes few
        cuts over all columns that keep rows of different classes distinct.
    attributes:
        The columns to cut; all numeric condition attributes by default.
    bins:
        The most intervals that the two methods without a decision make.
    share:
        The share of the pairs of rows that maximal discernibility must separate; less than 1 takes fewer cuts.
    as_hierarchy:
        Keep the values and attach the intervals as hierarchies: level 1 has all cuts, each further level the heavier
        half of them, the top none. Generalizing methods then publish these intervals.

    Examples
    --------
    >>> from anonnb import load
    >>> discretize(load("iris")).attributes["petal_width"].labels
    ['<0.8', '[0.8,1.75)', '>=1.75']
    >>> discretize(load("iris"), as_hierarchy=True).attributes["petal_width"].levels.labels[1:]
    [['<0.8', '[0.8,1.75)', '>=1.75'], ['<0.8', '>=0.8'], ['*']]
    """
    chosen = chosen_cuts(table, method, attributes=attributes, bins=bins, share=share)
    if as_hierarchy:
        return table.recoded(hierarchies={name: cuts.hierarchy() for name, cuts in chosen.items()})
    return recoded(table, chosen)


def cut_points(
    table: Table, method: str = "mdlp", *, attributes: Sequence[str] | None = None, bins: int = 5, share: float = 1.0
) -> dict[str, list]:
    """Return the cuts of every column in ascending order; the arguments are those of :func:`discretize`.

    >>> from anonnb import load
    >>> cut_points(load("iris"))["sepal_length"]
    [5.55, 6.15]
    """
    chosen = chosen_cuts(table, method, attributes=attributes, bins=bins, share=share)
    return {name: list(cuts.points) for name, cuts in chosen.items()}


def chosen_cuts(
    table: Table, method: str, *, attributes: Sequence[str] | None, bins: int, share: float
) -> dict[str, CutPoints]:
    """Return the cuts of every column with their weights."""
    if method not in METHODS:
        raise ValueError(f"method={method!r} is not known; use one of {', '.join(METHODS)}")
    names = _numeric(table, attributes)
    _check_numbers(bins, share)
    if method in WITHOUT_CLASSES:
        return {name: WITHOUT_CLASSES[method](NumericColumn.of(table, name), bins) for name in names}
    table, decision = _classified(table, method)
    classes = table.codes(decision)
    columns = [NumericColumn.of(table, name) for name in names]
    if method == "mdlp":
        return {column.name: mdlp(column, classes, table.attributes[decision].labels) for column in columns}
    others = [table.codes(name) for name in table.conditions if name not in names]
    return maximal_discernibility(columns, others, classes, share)


def recoded(table: Table, cuts: dict[str, CutPoints]) -> Table:
    """Return the table with the named columns as labels of the intervals between their cuts."""
    attributes, codes = dict(table.attributes), {name: table.codes(name) for name in table.columns}
    for name, points in cuts.items():
        if attributes[name].limit is not None:
            raise ValueError(
                f"column {name!r} has a limit, a level of a hierarchy that its intervals do not have; "
                "discretize the table first and set limits afterwards"
            )
        attributes[name], interval = _interval_attribute(attributes[name], points)
        codes[name] = interval[codes[name]]
    return table._same_rows(attributes, codes, table._roles)


def _interval_attribute(attribute: Attribute, cuts: CutPoints) -> tuple[Attribute, np.ndarray]:
    """Return the attribute of the interval labels, and for each old code the new one."""
    intervals = cuts.places(attribute.domain)
    labels = pd.Index(cuts.labels)
    used, codes = np.unique(intervals, return_inverse=True)
    made = Attribute(
        attribute.name,
        "ordinal",
        labels.take(used),
        attribute.missing,
        cuts.hierarchy_of_labels(),
        weight=attribute.weight,
    )
    return made, np.append(codes, [len(used)] * attribute.missing).astype(np.int32)


def _numeric(table: Table, attributes: Sequence[str] | None) -> list[str]:
    if attributes is None:
        return [name for name in table.conditions if table.attributes[name].kind == "numeric"]
    names = [attributes] if isinstance(attributes, str) else list(attributes)
    for name in names:
        if name not in table.columns:
            raise KeyError(f"attributes: there is no column {name!r}; the columns are {preview(table.columns, 20)}")
        if name == table.decision:
            raise ValueError(f"attributes: {name!r} is the decision; name columns that help to describe it")
        kind = table.attributes[name].kind
        if kind != "numeric":
            raise ValueError(f"attributes: column {name!r} is {kind}; only numbers and dates are cut into intervals")
    return names


def _check_numbers(bins: int, share: float) -> None:
    if isinstance(bins, bool) or not isinstance(bins, int | np.integer) or bins < 2:
        raise ValueError(f"bins={bins!r} is not possible; give a whole number of at least 2")
    if not isinstance(share, int | float | np.number) or not 0 < share <= 1:
        raise ValueError(f"share={share!r} is not possible; give a number above 0 and at most 1")


def _classified(table: Table, method: str) -> tuple[Table, str]:
    """Return the rows that have a class, and the name of the decision."""
    decision = table.decision
    if decision is None:
        other = ", or use method='equal_width' or method='equal_frequency'"
        name_it = advice("; name a decision with ", remedies.role("decision"), tail=other)
        raise ValueError(Message(f"method={method!r} needs the classes of the rows", name_it))
    missing = table.attributes[decision].missing_code
    return table if missing < 0 else table.take(table.codes(decision) != missing), decision


# ---- for scikit-learn ------------------------------------------------------------------------------------------------
# Discretizer: the cuts of a training set as a scikit-learn transformer, for pipelines and cross-validation.
#
# Idea: cuts are learnt from the training rows only and then applied to any row, so that a score is honest.


class Discretizer(OneToOneFeatureMixin, TransformerMixin, TableEstimator):
    """Cut numeric columns into intervals, as :func:`discretize` does.

    After ``fit``, ``cuts_`` maps every numeric column to its cuts.

    Parameters
    ----------
    method, bins, share:
        As for :func:`discretize`.

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
        y:
            The classes of the rows; methods that ignore classes do not need them.
        """
        if y is None and not isinstance(X, Table) and not self._needs_classes:
            y = np.zeros(len(as_frame(X)), dtype=np.int64)  # one class for all, which is never used
        table = self.training_table(X, y)
        cuts = chosen_cuts(table, self.method, attributes=None, bins=self.bins, share=self.share)
        self.cuts_: dict[str, CutPoints] = cuts
        return self

    @property
    def _needs_classes(self) -> bool:
        return self.method not in WITHOUT_CLASSES

    def transform(self, X: Any) -> pd.DataFrame | np.ndarray:
        """Replace numbers by their intervals; other columns stay as they are.

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
                **{name: np.where(result < 0, np.nan, result) for name, result in numbers.items()}
            ).to_numpy()
        labels = {name: cuts.labels for name, cuts in self.cuts_.items()}
        made = {name: pd.Categorical.from_codes(result, labels[name], ordered=True) for name, result in numbers.items()}
        return frame.assign(**made)


def _interval_numbers(column: pd.Series, cuts: CutPoints) -> np.ndarray:
    """Return the number of the interval of every value, -1 if it is missing."""
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
