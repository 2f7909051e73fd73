"""Discretization: published cuts, definitions by brute force, and what a discretized table keeps."""

from collections import Counter
from itertools import combinations, pairwise
from math import log2

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Release, Table, load, roughsets
from anonnb.methods import Mondrian, Samarati
from anonnb.roughsets.discretization.recoding import METHODS
from anonnb.rules import mlem2
from tests.series import series
from tests.strategies import COLUMNS

IRIS = {
    "sepal_length": [5.55, 6.15],
    "sepal_width": [2.95, 3.35],
    "petal_length": [2.45, 4.75],
    "petal_width": [0.80, 1.75],
}


def random_table(seed):
    """A small table of two numeric columns with missing values, a nominal one and a decision."""
    chance = np.random.default_rng(seed)
    rows = int(chance.integers(2, 30))
    frame = pd.DataFrame(
        {
            "x": chance.integers(0, 12, rows) / 2,
            "y": np.where(chance.random(rows) < 0.1, np.nan, chance.integers(-5, 6, rows)),
            "z": chance.choice(list("uv"), rows),
            "d": chance.choice(list("pqr")[: chance.integers(1, 4)], rows),
        }
    )
    return Table(frame, decision="d")


def test_mdlp_finds_the_known_cuts_of_iris():
    assert roughsets.cut_points(load("iris"), "mdlp") == IRIS


# ---- MDLP by its definition ---------------------------------------------------------------------------------------


def bits(classes):
    return -sum(count / len(classes) * log2(count / len(classes)) for count in Counter(classes).values())


def cuts_by_definition(pairs):
    """Fayyad and Irani's recursion, on (value, class) pairs."""
    values = sorted({value for value, _ in pairs})
    found = []
    for low, high in pairwise(values):
        left = [c for v, c in pairs if v <= low]
        right = [c for v, c in pairs if v >= high]
        found.append(((len(left) * bits(left) + len(right) * bits(right)) / len(pairs), low, high, left, right))
    if not found:
        return []
    least = min(found)[0]
    mixed, low, high, left, right = next(each for each in found if each[0] <= least + 1e-12)
    whole = [c for _, c in pairs]
    kinds = [len(set(part)) for part in (whole, left, right)]
    delta = log2(3 ** kinds[0] - 2) - (kinds[0] * bits(whole) - kinds[1] * bits(left) - kinds[2] * bits(right))
    if bits(whole) - mixed <= (log2(len(pairs) - 1) + delta) / len(pairs):
        return []
    return [
        *cuts_by_definition([pair for pair in pairs if pair[0] <= low]),
        (low + high) / 2,
        *cuts_by_definition([pair for pair in pairs if pair[0] >= high]),
    ]


@pytest.mark.slow
def test_mdlp_by_definition_on_random_tables():
    several, seeds = 0, series(500)
    for seed in seeds:
        table = random_table(seed)
        found = roughsets.cut_points(table, "mdlp")
        for name in ("x", "y"):
            pairs = table.frame[[name, "d"]].dropna().itertuples(index=False, name=None)
            assert found[name] == pytest.approx(cuts_by_definition(list(pairs)))
            several += len(found[name]) > 0
    assert several > len(seeds) / 25


# ---- maximal discernibility by its definition ---------------------------------------------------------------------


def greedy_by_definition(table):
    """Cuts (column, point) taken one by one, counting pairs of rows one by one."""
    cells = {name: [None if pd.isna(cell) else cell for cell in table.frame[name]] for name in table.columns}

    def parted(pair, cut):
        one, other = (cells[cut[0]][row] for row in pair)
        return None not in (one, other) and (one >= cut[1]) != (other >= cut[1])

    def open_at_first(one, other):
        alike = all((cells[name][one] is None) == (cells[name][other] is None) for name in ("x", "y"))
        return alike and cells["z"][one] == cells["z"][other] and cells["d"][one] != cells["d"][other]

    cuts = []
    for name in ("x", "y"):
        values = sorted({value for value in cells[name] if value is not None})
        cuts += [(name, (low + high) / 2) for low, high in pairwise(values)]
    still = [pair for pair in combinations(range(len(table)), 2) if open_at_first(*pair)]
    taken = {"x": [], "y": []}
    while True:
        counts = [sum(parted(pair, cut) for pair in still) for cut in cuts]
        if not counts or max(counts) == 0:
            return {name: sorted(points) for name, points in taken.items()}
        best = cuts[int(np.argmax(counts))]
        taken[best[0]].append(best[1])
        still = [pair for pair in still if not parted(pair, best)]


@pytest.mark.slow
def test_maximal_discernibility_by_definition_on_random_tables():
    for seed in series(500):
        table = random_table(seed)[:14]
        assert roughsets.cut_points(table, "maximal_discernibility") == greedy_by_definition(table)


@given(seed=st.integers(0, 10**6))
def test_maximal_discernibility_keeps_every_decision(seed):
    """The classes that are possible for a row stay the same, so that γ, lower and upper approximations do."""
    table = random_table(seed)
    cut = roughsets.discretize(table, "maximal_discernibility")
    for value in table.attributes["d"].domain:
        before, after = roughsets.approximate(table, value), roughsets.approximate(cut, value)
        assert before.lower.tolist() == after.lower.tolist()
        assert before.upper.tolist() == after.upper.tolist()


# ---- equal width, equal frequency ---------------------------------------------------------------------------------


