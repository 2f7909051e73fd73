"""Exercises of notebook 35, homogeneity, background knowledge and skewness."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import log

import numpy as np

from anonnb.attacks.secrets.background import BackgroundAttack
from anonnb.attacks.secrets.skewness import SkewnessAttack
from anonnb.coursework.practice.bank.attacks.nb34 import plain
from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.methods.mondrian.mondrian import Mondrian
from anonnb.tables.datasets import load
from anonnb.tables.release import Release

Classes = Sequence[Sequence[str]]


@exercise("35.1")
def found_out(numbers: Numbers) -> Exercise:
    ruled_out, classes = numbers.one_of(
        [
            ("gout", [["flu", "flu", "gout"], ["cold", "cold", "cold"], ["flu", "cold", "gout", "gout"]]),
            ("cold", [["flu", "cold", "cold"], ["gout", "gout"], ["gout", "cold", "cold", "gout"], ["flu", "gout"]]),
            ("flu", [["flu", "gout", "gout", "flu"], ["gout", "cold", "flu"], ["cold", "cold", "flu"]]),
        ]
    )
    said = "; ".join(", ".join(rows) for rows in classes)
    return Exercise(
        f"A release has {len(classes)} classes whose boxes do not overlap, with these illnesses: {said}. The attacker "
        f"knows everybody's quasi-identifiers, and for each person without {ruled_out} that they do not have it. How "
        "many people's illness does the attacker learn?",
        hints=[
            f"of each class strike {ruled_out} out, as far as it concerns a person who does not have it: how many "
            "different illnesses are left",
            f"somebody who has {ruled_out} is not known to be without it: nothing is struck out for them",
        ],
        worked=lambda: _struck_out(classes, ruled_out),
        expected=lambda: sum(_learnt(rows, ruled_out) for rows in classes),
    )


def _learnt(rows: Sequence[str], ruled_out: str) -> int:
    """How many people of a class are found out: those without the value, if they all have the same."""
    others = [illness for illness in rows if illness != ruled_out]
    return len(others) if len(set(others)) == 1 else 0


def _struck_out(classes: Classes, ruled_out: str) -> str:
    told = [f"{', '.join(rows)}: {_learnt(rows, ruled_out)}" for rows in classes]
    total = sum(_learnt(rows, ruled_out) for rows in classes)
    return f"{'; '.join(told)}. Together {total}. Those who have {ruled_out} beside others are never found out."


@exercise("35.2")
def earth_mover(numbers: Numbers) -> Exercise:
    salaries, chosen = numbers.one_of(
        [((2, 3, 4, 6, 7), (2, 3)), ((1, 2, 5, 6, 9), (6, 9)), ((3, 4, 5, 6, 8), (3, 5)), ((2, 4, 5, 7, 9), (7, 9))]
    )
    return Exercise(
        f"A table has five salaries, {', '.join(map(str, salaries))} thousand, one of each. A class has "
        f"{chosen[0]} and {chosen[1]}. How far is the class from the table, in the ordered distance of t-closeness?",
        hints=[
            "write down the share of each salary in the class and in the table, and the running sum of the differences",
            "add up the absolute running sums and divide by the number of salaries less one; how far apart the "
            "salaries are does not count, their order does",
        ],
        worked=lambda: _running_sums(salaries, chosen),
        expected=lambda: float(ordered_distance(salaries, chosen)),
    )


def running_sums(values: Sequence[int], chosen: Sequence[int]) -> list[Fraction]:
    """The running sums of the differences between the shares in a class and in a table with one row per value."""
    differences = [Fraction(chosen.count(value), len(chosen)) - Fraction(1, len(values)) for value in values]
    return [sum(differences[: place + 1]) for place in range(len(values))]


def ordered_distance(values: Sequence[int], chosen: Sequence[int]) -> Fraction:
    """The ordered distance of t-closeness."""
    return sum(map(abs, running_sums(values, chosen))) / (len(values) - 1)


def _running_sums(values: Sequence[int], chosen: Sequence[int]) -> str:
    sums = running_sums(values, chosen)
    found = ordered_distance(values, chosen)
    return (
        f"The running sums are {', '.join(map(str, sums))}. Their absolute values add up to {sum(map(abs, sums))}; "
        f"divided by {len(values) - 1} that is {found}, or {float(found):g}."
    )


@exercise("35.3")
def entropy_is_not_enough(numbers: Numbers) -> Exercise:
    share = numbers.one_of([0.8, 0.75, 0.85])
    return Exercise(
        "Entropy l-diversity asks that the entropy of the secrets in a class is at least log l. Does that bound what "
        f"an attacker may believe? Give a class with l = 2 in which one illness has a share of at least {share:g}, as "
        "a list of counts, one per illness, such as [5, 5].",
        hints=[
            "with two illnesses the entropy reaches log 2 only when both have one half; use more illnesses",
            "the share that is left adds most to the entropy when it is spread over many illnesses, one row each",
        ],
        worked=lambda: _spread(share),
        judge=lambda counts: _not_skewed(counts, share),
    )


def entropy(counts: Sequence[int]) -> float:
    """The entropy of a class, from the counts of its secrets.

    >>> entropy([5, 5]) == log(2)
    True
    """
    total = sum(counts)
    return sum(count / total * log(total / count) for count in counts if count)


def skewed(share: float) -> list[int]:
    """The class with the fewest rows outside the common illness that has the share and an entropy of log 2."""
    others = 1
    while True:
        common = -int(-share * others // (1 - share))
        if entropy([common] + [1] * others) >= log(2):
            return [common] + [1] * others
        others += 1


def _spread(share: float) -> str:
    counts = skewed(share)
    return (
        f"{counts[0]} rows with one illness and {len(counts) - 1} rows with another one each: the share is "
        f"{counts[0] / sum(counts):.3f}, and the entropy {entropy(counts):.3f} is above log 2 = {log(2):.3f}. With "
        "enough rare illnesses any share below 1 is possible: entropy l-diversity does not bound a belief. "
        "The frequency reading of l-diversity does, and so does t-closeness."
    )


def _not_skewed(counts: object, share: float) -> str:
    try:
        given = [int(count) for count in counts]
    except (TypeError, ValueError):
        return "the answer is a list of counts, such as [5, 5]"
    if not given or min(given) < 0 or not sum(given):
        return "the counts are whole numbers, none below 0, and not all of them 0"
    if max(given) < share * sum(given) - 1e-12:
        return f"the commonest illness has a share of {max(given) / sum(given):.3f} only"
    found = entropy(given)
    return "" if found >= log(2) - 1e-12 else f"the entropy is {found:.3f}, below log 2 = {log(2):.3f}"


STARTER = '''
def infer(person, rows, secrets, ruled_out, belief):
    """What the attacker claims to be a person's secret; None where nothing is claimed.

    person: a dictionary of known values. rows: a list of dictionaries, each cell a set of possible values. secrets: the
    secret of each row. A row fits when every cell holds the person's value. Strike the values in ruled_out out of the
    secrets of the rows that fit: if one value is left, claim it. Else claim the commonest secret of the rows that fit,
    if its share of them is at least belief and higher than its share of all rows. (belief is above one half.)
    """
    raise NotImplementedError
'''
WORKED = """```python
def infer(person, rows, secrets, ruled_out, belief):
    found = [
        secret
        for row, secret in zip(rows, secrets)
        if all(person[name] in cell for name, cell in row.items())
    ]
    left = set(found) - set(ruled_out)
    if len(left) == 1:
        return left.pop()
    if not found:
        return None
    common = max(set(found), key=found.count)
    share, before = found.count(common) / len(found), secrets.count(common) / len(secrets)
    return common if share >= belief and share > before else None
```"""


@exercise("35.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `infer`, the core of all three attacks. The check compares its claims with "
        "those of BackgroundAttack and SkewnessAttack on six releases of a part of Adult and of the survey.",
        hints=[
            "first collect the secrets of the rows that fit; all that follows looks at this list",
            "rows that fit nobody leave an empty list: claim nothing; compare shares of the list and of all secrets",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="On all six releases your claims are those of the package.",
        starter=STARTER,
    )


def releases() -> Iterator[tuple[str, Release]]:
    """The releases of the check, by name."""
    adult = load("adult").take(range(150)).with_roles(sensitive=["income"])
    survey = load("survey")
    for k in (2, 4, 8):
        yield f"a part of Adult with k = {k}", Mondrian(k=k, strict=k < 8).anonymize(adult)
        yield f"the survey with k = {k}", Mondrian(k=k).anonymize(survey)


def expected_claims(release: Release, ruled_out: Sequence[str], belief: float) -> list[str | None]:
    """What the attacks of the package claim about everybody behind a release."""
    known = release.table.frame[release.quasi]
    case = {text: place for place, text in enumerate(_texts(known))}
    sure = BackgroundAttack(ruled_out=ruled_out).run(release).targets.set_index("known")["inferred"]
    likely = SkewnessAttack(belief=belief).run(release).targets.set_index("known")
    believed = (likely["share"] >= belief - 1e-12) & (likely["share"] > likely["share before"] + 1e-12)
    of_case = {text: sure[text] or (likely.loc[text, "likeliest"] if believed[text] else None) for text in case}
    return [of_case[text] for text in _texts(known)]


def _texts(known) -> list[str]:
    parts = [[f"{name} = {value}" for value in known[name]] for name in known]
    return [" and ".join(words) for words in zip(*parts, strict=True)]


def _differs(infer: object) -> str:
    if not callable(infer):
        return "the answer is the function infer"
    for name, release in releases():
        people, rows, _ = plain(release)
        secrets = [str(text) for text in release.columns[release.sensitive[0]].texts()]
        for ruled_out, belief in (((), 0.7), ((secrets[0],), 0.9)):
            theirs = [infer(person, rows, list(secrets), list(ruled_out), belief) for person in people]
            ours = expected_claims(release, ruled_out, belief)
            wrong = np.flatnonzero([one != other for one, other in zip(theirs, ours, strict=True)])
            if len(wrong):
                place = wrong[0]
                return (
                    f"of {name}, with {list(ruled_out)} ruled out and belief {belief:g}, you claim {theirs[place]!r} "
                    f"about person {place}, and ours claims {ours[place]!r}"
                )
    return ""
