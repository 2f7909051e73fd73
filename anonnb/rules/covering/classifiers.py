"""LEM2, AQ and CN2 as scikit-learn classifiers, besides LERS, which classifies by the rules of MLEM2.

Idea: the rules of LEM2 and AQ vote as in LERS; those of CN2 decide as in the original papers: the first that matches,
or the sum of the class counts of all that match. All take a Table with a decision, or X and y.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from anonnb.rules.covering.aq import aq
from anonnb.rules.covering.cn2 import cn2
from anonnb.rules.covering.lem2 import lem2
from anonnb.rules.induction.lers import VotingRules
from anonnb.rules.induction.rule_set import RuleSet
from anonnb.tables.table import Table
from anonnb.tables.table_estimator import TableEstimator


class LEM2(VotingRules):
    """A classifier whose rules, induced by :func:`lem2`, vote as in LERS.

    Parameters
    ----------
    partial, tie, unclassified, kinds, orders:
        As for :class:`LERS`, but a tie goes to the most frequent class by default.

    Examples
    --------
    >>> from anonnb import load
    >>> LEM2().fit(load("zoo")).score(load("zoo"))
    1.0
    """

    def _induce(self, table: Table) -> RuleSet:
        return lem2(table, approximation=self.approximation)


class AQ(VotingRules):
    """A classifier whose rules, induced by :func:`aq`, vote as in LERS.

    Parameters
    ----------
    partial, tie, unclassified, kinds, orders:
        As for :class:`LERS`, but a tie goes to the most frequent class by default.

    Examples
    --------
    >>> from anonnb import load
    >>> AQ().fit(load("zoo")).score(load("zoo"))
    1.0
    """

    def __init__(
        self,
        width: int = 5,
        *,
        approximation: str = "lower",
        partial: bool = True,
        tie: str = "majority",
        unclassified: Any = None,
        kinds: Mapping[str, str] | None = None,
        orders: Mapping[str, Sequence] | None = None,
    ):
        voting = {"approximation": approximation, "partial": partial, "tie": tie, "unclassified": unclassified}
        super().__init__(**voting, kinds=kinds, orders=orders)
        self.width = width

    def _induce(self, table: Table) -> RuleSet:
        return aq(table, width=self.width, approximation=self.approximation)


class CN2(ClassifierMixin, TableEstimator):
    """A classifier with the rules of :func:`cn2`.

    The first rule that matches decides; with ``ordered=False`` all that match decide by their class counts.

    Parameters
    ----------
    kinds, orders:
        Kinds and orders of the columns, as for :class:`anonnb.Table`, when ``fit`` gets a frame or an array.

    Examples
    --------
    >>> from anonnb import load
    >>> iris = load("iris")
    >>> learner = CN2(significance=0.05).fit(iris)
    >>> len(learner.rules_), round(learner.score(iris), 3)
    (4, 0.96)
    >>> learner.predict(iris)[:2].tolist(), learner.predict_proba(iris)[0].round(2).tolist()
    (['Iris-setosa', 'Iris-setosa'], [1.0, 0.0, 0.0])
    """

    def __init__(
        self,
        *,
        ordered: bool = True,
        evaluation: str = "laplace",
        beam: int = 5,
        significance: float = 1.0,
        min_support: int = 1,
        max_conditions: int | None = None,
        kinds: Mapping[str, str] | None = None,
        orders: Mapping[str, Sequence] | None = None,
    ):
        self.ordered = ordered
        self.evaluation = evaluation
        self.beam = beam
        self.significance = significance
        self.min_support = min_support
        self.max_conditions = max_conditions
        self.kinds = kinds
        self.orders = orders

    def fit(self, X: Any, y: Any = None) -> CN2:
        """Induce rules."""
        table = self.training_table(X, y)
        options = ("ordered", "evaluation", "beam", "significance", "min_support", "max_conditions")
        self.rules_ = cn2(table, **{name: getattr(self, name) for name in options})
        self.classes_ = np.array(self.rules_.classes)
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the share of every class among the training rows of the rules that decide."""
        check_is_fitted(self, "rules_")
        matches = self.rules_.matches(self.known_table(X))
        counts = self.rules_.info["distributions"].astype(float)
        if self.ordered:
            votes = counts[matches.argmax(axis=1)]  # the default rule matches every row
        else:
            matches[:, -1] = ~matches[:, :-1].any(axis=1)  # it decides where no other matches
            votes = matches @ counts
        return votes / votes.sum(axis=1, keepdims=True)

    def predict(self, X: Any) -> np.ndarray:
        """Return the class for which the rules decide; ties go to the first."""
        chosen = self.predict_proba(X).argmax(axis=1)
        return self.classes_[chosen]

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Return the share of rows classified correctly.

        Parameters
        ----------
        X:
            Rows with the columns of the training rows; a table brings its own classes.
        """
        if y is None and isinstance(X, Table) and X.decision is not None:
            y = X[X.decision].to_numpy()
        return super().score(X, y, sample_weight)
