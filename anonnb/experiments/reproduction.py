"""What each paper states as a figure, beside ours: one short tidy table for each of the five papers.

Columns: quantity, ours, paper, difference (ours minus the paper's, where both are numbers). Most papers print curves
and sentences; then the sentence is counted ("at every k") or its bound is quoted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pandas as pd

from anonnb.experiments import chase as chase_experiment
from anonnb.experiments.stated import migration as stated_migration
from anonnb.experiments.three_routes import chapter_routes
from anonnb.experiments.verdicts import Quantity, quantities, verdict
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
    """The columns hold numbers and, here and there, a text; so they keep them as they are."""
    full = [(*row, None if isinstance(row[2], str) else round(row[1] - row[2], 4)) for row in rows]
    return pd.DataFrame(full, columns=COLUMNS, dtype=object)


def _stated(found: Iterable[Quantity]) -> pd.DataFrame:
    """Printed figures in the columns of all reproductions, with their verdicts."""
    return quantities(found)[[*COLUMNS, "verdict"]]


def imprecise_rules(results: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Means of the tables of Inuiguchi, Ichida and Torra (2019), and how far single figures are away on average.

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
    """The figures that Truong (2023) prints in section IV; its sentences are counted in ``stated.migration``."""
    return _stated(stated_migration.quantities(len(table), len(table.columns), len(table.quasi), results))


def three_routes(survey: Table) -> pd.DataFrame:
    """The example of Ciriani et al. (2008): its 66 rows as they are, and generalized top-down (Fig 1.11 d).

    The chapter prints no accuracies, so there is nothing to set beside our comparison of the routes.

    >>> import anonnb
    >>> three_routes(anonnb.load("survey"))["difference"].tolist()
    [0, 0, 0, 0]
    """
    from anonnb import privacy

    release = chapter_routes(survey, 4)["anonymize and mine (top-down)"]
    return _lines(
        [
            ("rows of the example", len(survey), 66),
            ("smallest class of the table as it is", int(privacy.k(survey)), 2),
            ("smallest class after top-down, k = 4", int(privacy.k(release)), 4),
            ("classes after top-down, k = 4", release.n_groups, 5),
        ]
    )


def tree_preserving(quality: pd.DataFrame, privacy: pd.DataFrame, rows: int, protocol: str) -> pd.DataFrame:
    """The statements of the TPP paper about Figures 5 to 7 on Adult, counted over the sizes of tree."""
    chosen = quality[(quality["dataset"] == "adult") & (quality["protocol"] == protocol)]
    score = chosen.pivot(index="leaves", columns="method", values="score").round(6)
    adult = privacy[privacy["dataset"] == "adult"]
    same = adult.pivot(index="leaves", columns="method", values="same").sum()
    reached = adult[adult["method"] == "TPP"].sort_values("leaves")["k"]
    gap = (score["TPP"] - score["original"]).abs().max()
    infogain, sizes = "InfoGain, K of TPP", len(score)
    return _lines(
        [
            ("complete rows of Adult", rows, 30717),
            ("gap in accuracy between TPP and the original, largest", float(gap), 0.0),
            ("sizes of tree that TPP preserves", int(same["TPP"]), sizes),
            (f"sizes of tree that {infogain} preserves", int(same[infogain]), 0),
            ("sizes of tree that InfoGain, k = 10 preserves", int(same["InfoGain, k = 10"]), 0),
            (f"sizes where TPP is more accurate than {infogain}", int((score["TPP"] > score[infogain]).sum()), sizes),
            ("sizes where K is no larger than one size before", int((reached.diff().iloc[1:] <= 0).sum()), sizes - 1),
        ]
    )


def chase(draws: pd.DataFrame) -> pd.DataFrame:
    """The one experiment of the SCIKD paper, beside means of ours at our strictest and our loosest threshold."""
    rows = []
    for confidence in (draws["min_confidence"].max(), draws["min_confidence"].min()):
        means = draws[draws["min_confidence"] == confidence].mean()
        for title, ours, paper in (
            ("rules of the servers", "server_rules", "server_rules"),
            ("rules of the client", "client_rules", "client_rules"),
            ("cells hidden besides income", "hidden_cells", "hidden"),
            ("share of all cells", "hidden_share", "share"),
        ):
            figure = round(float(means[ours]), 4)
            rows.append((f"{title}, confidence {confidence:g}", figure, chase_experiment.PAPER[paper]))
    return _lines(rows)
