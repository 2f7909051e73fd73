"""Inference channels against brute force over all pairs, and the chapter's examples."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb.rules import frequent_itemsets
from anonnb.rules.association.channels import (
    Channel,
    Supports,
    channels,
    gaps,
    items,
    matching,
    maximal_channels,
    row_masks,
    undominated,
)
from anonnb.rules.association.deductions import Completed

ROWS = [("110", 12), ("111", 17), ("100", 2), ("101", 9), ("011", 26)]  # Fig 1.13(b)


def binary_rows(counted=ROWS) -> list[frozenset[str]]:
    return [
        frozenset(name for name, bit in zip("ABC", row, strict=True) if bit == "1")
        for row, n in counted
        for _ in range(n)
    ]


def all_supports(rows: list[frozenset], least: int) -> dict[frozenset, int]:
    names = sorted(set().union(*rows))
    sets = [frozenset(c) for size in range(len(names) + 1) for c in itertools.combinations(names, size)]
    counts = {part: sum(part <= row for row in rows) for part in sets}
    return {part: count for part, count in counts.items() if count >= least}


def brute_channels(rows: list[frozenset], published: dict[frozenset, int], k: int) -> set[tuple]:
    """All pairs I ⊆ J of published sets, the people counted row by row."""
    found = set()
    for large in published:
        for small in published:
            if small <= large:
                count = sum(small <= row and not (large - small) & row for row in rows)
                if 0 < count < k:
                    found.add((small, large - small, count))
    return found


tables = st.lists(st.frozensets(st.sampled_from("abcde")), min_size=1, max_size=25)


class TestTheChapter:
    def test_figure_1_15_has_exactly_two_channels(self):
        supports = Supports(all_supports(binary_rows(), 40))
        assert len(supports.counts) == 5
        found = [(set(c.having), set(c.lacking), c.count) for c in channels(supports, 10)]
        assert found == [({"C"}, {"B"}, 9), (set(), {"B", "C"}, 2)]
        assert {(c.having, c.lacking) for c in maximal_channels(supports, 10)} == {
            (frozenset("C"), frozenset("B")),
            (frozenset(), frozenset("BC")),
        }

    def test_figure_1_12_reveals_two_divorced_women(self):
        table = anonnb.load("survey")
        frame = frequent_itemsets(table.select(table.quasi), min_count=19)
        supports = Supports.of_frame(frame, len(table))
        counts = {supports.set_of(bits): count for bits, count in supports.counts.items()}
        sex, hours = items("Sex=M"), items("Hours=40")
        divorced, single = items("Marital_status=divorced"), items("Marital_status=single")
        expected = {frozenset(): 66, sex: 55, sex | hours: 43, single | sex | hours: 26, divorced: 21}
        expected |= {divorced | sex: 19, items("Marital_status=married"): 19}
        assert {part: counts[part] for part in expected} == expected
        assert [str(c) for c in channels(supports, 3)] == ["Marital_status=divorced and not Sex=M: 2"]


@settings(max_examples=80)
@given(tables, st.integers(1, 8), st.integers(1, 8))
def test_channels_are_those_of_brute_force(rows, least, k):
    published = all_supports(rows, least) | {frozenset(): len(rows)}
    found = channels(Supports(published), k)
    assert {(c.having, c.lacking, c.count) for c in found} == brute_channels(rows, published, k)
    assert len(found) == len({(c.having, c.lacking) for c in found})


@settings(max_examples=80)
@given(tables, st.integers(1, 8), st.integers(1, 8), st.data())
def test_channels_of_some_published_sets_need_all_sets_in_between(rows, least, k, data):
    published = all_supports(rows, least) | {frozenset(): len(rows)}
    kept = {part: count for part, count in published.items() if data.draw(st.booleans())}
    expected = {
        (small, rest, count)
        for small, rest, count in brute_channels(rows, kept, k)
        if all(small | frozenset(p) in kept for n in range(len(rest) + 1) for p in itertools.combinations(rest, n))
    }
    found = channels(Supports(kept), k)
    assert {(c.having, c.lacking, c.count) for c in found} == expected
    for gap in gaps(Supports(kept), k):
        assert sum(gap.having <= row and not gap.whole <= row for row in rows) == gap.count
        assert 0 < gap.count < k
    completed = Completed(Supports(kept))
    for bits, count in completed.counts.items():
        assert sum(completed.set_of(bits) <= row for row in rows) == count, "what is squeezed is true"


@settings(max_examples=60)
@given(tables, st.integers(1, 8), st.integers(2, 8))
def test_maximal_channels_have_a_closed_and_a_maximal_end_and_contain_all_others(rows, least, k):
    published = all_supports(rows, least) | {frozenset(): len(rows)}
    supports = Supports(published)
    every, maximal = channels(supports, k), maximal_channels(supports, k)
    assert {(c.having, c.lacking) for c in maximal} == {(c.having, c.lacking) for c in undominated(every)}
    for channel in every:
        assert any(channel.having <= c.having and channel.lacking <= c.lacking for c in maximal)
    for channel in maximal:
        assert not any(channel.whole < other for other in published), "J is maximal"
        assert not any(
            channel.having < other and published[other] == published[channel.having] for other in published
        ), "I is closed"


def test_rows_behind_a_channel():
    table = anonnb.load("survey")
    channel = Channel(items("Marital_status=divorced"), items("Sex=M"), 2)
    masks = row_masks(table, channel.whole)
    found = matching(channel, masks, len(table))
    assert table.frame[found][["Marital_status", "Sex"]].drop_duplicates().to_numpy().tolist() == [["divorced", "F"]]
    assert not row_masks(table, items("Sex=other"))[next(iter(items("Sex=other")))].any()


def test_k_must_make_sense():
    with pytest.raises(ValueError, match="k must be at least 1, not 0"):
        channels(Supports({(): 3}), 0)
