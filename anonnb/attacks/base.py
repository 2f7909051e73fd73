"""What all attacks share: a frozen dataclass of parameters, ``run(release, table)``, and an AttackResult.

An attack sees what was published and what its knowledge says; the original table only tells whether it was right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pandas as pd

from anonnb.core.card import Card
from anonnb.core.parameters.declared import Parameters
from anonnb.tables.release import Release
from anonnb.tables.table import Table, html_block


@dataclass(frozen=True, eq=False)
class AttackResult:
    """The outcome of an attack: ``success`` (a share of the attempts), ``attempts`` and one line per target."""

    attack: object
    success: float
    attempts: int
    targets: pd.DataFrame
    info: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"{self.attack}: {self.success:.1%} of {self.attempts:,} attempts succeed"

    def _repr_html_(self) -> str:
        return html_block(repr(self), self.targets.head(8))


@dataclass(frozen=True)
class Attack(Parameters):
    """Base of all attacks. Subclasses add parameters and implement ``run``.

    ``reads`` says what an attack looks at: a ``"release"``, or ``"mined"`` results such as itemsets and trees.
    ``needs_sensitive`` attacks are after a sensitive column. ``quick`` ones need nothing but a release and answer in
    seconds: the explorer offers them. ``by_default`` ones take part in a comparison that names none. Lists begin with
    those of the lowest ``place``, the plainest. ``judged`` names the columns of a result's targets that come from the
    truth; beside them and those named like a column of the table, targets hold claims, which must not. ``exempt`` names
    properties of :func:`anonnb.testing.check_attack` that a class is not asked for, each with the reason. ``card`` is
    the guarantee card.
    """

    reads: ClassVar[str] = "release"
    needs_sensitive: ClassVar[bool] = False
    quick: ClassVar[bool] = True
    by_default: ClassVar[bool] = True
    place: ClassVar[int] = 100
    judged: ClassVar[frozenset[str]] = frozenset({"right", "score", "truth", "re-identified", "true count"})
    exempt: ClassVar[Mapping[str, str]] = {}
    card: ClassVar[Card] = Card()

    def run(self, release: Release, table: Table | None = None) -> AttackResult:
        """Attack a release; ``table`` is the original (the release's own by default)."""
        raise NotImplementedError
