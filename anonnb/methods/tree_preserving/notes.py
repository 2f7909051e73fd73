"""The step of TPP that moves the numbers of an attribute: its blocks, how far each could move, and how far they do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from anonnb.core.wording import counted
from anonnb.steps.recording import note


def tell_blocks(
    name: str,
    numbers: np.ndarray,
    counts: np.ndarray,
    block: np.ndarray,
    means: np.ndarray,
    room: Mapping[int, float],
    chain: Sequence[int],
    values: np.ndarray,
) -> None:
    """Note the blocks of an attribute: the one of each chain with the least room says how far the chain moves."""
    labels = [_label(numbers[block == number]) for number in range(len(means))]
    rows = np.bincount(block, weights=counts).astype(np.int64)
    chains = sorted({chain[number] for number in room})
    tightest = [min((n for n in room if chain[n] == each), key=room.__getitem__) for each in chains]
    moves = "; ".join(f"{room[number]:.4g}, the room of {labels[number]}" for number in tightest[:3])
    more = "; and so on" if len(tightest) > 3 else ""
    sentence = (
        f"Tests tie the {counted(len(labels), 'block')} of {name} together in {counted(len(chains), 'chain')}. All "
        f"blocks of a chain move by the least room that one of them has before its mean: {moves}{more}"
    )
    own = {"rows": rows, "mean": means.round(4), "room": [room.get(n, np.nan) for n in range(len(means))]}
    candidates = pd.DataFrame(own, index=pd.Index(labels, name=name)).round(4)
    state = pd.DataFrame({"rows": rows, "published": values.round(4)}, index=candidates.index)
    note(f"Move {name}", f"{sentence}.", state, candidates, [labels[number] for number in tightest])


def _label(values: np.ndarray) -> str:
    ends = dict.fromkeys(f"{value:.10g}" for value in (values[0], values[-1]))
    return "–".join(ends)
