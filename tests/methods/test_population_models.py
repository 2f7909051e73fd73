"""Population models hold for what is published, whatever a method publishes instead of its groups' values."""

import numpy as np
import pandas as pd
import pytest

from anonnb import Infeasible, Table, methods, privacy
from anonnb.methods.base import GroupMethod
from anonnb.privacy import DeltaPresence, KMap

# Factor takes boolean columns only; it makes its groups like Forest
GROUPING = sorted(name for name, cls in methods.all().items() if issubclass(cls, GroupMethod) and name != "Factor")


def population(seed, rows=90):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {"a": rng.integers(0, 12, rows), "b": rng.choice(list("xyz"), rows), "d": rng.choice(list("pq"), rows)}
    )
    return Table(frame, quasi=["a", "b"], decision="d")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", GROUPING)
def test_what_is_published_satisfies_the_model(name):
    variants = [{}, {"summary": "mean"}] if "summary" in methods.get(name).__dataclass_fields__ else [{}]
    kept = 0
    for seed in range(2):
        people = population(seed)
        table = people.take(np.arange(30))
        for options in variants:
            for model in (KMap(5, people), DeltaPresence(0.1, 0.6, people)):
                try:
                    release = methods.get(name)(k=2, require=[model], **options).anonymize(table)
                except Infeasible:
                    continue
                kept += 1
                low, high = privacy.delta_presence(release, people)
                if isinstance(model, KMap):
                    assert privacy.k_map(release, people) >= 5, (model, options)
                else:
                    assert high <= 0.6 + 1e-9, options
                    assert low == 0.0 or low >= 0.1 - 1e-9, options
    assert kept or name in ("M3AR", "Microaggregation", "TreePreserving", "UM3AR")  # they publish what nobody has
