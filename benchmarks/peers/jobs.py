"""Jobs of other libraries; each runs in the environment that ``NAME.txt`` describes, without anonnb.

The table lies in the folder as ``table.csv``, its last column the sensitive one, beside ``levels-0.csv`` and so on, the
hierarchies; transactions for miners are in ``transactions.json``.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from child import Work


def table(folder: str):
    """Read the table: its frame, its quasi-identifiers and its sensitive column."""
    import pandas as pd

    frame = pd.read_csv(Path(folder) / "table.csv")
    return frame, list(frame)[:-1], list(frame)[-1]


def keep_groups(folder: str, parts: list, rows: int) -> dict:
    """Leave the group of every row for the parent."""
    groups = [0] * rows
    for number, members in enumerate(parts):
        for row in members:
            groups[row] = number
    (Path(folder) / "groups.json").write_text(json.dumps(groups), encoding="utf-8")
    return {}


def aijack(folder: str, k: int) -> Work:
    """aijack's Mondrian: its compiled core, called as its Python wrapper does (importing that one needs torch)."""
    sys.setdlopenflags(os.RTLD_LAZY)  # another part of the core asks for a library of Boost, which is not there
    from aijack_cpp_core import DataFrame, Mondrian
    from pandas.api.types import is_numeric_dtype

    frame, quasi, sensitive = table(folder)
    numeric = {name: is_numeric_dtype(frame[name]) for name in frame}

    def partition() -> list[list[int]]:
        data = DataFrame(list(frame), numeric, 0)
        for name in frame:
            insert = data.insert_continuous_column if numeric[name] else data.insert_categorical_column
            insert(name, frame[name].tolist())
        method = Mondrian(k)
        method.anonymize(data, quasi, sensitive)
        return method.get_final_partitions()

    return Work(partition, lambda parts: keep_groups(folder, parts, len(frame)), rows=len(frame))


def anonypy(folder: str, k: int) -> Work:
    """Only the partition: anonypy's own table of results takes longer still."""
    from anonypy.mondrian import Mondrian

    frame, quasi, sensitive = table(folder)
    frame = frame.astype(dict.fromkeys(frame.select_dtypes(exclude="number"), "category"))
    keep = lambda parts: keep_groups(folder, parts, len(frame))  # noqa: E731
    return Work(lambda: Mondrian(frame, quasi, sensitive).partition(k), keep, rows=len(frame))


def anjana(folder: str, k: int, share: float) -> Work:
    """anjana's k-anonymity: full-domain generalization along the hierarchies that lie in the folder."""
    import pandas as pd
    from anjana.anonymity import k_anonymity

    frame, quasi, _ = table(folder)
    levels = {name: pd.read_csv(Path(folder) / f"levels-{number}.csv") for number, name in enumerate(quasi)}

    def hierarchies() -> dict:
        return {name: {level: own.iloc[:, level] for level in range(own.shape[1])} for name, own in levels.items()}

    def keep(found: pd.DataFrame) -> dict:
        found.to_csv(Path(folder) / "found.csv", index=False)
        return {}

    return Work(lambda own: k_anonymity(frame, [], quasi, k, 100 * share, own), keep, hierarchies, rows=len(frame))


def pycanon(folder: str, name: str) -> Work:
    """One of pycanon's measures."""
    from pycanon import anonymity

    frame, quasi, sensitive = table(folder)
    given = (frame, quasi) if name == "k_anonymity" else (frame, quasi, [sensitive])
    value = lambda found: {"value": found[0] if isinstance(found, tuple) else found}  # noqa: E731
    return Work(lambda: getattr(anonymity, name)(*given), value, rows=len(frame))


def transactions(folder: str) -> list[tuple[str, ...]]:
    return [tuple(line) for line in json.loads((Path(folder) / "transactions.json").read_text(encoding="utf-8"))]


def efficient_apriori(folder: str, support: float) -> Work:
    from efficient_apriori import itemsets_from_transactions

    given = transactions(folder)
    run = lambda: itemsets_from_transactions(given, min_support=support)  # noqa: E731
    return Work(run, lambda found: {"itemsets": sum(map(len, found[0].values()))}, rows=len(given))


def pyfim(folder: str, support: float) -> Work:
    import fim

    given = transactions(folder)
    run = lambda: fim.fpgrowth(given, target="s", supp=100 * support)  # noqa: E731
    return Work(run, lambda found: {"itemsets": len(found)}, rows=len(given))
