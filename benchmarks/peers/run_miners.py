"""Jobs of itemset miners with environments of their own: efficient-apriori (miners.txt) and pyfim (pyfim.txt)."""

from __future__ import annotations

import json
from pathlib import Path

from child import Work


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
