"""LEM2, AQ and CN2 as classifiers of scikit-learn, beside LERS, which classifies by the rules of MLEM2.

Idea: the rules of LEM2 and AQ vote as in LERS; those of CN2 decide as its authors say, the first that matches or the
sum of the class counts of all that match. All take a Table with a decision, or X and y.
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
from anonnb.tables.learning.estimator import TableEstimator
from anonnb.tables.table import Table


class LEM2(VotingRules):
    """Rules of :func:`lem2` that vote as in LERS.

    ``partial``, ``tie``, ``unclassified``, ``kinds`` and ``orders`` as in :class:`LERS`, but a tie goes to the most
    frequent class by default.

    >>> from anonnb import load
    >>> LEM2().fit(load("zoo")).score(load("zoo"))
    1.0
    """

    def _induce(self, table: Table) -> RuleSet:
        return lem2(table, approximation=self.approximation)


class AQ(VotingRules):
    """Rules of :func:`aq` that vote as in LERS; ``width`` is that of a star, the rest as in :class:`LEM2`.

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
    """Rules of :func:`cn2`: the first that matches decides, or with ``ordered=False`` all that match by their counts.

    Parameters as in :func:`cn2`; ``kinds`` and ``orders`` as for :class:`anonnb.Table`.

    >>> from anonnb import load
    >>> learner = CN2(significance=0.05).fit(load("iris"))
    >>> len(learner.rules_), round(learner.score(load("iris")), 3)
    (4, 0.96)
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
        """Induce rules from a Table with a decision, or from X and y."""
        table = self.training_table(X, y)
        options = ("ordered", "evaluation", "beam", "significance", "min_support", "max_conditions")
        self.rules_ = cn2(table, **{name: getattr(self, name) for name in options})
        self.classes_ = np.array(self.rules_.classes)
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """The share of every class among the training rows of the rules that decide."""
        check_is_fitted(self, "rules_")
        matches = self.rules_.matches(self.known_table(X))
        counts = self.rules_.info["distributions"].astype(float)
        if self.ordered:
            votes = counts[matches.argmax(axis=1)]  # the default rule matches every row
        else:
            matches[:, -1] = ~matches[:, :-1].any(axis=1)  # it speaks where no other does
            votes = matches @ counts
        return votes / votes.sum(axis=1, keepdims=True)

    def predict(self, X: Any) -> np.ndarray:
        """The class that the rules decide for; of equally likely ones the first."""
        chosen = self.predict_proba(X).argmax(axis=1)
        return self.classes_[chosen]

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The share of rows classified rightly; a Table brings its own y."""
        if y is None and isinstance(X, Table) and X.decision is not None:
            y = X[X.decision].to_numpy()
        return super().score(X, y, sample_weight)
