"""Mondrian on a cluster makes the classes that it makes on one machine, whatever the partitions and workers are."""

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Infeasible, Table, load, privacy, utility
from anonnb.cluster import local
from anonnb.methods import ClassMondrian, Mondrian, Samarati
from anonnb.privacy import AlphaK, BetaLikeness, KAnonymity, KMap, LDiversity, TCloseness

pytestmark = pytest.mark.slow


ROLES = {"quasi": ["age", "job", "zip"], "sensitive": ["ill"], "decision": "rich"}


@pytest.fixture(scope="module", autouse=True)
def client():
    with local(workers=2, processes=False) as client:
        yield client


def people(rows: int, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "name": [f"person {number}" for number in range(rows)],
            "age": rng.normal(45, 15, rows).round().clip(18, 90).astype(int),
            "job": rng.choice(["clerk", "nurse", "smith", "cook", "none"], rows, p=[0.4, 0.3, 0.15, 0.1, 0.05]),
            "zip": np.where(rng.random(rows) < 0.05, np.nan, rng.integers(0, 40, rows)),
            "note": rng.random(rows),
            "ill": rng.choice(["flu", "cold", "hiv", "gout"], rows, p=[0.5, 0.3, 0.05, 0.15]),
            "rich": rng.choice(["yes", "no"], rows),
        }
    )


def on_cluster(frame: pd.DataFrame, npartitions: int = 3, region_rows: int = 50, **options):
    return Table.from_dask(
        dd.from_pandas(frame, npartitions=npartitions, sort=False), region_rows=region_rows, **options
    )


def texts(*releases) -> pd.DataFrame:
    """What releases show, all rows in one order."""
    frames = [pd.DataFrame({name: column.texts() for name, column in release.columns.items()}) for release in releases]
    frame = pd.concat(frames)
    return frame.sort_values(list(frame)).reset_index(drop=True)


def parts(release) -> list:
    """A release on a cluster as releases in memory."""
    return [release.part(number) for number in range(len(release.parts))]


METHODS = [
    Mondrian(5),
    Mondrian(3, summary="region"),
    Mondrian(5, require=[LDiversity(3)]),
    Mondrian(4, require=[TCloseness(0.3), KAnonymity(6)]),
    Mondrian(3, require=[AlphaK(0.7, 2), BetaLikeness(3)], summary="region"),
    Mondrian(40, require=[LDiversity(2.5, "entropy")]),
]


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_the_classes_are_those_of_one_machine(method):
    frame = people(600)
    alone = method.anonymize(Table(frame.drop(columns=["name", "note"]), **ROLES))
    spread = method.anonymize(on_cluster(frame, identifier="name", **ROLES))
    assert len(spread.parts) > 1
    pd.testing.assert_frame_equal(texts(*parts(spread)), texts(alone))
    assert (spread.k, spread.n_groups, len(spread)) == (privacy.k(alone), alone.n_groups, len(alone))


@st.composite
def tables(draw):
    rows = draw(st.integers(4, 60))
    cells = {
        "a": st.integers(0, 30),
        "b": st.sampled_from(["x", "y", "z", None]),
        "c": st.sampled_from([0.5, 2.0, None]),
    }
    frame = pd.DataFrame({name: draw(st.lists(cell, min_size=rows, max_size=rows)) for name, cell in cells.items()})
    return frame.astype({"c": float}).assign(s=draw(st.lists(st.sampled_from("uvw"), min_size=rows, max_size=rows)))


@pytest.mark.slow
@settings(max_examples=12)
@given(tables(), st.integers(1, 5), st.integers(1, 5), st.integers(1, 30), st.sampled_from(["set", "region"]))
def test_any_small_table_gives_the_classes_of_one_machine(frame, k, npartitions, region_rows, summary):
    k, roles = min(k, len(frame)), {"quasi": ["a", "b", "c"], "sensitive": ["s"]}
    method = Mondrian(k, summary=summary, require=[LDiversity(frame["s"].nunique() if k > 1 else 1)])
    spread = method.anonymize(on_cluster(frame, npartitions, region_rows, **roles))
    pd.testing.assert_frame_equal(texts(*parts(spread)), texts(method.anonymize(Table(frame, **roles))))


