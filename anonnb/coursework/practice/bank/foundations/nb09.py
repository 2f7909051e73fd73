"""Exercises of notebook 09, incomplete tables."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.rules.incomplete.erid import erid
from anonnb.tables.incomplete_table import IncompleteTable

Item = tuple[str, str]
Term = tuple[Item, ...]


@exercise("09.1")
def support_by_hand(numbers: Numbers) -> Exercise:
    first, second = numbers.one_of([("1/2", "1/4"), ("1/3", "1/2"), ("2/3", "1/2"), ("3/4", "1/3")])
    frame = pd.DataFrame(
        {
            "a": ["a1", f"a1 {first} | a2 {_rest(first)}", "a1", "a2"],
            "d": ["d1", "d1", f"d1 {second} | d2 {_rest(second)}", "d1"],
        }
    )
    lines = "; ".join(f"a = {a}, d = {d}" for a, d in frame.itertuples(index=False))
    return Exercise(
        f"Four rows: {lines}. What are support (in rows) and confidence of the rule *if a = a1 then d = d1*? Answer "
        "with a pair.",
        hints=[
            "in each row multiply the weight of a1 by the weight of d1, and add up: that is the support",
            "the confidence divides the support by the sum of the weights of a1; the last row adds nothing to either",
        ],
        worked=lambda: (
            "Support 1 + {} · 1 + 1 · {} = {:.4f}; the weights of a1 sum to {:.4f}; confidence {:.4f}.".format(
                first, second, *_sums(frame)
            )
        ),
        expected=lambda: (_sums(frame)[0], _sums(frame)[2]),
    )


def _rest(share: str) -> str:
    up, down = map(int, share.split("/"))
    return f"{down - up}/{down}"


def _sums(frame: pd.DataFrame) -> tuple[float, float, float]:
    """Support, weight of the premise and confidence of a1 → d1."""
    columns = IncompleteTable.from_frame(frame).columns
    premise, value = (columns[name].weight([0])[:, 0] for name in ("a", "d"))
    support = float(premise @ value)
    return support, float(premise.sum()), support / float(premise.sum())


@exercise("09.2")
def order_of_cells(numbers: Numbers) -> Exercise:
    cells = numbers.one_of(
        [
            {"A": "a1 3/5 | a2 2/5", "B": "*", "C": "a1 | a2 | a3", "D": "a2 1/5 | a3 4/5"},
            {"A": "a1 1/2 | a2 1/4 | a3 1/4", "B": "a1 | a2", "C": "a3 2/3 | a1 1/3", "D": "*"},
            {"A": "*", "B": "a1 9/10 | a2 1/10", "C": "a2 1/2 | a3 1/2", "D": "a1 3/5 | a2 1/5 | a3 1/5"},
        ]
    )
    listed = "; ".join(f"{name}: {cell.replace('*', chr(92) + '*')}" for name, cell in cells.items())
    return Exercise(
        f"Four cells over the domain a1, a2, a3; where no weights stand, they are equal. {listed}. Order them from the "
        "least to the most complete. Answer with a list of letters.",
        hints=[
            "first count the values that each cell leaves",
            "of two cells with equally many values, the one with more uneven weights is more complete",
        ],
        worked=lambda: _order_in_words(cells),
        expected=lambda: _ordered(cells),
    )


def _column(cells: dict[str, str]):
    return IncompleteTable.from_frame(pd.DataFrame({"a": [*cells.values(), "a1", "a2", "a3"]})).columns["a"]


def _ordered(cells: dict[str, str]) -> list[str]:
    column = _column(cells)
    return sorted(cells, key=lambda name: (-column.cards[place(name)], column.spreads[place(name)]))


def _order_in_words(cells: dict[str, str]) -> str:
    column = _column(cells)
    lines = [
        f"{name} counts {column.cards[place(name)]} values and has the spread {column.spreads[place(name)]:.4g}"
        for name in cells
    ]
    return (
        f"{'; '.join(lines)}. An unknown cell counts one value more than the domain has. Fewer values are more "
        f"complete, and of equally many the larger spread: {', '.join(_ordered(cells))}."
    )


def place(name: str) -> int:
    """The place of a letter in the alphabet."""
    return ord(name) - ord("A")


@exercise("09.3")
def expected_support(numbers: Numbers) -> Exercise:
    support, confidence, length, hidden = numbers.one_of(
        [(200, 0.9, 2, 0.2), (400, 0.8, 1, 0.3), (250, 0.75, 2, 0.1), (160, 0.95, 3, 0.25)]
    )
    kept = 1 - hidden
    return Exercise(
        f"In a complete table a rule with {length} value{'s' * (length > 1)} in its premise has support {support} and "
        f"confidence {confidence:g}. Now every cell becomes unknown with probability {hidden:g}, independently. What "
        "is the expected support, and by what is the confidence multiplied, roughly? Answer with a pair.",
        hints=[
            f"a row still adds to the support if none of the {length + 1} cells that the rule looks at is hidden",
            "confidence is support by the weight of the premise; which cell does only the support need?",
        ],
        worked=f"A row counts with probability {kept:g}^{length + 1}: {support} · {kept ** (length + 1):.4f} = "
        f"{support * kept ** (length + 1):.4g}. The weight of the premise falls by {kept:g}^{length} only, so the "
        f"confidence is multiplied by {kept:g}.",
        expected=lambda: (support * kept ** (length + 1), kept),
    )


STARTER = '''
def one_level(terms, weights, conclusion, least, sure):
    """One level of ERID for one value of the decision: (premises that are rules, premises that grow).

    terms: premises, each a tuple of items. weights: for each item the array of its weights in all rows.
    conclusion: the array of the weights of the value. least: the smallest support in rows. sure: the smallest
    confidence. Drop what is too rare; keep the order of terms; compare with a tolerance of 1e-9.
    """
    raise NotImplementedError
'''
WORKED = """```python
def one_level(terms, weights, conclusion, least, sure):
    rules, grows = [], []
    for term in terms:
        premise = np.ones(len(conclusion))
        for item in term:
            premise = premise * weights[item]
        support = (premise * conclusion).sum()
        if support < least - 1e-9:
            continue
        if support >= sure * premise.sum() - 1e-9:
            rules.append(term)
        else:
            grows.append(term)
    return rules, grows
```"""


@exercise("09.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `one_level`, the core of ERID. The check makes longer premises of those that "
        "grow, calls it level by level on five random incomplete tables, and compares the rules with those of `erid`.",
        hints=[
            "the weight of a premise in a row is the product of the weights of its items",
            "there are three cases: too rare, sure enough, and all others; test them in this order",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="With your level in place of ours, ERID finds the same rules in all five tables.",
        starter=STARTER,
    )


def rules_with(
    one_level: Callable, system: IncompleteTable, decision: str, value: str, least: float, sure: float
) -> set:
    """ERID with another level: the premises of all rules about one value, as sets of items."""
    weights = {
        (name, label): column.weight([code])[:, 0]
        for name, column in system.columns.items()
        for code, label in enumerate(column.attribute.labels)
    }
    conclusion = weights[decision, value]
    terms: list[Term] = [(item,) for item in weights if item[0] != decision]
    found = set()
    for _ in range(3):
        rules, grows = one_level(list(terms), weights, conclusion, least, sure)
        found |= {frozenset(term) for term in rules}
        terms = _longer([tuple(term) for term in grows])
    return found


def _longer(grows: list[Term]) -> list[Term]:
    """Premises with one item more, all of whose parts grow."""
    known, found = {frozenset(term) for term in grows}, []
    for first, second in combinations(grows, 2):
        term = (*first, second[-1])
        whole = first[:-1] == second[:-1] and len({name for name, _ in term}) == len(term)
        if whole and all(frozenset(term) - {item} in known for item in term):
            found.append(term)
    return found


def _differs(one_level: Callable) -> str:
    if not callable(one_level):
        return "the answer is the function one_level"
    for number in range(5):
        system = _random_system(number)
        ours = erid(system, "d", 0.08, 0.65, max_length=3)
        for value in system.columns["d"].attribute.labels:
            expected = {
                frozenset((condition.attribute, str(condition.values[0])) for condition in rule.conditions)
                for rule in ours
                if rule.conclusion_text == value
            }
            found = rules_with(one_level, system, "d", value, 0.08 * len(system), 0.65)
            if found != expected:
                return f"table {number} has {len(expected)} rules about d = {value}, and with your level {len(found)}"
    return ""


def _random_system(seed: int) -> IncompleteTable:
    """Twenty rows, four attributes; cells are exact, one of two values, or unknown."""
    rng = np.random.default_rng(seed)
    kinds = ["{0}1", "{0}2", "{0}3", "{0}1 2/3 | {0}2 1/3", "{0}2 1/2 | {0}3 1/2", "*"]
    cells = {name: [rng.choice(kinds).format(name) for _ in range(20)] for name in "abcd"}
    return IncompleteTable.from_frame(pd.DataFrame(cells))
