"""Answers of notebooks 07 to 09: association rules, decision trees, incomplete tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from anonnb.coursework.practice.answers.tools import frame_of
from anonnb.coursework.practice.exercise import Answer, exercise, inputs
from anonnb.rules.association.itemsets import Item
from anonnb.tables.datasets import load
from anonnb.tables.incomplete_table import IncompleteTable
from anonnb.tables.table import Table
from anonnb.trees.growing import grow
from anonnb.trees.splits import gini


@exercise("07.1")
def levels_by_hand(baskets: tuple[str, ...], least: int) -> Answer:
    letters, levels = sorted(set("".join(baskets))), []
    for size in range(1, len(letters) + 1):
        sets = ["".join(letters) for letters in combinations(letters, size)]
        levels.append([each for each in sets if sum(set(each) <= set(basket) for basket in baskets) >= least])
    counts = [len(level) for level in levels if level]
    parts = [f"{len(level)} of size {size}: {', '.join(level)}" for size, level in enumerate(levels, 1) if level]
    return Answer(counts, lines="; ".join(map(", ".join, baskets)), levels="; ".join(parts))


@inputs("07.4")
def build_frequent() -> Iterator[tuple]:
    letters = np.random.default_rng(0).choice(["x", "y"], (30, 20))
    baskets = Table(pd.DataFrame(letters, columns=[f"c{number}" for number in range(20)]))
    survey, hayes = load("survey").select(["Marital_status", "Sex", "Hours"]), load("hayes-roth")
    for table, min_count in ((survey, 10), (hayes.select(hayes.quasi), 12), (baskets, 12)):
        rows = table.frame.to_dict("records")
        yield [frozenset(Item(name, str(value)) for name, value in row.items()) for row in rows], min_count


@exercise("08.1")
def gini_by_hand(left: tuple[int, int], right: tuple[int, int]) -> Answer:
    whole = (left[0] + right[0], left[1] + right[1])
    all_, of_left, of_right = (float(gini(np.array(counts))) / sum(counts) for counts in (whole, left, right))
    gain = all_ - (sum(left) * of_left + sum(right) * of_right) / sum(whole)
    unweighted = all_ - (of_left + of_right) / 2
    return Answer(round(gain, 3), all=all_, gini_left=of_left, gini_right=of_right, gain=gain, unweighted=unweighted)


@exercise("08.2")
def threshold() -> Answer:
    frame = pd.DataFrame({"age": [20, 24, 26, 30, 38, 44, 50, 56], "class": list("NNNYNYYY")})
    split: Any = grow(Table(frame, decision="class"), max_leaves=2).root.split
    return Answer(float(split.cut), tied=41)


@exercise("08.3")
def greed_fails(rare: str, times: int) -> Answer:
    other = "N" if rare == "Y" else "Y"

    def judge(answer: Any) -> str:
        frame = frame_of(answer, "x y class", "[(0, 0, 'N'), (0, 1, 'Y')]")
        if not 2 <= len(frame) <= 2 * times:
            return f"there are {len(frame)} rows, and 2 to {2 * times} are asked for"
        if unknown := sorted(set(frame["class"]) - {"N", "Y"}):
            return f"the classes are N and Y, not {unknown[0]!r}"
        few = int((frame["class"] == rare).sum())
        if few * times != len(frame):
            return f"{few} of {len(frame)} rows are {rare}, and one in {times} is asked for"
        if frame.groupby(["x", "y"])["class"].nunique().max() > 1:
            return "two rows agree in x and y but not in the class, so x and y do not decide it"
        split = grow(Table(frame, decision="class", kinds=dict.fromkeys(frame, "nominal"))).root.split
        return "" if split is None else f"the question {' | '.join(split.labels())} gains {split.score:.3f} bits"

    rows = [(0, 0, rare), (1, 1, rare), *[(0, 1, other), (1, 0, other)] * (times - 1)]
    return Answer(judge=judge, other=other, rows=rows)


@inputs("08.4")
def build_best_question() -> Iterator[tuple]:
    iris, survey, rng = load("iris").frame, load("survey").frame, np.random.default_rng(0)
    for name in iris.columns[:4]:
        for rows in (slice(0, 150), slice(0, 150, 7), slice(50, 150)):
            yield iris[name].to_numpy(dtype=float)[rows], iris["class"].to_numpy().astype(str)[rows]
    yield survey["Hours"].to_numpy(dtype=float), survey["Hypertension"].to_numpy().astype(str)
    for n in range(40):
        yield rng.integers(0, 2 + n % 6, 10).astype(float), rng.choice(list("NY"), 10)


@exercise("09.1")
def support_by_hand() -> Answer:
    frame = {"a": ["a1", "a1 1/2 | a2 1/2", "a1", "a2"], "d": ["d1", "d1", "d1 1/4 | d2 3/4", "d1"]}
    columns = IncompleteTable.from_frame(pd.DataFrame(frame)).columns
    premise, value = (columns[name].weight([0])[:, 0] for name in ("a", "d"))
    return Answer((float(premise @ value), float(premise @ value / premise.sum())))


@exercise("09.2")
def order_of_cells(cells: dict[str, str]) -> Answer:
    frame = pd.DataFrame({"a": [*cells.values(), "a1", "a2", "a3"]})
    column = IncompleteTable.from_frame(frame).columns["a"]
    figures = {name: (column.cards[number], column.spreads[number]) for number, name in enumerate(cells)}
    order = sorted(cells, key=lambda name: (-figures[name][0], figures[name][1]))
    texts = (
        f"{name} counts {count} values and has the spread {spread:.4g}" for name, (count, spread) in figures.items()
    )
    lines = "; ".join(f"{name}: {cell}".replace("*", r"\*") for name, cell in cells.items())
    return Answer(order, lines=lines, figures="; ".join(texts), order=order, reverse=order[::-1])


@exercise("09.4")
def build_one_level() -> Answer:
    kinds = ["{0}1", "{0}2", "{0}3", "{0}1 2/3 | {0}2 1/3", "{0}2 1/2 | {0}3 1/2", "*"]

    def cases() -> Iterator[tuple]:
        for seed in range(5):
            rng = np.random.default_rng(seed)
            frame = pd.DataFrame({name: [rng.choice(kinds).format(name) for _ in range(20)] for name in "abcd"})
            weights = {
                (name, label): column.weight([code])[:, 0]
                for name, column in IncompleteTable.from_frame(frame).columns.items()
                for code, label in enumerate(column.attribute.labels)
            }
            items: Sequence[tuple] = [item for item in weights if item[0] != "d"]
            terms = [(item,) for item in items] + [pair for pair in combinations(items, 2) if pair[0][0] != pair[1][0]]
            for item in weights:
                if item[0] == "d":
                    yield terms, weights, weights[item], 1.6, 0.65

    return Answer(cases=cases)
