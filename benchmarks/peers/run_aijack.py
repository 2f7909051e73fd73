"""The job of aijack; it runs in the environment that aijack.txt describes, without anonnb."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pandas as pd
from child import Work


def mondrian(folder: str, k: int) -> Work:
    """aijack's Mondrian: its compiled core, called as its Python wrapper does (importing that one needs torch)."""
    sys.setdlopenflags(os.RTLD_LAZY)  # another part of the core asks for a library of Boost, which is not there
    from aijack_cpp_core import DataFrame, Mondrian

    frame = pd.read_csv(Path(folder) / "table.csv")
    names = list(frame)
    numeric = {name: pd.api.types.is_numeric_dtype(frame[name]) for name in names}

    def partition() -> list[list[int]]:
        data = DataFrame(names, numeric, 0)
        for name in names:
            insert = data.insert_continuous_column if numeric[name] else data.insert_categorical_column
            insert(name, frame[name].tolist())
        method = Mondrian(k)
        method.anonymize(data, names[:-1], names[-1])
        return method.get_final_partitions()

    def kept(found: list[list[int]]) -> dict:
        groups = [0] * len(frame)
        for number, members in enumerate(found):
            for row in members:
                groups[row] = number
        (Path(folder) / "groups.json").write_text(json.dumps(groups), encoding="utf-8")
        return {}

    return Work(partition, kept, rows=len(frame))
