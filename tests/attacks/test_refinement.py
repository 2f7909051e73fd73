"""Refinement: no original that LocalRecoding turns into the release contradicts a claim; brute force is the judge."""

from collections import Counter
from itertools import combinations_with_replacement, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Hierarchy, Infeasible, Release, Table, arena
from anonnb.attacks import LinkageAttack, RefinementAttack
from anonnb.methods import LocalRecoding, Mondrian
from anonnb.privacy import LDiversity
from anonnb.testing import check_attack

SMOKERS = [{"f": ["*"], "m": ["*"]}, {"no": ["*"], "yes": ["*"]}]
TREES = [  # every leaf with its labels: with one top or several, and a node that is a leaf
    {"a": ["*"], "b": ["*"]},
    {"a": ["x", "*"], "b": ["x", "*"], "c": ["y", "*"]},
    {"a": ["x", "X"], "b": ["y", "X"], "c": ["y", "X"], "d": ["z", "Z"]},
]


def made_of(rows, trees, **options):
    names = [f"q{place}" for place in range(len(trees))]
    bound = {name: Hierarchy.from_dict(tree) for name, tree in zip(names, trees, strict=True)}
    return Table(pd.DataFrame(rows, columns=names), quasi=names, hierarchies=bound, **options)


def walk(rows, trees, k):
    """Return the cells that LocalRecoding publishes for each row, None if it is suppressed, by the definition."""

    def up(tree, value, level):
        return (value, *tree[value])[level]

    def loss(tree, level):
        labels = [up(tree, value, level) for value in tree]
        return sum(labels.count(label) - 1 for label in labels) / (len(tree) * (len(tree) - 1))

    shown = [None] * len(rows)
    nodes = product(*(range(len(next(iter(tree.values()))) + 1) for tree in trees))
    for node in sorted(nodes, key=lambda n: (round(sum(map(loss, trees, n)), 9), sum(n), n)):
        cells = [cell or tuple(map(up, trees, row, node)) for cell, row in zip(shown, rows, strict=True)]
        counts = Counter(cell for cell, old in zip(cells, shown, strict=True) if old is None)
        shown = [old or (cell if counts[cell] >= k else None) for cell, old in zip(cells, shown, strict=True)]
    return shown


def originals(shown, trees, k):
    """Return all multisets of rows that give the release, each with what is published of its rows."""
    every = combinations_with_replacement(list(product(*trees)), len(shown))
    walked = ((rows, walk(rows, trees, k)) for rows in every)
    return [pair for pair in walked if Counter(pair[1]) == Counter(shown)]


def children(tree, shown):
    """Return the labels below a published one (None: suppressed) with their leaves, each as deep as it can be."""
    paths = {value: (value, *labels) for value, labels in tree.items() if shown in (None, value, *labels)}
    leaves = [{}] * len(tree[next(iter(tree))]) + [{}]
    for level in range(len(leaves)):
        leaves[level] = {
            path[level]: frozenset(v for v in paths if paths[v][level] == path[level]) for path in paths.values()
        }
    split = next(level for level in reversed(leaves) if len(level) > 1)
    return {
        next(label for level in leaves for label, own in level.items() if own == held): held for held in split.values()
    }


def counts(rows, cells, box, column, labels):
    """Count the rows of an original in a class by the label of a column."""
    held = [row[column] for row, cell in zip(rows, cells, strict=True) if cell == box]
    return {label: sum(value in leaves for value in held) for label, leaves in labels.items()}


def box_of(line, release):
    first = np.flatnonzero(release.groups == line[2])
    return tuple(release.frame[release.quasi].iloc[first[0]]) if len(first) else None


def claimed(line):
    """Return the excluded labels, and the least number of rows of each other label that has one."""
    pairs = [claim.split(" × ") for claim in line[7].split(", ") if claim]
    return set(filter(None, line.excluded.split(", "))), {label: int(count) for count, label in pairs}


