"""Exercises of notebook 17, tuple migration."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.methods.migration.budgets import antecedent_budget, consequent_budget
from anonnb.methods.migration.migration import UM3AR
from anonnb.tables.datasets import load
from anonnb.tables.table import Table


@exercise("17.1")
def two_budgets(numbers: Numbers) -> Exercise:
    both, left, rows, support, confidence = numbers.one_of(
        [(30, 40, 50, 0.4, 0.7), (45, 60, 80, 0.5, 0.7), (52, 80, 100, 0.4, 0.6), (33, 40, 60, 0.5, 0.75)]
    )
    needed = Fraction(str(support)) * rows
    slack = both - Fraction(str(confidence)) * left
    spared = 1 - Fraction(str(confidence))
    return Exercise(
        f"Of {rows} rows, {left} have A and {both} have A and B; the thresholds are {support} for the support and "
        f"{confidence} for the confidence. How many rows may leave A (Eq. 5), and how many may lose B (Eq. 8)? Answer "
        "with a pair.",
        hints=[
            "both equations take the smaller of two numbers, and the first of them, the support's, is the same",
            "for the confidence start from f(AB) − mc·f(A); a row that leaves A takes only 1 − mc from it",
        ],
        worked=f"The support leaves {both} − {support}·{rows} = {float(both - needed):g}. The confidence leaves "
        f"{both} − {confidence}·{left} = {float(slack):g} where rows lose B, and "
        f"{float(slack):g} / {float(spared):g} = {float(slack / spared):.2f} where they "
        "leave A. Each budget is the smaller of two numbers, rounded down.",
        expected=lambda: (
            antecedent_budget(both, left, rows, support, confidence),
            consequent_budget(both, left, rows, support, confidence),
        ),
    )


@exercise("17.2")
def by_hand(numbers: Numbers) -> Exercise:
    sizes, k = numbers.one_of(
        [((3, 4, 6, 8, 15), 10), ((2, 5, 7, 7, 18), 10), ((1, 4, 5, 6, 12), 8), ((2, 3, 5, 9, 20), 12)]
    )
    return Exercise(
        f"Five groups have {', '.join(map(str, sizes))} rows, k = {k}, and there is no rule to keep. Run U-M3AR with a "
        "pencil, as Algorithm 17.5 says. How many rows do the groups have that are left? Answer with a list, the "
        "smallest first.",
        hints=[
            "the smallest unsafe group takes the largest unsafe partner with which it does not exceed k; if there is "
            "none, the smallest",
            "an unsafe group without an unsafe partner borrows from the largest safe group or joins the smallest, "
            "whichever moves fewer rows",
        ],
        worked=lambda: _moves(sizes, k),
        expected=lambda: united(sizes, k),
    )


def _groups(sizes: tuple[int, ...]) -> Table:
    return Table(
        pd.DataFrame({"group": np.repeat([f"g{place}" for place in range(len(sizes))], sizes)}), quasi=["group"]
    )


def united(sizes: tuple[int, ...], k: int) -> list[int]:
    """The sizes that U-M3AR leaves of groups of these sizes, without rules, in rising order."""
    return sorted(UM3AR(k=k, min_support=1).anonymize(_groups(sizes)).group_sizes.tolist())


def _moves(sizes: tuple[int, ...], k: int) -> str:
    names = {f"g{place}": f"the group of {size}" for place, size in enumerate(sizes)}
    lines = []
    for step in UM3AR(k=k, min_support=1).steps(_groups(sizes))[1:-1]:
        rows, _, ends = step.title.partition(": ")
        source, target = ends.split(" → ")
        now = step.state.frame["group"].value_counts()[target]
        lines.append(f"{rows} of {names[source]} to {names[target]}, which has {now} rows then")
    return f"{'; '.join(lines)}. Left are {', '.join(map(str, united(sizes, k)))}."


@exercise("17.3")
def strangers(numbers: Numbers) -> Exercise:
    both, left, confidence = numbers.one_of([(60, 80, 0.7), (45, 50, 0.8), (66, 100, 0.6), (90, 110, 0.75)])
    share = Fraction(str(confidence))
    return Exercise(
        f"{left} rows have A and {both} of them B. Rows come in that have A **and not** B, and nobody leaves. The "
        f"paper charges nothing for them. What is the smallest number that takes the confidence below {confidence}?",
        hints=[
            "f(AB) stays, and each row that comes in raises f(A) by 1",
            "the rule is lost when f(AB) < mc·(f(A) + n); solve for n, and mind that it is strictly less",
        ],
        worked=f"{both}/({left} + n) < {confidence} means n > {both}/{confidence} − {left} = "
        f"{float(both / share - left):.2f}: the next whole number. Each of these rows takes only mc from "
        "f(AB) − mc·f(A), so more of them fit in than rows may lose B. But the paper lets in as many as come.",
        expected=lambda: next(n for n in range(10_000) if both < share * (left + n)),
    )


@exercise("17.4")
def fewest_moves(numbers: Numbers) -> Exercise:
    people, k = numbers.one_of([(17, 5), (23, 4), (30, 7), (41, 6)])
    return Exercise(
        f"{people} people are all different, and k = {k}. Whatever a method does: how many rows at least must show the "
        "quasi-identifier of somebody else, if each row shows that of somebody in the table?",
        hints=[
            "how many of the rows in one group of the release can show their own quasi-identifier?",
            "how many groups can there be at most?",
        ],
        worked=f"All are different, so in each group only one row shows its own values. There are at most "
        f"⌊{people}/{k}⌋ = {people // k} groups, so at most {people // k} rows stay true, and "
        f"{people} − {people // k} = {people - people // k} move. As few are enough: {people // k} rows stay, and the "
        "others move to them.",
        expected=lambda: people - people // k,
    )


STARTER = '''
def unite(sizes, k):
    """The sizes of the groups that U-M3AR leaves, in rising order, where there is no rule to keep.

    sizes: a list of the sizes of all groups, with at least k rows together. While a group is unsafe (below k):
    the smallest one is selected. It merges with an unsafe partner: the largest one that stays within k with it;
    if there is none, the smallest. If it is still unsafe, it looks for the next unsafe partner. When none is
    left, it needs `missing` rows: if it has more rows than it misses, and the largest safe group keeps k without
    them, it borrows them from there; otherwise it joins the smallest safe group.
    """
    raise NotImplementedError
'''
WORKED = """```python
def unite(sizes, k):
    unsafe = sorted(size for size in sizes if size < k)
    safe = [size for size in sizes if size >= k]
    while unsafe:
        selected = unsafe.pop(0)
        while selected < k and unsafe:
            fitting = [size for size in unsafe if selected + size <= k]
            partner = max(fitting) if fitting else min(unsafe)
            unsafe.remove(partner)
            selected += partner
        if selected < k:
            missing = k - selected
            largest, smallest = max(safe), min(safe)
            if selected > missing and largest - missing >= k:
                safe[safe.index(largest)] -= missing
                selected = k
            else:
                safe.remove(smallest)
                selected += smallest
        safe.append(selected)
    return sorted(safe)
```"""


@exercise("17.5")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `unite`, the search for partners of U-M3AR. The check runs it beside ours "
        "on dozens of short lists of sizes and on the 7,647 groups of Adult.",
        hints=[
            "keep two lists, the unsafe sizes in rising order and the safe ones; an inner loop merges the selected "
            "group with unsafe partners until it is safe or no partner is left",
            "after that loop a selected group below k has only safe groups to turn to: borrow if it has more rows than "
            "it misses and the largest can spare them, otherwise join the smallest",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="On all lists and on Adult your groups have the sizes of ours.",
        starter=STARTER,
    )


def _differs(unite: Callable[[list[int], int], list[int]]) -> str:
    if not callable(unite):
        return "the answer is the function unite"
    for sizes, k in _cases():
        ours, theirs = united(tuple(sizes), k), unite(list(sizes), k)
        if list(theirs) != ours:
            shown = f"the sizes {sizes}" if len(sizes) < 20 else f"{len(sizes):,} groups of Adult"
            return f"of {shown} with k = {k} your function makes {_short(theirs)}, and ours {_short(ours)}"
    return ""


def _short(sizes: list[int]) -> str:
    return str(list(sizes)) if len(sizes) < 20 else f"{len(sizes):,} groups"


def _cases() -> list[tuple[list[int], int]]:
    rng = np.random.default_rng(17)
    small = [(rng.integers(1, 16, rng.integers(3, 9)).tolist(), int(rng.integers(4, 11))) for _ in range(60)]
    adult = load("adult", variant="migration")
    return [case for case in small if sum(case[0]) >= case[1]] + [(adult.frame.value_counts(adult.quasi).tolist(), 20)]
