import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Infeasible, Table, load
from anonnb.core.arrays import group_table
from anonnb.methods import ClassMondrian, InfoGainMondrian, Mondrian, TreePreserving
from anonnb.methods.mondrian.cutting import RelaxedCutter
from anonnb.methods.mondrian.regions import Space, partition
from anonnb.privacy import Model
from anonnb.tables.labels import HIDDEN_CELL


class TwoDecisions(Model):
    """Every group holds two different values of the sensitive column: the smallest model that can fail."""

    def checker(self, table):
        name = table.sensitive[0]
        codes, size = table.codes(name), table.attributes[name].size
        return lambda groups, n_groups, rows: (group_table(codes[rows], size, groups, n_groups) > 0).sum(axis=1) >= 2


METHODS = [
    {},
    {"cut": "loss"},
    {"strict": False},
    {"strict": False, "cut": "loss"},
    {"summary": "mean"},
    {"summary": "region"},
    {"strict": False, "summary": "region"},
]


@st.composite
def tables(draw, most=40):
    """Mixed tables with duplicates, constant columns and missing values; a sensitive column of up to three values."""
    n = draw(st.integers(1, most))

    def column(values):
        return draw(st.lists(values, min_size=n, max_size=n))

    frame = pd.DataFrame(
        {
            "number": pd.Series(column(st.one_of(st.none(), st.integers(0, 12))), dtype="float"),
            "word": column(st.sampled_from(["a", "b", "c", "d", None])),
            "same": ["x"] * n,
            "grade": column(st.sampled_from(["low", "mid", "high"])),
            "ill": column(st.sampled_from(["flu", "cold", "none"])),
        }
    )
    names = draw(st.sampled_from([["number", "word", "same", "grade"], ["number"], ["word"], ["same"]]))
    return Table(frame, quasi=names, sensitive="ill", orders={"grade": ["low", "mid", "high"]})


def allowed_cuts(table, rows, k, good=lambda rows: True):
    """Every strict cut of a set of rows that leaves k good rows on both sides, by trying all of them."""
    found = []
    for name in table.quasi:
        codes = table.codes(name)[rows]
        for code in np.unique(codes)[:-1]:
            left, right = rows[codes <= code], rows[codes > code]
            if min(len(left), len(right)) >= k and good(left) and good(right):
                found.append((name, code))
    return found


# ---- the chapter's example ----


@pytest.mark.parametrize("options", [{}, {"cut": "loss"}])
def test_survey_regions(options):
    table = load("survey").with_roles(quasi=["Marital_status", "Sex"])
    release = Mondrian(k=10, **options).anonymize(table)
    boxes = release.frame.groupby(["Marital_status", "Sex"]).size().to_dict()
    assert boxes == {("single", "M"): 26, ("married or divorced", "F"): 11, ("married", "M"): 10, ("divorced", "M"): 19}


def test_adult_loses_no_more_than_promised():
    table = load("adult")
    for options, most_loss, least_classes in (({}, 0.050, 2000), ({"cut": "loss"}, 0.045, 2290)):
        release = Mondrian(k=10, **options).anonymize(table)
        assert _gcp(table, release) <= most_loss
        assert release.n_groups >= least_classes
    assert (release.group_sizes**2).sum() <= 417_000


def _gcp(table, release):
    """(max − min)/range for numbers, (distinct − 1)/(domain − 1) for categories, mean over rows and attributes."""
    costs = []
    for name in table.quasi:
        column, attribute = release.columns[name], table.attributes[name]
        if attribute.kind == "numeric":
            costs.append((column.sets.widths / np.ptp(attribute.numbers))[column.index])
        else:
            costs.append((column.sizes - 1) / (attribute.size - 1))
    return np.mean(costs)


# ---- properties ----


@settings(max_examples=50)
@given(tables(), st.integers(1, 45), st.sampled_from(METHODS), st.booleans())
def test_release_keeps_every_promise(table, k, options, required):
    method = Mondrian(k=k, require=[TwoDecisions()] if required else (), **options)
    ill = table.codes("ill")
    if len(table) < k or (required and len(np.unique(ill)) < 2):
        with pytest.raises(Infeasible):
            method.anonymize(table)
        return
    release = method.anonymize(table)
    assert len(release) == len(table)
    assert release.group_sizes.min() >= k
    for group in range(release.n_groups):
        members = release.rows[release.groups == group]
        assert not required or len(np.unique(ill[members])) >= 2
    if options.get("summary") != "mean":
        for name in table.quasi:
            assert release.columns[name].holds(table.codes(name)[release.rows]).all()


@settings(max_examples=50)
@given(tables(), st.integers(1, 10), st.sampled_from(["median", "loss"]), st.booleans())
def test_no_allowed_cut_is_left(table, k, cut, required):
    ill = table.codes("ill")
    if len(table) < k or (required and len(np.unique(ill)) < 2):
        return
    release = Mondrian(k=k, cut=cut, require=[TwoDecisions()] if required else ()).anonymize(table)

    def good(rows):
        return not required or len(np.unique(ill[rows])) >= 2

    for group in range(release.n_groups):
        assert allowed_cuts(table, release.rows[release.groups == group], k, good) == []
    alike = np.unique(table.code_matrix(), axis=0, return_counts=True)[1].max()
    assert required or release.group_sizes.max() <= 2 * len(table.quasi) * (k - 1) + alike  # LeFevre et al. 2006


@settings(max_examples=30, deadline=None)
@given(tables(), st.integers(1, 10))
def test_relaxed_regions_stay_under_2k_unless_their_rows_are_alike(table, k):
    if len(table) < k:
        return
    groups, count = partition(Space(table), RelaxedCutter(k))
    codes = table.code_matrix()
    for group in range(count):
        members = codes[groups == group]
        assert k <= len(members)
        assert len(members) < 2 * k or (members == members[0]).all()


