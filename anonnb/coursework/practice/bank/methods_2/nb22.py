"""Exercises of notebook 22, protection against Chase."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.methods.chase_protection.chase_protection import ObjectSearch, search_object
from anonnb.rules import Rule, implies
from anonnb.tables.incomplete_table import IncompleteTable

RuleOf = tuple[Sequence[str], str, float]
Weights = Mapping[str, float]


def searched(weights: Weights, rules: Sequence[RuleOf], secret: str, threshold: float) -> ObjectSearch:
    """SCIKD on one object whose attributes have one possible value each, called as they are.

    >>> searched({"a": 1, "b": 1}, [(["a"], "s", 1.0)], "s", 0.5).hidden
    ('a',)
    """
    names = sorted({*weights, secret, *(name for premise, end, _ in rules for name in (*premise, end))})
    frame = pd.DataFrame([{name: _cell(name, weights.get(name, 0.0)) for name in names}], index=["x"])
    system = IncompleteTable.from_frame(frame)
    return search_object(system, [_rule(*rule) for rule in rules], secret, threshold=threshold)


def _cell(name: str, weight: float) -> str | None:
    if weight <= 0:
        return None
    return name if weight >= 1 else f"{name} {weight} | other {round(1 - weight, 10)}"


def _rule(premise: Sequence[str], end: str, sure: float) -> Rule:
    return implies({name: name for name in premise}, {end: end}, sure)


def _told(rules: Sequence[RuleOf]) -> str:
    return "; ".join(
        f"{' · '.join(premise)} → {end}" + (f" ({sure:g})" if sure < 1 else "") for premise, end, sure in rules
    )


@exercise("22.1")
def strongest_path(numbers: Numbers) -> Exercise:
    first, second, third = numbers.one_of([(0.8, 0.5, 0.9), (0.9, 0.4, 0.8), (0.75, 0.6, 0.8)])
    rules = [(["a"], "b", first), (["b", "c"], "s", third), (["a"], "s", second)]
    return Exercise(
        f"A row shows a with weight 1 and c with weight 0.75. The rules, with their confidence in brackets: "
        f"{_told(rules)}. With which weight is the secret s in the closure (λ = 0.2)?",
        hints=[
            "there are two ways to s; compute the weight of each",
            "a derived value weighs the product of its premise's weights times the confidence; of two ways the "
            "stronger one counts",
        ],
        worked=f"Directly: 1 × {second:g} = {second:g}. Over b: b has weight {first:g}, and then s has "
        f"{first:g} × 0.75 × {third:g} = {first * 0.75 * third:.4g}. The stronger way counts.",
        expected=lambda: _weight(searched({"a": 1, "c": 0.75}, rules, "s", 0.2), "s"),
    )


def _weight(found: ObjectSearch, label: str) -> float:
    everything = found.knowledge.closure(found.weights[None, :], found.threshold)[0]
    return round(float(everything[found.labels.index(label)]), 6)


@exercise("22.2")
def fewest(numbers: Numbers) -> Exercise:
    rules = numbers.one_of(
        [
            [(["a", "b"], "s", 1.0), (["c"], "a", 1.0), (["b", "d"], "s", 1.0), (["d", "e"], "b", 1.0)],
            [(["a"], "s", 1.0), (["b", "c"], "a", 1.0), (["c", "d"], "s", 1.0), (["e"], "d", 1.0)],
            [(["a", "c"], "s", 1.0), (["b"], "a", 1.0), (["d"], "c", 1.0), (["a", "e"], "d", 1.0)],
        ]
    )
    return Exercise(
        f"A row shows a, b, c, d and e, all certain. The rules are {_told(rules)}, all with confidence 1. Hide as few "
        "cells as possible, so that s does not follow, with a pencil. Answer with a list of the hidden cells.",
        hints=[
            "a hidden cell can come back by a rule: check what follows from the cells that stay",
            "find the smallest sets of visible cells from which s follows; every one of them must lose a cell",
        ],
        worked=lambda: _fewest_words(rules),
        judge=lambda answer: _not_fewest(answer, rules),
    )


def _fewest_words(rules: Sequence[RuleOf]) -> str:
    found = searched(dict.fromkeys("abcde", 1.0), rules, "s", 0.5)
    stay = " or ".join("{" + ", ".join(names) + "}" for names in found.kept)
    return f"The largest sets from which s does not follow are {stay}. So {list(found.hidden)} is one answer."


def _not_fewest(answer: object, rules: Sequence[RuleOf]) -> str:
    if not isinstance(answer, list | tuple | set) or not set(answer) <= set("abcde"):
        return "the answer is a list of cells, such as ['a', 'b']"
    stay = tuple(name for name in "abcde" if name not in set(answer))
    found = searched(dict.fromkeys("abcde", 1.0), rules, "s", 0.5)
    if _reaches(closure(dict.fromkeys(stay, 1.0), rules, 0.5), "s"):
        return f"s still follows from {', '.join(stay)}"
    if len(stay) < len(found.kept[0]):
        return f"it can be done with fewer than {len(set(answer))} hidden cells"
    return ""


@exercise("22.3")
def only_together(numbers: Numbers) -> Exercise:
    count = numbers.one_of([3, 4])
    cells = "abcd"[:count]
    return Exercise(
        f"A row shows {', '.join(cells[:-1])} and {cells[-1]}; all other cells are unknown. Give rules with at most "
        f"two conditions each and confidence 1, such that the secret s follows from all {count} cells together, and "
        f"from no {count - 1} of them. Answer with a list of pairs (conditions, conclusion), such as [('ab', 's')]; "
        "letters name the cells, and you may use further ones.",
        hints=[
            "one rule cannot ask for all of them, but a rule may ask for what another rule concludes",
            "let the first two cells derive a value that the row does not show, and go on from there",
        ],
        worked=f"`{chained(cells)}`: each rule adds one cell to what was derived, and without any one of them the "
        "chain stops. A protection that looks at single rules would see no danger in the first.",
        judge=lambda answer: _not_only_together(answer, cells),
    )


def chained(cells: str) -> list[tuple[str, str]]:
    """Rules with two conditions from which s follows with all cells only.

    >>> chained("abcd")
    [('ab', 'x'), ('xc', 'y'), ('yd', 's')]
    """
    names = [*"xyz"[: len(cells) - 2], "s"]
    starts = [cells[:2], *(f"{name}{cell}" for name, cell in zip(names, cells[2:], strict=False))]
    return list(zip(starts, names, strict=True))


def _not_only_together(answer: object, cells: str) -> str:
    try:
        rules = [(list(premise), str(end), 1.0) for premise, end in answer]
    except (TypeError, ValueError):
        return "the answer is a list of pairs, such as [('ab', 's')]"
    for premise, end, _ in rules:
        if not 1 <= len(premise) <= 2 or not all(isinstance(name, str) for name in premise):
            return f"the rule for {end} has {len(premise)} conditions, and one or two are allowed"
    if not _reaches(closure(dict.fromkeys(cells, 1.0), rules, 0.5), "s"):
        return f"s does not follow from {', '.join(cells)}"
    for few in combinations(cells, len(cells) - 1):
        if _reaches(closure(dict.fromkeys(few, 1.0), rules, 0.5), "s"):
            return f"s follows from {', '.join(few)} alone"
    return ""


def closure(visible: Weights, rules: Sequence[RuleOf], threshold: float) -> dict[str, float]:
    """The weighted closure, written plainly: the weight of every value that follows.

    >>> closure({"a": 1.0}, [(["a"], "b", 0.5), (["b"], "s", 0.5)], 0.2)
    {'a': 1.0, 'b': 0.5, 's': 0.25}
    """
    found, changed = dict(visible), True
    while changed:
        changed = False
        for premise, end, sure in rules:
            weight = sure * float(np.prod([found.get(name, 0.0) for name in premise]))
            if weight >= threshold - 1e-9 and weight > found.get(end, 0.0) + 1e-9:
                found[end], changed = weight, True
    return found


def _reaches(found: Weights, secret: str) -> bool:
    return found.get(secret, 0.0) > 0


STARTER = '''
def closure(visible, rules, threshold):
    """What follows from visible values: a dictionary from each value to its weight, the visible ones included.

    visible: a dictionary from values to weights. rules: a list of (premise, conclusion, confidence), where the premise
    is a list of values. A derived value weighs the product of its premise's weights times the confidence; below the
    threshold it does not count; of several ways the one with the highest weight does. Go on until nothing changes.
    """
    raise NotImplementedError
'''
WORKED = """```python
def closure(visible, rules, threshold):
    found = dict(visible)
    changed = True
    while changed:
        changed = False
        for premise, conclusion, confidence in rules:
            weight = confidence
            for value in premise:
                weight *= found.get(value, 0)
            if weight >= threshold and weight > found.get(conclusion, 0) + 1e-9:
                found[conclusion] = weight
                changed = True
    return found
```"""


@exercise("22.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `closure`, the core of SCIKD. The check puts it in place of ours and searches "
        "the sets that may stay in the paper's object and in thirty random ones.",
        hints=[
            "start with a copy of what is visible, and go through all rules again whenever a weight has grown",
            "a value that has not been derived has weight 0, so a premise that holds it weighs 0",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="With your closure in place of ours, the same sets stay in all 31 objects.",
        starter=STARTER,
    )


def _differs(own: Callable[[dict[str, float], list[RuleOf], float], dict[str, float]]) -> str:
    if not callable(own):
        return "the answer is the function closure"
    for name, weights, rules, threshold in objects():
        ours, theirs = sets_that_stay(weights, rules, threshold), largest_sets(own, weights, rules, threshold)
        if theirs != ours:
            few, more = (", ".join(sets[0]) if sets and sets[0] else "nothing" for sets in (theirs, ours))
            return f"in {name} other sets may stay: {few}, and with our closure {more}"
    return ""


def sets_that_stay(weights: Weights, rules: Sequence[RuleOf], threshold: float) -> list[tuple[str, ...]]:
    """The largest sets by the package's search, with the cells that no rule names, which may stay anyway."""
    found = searched(weights, rules, "s", threshold)
    free = set(weights) - {found.knowledge.items[item][0] for item in np.flatnonzero(found.weights > 0)}
    return sorted(tuple(sorted({*names, *free})) for names in found.kept)