@pytest.mark.slow
def test_cuts_by_loss_lose_about_as_much_as_on_one_machine():
    table = load("adult")
    frame = table.frame[[*table.quasi, table.decision]]
    hierarchies = {name: table.attributes[name].hierarchy for name in table.quasi}
    roles = {"quasi": table.quasi, "decision": table.decision, "hierarchies": hierarchies}
    method = Mondrian(10, cut="loss")
    spread = method.anonymize(on_cluster(frame, 4, 8_000, **roles))
    loss = utility.report(None, spread).set_index("measure").loc["NCP", "value"]
    assert spread.k >= 10
    assert abs(loss / utility.ncp(table, method.anonymize(table)) - 1) < 0.05


@pytest.mark.parametrize("summary", ["set", "region"])
def test_partitions_do_not_matter(tmp_path, summary):
    frame = people(500)
    folders = []
    for npartitions, rows in ((1, frame), (11, frame), (4, frame.sample(frac=1, random_state=1))):
        release = Mondrian(5, summary=summary).anonymize(on_cluster(rows, npartitions, 60, **ROLES))
        folders.append(release.publish(tmp_path / f"{npartitions}.parquet"))
    contents = [{file.name: file.read_bytes() for file in folder.iterdir()} for folder in folders]
    assert contents[0] == contents[1] == contents[2]
    assert len(contents[0]) > 1


def test_measures_are_those_of_one_machine():
    frame = people(400).assign(zip=lambda rows: rows["zip"].fillna(0))
    method = Mondrian(4)
    table = Table(frame, **ROLES)
    alone, spread = method.anonymize(table), method.anonymize(on_cluster(frame, 3, 40, **ROLES))
    pd.testing.assert_frame_equal(privacy.report(spread), privacy.report(alone), check_exact=False, rtol=1e-9)
    there = utility.report(table, alone)
    whole = ["roughness", *(measure.name for measure in utility.ANALYSES)]  # they need all rows at once
    there = there[~there["measure"].isin(whole)].reset_index(drop=True)
    pd.testing.assert_frame_equal(utility.report(None, spread), there, check_exact=False, rtol=1e-9)


def test_a_report_with_missing_quasi_identifiers_leaves_out_what_crosses_parts():
    spread = Mondrian(2).anonymize(on_cluster(people(300), 2, 40, **ROLES))
    assert not privacy.report(spread)["measure"].str.contains("missing matches").any()
    with pytest.raises(ValueError, match="leave population= out"):
        privacy.report(spread, Table(people(10)))


def test_single_measures_need_the_rows():
    spread = Mondrian(2).anonymize(on_cluster(people(100), **ROLES))
    with pytest.raises(TypeError, match="a ClusterRelease has its rows on a cluster: measure"):
        privacy.k(spread)
    assert privacy.k(spread.part(0)) >= 2


# ---- what it refuses --------------------------------------------------------------------------------------------


def test_what_is_not_possible_on_a_cluster_is_said():
    table = on_cluster(people(100), **ROLES)
    with pytest.raises(TypeError, match="Samarati needs all rows in memory"):
        Samarati(2).anonymize(table)
    with pytest.raises(TypeError, match="ClassMondrian needs all rows in memory"):
        ClassMondrian(2).anonymize(table)
    with pytest.raises(ValueError, match="use strict=True"):
        Mondrian(2, strict=False).anonymize(table)
    with pytest.raises(ValueError, match="use 'set' or 'region'"):
        Mondrian(2, summary="mean").anonymize(table)
    with pytest.raises(TypeError, match="cannot be required of a table on a cluster"):
        Mondrian(2, require=[KMap(2, Table(people(10), quasi=["age"]))]).anonymize(
            on_cluster(people(50), quasi=["age"])
        )


def test_what_cannot_be_reached_is_infeasible():
    table = on_cluster(people(100), **ROLES)
    with pytest.raises(Infeasible, match="k = 101 needs at least 101 rows; the table has 100"):
        Mondrian(101).anonymize(table)
    with pytest.raises(Infeasible, match="the whole table as one group misses LDiversity"):
        Mondrian(2, require=[LDiversity(9)]).anonymize(table)
    with pytest.raises(ValueError, match="no sensitive column"):
        Mondrian(2, require=[LDiversity(2)]).anonymize(on_cluster(people(100), quasi=["age"]))
