"""Counting nodes of a tree: parts by subtraction, and a queue that compares leaves only when it must."""

import heapq

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Table
from anonnb.trees import Grower, grow
from anonnb.trees.counting import ValueCounts
from anonnb.trees.growing import ordering
from anonnb.trees.splits import AllSubsets, OrderedSubsets, ScoredCuts, Scorer, best_cut, is_better


def random_table(seed: int, values: int = 14) -> Table:
    random = np.random.default_rng(seed)
    rows = int(random.integers(2, 120))
    frame = pd.DataFrame({name: random.integers(0, values, rows).astype(str) for name in "ab"})
    frame = frame.assign(d="x" + frame["b"], number=random.integers(0, 40, rows))
    frame["class"] = ((frame["number"] + random.integers(0, 9, rows)) % int(random.integers(2, 5))).astype(str)
    return Table(frame, decision="class")


@given(st.integers(0, 10_000), st.integers(1, 4))
@settings(deadline=None, max_examples=30)
def test_the_counts_of_parts_are_those_of_their_rows(seed, parts):
    table, random = random_table(seed), np.random.default_rng(seed)
    columns = {name: (table.codes(name), table.attributes[name].size) for name in table.conditions}
    counts = ValueCounts(columns, table.codes("class"), table.attributes["class"].size)
    part = random.integers(0, parts, len(table))
    rows = [np.flatnonzero(part == number) for number in range(parts)]
    found = counts.of_parts(counts.of(np.arange(len(table))), rows)
    for here, each in zip(found, rows, strict=True):
        assert (here == counts.of(each)).all()
        assert counts.whole(here).sum() == len(each)
        if len(each) == 0:
            continue
        for name, (seen, stats) in counts.seen(here).apart().items():
            codes = table.codes(name)[each]
            assert seen.tolist() == np.unique(codes).tolist()
            wanted = [np.bincount(table.codes("class")[each][codes == code], minlength=counts.classes) for code in seen]
            assert stats.tolist() == np.array(wanted).tolist()


def test_many_rows_are_counted_in_blocks(monkeypatch):
    table = random_table(3)
    columns = {name: (table.codes(name), table.attributes[name].size) for name in table.conditions}
    counts = ValueCounts(columns, table.codes("class"), table.attributes["class"].size)
    whole = counts.of(np.arange(len(table)))
    monkeypatch.setattr("anonnb.trees.counting.BLOCK", 7)
    assert (counts.of(np.arange(len(table))) == whole).all()


@given(
    st.integers(0, 10_000),
    st.sampled_from(["entropy", "gini", "gain_ratio", "variance"]),
    st.integers(2, 12),
    st.integers(1, 4),
    st.booleans(),
)
@settings(deadline=None, max_examples=40)
def test_leaves_that_wait_unlooked_at_change_no_tree(seed, criterion, leaves, min_leaf, multiway):
    """The readable twin looks at every attribute of every leaf at once."""
    table = random_table(seed)
    target = "number" if criterion == "variance" else "class"
    names = [name for name in table.columns if name != target]
    grower = Grower(table, target, names, criterion, min_leaf, multiway)
    tree = grower.grow(leaves)
    root, waiting, count, now, order = grower.root(), [], 1, 1, []

    def offer(node):
        best = None
        for split in grower.candidates(node.rows):
            if best is None or is_better(split.score, best.score):
                best = split
        if best is not None and is_better(best.score, 1e-12):
            heapq.heappush(waiting, (-ordering(best.score), node.number, node, best))

    offer(root)
    while waiting and now < leaves:
        *_, node, split = heapq.heappop(waiting)
        if now + split.n_branches - 1 > leaves:
            continue
        grower.expand(node, split, count)
        count, now = count + split.n_branches, now + split.n_branches - 1
        order.append((node.number, node.rows.tolist(), split.score, split.branch.tolist()))
        for child in node.children:
            offer(child)
    found = [
        (node.number, node.rows.tolist(), node.split.score, node.split.branch.tolist()) for node in tree.expansions
    ]
    assert [(a, b, d) for a, b, _, d in found] == [(a, b, d) for a, b, _, d in order]
    assert [line[2] for line in found] == pytest.approx([line[2] for line in order], rel=1e-9)


