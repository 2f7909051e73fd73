"""Exercises of notebook 31, the deep attack."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations

import numpy as np
import pandas as pd

from anonnb.attacks import DeepAttack, ShallowAttack
from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.tables.release import Release
from anonnb.tables.table import Table

Row = dict[str, set[str]]
Pattern = tuple[str, str]  # towns and values, a letter each
TOWNS, VALUES = "TOF", "lmh"  # Tokyo, Osaka, Fukuoka; low, medium, high


def inferred(patterns: Sequence[Pattern], attack: type[ShallowAttack] = DeepAttack, values: str = VALUES) -> str:
    """What an attack says about the secret of somebody known to be in all of these rows, or nothing.

    >>> inferred([("T", "lh"), ("TF", "lm"), ("F", "mh")]), inferred([("F", "mh"), ("TF", "lm"), ("T", "lh")])
    ('l', 'm')
    """
    towns = "".join(sorted({town for places, _ in patterns for town in places} | set(TOWNS)))
    size = max(len(towns), len(values))
    everybody = pd.DataFrame(
        {"job": ["j"] * size, "town": [*(towns * size)[:size]], "secret": [*(values * size)[:size]]}
    )
    table = Table(everybody, quasi=["job", "town"], sensitive=["secret"], decision="secret")
    said = [{"job": "j", "town": " or ".join(places), "secret": " or ".join(said)} for places, said in patterns]
    release = Release.from_frame(pd.DataFrame(said), like=table)
    found = attack(known=["job"], targets=["secret"]).run(release, table.take([0]))
    return str(found.targets["inferred"].iloc[0])


def _told(patterns: Sequence[Pattern]) -> str:
    lines = (f"{number}. {' or '.join(towns)}: {' or '.join(said)}" for number, (towns, said) in enumerate(patterns, 1))
    return "\n".join(lines)


CASES: list[list[Pattern]] = [
    [("O", "mh"), ("TO", "lh"), ("T", "lm"), ("OF", "mh")],
    [("F", "lm"), ("FO", "mh"), ("O", "lh"), ("TF", "lm")],
    [("T", "lh"), ("TF", "mh"), ("F", "lm"), ("OT", "lh")],
]


@exercise("31.1")
def by_hand(numbers: Numbers) -> Exercise:
    patterns = numbers.one_of(CASES)
    return Exercise(
        "All an attacker knows of a person fits four published rows. They say about the town (T, O, F) and the secret "
        f"(l, m, h), in this order:\n\n{_told(patterns)}\n\nWhich secret does the deep attack infer, with a pencil? "
        "Answer with a letter.",
        hints=[
            "(d1) no single row leaves one secret; try the pairs in the order 1–2, 1–3, 1–4, 2–3, …; they must share a "
            "town",
            "(d2) to (d4): look at the rows that cannot have this secret; none may share a town with the whole set, "
            "and they must not leave one secret among themselves",
        ],
        worked=lambda: _explained(patterns),
        expected=lambda: inferred(patterns),
    )


def _explained(patterns: Sequence[Pattern]) -> str:
    chosen, value = smallest_set(patterns)
    against = [number for number, (_, said) in enumerate(patterns, 1) if value not in said]
    return (
        f"Rows {' and '.join(str(number + 1) for number in chosen)} share a town and leave {value}. Against it speaks "
        f"row {' and '.join(map(str, against))}, which has no town in common with both, and leaves several secrets. So "
        f"the attack says {value}."
    )


def smallest_set(patterns: Sequence[Pattern]) -> tuple[tuple[int, ...], str] | None:
    """The first smallest set of rows that share a town and leave one secret, by trying all.

    >>> smallest_set([("T", "lh"), ("TF", "lm"), ("F", "mh")])
    ((0, 1), 'l')
    """
    for size in range(1, len(patterns) + 1):
        for chosen in combinations(range(len(patterns)), size):
            towns, said = (set.intersection(*(set(patterns[row][part]) for row in chosen)) for part in (0, 1))
            if towns and len(said) == 1:
                return chosen, said.pop()
    return None


@exercise("31.2")
def orders(numbers: Numbers) -> Exercise:
    patterns = numbers.one_of(
        [
            [("T", "lh"), ("TF", "lm"), ("F", "mh")],
            [("T", "lm"), ("TO", "lh"), ("O", "lm"), ("F", "lh")],
            [("O", "lm"), ("OF", "mh"), ("F", "lh")],
        ]
    )
    return Exercise(
        f"These rows fit what an attacker knows of a person:\n\n{_told(patterns)}\n\nA publisher may put them in any "
        "order. Which secrets can the deep attack infer, depending on the order? Answer with a list of letters.",
        hints=[
            "the attack takes the first smallest set; write down all smallest sets and the secret that each leaves",
            "for each of them check the rows that speak against its secret, as in (d2) to (d4)",
        ],
        worked=lambda: (
            f"Over all {len(list(permutations(patterns)))} orders it says {' or '.join(over_orders(patterns))}: "
            "there are several smallest sets, and the order decides which one is met first."
            if len(over_orders(patterns)) > 1
            else f"Only {over_orders(patterns)[0]}: all smallest sets leave it, so the order does not matter here."
        ),
        judge=lambda answer: _not_these(answer, over_orders(patterns)),
    )


def over_orders(patterns: Sequence[Pattern]) -> list[str]:
    """What the deep attack infers in some order of the rows."""
    return sorted({inferred(order) for order in permutations(patterns)} - {""})


def _not_these(answer: object, right: list[str]) -> str:
    if not isinstance(answer, list | tuple | set) or not all(isinstance(value, str) for value in answer):
        return "the answer is a list of letters, such as ['l']"
    missing, wrong = set(right) - set(answer), set(answer) - set(right)
    if wrong:
        return f"in no order does the attack say {' or '.join(sorted(wrong))}"
    return f"there {'is one' if len(missing) == 1 else f'are {len(missing)}'} more" if missing else ""


@exercise("31.3")
def deeper(numbers: Numbers) -> Exercise:
    size = numbers.one_of([3, 4])
    secrets = "abcde"[: size + 1]
    return Exercise(
        f"The secret has the values {', '.join(secrets)}. Give published rows that all fit what the attacker knows, "
        "with which the shallow attack fails and the deep attack infers a secret from a smallest set of exactly "
        f"**{size}** rows. Answer with a list of pairs (towns, secrets), such as [('T', 'ab'), ('TF', 'bc')]; towns "
        "are T, O and F.",
        hints=[
            f"in one town, take {size} rows that have a single secret in common, while any {size - 1} of them still "
            "share two or more: let each row exclude another secret",
            "the shallow attack intersects all rows; add a row from another town that excludes the common secret",
        ],
        worked=lambda: (
            f"`{layered(size)}`: each row in T excludes one secret of its own, so only all {size} together "
            "leave a. The last row lies in F and cannot have a, so the shallow attack ends with nothing."
        ),
        judge=lambda answer: _not_so_deep(answer, size, secrets),
    )


def layered(size: int) -> list[Pattern]:
    """Rows of one town that leave one secret only all together, and one of another town against it.

    >>> layered(2)
    [('T', 'ac'), ('T', 'ab'), ('F', 'bc')]
    """
    secrets = "abcde"[: size + 1]
    return [*(("T", secrets.replace(gone, "")) for gone in secrets[1:]), ("F", secrets[1:])]


def _not_so_deep(answer: object, size: int, secrets: str) -> str:
    try:
        patterns = [("".join(towns), "".join(said)) for towns, said in answer]
    except (TypeError, ValueError):
        return "the answer is a list of pairs, such as [('T', 'ab'), ('TF', 'bc')]"
    if not patterns or not all(t and v and set(t) <= set(TOWNS) and set(v) <= set(secrets) for t, v in patterns):
        return f"every row needs towns of T, O and F and secrets of {', '.join(secrets)}"
    if said := inferred(patterns, ShallowAttack, secrets):
        return f"the shallow attack infers {said}"
    found = smallest_set(patterns)
    if found is None:
        return "no compatible rows leave one secret"
    if len(found[0]) != size:
        return f"{len(found[0])} rows are enough: {', '.join(str(row + 1) for row in found[0])}"
    return "" if inferred(patterns, DeepAttack, secrets) else "the deep attack finds something that speaks against it"


STARTER = '''
def deep(rows, target):
    """What the deep attack infers from the rows that fit: a value of the target, or None.

    rows: a list of dictionaries from attributes to the set of values that a row allows; all have the same attributes,
    and target is one of them. Rows are compatible if for every attribute all of them share a value.
    (d1) Take the first smallest set of compatible rows that leaves one value of the target; sets of equal size are
    tried in the order of itertools.combinations(rows, size). Without such a set: None.
    (d2) The rows that do not allow this value speak against it.
    (d3) If one of those is compatible with the whole set in all attributes except the target: None.
    (d4) If some of those are compatible and leave one value of the target: None. (d5) Otherwise return the value.
    """
    raise NotImplementedError
'''
WORKED = """```python
def deep(rows, target):
    from itertools import combinations

    def common(name, chosen):
        return set.intersection(*(set(row[name]) for row in chosen))

    def smallest(rows):
        for size in range(1, len(rows) + 1):
            for chosen in combinations(rows, size):
                if all(common(name, chosen) for name in rows[0]) and len(common(target, chosen)) == 1:
                    return chosen, common(target, chosen).pop()
        return None, None

    chosen, value = smallest(rows)
    if chosen is None:
        return None
    against = [row for row in rows if value not in row[target]]
    for row in against:
        if all(common(name, [*chosen, row]) for name in row if name != target):
            return None
    return None if smallest(against)[0] else value
```"""


@exercise("31.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `deep`, the steps (d1) to (d5). The check puts it in place of ours on the "
        "paper's nine patterns and on thirty random releases.",
        hints=[
            "write a function for the smallest set first: (d1) and (d4) both need it, with other rows",
            "in (d3) the row is compared with what all rows of the set share, not with each of them alone",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="With your function in place of ours, every case of all 31 releases ends the same.",
        starter=STARTER,
    )


def _differs(deep: Callable[[list[Row], str], str | None]) -> str:
    if not callable(deep):
        return "the answer is the function deep"
    for name, release, table in releases():
        ours = DeepAttack(known=1, targets="decision").run(release, table).targets
        for line in ours[ours["by"] != "shallow"].itertuples():
            column, _, value = line.known.partition(" = ")
            rows = fitting(release, column, value)
            theirs = deep([{key: set(said) for key, said in row.items()} for row in rows], line.target)
            if (theirs or "") != line.inferred:
                return f"in {name}, knowing {line.known}, yours says {theirs}, and ours {line.inferred or None}"
    return ""


def fitting(release: Release, column: str, value: str) -> list[Row]:
    """The different published rows that allow a value, as sets of labels."""
    lines: dict[tuple, Row] = {}
    for cells in release.frame.astype(str).itertuples(index=False):
        row = {name: set(cell.split(" or ")) for name, cell in zip(release.frame, cells, strict=True)}
        if value in row[column]:
            lines.setdefault(tuple(cells), row)
    return list(lines.values())


def releases() -> Iterator[tuple[str, Release, Table]]:
    """The paper's nine patterns, and random sets over small tables."""
    from anonnb.tables.datasets import load

    six = load("decision6")
    yield "the paper's patterns", Release.from_frame(nine_patterns(), like=six), six
    rng = np.random.default_rng(31)
    domains = {"town": list("TOF"), "job": list("abc"), "secret": list("lmh")}
    for number in range(30):
        people = pd.DataFrame({name: rng.choice(values, 9) for name, values in domains.items()})
        people.iloc[:3] = pd.DataFrame(domains)
        table = Table(people, quasi=["town", "job"], sensitive=["secret"], decision="secret")
        cells = {
            name: [" or ".join(sorted(rng.choice(values, rng.integers(1, 3), replace=False))) for _ in range(6)]
            for name, values in domains.items()
        }
        yield f"random release {number + 1}", Release.from_frame(pd.DataFrame(cells), like=table), table


def nine_patterns() -> pd.DataFrame:
    """Table 5 of the paper: the patterns for six people."""
    lines = """male | salesman | Tokyo or Osaka | low or high
male | salesman | Osaka or Fukuoka | medium or high
male or female | salesman | Tokyo | low or high
male | salesman | Tokyo or Fukuoka | medium or high
female | salesman or engineer | Tokyo or Fukuoka | low or medium
male or female | engineer | Osaka or Fukuoka | low or medium
male or female | salesman or engineer | Fukuoka | medium or high
male | salesman or engineer | Osaka | low or high
male | salesman | Osaka or Fukuoka | low or high"""
    cells = [line.split(" | ") for line in lines.splitlines()]
    return pd.DataFrame(cells, columns=["sex", "occupation", "domicile", "evaluation"])
