"""MLEM2 step by step, as the textbook has it: sets of rows, every elementary condition in a list, nothing compiled.

It is slow and meant to be read, shown in a notebook, and compared with the fast search of :mod:`anonnb.rules.mlem2`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from anonnb.rules.induction.encoding import attribute_names, bounded, features_of
from anonnb.rules.induction.mlem2 import TableInduction
from anonnb.rules.induction.rule import Condition
from anonnb.tables.release import Release
from anonnb.tables.table import Table

MOST_ROWS = 2_000


@dataclass(frozen=True)
class Pair:
    """An elementary condition and its block: the rows that satisfy it."""

    condition: Condition
    side: str
    block: frozenset[int] = field(repr=False)


def mlem2_steps(table: Table, concept: object, *, approximation: str = "lower") -> pd.DataFrame:
    """What MLEM2 does for one concept, one line per step.

    ``covers``: rows of the goal that the condition keeps; ``block``: rows of the table that satisfy it; ``wrong``: rows
    outside the concept that satisfy all conditions so far. Then come the conditions dropped, and at the end the rules
    that the others make redundant.

    >>> from anonnb import load
    >>> print(mlem2_steps(load("decision6"), "high").to_string(index=False))
     rule step                                                       what  covers  block  wrong
        1  add                                                 sex = male       3      4      1
        1  add                                      occupation = salesman       3      4      0
        1 rule sex = male and occupation = salesman                             3      3      0
    """
    if len(table) > MOST_ROWS:
        raise ValueError(f"mlem2_steps is for small tables: at most {MOST_ROWS:,} rows, not {len(table):,}; use mlem2")
    task = TableInduction(table)
    inside = frozenset(np.flatnonzero(task.goal(task.concept(concept), approximation)).tolist())
    pairs = elementary_pairs(table)
    everyone = frozenset(range(len(table)))
    lines, found, uncovered = [], [], inside
    while uncovered:
        number = len(found) + 1
        chosen = _chosen(pairs, uncovered, inside, everyone, number, lines)
        if not chosen:
            break
        chosen = _needed(chosen, inside, everyone, number, lines)
        block = _block(chosen, everyone)
        lines.append((number, "rule", _text(chosen), len(block & uncovered), len(block), 0))
        found.append((number, chosen, block))
        uncovered = uncovered - block
    lines += _redundant(found, inside)
    return pd.DataFrame(lines, columns=["rule", "step", "what", "covers", "block", "wrong"])


def elementary_pairs(table: Table) -> list[Pair]:
    """Every elementary condition of a table with its block, in attribute and value order."""
    names = attribute_names(table, None)
    features = features_of(Release(table, {}, np.arange(len(table))), names, midpoints=True)
    pairs = []
    for place in features.plan:
        if place >= 0:
            threshold = features.thresholds[place]
            for key, bound in enumerate(threshold.bounds, start=1):
                condition = bounded(threshold.attribute, **{threshold.side: bound})
                block = frozenset(np.flatnonzero(threshold.keys >= key).tolist())
                pairs.append(Pair(condition, threshold.side, block))
        else:
            candidates = features.candidates[-place - 1]
            for number, condition in enumerate(candidates.conditions):
                if condition is not None:
                    pairs.append(Pair(condition, "set", frozenset(np.flatnonzero(candidates.index == number).tolist())))
    return pairs


def _chosen(pairs, uncovered, inside, everyone, number, lines) -> list[Pair]:
    """Conditions added one by one until only rows of the concept are left."""
    goal, block, chosen = uncovered, everyone, []
    while not chosen or not block <= inside:
        best = None
        for pair in pairs:
            gain = len(goal & pair.block)
            if gain == 0 or any(_implies(taken, pair) for taken in chosen):
                continue
            if best is None or (gain, -len(pair.block)) > (len(goal & best.block), -len(best.block)):
                best = pair
        if best is None:
            return []
        goal, block = goal & best.block, block & best.block
        chosen.append(best)
        lines.append((number, "add", str(best.condition), len(goal), len(best.block), len(block - inside)))
    return chosen


def _implies(taken: Pair, pair: Pair) -> bool:
    """Whether a condition already taken, on the same attribute and side, is as narrow or narrower."""
    same = taken.condition.attribute == pair.condition.attribute and taken.side == pair.side
    return same and taken.block <= pair.block


def _needed(chosen: list[Pair], inside, everyone, number, lines) -> list[Pair]:
    for pair in list(chosen):
        others = [other for other in chosen if other is not pair]
        if others and _block(others, everyone) <= inside:
            chosen = others
            lines.append((number, "drop", str(pair.condition), len(_block(others, everyone)), len(pair.block), 0))
    return chosen


def _redundant(found: list[tuple], inside: frozenset) -> list[tuple]:
    covered = frozenset().union(*(block for _, _, block in found)) & inside
    lines, kept = [], list(found)
    for entry in found:
        others = [other for other in kept if other is not entry]
        if frozenset().union(*(block for _, _, block in others)) >= covered:
            kept = others
            lines.append((entry[0], "redundant", _text(entry[1]), 0, len(entry[2]), 0))
    return lines


def _block(pairs: list[Pair], everyone: frozenset) -> frozenset:
    return everyone.intersection(*(pair.block for pair in pairs))


def _text(pairs: list[Pair]) -> str:
    parts: dict[str, Condition] = {}
    for pair in pairs:
        name = pair.condition.attribute
        parts[name] = pair.condition if name not in parts else parts[name].intersection(pair.condition)
    return " and ".join(map(str, parts.values()))
