"""The job of anonypy; it runs in the environment that anonypy.txt describes, without anonnb."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
from child import Work


def mondrian(folder: str, k: int) -> Work:
    """Only the partition: anonypy's own table of results takes longer still."""
    from anonypy.mondrian import Mondrian

    frame = pd.read_csv(Path(folder) / "table.csv")
    for name in frame:
        if not pd.api.types.is_numeric_dtype(frame[name]):
            frame[name] = frame[name].astype("category")
    quasi, sensitive = list(frame)[:-1], list(frame)[-1]

    def kept(parts: list) -> dict:
        groups = [0] * len(frame)
        for number, members in enumerate(parts):
            for row in members:
                groups[row] = number
        (Path(folder) / "groups.json").write_text(json.dumps(groups), encoding="utf-8")
        return {}

    return Work(lambda: Mondrian(frame, quasi, sensitive).partition(k), kept, rows=len(frame))
