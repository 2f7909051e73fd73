"""KACA: the paper's distances, and the pair that loses least."""

import pandas as pd
import pytest

from anonnb import Table
from anonnb.methods.clustering.clustering import KACA
from anonnb.methods.clustering.distortion import CostedTree
from tests.methods.clustering.tables import PLACES, random_table


def test_kaca_costs_are_the_papers_weighted_hierarchical_distance():
    tree = CostedTree(random_table(0, rows=60).attributes["place"], beta=1.0)
    node = tree.labels.index
    # h = 4 levels, w_2 = 1, w_3 = 1/2, w_4 = 1/3: a value to its region costs w_4 over their sum
    total = 1 + 1 / 2 + 1 / 3
    assert tree.with_each(node("SE"))[0][node("NO")] == pytest.approx((1 / 3) / total)
    assert tree.with_each(node("SE"))[0][node("IT")] == pytest.approx((1 / 3 + 1 / 2) / total)
    assert tree.with_each(node("SE"))[0][node("JP")] == pytest.approx(1)
    assert tree.with_each(node("North"))[0][node("SE")] == 0
    assert tree.labels[tree.with_each(node("SE"))[2][node("South")]] == "Europe"


def test_kaca_merges_the_pair_that_loses_least():
    frame = pd.DataFrame({"place": ["SE", "NO", "JP", "CN"]})
    table = Table(frame, quasi=["place"], hierarchies={"place": PLACES})
    assert KACA(k=2).anonymize(table).frame["place"].tolist() == ["North", "North", "East", "East"]


def test_bad_beta_is_named():
    with pytest.raises(ValueError, match="beta"):
        KACA(k=2, beta=-1)
