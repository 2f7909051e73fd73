"""Methods and people with several rows: what is promised, what is said, and who refuses."""

import numpy as np
import pandas as pd
import pytest

from anonnb import Infeasible, Table, methods, privacy
from anonnb.methods import FullDomain, Mondrian
from anonnb.privacy import TCloseness


@pytest.fixture
def visits():
    random = np.random.default_rng(3)
    frame = pd.DataFrame({"who": np.repeat(np.arange(20), 3), "age": random.integers(20, 60, 60)})
    frame["ill"] = random.choice(["flu", "cold"], 60)
    return Table(frame, quasi="age", sensitive="ill", decision="ill", person="who")


def test_more_people_than_there_are(visits):
    with pytest.raises(Infeasible, match="k = 21 needs at least 21 people; the table has 20"):
        Mondrian(k=21).anonymize(visits)


@pytest.mark.parametrize("name", ["PatternTable", "SafeItemsets", "SafeTree"])
def test_methods_that_count_rows_refuse(visits, name):
    with pytest.raises(ValueError, match=f"{name} counts rows, not people, and the 60 rows are those of 20 people"):
        methods.get(name)(k=2).anonymize(visits)


def test_what_is_withheld_changes_what_a_reader_compares_with():
    """A class may be close to the table and far from what is published of it: then it is withheld too."""
    random = np.random.default_rng(0)
    found = 0
    for _ in range(40):
        frame = pd.DataFrame({"zip": random.integers(0, 6, 60), "ill": random.choice(["a", "b", "c"], 60)})
        table = Table(frame.astype({"zip": str}), quasi="zip", sensitive="ill")
        try:
            release = FullDomain(k=3, require=[TCloseness(0.2)], max_suppressed=0.6).anonymize(table)
        except Infeasible:
            continue
        found += release.n_suppressed > 0
        assert privacy.t(release) <= 0.2 + 1e-9
        assert privacy.t(Table(release.published(), quasi="zip", sensitive="ill")) <= 0.2 + 1e-9
    assert found, "nothing was withheld, so nothing was tried"
