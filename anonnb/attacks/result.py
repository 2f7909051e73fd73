"""AttackResult: what an attack claims, how much of it is right, and what that is worth.

Right about 72 % means nothing where 72 % of all people have the same income. So a success stands beside the success of
an attacker without the release (the baseline) and of the same attack on people who are not in the release (the
control, knowledge about the population); what is left is the excess. Intervals: ``attacks.intervals``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import isnan, nan
from typing import Any

import pandas as pd

from anonnb.attacks.intervals import Interval, newcombe, wilson
from anonnb.core.readonly import ReadOnlyDict
from anonnb.core.wording import pluralize
from anonnb.tables.descriptions import html_block

UNKNOWN: Interval = (nan, nan)
FIGURES = [
    *("attempts", "claims", "right", "coverage", "precision", "success"),
    *("baseline", "advantage", "advantage low", "advantage high"),
    *("control", "excess", "excess low", "excess high"),
]


class _WhenLookedAt:
    """A frame that may be given as a function, which is called when somebody first looks; what they write is lost."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, result: object | None, owner: type | None = None) -> Any:
        if result is None:
            raise AttributeError(self._name)  # which tells dataclass that there is no default
        found = vars(result)[self._name]  # read once: another thread may be making the same
        if callable(found):
            found = vars(result)[self._name] = found()
        return found.copy(deep=False)

    def __set__(self, result: object, value: Any) -> None:
        vars(result)[self._name] = value


