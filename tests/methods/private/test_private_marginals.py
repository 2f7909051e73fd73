"""PrivateMarginals: rows from the declared domain only, near the table where ε is large, and honest refusals."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Table
from anonnb.attacks import HomogeneityAttack, LinkageAttack
from anonnb.methods import PrivateMarginals
from anonnb.methods.private.marginals import two_way
from anonnb.testing import check_method

DOMAINS = {"age": [0, 30, 60, 120], "sex": ["f", "m"], "city": ["Rome", "Bari", "Turin"], "ill": ["flu", "cold", None]}


def people(rows: int = 300, seed: int = 0, **options) -> Table:
    """Age decides about the illness, sex about nothing; nobody lives in Turin."""
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 90, rows)
    ill = np.where(rng.random(rows) < age / 100, "flu", "cold")
    frame = pd.DataFrame({"age": age, "sex": rng.choice(["f", "m"], rows), "city": rng.choice(["Rome", "Bari"], rows)})
    return Table(frame.assign(ill=ill), quasi=["age", "sex", "city"], sensitive="ill", domains=DOMAINS, **options)


def counted(table: Table, release, pair) -> tuple[np.ndarray, np.ndarray]:
    """The counts of a pair of columns in the release and, put into the same cells, in the table."""
    from anonnb.methods.private.cells import cells_of

    cells = [cells_of(table.attributes[name]) for name in pair]
    sizes = [len(each) for each in cells]
    own = np.column_stack([each.of_code[table.codes(name)] for name, each in zip(pair, cells, strict=True)])
    drawn = np.column_stack([release.columns[name].index for name in pair]).astype(np.int64)
    return two_way(drawn, sizes, (0, 1)), two_way(own, sizes, (0, 1))


@pytest.mark.slow
def test_the_contract_holds_with_values_from_the_data_too():
    check_method(PrivateMarginals(domain="data"))


@pytest.mark.slow
@given(st.sampled_from([0.01, 0.5, 20.0]), st.integers(1, 12), st.integers(0, 5))
@settings(max_examples=15)
def test_rows_come_from_the_declared_domain_only(epsilon, rows, seed):
    release = PrivateMarginals(epsilon=epsilon, seed=seed).anonymize(people(rows, seed))
    allowed = {
        "age": {"[0,30)", "[30,60)", "[60,120]"},
        "sex": {"f", "m"},
        "city": {"Rome", "Bari", "Turin"},
        "ill": {"flu", "cold", "missing"},
    }
    assert len(release) >= 1
    for name, values in allowed.items():
        assert set(release.columns[name].texts()) <= values


def test_with_a_large_budget_the_marginals_are_true():
    table = people(2_000)
    release = PrivateMarginals(epsilon=100).anonymize(table)
    assert ("age", "ill") in release.info["tree"], "the one pair that is related"
    assert len(release) == pytest.approx(2_000, abs=5)
    for pair in release.info["tree"]:
        drawn, own = counted(table, release, pair)
        assert np.abs(drawn - own).max() <= 10, pair


def test_the_marginals_come_nearer_as_epsilon_grows():
    table = people(1_000)

    def error(epsilon: float) -> float:
        releases = [PrivateMarginals(epsilon=epsilon).anonymize(table) for _ in range(5)]
        pairs = [counted(table, release, ("age", "ill")) for release in releases]
        return float(np.mean([np.abs(drawn - own).sum() for drawn, own in pairs]))

    small, large = error(0.05), error(20)
    assert large < small / 4


def test_no_row_is_anybodys():
    table = people()
    release = PrivateMarginals().anonymize(table)
    assert release.synthetic
    assert release.rows is None
    assert len(release.owners[0]) == 0
    found = LinkageAttack().run(release, table)
    assert (found.success, found.right) == (0, 0)
    assert "synthetic" in found.reason
    assert HomogeneityAttack().run(release, table).attempts == len(table)


def test_a_column_without_a_domain_is_refused_and_named(tmp_path):
    table = Table(
        pd.DataFrame({"zip": ["1", "2"] * 9, "sex": ["f", "m"] * 9}), quasi=["zip", "sex"], domains={"sex": ["f", "m"]}
    )
    with pytest.raises(ValueError, match=r"column 'zip' has no declared domain.*domains=\{'zip'.*domain='data'"):
        PrivateMarginals().anonymize(table)
    method = PrivateMarginals(domain="data")
    assert "Not covered are the values of columns without a declared domain" in method.promise.guarantee
    assert set(method.anonymize(table).frame["zip"]) <= {"1", "2"}


def test_domains_that_are_too_large_together_are_refused():
    table = Table(
        pd.DataFrame({"a": [1, 2], "b": [1, 2]}), quasi=["a", "b"], domains={"a": range(5_000), "b": range(100)}
    )
    with pytest.raises(ValueError, match=r"'a' and 'b' have 5,000 × 100 cells.*wider intervals, for 'a'"):
        PrivateMarginals().anonymize(table)


def visits(rows_each: int) -> Table:
    """30 people with several rows each, all in one cell that nobody else is in."""
    frame = pd.DataFrame({"who": np.repeat(np.arange(30), rows_each), "sex": "f", "ill": "flu"})
    return Table(frame, quasi="sex", sensitive="ill", person="who", domains={"sex": ["f", "m"], "ill": ["flu", "cold"]})


def test_somebody_with_several_rows_counts_as_one_person():
    table = visits(4)
    release = PrivateMarginals(epsilon=200).anonymize(table)
    assert len(release) == pytest.approx(30, abs=3), "one row of each person"
    several = PrivateMarginals(epsilon=200, rows_per_person=3).anonymize(table)
    assert len(several) == pytest.approx(90, abs=9)
    assert several.info["noise"]["columns"] == pytest.approx(3 * release.info["noise"]["columns"])
    assert several.info["rho"] == pytest.approx(release.info["rho"])
    assert "the rows of one person are" in PrivateMarginals().promise.guaranteed(table)
    assert "who" not in release.columns
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # nobody asks whose the rows are
        assert release.people is None


def test_the_seed_is_for_the_rows_and_not_for_the_noise():
    table = people(5_000)
    one, two = (PrivateMarginals(seed=1).anonymize(table) for _ in range(2))
    assert [column.index.tobytes() for column in one.columns.values()] != [
        column.index.tobytes() for column in two.columns.values()
    ]


def test_what_is_published_has_neither_index_nor_other_columns(tmp_path):
    table = anonnb.load("zoo")
    path = PrivateMarginals(epsilon=50).anonymize(table).publish(tmp_path / "zoo.csv")
    written = pd.read_csv(path)
    assert list(written) == [name for name in table.columns if name != "animal_name"]
    assert set(written["legs"]) <= {0, 2, 4, 5, 6, 8}
