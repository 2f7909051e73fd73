"""Measures of a release on a cluster, as reductions: each part is measured by itself, then the parts are put together.

A class lies in one part, so a worst case is the worst of the parts, a share of rows the mean weighted by rows, and a
sum the sum. Two measures need more: recursive c the l of the whole, entropy loss the bits of the whole.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import pandas as pd

from anonnb import privacy, utility
from anonnb.cluster.release import ClusterRelease
from anonnb.cluster.table import ClusterTable
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table

WORST = {"k", "prosecutor risk", "l", "entropy l", "recursive c", "α", "t", "β, basic", "β, enhanced", "δ-disclosure"}
SUMS = {"discernibility"}
ACROSS = ("missing matches",)  # a missing value that matches anything matches rows of other parts


class Report(NamedTuple):
    """The report of one part, and its rows."""

    frame: pd.DataFrame
    rows: int


@as_release.register(ClusterTable)
@as_release.register(ClusterRelease)
def _rows_elsewhere(data: ClusterTable | ClusterRelease) -> Release:
    raise TypeError(
        f"a {type(data).__name__} has its rows on a cluster: measure a release there with privacy.report or "
        "utility.report, or take release.part(number)"
    )


@privacy.report.register(ClusterRelease)
def _privacy_report(
    release: ClusterRelease, population: Table | None = None, *, threshold: float = 0.2
) -> pd.DataFrame:
    """The privacy measures of all parts together, less those that let a missing value match anything."""
    if population is not None:
        raise ValueError("a release on a cluster is not compared with a population; leave population= out")
    whole = _together(release.each(_privacy, threshold))
    if release.table.sensitive:
        l_values = int(whole.set_index("measure").loc["l", "value"])
        worst = max(release.each(_recursive_c, l_values))
        row = whole.index[whole["measure"] == "recursive c"][0]
        # the sentence names the l it was asked for; a part with more values would name its own
        whole.loc[row, ["value", "meaning"]] = worst, _meaning_of_c(whole.loc[row, "meaning"], l_values)
    return whole


@utility.report.register(ClusterTable)
def _utility_report(table: ClusterTable, release: ClusterRelease) -> pd.DataFrame:
    """The utility measures of all parts together."""
    whole = _together(release.each(_utility))
    values = {
        "average class size": len(release) / (release.n_groups * release.method.k),
        "entropy loss": sum(release.each(_bits)) / max(_all_bits(release), np.finfo(float).tiny),
    }
    for measure, value in values.items():
        whole.loc[whole["measure"] == measure, "value"] = value
    return whole


def _together(reports: list[Report]) -> pd.DataFrame:
    first = reports[0].frame
    rows = np.array([report.rows for report in reports])
    values = np.column_stack([report.frame["value"] for report in reports])
    together = []
    for measure, better, line in zip(first["measure"], first["better"], values, strict=True):
        if measure in WORST:
            together.append(line.min() if better == "higher" else line.max())
        else:
            together.append(line.sum() if measure in SUMS else line @ rows / rows.sum())
    return first.assign(value=together)


def _privacy(release: Release, threshold: float) -> Report:
    frame = privacy.report(release, threshold=threshold)
    return Report(frame[~frame["measure"].str.endswith(ACROSS)].reset_index(drop=True), len(release))


def _utility(release: Release) -> Report:
    return Report(utility.report(release.table, release), len(release))


def _recursive_c(release: Release, l_values: int) -> float:
    return privacy.recursive_c_l(release, l_values)[0]


def _bits(release: Release) -> float:
    return utility.entropy_loss(release.table, release)


def _all_bits(release: ClusterRelease) -> float:
    """What it takes to tell the original values of the whole table when everything is suppressed."""
    bits = 0.0
    for name in release.table.quasi:
        counts = release.table.counts(name)
        counts = counts[counts > 0]
        bits += float(counts @ (np.log2(len(release)) - np.log2(counts)))
    return bits


def _meaning_of_c(sentence: str, l_values: int) -> str:
    return re.sub(r"rank \d+", f"rank {l_values}", sentence)
