"""The job of anjana; it runs in the environment that anjana.txt describes, without anonnb."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from child import Work


def full_domain(folder: str, k: int, share: float) -> Work:
    """anjana's k-anonymity: full-domain generalization along the hierarchies that lie in the folder."""
    from anjana.anonymity import k_anonymity

    frame, quasi, _ = read(folder)
    levels = {name: pd.read_csv(Path(folder) / f"levels-{number}.csv") for number, name in enumerate(quasi)}

    def hierarchies() -> dict:
        return {name: {level: own.iloc[:, level] for level in range(own.shape[1])} for name, own in levels.items()}

    def kept(found: pd.DataFrame) -> dict:
        found.to_csv(Path(folder) / "found.csv", index=False)
        return {}

    return Work(lambda own: k_anonymity(frame, [], quasi, k, 100 * share, own), kept, hierarchies, rows=len(frame))


def read(folder: str) -> tuple[pd.DataFrame, list[str], list[str]]:
    """The table: its last column is the sensitive one. Texts are objects, with which it is fastest."""
    frame = pd.read_csv(Path(folder) / "table.csv")
    return frame, list(frame)[:-1], list(frame)[-1:]
