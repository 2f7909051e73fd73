"""Safe mining on Adult: seconds for channels and safe itemsets of nine attributes, and for safe trees.

Run: python benchmarks/bench_safe_mining.py
"""

from collections.abc import Callable
from time import perf_counter

import anonnb
from anonnb.attacks import InferenceAttack
from anonnb.methods import SafeItemsets, SafeTree
from anonnb.rules import frequent_itemsets
from anonnb.rules.channels import Supports, channels, maximal_channels

K, SUPPORT = 50, 0.05


def timed(name: str, limit: float | None, work: Callable[[], object], tell: Callable[[object], str]) -> object:
    """Run ``work`` once and print its seconds, beside the limit where there is one."""
    start = perf_counter()
    result = work()
    seconds = perf_counter() - start
    allowed = "" if limit is None else f" of {limit:.0f} s allowed"
    print(f"{name:<34} {seconds:6.2f} s{allowed:<16} {tell(result)}")
    return result


def main() -> None:
    table = anonnb.load("adult")
    names = [*table.quasi, table.decision]
    frame = timed(
        "frequent itemsets", None, lambda: frequent_itemsets(table.select(names), SUPPORT), lambda f: f"{len(f)}"
    )
    supports = Supports.of_frame(frame, len(table))
    timed("channels", 20, lambda: channels(supports, K), lambda found: f"{len(found)}")
    timed("maximal channels", None, lambda: maximal_channels(supports, K), lambda found: f"{len(found)}")
    timed("inference attack", None, lambda: InferenceAttack(k=K).run(supports, table), str)
    for strategy in ("additive", "lean", "suppressive", "withhold"):
        method = SafeItemsets(k=K, min_support=SUPPORT, strategy=strategy, attributes=names)
        work = lambda method=method: method.anonymize(table)  # noqa: E731
        timed(f"SafeItemsets, {strategy}", None, work, lambda r: f"{r.info['kept']} of {r.info['mined']} kept")
    for strategy in ("grow", "merge", "hide"):
        method = SafeTree(k=K, strategy=strategy)
        work = lambda method=method: method.anonymize(table)  # noqa: E731
        timed(
            f"SafeTree, {strategy}", 10, work, lambda r: f"{len(r.tree.leaves)} leaves, {r.tree.score(table):.3f} right"
        )


if __name__ == "__main__":
    main()
