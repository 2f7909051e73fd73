"""LERS (Grzymala-Busse 1992): classify by a vote of the rules that match, as a scikit-learn classifier.

Idea: a class scores Σ strength × specificity over the rules that match fully and conclude it; where none does, over
those that match in part, times the share of conditions met. An imprecise rule votes for each class in its conclusion.
Reading: a tie is a failure to classify, unless ``tie`` says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import ClassifierMixin
from sklearn.exceptions import NotFittedError

from anonnb.rules.induction.imprecise import imprecise_rules
from anonnb.rules.induction.mlem2 import mlem2
from anonnb.rules.induction.rule_set import RuleSet
from anonnb.tables.table import Table
from anonnb.tables.table_estimator import TableEstimator

TIES = ("fail", "first", "majority")
BLOCK = 4_000_000  # entries of rows × rules that are held at once


class VotingRules(ClassifierMixin, TableEstimator):
    """Classifiers whose rules vote as in LERS; ``_induce`` makes the rules.

    :class:`LERS` explains the parameters.
    """

    rules: RuleSet | None = None

    def __init__(
        self,
        *,
        approximation: str = "lower",
        partial: bool = True,
        tie: str = "majority",
        unclassified: Any = None,
        kinds: Mapping[str, str] | None = None,
        orders: Mapping[str, Sequence] | None = None,
    ):
        self.approximation = approximation
        self.partial = partial
        self.tie = tie
        self.unclassified = unclassified
        self.kinds = kinds
        self.orders = orders

    def fit(self, X: Table | pd.DataFrame | np.ndarray, y: Any = None) -> Self:
        """Induce rules, unless they are given.

        Parameters
        ----------
        X:
            A table with a decision, or a frame or an array.
        y:
            The classes, if ``X`` is not a table.

        Examples
        --------
        >>> from anonnb import load
        >>> len(LERS().fit(load("decision6")).rules_)
        4
        """
        self._check()
        table = self.training_table(X, y)
        self.rules_ = self._induce(table) if self.rules is None else self.rules
        self.classes_ = np.array(self.rules_.classes)
        return self

    def _induce(self, table: Table) -> RuleSet:
        raise NotImplementedError(f"{type(self).__name__} has no way to induce rules")

    def scores(self, X: Table | pd.DataFrame | np.ndarray) -> np.ndarray:
        """Return the score of every class for every row.

        Returns
        -------
        numpy.ndarray
            Rows × classes, in the order of ``rules_.classes``.

        Examples
        --------
        >>> from anonnb import load
        >>> LERS().fit(load("decision6")).scores(load("decision6"))[0].tolist()
        [6.0, 0.0, 0.0]
        """
        rules = self._ready()
        table = self.known_table(X)
        votes = np.zeros((len(table), len(rules.classes)))
        if not len(rules):
            return votes
        weight = np.array([rule.strength * rule.specificity for rule in rules], dtype=float)
        ballots = weight[:, None] * rules.concludes
        step = max(BLOCK // len(rules), 1)
        for start in range(0, len(table), step):
            rows = np.arange(start, min(start + step, len(table)))
            met = rules.conditions_met(table if step >= len(table) else table.take(rows))
            full = met == rules.sizes
            votes[rows] = full.astype(float) @ ballots
            if self.partial:
                lonely = np.flatnonzero(~full.any(axis=1))
                votes[rows[lonely]] = (met[lonely] / np.maximum(rules.sizes, 1)) @ ballots
        return votes

    def predict(self, X: Table | pd.DataFrame | np.ndarray) -> np.ndarray:
        """Return the class of every row; ``unclassified`` where a tie leaves none.

        >>> from anonnb import load
        >>> LERS().fit(load("decision6")).predict(load("decision6")).tolist()
        ['high', 'high', 'low', 'medium', 'low', 'high']
        """
        numbers = self._winners(X)
        classes = self._ready().classes
        if (numbers >= 0).all():
            return np.array(classes)[numbers] if len(numbers) else np.array(classes)[:0]
        answers = np.empty(len(numbers), dtype=object)
        answers[:] = [self.unclassified if number < 0 else classes[number] for number in numbers]
        same_type = all(isinstance(value, type(self.unclassified)) for value in classes)
        return np.array(answers.tolist()) if same_type else answers

    def score(self, X: Table | pd.DataFrame | np.ndarray, y: Any = None, sample_weight: Any = None) -> float:
        """Return the share of rows classified correctly; unclassified rows are wrong.

        Parameters
        ----------
        X:
            Rows with the columns of the training rows; a table brings its own classes.
        y:
            The classes, if ``X`` is not a table.

        Examples
        --------
        >>> from anonnb import load
        >>> LERS().fit(load("decision6")).score(load("decision6"))
        1.0
        """
        if y is None:
            if not isinstance(X, Table) or X.decision is None:
                raise ValueError("score needs y, or a Table with a decision column")
            y = X[X.decision]
        numbers = self._winners(X)
        number_of = {value: number for number, value in enumerate(self._ready().classes)}
        truth = np.array([number_of.get(value, -2) for value in np.asarray(y).tolist()])
        return float(np.average(numbers == truth, weights=sample_weight)) if len(truth) else float("nan")

    # ---- inner workings ---------------------------------------------------------------------------------------

    def _winners(self, X: Any) -> np.ndarray:
        """Return the number of the winning class of every row, -1 where there is none."""
        self._check()
        votes = self.scores(X)
        best = votes.max(axis=1, initial=0)
        leads = np.isclose(votes, best[:, None], rtol=1e-9, atol=0)
        tied = (leads.sum(axis=1) > 1) | (best == 0)
        if self.tie == "majority":
            return np.where(leads, np.array(self._ready().class_counts) + 1, 0).argmax(axis=1)
        return np.where(tied & (self.tie == "fail"), -1, leads.argmax(axis=1))

    def _check(self) -> None:
        if self.tie not in TIES:
            raise ValueError(f"tie={self.tie!r} is not known; use 'fail', 'first' or 'majority'")
        if self.rules is not None and not isinstance(self.rules, RuleSet):
            raise TypeError(f"rules must be a RuleSet, not {type(self.rules).__name__}; give a table to fit instead")

    def _ready(self) -> RuleSet:
        rules = getattr(self, "rules_", self.rules)
        if rules is None:
            raise NotFittedError(f"this {type(self).__name__} has no rules yet; call fit first, or give rules to LERS")
        return rules

    def __sklearn_is_fitted__(self) -> bool:
        return getattr(self, "rules_", self.rules) is not None


class LERS(VotingRules):
    """The LERS classifier.

    ``fit`` takes a table with a decision, or X and y (frames or arrays). A category that training did not see satisfies
    no condition; a class that training did not see is never predicted, so its rows count as wrong.

    Parameters
    ----------
    rules:
        A RuleSet to classify with; then ``fit`` is not needed. None: ``fit`` induces rules.
    imprecise:
        Also induce rules for unions of classes (:func:`imprecise_rules`), not only for classes (:func:`mlem2`).
    k:
        Keep only rules that at least k training rows support.
    partial:
        If no rule matches fully, let rules vote that match in part.
    tie:
        What to do when several classes share the highest score, or none scores: ``"fail"`` (the row stays unclassified,
        which :meth:`score` counts as wrong), ``"first"`` (the first of them in class order) or ``"majority"`` (the one
        with the most training rows).
    unclassified:
        What ``predict`` returns for a row that stays unclassified. Scorers other than :meth:`score` may need a label of
        the same type as the classes here, or another ``tie``.
    kinds, orders:
        Kinds and orders of the columns, as for :class:`anonnb.Table`, when ``fit`` gets a frame or an array.

    Examples
    --------
    >>> from anonnb import load
    >>> table = load("iris")
    >>> classifier = LERS().fit(table)
    >>> round(classifier.score(table), 3), len(classifier.rules_)
    (1.0, 8)
    >>> from sklearn.model_selection import cross_val_score
    >>> frame = table.frame
    >>> bool(cross_val_score(LERS(), frame.drop(columns="class"), frame["class"], cv=3).mean() > 0.85)
    True
    """

    def __init__(
        self,
        rules: RuleSet | None = None,
        *,
        imprecise: bool = False,
        k: int | None = None,
        max_classes: int | None = None,
        approximation: str = "lower",
        partial: bool = True,
        tie: str = "fail",
        unclassified: Any = None,
        kinds: Mapping[str, str] | None = None,
        orders: Mapping[str, Sequence] | None = None,
    ):
        voting = {"approximation": approximation, "partial": partial, "tie": tie, "unclassified": unclassified}
        super().__init__(**voting, kinds=kinds, orders=orders)
        self.rules = rules
        self.imprecise = imprecise
        self.k = k
        self.max_classes = max_classes

    def _induce(self, table: Table) -> RuleSet:
        if self.imprecise:
            return imprecise_rules(table, self.k, max_classes=self.max_classes, approximation=self.approximation)
        rules = mlem2(table, approximation=self.approximation)
        return rules if self.k is None else rules.filter(min_support=self.k)
