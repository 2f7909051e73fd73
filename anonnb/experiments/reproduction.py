"""What each paper states as a figure, beside ours: one short tidy table for each of the five papers.

Columns: quantity, ours, paper, difference (ours minus the paper's, where both are numbers). Most papers print curves
and sentences; then the sentence is counted ("at every k") or its bound is quoted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pandas as pd

from anonnb.experiments import chase_experiment as chase_experiment
from anonnb.experiments.stated import chase_claims as stated_chase
from anonnb.experiments.stated import migration_claims as stated_migration
from anonnb.experiments.stated import routes_claims as stated_routes
from anonnb.experiments.stated import tree_preserving_claims as stated_tree_preserving
from anonnb.experiments.verdicts import COUNTS, Quantity, judged, quantities, verdict
from anonnb.tables.table import Table

COLUMNS = ["quantity", "ours", "paper", "difference"]
_MEASURED = {
    "table8": "Table 8, accuracy of rules",
    "table9": "Table 9, shallow attack on conditions",
    "table10": "Table 10, shallow attack on the class",
    "table11": "Table 11, attacks on conditions, 15 rows",
    "table12": "Table 12, attacks on the class, 15 rows",
}
_GROUPS = {"Ori": "Ori", "k-Ori": "k-Ori", "M1": "M1", "M2": "M2"}


def _lines(rows: Iterable[tuple]) -> pd.DataFrame:
    """Make the lines of a frame whose columns keep numbers, and here and there a text, as they are."""
    full = [(*row, None if isinstance(row[2], str) else round(row[1] - row[2], 4)) for row in rows]
    return pd.DataFrame(full, columns=COLUMNS, dtype=object)


def _stated(found: Iterable[Quantity]) -> pd.DataFrame:
    """Printed figures in the columns of all reproductions, with their verdicts."""
    return quantities(found)[[*COLUMNS, "verdict"]]


def imprecise_rules(results: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Compare means of the tables of Inuiguchi, Ichida and Torra (2019), and give the mean distance of single figures.

    >>> from anonnb.experiments import inuiguchi
    >>> imprecise_rules({"table8": inuiguchi.stored("table8")})["figures compared"].tolist()
    [8, 8, 32, 8, 8]
    """
    parts = []
    for name, title in _MEASURED.items():
        if name in results:
            frame = results[name].assign(gap=results[name]["difference"].abs())
            groups = frame.groupby(frame["method"].map(_GROUPS).fillna("cT1–cT4"), sort=False)
            means = groups[["ours", "paper", "difference", "gap"]].mean().round(4)
            words = [verdict(group["ours"], group["paper"]) for _, group in groups]
            names = [f"{title}: {group}" for group in means.index]
            parts.append(means.assign(quantity=names, size=groups.size(), verdict=words))
    columns = {"gap": "mean |difference|", "size": "figures compared", "verdict": "verdict"}
    return pd.concat(parts, ignore_index=True)[[*COLUMNS, *columns]].rename(columns=columns)


def migration(table: Table, results: pd.DataFrame) -> pd.DataFrame:
    """Compare the figures that Truong (2023) prints in section IV.

    Its sentences are counted in ``stated.migration``.

    >>> import anonnb
    >>> from anonnb.experiments.migration import stored
    >>> migration(anonnb.load("adult", variant="migration"), stored("comparison"))["verdict"].value_counts().to_dict()
    {'exact': 5, 'differs': 1}
    """
    return _stated(stated_migration.quantities(len(table), len(table.columns), len(table.quasi), results))


def three_routes(survey: Table) -> pd.DataFrame:
    """Compare the counts that Ciriani et al. (2008) print about their example: six tables, and figures in the text.

    The chapter prints no accuracies, so there is nothing to set beside our comparison of the routes.

    >>> import anonnb
    >>> three_routes(anonnb.load("survey"))["verdict"].value_counts().to_dict()
    {'exact': 68, 'differs': 1}
    """
    tables = judged(stated_routes.printed_tables(survey), ["figure"], COUNTS)
    names = "Figure " + tables["figure"] + ": " + tables["row"] + ", " + tables["count"]
    return pd.concat(
        [
            tables.assign(quantity=names)[[*COLUMNS, "verdict"]].astype(object),
            _stated(stated_routes.quantities(survey)),
        ],
        ignore_index=True,
    )


def tree_preserving(table: Table) -> pd.DataFrame:
    """Compare the figures that the TPP paper prints about Adult.

    Its sentences are counted in ``stated.tree_preserving``.

    >>> from anonnb.experiments.tree_preserving import table_named
    >>> tree_preserving(table_named("adult"))["verdict"].tolist()
    ['close', 'exact', 'exact']
    """
    kinds = {name: table.attributes[name].kind for name in table.columns if name != table.decision}
    return _stated(stated_tree_preserving.quantities(len(table), kinds))


def chase(found: Mapping[str, float]) -> pd.DataFrame:
    """Compare the figures of the one experiment of the SCIKD paper.

    Parameters
    ----------
    found:
        Ours by name; see :func:`anonnb.experiments.stated.chase_claims.quantities`.

    Examples
    --------
    >>> ours = {"server_rules": 13, "client_rules": 75, "hidden_cells": 739, "hidden_share": 0.0739}
    >>> chase(ours)["verdict"].unique().tolist()
    ['exact']
    """
    sites = 1 + chase_experiment.SITES
    attributes = len(chase_experiment.census().columns)
    return _stated(stated_chase.quantities(chase_experiment.ROWS, attributes, sites, found))
