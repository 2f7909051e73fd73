"""Measures: facts worked by hand, and equality with plain Python versions on random small tables."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from anonnb import Release, Table, privacy
from anonnb.tables.value_sets import Column
from tests.privacy import brute
from tests.privacy.strategies import HIERARCHY, tables


def per_class(table, column, measure):
    values = table.frame[column].tolist()
    return [measure([values[row] for row in rows], values) for rows in brute.classes_of(table)]


def path(value):
    return [HIERARCHY.generalize(value, level) for level in range(HIERARCHY.height + 1)]


# ---- facts ------------------------------------------------------------------------------------------------------


def salaries():
    """The example of the t-closeness paper: three classes of three salaries, 3k to 11k (Li et al. 2007, table 3)."""
    pay = [3, 4, 5, 6, 11, 8, 7, 9, 10]
    ill = ["gastric ulcer", "gastritis", "stomach cancer", "gastritis", "flu", "bronchitis"]
    ill += ["bronchitis", "pneumonia", "stomach cancer"]
    return pd.DataFrame({"zip": [1, 1, 1, 2, 2, 2, 3, 3, 3], "pay": pay, "ill": ill})


def test_the_distances_of_the_t_closeness_paper():
    # {3k,4k,5k} is 0.375 and {6k,8k,11k} 0.167 away from {3k, …, 11k}
    table = Table(salaries(), quasi=["zip"], sensitive=["pay"])
    far = privacy.TCloseness(0.375).checker(table)(table.codes("zip"), 3, np.arange(9))
    assert far.all()
    assert not privacy.TCloseness(0.374).checker(table)(table.codes("zip"), 3, np.arange(9))[0]
    assert privacy.TCloseness(0.167).checker(table)(table.codes("zip"), 3, np.arange(9))[1]
    assert not privacy.TCloseness(0.166).checker(table)(table.codes("zip"), 3, np.arange(9))[1]
    assert privacy.t(table) == pytest.approx(0.375)


def test_recursive_c_counts_from_the_most_frequent_value():
    # counts 4, 2, 1, 1: l = 2 gives 4 / (2 + 1 + 1) = 1, l = 3 gives 4 / (1 + 1) = 2
    table = Table(pd.DataFrame({"zip": [1] * 8, "ill": list("aaaabbcd")}), quasi=["zip"], sensitive=["ill"])
    assert privacy.recursive_c_l(table, 2) == (1.0, 2)
    assert privacy.recursive_c_l(table, 3) == (2.0, 3)
    assert privacy.recursive_c_l(table, 5) == (math.inf, 5)
    # pycanon counts from the rarest: ⌊1 / (1 + 2 + 4) + 1⌋ = 1
    assert privacy.recursive_c_l(table, 2, reading="pycanon") == (1.0, 2)


def test_the_measure_is_the_limit_of_the_model():
    table = Table(salaries(), quasi=["zip"], sensitive=["ill"])
    rows, groups = np.arange(9), table.codes("zip")
    for model, value in ((privacy.TCloseness, privacy.t(table)), (privacy.BetaLikeness, privacy.beta(table))):
        assert model(value).checker(table)(groups, 3, rows).all()
        assert not model(value * 0.999).checker(table)(groups, 3, rows).all()


# ---- against plain Python ---------------------------------------------------------------------------------------


@pytest.mark.slow
@given(tables())
def test_diversity_measures_equal_plain_python(table):
    assert privacy.k(table) == min(map(len, brute.classes_of(table)))
    for column in ("ill", "pay"):
        least = min(per_class(table, column, lambda values, _: len(set(values))))
        assert privacy.l(table, column) == least
        assert privacy.entropy_l(table, column) == pytest.approx(
            math.exp(min(per_class(table, column, lambda values, _: brute.entropy(values))))
        )
        assert privacy.alpha_k(table, column)[0] == pytest.approx(
            max(per_class(table, column, lambda values, _: max(brute.shares(values).values())))
        )
        for wanted in (least, 2, 3):
            expected = max(per_class(table, column, lambda values, _, rank=wanted: brute.recursive(values, rank)))
            assert privacy.recursive_c_l(table, wanted, column) == (pytest.approx(expected), wanted)


@pytest.mark.slow
@given(tables())
def test_closeness_measures_equal_plain_python(table):
    for column in ("ill", "pay"):
        assert privacy.t(table, "equal", column) == pytest.approx(max(per_class(table, column, brute.equal_distance)))
        assert privacy.beta(table, column=column) == pytest.approx(
            max(max(gain.values()) for gain in per_class(table, column, brute.gains))
        )
        assert privacy.beta(table, "enhanced", column) == pytest.approx(
            max(per_class(table, column, brute.enhanced)), abs=1e-12
        )
        assert privacy.delta_disclosure(table, column) == pytest.approx(
            max(per_class(table, column, brute.disclosure)), abs=1e-12
        )
    assert privacy.t(table, column="pay") == pytest.approx(
        max(per_class(table, "pay", brute.ordered_distance)), abs=1e-12
    )
    assert privacy.t(table, "hierarchical", "ill") == pytest.approx(
        max(per_class(table, "ill", lambda values, all_: brute.hierarchical_distance(values, all_, path))), abs=1e-12
    )


@given(tables(missing=True))
def test_missing_matches_anything_as_by_comparing_all_pairs(table):
    rows = table.frame[["zip", "age"]].astype(object).where(table.frame[["zip", "age"]].notna(), None).values.tolist()

    def fits(one, other):
        return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))

    alike = [sum(fits(one, other) for other in rows) for one in rows]
    assert privacy.k(table, missing="any") == min(alike)
    assert privacy.unique_rows(table, missing="any") == pytest.approx(alike.count(1) / len(rows))
    assert privacy.risk(table, missing="any").prosecutor_average == pytest.approx(np.mean([1 / n for n in alike]))
    assert privacy.k(table, missing="any") >= privacy.k(table) == min(map(len, brute.classes_of(table)))


def test_missing_matches_anything_in_many_columns_of_many_values():
    """Twelve columns of about 60 values have more combinations than an integer can number."""
    random = np.random.default_rng(2)
    cells = np.tile(np.arange(60.0), (12, 1)).T
    cells[random.random(cells.shape) < 0.2] = np.nan
    cells[:30] = cells[30:][random.permutation(30)]  # some rows agree
    table = Table(pd.DataFrame(cells, columns=[f"c{n}" for n in range(12)]), quasi=[f"c{n}" for n in range(12)])
    same = (cells[:, None] == cells) | np.isnan(cells[:, None]) | np.isnan(cells)
    alike = same.all(axis=2).sum(axis=1)
    assert privacy.k(table, missing="any") == alike.min()
    assert privacy.risk(table, missing="any").prosecutor_average == pytest.approx((1 / alike).mean())
    assert (alike > 1).any()


# ---- releases ---------------------------------------------------------------------------------------------------


def patients():
    frame = pd.DataFrame({"zip": ["a", "a", "b", "c"], "age": [20, 30, 20, 40], "ill": ["flu", "cold", "flu", "flu"]})
    return Table(frame, quasi=["zip", "age"], sensitive=["ill"])


def test_suppressed_rows_are_not_one_big_class():
    table = patients()
    columns = {
        name: Column.of_groups(table.attributes[name], table.codes(name)[:2], np.array([0, 0]), 1)
        for name in table.quasi
    }
    release = Release(table, columns, np.arange(2))  # the other two rows, both flu, are withheld
    assert (privacy.k(release), privacy.l(release)) == (2, 2)
    assert privacy.risk(release).prosecutor_average == pytest.approx(1 / 2)
    stars = pd.DataFrame({"zip": "*", "age": "*", "ill": ["flu", "flu"]})
    foreign = Release.from_frame(pd.concat([release.frame, stars]), like=table)
    assert privacy.report(foreign)["value"].tolist() == privacy.report(release)["value"].tolist()


def test_an_empty_release_has_no_k_and_no_risk():
    empty = Release(patients(), {}, np.array([], dtype=np.int64))
    assert (privacy.k(empty), privacy.l(empty)) == (0, 0)
    for value in (
        privacy.t(empty),
        privacy.t(empty, "equal"),
        privacy.beta(empty),
        privacy.entropy_l(empty),
        privacy.recursive_c_l(empty)[0],
        privacy.delta_disclosure(empty),
        privacy.risk(empty).prosecutor,
    ):
        assert math.isnan(value)
    assert privacy.k_map(empty, patients()) == 0
    assert np.isnan(privacy.delta_presence(empty, patients())).all()
    assert len(privacy.report(empty, patients())) > 10


def test_a_sensitive_set_of_several_values_is_a_value_of_its_own():
    table = Table(pd.DataFrame({"zip": [1, 1, 1], "ill": ["a", "b", "c"]}), quasi=["zip"], sensitive=["ill"])
    masks = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1]], dtype=bool)
    release = Release(table, {"ill": Column.from_masks(table.attributes["ill"], masks)}, np.arange(3))
    assert privacy.l(release) == 2
    with pytest.raises(ValueError, match="hierarchy of column 'ill'"):
        privacy.t(release, "hierarchical")


def test_ordered_distance_follows_the_values_and_not_the_dictionary():
    """A foreign release numbers its sets by appearance; the order of the values must come back."""
    table = Table(salaries(), quasi=["zip"], sensitive=["pay"])
    turned = Release.from_frame(table.frame.iloc[::-1], like=table)
    assert privacy.t(turned) == pytest.approx(0.375)


# ---- population -------------------------------------------------------------------------------------------------


def matching(release, people):
    """People who fit each class, by comparing all pairs."""
    first = [int(np.argmax(release.groups == number)) for number in range(release.n_groups)]
    found = []
    for row in first:
        fits = np.ones(len(people), dtype=bool)
        for name in release.quasi:
            column = release.columns[name]
            held = column.sets.mask(column.index[row])
            code = people.attributes[name].recode_to(column.attribute)[people.codes(name)]
            fits &= (code >= 0) & held[code]
        found.append(int(fits.sum()))
    return found


@given(tables(missing=True, least=6))
def test_k_map_and_presence_equal_comparing_all_pairs(people):
    sample = people.take(np.arange(0, len(people), 2))
    groups = np.arange(len(sample)) % 2
    local = {
        name: Column.of_groups(people.attributes[name], sample.codes(name), groups, 2) for name in people.quasi
    }  # sets that overlap
    for release in (Release.of(sample), Release(sample, local, np.arange(len(sample)))):
        expected = matching(release, people)
        assert privacy.k_map(release, people) == min(expected)
        assert privacy.delta_presence(release, people)[1] == pytest.approx(
            max(size / count for size, count in zip(release.group_sizes, expected, strict=True))
        )
        assert privacy.risk(release, people).journalist == pytest.approx(1 / min(expected))
        mean = sum(size / count for size, count in zip(release.group_sizes, expected, strict=True)) / len(sample)
        assert privacy.risk(release, people).marketer == pytest.approx(mean)


def test_values_that_only_the_population_has():
    table = Table(pd.DataFrame({"age": [20, 40, 50], "zip": ["a", "b", "b"]}), quasi=["age", "zip"])
    people = Table(pd.DataFrame({"age": [20, 33, 40, 50, 60], "zip": ["a", "a", "b", "b", "z"]}))
    columns = {
        "age": Column.from_spans(table.attributes["age"], [0, 0, 2], [1, 1, 2]),
        "zip": Column.suppressed(table.attributes["zip"], 3),
    }
    release = Release(table, columns, np.arange(3))
    # 33 lies in [20–40] though the table has no 33; nobody but the fourth person is 50; the last fits no class
    assert privacy.k_map(release, people) == 1
    assert privacy.delta_presence(release, people) == (0.0, 1.0)
    assert privacy.risk(release, people).journalist_average == pytest.approx((1 / 3 + 1 / 3 + 1) / 3)


@pytest.mark.parametrize(
    ("people", "error", "words"),
    [
        (pd.DataFrame({"zip": ["a"]}), TypeError, "population must be an anonnb.Table"),
        (Table(pd.DataFrame({"zip": ["a"]})), KeyError, "lacks the quasi-identifier column 'age'"),
        (Table(pd.DataFrame({"zip": ["a"], "age": ["x"]})), ValueError, "column 'age' is nominal there and numeric"),
    ],
)
def test_a_population_that_cannot_be_compared_is_refused(people, error, words):
    with pytest.raises(error, match=words):
        privacy.k_map(patients(), people)


# ---- the report and bad input -----------------------------------------------------------------------------------


def test_the_report_is_tidy_and_equals_the_single_measures():
    table = patients()
    frame = privacy.report(table, table).set_index("measure")
    assert list(frame.columns) == ["value", "better", "meaning"]
    assert frame.index.is_unique
    assert set(frame["better"]) == {"higher", "lower"}
    assert frame["meaning"].str.endswith(".").all()
    for name, value in {
        "k": privacy.k(table),
        "l": privacy.l(table),
        "t": privacy.t(table),
        "β, basic": privacy.beta(table),
        "k-map": privacy.k_map(table, table),
        "unique rows": privacy.unique_rows(table),
    }.items():
        assert frame.loc[name, "value"] == value


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda table: privacy.k(table, missing="all"), "missing='all' is not known"),
        (lambda table: privacy.t(table, "euclid"), "distance='euclid' is not known"),
        (lambda table: privacy.beta(table, "strong"), "kind='strong' is not known"),
        (lambda table: privacy.delta_disclosure(table, reading="mine"), "reading='mine' is not known"),
        (lambda table: privacy.risk(table, threshold=2), "threshold must be"),
        (lambda table: privacy.recursive_c_l(table, 0), "l must be at least 1"),
        (lambda table: privacy.t(table, "hierarchical"), "needs a hierarchy of column 'ill'"),
    ],
)
def test_bad_parameters_are_named(call, words):
    with pytest.raises(ValueError, match=words):
        call(patients())
