"""Downcoding: no original that the method turns into the release contradicts a claim; brute force is the judge."""

from collections import Counter, defaultdict
from itertools import combinations_with_replacement, product

import numpy as np
import pandas as pd
import pytest

import anonnb
from anonnb import Hierarchy, Release, Table, arena
from anonnb.attacks import DowncodingAttack
from anonnb.attacks.children import left_children, most_small
from anonnb.methods import FullDomain, Incognito, KOptimize, Mondrian, Samarati, TopDown
from anonnb.privacy import LDiversity
from anonnb.privacy.base import Minimality
from anonnb.testing import check_attack

LABELS = {value: ["ab" if value in "ab" else "cd", "*"] for value in "abcd"}
CELLS = list(product("abcd", repeat=2))


def made_of(rows):
    frame = pd.DataFrame(rows, columns=["x", "y"]).assign(d="n")
    tree = Hierarchy.from_dict(LABELS)
    return Table(frame, quasi=["x", "y"], decision="d", hierarchies={"x": tree, "y": tree})


def up(value, level):
    return value if level == 0 else LABELS[value][level - 1]


def lowest(rows, k, limit):
    """What Samarati publishes, by the definition: the first node of the lowest height that passes."""
    for x, y in sorted(product(range(3), repeat=2), key=lambda node: (sum(node), node)):
        counts = Counter((up(a, x), up(b, y)) for a, b in rows)
        if sum(count for count in counts.values() if count < k) <= limit:
            return tuple(sorted(each for each in counts.elements() if counts[each] >= k))
    raise AssertionError("the top passes")


def refined(rows, k):
    """What TopDown publishes of a table with one decision, by the definition: the first step that keeps k, always."""
    levels = [dict.fromkeys("abcd", 2) for _ in range(2)]

    def shown(cuts):
        return Counter(tuple(up(cell, cut[cell]) for cell, cut in zip(row, cuts, strict=True)) for row in rows)

    def steps():
        for place, cut in enumerate(levels):
            used = {row[place] for row in rows}
            for node in sorted({(-cut[v], up(v, cut[v])) for v in used if cut[v] > 0}):
                lower = {v: level - ((-level, up(v, level)) == node) for v, level in cut.items()}
                yield [lower if other == place else each for other, each in enumerate(levels)]

    while True:
        allowed = [cuts for cuts in steps() if min(shown(cuts).values()) >= k]
        if not allowed:
            return tuple(sorted(shown(levels).elements()))
        levels = allowed[0]


def lines(found):
    """The claims, each with the class that it is about."""
    return sorted(map(tuple, found.targets[["column", "published", "rows", "claims"]].to_numpy().tolist()))


def contradicted(found, release, rows):
    """Whether an original lacks rows that the claims say it has."""
    shown = release.frame[["x", "y"]].to_numpy()
    first = pd.Series(release.groups).drop_duplicates().index
    boxes = {release.groups[place]: dict(zip("xy", shown[place], strict=True)) for place in first}
    for line in found.targets.itertuples():
        box = boxes[line[2]]
        held = [r for r in rows if all(box[n] in (c, *LABELS[c]) for n, c in zip("xy", r, strict=True))]
        paths = [(row["xy".index(line.column)], *LABELS[row["xy".index(line.column)]]) for row in held]
        for claim in filter(None, line.claims.split(", ")):
            count, child = claim.split(" × ")
            if sum(child in path for path in paths) < int(count):
                return True
    return False


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*every cell of x, y is")
@pytest.mark.parametrize(
    ("method", "plain"),
    [
        (Samarati(k=2), lambda rows: lowest(rows, 2, 0)),
        (Samarati(k=3), lambda rows: lowest(rows, 3, 0)),
        (Samarati(k=2, max_suppressed=1), lambda rows: lowest(rows, 2, 1)),
        (FullDomain(k=2, measure="precision"), lambda rows: lowest(rows, 2, 0)),
        (Incognito(k=2, choose="precision"), lambda rows: lowest(rows, 2, 0)),
        (TopDown(k=2), lambda rows: refined(rows, 2)),
        (TopDown(k=3), lambda rows: refined(rows, 3)),
    ],
    ids=lambda value: str(value) if not callable(value) else "",
)
def test_claims_hold_in_every_original_of_four_rows(method, plain):
    originals = defaultdict(list)
    for rows in combinations_with_replacement(CELLS, 4):
        originals[plain(rows)].append(rows)
    drawn = np.random.default_rng(0).permutation(len(originals))[:40]  # all of them pass too, and take minutes
    claimed = 0
    for shown, behind in (list(originals.items())[place] for place in drawn):
        release = method.anonymize(made_of(behind[0]))
        assert tuple(sorted(map(tuple, release.frame[["x", "y"]].to_numpy().tolist()))) == shown
        found = DowncodingAttack().run(release)
        claimed += found.claims
        assert found.right == found.claims
        assert not any(contradicted(found, release, rows) for rows in behind)
    assert claimed > 0


@pytest.mark.parametrize("method", [Samarati(k=2), TopDown(k=2), FullDomain(k=2), Incognito(k=2)], ids=str)
def test_claims_hold_in_the_originals_of_six_rows_that_the_method_itself_maps_to_a_release(method):
    rng = np.random.default_rng(0)
    for _ in range(3):
        low = [tuple(rng.choice(list("ab"), 2)) for _ in range(4)]
        release = method.anonymize(made_of([*low, ("c", "c"), ("c", "d")]))
        if method.minimality(release) is None:
            continue
        found = DowncodingAttack().run(release)
        for pair in combinations_with_replacement([cell for cell in CELLS if cell[0] in "cd" and cell[1] in "cd"], 2):
            other = method.anonymize(made_of([*low, *pair]))
            if other.frame.astype(str).equals(release.frame.astype(str)):
                assert not contradicted(found, release, [*low, *pair])
                assert lines(DowncodingAttack().run(other)) == lines(found)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("children", [1, 2, 3])
