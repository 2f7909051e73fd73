"""Bounded belief: what is promised where secrets are published per group (Xiao and Tao 2006, 2007).

Anyone who finds a person's row finds a group, whose l different values are equally likely. The promise is recounted
from the two published files. Reading: a missing value is no secret, so it neither counts nor protects.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from anonnb.core.card import Claim
from anonnb.core.errors import Infeasible
from anonnb.core.measure import LOWER, WHOLE, Measure
from anonnb.methods.promises import Promise
from anonnb.tables.grouped_secrets import GroupedSecrets
from anonnb.tables.release import Release
from anonnb.tables.table import Table


def grouped_secrets(release: Release) -> GroupedSecrets:
    """Return the secrets that a release publishes per group."""
    if release.secrets is None:
        raise ValueError("the release publishes no secrets per group")
    return release.secrets


def highest_belief(release: Release) -> float:
    """Return the largest share of a known value among the known ones of a group: the most that anyone may believe."""
    secrets = grouped_secrets(release)
    attribute = release.table.attributes[secrets.column]
    alike = attribute.as_written[secrets.value]
    known = np.ones(len(alike), dtype=bool)
    if attribute.blank_code is not None:
        known = alike != attribute.as_written[attribute.blank_code]
    keys, inverse = np.unique(secrets.owner[known] * np.int64(attribute.size) + alike[known], return_inverse=True)
    together = np.bincount(inverse, weights=secrets.count[known], minlength=len(keys))
    sizes = np.bincount(secrets.owner[known], weights=secrets.count[known], minlength=secrets.n_groups)
    return float((together / sizes[keys // attribute.size]).max(initial=0.0))


@dataclass(frozen=True)
class BoundedBelief(Promise):
    """No value has a share above 1/l in a group, so nobody may believe more of a person in it."""

    name: ClassVar[str] = "bounded belief"
    measures: ClassVar[tuple[Measure, ...]] = (
        Measure(
            "highest belief",
            LOWER,
            lambda exposure: highest_belief(exposure.classes.release),
            "Largest share of one sensitive value in a group: promised instead of k.",
            applies=lambda exposure: exposure.classes.release.secrets is not None,
            parts=WHOLE,
        ),
    )

    l: int  # noqa: E741

    @classmethod
    def of(cls, method: Any) -> BoundedBelief:
        return cls(getattr(method, method.strength))

    @property
    def guarantee(self) -> str:
        return (
            f"Anyone who knows only a person's quasi-identifier believes in each sensitive value of theirs with at "
            f"most 1/{self.l}."
        )

    @property
    def limits(self) -> str:
        return (
            "It does not hide who is in the table, and somebody who learns the secrets of others, or how secrets "
            "depend on quasi-identifiers, may believe more."
        )

    @property
    def floors(self) -> dict[str, int]:
        return {"secrets": self.l}

    @property
    def claims(self) -> tuple[Claim, ...]:
        return (Claim("Belief", {"l": self.l}, f"a belief of at most 1/{self.l}"),)

    def check(self, published: Release) -> None:
        highest = highest_belief(published)
        if highest > 1 / self.l + 1e-9:
            raise Infeasible(f"{published.method or self}: a group gives a value a share of {highest:.3g}")

    def facts(self, table: Table, release: Release) -> dict[str, float]:
        return {"groups": grouped_secrets(release).n_groups, "highest belief": highest_belief(release)}
