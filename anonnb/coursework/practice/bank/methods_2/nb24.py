"""Exercises of notebook 24, Anatomy."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import numpy as np
import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.methods.anatomy.belief import highest_belief
from anonnb.methods.anatomy.groups import largest_l, turns
from anonnb.tables.datasets import load
from anonnb.tables.release import Release
from anonnb.tables.secrets.grouped import GroupedSecrets
from anonnb.tables.table import Table

ILLNESSES = "abcdefgh"
SMALL = [(2, 2, 2, 1, 1), (3, 3, 3, 1), (3, 3, 3, 2), (1, 1, 1), (5, 5, 5, 5, 1), (6, 6, 6, 6)]


def _spelt(counts: Sequence[int]) -> str:
    return ", ".join(f"{name} ({count})" for name, count in zip(ILLNESSES, counts, strict=False))


@exercise("24.1")
def largest(numbers: Numbers) -> Exercise:
    counts = numbers.one_of([(7, 6, 5, 4, 2), (9, 8, 6, 5, 3), (5, 5, 4, 3, 3, 2), (11, 9, 9, 7, 4)])
    total, most = sum(counts), max(counts)
    return Exercise(
        f"{total} people have the illnesses {_spelt(counts)}. What is the largest l that Anatomy can promise, and how "
        "many groups does it make then? Answer with a pair (l, groups).",
        hints=[
            "each group has at most one person with the commonest illness, and every group has at least l people",
            "no illness may have more than n/l people; every turn takes l of them",
        ],
        worked=f"The commonest illness has {most} of {total} people: l ≤ {total}/{most}, so l = {total // most}. Each "
        f"turn takes {total // most} people, and at most {total // most - 1} are left over: "
        f"{total // (total // most)} groups.",
        expected=lambda: _largest(counts),
    )


def _largest(counts: Sequence[int]) -> tuple[int, int]:
    best = largest_l(np.array(counts))
    return best, len(turns(np.array(counts), best))


@exercise("24.2")
def by_hand(numbers: Numbers) -> Exercise:
    counts, least = numbers.one_of([((4, 3, 2, 1), 2), ((3, 3, 3, 2), 3), ((4, 2, 2, 2), 2), ((4, 4, 3, 3), 3)])
    return Exercise(
        f"{sum(counts)} people have the illnesses {_spelt(counts)}. Which does each group get with l = {least}, "
        'before rows that are left over join? Answer with a list of texts such as ["ab", "ac"], in the order of the '
        "turns, the largest bucket of each turn first; ties go to the first letter.",
        hints=[
            "write the four counts side by side, and cross out one row of each bucket that is taken",
            f"look for the {least} largest counts anew in every turn; stop when fewer than {least} buckets hold rows",
        ],
        worked=lambda: _told(counts, least),
        expected=lambda: _letters(counts, least),
    )


def _letters(counts: Sequence[int], least: int) -> list[str]:
    return ["".join(ILLNESSES[value] for value in turn) for turn in turns(np.array(counts), least)]


def _told(counts: Sequence[int], least: int) -> str:
    left, lines = np.array(counts), [f"{_spelt(counts)} at first"]
    for letters in _letters(counts, least):
        for letter in letters:
            left[ILLNESSES.index(letter)] -= 1
        lines.append(f"{letters}, then {_spelt(left)}")
    return f"{'; '.join(lines)}. {int(left.sum())} left over."


@exercise("24.3")
def expected_count(numbers: Numbers) -> Exercise:
    first, second, age = numbers.one_of(
        [
            ((23, 27, 35, 59), (28, 61, 65), 30),
            ((20, 21, 33, 40), (19, 38, 50), 35),
            ((31, 44, 45, 52), (29, 47, 60), 46),
            ((18, 25, 26, 70), (24, 30, 41), 29),
        ]
    )
    inside = [sum(each <= age for each in group) for group in (first, second)]
    return Exercise(
        f"Group 1 has people aged {', '.join(map(str, first))}, of whom one has flu, one a cold, one asthma and one "
        f"angina. Group 2 has people aged {', '.join(map(str, second))}: flu, asthma and gout. How many people of at "
        f"most {age} years with flu **or** asthma does an analyst expect? Two decimals are enough.",
        hints=[
            "for each group: how many of its ages are in the range, times a row's chance of one of the illnesses",
            "a row of group 1 has one of the two illnesses with chance 2/4, one of group 2 with 2/3",
        ],
        worked=f"{inside[0]} · 2/4 + {inside[1]} · 2/3 = {inside[0] / 2 + inside[1] * 2 / 3:.2f}.",
        expected=lambda: round(inside[0] * 2 / 4 + inside[1] * 2 / 3, 2),
    )


@exercise("24.4")
def smallest_first(numbers: Numbers) -> Exercise:
    least = numbers.one_of([2, 3])
    example = [1] * least + [2, 2][: least - 1]
    return Exercise(
        f"Somebody takes rows from the {least} **smallest** buckets in every turn, not the largest. Give the counts "
        f"of a table, as a list, in which no secret has more than n/{least} rows and yet some row that is left "
        "over finds no group that lacks its secret.",
        hints=[
            "rare secrets are used up in the first turns; what is left then is one frequent secret, or a few",
            "rows left over with the same secret need a group each; let there be fewer groups than such rows",
        ],
        worked=f"{example}: the first turn takes one row of each of the {least} rare secrets and makes the only group. "
        "Both rows of a secret with two are left, and just one of them can join that group. No secret has more than "
        f"n/{least} = {sum(example)}/{least} rows, so taking from the largest buckets would have worked.",
        judge=lambda counts: _not_stuck(counts, least),
    )


def _not_stuck(counts: object, least: int) -> str:
    try:
        given = [int(count) for count in counts]
    except (TypeError, ValueError):
        return "the answer is a list of whole numbers, the rows of each secret"
    if min(given, default=0) < 1 or sum(given) > 10_000:
        return "every secret needs at least one row, and all together at most 10,000"
    if max(given) * least > sum(given):
        return f"one secret has {max(given)} of {sum(given)} rows, more than 1/{least} of them"
    left, groups = list(given), 0
    lacking = [0] * len(given)  # groups without a row of each secret
    while sum(count > 0 for count in left) >= least:
        chosen = sorted((count, value) for value, count in enumerate(left) if count)[:least]
        taken = {value for _, value in chosen}
        left = [count - (value in taken) for value, count in enumerate(left)]
        lacking = [each + (value not in taken) for value, each in enumerate(lacking)]
        groups += 1
    stuck = any(count > free for count, free in zip(left, lacking, strict=True))
    return "" if stuck else f"it makes {groups} groups, and all {sum(left)} rows that are left over find a place"


STARTER = '''
def anatomize(secrets, least):
    """Groups of rows with different secrets: a list of lists of row numbers.

    secrets: a list, the secret of each row; no secret has more than n/least of the n rows.
    Every row is in exactly one group, every group has at least `least` rows, and no secret occurs twice in a group.
    Which row of a secret is taken does not matter.
    """
    raise NotImplementedError
'''
WORKED = """```python
def anatomize(secrets, least):
    buckets = {}
    for row, secret in enumerate(secrets):
        buckets.setdefault(secret, []).append(row)
    groups = []
    while sum(map(bool, buckets.values())) >= least:
        largest = sorted(buckets.values(), key=len, reverse=True)[:least]
        groups.append([bucket.pop() for bucket in largest])
    for secret, rows in buckets.items():
        for row in rows:
            group = next(group for group in groups if secret not in [secrets[member] for member in group])
            group.append(row)
    return groups
```"""


@exercise("24.5")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `anatomize`. The check gives it six small tables and a part of Adult, "
        "publishes your groups with our code and recounts the belief in every secret.",
        hints=[
            "keep a list of rows per secret; in every turn pop a row from each of the `least` longest lists",
            "at most one row per secret is left over; put it into any group none of whose members has that secret",
        ],
        worked=WORKED,
        judge=_unsafe,
        confirmed="Your groups are as many as ours on all seven tables, and no belief exceeds 1/l.",
        starter=STARTER,
    )


def _unsafe(anatomize: Callable[[list[Hashable], int], list[list[int]]]) -> str:
    if not callable(anatomize):
        return "the answer is the function anatomize"
    for name, table, least in _tables():
        secrets = table.frame["ill"].tolist()
        groups = [list(map(int, group)) for group in anatomize(list(secrets), least)]
        if sorted(row for group in groups for row in group) != list(range(len(table))):
            return f"of {name} not every row is in exactly one group"
        number = np.empty(len(table), dtype=np.int64)
        for place, group in enumerate(groups):
            number[group] = place
            if len({secrets[row] for row in group}) < len(group):
                return f"of {name} a group has the same secret twice"
        grouped = GroupedSecrets.of("ill", table.codes("ill"), number, table.attributes["ill"].size)
        belief = highest_belief(Release(table, {}, np.arange(len(table)), secrets=grouped))
        if belief > 1 / least + 1e-9:
            return f"of {name} a group allows a belief of {belief:.2f} with l = {least}"
        if len(groups) != len(table) // least:
            return f"of {name} you make {len(groups)} groups, and {len(table) // least} are possible"
    return ""


def _tables() -> list[tuple[str, Table, int]]:
    made = []
    for number, counts in enumerate(SMALL):
        secrets = np.random.default_rng(number).permutation(np.repeat(list(ILLNESSES[: len(counts)]), counts))
        made.append((f"small table {number}", _table(secrets), 2 + number % 2))
    return [*made, ("500 rows of Adult", _table(load("adult").frame["occupation"].iloc[:500].astype(str)), 5)]


def _table(secrets: Sequence[str]) -> Table:
    frame = pd.DataFrame({"row": np.arange(len(secrets)), "ill": np.asarray(secrets)})
    return Table(frame, quasi=["row"], sensitive=["ill"])
