"""Plots of attacks on single people: how many candidates, how strong a belief, what knowing the algorithm adds."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from anonnb.attacks.base import AttackResult
from anonnb.plots.style import BLUE, GREY, PALETTE, axes


def candidates(results: Mapping[str, AttackResult], *, ax: Axes | None = None) -> Axes:
    """For each result the share of people who have at most so many candidates: high at the left is bad."""
    ax = axes(ax, size=(8.4, 3.6))
    for place, (name, result) in enumerate(results.items()):
        size, people = (result.targets[column].to_numpy() for column in ("candidates", "people"))
        size, people = size[size > 0], people[size > 0]
        order = np.argsort(size, kind="stable")
        share = 100 * np.cumsum(people[order]) / result.targets["people"].sum()
        ax.step([1, *size[order]], [0, *share], where="post", color=PALETTE[place], label=name)
    ax.set(xlabel="candidates for a person (published rows that fit)", ylabel="people with at most so many (%)")
    ax.set(xscale="log", ylim=(-3, 103))
    ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    return ax


def beliefs(results: Mapping[str, AttackResult], *, threshold: float | None = None, ax: Axes | None = None) -> Axes:
    """For each result the share of people whose likeliest secret has at least that share among their candidates."""
    ax = axes(ax, size=(6.8, 3.8))
    for place, (name, result) in enumerate(results.items()):
        share, people = (result.targets[column].to_numpy() for column in ("share", "people"))
        order = np.argsort(-share, kind="stable")
        reached = 100 * np.cumsum(people[order]) / people.sum()
        ax.step(100 * share[order], reached, where="pre", color=PALETTE[place], label=name)
    if threshold is not None:
        ax.axvline(100 * threshold, color=GREY, linestyle="--", label=f"belief of {threshold:.0%}")
    ax.set(xlabel="share of the likeliest secret among the candidates (%)", ylabel="people with at least that (%)")
    ax.set_ylim(-3, 103)
    ax.legend(frameon=False, loc="lower left")
    return ax


def before_and_after(result: AttackResult, *, ax: Axes | None = None) -> Axes:
    """Each person's true secret: belief from the class alone (right) and after reasoning backwards (up)."""
    ax = axes(ax, size=(4.6, 4.2))
    points = result.targets.groupby(["before", "after"]).size().reset_index(name="people")
    ax.plot([0, 100], [0, 100], color=GREY, linewidth=1, label="nothing learnt")
    size = 30 + 30 * points["people"]
    ax.scatter(100 * points["before"], 100 * points["after"], s=size, color=BLUE, alpha=0.7, label="people")
    ax.set(xlabel="belief in the true value before (%)", ylabel="belief after (%)", xlim=(-4, 104), ylim=(-4, 104))
    ax.legend(frameon=False, loc="upper left")
    return ax
