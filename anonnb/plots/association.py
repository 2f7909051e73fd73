"""Plots of itemsets and association rules: how many there are, what each is worth, and what their counts disclose."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from anonnb.plots.parts.graphs import Look, draw_box, draw_edge, draw_key, key_size, titled
from anonnb.plots.parts.labels import name_lines
from anonnb.plots.parts.layers import DrawnEdge, DrawnNode, Layout, laid_out
from anonnb.plots.parts.texts import shown
from anonnb.plots.style import GREY, INK, RED, WIDEST, axes, bare, line_look
from anonnb.rules.association.channels import Channel, Supports, channels, undominated
from anonnb.rules.association.published_itemsets import MinedItemsets

MOST_ITEMSETS = 40
_SIDE_BY_SIDE = 7  # itemsets in one line; larger levels take several lines


def itemset_counts(counts: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Numbers of itemsets against the support, a line per column.

    Where a line lies on the one before it, the upper one is thin and dashed, so that both can be seen.

    Parameters
    ----------
    counts:
        Numbers of itemsets; its index is the support.
    ax:
        Where to draw; new Axes by default.

    Returns
    -------
    matplotlib.axes.Axes
        The plot.

    Examples
    --------
    >>> len(itemset_counts(pd.DataFrame({"frequent": [9, 3], "closed": [5, 3]}, index=[0.1, 0.5])).lines)
    2
    """
    ax = axes(ax)
    for place, name in enumerate(counts.columns):
        hides = place and np.allclose(counts[name], counts[counts.columns[place - 1]], rtol=0.05)
        wide = {"linewidth": 1.2, "markersize": 3} if hides else {}
        ax.plot(counts.index, counts[name], label=shown(name), **line_look(place) | wide)
    ax.set(xlabel="minimal support (log scale)", ylabel="number of itemsets (log scale)", xscale="log", yscale="log")
    ax.set_xticks(list(counts.index), [f"{support:g}" for support in counts.index])
    ax.minorticks_off()
    return name_lines(ax)


def rule_scatter(
    rules: pd.DataFrame, ax: Axes | None = None, *, min_support: float = 0, min_confidence: float = 0
) -> Axes:
    """Rules by support and confidence; darker and larger dots have a higher lift.

    Parameters
    ----------
    rules:
        A frame of association rules.
    ax:
        Where to draw; new Axes by default.
    min_support, min_confidence:
        The thresholds, drawn as dashed lines.

    Returns
    -------
    matplotlib.axes.Axes
        The plot.

    Examples
    --------
    >>> import pandas as pd
    >>> rule_scatter(pd.DataFrame({"support": [0.5, 0.6], "confidence": 0.7, "lift": [1, 2]})).get_xlabel()
    'support (share of rows)'
    """
    ax = axes(ax)
    lift = rules["lift"].to_numpy(dtype=float)
    size = 14 + 50 * (lift - lift.min(initial=np.inf)) / max(np.ptp(lift) if len(lift) else 0, 1e-9)
    dots = ax.scatter(
        rules["support"], rules["confidence"], c=lift, cmap="cividis_r", s=size, alpha=0.85, linewidths=0.3
    )
    dots.set_edgecolor(INK)
    ax.figure.colorbar(dots, ax=ax, label="lift (also the size of a dot)")
    ax.axvline(min_support, color=INK, linewidth=1, linestyle="--")
    ax.axhline(min_confidence, color=INK, linewidth=1, linestyle="--")
    ax.set(
        xlabel="support (share of rows)",
        ylabel="confidence",
        ylim=(min(0.95 * min_confidence, rules["confidence"].min()), 1.02),
    )
    return ax


# ---- the lattice of itemsets -----------------------------------------------------------------------------------------


_PLAIN = Look(GREY, width=0.9)
_CHANGED = Look(INK, width=1.8, label="changed by sanitization", filled=True, fill=GREY)
_END = Look(RED, width=2.2, filled=True)


