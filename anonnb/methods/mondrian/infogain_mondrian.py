"""InfoGain Mondrian (LeFevre, DeWitt and Ramakrishnan, KDD 2006): boxes that keep a target predictable.

Each region takes the cut that says most about the decision: the largest information gain for a class, the largest drop
in variance for a number. Cuts continue while any is allowed; when none says anything, the widest attribute is cut at
its median.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonnb.core.parameters.declared import parameter
from anonnb.methods import register
from anonnb.methods.base import GroupMethod, Progress
from anonnb.methods.mondrian.cutting import (
    SUMMARY,
    CountedRegions,
    MedianCuts,
    StrictCutter,
    check_summarized,
    nearness,
)
from anonnb.methods.mondrian.mondrian import check_whole_table
from anonnb.methods.mondrian.regions import Regions, Space, released_columns
from anonnb.tables.release import Release
from anonnb.tables.table import Table


@register
@dataclass(frozen=True)
class InfoGainMondrian(GroupMethod):
    """Strict Mondrian that cuts where the decision column changes most.

    Parameters
    ----------
    summary:
        What is published of a region, as in :class:`~anonnb.methods.Mondrian`.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [20, 30, 40, 50, 60], "ill": ["no", "no", "no", "yes", "yes"]})
    >>> InfoGainMondrian(k=2).anonymize(Table(frame, quasi=["age"], decision="ill")).frame["age"].tolist()
    ['[20–40]', '[20–40]', '[20–40]', '[50–60]', '[50–60]']

    Guarantees
    ----------
    proved:
        Every class has at least k rows and meets every required model; this is checked again before the release is
        handed out. The cuts are strict and go on while any is allowed.
    tested:
        50 random tables of 8 to 20 rows, with classes and with numbers as the decision: the first cut has the largest
        gain of all allowed cuts.
    heuristic:
        Each cut is chosen greedily by its own gain. A decision that depends on two attributes only together gives no
        cut a gain; then the widest attribute is cut.
    paper:
        K. LeFevre, D. DeWitt and R. Ramakrishnan, Workload-aware anonymization, KDD 2006.
    """

    rows_in_seconds: ClassVar[int] = 1_000_000
    needs_decision: ClassVar[bool] = True

    uses_weights: ClassVar[bool] = True
    keeps_limits: ClassVar[str] = "parts"

    summary: str = parameter(SUMMARY, default="set")

    def _check_table(self, table: Table) -> None:
        super()._check_table(table)
        check_summarized(table, self.summary)

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        check_whole_table(self, table)
        check = self.further_check(table)
        cutter, rows = StrictCutter(self.k, GainCuts(_target(table)), check), np.arange(len(table))
        return Release(table, released_columns(table, rows, Space(table), cutter, self.summary), rows, method=self)


class GainCuts(MedianCuts):
    """Ranks cuts by how far they reduce the scatter of the target; ties as in MedianCuts."""

    measured: ClassVar[str] = "gain"

    def __init__(self, target: ClassTarget | NumberTarget):
        self.target = target

    def scores(self, regions: CountedRegions, axis: int, allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        assert isinstance(regions, Regions)  # gains need the rows, not only their counts
        values = regions.values[axis]
        sums = self.target.sums(regions.rows, values.indices(regions.region, regions.codes[axis]), len(values.owner))
        left = np.cumsum(sums, axis=0)
        left -= np.repeat(left[values.first] - sums[values.first], values.last - values.first + 1, axis=0)
        whole = left[values.last]
        scatter = self.target.scatter
        gain = scatter(whole)[values.owner] - scatter(left) - scatter(whole[values.owner] - left)
        size = regions.sizes[values.owner]
        gain = np.round(gain / size, 9)  # the noise of sums must not decide ties
        near = nearness(regions, axis, np.arange(len(gain)))
        return np.maximum.reduceat(np.where(allowed, gain, -np.inf), values.first), gain + 1e-10 * near / size

    def why(self, name: str, measured: float) -> str:
        if measured > 0:
            return f"this cut tells the most about the decision, {measured:.3g} {self.target.unit}"
        return f"no cut tells anything about the decision, and {name} is the widest attribute that can be cut"


class ClassTarget:
    """A decision with classes: it scatters by its entropy (in bits, times the rows)."""

    unit: ClassVar[str] = "bits per row"

    def __init__(self, codes: np.ndarray, size: int):
        self.codes, self.size = codes, size

    def sums(self, rows: np.ndarray, index: np.ndarray, count: int) -> np.ndarray:
        """Count the rows of each class at each index."""
        flat = np.bincount(index * self.size + self.codes[rows], minlength=count * self.size)
        return flat.reshape(count, self.size).astype(float)

    @staticmethod
    def scatter(counts: np.ndarray) -> np.ndarray:
        """n·H = n·log n − Σ c·log c."""
        total = counts.sum(axis=1)
        logs = np.log2(counts, out=np.zeros_like(counts), where=counts > 0)
        return total * np.log2(np.maximum(total, 1)) - (counts * logs).sum(axis=1)


class NumberTarget:
    """A numeric decision: it scatters by its sum of squared deviations; missing numbers do not count."""

    unit: ClassVar[str] = "of the whole variance per row"

    def __init__(self, numbers: np.ndarray):
        spread = np.nanstd(numbers) or 1.0  # one unit for every target, so that rounding treats them alike
        self.numbers = np.nan_to_num((numbers - np.nanmean(numbers)) / spread)
        self.known = (~np.isnan(numbers)).astype(float)

    def sums(self, rows: np.ndarray, index: np.ndarray, count: int) -> np.ndarray:
        """Return the known numbers, their sum and their sum of squares at each index."""
        number = self.numbers[rows]
        parts = (self.known[rows], number, number * number)
        return np.column_stack([np.bincount(index, part, minlength=count) for part in parts])

    @staticmethod
    def scatter(sums: np.ndarray) -> np.ndarray:
        """Σ y² − (Σ y)²/n."""
        return sums[:, 2] - sums[:, 1] ** 2 / np.maximum(sums[:, 0], 1)


def _target(table: Table) -> ClassTarget | NumberTarget:
    decision = table.decision
    assert decision is not None  # _check_table asked for it
    attribute, codes = table.attributes[decision], table.codes(decision)
    if attribute.kind == "numeric":
        return NumberTarget(attribute.numbers[codes])
    return ClassTarget(codes.astype(np.int64), attribute.size)
