"""What an attack achieved, by kind, and what that is worth compared with people who are not in the release.

Right about 72 % means nothing if 72 % of all people have the same income. So every kind of result has its own
comparison. An attack on a **secret** guesses for everybody; its success stands beside the same guesses about outsiders
(the control) and the best constant guess (the baseline), and the people it is sure about are counted. A **linkage**
stands beside the outsiders who are linked to some row. **Membership** sets members against outsiders. **Isolation** and
**cells** stand beside luck. This module is the only one that computes these figures: attacks return what they believe
or claim. The intervals are those of ``attacks.intervals``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isnan, nan
from typing import Any, ClassVar, cast

import numpy as np
import pandas as pd

from anonnb.attacks.intervals import (
    UNKNOWN,
    Interval,
    excess,
    excess_of_release,
    excess_of_sample,
    wilson,
)
from anonnb.core.readonly import ReadOnlyDict
from anonnb.core.wording import percent, pluralize
from anonnb.tables.descriptions import html_block

KINDS = ("secret", "linkage", "membership", "isolation", "cells")
FIGURES = [  # of all kinds; a result has nan for those of the others
    *("attempts", "success", "baseline", "control", "excess", "excess low", "excess high"),
    *("sure", "sure_right", "control_sure", "control_precision", "false_links", "precision", "auc"),
]


class _WhenLookedAt:
    """A frame that may be given as a function, which is called when somebody first looks; what they write is lost."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, result: object | None, owner: type | None = None) -> Any:
        if result is None:
            raise AttributeError(self._name)  # which tells dataclass that there is no default
        frame = vars(result)[self._name]  # read once: another thread may be making the same
        if callable(frame):
            frame = vars(result)[self._name] = frame()
        return frame.copy(deep=False)

    def __set__(self, result: object, value: Any) -> None:
        vars(result)[self._name] = value


@dataclass(frozen=True, eq=False)
class AttackResult:
    """The outcome of an attack; the classes below are its kinds.

    Parameters
    ----------
    attack:
        The attack, or its name.
    attempts:
        How many were attacked: people, predicates or cells.
    right:
        How many attempts succeeded. It may be an expected value: a random pick among four rows is right with
        probability 1/4. It is nan if nobody can tell, and then there is a ``note``.
    targets:
        A line per target or per case, or a function that makes these lines when somebody first looks at them.
    info:
        What else was found out.
    note:
        A sentence: what cannot be said, and why.
    outside:
        The result of the same attack on a control, people who are not in the release.
    sampled:
        Whether the attacked people are only some of the members.
    """

    kind: ClassVar[str] = ""

    attack: object
    attempts: int
    right: float
    targets: pd.DataFrame = _WhenLookedAt()
    info: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    note: str = field(default="", kw_only=True)
    outside: AttackResult | None = field(default=None, kw_only=True)
    sampled: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        self._freeze("info")

    def _freeze(self, name: str) -> None:
        what, instead = f"{name!r} of an attack's result", f"result.replace({name}=…) gives a changed one"
        vars(self)[name] = ReadOnlyDict(vars(self)[name], what, instead)

    def against(self, outside: AttackResult, sampled: bool = False) -> AttackResult:
        """Add a control: the result of the same attack on people who are not in the release.

        With ``sampled``, the attacked people are only some of the members, or none.
        """
        return self.replace(outside=outside, sampled=sampled)

    def replace(self, **changes: Any) -> Any:
        """Return a changed copy; lines that nobody has looked at are not made for it.

        >>> AttackResult("a guess", 10, 4, pd.DataFrame).replace(note="by hand").note
        'by hand'
        """
        return replace(self, **{"targets": vars(self)["targets"], **changes})

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "targets": self.targets}  # functions are not for other processes

    # ---- figures ------------------------------------------------------------------------------------------------

    @property
    def success(self) -> float:
        """The share of the attempts that succeed."""
        return min(self.right / self.attempts, 1.0) if self.attempts else 0.0

    @property
    def success_interval(self) -> Interval:
        """The interval of the success if the attempts are a sample."""
        return UNKNOWN if isnan(self.success) else wilson(self.success * self.attempts, self.attempts)

    @property
    def headline(self) -> float:
        """The one figure that stands for the attack in a plot or a ranking; ``headline_name`` names it."""
        return self.success

    headline_name: ClassVar[str] = "success"

    @property
    def figures(self) -> dict[str, float]:
        """All figures by name; nan for those of other kinds."""
        low, high = getattr(self, "excess_interval", UNKNOWN)
        named = {"excess low": low, "excess high": high}
        return {name: float(named[name] if name in named else getattr(self, name, nan)) for name in FIGURES}

    # ---- in words -----------------------------------------------------------------------------------------------

    @property
    def reason(self) -> str:
        """Why a figure is missing."""
        return self.note

    @property
    def better_than_guessing(self) -> bool:
        """Whether the attack does better than somebody who has not seen the release."""
        return self.success > getattr(self, "baseline", 0.0)

    @property
    def _sentence(self) -> str:
        """What the attack achieved, compared with what it must be compared with."""
        raise NotImplementedError

    @property
    def summary(self) -> str:
        """The figures in a line."""
        sentence = self._sentence
        if self.attempts and not isnan(self.success) and not self.better_than_guessing:
            sentence += "; this is no better than guessing"
        return sentence + (f"; {self.reason}" if self.reason else "")

    def __repr__(self) -> str:
        return f"{self.attack}: {self.summary}"

    def _repr_html_(self) -> str:
        return html_block(repr(self), self.targets.head(8))


