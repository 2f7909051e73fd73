"""Frames of candidates that a person can take in: the foremost lines, and always what was chosen."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import pandas as pd

FEW = 12  # lines that are shown


def foremost(frame: pd.DataFrame, chosen: Sequence[Hashable] = (), most: int = FEW) -> pd.DataFrame:
    """The first lines of a frame that is sorted, the best first, and the chosen ones wherever they are.

    >>> scores = pd.DataFrame({"loss": [1, 2, 3, 4]}, index=list("abcd"))
    >>> foremost(scores, ["d"], most=2).index.tolist()
    ['a', 'b', 'd']
    """
    if len(frame) <= most:
        return frame
    return frame[frame.index.isin(frame.index[:most]) | frame.index.isin(list(chosen))]
