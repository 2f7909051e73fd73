"""What an attack found, for readers who do not program: sentences, and the cases that are most exposed.

Every secret is named, with counts of people first; the figures are those of :mod:`anonnb.attacks.result`.
"""

from __future__ import annotations

from math import isnan

import pandas as pd

from anonnb.attacks.result import AttackResult, SecretResult
from anonnb.core.wording import percent


def findings(result: AttackResult) -> list[str]:
    """Say what an attack found: a text for each secret, the one with the most sure people first.

    >>> from anonnb import Release, load
    >>> from anonnb.attacks import HomogeneityAttack
    >>> for text in findings(HomogeneityAttack().run(Release.of(load("survey")))):
    ...     print(text.partition(". ")[0])
    Hypertension: the attacker would be sure about 4 of 66 people (6.1 %), and right about 4 of them
    """
    return [
        f"{one.secret}: {secret_text(one)}" if isinstance(one, SecretResult) else one.summary
        for one in by_secret(result)
    ]


def by_secret(result: AttackResult) -> list[AttackResult]:
    """Return the result for each secret, the one with the most sure people first, or else the result itself."""
    each = list(result.each.values()) if isinstance(result, SecretResult) else []
    return [*sorted(each, key=lambda one: -one.sure)] or [result]


def secret_text(result: SecretResult) -> str:
    """Say about how many people an attacker would be sure, and how often guesses for everybody are right."""
    known = [] if isnan(result.control) else [f"{percent(result.control)} for outsiders"]
    compared = " and ".join([*known, f"{percent(result.baseline)} without the release"])
    text = f"the attacker would be {result.sure_text}. Guessing for everybody, the attacker is right in "
    text += f"{percent(result.success)} of cases, compared with {compared}"
    if result.attempts and not result.better_than_guessing:
        text += ", so the attack as a whole is no better than guessing"
    excess = "" if isnan(result.excess) else f"excess {result.excess_text}"
    return "; ".join(filter(None, [text, excess, result.reason])) + "."


def most_exposed(result: AttackResult, limit: int) -> pd.DataFrame:
    """Return the cases that an attack tells most about: those it is sure about, then those with the strongest beliefs.

    Fewest values left, then fewest candidates break ties. Where an attack guesses nothing, cases without any success
    are left out.
    """
    targets = result.targets
    falling = [name for name in ("sure", "belief", "score") if name in targets]
    rising = [name for name in ("left", "candidates") if name in targets]
    order = [False] * len(falling) + [True] * len(rising)
    kept = targets if "sure" in targets else targets[targets["score"] > 0]
    return kept.sort_values([*falling, *rising], ascending=order, kind="stable").head(limit)