def test_many_values_are_counted_by_sorting():
    # 5,000 distinct numbers in hundreds of regions: the dense count would be too large
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"x": rng.permutation(5000), "y": rng.permutation(5000)})
    for cut in ("median", "loss"):
        release = Mondrian(k=4, cut=cut).anonymize(Table(frame, quasi=["x", "y"]))
        assert release.group_sizes.min() >= 4
        assert release.group_sizes.max() < 8


# ---- the order of preference ----


@settings(max_examples=40)
@given(tables(), st.integers(1, 6))
def test_relaxed_equals_a_plain_recursion(table, k):
    if len(table) < k:
        return
    codes, space = table.code_matrix(), Space(table)

    def width(rows, place):
        axis, column = space.axes[place], codes[rows, place]
        if axis.is_nominal:
            return (len(np.unique(column)) - 1) / max(axis.size - 1, 1)
        return axis.positions[column.max()] - axis.positions[column.min()]

    def halve(rows):
        widths = [width(rows, place) for place in range(codes.shape[1])]
        widest = int(np.argmax(widths))
        if len(rows) < 2 * k or widths[widest] == 0:
            return [frozenset(rows.tolist())]
        order = rows[np.argsort(codes[rows, widest], kind="stable")]
        middle = len(order) // 2
        return halve(np.sort(order[:middle])) + halve(np.sort(order[middle:]))

    groups, count = partition(space, RelaxedCutter(k))
    ours = {frozenset(np.flatnonzero(groups == group).tolist()) for group in range(count)}
    assert ours == set(halve(np.arange(len(table))))


# ---- summaries ----


def test_regions_are_as_wide_as_the_cuts_left_them():
    frame = pd.DataFrame({"x": [0, 1, 8, 9, 40, 60], "y": [5, 5, 5, 5, 0, 10], "w": list("aabbcc")})
    table = Table(frame, quasi=["x", "y", "w"])
    tight = Mondrian(k=2).anonymize(table).frame
    wide = Mondrian(k=2, summary="region").anonymize(table).frame
    assert tight["y"].tolist()[:2] == ["5", "5"]
    assert wide["y"].tolist() == [HIDDEN_CELL] * 6  # y is never cut
    assert wide["x"].tolist() == tight["x"].tolist()  # each side ends with its own value next to the cut
    assert wide["w"].tolist() == tight["w"].tolist()  # categories have no region


@settings(max_examples=40)
@given(tables(), st.integers(1, 6), st.booleans(), st.sampled_from(["median", "loss"]))
def test_regions_hold_the_sets_and_lie_in_the_range_of_the_table(table, k, strict, cut):
    if len(table) < k:
        return
    sets = Mondrian(k=k, strict=strict, cut=cut).anonymize(table)
    regions = Mondrian(k=k, strict=strict, cut=cut, summary="region").anonymize(table)
    for name in table.quasi:
        inner, outer = (column.sets.as_masks()[column.index] for column in (sets.columns[name], regions.columns[name]))
        codes = table.codes(name)
        assert (outer | ~inner).all()
        if table.attributes[name].kind == "nominal":
            assert (inner == outer).all()
        else:
            assert not outer[:, : codes.min()].any()
            assert not outer[:, codes.max() + 1 :].any()


def test_mean_mode_and_middle():
    frame = pd.DataFrame(
        {
            "x": [1.0, 2.0, None, 10.0, 20.0, 30.0],
            "w": list("aabccb"),
            "g": ["low", "mid", "high", "low", "low", "high"],
        }
    )
    table = Table(frame, quasi=["x", "w", "g"], orders={"g": ["low", "mid", "high"]})
    whole = Mondrian(k=6, summary="mean").anonymize(table).frame
    assert whole["x"].unique().tolist() == [12.6]
    assert whole["w"].unique().tolist() == ["a"]  # a, b and c are equally frequent: the first of the domain
    assert whole["g"].unique().tolist() == ["low"]


def test_mean_of_dates_is_a_date_of_the_group():
    frame = pd.DataFrame({"day": pd.to_datetime(["2020-01-01", "2020-01-05", "2020-01-31"])})
    release = Mondrian(k=3, summary="mean").anonymize(Table(frame, quasi="day"))
    assert release.frame["day"].unique().tolist() == [pd.Timestamp("2020-01-05")]


def test_mean_of_a_group_without_known_numbers_is_missing():
    frame = pd.DataFrame({"x": [1.0, 2.0, None, None]})
    release = Mondrian(k=2, summary="mean").anonymize(Table(frame, quasi="x"))
    assert release.frame["x"].tolist()[:2] == [1.5, 1.5]
    assert release.frame["x"].isna().tolist() == [False, False, True, True]


# ---- bad input ----


@pytest.mark.parametrize("values", [[2**53 + 1, 2**53 + 3, 2**60, 2**62], [1.7e308, 1.6e308, -1.7e308, -1.6e308]])
def test_numbers_too_large_for_means_are_refused_and_intervals_are_not(values):
    table = Table(pd.DataFrame({"a": values, "c": list("xyxy")}), quasi="a", decision="c")
    for kind in (Mondrian, ClassMondrian, InfoGainMondrian):
        method = kind(k=2, summary="mean")
        with pytest.raises(ValueError, match=r"column 'a' holds .*too large to take means with .*use summary='set'"):
            method.anonymize(table)
    with pytest.raises(ValueError, match=r"column 'a' holds .*; rescale the column or leave it out$"):
        TreePreserving(k=2).anonymize(table)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for method in (Mondrian(k=2), Mondrian(k=2, cut="loss"), InfoGainMondrian(k=2)):
            assert method.anonymize(table).group_sizes.tolist() == [2, 2]