def itemset_lattice(
    data: MinedItemsets | Supports | Mapping,
    ax: Axes | None = None,
    *,
    k: int | None = None,
    before: Mapping | None = None,
    title: str = "",
) -> Axes:
    """Itemsets by size, the empty one at the bottom, with their counts; red arrows from I to J are channels.

    Parameters
    ----------
    data:
        Mined itemsets, supports, or a mapping from itemsets to counts.
    ax:
        Where to draw; new Axes by default.
    k:
        Draw channels that reveal fewer than k people.
    before:
        Counts before sanitization; where they differ, both are shown.
    title:
        The title of the plot.

    Returns
    -------
    matplotlib.axes.Axes
        The plot.

    Raises
    ------
    ValueError
        If there are too many itemsets to read.

    Examples
    --------
    >>> ax = itemset_lattice({(): 9, ("a",): 8, ("b",): 5, ("a", "b"): 5}, k=3, title="Two channels")
    >>> ax.get_title()
    'Two channels'
    """
    counts = data.counts() if isinstance(data, MinedItemsets) else data
    if isinstance(counts, Supports):
        counts = {counts.set_of(bits): count for bits, count in counts.counts.items()}
    counts = {frozenset(part): count for part, count in counts.items()}
    if len(counts) > MOST_ITEMSETS:
        raise ValueError(f"{len(counts)} itemsets are too many to read; draw {MOST_ITEMSETS} or fewer")
    found = undominated(channels(Supports(counts), k)) if k is not None else []
    ends = {part for channel in found for part in (channel.having, channel.whole)}
    arrows = [channel for channel in found if channel.having != channel.whole]
    made = _laid_out(counts, before or counts, arrows)
    looks = {part: _END if part in ends else _CHANGED if "→" in made.text[part] else _PLAIN for part in counts}
    key = [look for look in dict.fromkeys(looks.values()) if look.label]
    if arrows:
        words = f"a channel: fewer than {k} have the lower itemset without the rest of the upper"
        key.append(Look(RED, width=2.2, filled=True, label=words))
    if len(arrows) < len(found):
        key.append(Look(RED, width=2.2, filled=True, label=f"an itemset of fewer than {k}"))
    needed, below = key_size(key, WIDEST - 0.2)
    width = max(made.width, needed, 3.0)
    left = (width - made.width) / 2
    ax = bare(axes(ax, size=(width + 0.15, made.height + below + 0.15)))
    routes = [[(x + left, y) for x, y in route] for route in made.routes]
    for route in routes[len(arrows) :]:
        ax.plot(*zip(*route, strict=True), color=GREY, alpha=0.5, linewidth=0.8, zorder=0.5)
    for channel, route in zip(arrows, routes, strict=False):
        draw_edge(ax, route[::-1], DrawnEdge("", "", str(channel.count)), Look(RED, width=2.0), down=True)
    for part, (x, y) in made.middle.items():
        draw_box(ax, (x + left, y), made.size[part], made.text[part], looks[part])
    draw_key(ax, key, WIDEST - 0.2, made.height)
    ax.set(xlim=(-0.02, width + 0.02), ylim=(made.height + below + 0.02, -0.02), aspect="equal")
    return titled(ax, title) if title else ax


def _laid_out(counts: Mapping, before: Mapping, arrows: Sequence[Channel]) -> Layout:
    """Larger itemsets above; a level of many itemsets takes several lines. The routes of the channels come first."""
    nodes, layer, name = [], 0, _naming(frozenset().union(*counts))
    for size in range(max(map(len, counts)), -1, -1):
        level = sorted((part for part in counts if len(part) == size), key=sorted)
        lines = max(-(-len(level) // _SIDE_BY_SIDE), 1)
        for number, part in enumerate(level):
            words = ", ".join(map(name, sorted(part))) or "{ }"
            nodes.append(
                DrawnNode(part, f"{shown(words)}\n{_count_text(part, counts, before)}", "", layer + number % lines)
            )
        layer += lines if level else 0
    edges = [DrawnEdge(channel.whole, channel.having) for channel in arrows]
    pairs = {(edge.start, edge.end) for edge in edges}
    for small in counts:
        larger = (part for part in counts if small < part and len(part) == len(small) + 1)
        edges += [DrawnEdge(part, small) for part in larger if (part, small) not in pairs]
    return laid_out(nodes, edges, down=True, widest=WIDEST - 0.2)


def _naming(every: frozenset) -> Callable[[object], str]:
    """How to name an item: by its value alone, unless items of several attributes share one."""
    values = {getattr(item, "value", item) for item in every}
    return str if len(values) < len(every) else lambda item: getattr(item, "value", str(item))


def _count_text(part: frozenset, counts: Mapping, before: Mapping) -> str:
    old = before.get(part, counts[part])
    return str(counts[part]) if old == counts[part] else f"{old} → {counts[part]}"
