"""Many cases are decided by bits of rows: the same lines as from matrices of all cases and rows."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Release, Table, load
from anonnb.attacks import DeepAttack, ShallowAttack
from anonnb.attacks.imprecise import shallow
from anonnb.methods import Mondrian, PatternTable
from anonnb.tables.value_sets import Column
from tests.attacks.plain import releases


def by_bits(attack, release, people=None):
    """A block without room, so that every attack is one of many cases."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shallow, "_BLOCK", -1)
        return attack.run(release, people)


def same(one, other) -> None:
    pd.testing.assert_frame_equal(one.targets, other.targets)
    pd.testing.assert_frame_equal(one.by_secret, other.by_secret)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(releases(), st.integers(1, 3), st.sampled_from(["conditions", "decision", "all"]))
def test_bits_and_matrices_give_the_same_lines(case, known, targets):
    release = case[1]
    known = min(known, 2) if targets == "conditions" else known  # one is left to infer
    attack = ShallowAttack(known=known, targets=targets)
    same(by_bits(attack, release), attack.run(release))


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.integers(60, 200), st.integers(0, 10_000), st.floats(0.02, 0.9))
def test_more_rows_and_values_than_a_word_has_bits(rows, seed, share):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {"a": rng.permutation(rows), "b": rng.integers(0, 130, rows).astype(str), "c": rng.choice(list("xy"), rows)}
    )
    table = Table(frame, quasi=["a", "b", "c"])
    masks = rng.random((rows, table.attributes["b"].size)) < share
    masks[np.arange(rows), table.codes("b")] = True
    groups = np.arange(rows) // 7
    columns = {
        "a": Column.of_groups(table.attributes["a"], table.codes("a"), groups, int(groups.max()) + 1),
        "b": Column.from_masks(table.attributes["b"], masks),
    }
    release = Release(table, columns, np.arange(rows))
    for known in (1, 2):
        same(by_bits(ShallowAttack(known=known), release), ShallowAttack(known=known).run(release))


@pytest.mark.parametrize("method", [Mondrian(k=5), PatternTable(k=5)], ids=["Mondrian", "PatternTable"])
def test_real_releases_and_people_who_are_not_in_them(method):
    table = load("zoo")
    release = method.anonymize(table.take(range(80)))
    for people in (None, table.take(range(80, 101))):
        same(by_bits(ShallowAttack(), release, people), ShallowAttack().run(release, people))
    attack = DeepAttack(known=1, targets="decision")
    same(by_bits(attack, release), attack.run(release))


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 40), st.integers(0, 10_000), st.booleans())
def test_rows_that_are_joined_say_what_compared_rows_say(rows, seed, gaps):
    """Single values, blocks of a partition with gaps, and suppressed cells; some people have values of their own."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({name: rng.choice(list("vwxyz"), rows + 5) for name in "abc"})
    everybody = Table(frame, quasi=list("abc"))
    table = everybody.take(np.arange(rows))
    columns = {}
    for name in "abc":
        attribute, codes = table.attributes[name], table.codes(name)
        blocks = codes % 2 if gaps and name != "c" else codes
        column = Column.of_groups(
            attribute, codes, *(lambda kinds: (kinds[1], len(kinds[0])))(np.unique(blocks, return_inverse=True))
        )
        columns[name] = column.with_suppressed(rng.permutation(rows)[: rng.integers(0, rows + 1)])
    release, attack = Release(table, columns, np.arange(rows)), ShallowAttack(known=2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shallow.Cases, "_bits", None)  # nothing is compared
        found = by_bits(attack, release, everybody)
    same(found, attack.run(release, everybody))
