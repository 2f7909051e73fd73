"""What a method requires and what a measure finds are judged against the same table: the original, all rows."""

import numpy as np
import pandas as pd
import pytest

from anonnb import Table, privacy
from anonnb.methods import ClassMondrian, FullDomain, Samarati
from anonnb.privacy import BetaLikeness, TCloseness


def random_table(seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "a": rng.integers(0, 12, 120),
            "b": rng.choice(list("abcdef"), 120),
            "ill": rng.choice(["f", "c", "h", "q"], 120),
            "d": rng.choice(["x", "y", "z"], 120, p=[0.5, 0.47, 0.03]),
        }
    )
    return Table(frame, quasi=["a", "b"], sensitive=["ill"], decision="d")


@pytest.mark.filterwarnings("ignore::anonnb.tables.attribute.DefaultHierarchyWarning")
@pytest.mark.parametrize("method", [Samarati, FullDomain])
def test_required_closeness_is_what_the_measure_finds_after_suppression(method):
    withheld = 0
    for seed in range(10):
        release = method(k=3, require=[TCloseness(0.25)], max_suppressed=50).anonymize(random_table(seed))
        withheld += release.n_suppressed
        assert privacy.t(release) <= 0.25 + 1e-9
    assert withheld > 0 or method is FullDomain


def test_class_mondrian_cuts_by_the_same_measure_as_it_is_checked():
    for seed in range(30):  # two of these tables raised Infeasible when the cuts looked at the published rows only
        release = ClassMondrian(k=3, require=[TCloseness(0.3), BetaLikeness(2.0)]).anonymize(random_table(seed))
        assert privacy.t(release) <= 0.3 + 1e-9
        assert privacy.beta(release) <= 2.0 + 1e-9
