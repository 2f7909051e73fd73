"""What installed packages offer under a name: entry points, read from the metadata of every installed package.

The core asks for a name and never learns which room or package answers: anonnb's own cluster is found this way too.
"""

from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from typing import Any


def offered(group: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    """What installed packages offer in a group: who offers what, in words, and what loads it."""
    for point in entry_points(group=group):
        who = point.dist.name if point.dist else "an installed package"
        yield f"{point.name!r} of {who}", point.load


def provided(group: str, name: str) -> Any:
    """The object behind one name of a group.

    >>> provided("anonnb.tables", "tapestry")
    Traceback (most recent call last):
    ...
    LookupError: no installed package offers 'tapestry' in anonnb.tables; install the one that does
    """
    for point in entry_points(group=group, name=name):
        return point.load()
    raise LookupError(f"no installed package offers {name!r} in {group}; install the one that does")
