"""Rough sets of releases: certain and possible, against every table that a small release may stand for."""

from itertools import product

import numpy as np
import pytest

from anonnb import Release, load, roughsets, utility
from anonnb.methods import Mondrian
from anonnb.roughsets import releases
from tests.roughsets.definitions import NAMES, random_data
from tests.roughsets.test_dominance import dominated, dominating, random_criteria

MAX_WORLDS = 300


def worlds(data, names):
    """Every table that a release may stand for, as lists of rows of codes; None where there are too many."""
    columns = [data.columns[name] for name in [*names, "d"]]
    cells = [
        np.flatnonzero(mask).tolist()
        for row in zip(*(c.sets.as_masks()[c.index] for c in columns), strict=True)
        for mask in row
    ]
    if np.prod([len(cell) for cell in cells]) > MAX_WORLDS:
        return None
    width = len(columns)
    return [[world[at : at + width] for at in range(0, len(world), width)] for world in product(*cells)]


def lower_and_upper(rows, concept):
    near = [[other for other in rows if other[:-1] == row[:-1]] for row in rows]
    lower = {place for place, found in enumerate(near) if all(other[-1] in concept for other in found)}
    upper = {place for place, found in enumerate(near) if any(other[-1] in concept for other in found)}
    return lower, upper


def release_of(seed, names):
    """A release small enough for all of its tables to be tried."""
    data = random_data(2 * seed, most_rows=4)
    return data, worlds(data, names)


@pytest.mark.slow
def test_certain_and_possible_over_all_tables():
    tried = 0
    for seed in range(900):
        if tried == 500:
            break
        names = NAMES[: 1 + seed % 3]
        data, all_worlds = release_of(seed, names)
        if all_worlds is None:
            continue
        tried += 1
        found = releases.approximate_worlds(data, ["p"], names)
        both = [lower_and_upper(world, {0}) for world in all_worlds]
        for part, place in (("lower", 0), ("upper", 1)):
            assert set(getattr(found, f"certain_{part}").tolist()) == set.intersection(*(pair[place] for pair in both))
            assert set(getattr(found, f"possible_{part}").tolist()) == set.union(*(pair[place] for pair in both))
        regions = [set().union(*(lower_and_upper(world, {c})[0] for c in range(3))) for world in all_worlds]
        certain, possible = set.intersection(*regions), set.union(*regions)
        low, high = releases.quality_bounds(data, names)
        assert high == len(possible) / len(data)
        assert low == roughsets.quality(data, names, relation="overlap") <= len(certain) / len(data)
    assert tried == 500


@pytest.mark.slow
def test_dominance_over_all_tables():
    tried = 0
    for seed in range(700):
        if tried == 500:
            break
        data = random_criteria(seed, sets=True)
        data = data.take(np.arange(min(len(data), 3)))
        all_worlds = worlds(data, NAMES)
        if all_worlds is None or data.table.attributes["d"].size < 2:
            continue
        tried += 1
        value = data.table.attributes["d"].domain[1]
        both = []
        for world in all_worlds:
            cells = {name: [row[place] for row in world] for place, name in enumerate(NAMES)}
            rows, good = range(len(world)), [row[-1] >= 1 for row in world]
            both.append(
                (
                    {r for r in rows if all(good[o] for o in dominating(cells, r, NAMES))},
                    {r for r in rows if any(good[o] for o in dominated(cells, r, NAMES))},
                )
            )
        found = releases.dominance_worlds(data, value)
        for part, place in (("lower", 0), ("upper", 1)):
            assert set(getattr(found, f"certain_{part}").tolist()) == set.intersection(*(pair[place] for pair in both))
            assert set(getattr(found, f"possible_{part}").tolist()) == set.union(*(pair[place] for pair in both))
    assert tried == 500


def test_of_a_table_certain_and_possible_are_pawlaks():
    table = load("hayes-roth")
    pawlak, found = roughsets.approximate(table, 1), releases.approximate_worlds(table, 1)
    for part in ("lower", "upper"):
        assert getattr(found, f"certain_{part}").tolist() == getattr(pawlak, part).tolist()
        assert getattr(found, f"possible_{part}").tolist() == getattr(pawlak, part).tolist()
    assert releases.quality_bounds(table) == (roughsets.quality(table), roughsets.quality(table))


def test_roughness_of_a_table_by_its_approximations():
    table = load("hayes-roth")
    rough = [roughsets.approximate(table, value) for value in table.attributes["class"].domain]
    expected = 1 - sum(len(one.lower) for one in rough) / sum(len(one.upper) for one in rough)
    assert releases.roughness(table) == pytest.approx(expected)
    assert releases.roughness(load("zoo")) == 0


def test_dependencies_of_a_release():
    table = load("hayes-roth")
    frame = releases.dependencies({"original": table, "k = 4": Mondrian(k=4).anonymize(table)})
    original, release = frame.loc["original"], frame.loc["k = 4"]
    assert original["γ"] == original["γ of the shortest reduct"] == original["γ possible"] == roughsets.quality(table)
    assert original["reducts"] == original["reducts kept"] == len(roughsets.reducts(table))
    assert release["γ"] < original["γ"] <= release["γ possible"]
    assert release["roughness"] > original["roughness"]


def test_withheld_rows_count_in_the_shares_of_dependencies():
    table = load("zoo")
    frame = releases.dependencies({"original": table, "most": Release(table, {}, np.arange(90))})
    assert frame.loc["most", "γ"] == 90 / 101
    assert frame.loc["most", "γ possible"] == 1


def test_a_row_that_was_withheld_may_have_any_class():
    table = load("zoo")
    some = Release(table, {}, np.arange(90))
    assert releases.roughness(some) == pytest.approx(1 - 90 / (90 + 11 * 7))


def test_roughness_is_a_measure_of_every_release_with_classes():
    table = load("survey")
    shown = utility.report(table, Mondrian(k=4).anonymize(table)).set_index("measure")
    assert shown.loc["roughness", "better"] == "lower"
    assert shown.loc["roughness", "value"] == releases.roughness(Mondrian(k=4).anonymize(table))
    assert "roughness" not in set(utility.report(load("gbsg2"), load("gbsg2"))["measure"])
