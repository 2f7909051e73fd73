"""Answers of notebooks 23 to 25: microaggregation, Anatomy, perturbation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonnb.coursework.checks.words import wrong
from anonnb.coursework.practice.answers.tools import whole_numbers
from anonnb.coursework.practice.exercise import Answer, exercise, inputs, judged
from anonnb.methods.anatomy.groups import turns
from anonnb.methods.microaggregation.microaggregation import Microaggregation
from anonnb.tables.datasets import load
from anonnb.tables.table import Table


def _groups(values: Sequence[float], k: int, algorithm: str) -> list[list[float]]:
    table = Table(pd.DataFrame({"x": list(values)}), quasi=["x"])
    groups = Microaggregation(k=k, algorithm=algorithm)._groups(table)
    return [table.frame["x"].to_numpy(float)[groups == group].tolist() for group in range(int(groups.max()) + 1)]


def _squares(*groups: Sequence[float]) -> float:
    return float(sum(((np.array(group) - np.mean(group)) ** 2).sum() for group in groups))


@exercise("23.1")
def least_squares(values: tuple[int, ...]) -> Answer:
    pairs, threes = [values[:2], values[2:4], values[4:]], [values[:3], values[3:]]
    costs = [" + ".join(f"{_squares(part):.2f}" for part in parts) for parts in (pairs, threes)]
    return Answer(
        lambda: round(_squares(*_groups(values, 2, "optimal")), 2),
        pairs=costs[0],
        threes=costs[1],
        least=min(_squares(*pairs), _squares(*threes)),
        other=max(_squares(*pairs), _squares(*threes)),
    )


@exercise("23.3")
def without_bound(k: int, most: int) -> Answer:
    def judge(answer: Any) -> str:
        try:
            values = [float(value) for value in answer]
        except (TypeError, ValueError):
            wrong("the answer is a list of numbers")
        if not k <= len(values) <= most or not np.isfinite(values).all():
            return f"the list must have {k} to {most} finite numbers"
        mdav_squares, best = (_squares(*_groups(values, k, algorithm)) for algorithm in ("mdav", "optimal"))
        return (
            ""
            if mdav_squares > 100 * best + 1e-9
            else f"MDAV's sum of squares is {mdav_squares:.4g}, and the least possible {best:.4g}"
        )

    values = [100 * cluster + n for cluster in range(3) for n in range(k + (cluster != 1))]

    def groups() -> str:
        return "; ".join(", ".join(f"{value:g}" for value in group) for group in _groups(values, k, "mdav"))

    mdav, best = (lambda: _squares(*_groups(values, k, "mdav"))), (lambda: _squares(*_groups(values, k, "optimal")))
    return Answer(
        judge=judge, values=values, groups=groups, mdav=lambda: f"{mdav():,.1f}", best=lambda: f"{best():.1f}"
    )


@inputs("23.4", read=lambda groups: {frozenset(map(int, group)) for group in groups})
def build_mdav() -> Iterator[tuple]:
    rng = np.random.default_rng(0)
    frames = [pd.DataFrame(rng.normal(size=(11 + number, 2)).round(3)) for number in range(9)]
    census = load("census").frame[load("census").quasi].astype(float)
    for number, frame in enumerate((*frames, census)):
        yield ((frame - frame.mean()) / frame.std()).to_numpy(), 2 + number % 3 if len(frame) < 20 else 10


ILLNESSES = "abcdefgh"


def _spelt(counts: Sequence[int]) -> str:
    return ", ".join(f"{name} ({count})" for name, count in zip(ILLNESSES, counts, strict=False))


@exercise("24.2")
def by_hand(counts: tuple[int, ...], least: int) -> Answer:
    groups = ["".join(ILLNESSES[value] for value in turn) for turn in turns(np.array(counts), least)]
    left, lines = list(counts), [f"{_spelt(counts)} at first"]
    for letters in groups:
        left = [count - (letter in letters) for letter, count in zip(ILLNESSES, left, strict=False)]
        lines.append(f"{letters}, then {_spelt(left)}")
    return Answer(groups, spelt=_spelt(counts), lines="; ".join(lines), left=sum(left))


@judged("24.4")
def smallest_first(answer: Any) -> str:
    minimum = 2
    counts = whole_numbers(answer, "[2, 2, 1]")
    if min(counts, default=0) < 1 or sum(counts) > 10_000:
        return "every secret needs at least one row, and all together at most 10,000"
    if max(counts) * minimum > sum(counts):
        return f"one secret has {max(counts)} of {sum(counts)} rows, more than 1/{minimum} of them"
    left, groups = list(counts), list[set[int]]()
    while sum(count > 0 for count in left) >= minimum:
        groups.append(
            {value for _, value in sorted((count, value) for value, count in enumerate(left) if count)[:minimum]}
        )
        left = [count - (value in groups[-1]) for value, count in enumerate(left)]
    stuck = any(count > sum(value not in group for group in groups) for value, count in enumerate(left))
    return "" if stuck else f"it makes {len(groups)} groups, and all {sum(left)} rows that are left over find a place"


@judged("24.5")
def build_anatomize(anatomize: Callable[..., Any]) -> str:
    counts = [(2, 2, 2, 1, 1), (3, 3, 3, 1), (3, 3, 3, 2), (1, 1, 1), (5, 5, 5, 5, 1), (6, 6, 6, 6)]
    rng = np.random.default_rng(0)
    tables = [rng.permutation(np.repeat(list(ILLNESSES[: len(each)]), each)).tolist() for each in counts]
    adult = load("adult").frame["occupation"].iloc[:500].astype(str).tolist()
    for number, secrets in enumerate((*tables, adult)):
        minimum, name = (5, "500 rows of Adult") if secrets is adult else (2 + number % 2, f"small table {number}")
        groups = [list(map(int, group)) for group in anatomize(list(secrets), minimum)]
        if sorted(row for group in groups for row in group) != list(range(len(secrets))):
            return f"of {name} not every row is in exactly one group"
        if any(len({secrets[row] for row in group}) < len(group) for group in groups):
            return f"of {name} a group has the same secret twice"
        if min(map(len, groups)) < minimum:
            return f"of {name} a group has {min(map(len, groups))} rows, which allows a belief above 1/{minimum}"
        if len(groups) != len(secrets) // minimum:
            return f"of {name} you make {len(groups)} groups, and {len(secrets) // minimum} are possible"
    return ""


@exercise("25.4")
def invariant(counts: tuple[int, int, int]) -> Answer:
    first, middle, last = counts

    def judge(answer: Any) -> str:
        try:
            matrix = np.array(answer, dtype=float)
        except (TypeError, ValueError):
            matrix = np.zeros(0)
        if matrix.shape != (3, 3):
            return "the answer is a list of three rows of three numbers"
        if (matrix < 0).any() or not np.allclose(matrix.sum(axis=1), 1, atol=1e-3):
            return "every row must sum to 1, without negative numbers"
        if matrix[0, 2] > 1e-9 or matrix[2, 0] > 1e-9:
            return "the first value can become the third, or the third the first"
        if (matrix.diagonal() > 0.7 + 1e-3).any():
            return "some value stays with a probability above 0.7"
        after = matrix.T @ np.array(counts, dtype=float)
        return "" if np.allclose(after, counts, atol=0.1) else f"the expected counts become {after.round(1).tolist()}"

    middle_row = [0.3 * first / middle, 1 - 0.3 * (first + last) / middle, 0.3 * last / middle]
    return Answer(judge=judge, matrix=[[0.7, 0.3, 0.0], [round(share, 4) for share in middle_row], [0.0, 0.3, 0.7]])


@inputs("25.5")
def build_partners() -> Iterator[tuple]:
    for rows in (*range(1, 41), 1080):
        yield rows, 1 + rows % 4 if rows < 1000 else 108, np.random.default_rng(rows).random(rows)
