"""The results of attacks that are not after a secret: linkage, membership, isolation and cells."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isnan, nan
from typing import ClassVar

import numpy as np

from anonnb.attacks.intervals import UNKNOWN, Interval, newcombe
from anonnb.attacks.ranking import auc, auc_interval, true_positives_at
from anonnb.attacks.result import AttackResult
from anonnb.core.wording import percent, pluralize


@dataclass(frozen=True, eq=False, repr=False)
class LinkageResult(AttackResult):
    """An attack that links people to published rows.

    Parameters
    ----------
    linked:
        How many of the attacked people are linked to some row, their own or not.
    rows:
        How many rows were published: somebody who picks one at random is right with probability 1 / rows.

    Examples
    --------
    >>> import pandas as pd
    >>> found = LinkageResult("a search", 100, 20.0, pd.DataFrame(), linked=100, rows=1000)
    >>> found = found.against(LinkageResult("a search", 50, 0.0, pd.DataFrame(), linked=30, rows=1000))
    >>> found.success, found.false_links, found.precision
    (0.2, 0.6, 0.125)
    """

    kind: ClassVar[str] = "linkage"
    headline_name: ClassVar[str] = "linked to their own row"

    linked: float = field(kw_only=True)
    rows: int = field(kw_only=True)
    outside: LinkageResult | None = field(default=None, kw_only=True)

    @property
    def baseline(self) -> float:
        """The success of picking a row at random."""
        return 1 / self.rows if self.rows else 0.0

    @property
    def false_links(self) -> float:
        """The share of outsiders who are linked to some row; nan without a control."""
        return (
            self.outside.linked / self.outside.attempts if self.outside is not None and self.outside.attempts else nan
        )

    @property
    def precision(self) -> float:
        """The probability that a link is right, in a list of which half are members; nan without a control."""
        links = (self.linked / self.attempts if self.attempts else 0.0) + self.false_links
        return self.success / links if links else nan

    @property
    def _sentence(self) -> str:
        families = getattr(self.attack, "unit", "person") == "household"
        what, row = (("household",), "household number") if families else (("person", "people"), "row")
        people = pluralize(self.attempts, *what)
        if isnan(self.success):
            text = f"links {percent(self.linked / max(self.attempts, 1))} of {people} to some {row}"
        else:
            text = (
                f"links {percent(self.success)} of {people} to their own {row} (baseline {percent(self.baseline, 2)})"
            )
        if isnan(self.false_links):
            return text
        text += f"; {percent(self.false_links)} of outsiders are linked to some {row}, too"
        if isnan(self.precision):
            return text
        apart = " if members compete only with members" if self.info.get("competing") else ""
        return f"{text}, so in a list of which half are members {percent(self.precision)} of the links are right{apart}"


@dataclass(frozen=True, eq=False, repr=False)
class MembershipResult(AttackResult):
    """An attack that says who is in a release: success is the true minus the false positive rate.

    Parameters
    ----------
    scores:
        A number for each person: the higher, the more likely a member.
    claimed:
        For each person whether they are taken for a member.

    Examples
    --------
    >>> import pandas as pd
    >>> inside = MembershipResult("a guess", 2, np.nan, pd.DataFrame(), scores=np.array([0.9, 0.4]),
    ...                           claimed=np.array([True, False]))
    >>> outside = inside.replace(scores=np.array([0.4, 0.1]), claimed=np.array([False, False]))
    >>> found = inside.against(outside)
    >>> found.success, found.auc, found.tpr_at(0.01)
    (0.5, 0.875, 0.5)
    """

    kind: ClassVar[str] = "membership"
    headline_name: ClassVar[str] = "true minus false positive rate"
    baseline: ClassVar[float] = 0.0  # of claims that are dealt out at random

    scores: np.ndarray = field(kw_only=True)
    claimed: np.ndarray = field(kw_only=True)
    outside: MembershipResult | None = field(default=None, kw_only=True)

    @property
    def _judged(self) -> bool:
        return self.outside is not None and bool(len(self.scores) and len(self.outside.scores))

    @property
    def true_positives(self) -> float:
        """The share of members who are taken for members."""
        return float(self.claimed.mean()) if len(self.claimed) else nan

    @property
    def false_positives(self) -> float:
        """The share of outsiders who are taken for members."""
        return self.outside.true_positives if self.outside is not None else nan

    @property
    def success(self) -> float:
        """The true minus the false positive rate; below 0 if outsiders are taken for members more often."""
        return self.true_positives - self.false_positives if self.attempts else 0.0

    @property
    def success_interval(self) -> Interval:
        if not self._judged or self.outside is None:
            return UNKNOWN
        counts = len(self.claimed), len(self.outside.claimed)
        return newcombe(self.claimed.sum(), counts[0], self.outside.claimed.sum(), counts[1])

    @property
    def auc(self) -> float:
        """The area under the ROC curve; nan without outsiders."""
        return auc(self.scores, self.outside.scores) if self._judged and self.outside is not None else nan

    @property
    def auc_interval(self) -> Interval:
        if not self._judged or self.outside is None:
            return UNKNOWN
        return auc_interval(self.auc, len(self.scores), len(self.outside.scores))

    def tpr_at(self, false_positives: float) -> float:
        """Return the largest true positive rate of a threshold that at most this share of outsiders reach.

        Whoever reaches the threshold is taken for a member, so people with equal scores count together; with fewer than
        1 / ``false_positives`` outsiders, none of them may reach it. It is nan without outsiders.
        """
        if not self._judged or self.outside is None:
            return nan
        return true_positives_at(false_positives, self.scores, self.outside.scores)

    @property
    def _sentence(self) -> str:
        people = pluralize(self.attempts, "person", "people")
        if not self._judged:
            return f"takes {percent(self.true_positives)} of {people} for members (baseline unknown)"
        low, high = self.auc_interval
        return (
            f"takes {percent(self.true_positives)} of {people} and {percent(self.false_positives)} of outsiders for "
            f"members; AUC {self.auc:.3f} ({low:.3f} to {high:.3f}), where 0.5 is guessing; at 1 % false positives it "
            f"finds {percent(self.tpr_at(0.01))} of the members"
        )


@dataclass(frozen=True, eq=False, repr=False)
class IsolationResult(AttackResult):
    """An attack that writes predicates: a predicate succeeds if it holds for exactly one person.

    Parameters
    ----------
    baseline:
        The success of trivial predicates of the same weight.
    """

    kind: ClassVar[str] = "isolation"
    headline_name: ClassVar[str] = "isolating predicates"

    baseline: float = field(kw_only=True)

    @property
    def _sentence(self) -> str:
        return (
            f"isolates one person with {self.right:,.0f} of {pluralize(self.attempts, 'predicate')} "
            f"({percent(self.success)}; baseline {percent(self.baseline)})"
        )


@dataclass(frozen=True, eq=False, repr=False)
class CellsResult(AttackResult):
    """An attack that claims cells, rows or counts.

    Parameters
    ----------
    claims:
        How many of the attempts end in a claim.
    luck:
        How many of equally many guesses from the margins alone would be right; nan if nobody can tell, and then there
        is a ``note``.
    unit:
        What is claimed, in the singular.
    """

    kind: ClassVar[str] = "cells"
    headline_name: ClassVar[str] = "right claims"

    claims: float = field(kw_only=True)
    luck: float = field(kw_only=True)
    unit: str = field(default="cell", kw_only=True)

    @property
    def baseline(self) -> float:
        """The share of the attempts that equally many guesses from the margins would get right."""
        return min(self.luck / self.attempts, 1.0) if self.attempts else 0.0

    @property
    def precision(self) -> float:
        """The share of the claims that are right; nan without claims."""
        return self.right / self.claims if self.claims else nan

    @property
    def better_than_guessing(self) -> bool:
        return not self.success <= self.baseline  # an unknown baseline says nothing against the attack

    @property
    def _sentence(self) -> str:
        right = "" if isnan(self.right) else f", {self.right:,.0f} of them right"
        luck = "baseline unknown" if isnan(self.luck) else f"baseline: {self.luck:,.1f} by luck"
        return f"claims {self.claims:,.0f} of {pluralize(self.attempts, self.unit)}{right} ({luck})"
