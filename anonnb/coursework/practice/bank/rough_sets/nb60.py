"""Exercises of notebook 60, discretization."""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonnb import roughsets
from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.roughsets.discretization.cuts import NumericColumn
from anonnb.roughsets.discretization.mdlp import best_cut as best_cut_of_counts
from anonnb.tables.datasets import load
from anonnb.tables.table import Table


def _two_classes(classes: str) -> Table:
    return Table(pd.DataFrame({"x": range(1, len(classes) + 1), "class": list(classes)}), decision="class")


@exercise("60.1")
def cost(numbers: Numbers) -> Exercise:
    classes = numbers.one_of(["aaabbb", "aaaabbbb", "aabb", "aaaaabbbbb"])
    rows = len(classes)
    return Exercise(
        f"The values 1 to {rows} have the classes {', '.join(classes)}. The cut in the middle gains 1 bit a row. What "
        "does it cost in bits a row? Round to three digits.",
        hints=[
            "the cost is (log2(N − 1) + log2(3^k − 2) − (k Ent − k1 Ent1 − k2 Ent2)) / N",
            "there are two classes in all and one on each side; the whole has an entropy of 1 bit, the sides have none",
        ],
        worked=lambda: f"(log2({rows - 1}) + log2(7) − 2 · 1) / {rows} = {_middle(classes):.3f}.",
        expected=lambda: round(_middle(classes), 3),
    )


def _middle(classes: str) -> float:
    column, table = NumericColumn.of(_two_classes(classes), "x"), _two_classes(classes)
    counts = np.eye(2, dtype=np.int64)[table.codes("class")]
    below = np.vstack([np.zeros((1, 2), dtype=np.int64), np.cumsum(counts, axis=0)])
    return best_cut_of_counts(below, 0, len(column.values)).cost


@exercise("60.2")
def pairs(numbers: Numbers) -> Exercise:
    left, right = numbers.one_of([((3, 1), (1, 4)), ((2, 2), (0, 5)), ((4, 0), (2, 3)), ((1, 3), (5, 1))])
    return Exercise(
        f"A cut leaves {left[0]} rows of class a and {left[1]} of class b on its left, {right[0]} of class a and "
        f"{right[1]} of class b on its right. How many pairs of rows with different classes does it part?",
        hints=[
            "a pair counts when its two rows lie on different sides and have different classes",
            "multiply the a on the left with the b on the right, and the other way round",
        ],
        worked=f"The a on the left with the b on the right, and the b on the left with the a on the right: {left[0]} · "
        f"{right[1]} + {left[1]} · {right[0]} = {left[0] * right[1] + left[1] * right[0]}.",
        expected=lambda: _parted(left, right),
    )


def _parted(left: tuple[int, int], right: tuple[int, int]) -> int:
    from anonnb.roughsets.discretization._pairs import pairs_parted

    places = np.repeat([0, 0, 1, 1], [*left, *right])
    classes = np.repeat([0, 1, 0, 1], [*left, *right])
    blocks = np.zeros(len(places), dtype=np.int64)
    return int(pairs_parted(np.arange(len(places)), places, 2, blocks, 1, classes, 2)[1])


@exercise("60.3")
def lost(numbers: Numbers) -> Exercise:
    bins = numbers.one_of([3, 4, 6, 2])
    return Exercise(
        f"Iris is discretized by equal width with {bins} intervals a column. For how many of the 150 rows do the "
        "intervals still tell the class for sure?",
        hints=[
            "roughsets.discretize(load('iris'), 'equal_width', bins=…) gives the table",
            "the rows whose class is sure make the positive region: roughsets.positive_region",
        ],
        worked=lambda: (
            f"`len(roughsets.positive_region(roughsets.discretize(load('iris'), 'equal_width', bins={bins})))` "
            f"is {_sure(bins)}."
        ),
        expected=lambda: _sure(bins),
    )


def _sure(bins: int) -> int:
    return len(roughsets.positive_region(roughsets.discretize(load("iris"), "equal_width", bins=bins)))


STARTER = '''
def best_cut(values, classes):
    """The cut with the least class entropy: a number halfway between two neighbouring values, None where all are equal.

    values: an array of numbers. classes: an array of class names. The entropy of a cut is the mean of the entropies of
    its two sides, weighted by their numbers of rows. Of equally good cuts (up to 1e-9) take the lowest.
    """
    raise NotImplementedError
'''
WORKED = """```python
def best_cut(values, classes):
    def entropy(part):
        shares = np.unique(part, return_counts=True)[1] / len(part)
        return -(shares * np.log2(shares)).sum()

    best = None
    distinct = np.unique(values)
    for low, high in zip(distinct[:-1], distinct[1:]):
        left = values <= low
        mixed = left.mean() * entropy(classes[left]) + (~left).mean() * entropy(classes[~left])
        if best is None or mixed < best[0] - 1e-9:
            best = mixed, (low + high) / 2
    return None if best is None else best[1]
```"""


@exercise("60.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `best_cut`, the core of MDLP. The check cuts the four columns of iris with it "
        "and twenty small columns of chance.",
        hints=[
            "the candidates lie between neighbouring values of np.unique(values)",
            "keep the best cut so far and replace it only by one whose entropy is lower by more than 1e-9",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="Your function finds the same cut as ours in all 24 columns.",
        starter=STARTER,
    )


def _differs(best_cut: object) -> str:
    if not callable(best_cut):
        return "the answer is the function best_cut"
    for name, values, classes in _columns():
        ours, theirs = _our_cut(values, classes), best_cut(values.copy(), classes.copy())
        same = theirs is None if ours is None else theirs is not None and np.isclose(float(theirs), ours)
        if not same:
            return f"in {name} your cut is {theirs}, and ours {ours}"
    return ""


def _our_cut(values: np.ndarray, classes: np.ndarray) -> float | None:
    table = Table(pd.DataFrame({"x": values, "class": classes}), decision="class")
    column = NumericColumn.of(table, "x")
    counts = np.zeros((len(column.values), table.attributes["class"].size), dtype=np.int64)
    np.add.at(counts, (column.places, table.codes("class")), 1)
    below = np.vstack([np.zeros((1, counts.shape[1]), dtype=np.int64), np.cumsum(counts, axis=0)])
    found = best_cut_of_counts(below, 0, len(column.values))
    return None if found is None else float(column.point(found.place))


def _columns() -> list[tuple[str, np.ndarray, np.ndarray]]:
    iris, rng = load("iris").frame, np.random.default_rng(0)
    real = [
        (f"the column {name} of iris", iris[name].to_numpy(), iris["class"].to_numpy()) for name in iris.columns[:4]
    ]
    return real + [
        (f"small column {n}", rng.integers(0, 2 + n, 12).astype(float), rng.choice(list("abc"), 12)) for n in range(20)
    ]
