"""The job of ai-privacy-toolkit; it runs in the environment that toolkit.txt describes, without anonnb."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import pandas as pd
from child import Work


def guided(folder: str, k: int) -> Work:
    """Anonymization guided by a model: the leaves of a tree fitted to the model's predictions are the groups."""
    # Its other half imports torch and more when the package is imported; the anonymizer calls neither.
    sys.modules["torch"] = types.ModuleType("torch")
    sys.modules["torch"].Tensor = type("Tensor", (), {})
    sys.modules["apt.minimization"] = types.ModuleType("apt.minimization")
    from apt.anonymization import Anonymize
    from apt.utils.datasets import ArrayDataset

    frame = pd.read_csv(Path(folder) / "table.csv")
    predicted = frame.pop("predicted")
    texts = list(frame.select_dtypes(exclude="number"))

    def run() -> pd.DataFrame:
        return Anonymize(k, list(frame), categorical_features=texts).anonymize(ArrayDataset(frame, predicted))

    def kept(found: pd.DataFrame) -> dict:
        found.to_csv(Path(folder) / "found.csv", index=False)
        return {}

    return Work(run, kept, rows=len(frame))
