"""Exercises of notebook 16, k-common patterns."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.methods.patterns.choosing import PatternChoice
from anonnb.methods.patterns.pattern_table import PatternTable, compose, rows_held
from anonnb.rules import Condition, Rule, RuleSet
from anonnb.tables.datasets import load
from anonnb.tables.release import Release

Premise = dict[str, str]
TABLE_2 = {
    "I1": ({"sex": "female"}, ("low", "medium")),
    "I2": ({"occupation": "engineer"}, ("low", "medium")),
    "I3": ({"sex": "male"}, ("low", "high")),
    "I4": ({"occupation": "salesman"}, ("low", "high")),
    "I5": ({"domicile": "Fukuoka"}, ("medium", "high")),
    "I6": ({"sex": "male", "occupation": "salesman"}, ("medium", "high")),
}


def table_2() -> RuleSet:
    """The six rules of the paper's Table 2.

    >>> print(table_2()[4])
    if domicile = Fukuoka then evaluation = medium or high
    """
    rules = [
        Rule(tuple(Condition(name, values=(value,)) for name, value in premise.items()), "evaluation", conclusion)
        for premise, conclusion in TABLE_2.values()
    ]
    return RuleSet(rules, "evaluation", ("high", "low", "medium"))


@exercise("16.1")
def needed(numbers: Numbers) -> Exercise:
    rules = numbers.one_of(
        [
            {"A": "abc", "B": "abd", "C": "acd", "D": "ab"},
            {"A": "bcd", "B": "abc", "C": "bd", "D": "abd"},
            {"A": "cd", "B": "abc", "C": "bcd", "D": "acd"},
        ]
    )
    lines = "; ".join(f"{name} concludes {' or '.join(classes)}" for name, classes in rules.items())
    return Exercise(
        f"There are four classes, a to d, and a person matches four rules: {lines}. Give a minimal set of rules that "
        "leaves as few classes as all four rules do, and from which no rule can be removed. Answer with a list of "
        "names.",
        hints=[
            "intersect all four conclusions first: that is what your set must leave",
            "begin with the rule that has the shortest conclusion, and add one that rules out what is still too much",
        ],
        worked=lambda: _needed_words(rules),
        judge=lambda answer: _not_needed(answer, rules),
    )


def _left(names, rules: dict[str, str]) -> set[str]:
    return set("abcd").intersection(*(rules[name] for name in names))


def _needed_words(rules: dict[str, str]) -> str:
    first = min(rules, key=lambda name: len(rules[name]))
    second = next(name for name in rules if _left([first, name], rules) == _left(rules, rules))
    return (
        f"All four leave {', '.join(sorted(_left(rules, rules)))}. {first} alone leaves {' or '.join(rules[first])}, "
        f"and {second} rules out the rest: [{first!r}, {second!r}]. Neither can be removed."
    )


def _not_needed(answer: object, rules: dict[str, str]) -> str:
    if not isinstance(answer, list | tuple | set) or not all(isinstance(name, str) for name in answer):
        return "the answer is a list of names, such as ['A', 'B', 'C']"
    chosen = set(answer)
    if strange := sorted(chosen - set(rules)):
        return f"{strange[0]!r} is not one of the rules"
    if _left(chosen, rules) != _left(rules, rules):
        return f"these rules leave {' or '.join(sorted(_left(chosen, rules)))}, and all four leave less"
    spare = [name for name in sorted(chosen) if _left(chosen - {name}, rules) == _left(chosen, rules)]
    return f"{spare[0]} can be removed, and as much is left" if spare else ""


@exercise("16.2")
def people_held(numbers: Numbers) -> Exercise:
    row, rule, other = numbers.one_of([(6, 4, 3), (5, 3, 2), (2, 3, 5), (4, 1, 3)])
    return Exercise(
        f"Make the pattern of o{row} by I{rule} with o{other} as the other person (Tables 1 and 2, k = 2), with a "
        "pencil. How many of the six people does it hold, evaluation included?",
        hints=[
            f"where I{rule} names an attribute take its value, elsewhere the values of o{row} and o{other}; the "
            "evaluation is the conclusion of the rule",
            "go through all six people: each of the four cells must contain the person's value; others than the "
            "two may fit as well",
        ],
        worked=lambda: _held_words(row, rule, other),
        expected=lambda: int(rows_held(_one_pattern(row, rule, other), load("decision6"))[0]),
    )


def _one_pattern(row: int, rule: int, other: int) -> Release:
    return compose(load("decision6"), table_2(), [PatternChoice(row - 1, rule - 1, (row - 1, other - 1))])


def _held_words(row: int, rule: int, other: int) -> str:
    release = _one_pattern(row, rule, other)
    cells = "; ".join(f"{name}: {text}" for name, text in release.frame.iloc[0].items())
    return f"The pattern is {cells}. It holds {', '.join(_held(_sets(release, 0, list(release.frame)).values()))}."


@exercise("16.3")
def two_patterns(numbers: Numbers) -> Exercise:
    person = numbers.one_of(["o3", "o5", "o4"])
    return Exercise(
        f"Give two patterns of Table 1 that hold at least three people each, while {person} is the only person who "
        "fits both. A pattern is a list of four sets of values: sex, occupation, domicile, evaluation. Answer with a "
        "list of the two patterns.",
        hints=[
            "each pattern is 3-common, and together they single somebody out; start with one that three people fit "
            "because of their evaluation",
            f"let the first pattern take the evaluations low and medium and all else; the second must hold {person} "
            "and two of the people with a high evaluation",
        ],
        worked=f"`{two_patterns_for(person)}`: the first holds o3, o4 and o5, and the second {person} and two people "
        "with a high evaluation. k-commonality is a promise about each pattern by itself.",
        judge=lambda answer: _not_singled_out(answer, person),
    )


def two_patterns_for(person: str) -> list[list[set[str]]]:
    """Two 3-common patterns that only this person fits both of."""
    frame = load("decision6").frame
    everything = [set(frame[name]) for name in frame]
    second = {
        "o3": [everything[0], {"salesman"}, {"Osaka", "Tokyo"}, everything[3]],
        "o4": [everything[0], everything[1], {"Fukuoka", "Osaka"}, {"high", "medium"}],
        "o5": [{"male"}, everything[1], {"Osaka", "Tokyo"}, everything[3]],
    }[person]
    return [[*everything[:3], {"low", "medium"}], second]


def _held(pattern) -> list[str]:
    frame = load("decision6").frame
    fits = [frame[name].isin(list(values)) for name, values in zip(frame, pattern, strict=True)]
    return frame.index[np.logical_and.reduce(fits)].tolist()


def _not_singled_out(answer: object, person: str) -> str:
    try:
        held = [set(_held([set(values) for values in pattern])) for pattern in answer]
    except (TypeError, ValueError):
        return "the answer is a list of two patterns, each of them a list of four sets of values"
    if len(held) != 2:
        return f"there are {len(held)} patterns, and two are asked for"
    for place, names in enumerate(held, start=1):
        if len(names) < 3:
            return f"pattern {place} holds {', '.join(sorted(names)) or 'nobody'}, fewer than three people"
    both = held[0] & held[1]
    return "" if both == {person} else f"the people who fit both are: {', '.join(sorted(both)) or 'none'}"


STARTER = '''
def pattern(row, rule, frame, k):
    """The pattern of a row by a rule: a dictionary from each column of the frame to a set of values.

    row: the number of the row (0 is the first). rule: a dictionary, the value that the rule asks of each column it
    names. frame: a DataFrame of texts, the condition attributes. The members are the row and the k - 1 other
    supporters of the rule with the most values in common with it (ties: the first ones). Where the rule names a
    column, take its value; elsewhere the values of the members.
    """
    raise NotImplementedError
'''
WORKED = """```python
def pattern(row, rule, frame, k):
    supports = np.ones(len(frame), dtype=bool)
    for column, value in rule.items():
        supports &= (frame[column] == value).to_numpy()
    common = (frame == frame.iloc[row]).sum(axis=1).to_numpy()
    others = [other for other in np.flatnonzero(supports) if other != row]
    others.sort(key=lambda other: -common[other])  # sorting is stable: ties stay in order
    members = frame.iloc[[row, *others[: k - 1]]]
    return {column: {rule[column]} if column in rule else set(members[column]) for column in frame}
```"""


@exercise("16.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `pattern`, the core of cT1. The check puts it in place of ours: for every row "
        "and every rule it needs, in the table of six people and in the zoo with k = 3 and k = 5.",
        hints=[
            "first find the supporters: the rows that have all values that the rule asks for",
            "count for each supporter how many columns agree with the row; a stable sort keeps ties in their order",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="With your function in place of ours, all three pattern tables come out the same.",
        starter=STARTER,
    )


def _differs(pattern: Callable[[int, Premise, pd.DataFrame, int], dict[str, set[str]]]) -> str:
    if not callable(pattern):
        return "the answer is the function pattern"
    for name, k in (("decision6", 2), ("zoo", 3), ("zoo", 5)):
        table = load(name)
        release = PatternTable(k=k).anonymize(table)
        frame = table.frame[table.conditions].astype(str).reset_index(drop=True)
        numbers = release.info["explanation"]["pattern"]
        for choice, number in zip(release.info["choices"], numbers, strict=True):
            conditions = release.info["rules"][choice.rule].conditions
            rule = {part.attribute: str(part.values[0]) for part in conditions}
            theirs = pattern(choice.row, dict(rule), frame.copy(), k)
            ours = _sets(release, number, table.conditions)
            if theirs != ours:
                return f"row {choice.row} of {name} by the rule {rule} gets another pattern (k = {k})"
    return ""


def _sets(release: Release, number: int, names: list[str]) -> dict[str, set[str]]:
    columns = {name: release.columns[name] for name in names}
    return {
        name: {str(column.attribute.labels[code]) for code in np.flatnonzero(column.sets.mask(column.index[number]))}
        for name, column in columns.items()
    }
