"""The model attack: the guesses of the same classifier on plain columns, and nothing where nothing can be learnt."""

import time

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import anonnb
from anonnb import Release, Table
from anonnb.arena.entrants import halves
from anonnb.attacks import HomogeneityAttack, ModelAttack
from anonnb.methods import Anatomy, Mondrian, NoiseAddition


def people(rows, seed=0, first=0, rule=0.9):
    """People whose illness follows from their town with probability ``rule``, and whose salary follows from age."""
    rng = np.random.default_rng(seed)
    age, town = rng.integers(18, 80, rows), rng.choice(list("abc"), rows)
    follows = np.select([town == "a", town == "b"], ["flu", "cold"], "cough")
    ill = np.where(rng.random(rows) < rule, follows, rng.choice(["flu", "cold", "cough"], rows))
    frame = pd.DataFrame({"age": age, "town": town, "ill": ill, "salary": age * 100 + rng.integers(0, 5, rows)})
    frame.index += first
    return Table(frame, quasi=["age", "town"], sensitive=["ill", "salary"])


def test_guesses_are_those_of_the_classifier_on_plain_columns():
    inside, outside = people(400), people(300, 1, first=1000)
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    result = ModelAttack(tree, column="ill").run(Release.of(inside), control=outside)
    columns = [pd.get_dummies(table.frame[["age", "town"]]) for table in (inside, outside)]
    plain = tree.fit(columns[0], inside.frame["ill"])
    for table, each, found in zip((inside, outside), columns, (result, result.outside), strict=True):
        assert found.success == pytest.approx((plain.predict(each) == table.frame["ill"]).mean())
        assert sorted(found.beliefs["belief"]) == pytest.approx(sorted(plain.predict_proba(each).max(axis=1)))
    assert result.sure == (result.beliefs["belief"] >= 0.9).sum()


@pytest.mark.slow
@pytest.mark.parametrize(
    "release", [Mondrian(k=5), NoiseAddition(columns=["age"]), Anatomy(l=2, column="ill")], ids=str
)
def test_what_follows_from_the_known_columns_is_learnt_about_outsiders_too(release):
    """Boxes, noise and secrets per group: a rule of the population is found through each of them."""
    inside, outside = people(600), people(600, 1, first=1000)
    result = ModelAttack(column="ill").run(release.anonymize(inside), control=outside)
    assert result.baseline < 0.5
    assert result.control > 0.6
    nothing = ModelAttack(column="ill").run(
        release.anonymize(people(600, rule=0)), control=people(600, 2, 1000, rule=0)
    )
    assert abs(nothing.control - 1 / 3) < 0.08


@pytest.mark.slow
def test_a_secret_of_many_values_is_guessed_by_ranges():
    inside, outside = people(800), people(400, 1, first=1000)
    result = ModelAttack(column="salary").run(Release.of(inside), control=outside)
    assert result.info["classes"] <= 20
    ages = result.targets["known"].str.extract(r"age = (\d+)")[0].astype(int)
    assert (result.targets["guess"].astype(int) // 100 - ages).abs().median() <= 3
    names = Table(
        pd.DataFrame({"x": np.arange(900) % 30, "name": [f"n{i % 30}" for i in range(900)]}),
        quasi="x",
        sensitive="name",
    )
    assert ModelAttack().run(Release.of(names)).success == pytest.approx(20 / 30), "of the rest one is guessed"


def test_missing_and_unseen_values():
    frame = pd.DataFrame(
        {"age": [20, None, 30, 40] * 20, "town": ["a", None, "b", "b"] * 20, "ill": ["x", "y", None, "z"] * 20}
    )
    table = Table(frame, quasi=["age", "town"], sensitive=["ill"])
    for estimator in (None, LogisticRegression(), KNeighborsClassifier(1)):
        result = ModelAttack(estimator).run(Release.of(table))
        assert (result.attempts, result.info["training rows"]) == (60, 60)
        assert result.success == (1.0 if estimator is not None else result.success) > 0.3
        other = Table(
            pd.DataFrame({"age": [99], "town": ["q"], "ill": ["new"]}, index=[999]),
            quasi=["age", "town"],
            sensitive=["ill"],
        )
        assert ModelAttack(estimator).run(Release.of(table), control=other).control == 0


def test_nothing_to_learn_from():
    one = Table(pd.DataFrame({"a": [1, 2], "ill": ["flu", "flu"]}), quasi="a", sensitive="ill")
    assert ModelAttack().run(Release.of(one)).success == 1
    assert ModelAttack().run(Release.of(one)).sure == 0, "everybody has it"
    empty = ModelAttack().run(Release.of(one).take(np.arange(0)), one)
    assert (empty.attempts, empty.right, empty.sure) == (2, 0, 0)
    with pytest.raises(TypeError, match="fit and predict_proba"):
        ModelAttack(estimator=KNeighborsClassifier)
    with pytest.raises(ValueError, match="besides the secret 'a'"):
        ModelAttack(column="a").run(Release.of(one))


@pytest.mark.slow
def test_adult_in_seconds():
    """Both halves by one model, within 10 s; it predicts about as well as the classes, for outsiders as well."""
    inside, outside = halves(anonnb.load("adult"))
    release = Mondrian(k=10).anonymize(inside)
    start = time.perf_counter()
    result = ModelAttack().run(release, control=outside)
    assert time.perf_counter() - start < 10
    classes = HomogeneityAttack().run(release, control=outside)
    assert result.control > classes.control - 0.005
    assert result.baseline + 0.03 < result.control
    assert abs(result.excess) < 0.1
