"""Attacks on releases of no row and of one: a result of zeros or of one person, or a sentence on what is lacking."""

from functools import cache

import pytest

from anonnb import Release, Table, attacks, load
from anonnb.methods import Mondrian, Samarati

RELEASES = {  # what an attack reads that needs to know the method
    "DowncodingAttack": lambda table: Samarati(k=1).anonymize(table),
    "MinimalityAttack": lambda table: Mondrian(k=1).anonymize(table),
}
ATTACKS = [name for name, cls in attacks.all().items() if cls.reads == "release"]


@cache
def people(rows, first=0):
    """Some rows of Adult, whose attributes have no values but theirs."""
    adult, quasi = load("adult"), ["sex", "age", "race"]
    frame = adult.frame[[*quasi, "occupation", "income"]].iloc[first : first + rows]
    hierarchies = {name: adult.attributes[name].hierarchy for name in quasi}
    return Table(frame, quasi=quasi, sensitive=["occupation"], decision="income", hierarchies=hierarchies)


@pytest.fixture(scope="module")
def others():
    return people(30, first=100)


def options(with_control, others):
    return {"control": others} if with_control else {}


@pytest.mark.parametrize("with_control", [False, True])
@pytest.mark.parametrize("name", [name for name in ATTACKS if name not in RELEASES])
def test_a_release_of_no_row_gives_away_nothing(name, with_control, others):
    release = Release.of(people(0))
    found = attacks.get(name)().run(release, **options(with_control, others))
    assert (found.attempts, found.claims, found.baseline) == (0, 0, 0.0)
    assert len(found.targets) == 0
    assert attacks.get(name)().steps(release, **options(with_control, others)).result.attempts == 0
    assert attacks.get(name)().run(release, others).right in (0, pytest.approx(float("nan"), nan_ok=True))


@pytest.mark.parametrize("with_control", [False, True])
@pytest.mark.parametrize("name", ATTACKS)
def test_a_release_of_one_row_is_attacked(name, with_control, others):
    release = RELEASES.get(name, Release.of)(people(1))
    found = attacks.get(name)().run(release, **options(with_control, others))
    assert 0 <= found.claims <= found.attempts
    assert attacks.get(name)().steps(release, **options(with_control, others)).result.attempts == found.attempts


@pytest.mark.parametrize("name", sorted(RELEASES))
def test_what_is_lacking_without_rows_is_said(name):
    with pytest.raises(ValueError, match=r"a release that tells its method|does not say that nothing finer"):
        attacks.get(name)().run(Release.of(people(0)))
