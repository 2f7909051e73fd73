"""Shadow releases: a method run again and again on tables that the attacker or the auditor makes.

Stadler, Oprisanu and Troncoso (2022) and Carlini et al. (2022) compare releases made with and without a person; an
audit (Jagielski, Ullman and Oprea 2020) counts how often they can be told apart. Both read the runs from here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from anonnb.core.errors import Infeasible
from anonnb.core.progress import Clock, ticks
from anonnb.steps.recording import silent
from anonnb.tables.release import Release
from anonnb.tables.table import Table

FEWEST = 8  # runs that are made even if the time is up: fewer tell nothing


def shadow_releases(
    method: Any, draw: Callable[[int], Table], count: int, *, seed: int = 0, time_limit: float | None = None
) -> Iterator[tuple[int, Release]]:
    """Yield the number and the release of each run; runs on which the method finds no release are left out.

    Parameters
    ----------
    method:
        A method; if it has a seed, each run has another one.
    draw:
        A function that returns the table of a run, given its number.
    count, time_limit:
        How many runs to make, and the seconds after which no further run begins.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> import anonnb
    >>> as_it_is, table = SimpleNamespace(anonymize=Release.of), anonnb.load("survey")
    >>> [len(release) for _, release in shadow_releases(as_it_is, lambda run: table.take(range(run + 1)), 3)]
    [1, 2, 3]
    """
    clock = Clock(time_limit)
    seeded = is_dataclass(method) and any(field.name == "seed" for field in fields(method))
    for run in ticks(range(count), "shadow releases"):
        if run >= FEWEST and clock.is_up():
            return
        try:
            with silent():
                release = (replace(method, seed=seed + run) if seeded else method).anonymize(draw(run))
        except Infeasible:
            continue
        yield run, release
