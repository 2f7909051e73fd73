"""What a published file must contain and keep, and what was recounted of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from anonnb.core.card import Claim


@dataclass(frozen=True, eq=False)
class Expectation:
    """What a file must contain and keep.

    Parameters
    ----------
    quasi, sensitive, also, unknown_outside, other:
        Its columns by role. ``also`` are published as they are and count as quasi-identifiers, ``unknown_outside`` are
        published as they are and known to nobody outside, and ``other`` ones (a decision) are merely allowed.
    identifiers:
        Columns that must not be there, including the column of the person.
    identities:
        The values of identifier columns, as texts, which must not stand inside the texts of the file, either.
    may_name:
        Columns whose texts may name people, as somebody declared.
    within:
        Columns that are the same in all rows of another column of the original, such as a household.
    household:
        The column of household numbers, if they are published: rows of a number are known to live together.
    claims:
        What is promised of every class.
    nominal, orders:
        The sensitive columns without an order, and the values of ordinal ones in their order.
    input_rows, suppressed, most_suppressed:
        Rows of the original, rows that were withheld (None: unknown), and the share that may be withheld.
    people:
        Pairs of (row of the file, number of a person), from the release; None if every row is a person.
    cells:
        What the release means to write: per column a number for each row; equal numbers mean equal texts.
    weight, weights:
        The column of survey weights, and the original weight of each row of the file, from the release.
    most_rows_each:
        The most rows of one person in the original, if the table names people but ``people`` is unknown.
    counted:
        Whom these count: people or households.
    """

    quasi: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    unknown_outside: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    identities: Mapping[str, Sequence[str]] = field(default_factory=dict)
    may_name: tuple[str, ...] = ()
    within: Mapping[str, str] = field(default_factory=dict)
    household: str | None = None
    claims: tuple[Claim, ...] = ()
    nominal: frozenset[str] = frozenset()
    orders: Mapping[str, Sequence[str]] = field(default_factory=dict)
    input_rows: int | None = None
    suppressed: int | None = None
    most_suppressed: float | None = None
    people: tuple[np.ndarray, np.ndarray] | None = None
    cells: Mapping[str, np.ndarray] = field(default_factory=dict)
    most_rows_each: int = 1
    counted: str = "people"
    weight: str | None = None
    weights: np.ndarray | None = None

    @property
    def known(self) -> tuple[str, ...]:
        """Return the columns by which an outsider may find a row."""
        return (*self.quasi, *(name for name in self.also if name not in self.quasi))


@dataclass(frozen=True)
class Recount:
    """One thing that was checked; ``passed`` is None if a file alone does not show it."""

    what: str
    passed: bool | None
    sentence: str


@dataclass(frozen=True)
class VerificationReport:
    """All that was recounted; true if nothing failed."""

    findings: tuple[Recount, ...]
    figures: Mapping[str, float]

    def __bool__(self) -> bool:
        return not self.failures

    @property
    def failures(self) -> list[str]:
        return [finding.sentence for finding in self.findings if finding.passed is False]

    @property
    def unchecked(self) -> list[str]:
        return [finding.sentence for finding in self.findings if finding.passed is None]

    @property
    def passed(self) -> list[str]:
        return [finding.sentence for finding in self.findings if finding.passed]