# ---- soundness ------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.data(), st.lists(st.sampled_from(TREES), min_size=1, max_size=2), st.integers(2, 3))
def test_claims_hold_in_every_original(data, trees, k):
    size = 7 if len(trees) == 1 or sum(map(len, trees)) < 6 else 5
    rows = data.draw(st.lists(st.tuples(*(st.sampled_from(list(tree)) for tree in trees)), min_size=k, max_size=size))
    shown = walk(rows, trees, k)
    if not any(shown):
        return
    release, behind = LocalRecoding(k=k).anonymize(made_of(rows, trees)), originals(shown, trees, k)
    assert sorted(rows) in [sorted(other) for other, _ in behind]
    for bounds in ("closed", "linear", "exact"):
        result = RefinementAttack(bounds=bounds).run(release)
        assert result.right == result.claims
        for line in result.targets.itertuples():
            box, column, (excluded, least) = box_of(line, release), int(line.column[1:]), claimed(line)
            labels = children(trees[column], line.published if box else None)
            seen = pd.DataFrame([counts(*pair, box, column, labels) for pair in behind])
            assert not seen[list(excluded)].to_numpy().any()
            assert all((seen[label] >= low).all() for label, low in least.items())
            if bounds == "exact":  # and there is nothing else to claim
                assert excluded == {label for label in labels if not seen[label].any()}
                assert least == {label: low for label, low in seen.min().items() if low}


# ---- by hand --------------------------------------------------------------------------------------------------------


@pytest.fixture
def smokers():
    """Three rows (f, no) and four starred ones, with k = 3."""
    rows = [("f", "no")] * 3 + [("f", "yes")] * 2 + [("m", "no")] * 2
    return LocalRecoding(k=3).anonymize(made_of(rows, SMOKERS))


def test_only_one_original_gives_the_example(smokers):
    """The boxes alone allow 35 multisets of the starred rows, (b) alone 15, (c) alone 3."""
    starred = list(map(Counter, combinations_with_replacement(list(product("fm", ["no", "yes"])), 4)))

    def later(rows, sex="fm", smoker=("no", "yes")):
        return sum(count for (s, y), count in rows.items() if s in sex and y in smoker)

    b = [rows for rows in starred if not rows["f", "no"]]
    boxes = [{"sex": s} for s in "fm"] + [{"smoker": [y]} for y in ("no", "yes")]
    boxes += [{"sex": s, "smoker": [y]} for s, y in product("fm", ["no", "yes"]) if (s, y) != ("f", "no")]
    c = [rows for rows in starred if all(later(rows, **box) <= 2 for box in boxes)]
    assert (len(starred), len(b), len(c)) == (35, 15, 3)
    assert [rows for rows in b if rows in c] == [Counter({("f", "yes"): 2, ("m", "no"): 2})]
    shown = [("f", "no")] * 3 + [("*", "*")] * 4
    assert len(originals(shown, SMOKERS, 3)) == 1
    for bounds in ("closed", "exact"):
        result = RefinementAttack(bounds=bounds).run(smokers)
        assert result.targets["at least"].tolist() == ["2 × f, 2 × m", "2 × no, 2 × yes"]
    assert result.summary == "claims 4 of 4 labels, 4 of them right (baseline: 2.8 by luck)"
    assert result.info["linkage"] == pytest.approx((3 / 7 + 4 / 4) / 7)
    assert result.info["linkage refined"] == pytest.approx(2 / 7)


def test_the_steps_tell_the_order_and_the_claims(smokers):
    order, sex, *_ = RefinementAttack().steps(smokers)
    assert order.candidates["rows"].to_dict() == {"f, no": 3, "*, *": 4}
    assert "linkage rises from 20.4 % to 28.6 %" in order.sentence
    assert sex.sentence.endswith("shows * in 4 rows: at least 2 have f; at least 2 have m.")


def test_suppressed_rows_can_be_certain():
    """Nobody else can be suppressed: all other leaves lie in published boxes."""
    rows = [("a",)] * 2 + [("b",)] + [("c",)] * 2
    result = RefinementAttack().run(LocalRecoding(k=3).anonymize(made_of(rows, TREES[1:2])))
    lines = result.targets[["class", "published", "rows", "excluded", "at least"]].to_numpy().tolist()
    assert lines == [[0, "x", 3, "", "1 × a, 1 × b"], [-1, "*", 2, "x", "2 × c"]]


