import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Table
from anonnb.methods import InfoGainMondrian, Mondrian


def entropy(labels):
    share = pd.Series(labels).value_counts(normalize=True)
    return float(-(share * np.log2(share)).sum())


def best_gain(table, k, scatter):
    """The largest gain of any allowed cut of the whole table, by trying all of them."""
    target = table[table.decision].to_numpy()
    gains = []
    for name in table.quasi:
        codes = table.codes(name)
        for code in np.unique(codes)[:-1]:
            left = codes <= code
            if min(left.sum(), (~left).sum()) >= k:
                inside = left.mean() * scatter(target[left]) + (~left).mean() * scatter(target[~left])
                gains.append((scatter(target) - inside, left))
    return gains


def cut_once(table, k):
    """The two sides that the method makes of a table it can cut only once."""
    release = InfoGainMondrian(k=k).anonymize(table)
    return release.groups[0] == release.groups, release.n_groups


@pytest.mark.slow
@settings(max_examples=50)
@given(st.integers(4, 7), st.randoms(use_true_random=False), st.booleans())
def test_first_cut_has_the_largest_gain(k, random, numeric):
    n = 2 * k + random.randrange(k)  # fewer than 3k rows: one cut at most
    target = [random.randrange(4) for _ in range(n)] if numeric else [random.choice("ynm") for _ in range(n)]
    frame = pd.DataFrame(
        {"x": [random.randrange(9) for _ in range(n)], "y": [random.choice("abcd") for _ in range(n)], "d": target}
    )
    table = Table(frame, quasi=["x", "y"], decision="d")
    scatter = np.var if numeric else entropy
    gains = best_gain(table, k, scatter)
    side, count = cut_once(table, k)
    if not gains:
        assert count == 1
        return
    gain = scatter(frame["d"]) - side.mean() * scatter(frame["d"][side]) - (~side).mean() * scatter(frame["d"][~side])
    assert count == 2
    assert gain == pytest.approx(max(value for value, _ in gains), abs=1e-6)


def test_pure_regions_are_cut_like_mondrian_does():
    frame = pd.DataFrame({"x": range(8), "d": ["y"] * 8})
    table = Table(frame, quasi="x", decision="d")
    gain, median = (method(k=2).anonymize(table).frame["x"] for method in (InfoGainMondrian, Mondrian))
    assert gain.tolist() == median.tolist()


def test_missing_numbers_in_the_target_do_not_count():
    # were the missing number taken for the mean, 3 would go to its nearer neighbours on the right
    frame = pd.DataFrame({"x": [1, 2, 3, 4, 5, 6], "d": [1.0, 1.0, None, 9.0, 9.0, 9.0]})
    release = InfoGainMondrian(k=2).anonymize(Table(frame, quasi="x", decision="d"))
    assert release.frame["x"].tolist() == ["[1–3]"] * 3 + ["[4–6]"] * 3
