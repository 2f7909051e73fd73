"""Jobs of rule learners: wittgenstein and imodels (learners.txt), and Orange's CN2 (orange.txt), without anonnb.

The folds lie in the folder as ``train-0.csv``, ``test-0.csv`` and so on; the last column is the class.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from child import Work

Parts = list[tuple[pd.DataFrame, pd.DataFrame]]


def folds_of(folder: str) -> Parts:
    count = len(list(Path(folder).glob("train-*.csv")))
    read = lambda part, fold: pd.read_csv(Path(folder) / f"{part}-{fold}.csv")  # noqa: E731
    return [(read("train", fold), read("test", fold)) for fold in range(count)]


def over(parts: Parts, learn: Callable) -> Work:
    """``learn(train, test)`` gives the share that it gets right and its number of rules; all folds are timed."""

    def quality(found: list[tuple[float, float]]) -> dict[str, float]:
        right, rules = np.mean(found, axis=0)
        return {"accuracy": right, "rules": rules}

    rows = len(parts[0][0]) + len(parts[0][1])
    return Work(lambda: [learn(train, test) for train, test in parts], quality, rows=rows)


def one_against_the_rest(train: pd.DataFrame, test: pd.DataFrame, fit: Callable) -> tuple[float, float]:
    """``fit(given, is_it, asked)`` gives how sure it is of each asked row, and its rules; the surest class wins."""
    target = train.columns[-1]
    given, asked, truth = train.iloc[:, :-1], test.iloc[:, :-1], train[target].astype(str)
    classes = sorted(truth.unique())
    found = [fit(given, (truth == value).to_numpy(), asked) for value in classes]
    guessed = np.array(classes)[np.argmax([sure for sure, _ in found], axis=0)]
    return float(np.mean(guessed == test[target].astype(str))), sum(rules for _, rules in found)


def wittgenstein(folder: str, learner: str) -> Work:
    import wittgenstein as package

    def fit(given: pd.DataFrame, is_it: np.ndarray, asked: pd.DataFrame) -> tuple[np.ndarray, int]:
        model = getattr(package, learner)(random_state=0)
        model.fit(given.assign(is_it=is_it), class_feat="is_it", pos_class=True)
        return model.predict_proba(asked)[:, -1], len(model.ruleset_.rules)

    return over(folds_of(folder), lambda train, test: one_against_the_rest(train, test, fit))


def imodels(folder: str, learner: str) -> Work:
    """It knows numbers only: a column per value (the coding is timed, as ours is)."""
    import imodels as package

    def fit(given: pd.DataFrame, is_it: np.ndarray, asked: pd.DataFrame) -> tuple[np.ndarray, int]:
        wide = pd.get_dummies(given, dtype=float)
        other = pd.get_dummies(asked, dtype=float).reindex(columns=wide.columns, fill_value=0.0)
        model = getattr(package, learner)()
        model.fit(wide.to_numpy(), is_it.astype(int), feature_names=[f"x{place}" for place in range(wide.shape[1])])
        return model.predict_proba(other.to_numpy())[:, -1], len(getattr(model, "rules_", ()))

    return over(folds_of(folder), lambda train, test: one_against_the_rest(train, test, fit))


def orange(folder: str) -> Work:
    """Orange's CN2 with an ordered list of rules; the tables are made before."""
    from Orange.classification.rules import CN2Learner
    from Orange.data import Domain
    from Orange.data.pandas_compat import table_from_frame

    def tables(train: pd.DataFrame, test: pd.DataFrame):
        frame = pd.concat([train, test], ignore_index=True)
        numbers = [name for name in frame.columns[:-1] if pd.api.types.is_numeric_dtype(frame[name])]
        frame = frame.astype({name: "category" for name in frame if name not in numbers})
        table = table_from_frame(frame)
        variables = {one.name: one for one in table.domain.attributes}
        target = variables.pop(frame.columns[-1])
        table = table.transform(Domain(list(variables.values()), target))
        return table[: len(train)], table[len(train) :]

    parts = [tables(train, test) for train, test in folds_of(folder)]

    def learn(train, test) -> tuple[float, float]:
        model = CN2Learner()(train)
        guessed = np.argmax(model.predict(test.X), axis=1)
        return float(np.mean(guessed == test.Y)), len(model.rule_list)

    return over(parts, learn)
