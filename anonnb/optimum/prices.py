"""What a group of rows costs under each measure, as arrays for the searches of this folder.

NCP (Xu et al. 2006): rows times summed widths. Suppression (Meyerson and Williams 2004): rows times columns that vary.
SSE (Domingo-Ferrer and Mateo-Sanz 2002): squared distances from the group's mean. Times ``scale``, the costs of groups
add up to what the measure of the same name in :mod:`anonnb.utility` says of the release that they make.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anonnb.core.arrays import first_places, group_ids
from anonnb.tables.table import Table

MEASURES = ("ncp", "discernibility", "sse", "suppression")


@dataclass(frozen=True)
class Prices:
    """Quasi-identifier as columns that widen with the rows of a group; the arrays are rows × columns.

    The width of an ordered column of a group is the distance between its ``place`` values, that of a nominal one
    ``step`` for every value after the first, neither more than ``cap``. ``withheld`` is the cost of an unpublished row.
    """

    measure: str
    codes: np.ndarray
    place: np.ndarray
    is_nominal: np.ndarray
    step: np.ndarray
    cap: np.ndarray
    withheld: np.ndarray
    scale: float

    @property
    def squares(self) -> bool:
        """Whether a group costs its sum of squares, and not its rows times its widths."""
        return self.measure == "sse"

    @classmethod
    def of(cls, table: Table, measure: str = "ncp") -> Prices:
        """Return the prices of a table's rows under a measure.

        >>> import pandas as pd
        >>> table = Table(pd.DataFrame({"age": [20, 30, 40], "sex": list("fmm")}), quasi=["age", "sex"])
        >>> prices = Prices.of(table)
        >>> prices.costs(np.array([0, 1, 1])).tolist(), round(prices.scale, 3)
        ([0.0, 1.0], 0.167)
        """
        make = {"ncp": _loss, "sse": _squares, "suppression": _suppression}
        if measure not in make:
            raise ValueError(f"measure={measure!r} has no prices of groups; use {', '.join(map(repr, make))}")
        return make[measure](table)

    def costs(self, groups: np.ndarray, n_groups: int | None = None) -> np.ndarray:
        """Return the cost of every group; ``groups`` numbers the rows, and -1 stands for no group."""
        n_groups = int(groups.max(initial=-1)) + 1 if n_groups is None else n_groups
        rows = np.flatnonzero(groups >= 0)
        groups = groups[rows]
        sizes = np.bincount(groups, minlength=n_groups)
        total = np.zeros(n_groups)
        for column in range(len(self.cap)):
            positions = self.place[rows, column]
            if self.squares:
                mean = np.bincount(groups, positions, n_groups) / np.maximum(sizes, 1)
                total += np.bincount(groups, (positions - mean[groups]) ** 2, n_groups)
            elif self.is_nominal[column]:
                pairs = np.unique(groups * (self.codes[:, column].max() + 1) + self.codes[rows, column])
                distinct = np.bincount(pairs // (self.codes[:, column].max() + 1), minlength=n_groups)
                total += np.minimum(self.step[column] * np.maximum(distinct - 1, 0), self.cap[column]) * sizes
            else:
                low, high = np.full(n_groups, np.inf), np.full(n_groups, -np.inf)
                np.minimum.at(low, groups, positions)
                np.maximum.at(high, groups, positions)
                total += np.minimum(np.where(sizes > 0, high - low, 0.0), self.cap[column]) * sizes
        return total

    def distinct(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the point of every row, and the first row of every point: rows that no group can tell apart."""
        columns = [self.codes[:, column] for column in range(self.codes.shape[1])]
        ids, count = group_ids(columns) if columns else (np.zeros(len(self.codes), dtype=np.int64), 1)
        return ids, first_places(ids, count)


def refuse_limits(table: Table, measure: str = "ncp") -> None:
    """Refuse a table whose limits a grouping may break; the means of SSE are single values, which no limit forbids."""
    for name in table.quasi if measure != "sse" else ():
        limit = table.limits.get(name)
        if limit is not None and limit < table.attributes[name].levels.height:
            raise ValueError(
                f"column {name!r} has the limit {limit}, which the cheapest groups may break; use bound(), which holds "
                "with limits too, or a table without them"
            )


def _loss(table: Table) -> Prices:
    attributes = [table.attributes[name] for name in table.quasi]
    weights = np.array([attribute.weight for attribute in attributes])
    weights = weights / weights.mean()
    codes = table.code_matrix().astype(np.int64)
    columns = [attribute.positions[codes[:, column]] for column, attribute in enumerate(attributes)]
    sizes = np.array([attribute.size for attribute in attributes])
    return Prices(
        "ncp",
        codes,
        np.stack(columns, axis=1) * weights,
        np.array([attribute.kind == "nominal" for attribute in attributes]),
        weights / np.maximum(sizes - 1, 1),
        weights,
        np.full(len(table), weights.sum()),
        1 / (len(table) * len(attributes)),
    )


def _suppression(table: Table) -> Prices:
    codes = table.code_matrix().astype(np.int64)
    one = np.ones(codes.shape[1])
    withheld = np.full(len(table), one.sum())
    return Prices("suppression", codes, np.zeros(codes.shape), one > 0, one, one, withheld, 1 / codes.size)


def _squares(table: Table) -> Prices:
    names = [name for name in table.quasi if table.attributes[name].kind == "numeric"]
    absent = next((name for name in names if table.attributes[name].missing), None)
    if absent is not None:
        raise ValueError(
            f"column {absent!r} has missing values, whose squares the bound does not cover; fill them or leave their "
            "rows out"
        )
    names = [name for name in names if table.attributes[name].size > 1]
    if not names:
        raise ValueError("sse needs a numeric quasi-identifier that varies; the table has none: use measure='ncp'")
    numbers = np.column_stack([table.attributes[name].numbers[table.codes(name)] for name in names])
    positions = (numbers - numbers.mean(axis=0)) / numbers.std(axis=0, ddof=1)
    one, codes = np.ones(len(names)), table.code_matrix(names).astype(np.int64)
    scale = 1 / ((len(table) - 1) * len(names))
    return Prices("sse", codes, positions, one < 0, one, one, (positions**2).sum(axis=1), scale)