def test_few_leaves_are_looked_at(monkeypatch):
    """A leaf of one class, or with little left to gain, waits until its turn, which never comes here."""
    looked = []
    plain = Grower.best_split
    monkeypatch.setattr(Grower, "best_split", lambda self, *given: looked.append(1) or plain(self, *given))
    random = np.random.default_rng(0)
    number = random.integers(0, 1000, 3000)
    noise = random.random(3000) < np.where(number < 500, 0.02, 0.4)
    frame = pd.DataFrame({"number": number, "class": np.where(noise, "n", "y")})
    tree = grow(Table(frame, decision="class"), max_leaves=20)
    assert len(tree.expansions) == 19
    assert len(looked) < 2 * 19


@given(st.integers(0, 10_000), st.integers(2, 16), st.sampled_from([2, 3, "variance"]))
@settings(deadline=None, max_examples=60)
def test_the_statistics_of_subsets_are_those_of_their_values(seed, values, kind):
    random = np.random.default_rng(seed)
    if kind == "variance":
        sizes = random.integers(1, 9, values)
        stats = np.column_stack([sizes, sizes * random.integers(-3, 4, values), sizes * 16]).astype(float)
    else:
        stats = random.integers(0, 4, (values, kind)) + np.eye(values, kind, dtype=np.int64)
        stats[:, 0] += stats.sum(axis=1) == 0
    scorer = Scorer("variance" if kind == "variance" else "entropy", stats.sum(axis=0), int(stats.sum()), 1)
    lead = int(random.integers(values))
    for cls in (AllSubsets, OrderedSubsets) if values <= 10 else (OrderedSubsets,):
        subsets = cls(stats, scorer, lead)
        assert len(subsets.stats) > 0
        for number, found in enumerate(subsets.stats):
            mask = subsets.mask(number)
            assert mask[lead]
            assert not mask.all()
            assert found.tolist() == stats[mask].sum(axis=0).tolist()


@given(st.integers(0, 10_000), st.sampled_from(["entropy", "gini"]), st.integers(1, 9))
@settings(deadline=None, max_examples=60)
def test_all_cuts_at_once_are_those_of_each_attribute(seed, criterion, min_leaf):
    random = np.random.default_rng(seed)
    rows, sizes = int(random.integers(2, 60)), random.integers(1, 12, 4)
    frame = pd.DataFrame({f"n{number}": random.integers(0, size, rows) for number, size in enumerate(sizes)})
    frame["n0"] = frame["n0"].where(random.random(rows) < 0.9)  # some are missing
    frame["class"] = random.integers(0, 3, rows).astype(str)
    table = Table(frame, decision="class", kinds={f"n{number}": "numeric" for number in range(4)})
    columns = {name: (table.codes(name), table.attributes[name].size) for name in table.conditions}
    counts = ValueCounts(columns, table.codes("class"), table.attributes["class"].size)
    some = np.flatnonzero(random.random(rows) < 0.8)
    if len(some) == 0:
        return
    found = counts.of(some)
    scorer, seen = Scorer(criterion, counts.whole(found), rows, min_leaf), counts.seen(found)
    cuts = ScoredCuts(seen.counts, seen.begins, scorer)
    for number, name in enumerate(table.conditions):
        expected = best_cut(table.attributes[name], *seen.part(number), scorer)
        cut = cuts.best(number, table.attributes[name], seen.part(number)[0])
        assert (cut is None) == (expected is None) == (cuts.scores[number] == -np.inf)
        if cut is not None:
            assert (cut.cut, cut.larger, cut.branch.tolist()) == (
                expected.cut,
                expected.larger,
                expected.branch.tolist(),
            )
            assert cut.score == pytest.approx(expected.score)
            assert cut.score == pytest.approx(cuts.scores[number], rel=1e-8)
