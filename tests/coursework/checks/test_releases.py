"""Releases are judged by the text that is published."""

from collections import Counter

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonnb import Hierarchy, Table
from anonnb.coursework import checks
from anonnb.coursework.checks import Wrong

FRAME = pd.DataFrame(
    {"age": [21, 24, 27, 35, 38, 39], "zip": ["4701", "4702", "4703", "4801", "4802", "4803"], "ill": list("xyzxyz")},
    index=[f"p{number}" for number in range(1, 7)],
)
TABLE = Table(FRAME, quasi=["age", "zip"], sensitive=["ill"], hierarchies={"zip": Hierarchy.mask(4)})
AGES = ["[21-39]", "[20-39]", "[21–39]", "[21, 39]", "[21-39.0]", "*", ">=21", "21..39"]  # all hold every age
ZIPS = ["4***", "*", "47** or 48**", "4701|4702|4703|4801|4802|4803"]


def told(check, *arguments):
    with pytest.raises(Wrong) as error:
        check(*arguments)
    return str(error.value)


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.sampled_from(AGES[:3]), st.sampled_from(ZIPS[:2])), min_size=6, max_size=6), st.integers(1, 4)
)
def test_k_and_l_are_those_of_the_text(cells, k):
    frame = FRAME.assign(age=[age for age, _ in cells], zip=[code for _, code in cells])
    release = checks.generalized("mine", frame, TABLE)
    texts = list(zip(frame["age"], frame["zip"], strict=True))
    smallest = min(Counter(texts).values())
    kinds = min(len({ill for ill, text in zip(FRAME["ill"], texts, strict=True) if text == one}) for one in texts)
    for check, holds in ((checks.k_anonymous, smallest >= k), (checks.diverse, kinds >= k)):
        if holds:
            check("mine", release, k)
        else:
            assert told(check, "mine", release, k)


@pytest.mark.parametrize("column", ["age", "zip"])
def test_cells_that_cover_the_same_and_read_differently_are_different(column):
    whole = FRAME.assign(age="[21-39]", zip="4***")
    checks.k_anonymous("mine", checks.generalized("mine", whole, TABLE), 6)
    mixed = whole.assign(**{column: ({"age": AGES, "zip": ZIPS}[column] * 3)[:6]})
    for release in (checks.generalized("mine", mixed, TABLE), checks.could_come_from("mine", mixed, TABLE)):
        assert "is not 3-anonymous" in told(checks.k_anonymous, "mine", release, 3)


@pytest.mark.parametrize("extra", ["real_age", "who", "Unnamed: 0"])
def test_columns_that_nobody_asked_for(extra, tmp_path):
    frame = FRAME.assign(age="*", zip="*", **{extra: range(6)})
    assert f"has the column {extra!r}" in told(checks.generalized, "mine", frame, TABLE)
    assert f"has the column {extra!r}" in told(checks.could_come_from, "mine", frame, TABLE)
    frame.to_csv(tmp_path / "published.csv", index=False)
    assert f"has the column {extra!r}" in told(checks.published, tmp_path / "published.csv", TABLE)


def test_files_that_cannot_be_read_and_files_that_are_too_long(tmp_path):
    path = tmp_path / "published.csv"
    path.write_text("age,zip,ill\n1,2\n")
    assert "published.csv cannot be read: published.csv, before line 3" in told(checks.published, path, TABLE)
    path.write_bytes(b"age,zip,ill\n\xff,1,x\n")
    assert "is not written in utf-8" in told(checks.published, path, TABLE)
    path.write_text("age,zip,ill\n" + "*,*,x\n" * 700)
    assert told(checks.published, path, TABLE) == "published.csv has 700 rows, but the table only 6."
    assert str(tmp_path) not in told(checks.published, tmp_path / "none.csv", TABLE)