@pytest.mark.parametrize("rows", range(1, 8))
def test_what_rows_can_do_by_trying_all_divisions(rows, children, k):
    divisions = list(combinations_with_replacement(range(children), rows))
    small = {each: sum(n for n in Counter(each).values() if n < k) for each in divisions}
    assert most_small(rows, children, k) == max(small.values())
    for needed in range(max(small.values()) + 1):
        possible = np.array([each for each in divisions if small[each] >= needed])
        first, last = left_children(rows, children, k, needed)
        assert (first <= possible.min(axis=0)).all()
        assert (last >= possible.max(axis=0)).all()
        if children < 3:
            assert (first == possible.min(axis=0)).all()
            assert (last == possible.max(axis=0)).all()


def test_two_rows_below_one_node_are_told_apart():
    release = TopDown(k=2).anonymize(made_of([("a", "a"), ("b", "a"), ("c", "c"), ("d", "d")]))
    found = DowncodingAttack().run(release)
    assert lines(found) == [
        ("x", "ab", 2, "1 × a, 1 × b"),
        ("x", "cd", 2, "1 × c, 1 × d"),
        ("y", "cd", 2, "1 × c, 1 × d"),
    ]
    assert (found.attempts, found.claims, found.right, found.precision) == (6, 6, 6, 1.0)
    assert (found.luck, found.baseline) == (4.5, 0.75)
    assert found.summary == "claims 6 of 6 cells, 6 of them right (baseline: 4.5 by luck)"


def test_a_child_that_the_table_lacks_is_still_a_child():
    tree = Hierarchy.from_dict({value: ["abc", "*"] for value in "abc"} | {"d": ["d", "*"]})
    frame = pd.DataFrame({"x": list("abddd"), "d": "n"})
    found = DowncodingAttack().run(
        TopDown(k=2).anonymize(Table(frame, quasi=["x"], decision="d", hierarchies={"x": tree}))
    )
    assert found.targets["children"].tolist() == [3]
    assert (found.claims, found.targets["narrowed"].tolist()) == (0, [2])


def test_with_several_classes_nobody_knows_which_is_the_reason():
    rows = [("a", "a"), ("b", "a"), ("a", "c"), ("b", "c")]
    found = DowncodingAttack().run(TopDown(k=2).anonymize(made_of(rows)))
    assert (found.attempts, found.claims) == (4, 0)


@pytest.mark.parametrize(
    ("release", "words"),
    [
        (Mondrian(k=2).anonymize(made_of(CELLS)), "Mondrian does not say"),
        (KOptimize(k=2).anonymize(made_of(CELLS)), "KOptimize does not say"),
        (Release.of(made_of(CELLS)), "the release does not say"),
        (Samarati(k=2).anonymize(made_of(CELLS)).take(np.arange(4)), "Samarati does not say"),
        (FullDomain(k=2, max_suppressed=3).anonymize(made_of(CELLS)), "FullDomain does not say"),
        (TopDown(k=2, require=[LDiversity(1, column="d")]).anonymize(made_of(CELLS)), "requires more than k"),
    ],
)
def test_what_nothing_follows_from_is_refused(release, words):
    with pytest.raises(ValueError, match=words):
        DowncodingAttack().run(release)


def test_hardly_anything_on_adult():
    adult = anonnb.load("adult")
    for method in (TopDown(k=2), Samarati(k=10)):
        found = DowncodingAttack().run(method.anonymize(adult))
        assert found.attempts > 100_000
        assert found.success < 0.001


@pytest.mark.parametrize("method", [Samarati(k=2), FullDomain(k=2), Incognito(k=2)], ids=str)
def test_a_release_that_tells_only_its_method_is_refused_in_a_sentence(method):
    made = method.anonymize(made_of(CELLS))
    with pytest.raises(ValueError, match="does not say"):
        DowncodingAttack().run(Release(made.table, made.columns, made.rows, method=method))


def test_without_links_claims_are_made_and_nobody_can_tell_which_are_right():
    made = TopDown(k=2).anonymize(made_of([("a", "a"), ("b", "a"), ("c", "c"), ("d", "d")]))
    found = DowncodingAttack().run(Release(made.table, made.columns, None, method=made.method, withheld=0))
    assert found.claims == 6
    assert np.isnan(found.right)
    assert found.summary == (
        "claims 6 of 6 cells (baseline: 4.5 by luck); the release does not tell which row is whose"
    )


def test_a_method_that_declares_too_much_is_not_believed():
    release = Samarati(k=2).anonymize(made_of([("a", "a"), ("b", "a")]))

    class Boasting(Samarati):
        def minimality(self, release):
            return Minimality("column", k=2, spare=2)

    release = release.replace(method=Boasting(k=2))
    with pytest.raises(ValueError, match="column 'x': the release contradicts"):
        DowncodingAttack().run(release)


def test_contract_and_arena():
    check_attack(DowncodingAttack())
    found = arena.compare(anonnb.load("survey"), ["Samarati", "Mondrian"], ["DowncodingAttack"], [], draws=1)
    told = found.query("kind == 'attack'").set_index("method")["reason"]
    assert "nobody outside the release has one" in told["Samarati"]
    assert "Mondrian does not say" in told["Mondrian"]
