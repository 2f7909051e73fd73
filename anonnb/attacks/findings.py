"""What an attack found, for readers who do not program: sentences, and the cases that are most exposed.

Counts of people come first; the figures are those of :mod:`anonnb.attacks.result`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

import pandas as pd

from anonnb.attacks.intervals import wilson
from anonnb.attacks.result import AttackResult, SecretResult
from anonnb.attacks.result_kinds import IsolationResult, LinkageResult, MembershipResult
from anonnb.core.wording import percent, pluralize

PEOPLE = ("person", "people")


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


def learned(lines: Sequence[SecretResult], *nouns: str) -> str:
    """Say about how many people the attacker would be sure and right, and what the best guesses get right.

    The first of several attacks on a secret counts people, the one that is furthest above guessing counts guesses.
    """
    first, guess = lines[0], max(lines, key=lambda one: one.success - one.baseline)
    people = pluralize(first.attempts, *nouns or PEOPLE)
    text = f"the attacker would be sure about none of {people}"
    if first.sure:
        text = f"the attacker would be sure and right about {first.sure_right:,.0f} of {people}"
    if blank := first.info.get("sure blank"):
        text += f", {blank:,} of whom have an empty cell"
    if first.sure_right < first.sure:
        text += f" (sure about {first.sure:,.0f}, so right in {percent(first.sure_right / first.sure)} of these cases)"
    return f"{text}; guesses are right for {percent(guess.success)} ({percent(guess.baseline)} without the file)"


def counts_text(result: AttackResult) -> str:
    """Say what an attack on no secret achieved, counts first; empty if nothing was measured.

    >>> from anonnb import Release, load
    >>> from anonnb.attacks import LinkageAttack
    >>> print(counts_text(LinkageAttack().run(Release.of(load("decision6")))).partition("; ")[0])
    6 of 6 people are found with a probability of 50 % or more
    """
    nouns = ("household", "households") if getattr(result.attack, "unit", "") == "household" else PEOPLE
    people = pluralize(result.attempts, *nouns)
    if isinstance(result, LinkageResult) and "re-identified" in result.info:
        share, found = result.info.get("at_most", result.success), result.info["re-identified"]
        likely = f"{getattr(result.attack, 'threshold', 0.5):.0%}".replace("%", " %")
        text = "if its values are true, " if "at_most" in result.info else ""
        text += f"{found:,} of {people} {'is' if found == 1 else 'are'} found with a probability of {likely} or more; "
        text += f"linking all of them is right about {share * result.attempts:,.0f} ({percent(share)}) on average"
        links = result.false_links
        return text + ("" if isnan(links) else f"; {percent(links)} of outsiders are linked to some row, too")
    if isinstance(result, MembershipResult):
        if isnan(result.auc) or result.outside is None:
            return ""
        low, high = result.auc_interval
        outsiders = f"{result.outside.claimed.sum():,} of {pluralize(result.outside.attempts, 'outsider')}"
        text = f"{result.claimed.sum():,} of {people} and {outsiders} are taken for members; "
        return f"{text}AUC {result.auc:.2f} ({low:.2f} to {high:.2f}), where 0.5 is guessing"
    if isinstance(result, IsolationResult):
        drawn = f"{result.right:,.0f} of {pluralize(result.attempts, 'description')} fit exactly one person"
        return "" if result.note and not result.right else f"{drawn}; {percent(result.baseline)} do by guessing"
    return "" if result.note and not result.attempts else result.summary


def concern(result: AttackResult) -> str:
    """Say in a few words why a reader should look at a result; empty if nothing shows that the release gives more away.

    Claims count if all of them are right or if the interval of their share lies above what outsiders or, without any,
    guessing would give; guesses for everybody count by the same comparison.
    """
    if isinstance(result, SecretResult):
        known = not isnan(result.control)
        expected = max(result.control_precision if known and result.sure else 0.0, result.baseline)
        than = f"than about outsiders ({percent(expected)})" if known else "than by guessing"
        right = result.sure_right / result.sure if result.sure else 0.0
        if right > expected and (right >= 1 or wilson(result.sure_right, result.sure)[0] > expected):
            return f"claims more often right {than}"
        better = result.excess_interval[0] > 0 if known else result.success_interval[0] > result.baseline
        return f"guesses more often right than {'about outsiders' if known else 'by guessing'}" if better else ""
    if isinstance(result, LinkageResult):
        return "rows stand out" if result.info.get("re-identified") else ""
    if isinstance(result, MembershipResult):
        return "members stand out" if result.auc_interval[0] > 0.5 else ""
    return "more than by guessing" if result.right and result.better_than_guessing else ""


def most_exposed(result: AttackResult, limit: int) -> pd.DataFrame:
    """Return the cases in which an attack learns something: it is sure and right, or finds rows.

    The strongest beliefs come first; fewest values left, then fewest candidates break ties.
    """
    targets = result.targets
    kept = targets["score"] > 0
    for name in ("sure", "inferred"):
        kept &= targets[name].astype(bool) if name in targets else True
    if "claimed" in targets or result.info.get("predicates") == "box":
        kept &= False  # scores, or random parts of a class, tell nothing about a person
    falling = [name for name in ("belief", "score") if name in targets]
    rising = [name for name in ("left", "candidates") if name in targets]
    order = [False] * len(falling) + [True] * len(rising)
    return targets[kept].sort_values([*falling, *rising], ascending=order, kind="stable").head(limit)
