"""The cheapest grouping of a tiny table by trying all of them, in plain Python."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from anonnb.tables.table import Table


def partitions(rows: Sequence[int], least: int) -> Iterator[list[list[int]]]:
    """All partitions into groups of at least ``least`` rows."""
    if not rows:
        yield []
    first, rest = rows[:1], rows[1:]
    for bits in range(1 << len(rest)) if rows else ():
        group = [*first, *(row for place, row in enumerate(rest) if bits >> place & 1)]
        left = [row for place, row in enumerate(rest) if not bits >> place & 1]
        if len(group) >= least and (not left or len(left) >= least):
            yield from ([group, *others] for others in partitions(left, least))


@lru_cache
def values(table: Table, name: str) -> list:
    return table.frame[name].tolist()


def width(table: Table, name: str, rows: Sequence[int]) -> float:
    """The NCP of one column of a group, from its values."""
    whole = values(table, name)
    own = [whole[row] for row in rows]
    if table.attributes[name].kind == "nominal":
        return (len(set(own)) - 1) / max(len(set(whole)) - 1, 1)
    return (max(own) - min(own)) / ((max(whole) - min(whole)) or 1)


def group_ncp(table: Table, rows: Sequence[int]) -> float:
    total = sum(table.attributes[name].weight for name in table.quasi)
    wide = sum(table.attributes[name].weight * width(table, name, rows) for name in table.quasi)
    return len(rows) * wide / total / len(table)


def squares(numbers: Sequence[float]) -> float:
    mean = sum(numbers) / len(numbers)
    return sum((number - mean) ** 2 for number in numbers)


def group_sse(table: Table, rows: Sequence[int]) -> float:
    numeric = [values(table, name) for name in table.quasi if table.attributes[name].kind == "numeric"]
    varying = [column for column in numeric if len(set(column)) > 1]
    return sum(squares([column[row] for row in rows]) / squares(column) for column in varying) / len(varying)


def group_hidden(table: Table, rows: Sequence[int]) -> float:
    varying = sum(len({values(table, name)[row] for row in rows}) > 1 for name in table.quasi)
    return len(rows) * varying / (len(table) * len(table.quasi))


def least(table: Table, k: int, price: Callable[[Table, Sequence[int]], float]) -> float:
    """The price of the cheapest grouping."""
    known: dict[tuple[int, ...], float] = {}

    def cost(group: list[int]) -> float:
        key = tuple(group)
        if key not in known:
            known[key] = price(table, key)
        return known[key]

    return min(sum(map(cost, grouping)) for grouping in partitions(list(range(len(table))), k))
