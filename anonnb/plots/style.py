"""The look that all plots share: a colour-blind safe palette, Axes made on demand, tidy spines."""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

# Okabe and Ito's palette: distinguishable with every common kind of colour blindness
BLUE, ORANGE, GREEN, RED, PURPLE, SKY, YELLOW, GREY = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#D55E00",
    "#CC79A7",
    "#56B4E9",
    "#F0E442",
    "#7F7F7F",
)
PALETTE = (BLUE, ORANGE, GREEN, RED, PURPLE, SKY, YELLOW, GREY)


def axes(ax: Axes | None = None, *, size: tuple[float, float] = (6.4, 4.0)) -> Axes:
    """The given Axes, or new ones of the given size in inches."""
    if ax is None:
        _, ax = plt.subplots(figsize=size, layout="constrained")
    ax.spines[["top", "right"]].set_visible(False)
    return ax
