"""People, not rows: every model and measure against plain counting of the people in each class."""

from collections import defaultdict

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Release, Table, privacy
from anonnb.core.arrays import distinct_per_group
from anonnb.privacy import AlphaK, BetaLikeness, DeltaPresence, KAnonymity, KMap, LDiversity, TCloseness
from anonnb.tables.roles import PersonWarning

ROWS = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 4), st.sampled_from(["flu", "cold", "ulcer", None])),
    min_size=1,
    max_size=25,
)


def made(rows):
    frame = pd.DataFrame(rows, columns=["zip", "who", "ill"]).astype({"ill": object})
    return Table(frame, quasi="zip", sensitive="ill", person="who")


def plain(rows):
    """For each class its people, and for each of its known values the people who have it."""
    people, values = defaultdict(set), defaultdict(lambda: defaultdict(set))
    for zip_code, who, ill in rows:
        people[zip_code].add(who)
        if ill is not None:
            values[zip_code][ill].add(who)
    return people, values


@pytest.mark.slow
@settings(max_examples=150)
@given(ROWS)
def test_measures_count_people(rows):
    table, (people, values) = made(rows), plain(rows)
    assert privacy.k(table) == min(map(len, people.values()))
    assert privacy.risk(table).prosecutor == 1 / privacy.k(table)
    known = {each: set().union(*found.values()) for each, found in values.items()}
    if not known:
        return
    share = max(len(who) / len(known[each]) for each, found in values.items() for who in found.values())
    assert privacy.alpha_k(table, missing="ignore")[0] == pytest.approx(share)
    poorest = min(
        1 if max(map(len, found.values())) == len(known[each]) else len(found) for each, found in values.items()
    )
    assert privacy.l(table, missing="ignore") == poorest
    assert privacy.entropy_l(table, missing="ignore") <= max(len(found) for found in values.values()) + 1e-9
    everybody = set().union(*known.values())
    whole = {ill: {who for _, who, own in rows if own == ill} for ill in {own for *_, own in rows} - {None}}
    rise = [
        (len(who) / len(known[each])) / (len(whole[ill]) / len(everybody)) - 1
        for each, found in values.items()
        for ill, who in found.items()
    ]
    assert privacy.beta(table, missing="ignore") == pytest.approx(max(rise))


@pytest.mark.slow
@settings(max_examples=100)
@given(ROWS, st.integers(1, 3))
def test_models_and_measures_agree(rows, least):
    table = made(rows)
    release = Release.of(table)
    assert KAnonymity(least).holds(release).all() == (privacy.k(table) >= least)
    if any(ill is not None for *_, ill in rows):
        assert LDiversity(least).holds(release).all() == (privacy.l(table) >= least)
        entropy = privacy.entropy_l(table)
        assert LDiversity(max(entropy - 1e-6, 1), "entropy").holds(release).all()
        c, values = privacy.recursive_c_l(table)
        if np.isfinite(c) and c > 0:
            assert LDiversity(values, "recursive", c=c * 1.001 + 1e-6).holds(release).all()
        assert AlphaK(privacy.alpha_k(table)[0], 1).holds(release).all()
        assert TCloseness(min(privacy.t(table), 1)).holds(release).all()
        assert BetaLikeness(max(privacy.beta(table), 1e-6)).holds(release).all()


@given(ROWS)
def test_people_with_one_row_each_are_rows(rows):
    table = made([(zip_code, number, ill) for number, (zip_code, _, ill) in enumerate(rows)])
    assert not table.people_repeat
    of_people, of_rows = (privacy.report(each)["value"] for each in (table, table.with_roles(person=None)))
    pd.testing.assert_series_equal(of_people, of_rows)


@pytest.mark.slow
@given(ROWS)
def test_a_repeated_row_says_nothing_new(rows):
    """The same rows twice are about the same people: every figure stays."""
    once, twice = (privacy.report(made(each)).set_index("measure")["value"] for each in (rows, rows + rows))
    if made(rows).people_repeat:
        pd.testing.assert_series_equal(once, twice)


def test_a_value_that_everybody_has_is_no_secret():
    table = made([(0, who, ill) for who in range(3) for ill in ("flu", f"other {who}")])
    assert privacy.l(table) == 1
    assert privacy.entropy_l(table) == 1
    assert privacy.recursive_c_l(table, l=2)[0] == np.inf
    assert privacy.alpha_k(table) == (1.0, 3)


def test_a_population_counts_its_people_once():
    people = pd.DataFrame({"zip": [1, 1, 1, 2], "who": ["a", "a", "b", "c"]})
    population = Table(people, quasi="zip", person="who")
    release = Release.of(Table(pd.DataFrame({"zip": [1, 2]}), quasi="zip"))
    assert privacy.k_map(release, population) == 1
    assert KMap(2, population).holds(release).tolist() == [True, False]
    visits = Release.of(Table(pd.DataFrame({"zip": [1, 1], "who": ["a", "a"]}), quasi="zip", person="who"))
    assert privacy.delta_presence(visits, population) == (0.0, 0.5)
    assert DeltaPresence(0, 0.5, population).holds(visits).all()
    moved = Table(people.assign(zip=[1, 2, 1, 2]), quasi="zip", person="who")
    with pytest.raises(ValueError, match="have rows with different quasi-identifiers"):
        privacy.k_map(release, moved)


def test_rows_of_unknown_people_are_told():
    table = made([(0, 0, "flu"), (0, 0, "cold")])
    foreign = Release.from_frame(pd.DataFrame({"zip": [0, 0], "ill": ["flu", "cold"]}), table)
    with pytest.warns(PersonWarning, match="rows are counted, not people"):
        assert privacy.k(foreign) == 2
    assert privacy.k(Release.from_frame(pd.DataFrame({"zip": [0, 0]}), table, rows=[0, 1])) == 1


def test_distances_are_to_the_table_and_to_what_is_published():
    """A reader knows the published rows only: without the withheld ones the same class lies further off."""
    table = Table(pd.DataFrame({"zip": [1, 1, 2, 2, 3], "ill": list("ababa")}), quasi="zip", sensitive="ill")
    whole = Release.of(table)
    for kept in ([0, 1, 2], [0, 1, 4]):
        release = whole.take(kept)
        alone = Release.of(table.take(kept))
        assert privacy.t(release) == max(privacy.t(alone), *[_far(table, kept, each) for each in (1, 2, 3)])
        assert not TCloseness(privacy.t(release) - 0.01).holds(release).all()
        assert TCloseness(privacy.t(release)).holds(release).all()


def _far(table, kept, zip_code):
    """The distance of a published class from the original table."""
    own = [table.frame["ill"].iloc[row] for row in kept if table.frame["zip"].iloc[row] == zip_code]
    share = (table.frame["ill"] == "a").mean()
    return abs(own.count("a") / len(own) - share) if own else 0.0


def test_a_million_rows_in_a_moment():
    import time

    random = np.random.default_rng(0)
    people, groups = random.integers(0, 300_000, 1_000_000), random.integers(0, 50_000, 1_000_000)
    start = time.process_time()
    distinct_per_group(people, groups, 50_000)
    assert time.process_time() - start < 2