@dataclass(frozen=True, eq=False)
class AttackResult:
    """The outcome of an attack.

    Parameters
    ----------
    attack:
        The attack, or its name.
    attempts:
        How many were attacked: people, as a rule; some attacks count cells, counts or combinations of known values.
    claims, right:
        For how many the attacker claims something, and how many claims are right. Both may be expected values: a random
        pick among four rows is right a quarter of the time. ``right`` is nan where nobody can tell, with a ``note``.
    targets:
        A line per target or per case; or a function that makes these lines when somebody first looks at them.
    baseline:
        The success of an attacker without the release who knows what the attack takes as known, and how often each
        published value occurs.
    info:
        What else was found out.
    note:
        A sentence: what cannot be said, and why.
    secret:
        The column that the attack was after, where it is after one.
    sample:
        How many people are behind the attempts, where several attempts are about the same person; intervals are
        computed from it. None: as many as attempts.
    outside:
        The result of the same attack on a control, people who are not in the release.
    each:
        With several secrets the result for each of them, by name.

    Examples
    --------
    >>> found = AttackResult("a guess", 100, 100, 30, pd.DataFrame(), baseline=0.2)
    >>> found = found.against(AttackResult("a guess", 100, 100, 20, pd.DataFrame(), baseline=0.2))
    >>> found
    a guess: 30.0% of 100 attempts succeed, baseline 20.0%, control 20.0%, excess 12.5% (-2.5% to 27.1%)
    >>> round(found.excess, 4), [round(end, 4) for end in found.excess_interval]
    (0.125, [-0.0253, 0.2709])
    """

    attack: object
    attempts: int
    claims: float
    right: float
    targets: pd.DataFrame = _WhenLookedAt()
    baseline: float = field(kw_only=True)
    info: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    secret: str | None = None
    sample: float | None = None
    outside: AttackResult | None = None
    each: Mapping[str, AttackResult] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("info", "each"):
            what, instead = f"{name!r} of an attack's result", f"result.but({name}=…) gives a changed one"
            vars(self)[name] = ReadOnlyDict(vars(self)[name], what, instead)

    @classmethod
    def worst(cls, each: Mapping[str, AttackResult]) -> AttackResult:
        """Choose the result with the highest excess, or else advantage; all results are in its ``each``.

        Examples
        --------
        >>> two = {name: AttackResult("a guess", 10, 10, right, pd.DataFrame(), baseline=0.2, secret=name)
        ...        for name, right in (("ill", 4), ("pay", 6))}
        >>> AttackResult.worst(two).secret
        'pay'
        """
        names = list(each)
        keys = [[0.0 if isnan(gain) else gain for gain in (one.excess, one.advantage)] for one in each.values()]
        chosen = max(range(len(names)), key=lambda place: (*keys[place], -place))
        return each[names[chosen]] if len(each) == 1 else each[names[chosen]].but(each=dict(each))

    def against(self, outside: AttackResult) -> AttackResult:
        """Add a control, the result of the same attack on people who are not in the release.

        Parameters
        ----------
        outside:
            The result of the same attack on people who are not in the release.
        """
        if self.each:
            return type(self).worst({name: one.against(outside.of(name)) for name, one in self.each.items()})
        return self.but(outside=outside)

    def but(self, **changes: Any) -> AttackResult:
        """Return the same result with some changes; lines that nobody has looked at are not made for it.

        Examples
        --------
        >>> AttackResult("a guess", 10, 10, 4, pd.DataFrame, baseline=0.2).but(note="by hand").note
        'by hand'
        """
        return replace(self, **{"targets": vars(self)["targets"], **changes})

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "targets": self.targets}  # functions are not for other processes

    def of(self, secret: str) -> AttackResult:
        """Return the result for one secret.

        Examples
        --------
        >>> two = {name: AttackResult("a guess", 10, 10, right, pd.DataFrame(), baseline=0.2, secret=name)
        ...        for name, right in (("ill", 4), ("pay", 6))}
        >>> AttackResult.worst(two).of("ill").success
        0.4
        """
        if secret in self.each:
            return self.each[secret]
        if secret == self.secret:
            return self
        known = ", ".join(map(str, self.each or filter(None, [self.secret]))) or "none"
        raise KeyError(f"the attack was not after {secret!r}; it was after {known}")

    # ---- shares -----------------------------------------------------------------------------------------------

    @property
    def coverage(self) -> float:
        """The share of the attempts for which something is claimed."""
        return self.claims / self.attempts if self.attempts else 0.0

    @property
    def precision(self) -> float:
        """The share of the claims that are right; nan where nothing is claimed."""
        return self.right / self.claims if self.claims else nan

    @property
    def success(self) -> float:
        """The share of the attempts that end in a right claim."""
        return min(self.right / self.attempts, 1.0) if self.attempts else 0.0

    @property
    def success_interval(self) -> Interval:
        return UNKNOWN if isnan(self.success) else wilson(self.success * self._people, self._people)

    @property
    def control(self) -> float:
        """The success of the same attack on people who are not in the release; nan without a control."""
        return self.outside.success if self.outside is not None and self.outside.attempts else nan

    @property
    def advantage(self) -> float:
        """How far the success is above the baseline, of what was left to gain; nan where nothing was."""
        return _gain(self.success, self.baseline)

    @property
    def advantage_interval(self) -> Interval:
        low, high = self.success_interval
        return _gain(low, self.baseline), _gain(high, self.baseline)

    @property
    def excess(self) -> float:
        """How far the success is above the control, of what was left to gain: what the release says of its people."""
        return _gain(self.success, self.control)

    @property
    def excess_interval(self) -> Interval:
        """The limits of the difference, divided by what was left to gain; at most 1, for no more than that is gained.

        There is no such limit below: with a control of 0.99, a success of 0 is an excess of -99.
        """
        if isnan(self.excess) or self.outside is None:
            return UNKNOWN
        inside, outside = self._people, self.outside._people
        low, high = newcombe(self.success * inside, inside, self.control * outside, outside)
        return min(low / (1 - self.control), 1.0), min(high / (1 - self.control), 1.0)

    @property
    def _people(self) -> float:
        return self.attempts if self.sample is None else self.sample

    # ---- in words ---------------------------------------------------------------------------------------------

    @property
    def reason(self) -> str:
        """Why a figure is missing: the note, or that baseline or control leave nothing to gain."""
        sentences = [self.note] if self.note else []
        if self.outside is not None and not self.outside.attempts:
            sentences.append("nobody in the control has anything to attack")
        if self.control == 1:
            sentences.append("the attack is right about everybody in the control, so there is no excess to measure")
        if self.baseline == 1 and self.attempts:
            sentences.append("a constant guess is always right, so there is no advantage to measure")
        return "; ".join(sentences)

    @property
    def figures(self) -> dict[str, float]:
        """All figures by name."""
        ends = [*self.advantage_interval, *self.excess_interval]
        named = dict(zip(("advantage low", "advantage high", "excess low", "excess high"), ends, strict=True))
        return {name: float(named[name] if name in named else getattr(self, name)) for name in FIGURES}

    @property
    def by_secret(self) -> pd.DataFrame:
        """The figures, a line per secret."""
        names: list[str | None] = [*self.each] or [self.secret]
        results = list(self.each.values()) or [self]
        return pd.DataFrame([one.figures for one in results], index=pd.Index(names, name="secret", dtype=object))

    @property
    def claimed(self) -> str:
        """How often an attack that is silent about some makes a claim, and how often that is right; else nothing.

        Such an attack succeeds less often than a guess for everybody, and may be right in each of its claims.
        """
        if isnan(self.success) or not self.attempts or self.coverage > 0.9995:
            return ""
        if not self.claims:
            return "no claim is made"
        right = "right each time" if self.right == self.claims else f"right in {self.precision:.1%} of them"
        return f"a claim is made in {self.coverage:.1%} of the attempts, {right}"

    @property
    def worth(self) -> str:
        """What the success is worth, in words: baseline, control, and excess or advantage with its interval.

        An attack that is silent about some says how often it makes a claim, and how often that is right.
        """
        words = [f"baseline {self.baseline:.1%}"]
        if not isnan(self.control):
            words.append(f"control {self.control:.1%}")
        name = "advantage" if isnan(self.excess) else "excess"
        if not isnan(getattr(self, name)):
            low, high = getattr(self, f"{name}_interval")
            middle, low, high = (round(100 * share, 1) + 0.0 for share in (getattr(self, name), low, high))  # no -0.0
            words.append(f"{name} {middle:.1f}% ({low:.1f}% to {high:.1f}%)")
        return "; ".join(filter(None, [", ".join(words), self.claimed]))

    @property
    def told(self) -> str:
        """The figures in a line: success, and what it is worth; the claims where nobody can tell which are right."""
        words = f"{self.success:.1%} of {self.attempts:,} attempts succeed"
        if self.attempts == 1:
            words = f"one attempt, {self.success:.1%} successful"
        if isnan(self.success):
            words = f"claims for {self.coverage:.1%} of {pluralize(self.attempts, 'attempt')}"
        if self.each:
            words += f" on {self.secret}, the worst of {len(self.each)} secrets"
        return f"{words}, {self.worth}" + (f"; {self.reason}" if self.reason else "")

    def __repr__(self) -> str:
        return f"{self.attack}: {self.told}"

    def _repr_html_(self) -> str:
        each = [self.by_secret[["attempts", "claims", "right", "success", "baseline", "control", "excess"]].round(3)]
        return html_block(repr(self), *(each if self.each else []), self.targets.head(8))


def _gain(success: float, without: float) -> float:
    """Return what is gained over a success without, as a share of what there was to gain; nan if nothing."""
    return nan if isnan(without) or without >= 1 else (success - without) / (1 - without)
