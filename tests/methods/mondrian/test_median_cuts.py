"""Median cuts beside a plain Mondrian that computes with fractions, on one machine and by counts of a cluster."""

from fractions import Fraction

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Table
from anonnb.methods import Mondrian
from anonnb.methods.mondrian.cutting import MedianCuts, StrictCutter
from anonnb.methods.mondrian.regions import Space, partition

DAY = pd.Timestamp("2020-02-27")


def exact(value) -> Fraction | None:
    """A number as it is printed; a date as nanoseconds; None for a missing value."""
    if pd.isna(value):
        return None
    return Fraction((value - DAY).value if isinstance(value, pd.Timestamp) else str(value))


def plain_mondrian(table: Table, k: int) -> set[frozenset[int]]:
    """Cut the widest attribute at its median as the documentation says, region by region, in exact arithmetic."""
    columns = []
    for name in table.quasi:
        attribute, codes = table.attributes[name], table.codes(name).tolist()
        weight = Fraction(str(attribute.weight))
        if attribute.kind == "nominal":
            columns.append((codes, None, weight / max(attribute.size - 1, 1)))
            continue
        ordinal = attribute.kind == "ordinal"
        known = [Fraction(code) if ordinal else exact(value) for code, value in enumerate(attribute.domain)]
        room = (known[-1] - known[0] if known else 0) or 1
        places = [(value - known[0]) / room * weight for value in known] + [2 * weight]  # the last: a missing value
        columns.append((codes, places, weight))

    def width(column, rows) -> Fraction:
        codes, places, unit = column
        occurring = {codes[row] for row in rows}
        return (len(occurring) - 1) * unit if places is None else places[max(occurring)] - places[min(occurring)]

    def cut(rows) -> set[frozenset[int]]:
        for axis in sorted(range(len(columns)), key=lambda axis: (-width(columns[axis], rows), axis)):
            codes = columns[axis][0]
            best = None
            for code in sorted({codes[row] for row in rows}):
                left = [row for row in rows if codes[row] <= code]
                below = sum(codes[row] < code for row in rows)
                if len(left) >= k and len(rows) - len(left) >= k:
                    is_median = 2 * len(left) >= len(rows) > 2 * below
                    distance = -1 if is_median else abs(2 * len(left) - len(rows))
                    if best is None or distance < best[0]:
                        best = distance, left
            if best:
                right = [row for row in rows if row not in set(best[1])]
                return cut(best[1]) | cut(right)
        return {frozenset(rows)}

    return cut(list(range(len(table))))


COLUMNS = {
    "count": lambda rng, n: rng.integers(0, 4, n),
    "share": lambda rng, n: rng.choice([0.1, 0.3, 0.4, 0.7, np.nan], n),
    "third": lambda rng, n: rng.integers(0, 4, n) / 3,
    "huge": lambda rng, n: 2**60 + rng.choice([0, 1, 2, 2**59, 2**59 + 1], n),
    "day": lambda rng, n: DAY + pd.to_timedelta(rng.choice([0, 1, 3, 4, 7], n), "D"),
    "moment": lambda rng, n: DAY + pd.to_timedelta(rng.choice([0, 1, 10**17 // 3, 10**17, 10**17 + 1], n), "ns"),
    "city": lambda rng, n: rng.choice(list("abcd"), n),
    "size": lambda rng, n: pd.Categorical(rng.choice(list("SMLX"), n), list("SMLX"), ordered=True),
}


@st.composite
def coarse_tables(draw):
    """Tables of a few values, whose widths are often equal."""
    names = draw(st.permutations(list(COLUMNS)))[: draw(st.integers(2, 4))]
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    frame = pd.DataFrame({name: COLUMNS[name](rng, draw(st.just(30))) for name in names})[: draw(st.integers(6, 30))]
    weights = {name: draw(st.sampled_from([0.1, 1, 2.5, 1 / 3])) for name in names[: draw(st.integers(0, 2))]}
    return Table(frame, quasi=names, weights=weights), draw(st.integers(1, 4))


def classes(groups) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(groups == group).tolist()) for group in np.unique(groups)}


@settings(max_examples=150)
@given(coarse_tables())
def test_ties_go_to_the_first_attribute(case):
    table, k = case
    groups, _ = partition(Space(table), StrictCutter(k, MedianCuts()))
    assert classes(groups) == plain_mondrian(table, k)


def test_two_thirds_are_two_thirds():
    """As doubles 1 − 1/3 is more than 2/3; the first attribute is cut all the same."""
    domain = pd.DataFrame({"a": [0, 1, 2, 3], "b": [0, 1, 2, 3]})
    frame = pd.concat([domain, pd.DataFrame({"a": [0, 0, 2, 2], "b": [1, 3, 1, 3]})])
    table = Table(frame, quasi=["a", "b"]).take(np.arange(4, 8))
    assert Mondrian(2).anonymize(table).frame["b"].tolist() == ["[1–3]"] * 4


@st.composite
def started_tables(draw):
    """A table with many ties, missing values and a column of far more values than rows, in a few regions."""
    n = draw(st.integers(1, 120))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    values = draw(st.integers(1, 6))
    frame = pd.DataFrame(
        {
            "city": rng.choice(list("abcdef")[:values], n),
            "age": rng.choice([17, 18, 40, 41, 90, np.nan][-values:], n),
            "zip": rng.choice([1, 2, 900, 901, 902, 5_000], n),
        }
    )
    wide = pd.concat([frame, frame[:1].merge(pd.DataFrame({"zip": range(6_000)}), how="cross", suffixes=("_", ""))])
    table = Table(wide[list(frame)], quasi=list(frame), weights={"age": 2.5}).take(np.arange(n))
    start = np.unique(rng.integers(draw(st.integers(1, 3)), size=n), return_inverse=True)[1]
    return table, start, draw(st.integers(1, 5))


@settings(max_examples=60)
@given(started_tables())
def test_regions_are_cut_on_from_where_they_start(case):
    table, start, k = case
    groups, count = partition(Space(table), StrictCutter(k, MedianCuts()), start)
    assert sorted(set(groups.tolist())) == list(range(count))
    parts = [np.flatnonzero(start == number) for number in range(start.max() + 1)]
    finished = [(rows, plain_mondrian(table.take(rows), k)) for rows in parts]
    expected = {frozenset(rows[list(group)].tolist()) for rows, groups in finished for group in groups}
    assert classes(groups) == expected
