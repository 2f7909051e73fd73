"""Condition and Rule: what a decision rule requires, what it concludes, and how well it does.

A condition names the values it allows (nominal), or the ends of an interval (numeric, ordinal); a rule with several
classes in its conclusion is imprecise. Both are plain values: comparable, hashable, printable.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from anonnb.tables.labels import text


@dataclass(frozen=True, slots=True)
class Condition:
    """One elementary condition on one attribute.

    With nothing but the attribute: its value is known, whatever it is.

    Parameters
    ----------
    values:
        Alone: the attribute is one of these values (None stands for missing). With bounds, for an ordinal attribute:
        the categories between them.
    lower, upper:
        The attribute lies between them, ends included.

    Examples
    --------
    >>> print(Condition("sex", values=("male",)), "|", Condition("petal_length", lower=2.45, upper=4.9))
    sex = male | 2.45 ≤ petal_length ≤ 4.9
    """

    attribute: str
    values: tuple | None = None
    lower: Any = None
    upper: Any = None

    def __post_init__(self):
        if self.values is not None and not self.values:
            raise ValueError(f"the condition on {self.attribute!r} allows no value; name at least one")

    def __str__(self) -> str:
        name = str(self.attribute)
        if self.lower is not None or self.upper is not None:
            left = "" if self.lower is None else f"{_text(self.lower)} ≤ "
            right = "" if self.upper is None else f" ≤ {_text(self.upper)}"
            return f"{left}{name}{right}"
        if self.values is None:
            return f"{name} is known"
        if self.values == (None,):
            return f"{name} is missing"
        return f"{name} = {' or '.join(map(_text, self.values))}"

    def allows(self, value: Any) -> bool:
        """Return whether a single value satisfies the condition; a missing value does only if it is named.

        Parameters
        ----------
        value:
            The value; None if missing.

        Examples
        --------
        >>> Condition("age", lower=30.5).allows(31), Condition("age", lower=30.5).allows(None)
        (True, False)
        """
        if value is None or (pd.api.types.is_scalar(value) and pd.isna(value)):
            return self.values is not None and None in self.values
        if self.values is not None:
            return value in self.values
        return (self.lower is None or value >= self.lower) and (self.upper is None or value <= self.upper)

    def intersection(self, other: Condition) -> Condition:
        """Both conditions at once, on the same attribute.

        >>> print(Condition("age", lower=20).intersection(Condition("age", upper=30)))
        20 ≤ age ≤ 30
        """
        if other.attribute != self.attribute:
            raise ValueError(f"conditions on {self.attribute!r} and {other.attribute!r} have no intersection")
        if self.values is None and other.values is None:
            lower = _tighter(max, self.lower, other.lower)
            return Condition(self.attribute, None, lower, _tighter(min, self.upper, other.upper))
        if self.values is None or other.values is None:
            listed, bounds = (self, other) if other.values is None else (other, self)
            return Condition(self.attribute, tuple(value for value in listed.values or () if bounds.allows(value)))
        values = tuple(value for value in self.values if value in other.values)
        if all(part.lower is None and part.upper is None for part in (self, other)):
            return Condition(self.attribute, values)
        has_lower = self.lower is not None or other.lower is not None
        has_upper = self.upper is not None or other.upper is not None
        lower, upper = values[0] if has_lower and values else None, values[-1] if has_upper and values else None
        return Condition(self.attribute, values, lower, upper)


@dataclass(frozen=True, slots=True)
class Rule:
    """If all conditions hold, then the decision is one of the classes in the conclusion.

    Parameters
    ----------
    decision, conclusion:
        The decision attribute, and the classes that are left.
    support:
        Rows of the training table that satisfy the conditions: those whom k protects.
    strength:
        How many of them have a class in the conclusion.
    concept:
        Rows of the table whose class is in the conclusion.

    Examples
    --------
    >>> rule = Rule((Condition("sex", values=("male",)),), "evaluation", ("low", "high"), 4, 4, 5, 6)
    >>> print(rule)
    if sex = male then evaluation = low or high
    >>> rule.specificity, rule.confidence, rule.coverage, rule.lift
    (1, 1.0, 0.8, 1.2)
    """

    conditions: tuple[Condition, ...]
    decision: str
    conclusion: tuple
    support: float = 0  # whole where rows are whole, shares of rows in incomplete tables
    strength: float = 0
    concept: float = 0
    rows: int = 0

    @property
    def specificity(self) -> int:
        """Number of conditions; an interval is one condition."""
        return len(self.conditions)

    @property
    def is_imprecise(self) -> bool:
        """Whether the conclusion leaves more than one class."""
        return len(self.conclusion) > 1

    @property
    def confidence(self) -> float:
        """Share of the rows it covers for which it is right (NaN without such rows)."""
        return self.strength / self.support if self.support else float("nan")

    @property
    def coverage(self) -> float:
        """Share of the rows of its conclusion that it explains."""
        return self.strength / self.concept if self.concept else float("nan")

    @property
    def lift(self) -> float:
        """Confidence over the share of its conclusion in the table: above 1, the conditions are informative."""
        expected = self.support * self.concept
        return self.strength * self.rows / expected if expected else float("nan")

    @property
    def premise(self) -> str:
        """The conditions as text."""
        return " and ".join(map(str, self.conditions)) or "anything"

    @property
    def conclusion_text(self) -> str:
        """The classes of the conclusion as text."""
        return " or ".join(map(_text, self.conclusion))

    def __str__(self) -> str:
        return f"if {self.premise} then {self.decision} = {self.conclusion_text}"


def _text(value: object) -> str:
    if value is None:
        return "missing"
    return f"{value:.10g}" if isinstance(value, float) else text(value)


def _tighter(choose: Callable[[Any, Any], Any], first: Any, second: Any) -> Any:
    return second if first is None else first if second is None else choose(first, second)
