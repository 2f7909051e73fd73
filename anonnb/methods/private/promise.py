"""The promise of differential privacy (Dwork, McSherry, Nissim and Smith 2006; with δ: Dwork et al. 2006).

It is a property of how rows are made and not of the rows: nothing about it can be recounted from a published file.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from anonnb import privacy
from anonnb.core.measure import LOWER, Measure
from anonnb.methods.promises import Promise
from anonnb.tables.release import Release
from anonnb.tables.table import Table


@dataclass(frozen=True)
class DifferentialPrivacy(Promise):
    """(ε, δ)-differential privacy of one row, or of all rows of one person where the table names one."""

    name: ClassVar[str] = "differential privacy"
    measures: ClassVar[tuple[Measure, ...]] = (
        Measure("ε", LOWER, lambda seen: seen.classes.release.promise.epsilon, "Promised instead of k.", high=math.inf),
    )
    # these count published rows as if they were people's, and none is
    misleading: ClassVar[frozenset[str]] = frozenset(
        {*(each.name for each in privacy.MEASURES), "suppressed rows", "discernibility", "average class size"}
    )

    epsilon: float
    delta: float
    rows_per_person: int
    domain: str

    @property
    def guarantee(self) -> str:
        return self._of("one row of the table is")

    def guaranteed(self, table: Table) -> str:
        return self.guarantee if table.person is None else self._of("the rows of one person are")

    def _of(self, who: str) -> str:
        sentence = (
            f"Whether {who} there or not changes the probability of any release, and of any conclusion from it, by a "
            f"factor of at most e^{self.epsilon:g} = {math.exp(min(self.epsilon, 700)):.3g}, save for {self.delta:g}."
        )
        if self.domain == "declared":
            return sentence
        return f"{sentence} Not covered are the values of columns without a declared domain: they come from the table."

    @property
    def limits(self) -> str:
        return (
            "It does not keep anybody from learning what holds of many people, and so of each of them, such as that "
            "smokers cough; and every further release from the same table costs a further ε."
        )

    def amount(self, table: Table, release: Release) -> str:
        return f"{len(release):,} synthetic rows"

    def facts(self, table: Table, release: Release) -> dict[str, float]:
        return {"epsilon": self.epsilon, "synthetic rows": len(release)}
