"""Anonymeter's three risks (Giomi et al. 2023) compared with ours on the same synthetic rows.

Anonymeter asks for an older numpy, so it cannot be installed beside this package, and its figures are recorded here:
version 1.1.0 (the newest, of which numpy must be below 1.27), measured by anonymeter_figures.py with seed 0 of numpy on
what this file writes. Singling out counts twice: by one column and by several.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.neighbors import KNeighborsClassifier

import anonnb
from anonnb import Release, Table
from anonnb.attacks import ModelAttack, SinglingOutAttack
from anonnb.attacks.intervals import excess_of_sample
from anonnb.attacks.membership.distances import RowDistances
from tests.attacks.anonymeter_figures import KNOWN, LINKED, SECRET

# by the share of copied rows: successes about members and about outsiders, attacks, the risk and its interval
ANONYMETER = {
    0.0: {
        "inference": (602, 623, 1000, 0.0, 0.0, 0.06062),
        "linkability": (0, 1, 1000, 0.0, 0.0, 0.002349),
        "univariate": (8, 5.029, 500, 0.00598, 0.0, 0.0211),
        "multivariate": (66, 51.34, 500, 0.03253, 0.0, 0.07652),
    },
    0.5: {
        "inference": (835, 715, 1000, 0.4182, 0.3197, 0.5168),
        "linkability": (14, 1, 1000, 0.01299, 0.004992, 0.02098),
        "univariate": (6, 5.019, 500, 0.001973, 0.0, 0.01608),
        "multivariate": (170, 86.58, 500, 0.2008, 0.1413, 0.2604),
    },
}


def tables(copies):
    """Return 1,000 people, as many outsiders, and 1,000 synthetic rows, of which a share are people's own.

    The other rows are drawn from the margins, column by column.
    """
    names = ["age", "marital-status", "education", "occupation", "income"]
    adult, rng = anonnb.load("adult").frame[names], np.random.default_rng(0)
    order = rng.permutation(len(adult))
    members, control = adult.iloc[order[:1000]], adult.iloc[order[1000:2000]]
    drawn = pd.DataFrame({name: rng.permutation(members[name].to_numpy()) for name in names})
    kept = rng.permutation(1000)[: int(1000 * copies)]
    drawn.iloc[kept] = members.iloc[kept].to_numpy()
    return members, control, drawn.astype(members.dtypes.to_dict())


def ours(copies):
    """Return our counts for the same attacks: a model of one neighbour, predicates, and rows nearest by both halves."""
    members, control, drawn = tables(copies)
    drawn.index += 10**6  # nobody's rows
    people, outsiders, published = (Table(each, quasi=KNOWN, sensitive=[SECRET]) for each in (members, control, drawn))
    release = Release.of(published)
    model = ModelAttack(KNeighborsClassifier(1)).run(release, people, control=outsiders)
    yield "inference", model.right, model.outside.right, 1000
    yield "linkability", links(release, people), links(release, outsiders), 1000
    everything = Release.of(published.with_roles(quasi=[*KNOWN, SECRET], sensitive=[]))
    for kind in ("univariate", "multivariate"):
        single = SinglingOutAttack(predicates=kind, attempts=500).run(everything, people, control=outsiders)
        yield kind, single.info["isolated"], single.outside.info["isolated"], 500


def links(release, people):
    """Count whose two halves of columns have the same nearest row, if one of equally near rows is drawn."""
    halves = [RowDistances(release, list(columns)) for columns in LINKED]
    total = 0.0
    for row in range(len(people)):
        one, other = (set(half.nearest(people.take(np.array([row]))).tolist()) for half in halves)
        total += len(one & other) / len(one) / len(other)
    return total


@pytest.mark.slow
@pytest.mark.parametrize("copies", ANONYMETER)
def test_anonymeter_agrees(copies):
    """Their risk lies in our interval, and ours (0 if it is below) in theirs; the counts are alike, too."""
    for name, right, others, attacks in ours(copies):
        their_right, their_others, their_attacks, risk, low, high = ANONYMETER[copies][name]
        assert attacks == their_attacks
        ends = excess_of_sample(right, attacks, others, attacks)
        assert ends[0] <= risk <= max(ends[1], 0.0), name
        assert low <= max(1 - (1 - right / attacks) / (1 - others / attacks), 0.0) <= high, name
        for count, theirs in ((right, their_right), (others, their_others)):
            assert abs(count - theirs) <= 4 * np.sqrt(max(count, theirs, 4)), name


if __name__ == "__main__":
    for share in (0.0, 0.5):
        folder = Path(sys.argv[1]) / str(share)
        folder.mkdir(parents=True, exist_ok=True)
        for name, frame in zip(("members", "control", "synthetic"), tables(share), strict=True):
            frame.to_csv(folder / f"{name}.csv", index=False)
