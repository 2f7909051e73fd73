"""What published rules give away: the classes that all matching rules leave, for people behind the rules and others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from anonnb.attacks.result import SecretResult
from anonnb.attacks.secrets.secret_attack import people_result
from anonnb.rules.induction.rule_set import RuleSet
from anonnb.tables.roles import required_decision
from anonnb.tables.table import Table


def rule_attack(rules: RuleSet, people: Table, control: Table | None = None) -> SecretResult:
    """Guess for each person the most common class that all matching rules leave; the guess is sure if only one is left.

    Rules that leave nothing, because none matches or they contradict each other, rule nothing out. The control holds
    people who did not make the rules.

    >>> from anonnb import load
    >>> from anonnb.rules import mlem2
    >>> result = rule_attack(mlem2(load("decision6")).filter(min_support=2), load("decision6"))
    >>> result.success, result.sure
    (0.5, 3.0)
    """
    decision = required_decision(people)
    share = np.array(rules.class_counts, dtype=float)
    left = rules.left_classes(people)
    left |= ~left.any(axis=1, keepdims=True)
    belief = left * share / np.maximum(left @ share, 1e-12)[:, None]
    right = np.array(rules.classes, dtype=object)[belief.argmax(axis=1)] == people[decision].to_numpy()
    guesses = {"right": right, "belief": belief.max(axis=1), "sure": left.sum(axis=1) == 1}
    everyone = np.ones(len(people), dtype=bool)
    name: Any = "rules"  # no attack on a release: rules are what is published
    result = people_result(name, people, decision, counted=everyone, targets=pd.DataFrame(), **guesses)
    return result if control is None else result.against(rule_attack(rules, control))