@given(values=st.lists(st.integers(-100, 100), min_size=1, max_size=60), bins=st.integers(2, 8))
def test_equal_bins_by_definition(values, bins):
    table = Table(pd.DataFrame({"x": values}))
    width = roughsets.cut_points(table, "equal_width", bins=bins)["x"]
    low, high = min(values), max(values)
    expected = [low + (high - low) * step / bins for step in range(1, bins)] if low < high else []
    assert width == pytest.approx(expected)
    cuts = roughsets.cut_points(table, "equal_frequency", bins=bins)["x"]
    distinct = sorted(set(values))
    possible = [(a + b) / 2 for a, b in pairwise(distinct)]
    for step in range(1, bins):  # no possible cut comes nearer to a wanted share of the rows than a chosen one
        errors = {cut: abs(sum(v < cut for v in values) - step * len(values) / bins) for cut in possible}
        assert not possible or min(errors.values()) in [errors[cut] for cut in cuts]
    assert len(cuts) < bins


# ---- tables and hierarchies ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@given(data=st.data())
@settings(max_examples=25)
def test_every_kind_of_number_and_date_is_cut(method, data):
    kind = data.draw(st.sampled_from(["ints", "Ints", "floats", "dates", "zoned", "spans"]))
    rows = data.draw(st.integers(1, 12))
    series = data.draw(COLUMNS[kind](rows))
    frame = pd.DataFrame({"x": series, "d": [data.draw(st.sampled_from("ab")) for _ in range(rows)]})
    table = Table(frame, decision="d")
    points = roughsets.cut_points(table, method, bins=3)["x"]
    assert points == sorted(set(points))
    cut = roughsets.discretize(table, method, bins=3)
    expected = [None if pd.isna(value) else sum(value >= point for point in points) for value in table.frame["x"]]
    labels = {}
    for number, label in zip(expected, cut.frame["x"], strict=True):
        assert pd.isna(label) == (number is None)
        if number is not None:
            assert labels.setdefault(number, label) == label
    assert len(set(labels.values())) == len(labels)
    assert [label for _, label in sorted(labels.items())] == cut.attributes["x"].domain.tolist()
    generalized = roughsets.discretize(table, method, bins=3, as_hierarchy=True).attributes["x"]
    assert generalized.levels.labels[-1] == ["*"] or not len(generalized.domain)
    if points:
        names = generalized.levels.labels[1]
        assert [names[generalized.levels.maps[1][code]] for code in range(len(generalized.domain))] == [
            labels[sum(value >= point for point in points)] for value in generalized.domain
        ]


def test_a_discretized_table_serves_rules_reducts_and_methods():
    table = roughsets.discretize(load("iris"))
    assert table.quasi == load("iris").quasi
    assert len(mlem2(table)) < 60
    assert set(roughsets.reduct(table)) <= set(table.conditions)
    for method in (Mondrian(k=5), Samarati(k=5)):
        release = method.anonymize(table)
        assert Release.from_frame(release.frame, like=table).frame.shape == release.frame.shape


def test_coarser_levels_keep_the_heavier_cuts():
    levels = roughsets.discretize(load("iris"), "equal_width", bins=4, as_hierarchy=True)
    assert levels.attributes["petal_width"].levels.labels[1:] == [
        ["<0.7", "[0.7,1.3)", "[1.3,1.9)", ">=1.9"],
        ["<1.3", ">=1.3"],
        ["*"],
    ]


def test_rows_without_a_class_are_recoded_but_choose_no_cut():
    frame = pd.DataFrame({"x": [1, 2, 8, 9] * 5 + [5], "d": ["a", "a", "b", "b"] * 5 + [None]})
    assert roughsets.cut_points(Table(frame, decision="d")) == {"x": [5]}
    assert roughsets.discretize(Table(frame, decision="d")).frame["x"].iloc[-1] == ">=5"


@pytest.mark.parametrize(
    ("act", "error", "words"),
    [
        (lambda t: roughsets.discretize(t, "magic"), ValueError, "method='magic' is not known"),
        (lambda t: roughsets.discretize(t, bins=1), ValueError, "bins=1 is not possible"),
        (lambda t: roughsets.discretize(t, share=0), ValueError, "share=0 is not possible"),
        (lambda t: roughsets.discretize(t, attributes=["q"]), KeyError, "no column 'q'"),
        (lambda t: roughsets.discretize(t, attributes=["z"]), ValueError, "column 'z' is nominal"),
        (lambda t: roughsets.discretize(t, attributes="d"), ValueError, "'d' is the decision"),
        (lambda t: roughsets.discretize(t.select(["x"])), ValueError, "needs the classes of the rows; name a decision"),
        (
            lambda t: roughsets.discretize(t.with_hierarchies(x="intervals 1 2").with_limits(x=1)),
            ValueError,
            "column 'x' has a limit",
        ),
    ],
)
def test_bad_input_is_named(act, error, words):
    with pytest.raises(error, match=words):
        act(random_table(3))


# ---- steps -------------------------------------------------------------------------------------------------------


# ---- in a pipeline ------------------------------------------------------------------------------------------------


def test_the_transformer_does_what_the_function_does():
    table = load("iris")
    X, y = table.frame.drop(columns="class"), table.frame["class"]
    made = roughsets.Discretizer().fit(X, y).transform(X)
    assert made.astype(str).equals(roughsets.discretize(table).frame.drop(columns="class").astype(str))
    numbers = roughsets.Discretizer().fit(X.to_numpy(), y).transform(X.to_numpy())
    assert (numbers == made.apply(lambda column: column.cat.codes)).all(axis=None)


def test_texts_in_place_of_numbers_are_named():
    cut = roughsets.Discretizer("equal_width").fit(pd.DataFrame({"age": [20, 30, 60]}))
    with pytest.raises(ValueError, match="column 'age' was numeric when the cuts were chosen"):
        cut.transform(pd.DataFrame({"age": ["young", "old"]}))
