"""Plots of itemsets and association rules: how many there are, what each is worth, and what their counts disclose."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from anonnb.plots.parts.graphs import Look, draw_box, draw_edge, draw_key, key_size, titled
from anonnb.plots.parts.labels import name_lines
from anonnb.plots.parts.layers import DrawnEdge, DrawnNode, Layout, laid_out
from anonnb.plots.parts.texts import clip
from anonnb.plots.style import GREY, INK, RED, WIDEST, Style, axes, bare, line_look
from anonnb.rules.association.channels import Channel, Supports, channels, undominated
from anonnb.rules.association.published_itemsets import MinedItemsets

MAX_ITEMSETS = 40
_SIDE_BY_SIDE = 7  # itemsets in one line; larger levels take several lines


def itemset_counts(counts: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the number of itemsets against the support, a line per column.

    Where a line lies on the one before it, the upper one is thin and dashed, so that both can be seen.

    Parameters
    ----------
    counts:
        Numbers of itemsets; its index is the support.

    Examples
    --------
    >>> len(itemset_counts(pd.DataFrame({"frequent": [9, 3], "closed": [5, 3]}, index=[0.1, 0.5])).lines)
    2
    """
    ax = axes(ax)
    for index, name in enumerate(counts.columns):
        hides = index and np.allclose(counts[name], counts[counts.columns[index - 1]], rtol=0.05)
        wide: Style = {"linewidth": 1.2, "markersize": 3} if hides else {}
        ax.plot(counts.index, counts[name], label=clip(name), **line_look(index) | wide)
    ax.set(xlabel="minimal support (log scale)", ylabel="number of itemsets (log scale)", xscale="log", yscale="log")
    ax.set_xticks(list(counts.index), [f"{support:g}" for support in counts.index])
    ax.minorticks_off()
    return name_lines(ax)


def rule_scatter(
    rules: pd.DataFrame, ax: Axes | None = None, *, min_support: float = 0, min_confidence: float = 0
) -> Axes:
    """Draw rules by support and confidence; darker and larger dots have a higher lift.

    Parameters
    ----------
    min_support, min_confidence:
        The thresholds, drawn as dashed lines.

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
_CHANGED = Look(INK, width=1.8, label="changed", filled=True, fill=GREY)
_END = Look(RED, width=2.2, filled=True)


def itemset_lattice(
    data: MinedItemsets | Supports | Mapping,
    ax: Axes | None = None,
    *,
    k: int | None = None,
    before: Mapping | None = None,
    title: str = "",
) -> Axes:
    """Draw itemsets by size with their counts, the empty one at the bottom; red arrows from I to J are channels.

    Parameters
    ----------
    data:
        Mined itemsets, supports, or a mapping from itemsets to counts.
    k:
        Draw channels that reveal fewer than k people.
    before:
        Counts before sanitization; where they differ, both are shown.

    Examples
    --------
    >>> ax = itemset_lattice({(): 9, ("a",): 8, ("b",): 5, ("a", "b"): 5}, k=3, title="Two channels")
    >>> ax.get_title()
    'Two channels'
    """
    given: Mapping[Any, int] | Supports = data.counts() if isinstance(data, MinedItemsets) else data
    if isinstance(given, Supports):
        given = {given.set_of(bits): count for bits, count in given.counts.items()}
    counts: dict[Any, int] = {frozenset(part): count for part, count in given.items()}
    if len(counts) > MAX_ITEMSETS:
        raise ValueError(f"{len(counts)} itemsets are too many to read; draw {MAX_ITEMSETS} or fewer")
    revealing = undominated(channels(Supports(counts), k)) if k is not None else []
    ends = {part for channel in revealing for part in (channel.having, channel.whole)}
    arrows = [channel for channel in revealing if channel.having != channel.whole]
    made = _laid_out(counts, before or counts, arrows)
    looks = {part: _END if part in ends else _CHANGED if "→" in made.text[part] else _PLAIN for part in counts}
    key = [look for look in dict.fromkeys(looks.values()) if look.label]
    if arrows:
        label = f"a channel: fewer than {k} people"
        key.append(Look(RED, width=2.2, filled=True, label=label))
    if len(arrows) < len(revealing):
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
    """Place larger itemsets higher, crowded levels on several lines; the routes of the channels come first."""
    nodes, layer, name = [], 0, _naming(frozenset().union(*counts))
    for size in range(max(map(len, counts)), -1, -1):
        level = sorted((part for part in counts if len(part) == size), key=sorted)
        lines = max(-(-len(level) // _SIDE_BY_SIDE), 1)
        for number, part in enumerate(level):
            text = ", ".join(map(name, sorted(part))) or "{ }"
            nodes.append(
                DrawnNode(part, f"{clip(text)}\n{_count_text(part, counts, before)}", "", layer + number % lines)
            )
        layer += lines if level else 0
    edges = [DrawnEdge(channel.whole, channel.having) for channel in arrows]
    pairs = {(edge.start, edge.end) for edge in edges}
    for small in counts:
        larger = (part for part in counts if small < part and len(part) == len(small) + 1)
        edges += [DrawnEdge(part, small) for part in larger if (part, small) not in pairs]
    return laid_out(nodes, edges, down=True, widest=WIDEST - 0.2)


def _naming(every: frozenset) -> Callable[[object], str]:
    """Return a function that names an item by its value alone, unless several attributes share that value."""
    values = {getattr(item, "value", item) for item in every}
    return str if len(values) < len(every) else lambda item: getattr(item, "value", str(item))


def _count_text(part: frozenset, counts: Mapping, before: Mapping) -> str:
    old = before.get(part, counts[part])
    return str(counts[part]) if old == counts[part] else f"{old} → {counts[part]}"
