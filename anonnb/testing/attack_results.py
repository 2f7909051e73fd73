"""What must hold for the results of an attack: their kind, counts and figures, and what they are compared with."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from anonnb.attacks.result import AttackResult, SecretResult
from anonnb.attacks.result_kinds import CellsResult, IsolationResult, LinkageResult, MembershipResult
from anonnb.core.wording import kind_of
from anonnb.testing.attack_subject import AttackSubject
from anonnb.testing.contract import Contract

OF_RESULTS = Contract()
must = OF_RESULTS.must
RESULTS: dict[str, type[AttackResult]] = {
    cls.kind: cls for cls in (SecretResult, LinkageResult, MembershipResult, IsolationResult, CellsResult)
}
PARTS = {"attempts": ("right", "sure", "linked", "claims"), "sure": ("sure_right",), "claims": ("right", "luck")}
SHARES = ("success", "baseline", "control", "control_sure", "control_precision", "false_links", "precision", "auc")
SLACK = 1e-6  # of sums


@must("result", "It returns an AttackResult that names the attack, with a frame of targets and a dict of info.")
def _result(subject: AttackSubject) -> Iterator[str]:
    for trial in subject.all_results:
        result = trial.result
        if not isinstance(result, AttackResult):
            yield f"it returns a {type(result).__name__}, not an AttackResult"
            return
        if not isinstance(result.targets, pd.DataFrame) or not isinstance(result.info, dict):
            yield "targets must be a frame and info a dict"
        if result.attack != subject.attack:
            yield f"the result says that {result.attack} made it, not {subject.attack}"


@must("attempts", "``attempts`` is a whole number that is not negative.")
def _attempts(subject: AttackSubject) -> Iterator[str]:
    for trial in subject.all_results:
        attempts = trial.result.attempts
        if isinstance(attempts, bool) or not isinstance(attempts, int | np.integer) or attempts < 0:
            yield f"attempts is {attempts!r} on {trial.target.name}"


@must("kind", "``kind`` says what it measures, and its results are of that kind.")
def _kind(subject: AttackSubject) -> Iterator[str]:
    if subject.attack.kind not in RESULTS:
        yield f"kind is {subject.attack.kind!r}; use one of {', '.join(map(repr, RESULTS))}"
        return
    wanted = RESULTS[subject.attack.kind]
    for trial in subject.all_results:
        if not isinstance(trial.result, wanted):
            yield f"kind is {subject.attack.kind!r}, so it must return a {wanted.__name__}, not {kind_of(trial.result)}"


@must("counts", "No count is larger than what it is a part of: sure people and their right guesses, claims, links.")
def _counts(subject: AttackSubject) -> Iterator[str]:
    for where, result in _each_result(subject):
        for whole, names in PARTS.items():
            for name in names:
                count, limit = getattr(result, name, 0), getattr(result, whole, np.inf)
                if _unknown(count) and result.reason:
                    continue
                if not isinstance(count, Real) or not 0 <= float(count) <= limit + SLACK:
                    yield f"{name} is {count!r}, of {whole} {limit!r}, on {where}"


@must(
    "guesses for everybody",
    "An attack on a secret guesses for everybody, whether a published row fits them or not.",
    applies=lambda s: s.attack.kind == "secret",
)
def _guesses(subject: AttackSubject) -> Iterator[str]:
    for where, result in _each_result(subject):
        beliefs = result.beliefs
        people, right = beliefs["weight"].sum(), (beliefs["weight"] * beliefs["right"]).sum()
        if abs(people - result.attempts) > SLACK:
            yield f"it guesses for {people:g} of {result.attempts:,} people on {where}, not for everybody"
        if abs(right - result.right) > SLACK:
            yield f"{right:g} of the guesses on {where} are right, and the result counts {result.right:g}"
        if not beliefs["belief"].between(0, 1 + SLACK).all():
            yield f"a belief on {where} is not between 0 and 1"


@must("figures", "Figures are shares from 0 to 1 (an excess may be below 0); a success is nan only with a reason.")
def _figures(subject: AttackSubject) -> Iterator[str]:
    for where, result in _each_result(subject):
        figures = result.figures
        for name in SHARES:
            lowest = -1 if (result.kind, name) == ("membership", "success") else 0
            if not isnan(figures[name]) and not lowest <= figures[name] <= 1:
                yield f"{name} is {figures[name]!r} on {where}"
        if figures["excess"] > 1:
            yield f"the excess is {figures['excess']!r} on {where}"
        if isnan(figures["success"]) and not result.reason:
            yield f"the success on {where} is nan without a reason"
        if figures["success"] and not result.attempts:
            yield f"success is {figures['success']!r} on {where}, without an attempt"


@must("comparison", "The summary says what a success is compared with: the baseline; for membership, outsiders.")
def _comparison(subject: AttackSubject) -> Iterator[str]:
    for where, result in _each_result(subject):
        compared = "outsiders" if result.kind == "membership" else "baseline"
        if result.attempts and not isnan(result.success) and compared not in result.summary:
            yield f"the summary on {where} shows a success, and names no {compared}"


def _each_result(subject: AttackSubject) -> Iterator[tuple[str, Any]]:
    """Every result with the name of what was attacked: of each secret, and of a control and with one."""
    trials = [*subject.all_results, *([subject.controlled] if subject.reads_releases else [])]
    for trial in trials:
        if trial.error is None:
            for result in [trial.result, *getattr(trial.result, "each", {}).values()]:
                yield trial.target.name, result
                if result.outside is not None:
                    yield f"a control of {trial.target.name}", result.outside


def _unknown(count: object) -> bool:
    return isinstance(count, float) and isnan(count)
