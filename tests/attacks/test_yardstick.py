"""The yardstick itself: where a release says nothing about its people, the interval of the excess holds 0.

That is so for people who are not in the release, and for members of one that is differentially private with a small ε.
An interval of 95 % may miss 0 in one of 20 trials; 93 % of 200 trials must not, nor 90 % of 60 in `make test`.
"""

from functools import cache

import numpy as np
import pandas as pd
import pytest

from anonnb import Release, Table, attacks
from anonnb.attacks import (
    BackgroundAttack,
    ChaseAttack,
    DeepAttack,
    DeFinettiAttack,
    HomogeneityAttack,
    IntersectionAttack,
    MinimalityAttack,
    ShallowAttack,
    SkewnessAttack,
)
from anonnb.methods import PrivateMarginals
from anonnb.methods.private import _accounting
from tests.series import THOROUGH

SEEDS, LEAST = (200, 0.93) if THOROUGH else (60, 0.9)
DOMAINS = {"age": range(5), "zip": range(4), "ill": ["cold", "cough", "flu"]}  # numbers: edges of intervals


def people(seed, rows=144):
    """People whose illness goes with age and zip, as it does outside of any release."""
    rng = np.random.default_rng(seed)
    age, zips = rng.integers(0, 4, rows), rng.integers(0, 3, rows)
    ill = np.where(rng.random(rows) < 0.3 + 0.15 * age, "flu", rng.choice(["cold", "cough"], rows))
    frame = pd.DataFrame({"age": age, "zip": zips, "ill": ill})
    return Table(frame, quasi=["age", "zip"], sensitive=["ill"], decision="ill", domains=DOMAINS)


@cache
def three_groups(seed):
    """24 people who are published, and twice 60 who are not."""
    everybody = people(seed)
    return [everybody.take(np.arange(*ends)) for ends in ((0, 24), (24, 84), (84, 144))]


ATTACKS = {
    "homogeneity": HomogeneityAttack(),
    "background": BackgroundAttack(ruled_out=1),
    "ruled out": BackgroundAttack(ruled_out=["cold"]),
    "skewness": SkewnessAttack(belief=0.5),
    "definetti": DeFinettiAttack(),
    "intersection": IntersectionAttack(),
    "shallow": ShallowAttack(known=2, targets="decision"),
    "shallow, one": ShallowAttack(known=1, targets="decision"),
    "deep": DeepAttack(known=2, targets="decision"),
    "chase": ChaseAttack(targets=["ill"], min_confidence=0.5),
    "minimality": MinimalityAttack(worlds=30, belief=0.6),
}
ATTACKS |= {  # all others that are after a secret, as they are
    name: cls()
    for name, cls in attacks.all().items()
    if cls.needs_sensitive and cls.reads == "release" and cls not in {type(attack) for attack in ATTACKS.values()}
}
WITHOUT_ROWS = [name for name in ATTACKS if name not in ("chase", "minimality")]  # both ask for rows that are people's


class Trials:
    """Counts how often an interval holds 0, and what was claimed and right at all."""

    def __init__(self):
        self._results = []

    def add(self, result):
        self._results.append(result)

    def check(self):
        ends = [one.excess_interval for one in self._results]
        assert len(ends) == SEEDS
        assert sum(low <= 0 <= high for low, high in ends) >= LEAST * SEEDS
        assert sum(one.right for one in self._results) > 0, "an attack that is never right proves nothing"


@pytest.mark.slow
@pytest.mark.parametrize("name", ATTACKS)
def test_excess_covers_zero_for_two_groups_of_outsiders(name):
    trials = Trials()
    for seed in range(SEEDS):
        inside, first, second = three_groups(seed)
        trials.add(ATTACKS[name].run(published(name, inside), first, control=second))
    trials.check()


def published(name, table):
    if name == "chase":
        hidden = Release.of(table).columns["ill"].with_suppressed(np.arange(0, len(table), 2))
        return Release(table, {"ill": hidden}, np.arange(len(table)))
    return Tattler().anonymize(table) if name == "minimality" else Release.of(table)


class Tattler:
    """Shows no age, and the zip only where the first person of the table has the flu: the minimality attack's prey."""

    def anonymize(self, table):
        shown, everybody = Release.of(table).columns, np.arange(len(table))
        hidden = ["age", "zip"] if table["ill"].iloc[0] != "flu" else ["age"]
        columns = {name: shown[name].with_suppressed(everybody) for name in hidden}
        return Release(table, columns, everybody, method=self)


# ---- members of a differentially private release -----------------------------------------------------------------


class SeededAccount:
    """Noise as large as OpenDP's, from a seed: OpenDP's own never comes out again, and one run in five would fail."""

    seed = 0

    def __init__(self, rows, parts, apart=1):
        self._rows, self._parts, self._apart, self.spent = rows, list(parts), apart, sum(parts)
        self._rng = np.random.default_rng(self.seed)

    def counts(self, count, tables):
        scale = _accounting.gaussian_scale(self._parts.pop(0), tables, self._apart)
        exact = count(self._rows)
        return exact + np.round(self._rng.normal(0, scale, len(exact))).astype(np.int64), scale

    def choice(self, score):
        scale = _accounting.choice_scale(self._parts.pop(0), self._apart)
        exact = score(self._rows)
        return int(np.argmax(exact + self._rng.gumbel(0, scale, len(exact))))


@pytest.fixture(scope="module")
def private_releases():
    """A release of 60 people for every seed, and 60 others."""
    made = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_accounting, "Account", SeededAccount)
        for seed in range(SEEDS):
            patch.setattr(SeededAccount, "seed", seed)
            inside, outside = (people(seed, 120).take(np.arange(*ends)) for ends in ((0, 60), (60, 120)))
            made.append((PrivateMarginals(epsilon=0.1, seed=seed).anonymize(inside), inside, outside))
    return made


@pytest.mark.slow
@pytest.mark.parametrize("name", WITHOUT_ROWS)
def test_excess_covers_zero_for_members_of_a_private_release(name, private_releases):
    trials = Trials()
    for release, inside, outside in private_releases:
        trials.add(ATTACKS[name].run(release, inside, control=outside))
    trials.check()


@pytest.mark.parametrize("name", sorted(ATTACKS.keys() - set(WITHOUT_ROWS)))
def test_attacks_that_need_rows_of_people_refuse_synthetic_ones(name):
    table = people(0)
    with pytest.raises(ValueError, match="rows"):
        ATTACKS[name].run(PrivateMarginals(epsilon=0.1).anonymize(table), table)
