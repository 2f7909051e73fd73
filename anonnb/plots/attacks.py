"""Plots of attacks: who is exposed by which knowledge, and what a release is worth against what it gives away."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from anonnb.attacks.base import AttackResult
from anonnb.plots.style import BLUE, GREY, ORANGE, PALETTE, axes, shown

MARKERS = "osD^vP*X"


def exposure(result: AttackResult, *, most: int = 30, ax: Axes | None = None) -> Axes:
    """A heat map of an attack: the share of inferred values for each set of known attributes and each target.

    An empty cell was not attacked (the target was known). Only the ``most`` most telling sets of known attributes are
    shown, in the order of the table.
    """
    cells = result.targets.pivot_table(index="attributes", columns="target", values="score", sort=False)
    cells = cells[sorted(cells.columns, key=_order(result.targets["attributes"].unique()))]
    hidden = len(cells) - most
    if hidden > 0:
        cells = cells.loc[cells.index.isin(cells.mean(axis=1).nlargest(most).index)]
    ax = axes(ax, size=(2.6 + 0.62 * cells.shape[1], 1.3 + 0.27 * len(cells)))
    image = ax.imshow(cells.to_numpy(), cmap="YlOrRd", vmin=0, vmax=1, aspect="auto")
    ax.set_xticks(range(cells.shape[1]), map(shown, cells.columns), rotation=45, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(len(cells)), map(shown, cells.index))
    if cells.size <= 150:
        for (row, column), share in np.ndenumerate(cells.to_numpy()):
            if not np.isnan(share):
                colour = "white" if share > 0.65 else "black"
                ax.text(column, row, f"{100 * share:.0f}", ha="center", va="center", fontsize=8, color=colour)
    ax.set(xlabel="attacked attribute", ylabel="known attributes" + (f" ({most} most telling)" if hidden > 0 else ""))
    ax.spines[:].set_visible(False)
    ax.figure.colorbar(image, ax=ax, label="values inferred (%)").set_ticks([0, 0.5, 1], labels=["0", "50", "100"])
    return ax


def _order(known: np.ndarray) -> Callable[[str], int]:
    """Where a target stands among the known attributes; those that are never known come last."""
    names = list(dict.fromkeys(name for text in known for name in text.split(", ")))
    return lambda name: names.index(name) if name in names else len(names)


def usefulness_protection(
    frame: pd.DataFrame,
    *,
    usefulness: str = "accuracy",
    success: str = "success",
    label: str = "method",
    ax: Axes | None = None,
) -> Axes:
    """One point per anonymized table: how useful it is (up) against how often attacks fail (right).

    The best corner is the upper right. Tables with the same label share a colour and a marker.
    """
    ax = axes(ax, size=(5.4, 4.0))
    for place, (name, part) in enumerate(frame.groupby(label, sort=False)):
        style = {"color": PALETTE[place % len(PALETTE)], "marker": MARKERS[place % len(MARKERS)]}
        ax.scatter(100 * (1 - part[success]), 100 * part[usefulness], label=shown(name), s=46, alpha=0.85, **style)
    ax.set(xlabel="attacks that fail (%)", ylabel="rows classified rightly (%)", xlim=(-3, 103), ylim=(-3, 103))
    ax.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    return ax


def beside_paper(
    frame: pd.DataFrame, *, label: str = "dataset", within: float | None = None, ax: Axes | None = None
) -> Axes:
    """Our values (up) against the paper's (right): on the diagonal both agree; ``within`` draws a band around it."""
    ax = axes(ax, size=(4.6, 4.2))
    top = max(float(frame[["ours", "paper"]].max().max()) * 1.05, 0.05)
    ends = np.array([0.0, top])
    if within is not None:
        ax.fill_between(ends, ends - within, ends + within, color=GREY, alpha=0.18, linewidth=0, label=f"± {within:g}")
    ax.plot(ends, ends, color=GREY, linewidth=1)
    for place, (name, part) in enumerate(frame.groupby(label, sort=False)):
        style = {"color": PALETTE[place % len(PALETTE)], "marker": MARKERS[place % len(MARKERS)]}
        ax.scatter(part["paper"], part["ours"], label=shown(name), s=26, alpha=0.75, **style)
    ax.set(xlabel="in the paper", ylabel="ours", xlim=(0, top), ylim=(0, top), aspect="equal")
    ax.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    return ax


