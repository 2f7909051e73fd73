"""Plots of rough sets: lower approximation and boundary of every class, and quality as attributes are added."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from anonnb import roughsets
from anonnb.plots.style import BLUE, GREY, ORANGE, axes, shown
from anonnb.tables.hierarchy import text
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table


def approximations(
    data: Table | Release, attributes: Sequence[str] | None = None, ax: Axes | None = None, *, relation: str = "equal"
) -> Axes:
    """For every class how many rows surely belong to it and how many only possibly do."""
    ax = axes(ax)
    release = as_release(data)
    classes = list(release.columns[release.decision].attribute.domain)
    rough = [roughsets.approximate(release, [value], attributes, relation=relation) for value in classes]
    places = np.arange(len(classes))
    sure = np.array([len(found.lower) for found in rough])
    maybe = np.array([len(found.boundary) for found in rough])
    ax.barh(places, sure, color=BLUE, label="lower approximation: surely")
    ax.barh(places, maybe, left=sure, color=ORANGE, label="boundary: possibly")
    ax.set_yticks(places, [shown(text(value)) for value in classes])
    ax.invert_yaxis()
    ax.set(xlabel="rows", ylabel=shown(release.decision))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=2, fontsize="small")
    return ax


def quality_steps(table: Table, attributes: Sequence[str] | None = None, ax: Axes | None = None) -> Axes:
    """Quality of approximation as one attribute after the other is added, in the given order."""
    ax = axes(ax)
    names = list(table.conditions if attributes is None else attributes)
    steps = pd.Series({name: roughsets.quality(table, names[: place + 1]) for place, name in enumerate(names)})
    ax.plot(range(len(steps)), steps, marker="o", color=BLUE)
    ax.axhline(roughsets.quality(table), color=GREY, linestyle="--", label="all attributes")
    ax.set_xticks(range(len(steps)), [shown(f"+ {name}") for name in names], rotation=45, ha="right")
    ax.set(ylabel="quality of approximation γ", ylim=(-0.03, 1.05))
    ax.legend(frameon=False, loc="lower right")
    return ax
