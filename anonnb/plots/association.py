"""Plots of itemsets and association rules."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes

from anonnb.plots.style import PALETTE, axes, shown


def itemset_counts(counts: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Numbers of itemsets against the support: one line per column of a frame whose index is the support."""
    ax = axes(ax)
    for place, name in enumerate(counts.columns):
        color, marker = PALETTE[place % len(PALETTE)], "os^vD"[place % 5]
        ax.plot(counts.index, counts[name], color=color, marker=marker, label=shown(name))
    ax.set(xlabel="minimal support", ylabel="number of itemsets (log scale)", xscale="log", yscale="log")
    ax.set_xticks(list(counts.index), [f"{support:g}" for support in counts.index])
    ax.minorticks_off()
    ax.legend(frameon=False)
    return ax


def rule_scatter(
    rules: pd.DataFrame, ax: Axes | None = None, *, min_support: float = 0, min_confidence: float = 0
) -> Axes:
    """Rules by support and confidence, coloured by lift; dashed lines show the thresholds."""
    ax = axes(ax)
    dots = ax.scatter(rules["support"], rules["confidence"], c=rules["lift"], cmap="viridis", s=26, alpha=0.85)
    plt.colorbar(dots, ax=ax, label="lift")
    ax.axvline(min_support, color="black", linewidth=1, linestyle="--")
    ax.axhline(min_confidence, color="black", linewidth=1, linestyle="--")
    ax.set(xlabel="support", ylabel="confidence", ylim=(min(0.95 * min_confidence, rules["confidence"].min()), 1.02))
    return ax
