"""The skewness and the similarity attack (Li, Li and Venkatasubramanian 2007): what is likely, what is nearly known.

Skewness: the candidates' shares raise the attacker's belief in the true value by a factor. Similarity: the candidates'
values differ, but lie so close together that the secret is out all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from anonnb.attacks import register
from anonnb.attacks.base import AttackResult
from anonnb.attacks.candidates import Candidates, known_columns, secret_column
from anonnb.attacks.homogeneity import HomogeneityAttack
from anonnb.core.card import Card
from anonnb.core.parameters.constraints import SHARE, Number
from anonnb.core.parameters.declared import parameter
from anonnb.tables.release import Release
from anonnb.tables.table import Table


@register
@dataclass(frozen=True)
class SkewnessAttack(HomogeneityAttack):
    """Believe in a value because it is frequent among the candidates.

    Parameters
    ----------
    belief:
        The attack succeeds on a person when the share of their true value among the candidates is at least this, and
        higher than in the whole release.
    similar:
        For numbers: also when all candidates' values lie within this share of the whole range (0 switches it off).

    >>> import anonnb
    >>> SkewnessAttack(belief=0.6, known=["sex"]).run(Release.of(anonnb.load("decision6"))).success
    0.5
    """

    card: ClassVar[Card] = Card(
        proved=(
            "A person counts only when the share of their true value among the candidates reaches the belief and is "
            "above its share in the whole release."
        ),
        tested="By hand, on six people in two classes, with skewed shares and with similar numbers.",
        heuristic=(
            "The belief that counts as success is a choice, and so is the width of a band that counts as similar. All "
            "candidates count as equally likely."
        ),
        paper=(
            "N. Li, T. Li and S. Venkatasubramanian, t-closeness: privacy beyond k-anonymity and l-diversity, ICDE "
            "2007."
        ),
    )

    needs_sensitive: ClassVar[bool] = True
    place: ClassVar[int] = 3

    belief: float = parameter(SHARE, default=0.8)
    similar: float = parameter(Number(at_least=0, below=1), default=0.0)

    def run(self, release: Release, table: Table | None = None) -> AttackResult:
        """One line per combination of known values: the likeliest value, its share there and in the whole release."""
        people = release.table if table is None else table
        secret = secret_column(self.column, release)
        cases = Candidates(release, people, known_columns(self.known, release, people), secret)
        size = np.maximum(cases.values.sum(axis=1, keepdims=True), 1e-12)
        shares = cases.values / size
        before = _whole_shares(release, secret)
        truth = cases.truth()
        believed = (shares >= self.belief - 1e-12) & (shares > before + 1e-12)
        hit = (truth >= 0) & believed[cases.case, truth]
        if self.similar:
            near = _close_values(cases, self.similar)
            hit |= near[cases.case] & (truth >= 0) & cases.possible[cases.case, truth]
        right = np.bincount(cases.case[hit], minlength=cases.n_cases)
        likely = shares.argmax(axis=1)
        frame = pd.DataFrame(
            {
                "known": cases.texts(),
                "people": cases.people_per_case,
                "candidates": cases.size,
                "likeliest": np.array(cases.labels(), dtype=object)[likely],
                "share": shares[np.arange(cases.n_cases), likely],
                "share before": before[likely],
                "right": right,
                "score": right / cases.people_per_case,
            }
        )
        return AttackResult(self, float(hit.mean()) if len(hit) else 0.0, len(hit), frame)


def _whole_shares(release: Release, secret: str) -> np.ndarray:
    index, weights = release.says(secret)
    return np.bincount(index, minlength=weights.shape[0]) @ weights / max(len(index), 1)


def _close_values(cases: Candidates, similar: float) -> np.ndarray:
    """Cases whose possible values are several numbers within a narrow band."""
    attribute = cases.release.columns[cases.sensitive].attribute
    if attribute.kind == "nominal":
        return np.zeros(cases.n_cases, dtype=bool)
    numbers = attribute.numbers * attribute.difference_scale
    low = np.where(cases.possible, numbers, np.inf).min(axis=1)
    high = np.where(cases.possible, numbers, -np.inf).max(axis=1)
    whole = np.nanmax(numbers) - np.nanmin(numbers)
    return (cases.size > 0) & (high - low <= similar * whole)
