"""Fuzzy rough sets: definitions by brute force, Pawlak as the crisp case, laws of the connectives, other software."""

from functools import reduce

import numpy as np
import pandas as pd
import pytest
from frlearn import classifiers, feature_preprocessors, t_norms
from hypothesis import given
from hypothesis import strategies as st
from sklearn.utils.estimator_checks import check_estimator

from anonnb import Release, Table, load
from anonnb.roughsets import fuzzy
from anonnb.roughsets.fuzzy.relations import implicator, t_norm
from tests.series import series

degrees = st.floats(0, 1, allow_subnormal=False).map(lambda degree: round(degree, 3))


def random_table(seed):
    """Numeric, ordinal and nominal columns, some cells missing, and a decision."""
    chance = np.random.default_rng(seed)
    rows = int(chance.integers(1, 9))
    frame = pd.DataFrame(
        {
            "x": np.where(chance.random(rows) < 0.15, np.nan, chance.integers(0, 5, rows)),
            "size": pd.Categorical(chance.choice(list("sml"), rows), categories=list("sml"), ordered=True),
            "z": chance.choice(np.array(["u", "v", None], dtype=object), rows),
            "d": chance.choice(list("pqr"), rows),
        }
    )
    return Table(frame, decision="d")


# ---- connectives --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", fuzzy.T_NORMS)
@given(a=degrees, b=degrees, c=degrees)
def test_t_norms_are_commutative_associative_monotone_with_identity_1(name, a, b, c):
    join = t_norm(name)
    a, b, c = map(np.array, (a, b, c))
    assert join(a, b) == join(b, a)
    assert join(a, join(b, c)) == pytest.approx(float(join(join(a, b), c)), abs=1e-9)
    assert join(a, np.minimum(b, c)) <= join(a, np.maximum(b, c)) + 1e-12
    assert join(a, np.array(1.0)) == pytest.approx(float(a))
    assert 0 <= join(a, b) <= min(a, b) + 1e-12


@pytest.mark.parametrize("name", fuzzy.IMPLICATORS)
@given(a=degrees, b=degrees, c=degrees)
def test_implicators_fall_in_the_first_and_rise_in_the_second_argument(name, a, b, c):
    implies = implicator(name)
    a, b, c = map(np.array, (a, b, c))
    assert implies(np.maximum(a, c), b) <= implies(np.minimum(a, c), b) + 1e-12
    assert implies(a, np.minimum(b, c)) <= implies(a, np.maximum(b, c)) + 1e-12
    assert implies(np.array(1.0), b) == pytest.approx(float(b))
    corners = [[float(implies(np.array(p), np.array(q))) for q in (0.0, 1.0)] for p in (0.0, 1.0)]
    assert corners == [[1, 1], [0, 1]]


@pytest.mark.parametrize(
    ("norm", "name"),
    [("minimum", "goedel"), ("product", "goguen"), ("lukasiewicz", "lukasiewicz"), ("nilpotent_minimum", "fodor")],
)
@given(a=degrees, b=degrees, c=degrees)
def test_residual_implicators_belong_to_their_t_norms(norm, name, a, b, c):
    """T(a, c) ≤ b exactly when c ≤ I(a, b); nearness is not tested at the edge itself."""
    joined, bound = float(t_norm(norm)(np.array(a), np.array(c))), float(implicator(name)(np.array(a), np.array(b)))
    if abs(joined - b) > 1e-9 and abs(bound - c) > 1e-9:
        assert (joined < b) == (c < bound)


# ---- approximations by definition ---------------------------------------------------------------------------------


def degrees_of(cells, attribute, kind):
    """How much every two cells of a column resemble each other."""
    cells = [None if pd.isna(cell) else cell for cell in cells]
    if attribute.kind == "ordinal" and kind != "equal":
        cells = [list(attribute.domain).index(cell) for cell in cells]
    known = [cell for cell in cells if cell is not None]
    crisp = attribute.kind == "nominal" or kind == "equal" or not known
    spread = 1 if crisp else (max(known) - min(known)) if kind == "range" else float(np.std(known))

    def degree(a, b):
        if crisp or a is None or b is None:
            return float(a == b)
        apart = abs(a - b) / (spread or 1)
        return float(np.exp(-(apart**2) / 2)) if kind == "gaussian" else max(1 - apart, 0)

    return np.array([[degree(a, b) for b in cells] for a in cells])


