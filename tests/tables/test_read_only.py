"""Tables, releases and results cannot be changed behind what they have cached."""

import copy
import pickle

import joblib
import numpy as np
import pandas as pd
import pytest

from anonnb import privacy
from anonnb.attacks import HomogeneityAttack, LinkageAttack
from anonnb.methods import Mondrian
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column


@pytest.fixture
def table() -> Table:
    draw = np.random.default_rng(1)
    return Table(
        pd.DataFrame({"age": draw.integers(20, 80, 200), "sex": draw.choice(["f", "m"], 200)}), quasi=["age", "sex"]
    )


@pytest.fixture
def release(table) -> Release:
    return Mondrian(k=10).anonymize(table)


def test_original_cells_cannot_be_put_behind_the_caches_of_a_release(table, release):
    assert privacy.k(release) >= 10
    original = Release.of(table).columns["age"]
    with pytest.raises(TypeError, match="with_columns"):
        release.columns["age"] = original
    with pytest.raises(TypeError, match="with_columns"):
        release.columns.update(age=original)
    with pytest.raises(AttributeError, match="with_columns"):
        release.columns = {"age": original}
    with pytest.raises(ValueError, match="read-only"):
        release.columns["age"].index[:] = 0
    with pytest.raises(AttributeError, match="cannot be changed"):
        release.columns["age"].index = original.index
    changed = release.with_columns(age=original)
    assert privacy.k(changed) < 10 <= privacy.k(release)
    assert changed.method == release.method
    assert changed.info == release.info
    assert (changed.rows == release.rows).all()


@pytest.mark.parametrize("name", ["groups", "group_sizes", "rows", "group_people"])
def test_arrays_that_a_release_keeps_are_read_only(release, name):
    with pytest.raises(ValueError, match="read-only"):
        getattr(release, name)[0] = 7


@pytest.mark.parametrize("name", ["lo", "hi", "masks", "mask_row", "sizes"])
def test_the_sets_of_a_column_are_read_only(release, name):
    sets = release.columns["sex"].sets
    with pytest.raises(ValueError, match="read-only"):
        getattr(sets, name)[...] = 0
    with pytest.raises(AttributeError, match="cannot be changed"):
        setattr(sets, name, None)


def test_info_grows_in_a_new_release_only(release):
    with pytest.raises(TypeError, match=r"replace\(info="):
        release.info["k"] = 99
    assert release.replace(info={**release.info, "k": 99}).info == {**release.info, "k": 99}
    assert "k" not in release.info


def test_with_columns_names_what_is_wrong(table, release):
    age = release.columns["age"]
    with pytest.raises(KeyError, match="no column 'zip'"):
        release.with_columns({"zip": age})
    with pytest.raises(ValueError, match="one cell per published row"):
        release.with_columns(age=age.take(np.arange(3)))


def test_a_column_of_grouped_secrets_is_not_replaced():
    from anonnb.methods import Anatomy

    table = Table(pd.DataFrame({"zip": range(8), "ill": list("abcdabcd")}), quasi=["zip"], sensitive=["ill"])
    release = Anatomy(l=2).anonymize(table)
    with pytest.raises(ValueError, match="'ill' is published per group"):
        release.with_columns(ill=Column.suppressed(table.attributes["ill"], len(release)))
    hidden = release.with_columns(zip=Column.suppressed(table.attributes["zip"], len(release)))
    assert (hidden.secrets.group == release.secrets.group).all()


def test_a_table_cannot_be_changed(table):
    with pytest.raises(ValueError, match="read-only"):
        table.codes("age")[0] = 0
    with pytest.raises(TypeError, match="with_"):
        table.attributes["age"] = table.attributes["sex"]
    with pytest.raises(AttributeError, match="with_roles"):
        table.attributes = {}
    age = table.attributes["age"]
    for array in (table.people, age.numbers, age.levels.maps):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 5


def test_a_release_does_not_follow_an_array_that_it_was_made_from(table):
    rows = np.arange(len(table))
    release = Release(table, {}, rows)
    rows[0] = 7
    assert release.rows[0] == 0


def test_frames_that_are_handed_out_can_be_changed_without_changing_anything(table, release):
    for data in (table, release):
        before = data.frame.copy()
        data.frame.loc[:, "sex"] = "x"
        data.frame["more"] = 1
        pd.testing.assert_frame_equal(data.frame, before)


def test_a_result_cannot_be_changed(table, release):
    result = LinkageAttack().run(release, table)
    with pytest.raises(AttributeError):
        result.right = 0
    with pytest.raises(TypeError, match=r"replace\(info="):
        result.info["more"] = 1
    with pytest.raises(TypeError, match=r"replace\(each="):
        HomogeneityAttack(column="sex").run(release, table).each["more"] = result
    before = result.targets.copy()
    result.targets["more"] = 1
    pd.testing.assert_frame_equal(result.targets, before)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda data: pickle.loads(pickle.dumps(data))])
def test_copies_and_pickles_are_as_good_and_as_firm(table, release, copied):
    release.frame, release.group_sizes  # noqa: B018  caches travel along or are made again
    other = copied(release)
    assert privacy.k(other) == privacy.k(release)
    pd.testing.assert_frame_equal(other.frame, release.frame)
    for array in (other.columns["age"].index, other.groups, other.table.codes("age"), other.columns["age"].sets.lo):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(TypeError, match="with_columns"):
        other.columns["age"] = None
    result = copied(LinkageAttack().run(release, table))
    with pytest.raises(TypeError):
        result.info["more"] = 1
    assert repr(result) == repr(LinkageAttack().run(release, table))


def test_equal_releases_hash_alike_whatever_has_been_cached(table):
    first, second = (Mondrian(k=10).anonymize(table) for _ in range(2))
    assert joblib.hash(first.columns) == joblib.hash(second.columns)
    assert joblib.hash(table) == joblib.hash(pickle.loads(pickle.dumps(table)))
