"""Measures of a release on a cluster, as reductions: each part is measured by itself, then the parts are put together.

A class lies in one part, so each measure says how parts combine: the worst, the mean weighted by rows, the sum. Three
need the whole and have a function here: recursive c its l, class size its classes, entropy loss its bits.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np
import pandas as pd

from anonnb import privacy, utility
from anonnb.cluster.release import ClusterRelease
from anonnb.cluster.table import ClusterTable
from anonnb.core.measure import WHOLE, Measure
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table
from anonnb.utility.reporting import reported


# a function for further kinds of data, which mypy takes for a narrower one: hence type: ignore
@as_release.register(ClusterTable)
@as_release.register(ClusterRelease)
def _rows_elsewhere(data: ClusterTable | ClusterRelease) -> Release:  # type: ignore[misc]
    raise TypeError(
        f"a {type(data).__name__} has its rows on a cluster: measure a release there with privacy.report or "
        "utility.report, or take release.part(number)"
    )


@privacy.report.register(ClusterRelease)
def _privacy_report(  # type: ignore[misc]
    release: ClusterRelease,
    population: Table | None = None,
    *,
    threshold: float = 0.2,
    only: Collection[str] | None = None,
) -> pd.DataFrame:
    """Report the privacy measures of all parts, without those that let a missing value match anything."""
    if population is not None:
        raise ValueError("a release on a cluster is not compared with a population; leave population= out")
    return _together(release, release.each(_privacy, threshold), privacy.MEASURES, only)


@reported.register
def _utility_report(  # type: ignore[misc]
    release: ClusterRelease, table: ClusterTable | None, only: Collection[str] | None = None
) -> pd.DataFrame:
    """Report the utility measures of all parts."""
    return _together(release, release.each(_utility), utility.MEASURES, only)


def _together(
    release: ClusterRelease,
    reports: list[pd.DataFrame],
    measures: Sequence[Measure],
    only: Collection[str] | None,
) -> pd.DataFrame:
    """Combine the reports of the parts, without measures that need the whole and have no function here."""
    rows = [summary.rows for summary in release.summaries]
    figures = pd.DataFrame([report.set_index("measure")["value"] for report in reports])
    whole = reports[0].set_index("measure")
    for measure in measures:
        if measure.name not in whole.index:
            continue
        if measure.parts != WHOLE:
            whole.loc[measure.name, "value"] = measure.together(figures[measure.name], rows)
        elif measure.name in _OF_THE_WHOLE:
            whole.loc[measure.name, ["value", "meaning"]] = _OF_THE_WHOLE[measure.name](release, measure, whole)
        else:
            whole = whole.drop(measure.name)
    whole = whole.reset_index()
    return whole if only is None else whole[whole["measure"].isin(only)].reset_index(drop=True)


def _privacy(release: Release, threshold: float) -> pd.DataFrame:
    return privacy.report(release, threshold=threshold)


def _utility(release: Release) -> pd.DataFrame:
    return utility.report(release.table, release)


def _recursive_c(release: ClusterRelease, measure: Measure, measured: pd.DataFrame) -> tuple[float, str]:
    l_values = int(measured.loc["l", "value"])
    return max(release.each(_recursive_c_of_part, l_values)), measure.meaning.format(l_values=l_values)


def _recursive_c_of_part(release: Release, l_values: int) -> float:
    return privacy.recursive_c_l(release, l_values)[0]


def _average_class_size(release: ClusterRelease, measure: Measure, measured: pd.DataFrame) -> tuple[float, str]:
    return len(release) / (release.n_groups * release.method.k), measure.meaning


def _entropy_loss(release: ClusterRelease, measure: Measure, measured: pd.DataFrame) -> tuple[float, str]:
    return sum(release.each(_bits)) / max(_all_bits(release), np.finfo(float).tiny), measure.meaning


_OF_THE_WHOLE: dict[str, Callable[[ClusterRelease, Measure, pd.DataFrame], tuple[float, str]]] = {
    "recursive c": _recursive_c,
    "average class size": _average_class_size,
    "entropy loss": _entropy_loss,
}


def _bits(release: Release) -> float:
    return utility.entropy_loss(release.table, release)


def _all_bits(release: ClusterRelease) -> float:
    """Return the bits it takes to restore the whole table's values when everything is suppressed."""
    bits = 0.0
    for name in release.table.quasi:
        counts = release.table.counts(name)
        counts = counts[counts > 0]
        bits += float(counts @ (np.log2(len(release)) - np.log2(counts)))
    return bits
