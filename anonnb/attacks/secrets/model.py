"""Attribute inference by a model: learn the secret from the published rows, then predict it for everybody.

The inference attack of Anonymeter (Giomi et al. 2023), TAPAS (Houssiau et al. 2022) and Annamalai et al. (2024). A good
model predicts outsiders as well, so only the excess over them says what the release tells about its own people.
Reading: a published cell becomes numbers as in ``utility.analysis``, a number as the mean of its set and a category as
the share of each value in its set. A row whose secret is a set of values is there eight times, each time with a value
drawn by its share.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from anonnb.attacks import register
from anonnb.attacks.matching.candidates import has_secret, known_columns
from anonnb.attacks.matching.step_texts import FEW, most_exposed, one_line
from anonnb.attacks.result import SecretResult
from anonnb.attacks.secrets.secret_attack import SecretAttack, people_result
from anonnb.attacks.secrets.skewness import believed
from anonnb.core.arrays import first_places, group_ids
from anonnb.core.parameters.compound import Instance, Names, Optional
from anonnb.core.parameters.constraints import SEED, SHARE, Name
from anonnb.core.parameters.declared import parameter
from anonnb.core.wording import pluralize
from anonnb.steps.recording import listening, note
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.utility.readings import ReadColumn, Scale

MAX_CLASSES = 20  # of the model: a secret with more values is predicted as ranges of numbers or as its common values
MAX_ROWS = 100_000  # published rows that a model is trained on; of more, so many are drawn
DRAWS = 8  # of a value for each row whose secret is a set of values
CATEGORIES = 32  # values of a category that the model tells apart; the rarest share the last
TREES = 400  # of boosting, over all classes: 20 to 100 rounds
AT_ONCE = 50_000  # people who are predicted at once
LARGEST = 1e6  # standard deviations from the mean, which a number of 32 bits can hold

# several secrets are predicted for the members before the control asks for them again
_MODELS: WeakKeyDictionary[Release, dict[tuple, SecretModel]] = WeakKeyDictionary()


class _Classifier(Instance):
    """Anything that can be trained, and predicts probabilities."""

    def _is_one(self, value: object) -> bool:
        return not isinstance(value, type) and hasattr(value, "fit") and hasattr(value, "predict_proba")


@register
@dataclass(frozen=True)
class ModelAttack(SecretAttack):
    """Train a classifier on the published rows, and guess the secret that it predicts.

    Parameters
    ----------
    estimator:
        A classifier of scikit-learn or one like it, with ``fit`` and ``predict_proba``; a copy of it is trained. By
        default histogram gradient boosting with 20 to 100 rounds, fewer if the secret has many values.
    known:
        The columns that the attacker knows, without the secret itself (the whole quasi-identifier by default).
    column:
        The secret (by default every sensitive column, each with a model of its own).
    belief:
        The attacker is sure of a guess whose predicted probability is at least this, and higher than the share of the
        value in the release. The probability is the model's own: nobody has calibrated it.
    seed:
        Of the default classifier, and of the draws among the published values of a secret.

    Notes
    -----
    A secret with more than 20 values is predicted in 20 classes: ranges with equally many rows for numbers and ordered
    values, otherwise the 19 most common values and all others. The guess is then the most common value of a class, and
    its belief is the probability of the class times the share of the value in it. Rows without a secret are not used,
    and of more than 100,000 rows so many are drawn.

    Examples
    --------
    >>> import anonnb
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> result = ModelAttack(DecisionTreeClassifier()).run(Release.of(anonnb.load("decision6")))
    >>> result.kind, result.success, result.sure
    ('secret', 1.0, 6.0)

    Guarantees
    ----------
    tested:
        Guesses and beliefs are those of the same classifier trained on plain columns of an exact release. On a secret
        that follows from the known columns the attack is right about outsiders too, and on one that is independent of
        them it is no better than the best constant guess. 200 releases that say nothing about the people attacked: the
        interval of the excess covers 0 in at least 93 %.
    heuristic:
        A better model may predict more. The probability above which the attacker is sure is the model's own, and models
        are often too confident about rows that they were trained on.
    paper:
        M. Giomi, F. Boenisch, C. Wehmeyer and B. Tasnádi, A unified framework for quantifying privacy risk in synthetic
        data, PoPETs 2023; F. Houssiau et al., TAPAS: a toolbox for adversarial privacy auditing of synthetic data,
        2022; M. Annamalai, A. Gadotti and L. Rocher, A linear reconstruction approach for attribute inference attacks
        against synthetic data, USENIX Security 2024.
    """

    by_default: ClassVar[bool] = False  # a model for every release takes seconds

    estimator: Any = parameter(
        Optional(
            _Classifier(object, "a classifier with fit and predict_proba", advice="give an object, not its class")
        ),
        default=None,
    )
    known: Sequence[str] | None = parameter(Optional(Names()), default=None)
    column: str | None = parameter(Optional(Name()), default=None)
    belief: float = parameter(SHARE, default=0.9)
    seed: int = parameter(SEED, default=0)

    def _secrets(self, release: Release, people: Table, names: Sequence[str]) -> dict[str, SecretResult]:
        return {name: self._on(release, people, name) for name in names}

    def _on(self, release: Release, people: Table, secret: str) -> SecretResult:
        """Return the result for one secret; its targets have a line per combination of known values."""
        known = [name for name in known_columns(self.known, release, people) if name != secret]
        if not known:
            raise ValueError(
                f"the attacker knows nothing besides the secret {secret!r}; name further columns: known=[…]"
            )
        models = _MODELS.setdefault(release, {})
        key = self, secret, tuple(known)
        if key not in models:
            models[key] = SecretModel(release, known, secret, self.estimator, self.seed)
        model = models[key]
        codes, sizes = zip(*((people.codes(name), people.attributes[name].size) for name in known), strict=True)
        case, n_cases = group_ids(codes, sizes)
        cases = people.take(first_places(case, n_cases))
        guess, belief = model.predict(cases)
        sure = believed(belief, np.append(model.shares, 0.0)[guess], self.belief)
        truth = people.attributes[secret].recode_to(model.attribute)[people.codes(secret)]
        right, counted = (truth >= 0) & (guess[case] == truth), has_secret(people, secret)

        def lines() -> pd.DataFrame:
            hits, tried = (np.bincount(case[flags], minlength=n_cases) for flags in (right & counted, counted))
            labels = np.array([*model.attribute.labels, ""], dtype=object)
            guesses = {"guess": labels[guess], "belief": belief, "sure": sure}
            people_per_case = np.bincount(case, minlength=n_cases)
            shares = {"right": hits, "score": hits / np.maximum(tried, 1)}
            return pd.DataFrame({"known": _known_texts(cases, known), "people": people_per_case, **guesses, **shares})

        if listening():
            _record(release, cases, model, lines(), self.belief)
        info = {"classes": len(model.best), "training rows": model.n_rows}
        beliefs = {"belief": belief[case], "sure": sure[case]}
        return people_result(self, people, secret, counted=counted, right=right, targets=lines, info=info, **beliefs)


class SecretModel:
    """A model of one secret, trained on the rows of a release.

    ``shares`` is how common each value of the secret is in the rows used, and ``best`` the most common value of each
    class that the model predicts.

    Examples
    --------
    >>> import anonnb
    >>> table = anonnb.load("decision6")
    >>> model = SecretModel(Release.of(table), ["sex", "occupation"], "evaluation")
    >>> model.n_rows, len(model.best), model.shares.round(2).tolist()
    (6, 3, [0.5, 0.33, 0.17])
    """

    def __init__(self, release: Release, known: Sequence[str], secret: str, estimator: Any = None, seed: int = 0):
        random = np.random.default_rng(seed)
        self.known, self.attribute = known, release.columns[secret].attribute
        rows, values = _drawn_values(release, secret, random)
        counts = np.bincount(values, minlength=self.attribute.size)
        self.shares = counts / max(len(rows), 1)
        of_value, self.best = _classes(counts, ordered=self.attribute.kind != "nominal")
        totals = np.bincount(of_value[values], minlength=len(self.best))
        self._within = counts[self.best] / np.maximum(totals, 1)
        if len(rows) > MAX_ROWS:
            some = np.sort(random.choice(len(rows), MAX_ROWS, replace=False))
            rows, values = rows[some], values[some]
        self.n_rows = len(np.unique(rows))
        self._scales = {name: Scale(column.attribute, column.expected_counts(), CATEGORIES)
                        for name in known for column in [release.columns[name]]}  # fmt: skip
        self._fitted = None
        if len(self.best) > 1:
            self._fitted = _trained(estimator, self._published(release, rows), of_value[values], seed)

    def predict(self, people: Table) -> tuple[np.ndarray, np.ndarray]:
        """Return the guessed value of each person as a code of the published column, and the belief in it.

        If nothing can be learnt, the most common value is guessed; -1 if no secret is published at all.
        """
        if self._fitted is None:
            value = int(self.best[0]) if len(self.best) else -1
            return np.full(len(people), value), np.full(len(people), 1.0 if len(self.best) else 0.0)
        guess, belief = np.empty(len(people), dtype=np.int64), np.empty(len(people))
        for start in range(0, len(people), AT_ONCE):
            some = slice(start, start + AT_ONCE)
            chances = np.zeros((len(guess[some]), len(self.best)))
            with _one_thread():
                chances[:, self._fitted.classes_] = self._fitted.predict_proba(self._of_people(people, some))
            chances *= self._within
            guess[some], belief[some] = self.best[chances.argmax(axis=1)], chances.max(axis=1)
        return guess, np.clip(belief, 0.0, 1.0)

    def _published(self, release: Release, rows: np.ndarray) -> np.ndarray:
        """Return the cells of some rows as numbers, read as an analyst reads them."""
        parts = []
        for name, scale in self._scales.items():
            read = ReadColumn(release.columns[name], scale, "uniform")
            if scale.is_number:
                numbers = _with_flag(read.numbers[0])
            else:
                numbers = read.shares(scale.bins(read.column.attribute), scale.n_bins)
            parts.append(numbers.astype(np.float32)[read.index[rows]])
        return np.concatenate(parts, axis=1)

    def _of_people(self, people: Table, some: slice) -> np.ndarray:
        """Return what is known about some people as the same numbers."""
        parts = []
        for name, scale in self._scales.items():
            attribute = people.attributes[name]
            if scale.is_number:
                numbers = _with_flag(scale.in_units(scale.numbers_of(attribute)))
            else:
                numbers = np.eye(scale.n_bins)[scale.bins(attribute)]
            parts.append(numbers.astype(np.float32)[people.codes(name)[some]])
        return np.concatenate(parts, axis=1)


def _with_flag(numbers: np.ndarray) -> np.ndarray:
    """Return numbers and whether each is known; an unknown one is the mean, which is 0."""
    known = ~np.isnan(numbers)
    return np.column_stack([np.where(known, np.clip(numbers, -LARGEST, LARGEST), 0.0), known])


def _trained(estimator: Any, features: np.ndarray, classes: np.ndarray, seed: int) -> Any:
    """Return a copy of the estimator, or gradient boosting, trained on the rows."""
    from sklearn.base import clone
    from sklearn.ensemble import HistGradientBoostingClassifier

    if estimator is None:
        rounds = int(np.clip(TREES // (classes.max() + 1), 20, 100))
        estimator = HistGradientBoostingClassifier(max_iter=rounds, early_stopping=False, random_state=seed)
    with _one_thread():
        return clone(estimator).fit(features, classes)


def _one_thread() -> AbstractContextManager:
    """Use one thread: several that wait for each other take longer, unless the table is huge."""
    from threadpoolctl import threadpool_limits

    return threadpool_limits(1)


def _drawn_values(release: Release, secret: str, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return published rows and a value of the secret for each; rows that say nothing about it are left out.

    A row whose secret is a set of values is there several times, each time with a value drawn by its share.
    """
    from scipy.sparse import csr_array

    column = release.columns[secret]
    if column.is_exact() and release.secrets is None:
        values = column.sets.lo[column.index].astype(np.int64)
        rows = np.flatnonzero(values != column.attribute.missing_code)
        return rows, values[rows]
    index, weights = release.says(secret)
    weights = csr_array(weights)
    ends = np.concatenate([[0.0], np.cumsum(weights.data)])
    low, high = ends[weights.indptr[:-1]], ends[weights.indptr[1:]]
    rows = np.flatnonzero(high[index] > low[index])
    rows = np.repeat(rows, max(min(DRAWS, MAX_ROWS // max(len(rows), 1)), 1))
    low, high = low[index[rows]], high[index[rows]]
    drawn = np.searchsorted(ends, low + (high - low) * random.random(len(rows)), side="right") - 1
    return rows, weights.indices[np.minimum(drawn, len(weights.indices) - 1)].astype(np.int64)


def _classes(counts: np.ndarray, ordered: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the class of each value, and the most common value of each class; common classes come first.

    >>> [part.tolist() for part in _classes(np.array([1, 0, 5]), ordered=False)]
    [[1, 2, 0], [2, 0]]
    """
    occurs, of_value = np.flatnonzero(counts), np.full(len(counts), len(counts))
    if len(occurs) <= MAX_CLASSES:
        of_value[occurs] = np.arange(len(occurs))
    elif ordered:
        middle = np.cumsum(counts[occurs]) - counts[occurs] / 2
        of_value[occurs] = np.unique((middle / counts.sum() * MAX_CLASSES).astype(int), return_inverse=True)[1]
    else:
        order = occurs[np.argsort(-counts[occurs], kind="stable")]
        of_value[order] = np.minimum(np.arange(len(order)), MAX_CLASSES - 1)
    by_count = occurs[np.argsort(-counts[occurs], kind="stable")]
    kept, first = np.unique(of_value[by_count], return_index=True)
    order = np.argsort(first)
    rank = np.full(len(counts) + 1, len(kept))
    rank[kept[order]] = np.arange(len(kept))
    return rank[of_value], by_count[first[order]]


def _known_texts(people: Table, known: Sequence[str]) -> list[str]:
    """Describe what the attacker knows about each person."""
    labels = [np.array(people.attributes[name].labels, dtype=object)[people.codes(name)] for name in known]
    return [
        " and ".join(f"{name} = {label}" for name, label in zip(known, row, strict=True))
        for row in zip(*labels, strict=True)
    ]


def _record(release: Release, cases: Table, model: SecretModel, lines: pd.DataFrame, threshold: float) -> None:
    """Record what the model was trained on, and the predictions that it is most certain of."""
    secret = one_line(model.attribute.name)
    classes = pd.DataFrame(
        {"share": model.shares[model.best]},
        pd.Index(np.array(model.attribute.labels, dtype=object)[model.best], name=secret),
    )
    sentence = (
        f"Train a classifier on {pluralize(model.n_rows, 'published row')} to predict {secret} from "
        f"{one_line(', '.join(model.known))}, in {pluralize(len(model.best), 'class', 'classes')}"
    )
    note("Train a model", f"{sentence}.", release, classes)
    for case in most_exposed(lines["belief"].to_numpy(), FEW):
        line = lines.iloc[case]
        verdict = f"sure, as that is at least {threshold:g} and more than its share" if line["sure"] else "not sure"
        person = one_line(cases.index[case])
        sentence = (
            f"Person {person} has {one_line(line['known'])}: the model predicts {one_line(line['guess'])} with a "
            f"probability of {line['belief']:.3g}, so the attacker guesses it and is {verdict}."
        )
        chosen = [line["guess"]] if line["sure"] else ()
        belief = pd.DataFrame({"belief": [line["belief"]]}, pd.Index([line["guess"]], name=secret))
        note(f"Predict {secret} of person {person}", sentence, cases.take(np.array([case])).frame, belief, chosen)
