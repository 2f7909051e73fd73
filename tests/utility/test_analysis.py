"""Analyses of releases: plain formulas on raw tables, the best and the worst score, files of others, both readings."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Release, Table, load, utility
from anonnb.methods import OKA, Mondrian
from anonnb.tables.value_sets import Column
from anonnb.utility.analyses import Analysis
from anonnb.utility.learnt import Z, coefficient_overlaps


def people(n: int = 300, seed: int = 0, shift: float = 0.0) -> pd.DataFrame:
    draw = np.random.default_rng(seed)
    age, city = draw.integers(20, 70, n) + shift, draw.choice(list("abcd"), n, p=[0.4, 0.3, 0.2, 0.1])
    pay = (1000 + 30 * age + draw.normal(0, 200, n) + 300 * (city == "a")).round()
    return pd.DataFrame({"age": age, "city": city, "pay": pay})


def table_of(frame: pd.DataFrame) -> Table:
    return Table(frame, quasi=["age", "city"], decision="pay")


def values(frame: pd.DataFrame, cells: str = "uniform") -> pd.Series:
    return frame[frame["cells"] == cells].set_index("measure")["value"]


@settings(max_examples=15)
@given(st.integers(1, 60), st.integers(0, 50), st.booleans())
def test_the_original_scores_best_and_no_rows_score_worst(rows, seed, as_class):
    frame = people(rows, seed)
    if as_class:
        frame["pay"] = np.where(frame["pay"] > frame["pay"].median(), "high", "low")
    frame.loc[frame.index % 7 == 3, "city"] = None
    table = table_of(frame)
    stars = {name: Column.suppressed(table.attributes[name], rows) for name in table.columns}
    worst = [Release(table, {}, np.zeros(0, dtype=np.int64))]
    if all(table.attributes[name].size > 1 for name in table.columns):  # the only value of a column is no secret
        worst.append(Release(table, stars, np.arange(rows)))
    for line in utility.analysis(table, table, queries=20).itertuples():
        if not np.isnan(line.value):
            assert line.value == pytest.approx(1.0 if line.better == "higher" else 0.0, abs=1e-12), line.measure
    for release in worst:
        for line in utility.analysis(table, release, queries=20).itertuples():
            if not np.isnan(line.value):
                assert line.value == (0.0 if line.better == "higher" else 1.0), line.measure


def test_raw_tables_agree_with_plain_formulas():
    frame, other = people(), people(seed=1, shift=5)
    table = table_of(frame)
    release = Release.from_frame(other.sample(frac=1, random_state=2), like=table)
    found = Analysis(table, release)
    numbers = ["age", "pay"]
    spread = frame[numbers].std(ddof=0)
    assert found.mean_error() == pytest.approx(((other[numbers].mean() - frame[numbers].mean()).abs() / spread).mean())
    ratio = other[numbers].var(ddof=0) / frame[numbers].var(ddof=0)
    assert found.variance_error() == pytest.approx((1 - np.minimum(ratio, 1 / ratio)).mean())
    gap = abs(np.corrcoef(frame["age"], frame["pay"])[0, 1] - np.corrcoef(other["age"], other["pay"])[0, 1])
    assert found.correlation_error() == pytest.approx(gap / 2)


def test_tables_of_two_columns_are_compared_as_scipy_would():
    draw = np.random.default_rng(3)
    one, two = (pd.DataFrame({"x": draw.choice(list("abc"), 200), "y": draw.choice(list("pq"), 200)}) for _ in "12")
    table = Table(one, quasi=["x", "y"])
    found = Analysis(table, Release.from_frame(two, like=table))
    p, q = (pd.crosstab(each["x"], each["y"]).to_numpy() / 200 for each in (one, two))
    assert found.total_variation() == pytest.approx(np.abs(p - q).sum() / 2)
    assert found.hellinger() == pytest.approx(np.sqrt(1 - np.sqrt(p * q).sum()))


def _plain_intervals(frame: pd.DataFrame, order: list[str]) -> np.ndarray:
    flags = [(frame["city"] == city) * 1.0 for city in order[1:]]
    design = np.column_stack([np.ones(len(frame)), frame["age"], *flags])
    beta, rest, *_ = np.linalg.lstsq(design, frame["pay"], rcond=None)
    error = np.sqrt(np.diag(np.linalg.inv(design.T @ design)) * rest[0] / (len(frame) - design.shape[1]))
    return np.column_stack([beta - Z * error, beta + Z * error])[1:]


def test_the_overlap_of_coefficients_is_that_of_least_squares():
    frame, other = people(), people(seed=4)
    table = table_of(frame)
    found = Analysis(table, Release.from_frame(other, like=table))
    order = frame["city"].value_counts().index.tolist()
    one, two = _plain_intervals(frame, order), _plain_intervals(other, order)
    common = np.minimum(one[:, 1], two[:, 1]) - np.maximum(one[:, 0], two[:, 0])
    expected = (common / np.ptp(one, axis=1) + common / np.ptp(two, axis=1)) / 2
    overlaps = coefficient_overlaps(found.original, found.published, ["age", "city"], "pay")
    assert overlaps == pytest.approx(np.clip(expected, 0, 1))


def test_how_sets_enter():
    table = Table(pd.DataFrame({"n": [0, 1, 2, 9, 13]}), quasi=["n"])
    one_set = Release.from_frame(pd.DataFrame({"n": ["0-9", "0-2", "0-2", "9", "13"]}), like=table)
    unit = table.frame["n"].std(ddof=0)
    uniform, midpoint = (Analysis(table, one_set, cells) for cells in ("uniform", "midpoint"))
    for found, first, spread in ((uniform, 3.0, True), (midpoint, 4.5, False)):
        mean, variance = found.published.moments("n")
        cells = np.array([first, 1.0, 1.0, 9.0, 13.0])
        inner = np.array([np.var([0, 1, 2, 9]), np.var([0, 1, 2]), np.var([0, 1, 2]), 0, 0]) * spread
        assert mean * unit + 5 == pytest.approx(cells.mean())
        assert variance * unit**2 == pytest.approx((cells**2 + inner).mean() - cells.mean() ** 2)


@pytest.mark.parametrize("method", [Mondrian(k=5), OKA(k=5)])
def test_a_published_file_gives_the_same_figures_as_the_release(method, tmp_path):
    table = load("survey")
    release = method.anonymize(table)
    file = pd.read_csv(release.publish(tmp_path / "out.csv"), dtype=str)
    ours, theirs = utility.analysis(table, release), utility.analysis(table, Release.from_frame(file, like=table))
    linked = ours["measure"] == "accuracy kept"  # only a linked release tells which rows to hold out
    pd.testing.assert_frame_equal(ours[~linked], theirs[~linked], check_exact=False, rtol=1e-9)
    shown = utility.report(table, release).set_index("measure")["value"]
    assert shown["error of counts"] == values(ours)["error of counts"]


def test_ranges_hold_and_bad_input_is_refused():
    table = load("survey")
    frame = utility.analysis(table, Mondrian(k=20).anonymize(table), queries=50, seed=3)
    assert list(frame.columns) == ["measure", "cells", "value", "range", "better", "meaning"]
    assert frame["value"].between(0, 1).all()
    assert set(frame["cells"]) == {"uniform", "midpoint"}
    with pytest.raises(ValueError, match="cells='mean' is not known"):
        utility.analysis(table, table, cells="mean")
    with pytest.raises(ValueError, match="queries must be a whole number"):
        utility.analysis(table, table, queries=0)


@pytest.mark.parametrize("cells", ["midpoint", "uniform"])
def test_a_number_that_is_missing_can_be_counted(cells):
    draw = np.random.default_rng(1)
    frame = pd.DataFrame({"zip": draw.integers(0, 9, 200).astype(float), "sex": draw.choice(["a", "b"], 200)})
    frame.loc[draw.random(200) < 0.3, "zip"] = None
    table = Table(frame, quasi=["zip", "sex"])
    assert Analysis(table, Release.of(table), cells=cells).query_error() == 0
