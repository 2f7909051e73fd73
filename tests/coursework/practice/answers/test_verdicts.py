"""Exercises whose verdicts were once wrong: right answers that were refused, wrong ones accepted, wrong questions."""

from fractions import Fraction
from itertools import combinations, pairwise, permutations, product

import numpy as np
import pandas as pd
import pytest

from anonnb import load
from anonnb.coursework import practice
from anonnb.coursework.practice.asking import fault


def verdict(name, answer, student=""):
    return fault(practice.find(name, student), answer)


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("01.1", ["A", "B", "C", "E"], ["A", "B", "C", "D"]),
        ("02.1", ["o1", "o2", "o3", "o5"], ["o1", "o2", "o3", "o6"]),
        ("36.1", [3, 4], [3, 5]),
        ("31.2", ["l", "m"], ["l"]),
        ("45.2", ["A", "B", "D", "E", "G"], ["A", "B", "D", "E"]),
        ("62.1", ["x4", "x6", "x8", "x9", "x10"], ["x4", "x6", "x8", "x9"]),
    ],
)
def test_order_does_not_matter_where_nobody_asks_for_it(name, right, wrong):
    for answer in (right, right[::-1], set(right), tuple(right), pd.Series(right), np.array(right)):
        assert verdict(name, answer) == ""
    assert verdict(name, wrong)
    assert "is not right" not in verdict(name, right[:-1]), "each of these is right"


def test_order_matters_where_the_question_says_so():
    assert verdict("13.1", [4, 3, 2]) == ""
    assert verdict("13.1", [2, 3, 4])
    assert "a set has none" in verdict("13.1", {4, 3, 2})


def test_the_edges_of_intervals_are_exact():
    """60.3, counted in tenths of a centimetre: a value on an edge belongs to the interval above it."""
    frame = load("iris").frame
    values, classes = (frame.iloc[:, :4].to_numpy(float) * 10).round().astype(int), frame["class"].tolist()
    for student in ("", *"abcdef"):
        asked = practice.find("60.3", student)
        bins, boxes = asked.numbers["bins"], {}
        for row, each in zip(values, classes, strict=True):
            low, high = values.min(axis=0), values.max(axis=0)
            box = tuple(
                min(int(Fraction(int(v - a) * bins, int(b - a))), bins - 1)
                for v, a, b in zip(row, low, high, strict=True)
            )
            boxes.setdefault(box, []).append(each)
        assert asked.answer.expected == sum(len(each) for each in boxes.values() if len(set(each)) == 1)
    assert "belongs to the interval above it" in practice.find("60.3").question


def lowest_or_highest(highest):
    def best_cut(values, classes):
        def entropy(part):
            shares = np.unique(part, return_counts=True)[1] / len(part)
            return -(shares * np.log2(shares)).sum()

        best, points = None, np.unique(values)
        for low, high in pairwise(points):
            left = values <= low
            mixed = left.mean() * entropy(classes[left]) + (~left).mean() * entropy(classes[~left])
            if best is None or mixed < best[0] - 1e-9 or (highest and mixed <= best[0] + 1e-9):
                best = mixed, (low + high) / 2
        return None if best is None else best[1]

    return best_cut


def test_the_lowest_of_tied_cuts_is_asked_for():
    assert verdict("60.4", lowest_or_highest(False)) == ""
    assert "something else than ours" in verdict("60.4", lowest_or_highest(True))


def cheapest(rows, head, tail, k):
    """The exact minimum over all sets of cuts in between."""

    def cost(cuts):
        pieces = [
            [sum(row[name] >= value for name, value in cuts if name == each) for each in rows]
            for _, row in rows.iterrows()
        ]
        sizes = [pieces.count(piece) for piece in pieces]
        return sum(len(rows) if size < k else size for size in sizes)

    tail = sorted(tail)
    return min(cost(head | set(some)) for size in range(len(tail) + 1) for some in combinations(tail, size))


@pytest.mark.slow
def test_a_sharper_bound_is_right_and_a_false_one_is_not():
    asked = practice.find("12.4")
    assert fault(asked, asked.model()) == ""
    assert fault(asked, cheapest) == ""
    assert "costs less" in fault(asked, lambda *given: asked.model()(*given) + 10_000)
    assert "lower than it need be" in fault(asked, lambda *given: 0)


def test_the_bound_is_asked_for_and_not_what_two_counts_reach():
    """26.3: two counts with independent noise reach 1/3, the bound of Proposition 26.7 is 3/5."""
    asked = practice.find("26.3")
    assert "Proposition 26.7" in asked.question
    assert (fault(asked, 0.6), bool(fault(asked, 1 / 3))) == ("", True)


def test_whoever_is_not_known_to_be_without_an_illness_has_it():
    """35.1, by trying all worlds that agree with what the attacker knows."""
    for student in ("", *"abcdef"):
        asked = practice.find("35.1", student)
        ruled_out, learnt = asked.numbers["ruled_out"], 0
        for rows in asked.numbers["classes"]:
            worlds = [
                w
                for w in set(permutations(rows))
                if all((a == ruled_out) == (b == ruled_out) for a, b in zip(w, rows, strict=True))
            ]
            learnt += sum(len({world[person] for world in worlds}) == 1 for person in range(len(rows)))
        assert asked.answer.expected == learnt
    assert practice.find("35.1").answer.expected == 8


def test_hidden_leaves_are_counted_by_trying_all():
    """20.1: the fewest leaves to hide so that no hidden one is known to have fewer than k people."""

    def safe(hidden, sizes, k):
        if len(hidden) == len(sizes):
            return True  # then none is drawn
        total = sum(sizes[leaf] for leaf in hidden)
        return all(sizes[leaf] >= k for leaf in range(len(sizes)) if leaf not in hidden) and (
            not hidden or (len(hidden) > 1 and total - len(hidden) + 1 >= k)
        )

    for student in ("", *"abcdefghij"):
        asked = practice.find("20.1", student)
        sizes, k = asked.numbers["sizes"], asked.numbers["k"]
        ways = (some for size in range(len(sizes) + 1) for some in combinations(range(len(sizes)), size))
        assert asked.answer.expected == len(next(some for some in ways if safe(some, sizes, k)))
    assert "so 20 is hidden as well" in practice.find("20.1").solution
    assert "find out that a hidden leaf has fewer than 5" in practice.find("20.1").question


def test_the_fewest_counterfeits_are_found_by_dealing_everybody_out():
    """27.2: every way to fill groups {a, b} and {c, d}, two newcomers with b in them or in a group of their own."""
    counts = set()
    for in_first in range(3):
        secrets = "aab" + "b" * in_first
        gaps = 2 * max(secrets.count("a"), secrets.count("b")) - len(secrets) + 1  # c lacks d
        counts.add(gaps + (2 - in_first))
    assert practice.find("27.2").answer.expected == min(counts)


def test_few_cells_suffice():
    """42.2, by trying all numbers of divorced and married people whose sex is hidden."""
    for student in ("", *"abcdef"):
        asked, total = practice.find("42.2", student), 0
        k = asked.numbers["k"]
        for men, women in ((19, 2), (10, 9), (26, 0)):
            ways = product(range(men + 1), range(women + 1))
            parts = [(m + w, (men - m, women - w, m + w)) for m, w in ways]
            total += min(cost for cost, sizes in parts if all(size == 0 or size >= k for size in sizes))
        assert asked.answer.expected == total
