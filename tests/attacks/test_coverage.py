"""The yardstick itself: attacks on people who are not in a release find no excess, in 95 of 100 trials."""

import numpy as np
import pandas as pd
import pytest

from anonnb import Release, Table
from anonnb.attacks import (
    BackgroundAttack,
    ChaseAttack,
    DeepAttack,
    DeFinettiAttack,
    HomogeneityAttack,
    IntersectionAttack,
    ShallowAttack,
    SkewnessAttack,
)

SEEDS = 200


def people(seed, rows=144):
    """People whose illness goes with age and zip, as it does outside of any release."""
    rng = np.random.default_rng(seed)
    age, zips = rng.integers(0, 4, rows), rng.integers(0, 3, rows)
    ill = np.where(rng.random(rows) < 0.3 + 0.15 * age, "flu", rng.choice(["cold", "cough"], rows))
    frame = pd.DataFrame({"age": age, "zip": zips, "ill": ill})
    return Table(frame, quasi=["age", "zip"], sensitive=["ill"], decision="ill")


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
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ATTACKS)
def test_excess_covers_zero_for_two_groups_of_outsiders(name):
    covered, found = 0, 0
    for seed in range(SEEDS):
        everybody = people(seed)
        inside, first, second = (everybody.take(np.arange(*ends)) for ends in ((0, 24), (24, 84), (84, 144)))
        result = ATTACKS[name].run(published(name, inside), first, control=second)
        low, high = result.excess_interval
        covered += low <= 0 <= high or np.isnan(result.excess)
        found += result.right
    assert covered >= 0.93 * SEEDS
    assert found > 0, "an attack that never claims anything proves nothing"


def published(name, table):
    if name == "chase":
        hidden = Release.of(table).columns["ill"].with_suppressed(np.arange(0, len(table), 2))
        return Release(table, {"ill": hidden}, np.arange(len(table)))
    return Release.of(table)
