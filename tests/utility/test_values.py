"""How many values a cell leaves open: counted cell by cell, and told where NCP hides it."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonnb import Release, Table, utility
from anonnb.methods import Anatomy, Microaggregation
from anonnb.tables.value_sets import Column
from anonnb.utility import expected_count


def cities(count: int, per_cell: int) -> tuple[Table, Release]:
    """A release in which every cell holds so many cities."""
    table = Table(pd.DataFrame({"city": [f"c{number:05}" for number in range(count)]}), quasi=["city"])
    groups = np.arange(count) // per_cell
    column = Column.of_groups(table.attributes["city"], table.codes("city"), groups, int(groups.max()) + 1)
    return table, Release(table, {"city": column}, np.arange(count))


def test_eight_cities_of_thousands_lose_nothing_by_ncp_and_eight_values_by_count():
    table, release = cities(4000, 8)
    assert utility.ncp(table, release) < 0.002
    assert utility.values_per_cell(table, release) == 8
    assert utility.exact_cells(table, release) == 0
    (sentence,) = utility.small_losses(table, release)
    assert "city" in sentence
    assert "holds 8" in sentence
    report = utility.report(table, release).set_index("measure")["value"]
    assert report["values per cell"] == 8
    assert report["exact cells"] == 0


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from("abc"), st.booleans()), min_size=1, max_size=12))
def test_values_and_exact_cells_equal_a_count_by_hand(rows):
    table = Table(pd.DataFrame({"n": [n for n, *_ in rows], "t": [t for _, t, _ in rows]}), quasi=["n", "t"])
    kept = np.flatnonzero([flag for *_, flag in rows])
    groups = np.arange(len(kept)) // 2
    columns = {
        name: Column.of_groups(table.attributes[name], table.codes(name)[kept], groups, len(set(groups)))
        for name in table.quasi
    }
    release = Release(table, columns, kept)
    held, exact = [], []
    for name in table.quasi:
        column, size = columns[name], table.attributes[name].size
        counts = [int(column.sets.mask(number).sum()) for number in column.index] + [size] * (len(rows) - len(kept))
        held.append(np.mean(counts))
        exact += [count == 1 for count in counts[: len(kept)]] + [False] * (len(rows) - len(kept))
    assert utility.values_per_cell(table, release) == pytest.approx(np.mean(held))
    assert utility.values_per_cell(table, release, per="column").tolist() == pytest.approx(held)
    assert utility.exact_cells(table, release) == pytest.approx(np.mean(exact))


def test_the_original_is_exact_and_a_withheld_table_is_open():
    table, _ = cities(10, 2)
    assert (utility.values_per_cell(table, table), utility.exact_cells(table, table)) == (1, 1)
    nothing = Release(table, {}, np.array([], dtype=np.int64))
    assert (utility.values_per_cell(table, nothing), utility.exact_cells(table, nothing)) == (10, 0)
    with pytest.raises(ValueError, match="per='row'"):
        utility.values_per_cell(table, table, per="row")


def test_nothing_changed_costs_nothing_and_the_mean_costs_all():
    table = Table(pd.DataFrame({"x": [1, 2, 6], "y": [0.5, 2.5, 9.0]}), quasi=["x", "y"])
    assert utility.sse(table, table) == 0
    assert utility.sse(table, Microaggregation(k=3).anonymize(table)) == pytest.approx(1, abs=1e-6)
    hidden = {name: Column.suppressed(table.attributes[name], 3) for name in table.quasi}
    assert utility.sse(table, Release(table, hidden, np.arange(3))) == pytest.approx(1)
    assert utility.sse(table, Release(table, {}, np.array([], dtype=int))) == pytest.approx(1)


@given(st.lists(st.tuples(st.integers(0, 99), st.integers(0, 9)), min_size=4, max_size=30))
def test_it_equals_plain_numpy_on_standardized_columns(rows):
    frame = pd.DataFrame(rows, columns=["x", "y"], dtype=float)
    if (frame.std() == 0).any():
        return
    table = Table(frame, quasi=["x", "y"])
    release = Microaggregation(k=2).anonymize(table)
    z = (frame - frame.mean()) / frame.std()
    shown = (release.frame - frame.mean()) / frame.std()
    expected = ((z - shown) ** 2).to_numpy().sum() / (z**2).to_numpy().sum()
    assert utility.sse(table, release) == pytest.approx(expected, abs=1e-9)


def test_a_table_without_numbers_has_no_such_figure():
    table = Table(pd.DataFrame({"sex": list("fmfm")}), quasi=["sex"])
    assert np.isnan(utility.sse(table, table))
    assert "SSE" not in set(utility.report(table, Microaggregation(k=2).anonymize(table))["measure"])


def test_it_stands_in_the_report_where_numbers_are_moved():
    table = Table(pd.DataFrame({"x": [1, 2, 6, 7]}), quasi=["x"])
    assert "SSE" in set(utility.report(table, Microaggregation(k=2).anonymize(table))["measure"])
    assert "SSE" not in set(utility.report(table, table)["measure"])


def test_secrets_of_groups_count_by_their_shares():
    table = Table(pd.DataFrame({"x": [1, 2, 3, 4], "y": list("abab")}), quasi=["x"], sensitive="y")
    assert expected_count(Anatomy(l=2).anonymize(table), {"x": (1, 3), "y": ["a"]}) == pytest.approx(1.5)


def test_what_cannot_be_asked_is_refused():
    release = Release.of(Table(pd.DataFrame({"y": list("ab")}), quasi=["y"]))
    with pytest.raises(KeyError, match="no column 'z'"):
        expected_count(release, {"z": (0, 1)})
    with pytest.raises(ValueError, match=r"column 'y': .* is a range; give a list of values"):
        expected_count(release, {"y": (0, 1)})