# ---- secrets ------------------------------------------------------------------------------------------------------

Constant = Callable[[pd.Series, pd.Series], float]


def best_constant(reference: pd.Series, values: pd.Series) -> float:
    """Return the share of the people in ``values`` who have the value that is most common in ``reference``.

    Both count people by their true value.

    >>> best_constant(pd.Series({"flu": 3, "cold": 2}), pd.Series({"cold": 4, "flu": 1}))
    0.2
    """
    total = values.sum()
    return float(values.get(reference.idxmax(), 0.0) / total) if total and len(reference) else 0.0


@dataclass(frozen=True, eq=False, repr=False)
class SecretResult(AttackResult):
    """An attack that guesses a secret for everybody, and says for whom it is sure.

    Parameters
    ----------
    sure, sure_right:
        For how many people the attack's own rule fires, and for how many of these its guess is right.
    values:
        How many of the attacked people have each value of the secret.
    beliefs:
        A frame with a line per guess: the ``weight`` of the guess (a person's guesses weigh 1 together), the ``belief``
        in it, and whether it is ``right``.
    constant:
        The success of somebody who knows what the attacker knows but not the release, from how often each value occurs
        among outsiders and among the targets; by default that of the best constant guess.
    secret:
        The column that the attack was after.
    each:
        With several secrets, the result for each of them, by name.

    Examples
    --------
    >>> beliefs = pd.DataFrame({"weight": 1.0, "belief": 0.5, "right": False}, range(100))
    >>> values = pd.Series({"flu": 80, "cold": 20})
    >>> options = {"sure": 0, "sure_right": 0, "values": values, "beliefs": beliefs, "secret": "ill"}
    >>> result = SecretResult("a guess", 100, 30, pd.DataFrame(), **options)
    >>> result = result.against(SecretResult("a guess", 100, 20, pd.DataFrame(), **options))
    >>> round(result.excess, 4), [round(end, 4) for end in result.excess_interval]
    (0.125, [0.0157, 0.1923])
    """

    kind: ClassVar[str] = "secret"
    headline_name: ClassVar[str] = "excess"

    sure: float = field(kw_only=True)
    sure_right: float = field(kw_only=True)
    values: pd.Series = field(kw_only=True)
    beliefs: pd.DataFrame = field(kw_only=True)
    constant: Constant = field(default=best_constant, kw_only=True)
    secret: str | None = field(default=None, kw_only=True)
    each: Mapping[str, SecretResult] = field(default_factory=dict, kw_only=True)
    outside: SecretResult | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._freeze("each")

    @classmethod
    def worst(cls, each: Mapping[str, SecretResult]) -> SecretResult:
        """Choose the secret that the attack is sure of for most people; all results are in its ``each``.

        Of secrets with equally many sure people the one with the highest excess counts, then the one whose success is
        furthest above its baseline, then the first.
        """
        names = list(each)

        def exposure(name: str) -> tuple[float, float, float]:
            result = each[name]
            return result.sure, 0.0 if isnan(result.excess) else result.excess, result.success - result.baseline

        chosen = max(names, key=lambda name: (exposure(name), -names.index(name)))
        return each[chosen] if len(each) == 1 else each[chosen].replace(each=dict(each))

    def against(self, outside: AttackResult, sampled: bool = False) -> SecretResult:
        """Add a control, for each secret: the result of the same attack on people who are not in the release."""
        if not self.each:
            return self.replace(outside=outside, sampled=sampled)
        others = cast(SecretResult, outside)
        return type(self).worst(
            {name: one.against(others.for_secret(name), sampled) for name, one in self.each.items()}
        )

    def for_secret(self, secret: str) -> SecretResult:
        """Return the result for one secret."""
        if secret in self.each:
            return self.each[secret]
        if secret == self.secret:
            return self
        known = ", ".join(map(str, self.each or filter(None, [self.secret]))) or "none"
        raise KeyError(f"the attack was not after {secret!r}; it was after {known}")

    @property
    def control(self) -> float:
        """The success of the same guesses about people who are not in the release; nan without a control."""
        return self.outside.success if self.outside is not None and self.outside.attempts else nan

    @property
    def baseline(self) -> float:
        """The share of the targets who have the value that is most common among outsiders.

        Without outsiders it is the value that is most common among the targets.
        """
        known = self.outside is not None and self.outside.attempts
        return min(self.constant(self.outside.values if known and self.outside else self.values, self.values), 1.0)

    @property
    def excess(self) -> float:
        """How far the success is above the control, as a share of what was left to gain."""
        return excess(self.success, self.control)

    @property
    def excess_interval(self) -> Interval:
        """The interval of the excess: of this release if all members were attacked, else of a sample of them."""
        if isnan(self.excess) or self.outside is None:
            return UNKNOWN
        other = self.control * self.outside.attempts, self.outside.attempts
        if self.sampled:
            return excess_of_sample(self.success * self.attempts, self.attempts, *other)
        return excess_of_release(self.success, *other)

    @property
    def headline(self) -> float:
        return self.excess

    @property
    def control_sure(self) -> float:
        """The share of the outsiders for whom the same rule fires."""
        return self.outside.sure / self.outside.attempts if self.outside is not None and self.outside.attempts else nan

    @cached_property
    def control_precision(self) -> float:
        """The share of right guesses about outsiders at equal coverage.

        Of the outsiders, those with the strongest beliefs count: as large a share as the attack is sure about.
        """
        if self.outside is None or not self.outside.attempts or not self.sure:
            return nan
        return self.outside.precision_at(self.sure / self.attempts)

    def precision_at(self, coverage: float) -> float:
        """Return the share of right guesses among the strongest beliefs about so large a share of the people.

        If only some of several equally strong beliefs count, each of them counts in part.

        >>> beliefs = pd.DataFrame({"weight": 1.0, "belief": [0.9, 0.5, 0.5, 0.1], "right": [True, True, False, False]})
        >>> options = {"sure": 1, "sure_right": 1, "values": pd.Series({"flu": 4}), "beliefs": beliefs}
        >>> SecretResult("a guess", 4, 2, pd.DataFrame(), **options).precision_at(0.5)
        0.75
        """
        lines = self.beliefs.groupby("belief", sort=True)
        weight = lines["weight"].sum().to_numpy()[::-1]
        right = (self.beliefs["weight"] * self.beliefs["right"]).groupby(self.beliefs["belief"]).sum().to_numpy()[::-1]
        left = coverage * weight.sum() - (np.cumsum(weight) - weight)
        part = np.clip(np.divide(left, weight, out=np.zeros(len(weight)), where=weight > 0), 0, 1)
        covered = part @ weight
        return float(part @ right / covered) if covered else nan

    @property
    def by_secret(self) -> pd.DataFrame:
        """The figures, a line per secret, the one with most sure people first."""
        results = list(self.each.values()) or [self]
        names: list[str | None] = [*self.each] or [self.secret]
        columns = [name for name in FIGURES if name not in ("false_links", "precision", "auc")]
        frame = pd.DataFrame([one.figures for one in results], index=pd.Index(names, name="secret", dtype=object))
        return frame[columns].sort_values("sure", ascending=False, kind="stable")

    @property
    def reason(self) -> str:
        """Why a figure is missing: the note, or that the control leaves nothing to gain."""
        sentences = [self.note] if self.note else []
        if self.outside is not None and not self.outside.attempts:
            sentences.append("nobody in the control has this secret")
        if self.control == 1:
            sentences.append("the attack is right about everybody in the control, so there is no excess to measure")
        return "; ".join(sentences)

    @property
    def sure_text(self) -> str:
        """For how many people the attack is sure, how often it is right, and the same for outsiders."""
        people = pluralize(self.attempts, "person", "people")
        if not self.sure:
            return f"sure about none of {people}"
        text = f"sure about {self.sure:,.0f} of {people} ({percent(self.sure / self.attempts)}), "
        text += f"and right about {self.sure_right:,.0f} of them"
        if isnan(self.control_precision):
            return text
        share = percent(self.control_precision)
        return f"{text}; the strongest beliefs about the same share of outsiders are right in {share} of cases"

    @property
    def excess_text(self) -> str:
        """The excess with its interval, and no figure below 0: such an end is told in words."""
        low, high = self.excess_interval
        if isnan(self.excess):
            return "unknown"
        if self.excess <= 0:
            bound = f"at most {percent(high)}" if high >= 0 else "more often right about outsiders"
            return f"none ({bound})"
        if low <= 0:
            return f"{percent(self.excess)} (at most {percent(high)}; the interval includes 0)"
        return f"{percent(self.excess)} ({percent(low)} to {percent(high)})"

    @property
    def _sentence(self) -> str:
        others = f" (control {percent(self.control)}, baseline" if not isnan(self.control) else " (baseline"
        worst = f", of {len(self.each)} secrets the one with the most sure people," if self.each else ""
        people = pluralize(self.attempts, "person", "people")
        text = f"guesses {self.secret}{worst} right for {percent(self.success)} of {people}"
        text += f"{others} {percent(self.baseline)})"
        if not isnan(self.excess):
            text += f", excess {self.excess_text}"
        return f"{text}; {self.sure_text}"

    def _repr_html_(self) -> str:
        each = [self.by_secret.drop(columns=["excess low", "excess high"]).round(3)] if self.each else []
        return html_block(repr(self), *each, self.targets.head(8))