def shallow_and_deep(shallow: AttackResult, deep: AttackResult, *, ax: Axes | None = None) -> Axes:
    """For each target what the shallow attack infers, and what the deep one adds."""
    first, second = (result.targets.groupby("target")["score"].mean() for result in (shallow, deep))
    names = sorted(first.index, key=_order(shallow.targets["attributes"].unique()))
    first, second = first[names], second[names]
    ax = axes(ax, size=(6.0, 0.9 + 0.42 * len(first)))
    places = np.arange(len(first))
    ax.barh(places, 100 * first, color=BLUE, label="shallow")
    ax.barh(places, 100 * (second - first), left=100 * first, color=ORANGE, label="deep adds")
    ax.set_yticks(places, map(shown, first.index))
    ax.invert_yaxis()
    ax.set(xlabel="values inferred (%)", xlim=(0, 100))
    ax.legend(frameon=False, loc="lower right")
    return ax


# ---- attacks on single people -------------------------------------------------------------------------------------


def candidates(results: Mapping[str, AttackResult], *, ax: Axes | None = None) -> Axes:
    """For each result the share of people who have at most so many candidates: high at the left is bad."""
    ax = axes(ax, size=(8.4, 3.6))
    for place, (name, result) in enumerate(results.items()):
        size, people = (result.targets[column].to_numpy() for column in ("candidates", "people"))
        size, people = size[size > 0], people[size > 0]
        order = np.argsort(size, kind="stable")
        share = 100 * np.cumsum(people[order]) / result.targets["people"].sum()
        ax.step([1, *size[order]], [0, *share], where="post", color=PALETTE[place % len(PALETTE)], label=shown(name))
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
        ax.step(100 * share[order], reached, where="pre", color=PALETTE[place % len(PALETTE)], label=shown(name))
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


def refined_cells(frame: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How many blurred cells downcoding refines as tables have more clusters, and how many luck would (dashed).

    ``frame`` is that of :func:`anonnb.experiments.downcoding.success_by_clusters`; bands reach from the least to the
    most of all seeds.
    """
    ax = axes(ax, size=(6.8, 3.4))
    for place, (method, lines) in enumerate(frame.groupby("method", sort=False)):
        colour, by_count = (
            PALETTE[place % len(PALETTE)],
            100 * lines.groupby("clusters")[["success", "baseline"]].mean(),
        )
        ends = 100 * lines.groupby("clusters")["success"].agg(["min", "max"])
        ax.fill_between(ends.index, ends["min"], ends["max"], color=colour, alpha=0.2, linewidth=0)
        ax.plot(by_count["success"], color=colour, marker="os"[place % 2], label=shown(method))
        if by_count["success"].any():
            label = f"the claims about {shown(method)} that luck would get right"
            ax.plot(by_count["baseline"], color=colour, linestyle="--", label=label)
    counts = sorted(frame["clusters"].unique())
    ax.set_xscale("log", base=2)
    ax.set_xticks(counts, map(str, counts))
    ax.set(xlabel="clusters", ylabel="blurred cells refined (%)", ylim=(-4, 104))
    ax.legend(frameon=False, loc="upper left")
    return ax


def isolation(results: Sequence[AttackResult], *, ax: Axes | None = None) -> Axes:
    """How often singling out isolates a row, by the rows of the class: with the formula and the trivial attacker."""
    ax = axes(ax, size=(6.8, 3.4))
    rows = np.array([result.info["rows of the class"] for result in results])
    success = 100 * np.array([result.success for result in results])
    low, high = 100 * np.array([result.success_interval for result in results]).T
    grid = np.arange(1, rows.max() + 1)
    ax.plot(grid, 100 * (1 - 1 / grid) ** (grid - 1), color=GREY, label="(1 − 1/k)^(k − 1)")
    ax.errorbar(
        rows, success, (success - low, high - success), color=BLUE, fmt="o", capsize=3, label="with the release"
    )
    trivial = [100 * result.baseline for result in results]
    ax.plot(rows, trivial, "s", color=ORANGE, label="without it, at the same weight")
    ax.set(xlabel="k, the rows of the class", ylabel="predicates that isolate (%)", ylim=(-4, 104))
    ax.legend(frameon=False, loc="upper right")
    return ax