def largest_sets(own: Callable, weights: Weights, rules: Sequence[RuleOf], threshold: float) -> list[tuple[str, ...]]:
    """The largest sets of cells from which the secret does not follow, with another closure, by trying all."""
    for size in range(len(weights), -1, -1):
        safe = [
            names
            for names in combinations(sorted(weights), size)
            if not own({name: weights[name] for name in names}, [*rules], threshold).get("s", 0) >= threshold - 1e-9
        ]
        if safe:
            return safe
    return []


def objects() -> Iterator[tuple[str, dict[str, float], list[RuleOf], float]]:
    """The paper's object and random ones: their visible cells, rules and thresholds."""
    printed = "bc>a cf>a c>b:0.6666666667 e>b af>c ac>e eg>c:0.6666666667 ac>s bc>s f>s"
    rules: list[RuleOf] = []
    for text in printed.split():
        premise, _, end = text.partition(">")
        rules.append((list(premise), end[0], float(end.partition(":")[2] or 1)))
    yield "the paper's object", {**dict.fromkeys("bcefg", 1.0), "a": 0.6666666667}, rules, 0.2
    rng = np.random.default_rng(4)
    for number in range(30):
        weights = {name: float(rng.choice([1.0, 0.6])) for name in "abcde"}
        rules = []
        for _ in range(7):
            *premise, end = rng.permutation(list("abcdex"))[: rng.integers(2, 4)].tolist()
            rules.append((premise, str(rng.choice([end, "s"])), float(rng.choice([1.0, 0.7, 0.5]))))
        yield f"random object {number + 1}", weights, rules, 0.3
