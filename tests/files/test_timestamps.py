"""Times of day are read as dates with a time, blurred as such, and read back."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest

from anonnb import Release, Table
from anonnb.files.reading import read_table_bytes
from anonnb.methods import Mondrian, Samarati


def read(*cells, **options):
    return read_table_bytes("\n".join(["t,x", *(f"{cell},1" for cell in cells)]).encode(), "t.csv", **options)["t"]


@pytest.mark.parametrize(
    ("cells", "options"),
    [
        (["2017-01-01 06:00", "2017-01-02 00:00"], {}),
        (["2017-01-01T06:00:00", "2017-01-02"], {}),
        (["01.01.2017 06:00", "02.01.2017 0:00"], {"dayfirst": True}),
        (["1/1/2017 6:00:00", "2/1/2017 00:00:00"], {"dayfirst": True}),
    ],
)
def test_forms(cells, options):
    assert read(*cells, **options).tolist() == [pd.Timestamp("2017-01-01 06:00"), pd.Timestamp("2017-01-02")]


def test_what_no_clock_shows_stays_text_and_is_named():
    with pytest.warns(UserWarning, match="25:00"):
        found = read(*[f"2017-01-{day:02} 06:00" for day in range(1, 20)], "2017-01-01 25:00")
    assert found.dtype == "str"


def test_day_first_needs_its_option():
    with pytest.warns(UserWarning, match="dayfirst"):
        read("31.01.2017 06:00", "01.02.2017 07:00")


def test_offsets_are_announced():
    with pytest.warns(UserWarning, match=r"the offset \+01:00, read as they are"):
        assert read("2017-01-01T06:00+01:00")[0] == pd.Timestamp("2017-01-01 06:00")
    with pytest.warns(UserWarning, match="several offsets"):
        assert read("2017-07-01T06:00+02:00", "2017-01-01T06:00+01:00")[0] == pd.Timestamp("2017-07-01 04:00")


@pytest.fixture(scope="module")
def table():
    draw = np.random.default_rng(5)
    moments = pd.Timestamp("2017-01-01") + pd.to_timedelta(draw.integers(0, 24 * 60 * 90, 600), unit="min")
    frame = pd.DataFrame({"t": moments, "ill": draw.choice(["flu", "cold"], 600)})
    frame.loc[0, "t"] = pd.Timestamp("2017-01-01")
    return Table(frame, quasi="t", sensitive="ill")


def test_default_levels_are_hour_day_month(table):
    with pytest.warns(UserWarning, match="column 't' has no hierarchy: using periods of dates"):
        levels = table.attributes["t"].levels
    assert [names[0] for names in levels.labels] == ["2017-01-01 00:00", "2017-01-01 00h", "2017-01-01", "2017-01", "*"]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("method", [Mondrian(k=5), Samarati(k=5)])
def test_releases_are_readable_and_read_back(table, tmp_path, method):
    release = method.anonymize(table)
    path = release.publish(tmp_path / "out.csv")
    cells = pd.read_csv(path)["t"]
    assert cells.str.len().max() <= len("[2017-01-01 00:00–2017-01-01 00:00]")
    again = Release.from_frame(pd.read_csv(path), like=table, hidden="class")
    assert sorted(again.group_sizes) == sorted(release.group_sizes)
    sets = [one.columns["t"].sets for one in (release, again)]
    before, after = ({(int(lo), int(hi)) for lo, hi in zip(one.lo, one.hi, strict=True)} for one in sets)
    assert after <= before


def test_a_whole_day_is_no_moment(table):
    day = Release.from_frame(pd.DataFrame({"t": ["2017-01-01"] * 2}), like=table.select(["t"]))
    moment = Release.from_frame(pd.DataFrame({"t": ["2017-01-01 00:00"] * 2}), like=table.select(["t"]))
    assert day.columns["t"].sizes[0] > moment.columns["t"].sizes[0] == 1


@pytest.mark.slow
def test_memory_stays_small():
    moments = pd.Timestamp("2017-01-01") + pd.to_timedelta(np.arange(20_000), unit="min")
    text = pd.DataFrame({"t": moments.strftime("%Y-%m-%d %H:%M"), "ill": ["a", "b"] * 10_000}).to_csv(index=False)
    tracemalloc.start()
    table = Table(read_table_bytes(text.encode(), "t.csv"), quasi="t", sensitive="ill")
    release = Mondrian(k=10).anonymize(table)
    assert release.published()["t"].str.len().max() < 40
    assert tracemalloc.get_traced_memory()[1] < 100e6
    tracemalloc.stop()
