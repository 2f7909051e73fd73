"""One attack on a few methods, with the published people drawn anew several times.

A single split into members and outsiders tells about that one file. How much a *method* gives away is told by many
splits, each with a release of its own. ``compare`` does this for whole tables of methods and attacks.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from anonnb.arena.entrants import halves
from anonnb.attacks.base import Attack
from anonnb.attacks.intervals import mean_interval
from anonnb.core.wording import percent
from anonnb.methods.base import Method
from anonnb.tables.matching import shared_matchings
from anonnb.tables.release import Release
from anonnb.tables.table import Table


def over_draws(
    table: Table,
    methods: Mapping[str, Method | None],
    attack: Attack,
    *,
    draws: int = 20,
    people: int | None = None,
) -> pd.DataFrame:
    """Publish a random half of the people several times, and attack each release with the other half as outsiders.

    Parameters
    ----------
    methods:
        Methods by name; None stands for the table as it is.
    attack:
        The attack. Of several secrets the one with most sure people counts in each draw; give ``column=`` to fix one.
    draws:
        How often the people are divided (:func:`anonnb.arena.halves` with the seeds 1, 2, …).
    people:
        How many people take part in each draw; None: all of them.

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.attacks import HomogeneityAttack
    >>> from anonnb.methods import Mondrian
    >>> frame = over_draws(anonnb.load("survey"), {"k = 4": Mondrian(k=4)}, HomogeneityAttack(), draws=3)
    >>> frame[["method", "draw", "attempts"]].to_numpy().tolist()
    [['k = 4', 1, 33.0], ['k = 4', 2, 33.0], ['k = 4', 3, 33.0]]
    """
    lines = []
    for draw in range(1, draws + 1):
        inside, outside = halves(table, draw, people)
        for name, method in methods.items():
            release = Release.of(inside) if method is None else method.anonymize(inside)
            with shared_matchings():
                result = attack.run(release, inside, control=outside)
            lines.append({"method": name, "draw": draw, **result.figures})
    return pd.DataFrame(lines)


def spread(frame: pd.DataFrame, figure: str = "excess") -> pd.DataFrame:
    """Return the mean of a figure over the draws of :func:`over_draws`, a line per method.

    Returns
    -------
    pd.DataFrame
        ``mean`` and ``sd``, ``low`` and ``high`` (the 95 % t interval of the mean), ``smallest`` and ``largest``, and
        the number of ``draws`` that have the figure.

    Examples
    --------
    >>> frame = pd.DataFrame({"method": "A", "draw": [1, 2, 3], "excess": [0.1, 0.2, 0.3]})
    >>> spread(frame).round(3).to_dict("records")
    [{'mean': 0.2, 'sd': 0.1, 'low': -0.048, 'high': 0.448, 'smallest': 0.1, 'largest': 0.3, 'draws': 3}]
    """
    lines = {}
    for name, part in frame.groupby("method", sort=False):
        values = part[figure].dropna()
        low, high = mean_interval(values)
        ends = {"smallest": values.min(), "largest": values.max(), "draws": len(values)}
        lines[name] = {"mean": values.mean(), "sd": values.std(), "low": low, "high": high, **ends}
    return pd.DataFrame.from_dict(lines, orient="index").rename_axis("method").astype({"draws": int})


def spread_text(line: pd.Series, figure: str = "excess") -> str:
    """Write a line of :func:`spread` as a sentence that bounds the figure.

    >>> frame = pd.DataFrame({"method": "A", "draw": [1, 2, 3], "excess": [0.1, 0.2, 0.3]})
    >>> spread_text(spread(frame).loc["A"])
    'over 3 draws the mean excess is 20.0 % (-4.8 % to 44.8 %), and no draw exceeds 30.0 %'
    """
    interval = f"{percent(line['low'])} to {percent(line['high'])}"
    return (
        f"over {line['draws']:.0f} draws the mean {figure} is {percent(line['mean'])} ({interval}), "
        f"and no draw exceeds {percent(line['largest'])}"
    )
