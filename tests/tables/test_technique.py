import numpy as np
import pandas as pd
import pytest

import anonnb
from anonnb import Release, Table
from anonnb.tables.technique import release_class
from anonnb.tables.value_sets import Column

TABLE = anonnb.load("survey")
ROWS = np.arange(len(TABLE))
FEW = np.arange(len(TABLE)) < 5


def column(name, level=0, suppressed=None):
    """A column on a level, some of its cells suppressed."""
    made = Column.generalized(TABLE.attributes[name], TABLE.codes(name), level)
    return made if suppressed is None else made.with_suppressed(suppressed)


def cells(name, rows):
    """Only the cells of ``rows`` on level 1."""
    shown = np.where(rows, column(name, 1).texts(), TABLE.frame[name])
    return Release.from_frame(TABLE.frame.assign(**{name: shown}), TABLE, rows=ROWS).columns[name]


def released(columns, rows=ROWS):
    return Release(TABLE, {name: made.take(rows) for name, made in columns.items()}, rows)


CASES = {
    "_": ({}, ROWS),
    "_TS": ({}, ROWS[5:]),
    "_AS": ({"Sex": column("Sex", suppressed=~np.zeros(66, dtype=bool))}, ROWS),
    "_CS": ({"Sex": column("Sex", suppressed=FEW)}, ROWS),
    "AG_": ({"Sex": column("Sex", 1)}, ROWS),
    "AG_TS": ({"Marital_status": column("Marital_status", 1)}, ROWS[5:]),
    "AG_CS": ({"Marital_status": column("Marital_status", 1, suppressed=FEW)}, ROWS),
    "CG_": ({"Sex": cells("Sex", FEW)}, ROWS),
}


@pytest.mark.parametrize("name", CASES)
def test_one_release_of_each_class(name):
    columns, rows = CASES[name]
    assert str(release_class(TABLE, released(columns, rows))) == name


@pytest.mark.parametrize(
    ("parts", "rows", "name"),
    [
        (["_AS", "AG_TS"], ROWS, "AG_"),  # AG_AS is AG_
        (["CG_", "AG_TS"], ROWS, "CG_"),
        (["CG_"], ROWS[:-5], "CG_"),  # CG_TS does not apply
        (["_AS"], ROWS[5:], "AG_TS"),
        (["_CS", "AG_TS"], ROWS, "AG_CS"),
        (["_CS"], ROWS[:-5], "_CS"),
        (["AG_CS"], ROWS[:-5], "AG_CS"),
    ],
)
def test_combinations_fall_together_as_the_chapter_says(parts, rows, name):
    columns = {}
    for part in parts:
        columns |= CASES[part][0]
    assert release_class(TABLE, released(columns, rows)).name == name


def test_the_two_ways_to_degree_four():
    whole = released({"Sex": column("Sex", 1)})
    some = (TABLE.frame["Marital_status"] == "divorced") & (TABLE.frame["Hours"] == 35)
    few = released({"Sex": cells("Sex", some.to_numpy())})
    assert whole.group_sizes.min() == few.group_sizes.min() == 4
    assert (few.frame != TABLE.frame.astype(object)).to_numpy().sum() == 4
    assert [release_class(TABLE, release).name for release in (whole, few)] == ["AG_", "CG_"]
    assert release_class(TABLE, few).why == "Sex: the same value shown in different ways"


def test_releases_of_others_are_judged_by_their_sets():
    frame = TABLE.frame.assign(Hours=np.where(TABLE.frame["Hours"] < 40, "[1,40)", "[40,100)"))
    assert release_class(TABLE, Release.from_frame(frame, TABLE)).name == "AG_"
    frame.loc[:4, "Hours"] = "[1,100)"
    assert release_class(TABLE, Release.from_frame(frame, TABLE)).name == "CG_"


def test_changed_values_are_neither():
    table = Table(pd.DataFrame({"a": [1, 2]}), quasi=["a"])
    release = Release(table, {"a": Column.original(table.attributes["a"], np.array([1, 0]))}, np.arange(2))
    assert release_class(table, release).name == "other"
    assert release_class(table, table).why == "nothing was changed"
