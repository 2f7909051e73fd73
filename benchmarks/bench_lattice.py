"""Full-domain search on Adult: times, losses and proofs, beside anjana's full-domain search in the same run.

Run: python benchmarks/bench_lattice.py
anjana pins old versions of numpy and pandas; it works without them: pip install --no-deps anjana beartype pycanon
"""

import time
import warnings

import numpy as np
import pandas as pd

import anonnb
from anonnb import Release, privacy, utility
from anonnb.methods import FullDomain, Incognito, KOptimize, Samarati
from anonnb.methods._frequencies import Frequencies
from anonnb.methods._losses import FAST

K = 10
SHARES = (0, 0.02, 0.05)
FOUR = ["sex", "race", "education", "marital-status"]


def timed(work) -> tuple[float, object]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def show(name: str, seconds: float, table, release, note: str = "") -> None:
    print(
        f"{name:<42} {seconds:7.2f} s  NCP {utility.ncp(table, release):.4f}  "
        f"discernibility {utility.discernibility(table, release, k=K):>12,}  "
        f"suppressed {release.n_suppressed:>5}  {note}"
    )


def full_scan(table, measure: str) -> dict[float, float]:
    """The least loss by evaluating every node, for each share of suppressed rows: what the search must equal."""
    frequencies = Frequencies(table)
    loss = FAST[measure](table, frequencies, K)
    best = dict.fromkeys(SHARES, np.inf)
    for node in sorted(frequencies.lattice):  # in this order every node finds a known one below it
        found = frequencies.at(node)
        bad = found.counts < K
        gone = int(found.counts[bad].sum())
        for share in SHARES:
            if gone <= share * len(table):
                best[share] = min(best[share], loss.of(found, bad))
    return best


def ours(table) -> None:
    for measure in ("discernibility", "ncp"):
        scan_time, least = timed(lambda measure=measure: full_scan(table, measure))
        for share in SHARES:
            method = FullDomain(k=K, max_suppressed=share, measure=measure)
            seconds, release = timed(lambda method=method: method.anonymize(table))
            info = release.info
            assert np.isclose(info["loss"], least[share])
            note = f"proved {info['proved']}, {len(info['checked'])} of {info['lattice']} nodes checked"
            show(f"FullDomain {measure} {share:.0%}", seconds, table, release, note)
        print(f"  a scan of all nodes takes {scan_time:.1f} s and agrees")
    for share in SHARES:
        seconds, release = timed(lambda share=share: Incognito(k=K, max_suppressed=share).anonymize(table))
        note = f"{len(release.info['passing'])} nodes pass, {len(release.info['minimal'])} are minimal"
        show(f"Incognito {share:.0%}", seconds, table, release, note)
        seconds, release = timed(lambda share=share: Samarati(k=K, max_suppressed=share).anonymize(table))
        show(f"Samarati {share:.0%}", seconds, table, release, f"heights {release.info['heights']}")


def cut_points(table) -> None:
    four = table.with_roles(quasi=FOUR)
    for cost in ("discernibility", "classification"):
        for k in (K, 100):
            seconds, release = timed(lambda cost=cost, k=k: KOptimize(k=k, cost=cost).anonymize(four))
            info = release.info
            line = f"KOptimize k={k} {cost} of {', '.join(FOUR)}: {seconds:.2f} s, cost {info['cost']:,}"
            print(f"{line}, proved {info['proved']}, {info['visited']} nodes")


def peer(table) -> None:
    try:
        from anjana.anonymity import k_anonymity
    except ImportError:
        print("anjana is not installed; see the top of this file")
        return
    # object columns: anjana does not know the text type of pandas 3
    frame = table.frame[[*table.quasi, "income"]].astype(object)
    hierarchies = {}
    for name in table.quasi:
        levels = table.attributes[name].levels
        texts = [np.array(labels, dtype=object)[row] for labels, row in zip(levels.labels, levels.maps, strict=True)]
        columns = [table.attributes[name].domain.astype(object), *texts[1:]]
        hierarchies[name] = {level: pd.Series(column, dtype=object) for level, column in enumerate(columns)}
    for share in SHARES:
        copies = {name: dict(levels) for name, levels in hierarchies.items()}
        with pd.option_context("future.infer_string", False):
            seconds, found = timed(
                lambda share=share, own=copies: k_anonymity(frame, [], table.quasi, K, 100 * share, own)
            )
        release = Release.from_frame(found, like=table.select([*table.quasi, "income"]))
        show(f"anjana k_anonymity {share:.0%}", seconds, table, release, f"k reached {privacy.k(release)}")
        mine, own = timed(lambda share=share: FullDomain(k=K, max_suppressed=share, measure="ncp").anonymize(table))
        ratio = utility.ncp(table, release) / utility.ncp(table, own)
        print(f"  ours by NCP: {seconds / mine:.1f} times as fast, anjana loses {ratio:.2f} times as much")


def main() -> None:
    warnings.simplefilter("ignore")
    table = anonnb.load("adult")
    print(f"Adult: {len(table):,} rows, {len(table.quasi)} quasi-identifiers, k = {K}")
    ours(table)
    cut_points(table)
    peer(table)


if __name__ == "__main__":
    main()
