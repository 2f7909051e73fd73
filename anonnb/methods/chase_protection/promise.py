"""What Chase protection promises: with the given rules, Chase fills in no secret cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonnb.core.errors import Infeasible
from anonnb.methods.promises import Anonymity, Promise
from anonnb.rules.incomplete.chase import ChaseResult, ChaseState, run
from anonnb.rules.incomplete.knowledge import Knowledge, ready
from anonnb.tables.incomplete_table import IncompleteTable
from anonnb.tables.release import Release


@dataclass(frozen=True)
class Unrevealed(Promise):
    """Chase with the rules that were given fills in no secret cell; with ``k``, k-anonymity besides."""

    name: ClassVar[str] = "nothing revealed by Chase"

    threshold: float
    against: str
    k: int | None = None

    @property
    def guarantee(self) -> str:
        what = "no value of a secret" if self.against == "every" else "no true value of a secret"
        further = "" if self.k is None else f" {Anonymity(self.k).guarantee}"
        return f"Chase with the rules of release.info derives {what} at the threshold {self.threshold:g}.{further}"

    @property
    def limits(self) -> str:
        return "An attacker with other rules, a lower threshold or another way of reasoning may still infer a secret."

    @property
    def floors(self) -> dict[str, int]:
        return {} if self.k is None else Anonymity(self.k).floors

    def check(self, published: Release) -> None:
        if self.k is not None:
            Anonymity(self.k).check(published)
        rules, secret = published.info["rules"], published.info["secret"]
        system = ready(IncompleteTable.of(published), rules, self.threshold)
        knowledge = Knowledge.of(rules, system)
        targets = np.isin(knowledge.owner, [knowledge.names.index(name) for name in secret])
        if self.against == "true":
            original = {name: published.table.take(published.rows).codes(name) for name in secret}
            own = [[original.get(name) == code] if name in secret else [False] for name, code in knowledge.items]
            targets = targets & np.array(np.broadcast_arrays(*[flags[0] for flags in own])).T
        state = ChaseState.of(system, knowledge)
        for normalize in (True, False):
            found = ChaseResult(system, knowledge, state, *run(knowledge, state, self.threshold, normalize))
            revealed = ((found.final[state.line] > 0) & targets).any(axis=1)
            if revealed.any():
                raise Infeasible(f"{published.method}: Chase fills in the secret of {int(revealed.sum())} rows")