# ---- Adult ----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_adult():
    table = anonnb.load("adult")
    release = LocalRecoding(k=5).anonymize(table)
    result = RefinementAttack().run(release)
    info = result.info
    assert (info["generalized cells"], info["narrowed cells"]) == (46_264, 3_320)
    assert result.right == result.claims
    assert info["linkage"] == pytest.approx(LinkageAttack(weights="equal").run(release).success)
    linkage = {5: info, 10: RefinementAttack().run(LocalRecoding(k=10).anonymize(table)).info}
    rounded = {k: (round(own["linkage"], 3), round(own["linkage refined"], 3)) for k, own in linkage.items()}
    assert rounded == {5: (0.034, 0.152), 10: (0.015, 0.079)}


@pytest.mark.slow
def test_linear_programs_on_some_rows_of_adult():
    table = anonnb.load("adult")
    rows = np.random.default_rng(0).choice(len(table), 2000, replace=False)
    part = table.take(rows).with_roles(quasi=["age", "marital-status", "sex"])
    release = LocalRecoding(k=5).anonymize(part)
    result = RefinementAttack(bounds="linear").run(release)
    suppressed = 3 * release.n_suppressed
    assert (result.info["generalized cells"] - suppressed, result.info["narrowed cells"]) == (519, 113)
    assert (result.info["excluded"], result.info["sure rows"]) == (25, 152)
    assert (round(result.info["excluded by luck"], 1), round(result.info["sure rows by luck"])) == (4.7, 131)
    assert result.right == result.claims


# ---- a file, and what nothing follows from --------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.data(), st.integers(2, 4))
def test_a_file_tells_as_much_as_the_release(data, k):
    trees = TREES[1:]
    rows = data.draw(st.lists(st.tuples(*(st.sampled_from(list(tree)) for tree in trees)), min_size=k, max_size=24))
    table = made_of(rows, trees)
    try:
        release = LocalRecoding(k=k).anonymize(table)
    except Infeasible:
        return
    read = Release.from_frame(release.published(), table, hidden="class")
    told = [RefinementAttack().run(release), RefinementAttack(k=k).run(read)]
    columns = ["column", "published", "rows", "excluded", "at least"]
    lines = [sorted(map(tuple, each.targets[columns].to_numpy().tolist())) for each in told]
    assert lines[0] == lines[1]
    assert told[0].info["linkage refined"] == pytest.approx(told[1].info["linkage refined"])
    assert told[1].info["linkage"] <= told[1].info["linkage refined"] + 1e-9


def test_what_nothing_follows_from_is_refused(smokers):
    table = smokers.table
    ill = made_of(list(table.frame.itertuples(index=False)), SMOKERS)
    for release, words in [
        (Mondrian(k=2).anonymize(ill), "Mondrian does not say that these rows .* cannot begin$"),
        (Release.of(table), "the release does not say .* give its k: k="),
        (LocalRecoding(k=2, require=LDiversity(1, column="q0")).anonymize(ill.with_roles(sensitive="q0", quasi=["q1"])),
         "LocalRecoding requires more than k"),
        (smokers.recode(table), "LocalRecoding does not say that these rows"),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match=words):
            RefinementAttack().run(release)
    with pytest.raises(ValueError, match="publishes such a release of no table with k=2"):
        RefinementAttack(k=2).run(Release(table, smokers.columns, smokers.rows))
    rule = Table(pd.DataFrame({"age": [1, 2, 9]}), quasi=["age"], hierarchies={"age": Hierarchy.intervals(5)})
    with pytest.raises(ValueError, match=r"column 'age': the refinement attack needs all values .* domains="):
        RefinementAttack().run(LocalRecoding(k=2).anonymize(rule))
    adult = anonnb.load("adult").take(np.arange(200))
    with pytest.raises(ValueError, match=r"bounds: the columns have [\d,]+ combinations of leaves"):
        RefinementAttack(bounds="linear").run(LocalRecoding(k=5).anonymize(adult))


def test_rows_left_out_since_are_not_taken_as_suppressed(smokers):
    result = RefinementAttack().run(smokers.take(np.arange(6)))
    assert result.targets[["rows", "at least"]].to_numpy().tolist() == [[3, "1 × f, 1 × m"], [3, "1 × no, 1 × yes"]]


def test_contract_and_arena():
    check_attack(RefinementAttack())
    found = arena.compare(anonnb.load("survey"), ["LocalRecoding", "Mondrian"], ["RefinementAttack"], [], draws=1)
    reasons = found.query("kind == 'attack'").set_index("method")["reason"]
    assert "nobody outside the release has one" in reasons["LocalRecoding"]
    assert "Mondrian does not say" in reasons["Mondrian"]
