"""The look that all plots share: a colour-blind safe palette, Axes made on demand, tidy spines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

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


_DETACHED = ContextVar("detached", default=False)


@contextmanager
def detached() -> Iterator[None]:
    """Inside, new Axes belong to a figure that pyplot does not know: safe in a thread, and no cell shows it."""
    token = _DETACHED.set(True)
    try:
        yield
    finally:
        _DETACHED.reset(token)


def axes(ax: Axes | None = None, *, size: tuple[float, float] = (6.4, 4.0)) -> Axes:
    """The given Axes, or new ones of the given size in inches."""
    if ax is None and _DETACHED.get():
        ax = Figure(figsize=size, layout="constrained").subplots()
    elif ax is None:
        _, ax = plt.subplots(figsize=size, layout="constrained")
    ax.spines[["top", "right"]].set_visible(False)
    return ax
