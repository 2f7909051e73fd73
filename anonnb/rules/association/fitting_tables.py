"""All tables that agree with published itemsets, searched by integer programs: which small counts hold in each of them.

A table is a count per cell (which items a person has). A pattern, all of I and none of L, is disclosed when every table
that fits has 1 to k − 1 people in it. One table with nobody or k people in many patterns clears all of them at once.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from anonnb.core import remedies
from anonnb.core.errors import Infeasible, Message, advice
from anonnb.rules.association.channels import Supports
from anonnb.rules.association.deductions import Completed, single_bits

MOST_CELLS, MOST_PATTERNS = 512, 20_000
WITHHOLD = remedies.parameter("strategy", "withhold")  # which needs no integer program


class FittingTables:
    """The tables that fit some of the given supports, and the patterns over their items, as sets of cells.

    Parameters
    ----------
    exclusive:
        Whether nobody has two values of an attribute.

    Examples
    --------
    >>> from anonnb.rules.association.channels import items
    >>> supports = Supports({(): 100, items("sex=M"): 60, items("sex=F"): 38})
    >>> tables = FittingTables(supports)
    >>> tables.patterns[tables.disclosed(3)].tolist()  # of the cells neither, M, F (in the order of the items)
    [1, 0, 0]
    >>> tables.disclosed(2) is None
    True
    >>> len(tables.core(tables.disclosed(3), 3, list(supports.counts)))
    3
    """

    def __init__(self, supports: Supports, exclusive: bool = True):
        self.counts = supports.counts
        families = sorted(set(Completed(supports, exclusive, deduce=False).family.values()))
        values = [list(single_bits(mask)) for mask in families]
        _check_size([len(bits) for bits in values])
        self.cells, self.patterns = [0], np.ones((1, 1), dtype=np.int64)
        for bits in values:
            self.cells = [cell | bit for cell in self.cells for bit in (0, *bits)]
            self.patterns = np.kron(self.patterns, _choices(len(bits)))
        self._inside = {bits: np.array([cell & bits == bits for cell in self.cells]) for bits in self.counts}
        self._seen: list[np.ndarray] = []  # tables that fit at least some choice of supports

    def disclosed(self, k: int, published: Collection[int] | None = None) -> int | None:
        """Return a pattern with 1 to k − 1 people in every table that fits the published supports.

        Parameters
        ----------
        published:
            The bit patterns of the published supports; all by default.
        """
        published = self.counts if published is None else published
        small = np.ones(len(self.patterns), dtype=bool)
        for table in self._seen:
            if all(table[self._inside[bits]].sum() == self.counts[bits] for bits in published):
                small &= self._small(table, k)
        while small.any():
            pattern = int(small.argmax())
            other = self._without_leak(pattern, k, published)
            if other is None:
                return pattern
            self._seen.append(other)
            small &= self._small(other, k)
        return None

    def core(self, pattern: int, k: int, published: Collection[int]) -> frozenset[int]:
        """Return a minimal set of published supports that already disclose a pattern."""
        needed = set(published)
        for bits in sorted(published, key=lambda bits: (-bits.bit_count(), bits)):
            if self._without_leak(pattern, k, needed - {bits}) is None:
                needed.remove(bits)
        return frozenset(needed)

    def _small(self, table: np.ndarray, k: int) -> np.ndarray:
        counts = self.patterns @ table
        return (counts > 0) & (counts < k)

    def _without_leak(self, pattern: int, k: int, published: Collection[int]) -> np.ndarray | None:
        """Return a table that fits and has nobody, or at least k people, in the pattern."""
        inside = self.patterns[pattern]
        for lower, upper in ((0, 0), (k, np.inf)):
            table = self._table(published, inside, lower, upper)
            if table is not None:
                return table
        return None

    def _table(self, published: Collection[int], inside: np.ndarray, lower: float, upper: float) -> np.ndarray | None:
        from scipy.optimize import Bounds, LinearConstraint, milp

        counts = [self.counts[bits] for bits in published]
        matrix = np.vstack([*(self._inside[bits] for bits in published), inside]).astype(float)
        solution = milp(
            np.zeros(len(self.cells)),
            constraints=LinearConstraint(matrix, [*counts, lower], [*counts, upper]),
            integrality=np.ones(len(self.cells)),
            bounds=Bounds(0, np.inf),
        )
        if solution.x is None and solution.status != 2:  # 2: no table fits
            raise Infeasible(Message(f"the integer program gave up ({solution.message})", advice("; use ", WITHHOLD)))
        return None if solution.x is None else np.round(solution.x).astype(np.int64)


def _choices(size: int) -> np.ndarray:
    """What a pattern may require of an attribute, over its cells (no value, each value): one value, or none of some."""
    having = np.eye(size + 1, dtype=np.int64)[1:]
    lacking = 1 - (np.arange(2**size)[:, None] >> np.arange(size) & 1)
    return np.vstack([having, np.column_stack([np.ones(2**size, dtype=np.int64), lacking])])


def _check_size(sizes: list[int]) -> None:
    cells = float(np.prod([size + 1.0 for size in sizes]))
    patterns = float(np.prod([size + 2.0**size for size in sizes]))
    if cells > MOST_CELLS or patterns > MOST_PATTERNS:
        raise Infeasible(
            Message(
                f"{sum(sizes)} items make {cells:,.0f} cells and {patterns:,.0f} patterns, and the strategy 'sure' "
                f"checks at most {MOST_CELLS} and {MOST_PATTERNS:,}; raise min_support, mine fewer attributes",
                advice(", or use ", WITHHOLD),
            )
        )
