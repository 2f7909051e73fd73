"""What follows from published supports is true, and small counts among it are found."""

from itertools import chain, combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Infeasible
from anonnb.attacks import InferenceAttack, ReconstructionAttack
from anonnb.methods.mining.safe_itemsets import sets_to_withhold
from anonnb.rules.association import deductions
from anonnb.rules.association.channels import Channel, Supports, items
from anonnb.rules.association.deductions import Completed, rests, small_counts
from anonnb.rules.association.itemsets import Item
from tests.rules.association.test_channels import all_supports


@st.composite
def people(draw):
    """Rows of three attributes with up to four values, as sets of items, and some of their supports."""
    random = np.random.default_rng(draw(st.integers(0, 2**20)))
    codes = random.integers(0, random.integers(2, 5, 3), (draw(st.integers(4, 30)), 3))
    rows = [frozenset(Item(name, str(code)) for name, code in zip("abc", row, strict=True)) for row in codes]
    least, share = draw(st.integers(1, 5)), draw(st.sampled_from([0.5, 0.8, 1.0]))
    told = {part: count for part, count in all_supports(rows, least).items() if random.random() < share}
    return rows, told | {frozenset(): len(rows)}


def holds(channel: Channel, row: frozenset) -> bool:
    missing = channel.lacking - row
    return channel.having <= row and (bool(missing) if channel.whole_lacking else missing == channel.lacking)


@settings(max_examples=60)
@given(people(), st.integers(2, 6))
def test_whatever_follows_is_true(case, k):
    rows, told = case
    known = Completed(Supports(told))
    for bits, count in known.counts.items():
        assert sum(known.set_of(bits) <= row for row in rows) == count
        if count:  # that nobody has an item besides is known of items that the needed sets do not name
            again = Completed(Supports({known.set_of(part): known.counts[part] for part in known.needs[bits]}))
            assert again.count(again.bits_of(known.set_of(bits))) == count
    for channel in small_counts(known, k):
        assert sum(holds(channel, row) for row in rows) == channel.count
        assert 0 < channel.count < k
        used = {known.set_of(bits) for bits in known.used(channel)}
        assert used <= told.keys()


@settings(max_examples=60)
@given(people(), st.integers(2, 6))
def test_the_people_with_none_of_the_known_values_are_found(case, k):
    """One attribute, tried by brute force: what is left of a published set, unless smaller counts tell more."""
    _, told = case
    small = small_counts(Completed(Supports(told)), k)
    for part, count in told.items():
        for name in {"a", "b", "c"} - {item.attribute for item in part}:
            values = [other for other in told if part < other and {i.attribute for i in other - part} == {name}]
            left = count - sum(told[other] for other in values if len(other) == len(part) + 1)
            assert not 0 < left < k or small


@settings(max_examples=40)
@given(people(), st.integers(2, 6))
def test_every_small_sum_of_published_counts_is_noticed(case, k):
    """All patterns by brute force: of each attribute a value to have, or some to lack."""
    _, told = case
    names = sorted({item for part in told for item in part})
    choices = []
    for name in "abc":
        values = [item for item in names if item.attribute == name]
        lacking = [part for size in range(len(values) + 1) for part in combinations(values, size)]
        choices.append([*(((value,), ()) for value in values), *(((), part) for part in lacking)])
    small = small_counts(Completed(Supports(told)), k)
    for chosen in product(*choices):
        having = frozenset(chain(*(have for have, _ in chosen)))
        terms = list(product(*([None, *lack] for _, lack in chosen)))  # inclusion and exclusion, one value of each
        sets = [having.union(item for item in term if item is not None) for term in terms]
        if all(part in told for part in sets):
            count = sum((-1) ** (len(part) - len(having)) * told[part] for part in sets)
            assert not 0 < count < k or small


def test_bounds_that_agree_give_a_count():
    """At least 4 + 4 people have A=x and at most 13 − 5: so 8 − 4 of those with A=y have C=y, and one has not."""
    told = {(): 13, items("A=y"): 5, items("A=x", "B=x"): 4, items("A=x", "B=y"): 4, items("C=y"): 8}
    told |= {items("A=x", "C=y"): 4}
    for attack in (InferenceAttack(k=3), ReconstructionAttack(k=3)):
        assert "A=y and not C=y" in attack.run(told).targets["people"].tolist()
    assert sets_to_withhold(Supports(told), 3)


def test_several_attributes_at_once():
    """20 less 12 with a value of a, less 16 with one of b, plus 12 with both: 4 have other values of both."""
    told = {frozenset(): 20, items("a=1"): 6, items("a=2"): 6, items("b=1"): 8, items("b=2"): 8}
    told |= {items("a=1", "b=1"): 3, items("a=1", "b=2"): 3, items("a=2", "b=1"): 3, items("a=2", "b=2"): 3}
    found = {(c.having, c.lacking): c.count for c in rests(Completed(Supports(told)), 9)}
    assert found.pop((frozenset(), items("a=1", "a=2", "b=1", "b=2"))) == 4
    assert found == {(items(value), items("a=1", "a=2")): 2 for value in ("b=1", "b=2")}
    assert rests(Completed(Supports(told), exclusive=False), 9) == []


def test_people_who_block_a_channel():
    channel = Channel(items("a=1"), items("b=1", "c=1"), 2)
    assert channel.blocked_by(items("a=1", "d=1"))
    assert not channel.blocked_by(items("a=1", "b=1"))
    assert not channel.blocked_by(frozenset())
    gap = Channel(items("a=1"), items("b=1", "c=1"), 2, whole_lacking=True)
    assert gap.blocked_by(items("a=1", "b=1"))
    assert not gap.blocked_by(items("a=1", "b=1", "c=1"))


def test_too_much_to_derive_is_refused(monkeypatch):
    monkeypatch.setattr(deductions, "MOST_DERIVED", 10)
    pairs = {frozenset(["x", other]): 7 for other in "abcdefg"}
    with pytest.raises(Infeasible, match="more than 10 itemsets follow from the 9 published ones; raise min_support"):
        Completed(Supports({"": 9, "x": 7} | pairs))


@pytest.mark.parametrize("limit", ["MOST_STEPS", "MOST_NEEDED"])
def test_work_that_takes_too_long_is_refused_before_it_is_done(monkeypatch, limit):
    monkeypatch.setattr(deductions, limit, 10)
    pairs = {frozenset(["x", other]): 7 for other in "abcdefg"}
    with pytest.raises(Infeasible, match="too long to find all itemsets that follow from the 9 published ones; raise"):
        Completed(Supports({"": 9, "x": 7} | pairs))
