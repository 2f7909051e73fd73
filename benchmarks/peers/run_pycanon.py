"""Jobs of pycanon; they run in the environment that pycanon.txt describes, without anonnb."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from child import Work


def measure(folder: str, name: str) -> Work:
    """One of pycanon's measures; the last column of the table is the sensitive one."""
    from pycanon import anonymity

    frame = pd.read_csv(Path(folder) / "table.csv")
    quasi, sensitive = list(frame)[:-1], list(frame)[-1:]
    function = getattr(anonymity, name)
    given = (frame, quasi) if name == "k_anonymity" else (frame, quasi, sensitive)

    def value(found) -> dict[str, float]:
        return {"value": found[0] if isinstance(found, tuple) else found}

    return Work(lambda: function(*given), value, rows=len(frame))
