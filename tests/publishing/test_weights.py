"""Published survey weights: groups of k within a class, what they do to totals, and what the gate recounts."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from anonnb import Release, Table, privacy
from anonnb.core.arrays import grouped_means
from anonnb.core.card import Claim
from anonnb.files.text_table import read_as_text
from anonnb.methods import Mondrian
from anonnb.publishing.verification import Expectation, VerificationError, verify_table
from anonnb.tables.encoding import encode
from anonnb.tables.value_sets import Column
from tests.survey import KEYS, population, sampled


def with_weights(release, means):
    attribute, codes = encode(pd.Series(means, name="w"), "numeric")
    return release.with_columns(w=Column.original(attribute, codes))


def class_means(release):
    sums = np.bincount(release.groups, weights=release.row_weights)
    return (sums / release.group_sizes)[release.groups]


@pytest.fixture(scope="module")
def release():
    people = population(12_000, 1, coarse=True)
    rows, weights = sampled(people, 0.1, "pps", 1)
    table = Table(people.iloc[rows].assign(w=weights.round(4)).reset_index(drop=True), quasi=KEYS, weight="w")
    return Mondrian(k=5).anonymize(table)


def test_each_weight_is_shared_and_the_sums_stay(release, tmp_path):
    assert "w" not in release.published().columns
    grouped = release.with_grouped_weights()
    assert grouped.told()[-1].endswith("weights are published as means of 5 or more people of a class")
    written = pd.read_csv(grouped.publish(tmp_path / "people.csv"), dtype=str)
    assert written.groupby(list(written.columns), dropna=False).size().min() >= 5
    own = pd.Series(grouped.columns["w"].attribute.numbers[grouped.columns["w"].index])
    sums = own.groupby(release.groups).sum()
    assert sums.to_numpy() == pytest.approx(np.bincount(release.groups, weights=release.row_weights))
    again = Release.from_frame(pd.read_csv(tmp_path / "people.csv"), like=release.table)
    assert again.row_weights.sum() == pytest.approx(release.row_weights.sum())


@pytest.mark.parametrize(
    ("means", "words"),
    [
        (lambda release: release.row_weights, "shared by 1 of its class, fewer than 5"),
        (class_means, "one mean stands for"),
        (lambda release: np.full(len(release), release.row_weights.mean()), "do not add up to the original ones"),
    ],
)
def test_other_weights_are_refused(release, tmp_path, means, words):
    with pytest.raises(VerificationError, match=words):
        with_weights(release, means(release)).publish(tmp_path / "people.csv")
    assert not (tmp_path / "people.csv").exists()


def test_people_with_several_rows_count_once():
    means = grouped_means(np.array([1.0, 1, 1, 5, 6]), np.zeros(5, dtype=int), np.array([0, 0, 0, 1, 2]), 2)
    assert means.tolist() == [2.8] * 5
    frame = pd.DataFrame({"zip": [1, 1], "w": [1.0, 2]})
    with pytest.raises(ValueError, match="no k is promised"):
        Release.of(Table(frame, quasi=["zip"], weight="w")).with_grouped_weights()
    with pytest.raises(ValueError, match="no survey weight"):
        Release.of(Table(frame, quasi=["zip"])).with_grouped_weights(2)


@pytest.mark.slow
@pytest.mark.parametrize("design", ["stratified", "pps"])
def test_groups_hardly_shift_totals_and_class_means_do(design):
    """A total shifts by a fraction of a standard error, with class means by several."""
    shifts = []
    for seed in range(10):
        people = population(20_000, seed, coarse=True)
        rows, weights = sampled(people, 0.1, design, seed)
        frame = people.iloc[rows].assign(w=weights).reset_index(drop=True)
        release = Mondrian(k=5).anonymize(Table(frame, quasi=["region", "age", "sex"][1:], weight="w"))
        assert release.rows is not None
        income = frame["income"].to_numpy()[release.rows]
        means = grouped_means(release.row_weights, release.groups, None, 5)
        error = np.sqrt(len(frame)) * np.std(weights * frame["income"])
        totals = [
            (other * income).sum() - (release.row_weights * income).sum() for other in (means, class_means(release))
        ]
        covariance = [
            np.cov(release.row_weights[release.groups == group], income[release.groups == group], bias=True)[0, 1]
            for group in range(release.n_groups)
        ]
        assert totals[1] == pytest.approx(-(release.group_sizes @ covariance))
        shifts.append(np.abs(totals) / error)
    grouped, whole = np.mean(shifts, axis=0)
    assert grouped < 1
    assert whole > 2
    assert whole > 5 * grouped


def test_a_class_stands_for_enough_people_and_the_gate_counts_them(release, tmp_path):
    method = Mondrian(k=3, require=privacy.PopulationCount(150))
    made = method.anonymize(release.table)
    stands_for = np.bincount(made.groups, weights=made.row_weights)
    assert made.group_sizes.min() >= 3
    assert 150 <= stands_for.min() < 300
    made.publish(tmp_path / "people.csv")
    with pytest.raises(VerificationError, match=r"PopulationCount.* is promised, but the file has"):
        Mondrian(k=3).anonymize(release.table).replace(method=method).publish(tmp_path / "again.csv")
    with pytest.raises(ValueError, match="needs the survey weight"):
        method.anonymize(release.table.with_roles(weight=None))


def test_the_gate_counts_secrets_by_weight(tmp_path):
    (tmp_path / "people.csv").write_text("zip,ill\n1,a\n1,b\n2,a\n2,b\n")
    table = read_as_text(tmp_path / "people.csv")
    claim = Claim("TCloseness", {"t": 0.3}, "t = 0.3")
    expected = Expectation(("zip",), ("ill",), claims=(claim,), nominal=frozenset(["ill"]))
    assert verify_table(table, expected)
    heavy = replace(expected, weight="w", weights=np.array([9.0, 1, 1, 9]))
    assert verify_table(table, heavy).failures == [
        "t = 0.3 of 'ill' is promised, but a class has 0.4 by weight; anonymize the table again"
    ]
    assert verify_table(table, replace(heavy, weights=np.array([2.0, 1, 1, 2])))
