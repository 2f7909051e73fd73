"""Exercises of notebook 33, the Chase attack."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.rules import chase, implies
from anonnb.tables.incomplete_table import IncompleteTable

RuleOf = tuple[str, str, float, float]  # premise, conclusion, confidence, support; "a1 b1" are values of a and of b
Cell = dict[str, float]
Settle = Callable[[Cell, Cell, float], Cell]


def filled_in(row: Mapping[str, str | None], rules: Sequence[RuleOf], threshold: float) -> dict[str, Cell]:
    """The cells of one row after Chase: for each attribute the weights of its values, none where it is unknown.

    >>> filled_in({"a": "a1", "s": None}, [("a1", "s1", 0.8, 10), ("a1", "s2", 0.8, 5)], 0.4)["s"]
    {'s1': 1.0}
    """
    system = IncompleteTable.from_frame(pd.DataFrame([dict(row)], index=["x"]))
    found = chase(system, [_rule(*rule) for rule in rules], threshold).system
    return {name: _weights(found, name) for name in row}


def _rule(premise: str, end: str, confidence: float, support: float):
    return implies({value[0]: value for value in premise.split()}, {end[0]: end}, confidence, support)


def _weights(system: IncompleteTable, name: str) -> Cell:
    column = system.columns[name]
    weights = column.set_weights()[column.column.index[0]] if column.attribute.size else ()
    named = zip(column.attribute.labels, weights, strict=True)
    return {label: round(float(weight), 6) for label, weight in named if weight > 0}


@exercise("33.1")
def two_votes(numbers: Numbers) -> Exercise:
    first, second, weight = numbers.one_of([((0.9, 20), (0.8, 15), 0.5), ((0.8, 15), (0.6, 10), 0.25)])
    rules = [("a1", "s1", *first), ("b1", "s2", *second)]
    row = {"a": f"a1 {weight} | a2 {1 - weight}", "b": "b1", "s": None}
    votes = weight * first[0] * first[1], second[0] * second[1]
    return Exercise(
        f"A row shows a1 with weight {weight} (otherwise a2) and b1 for certain; s is hidden. Two rules: a1 → s1 with "
        f"confidence {first[0]} and support {first[1]}, b1 → s2 with confidence {second[0]} and support {second[1]}. "
        "With which weight does Chase say s2, for λ = 0.2? Round to three digits.",
        hints=[
            "each rule votes with premise weight × confidence × support",
            "divide each vote by the sum of both; values below λ leave, and what stays is scaled to 1 again",
        ],
        worked=f"The votes are {votes[0]:g} for s1 and {votes[1]:g} for s2. Scaled, s2 has {votes[1]:g} / "
        f"{sum(votes):g} = {votes[1] / sum(votes):.3f}, and s1 the rest, {votes[0] / sum(votes):.3f}"
        + (", which is at least λ." if votes[0] / sum(votes) >= 0.2 else ": below λ, so only s2 stays, with weight 1."),
        expected=lambda: round(filled_in(row, rules, 0.2)["s"]["s2"], 3),
    )


CHAINS = [
    (("a1", "b1"), ("b1 c1", "d1"), ("d1", "e1"), ("b1 e1", "s1"), ("f1", "s1")),
    (("a1 c1", "b1"), ("b1", "e1"), ("d1", "f1"), ("b1 e1", "d1"), ("f1", "s1")),
    (("c1", "d1"), ("d1 a1", "b1"), ("e1", "s1"), ("b1 d1", "s1"), ("s1", "f1")),
]


@exercise("33.2")
def rounds(numbers: Numbers) -> Exercise:
    rules = [(premise, end, 1.0, 1.0) for premise, end in numbers.one_of(CHAINS)]
    row = {**dict.fromkeys("bdefs"), "a": "a1", "c": "c1"}
    told = "; ".join(f"{premise.replace(' ', ' · ')} → {end}" for premise, end, *_ in rules)
    return Exercise(
        f"A row shows a1 and c1; b, d, e, f and s are unknown. The rules, all with confidence 1: {told}. In which "
        "round does Chase fill in s, with a pencil? In a round, rules see only what was there before it.",
        hints=[
            "write down, round by round, which premises hold completely",
            "a value that is found in a round can be used in the next one, not in the same one",
        ],
        worked=lambda: "Round by round: " + "; ".join(map(str, _links(row, rules))) + ".",
        expected=lambda: _links(row, rules)[-1].round,
    )


def _links(row: Mapping[str, str | None], rules: Sequence[RuleOf]) -> list:
    system = IncompleteTable.from_frame(pd.DataFrame([dict(row)], index=["x"]))
    return chase(system, [_rule(*rule) for rule in rules], 0.2).chain(0, "s")


@exercise("33.3")
def silenced(numbers: Numbers) -> Exercise:
    threshold = numbers.one_of([0.4, 0.5, 0.3])
    return Exercise(
        f"A row shows a1, and s is hidden. One rule: a1 → s1 with confidence 1 and support 10. For λ = {threshold}, "
        "Chase fills in s1. Give further rules with which it fills in **nothing**: a list of (value of s, confidence, "
        "support), such as [('s2', 0.5, 4)], all with the premise a1.",
        hints=[
            "votes are scaled to 1: the more values get votes, the less is left for each",
            f"all values must end below λ = {threshold}; how many values does that take at least, if all get the same?",
        ],
        worked=lambda: (
            f"`{crowd(threshold)}`: {len(crowd(threshold)) + 1} values share the votes evenly, so each has "
            f"1/{len(crowd(threshold)) + 1}, which is below {threshold}. More rules can reveal less: the votes of "
            "Chase are not monotone. The closure, which SCIKD works with, is."
        ),
        judge=lambda answer: _not_silenced(answer, threshold),
    )


def crowd(threshold: float) -> list[tuple[str, float, float]]:
    """As many further values with ten votes each as it takes until none reaches the threshold.

    >>> crowd(0.5)
    [('s2', 1.0, 10), ('s3', 1.0, 10)]
    """
    return [(f"s{number}", 1.0, 10) for number in range(2, int(1 / threshold + 1e-9) + 2)]


def _not_silenced(answer: object, threshold: float) -> str:
    try:
        added = [("a1", str(value), float(sure), float(support)) for value, sure, support in answer]
    except (TypeError, ValueError):
        return "the answer is a list of triples, such as [('s2', 0.5, 4)]"
    for _, value, sure, support in added:
        if not value.startswith("s") or not 0 < sure <= 1 or support <= 0:
            return f"the rule for {value} needs a value of s, a confidence above 0 and at most 1, and a support above 0"
    said = filled_in({"a": "a1", "s": None}, [("a1", "s1", 1.0, 10.0), *added], threshold)["s"]
    return f"Chase fills in {' or '.join(said)}" if said else ""


STARTER = '''
def settle(cell, votes, threshold):
    """The cell after a round of Chase: a dictionary from values to weights that sum to 1; {} is an unknown cell.

    cell: the cell before the round. votes: a dictionary from values to the votes of the rules; it may be empty.
    Scale the votes to 1, drop values below the threshold, scale what is left to 1. If something is left, it replaces
    an unknown cell, a cell with more values, and a cell with as many values whose weights are less uneven; otherwise
    the cell stays. Unevenness: the sum of |p - q| over all pairs of weights. Differences below 1e-9 do not count.
    """
    raise NotImplementedError
'''
WORKED = """```python
def settle(cell, votes, threshold):
    new = dict(votes)
    for least in (threshold, 0):
        total = sum(new.values())
        new = {value: vote / total for value, vote in new.items()} if total > 0 else {}
        new = {value: weight for value, weight in new.items() if weight >= least - 1e-9}

    def unevenness(weights):
        parts = sorted(weights.values())
        return sum(high - low for place, high in enumerate(parts) for low in parts[:place])

    if not new:
        return cell
    if not cell or len(new) < len(cell):
        return new
    if len(new) == len(cell) and unevenness(new) > unevenness(cell) + 1e-9:
        return new
    return cell
```"""


@exercise("33.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `settle`, which decides what becomes of one cell. The check puts it in place "
        "of ours and runs Chase on the paper's object, with d, c and f hidden, and on forty random rows.",
        hints=[
            "scale, drop, scale again: after the second scaling the weights sum to 1",
            "compare the number of values first; only with equally many values does unevenness decide",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="With your function in place of ours, Chase ends with the same cells in all 41 rows.",
        starter=STARTER,
    )


def chased(settle: Settle, row: Mapping[str, Cell], rules: Sequence[RuleOf], threshold: float) -> dict[str, Cell]:
    """Chase on one row with another decision about each cell; all cells of a round see the same row."""
    start, now = row, {name: dict(cell) for name, cell in row.items()}
    for _ in range(100):
        votes: dict[str, Cell] = {name: {} for name in row}
        for premise, end, sure, support in rules:
            weight = sure * support * float(np.prod([now[value[0]].get(value, 0.0) for value in premise.split()]))
            before = start[end[0]]
            if weight > 0 and (not before or (len(before) > 1 and end in before)):
                votes[end[0]][end] = votes[end[0]].get(end, 0.0) + weight
        after = {name: dict(settle(dict(now[name]), dict(votes[name]), threshold)) for name in row}
        if after == now:
            return now
        now = after
    raise ValueError("Chase does not come to rest: a cell may change only when it becomes more complete")


def _differs(settle: object) -> str:
    if not callable(settle):
        return "the answer is the function settle"
    for name, row, rules, threshold in rows():
        texts = {column: _text(cell) for column, cell in row.items()}
        ours, theirs = filled_in(texts, rules, threshold), chased(settle, row, rules, threshold)
        for column, cell in ours.items():
            other = {value: round(float(weight), 6) for value, weight in theirs[column].items() if weight > 0}
            if set(other) != set(cell) or any(abs(other[value] - cell[value]) > 1e-5 for value in cell):
                return (
                    f"in {name} cell {column} becomes {_text(other) or 'unknown'}, and ours {_text(cell) or 'unknown'}"
                )
    return ""


def _text(cell: Cell) -> str | None:
    if len(cell) == 1:
        return next(iter(cell))
    return " | ".join(f"{value} {weight:.8g}" for value, weight in cell.items()) or None


def rows() -> Iterator[tuple[str, dict[str, Cell], list[RuleOf], float]]:
    """The paper's object with three cells hidden, and random rows with partly known cells."""
    printed = "b1 c1>a1 c1 f1>a1 c1>b1:0.6666667 e1>b1 a1 f1>c1 a1 c1>e1 e1 g1>c1:0.6666667 a1 c1>d1 b1 c1>d1 f1>d1"
    rules: list[RuleOf] = []
    premise: list[str] = []
    for word in printed.split():
        head, arrow, end = word.partition(">")
        premise.append(head)
        if arrow:
            rules.append((" ".join(premise), end.partition(":")[0], float(end.partition(":")[2] or 1), 1.0))
            premise = []
    known = {"a": {"a1": 2 / 3, "a2": 1 / 3}, **{name: {f"{name}1": 1.0} for name in "beg"}}
    yield "the paper's object", {name: known.get(name, {}) for name in "abcdefg"}, rules, 0.2
    rng = np.random.default_rng(33)
    cells: list[Callable[[str], Cell]] = [
        lambda name: {},
        lambda name: {f"{name}1": 1.0},
        lambda name: {f"{name}1": 0.6, f"{name}2": 0.4},
        lambda name: {f"{name}1": 0.5, f"{name}2": 0.25, f"{name}3": 0.25},
    ]
    for number in range(40):
        row = {name: cells[rng.integers(4)](name) for name in "abcde"}
        rules = []
        for _ in range(9):
            *starts, end = rng.permutation(list("abcde"))[: rng.integers(2, 4)].tolist()
            values = [f"{name}{rng.choice([1, 1, 2, 3])}" for name in (*starts, end)]
            rules.append(
                (" ".join(values[:-1]), values[-1], float(rng.choice([1.0, 0.8, 0.5])), float(rng.integers(1, 9)))
            )
        yield f"random row {number + 1}", row, rules, float(rng.choice([0.2, 0.25]))
