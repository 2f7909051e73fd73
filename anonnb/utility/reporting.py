"""One table of all utility measures of a release, each with its direction and its meaning in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch

import pandas as pd

from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table
from anonnb.utility.cells import entropy_loss, ncp, precision, suppression_rate, truthfulness
from anonnb.utility.classes import average_class_size, classification_metric, discernibility


@singledispatch
def report(table: Table, release: Table | Release) -> pd.DataFrame:
    """All measures that apply: columns measure, value, better ("higher" or "lower"), meaning.

    Precision is there when every quasi-identifier has a hierarchy, the classification metric when there is a decision,
    entropy loss and truthfulness when the release is linked to its original rows. Discernibility and class size tell of
    rows that read alike, which a release of patterns (k-commonality) does not aim at: it goes without them.

    >>> table = Table(pd.DataFrame({"x": [1, 1, 2, 2]}), quasi=["x"])
    >>> report(table, table)[["measure", "value"]].values.tolist()[:3]
    [['NCP', 0.0], ['discernibility', 8.0], ['average class size', 1.0]]
    """
    lines = list(_report_lines(table, as_release(release)))
    return pd.DataFrame(lines, columns=["measure", "value", "better", "meaning"]).astype({"value": float})


def _report_lines(table: Table, release: Release) -> Iterator[tuple[str, float, str, str]]:
    yield "NCP", ncp(table, release), "lower", "Share of its domain that a cell leaves open, on average."
    if release.promise != "k-commonality":
        alike = discernibility(table, release)
        yield "discernibility", alike, "lower", "Sum over the rows of the rows each reads like."
        size = average_class_size(table, release)
        yield "average class size", size, "lower", "Rows per class, in multiples of k."
    if all(table.attributes[name].hierarchy is not None for name in release.quasi):
        yield (
            "precision",
            precision(table, release),
            "higher",
            "1 less the mean height of the cells in the hierarchies.",
        )
    if release.decision is not None:
        impure = classification_metric(table, release)
        yield "classification metric", impure, "lower", "Share of rows that differ from the majority of their class."
    if release.rows is not None:
        bits = entropy_loss(table, release, normalized=True)
        yield "entropy loss", bits, "lower", "Bits needed to find the original values, as a share of suppressing all."
        yield "truthfulness", truthfulness(table, release), "higher", "Share of cells that hold the original value."
    rows, cells = (suppression_rate(table, release, of) for of in ("rows", "cells"))
    yield "suppressed rows", rows, "lower", "Share of rows that were suppressed."
    yield "suppressed cells", cells, "lower", "Share of quasi-identifier cells that were suppressed."