def by_definition(table, member, kind, norm, implies):
    columns = [degrees_of(table.frame[name], table.attributes[name], kind) for name in table.conditions]
    near = reduce(t_norm(norm), columns)
    lower = [implicator(implies)(row, member).min() for row in near]
    upper = [t_norm(norm)(row, member).max() for row in near]
    return near, lower, upper


@pytest.mark.slow
def test_approximations_by_definition_on_random_tables():
    norms, implicators = list(fuzzy.T_NORMS), list(fuzzy.IMPLICATORS)
    for seed in series(500):
        table, chance = random_table(seed), np.random.default_rng(seed)
        kind, norm = fuzzy.SIMILARITIES[seed % 4], norms[seed % len(norms)]
        implies = implicators[seed // 6 % len(implicators)]
        member = chance.random(len(table)).round(2) if seed % 2 else (table.frame["d"] == "p").astype(float).to_numpy()
        options = {"similarity": kind, "t_norm": norm}
        near, lower, upper = by_definition(table, member, kind, norm, implies)
        assert fuzzy.similarity(table, **options) == pytest.approx(np.array(near), abs=1e-9)
        found = fuzzy.approximate(table, membership=member, implicator=implies, **options)
        assert found.lower == pytest.approx(np.array(lower), abs=1e-9)
        assert found.upper == pytest.approx(np.array(upper), abs=1e-9)
        union = [fuzzy.approximate(table, v, implicator=implies, **options).lower for v in table.attributes["d"].domain]
        region = fuzzy.positive_region(table, implicator=implies, **options)
        assert region == pytest.approx(np.max(union, axis=0), abs=1e-9)
        assert fuzzy.quality(table, implicator=implies, **options) == pytest.approx(region.mean())


# ---- QuickReduct --------------------------------------------------------------------------------------------------


def test_quick_reduct_by_definition_on_random_tables():
    for seed in range(120):
        table = random_table(seed)
        options = {"similarity": fuzzy.SIMILARITIES[seed % 4], "t_norm": "lukasiewicz", "implicator": "lukasiewicz"}
        chosen, whole = [], fuzzy.quality(table, **options)
        while fuzzy.quality(table, chosen, **options) < whole - 1e-9:
            rest = [name for name in table.conditions if name not in chosen]
            found = [fuzzy.quality(table, [*chosen, name], **options) for name in rest]
            chosen.append(rest[next(place for place, each in enumerate(found) if each > max(found) - 1e-9)])
        assert fuzzy.quick_reduct(table, **options) == chosen


# ---- nearest neighbours -------------------------------------------------------------------------------------------


def test_it_is_a_classifier_of_scikit_learn():
    check_estimator(fuzzy.FRNN())


def test_one_neighbour_gives_the_approximations_of_the_definition():
    """In the training rows, with the t-norm that joins the attributes there too."""
    table = load("iris")
    lower, upper = fuzzy.FRNN(k=1, join="minimum").fit(table).memberships(table)
    for number, value in enumerate(table.attributes["class"].domain):
        found = fuzzy.approximate(table, value)
        assert lower[:, number] == pytest.approx(found.lower)
        assert upper[:, number] == pytest.approx(found.upper)


@pytest.mark.parametrize("weights", ["linear", "equal", "last"])
def test_neighbours_by_definition(weights):
    table = load("iris")
    train, test = table[::3], table[1::7]
    lower, upper = fuzzy.FRNN(k=4, weights=weights).fit(train).memberships(test)
    known, asked = train.frame.drop(columns="class"), test.frame.drop(columns="class")
    width = known.max() - known.min()
    factors = {"linear": [0.4, 0.3, 0.2, 0.1], "equal": [0.25] * 4, "last": [0, 0, 0, 1]}[weights]
    for row, cells in enumerate(asked.to_numpy()):
        near = np.maximum(1 - np.abs(known - cells) / width, 0).mean(axis=1)
        for number, value in enumerate(table.attributes["class"].domain):
            inside = train.frame["class"] == value
            assert upper[row, number] == pytest.approx(np.dot(near[inside].nlargest(4), factors))
            assert lower[row, number] == pytest.approx(1 - np.dot(near[~inside].nlargest(4), factors))


def test_categories_orders_dates_and_missing_values_are_compared_as_in_training():
    days = pd.to_datetime(["2020-01-01", "2020-01-11", "2020-03-01", "2020-03-11"])
    frame = pd.DataFrame({"day": days, "size": list("slsl"), "colour": ["red", None, "red", "blue"]})
    learner = fuzzy.FRNN(k=1, orders={"size": ["s", "m", "l"]}).fit(frame, ["a", "a", "b", "b"])
    asked = pd.DataFrame({"day": [days[2], days[0]], "size": ["s", "huge"], "colour": ["green", None]})
    _, upper = learner.memberships(asked)
    apart = 50 / 70
    assert upper[0] == pytest.approx([max(1 - 60 / 70 + 1, 1 - apart) / 3, 2 / 3])
    assert upper[1] == pytest.approx([(1 - 10 / 70 + 1) / 3, (1 - 60 / 70) / 3])


# ---- beside fuzzy-rough-learn -------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 3, 20])
def test_the_same_scores_as_fuzzy_rough_learn(k):
    frame = load("iris").frame
    X, y = frame.drop(columns="class").to_numpy(), pd.factorize(frame["class"])[0]
    theirs = classifiers.FRNN(upper_k=k, lower_k=k)(X, y)(X)
    ours = sum(fuzzy.FRNN(k=k).fit(X, y).memberships(X)) / 2
    assert ours == pytest.approx(np.asarray(theirs), abs=1e-9)


@pytest.mark.parametrize("norm", ["lukasiewicz", "product", "minimum"])
def test_the_same_attributes_as_fuzzy_rough_learn(norm):
    theirs = {"lukasiewicz": "lukasiewicz_t_norm", "product": "goguen_t_norm", "minimum": "heyting_t_norm"}[norm]
    names = ["age", "tsize", "pnodes", "progrec", "estrec"]
    table = load("gbsg2")[:150]
    table = table.with_roles(decision="horTh")
    X, y = table.frame[names].to_numpy(dtype=float), table.codes("horTh")

    def nearest_only(count):
        return np.eye(1, count)[0]

    found = feature_preprocessors.FRFS(owa_weights=nearest_only, t_norm=getattr(t_norms, theirs))(X, y)
    options = {"similarity": "deviation", "t_norm": norm, "implicator": "kleene_dienes"}
    ours = fuzzy.quick_reduct(table, names, **options)
    assert sorted(ours) == sorted(np.array(names)[found.selection].tolist())


# ---- bad input ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("act", "error", "words"),
    [
        (
            lambda t: fuzzy.approximate(t, "p", t_norm="sum"),
            ValueError,
            "t_norm='sum' is not known; use one of minimum",
        ),
        (lambda t: fuzzy.approximate(t, "p", implicator="or"), ValueError, "implicator='or' is not known"),
        (lambda t: fuzzy.approximate(t, "p", similarity="near"), ValueError, "similarity='near' is not known"),
        (lambda t: fuzzy.approximate(t), ValueError, "either a concept"),
        (lambda t: fuzzy.approximate(t, "great"), ValueError, "no value 'great'"),
        (lambda t: fuzzy.approximate(t, membership=[0.5]), ValueError, "one degree for each of the"),
        (lambda t: fuzzy.approximate(t, membership=[2.0] * len(t)), ValueError, "2 is no degree"),
        (lambda t: fuzzy.quality(t, ["q"]), KeyError, "no column 'q'"),
        (lambda t: fuzzy.quality(t, ["d"]), ValueError, "is the decision"),
        (lambda t: fuzzy.quality(t.select(["x"])), ValueError, "no decision column"),
        (lambda t: fuzzy.similarity(Release.of(t)), TypeError, "need a Table of single values, not a Release"),
        (lambda t: fuzzy.quick_reduct(t, tolerance=-1), ValueError, "tolerance=-1 is not possible"),
        (lambda t: fuzzy.FRNN(k=0).fit(t), ValueError, "k=0 is not possible"),
        (lambda t: fuzzy.FRNN(weights="all").fit(t), ValueError, "weights='all' is not known"),
        (lambda t: fuzzy.FRNN(join="sum").fit(t), ValueError, "t_norm='sum' is not known"),
        (lambda t: fuzzy.FRNN().fit(t.select(["x"])), ValueError, "needs a Table with a decision"),
        (lambda t: fuzzy.FRNN().fit(t[t.frame["d"] == "p"]), ValueError, "one class only, 'p'"),
        (lambda t: fuzzy.FRNN().fit(t).predict(t.select(["x"])), KeyError, "no column 'size'"),
    ],
)
def test_bad_input_is_named(act, error, words):
    with pytest.raises(error, match=words):
        act(random_table(7))
