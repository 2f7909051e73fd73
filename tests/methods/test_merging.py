"""Merging of failing groups: the loop, and each family's choice of a partner, against plain code."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Table, methods
from anonnb.methods.merging import Merging, pass_together
from anonnb.privacy import LDiversity

FAMILIES = ("Forest", "LocalSuppression", "OKA", "GCCG", "KACA", "UM3AR", "M3AR")


class Sums(Merging):
    """Numbers that stand in groups; a group passes when its sum is large enough, the largest group is the partner."""

    def __init__(self, numbers, least):
        self.numbers, self.least, self.log = np.array(numbers), least, []
        members = [np.array([place]) for place in range(len(numbers))]
        super().__init__(members, self.numbers >= least)

    def partner(self, group):
        sums = [self.numbers[part].sum() if alive else -1 for part, alive in zip(self.members, self.alive, strict=True)]
        sums[group] = -1
        return int(np.argmax(sums))

    def unite(self, group, target):
        self.log.append((group, target))
        super().unite(group, target)

    def passes(self, group):
        return self.numbers[self.members[group]].sum() >= self.least


class SumsInTurns(Sums):
    at_once = False


@pytest.mark.parametrize(("kind", "log"), [(Sums, [(0, 2), (2, 3), (3, 1)]), (SumsInTurns, [(0, 2), (1, 2), (2, 3)])])
def test_unions_go_on_at_once_or_wait_for_their_turn(kind, log):
    merging = kind([1, 2, 3, 3], 9)
    merging.run()
    assert merging.log == log
    assert merging.groups()[1] == 1


@settings(max_examples=80)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=12), st.integers(0, 20), st.sampled_from([Sums, SumsInTurns]))
def test_all_groups_pass_or_one_is_left_and_nothing_is_lost(numbers, least, kind):
    merging = kind(numbers, least)
    merging.run()
    groups, count = merging.groups()
    sums = np.bincount(groups, weights=numbers, minlength=count)
    assert (sums >= least).all() or count == 1
    assert sorted(set(groups.tolist())) == list(range(count))
    assert (groups == (np.cumsum(merging.alive) - 1)[merging.owners()]).all()
    # a group that passed from the start was never taken apart
    assert all(merging.owners()[place] == place for place in np.flatnonzero(np.array(numbers) >= least))


def test_empty_groups_are_not_there():
    merging = Sums([4, 1, 7], 6)
    merging.members[2], merging.alive[2] = np.zeros(0, dtype=int), False
    merging.run()
    assert merging.log == [(0, 1)]
    assert not merging.good[1]


def test_progress_counts_the_failing_groups():
    seen = []

    def progress(steps, **about):
        for step in steps:
            seen.append((step, about["desc"]))
            yield step

    Sums([1, 9, 2], 5).run(progress)
    assert seen == [(0, "groups"), (2, "groups")]


def test_rows_pass_together():
    check = LDiversity(2).checker(Table(pd.DataFrame({"q": [1, 1, 1], "s": list("aab")}), quasi=["q"], sensitive=["s"]))
    assert [pass_together(check, rows) for rows in ([0, 1], [0, 2], [0, 1, 2])] == [False, True, True]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("seed", range(3))
def test_every_family_merges_until_the_required_model_holds(family, seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"age": rng.integers(20, 40, 40), "sex": rng.choice(["f", "m"], 40)})
    frame["ill"] = np.where(rng.random(40) < 0.75, "flu", rng.choice(["cold", "pox"], 40))
    table = Table(frame, quasi=["age", "sex"], sensitive=["ill"])
    release = methods.get(family)(k=2, require=[LDiversity(2)]).anonymize(table)
    for _, rows in release.frame.groupby(["age", "sex"]):
        assert len(rows) >= 2
        assert rows["ill"].nunique() >= 2
