"""What Ciriani et al. (2008) state about the routes: the tables of sections 6 and 7, and what section 5 expects.

The chapter runs no experiment. Its worked example prints counts (Figures 1.11, 1.18, 1.20), which are set beside ours;
its expectations are counted in our comparison of the routes. Readings: "usefulness" is accuracy on held-out rows; an
algorithm aimed at mining is top-down specialization, a classical one Mondrian. Efficiency is not counted.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonnb.experiments.three_routes import ROUTES, UNSAFE
from anonnb.experiments.verdicts import Quantity, Sentence
from anonnb.methods import SafeTree, TopDown
from anonnb.steps import Graph
from anonnb.tables.labels import HIDDEN_CELL
from anonnb.tables.table import Table
from anonnb.trees import planted

CLASSICAL, AIMED = TABLE_ROUTES = ROUTES[1:3]
MODEL_ROUTES = ROUTES[3:]
COLUMNS = ("#tuples", "Y", "N")
# figure, generalized row, #tuples, Y, N
PRINTED = (
    ("1.11 (a)", "any_marital_status any_sex [1,100)", 66, 32, 34),
    ("1.11 (b)", "been_married any_sex [1,100)", 40, 26, 14),
    ("1.11 (b)", "never_married any_sex [1,100)", 26, 6, 20),
    ("1.11 (c)", "divorced any_sex [1,100)", 21, 16, 5),
    ("1.11 (c)", "married any_sex [1,100)", 19, 10, 9),
    ("1.11 (c)", "never_married any_sex [1,100)", 26, 6, 20),
    ("1.11 (d)", "divorced any_sex 35", 4, 0, 4),
    ("1.11 (d)", "divorced any_sex 40", 17, 16, 1),
    ("1.11 (d)", "married any_sex 35", 10, 8, 2),
    ("1.11 (d)", "married any_sex 50", 9, 2, 7),
    ("1.11 (d)", "single any_sex 40", 26, 6, 20),
    ("1.18", "divorced M *", 19, 16, 3),
    ("1.18", "* F 35", 2, 0, 2),
    ("1.18", "married M *", 10, 8, 2),
    ("1.18", "* F 50", 9, 2, 7),
    ("1.18", "single M *", 26, 6, 20),
    ("1.20", "been_married M *", 29, 24, 5),
    ("1.20", "* F *", 11, 2, 9),
    ("1.20", "single M *", 26, 6, 20),
)
REFINED = {"1.11 (a)": 0, "1.11 (b)": 1, "1.11 (c)": 2, "1.11 (d)": 6}  # how many refinements each table has seen


def generalized_rows(survey: Table) -> dict[str, pd.Series]:
    """What each row of the example reads like in the printed tables: four of top-down specialization, two of a tree."""
    steps, tree = TopDown(k=4).steps(survey), planted(survey, {"Sex": {"M": "Marital_status", "F": "Hours"}})
    made = {name: _under_cut(survey, steps[place].state) for name, place in REFINED.items()}
    for name, k in (("1.18", 2), ("1.20", 11)):
        release = SafeTree(k=k, strategy="merge", tree=tree).anonymize(survey).release
        shown = release.frame[survey.quasi].astype(str).replace(HIDDEN_CELL, "*")  # as the chapter prints it
        made[name] = shown.agg(" ".join, axis=1)
    return made


def _under_cut(survey: Table, cut: Graph) -> pd.Series:
    """Return rows whose values are raised to the nodes of a cut: those that a step shows as chosen or as new."""
    nodes, parent = cut.nodes, {child: above for above, child in cut.edges}
    chosen = set(nodes.index[nodes["status"].isin(["chosen", "now"])])
    columns = []
    for name in survey.quasi:
        raised = {}
        for key in (key for key in nodes.index if key[0] == name and key not in parent.values()):
            at = key
            while at not in chosen:
                at = parent[at]
            raised[nodes.loc[[key], "text"].iloc[0]] = nodes.loc[[at], "text"].iloc[0]
        columns.append(survey.frame[name].astype(str).map(raised))
    return pd.concat(columns, axis=1).agg(" ".join, axis=1)


def printed_tables(survey: Table) -> pd.DataFrame:
    """Set each printed count beside ours.

    Returns
    -------
    pd.DataFrame
        A line per count. A printed row that we do not have counts 0 in ours, and one of ours that is not printed 0 in
        the chapter's.

    Examples
    --------
    >>> import anonnb
    >>> frame = printed_tables(anonnb.load("survey"))
    >>> len(frame), bool((frame["ours"] == frame["paper"]).all())
    (57, True)
    """
    theirs = {(figure, row): counts for figure, row, *counts in PRINTED}
    ours: dict[tuple, list] = {}
    for figure, rows in generalized_rows(survey).items():
        table = pd.crosstab(rows.to_numpy(), survey.frame[survey.decision].astype(str).to_numpy())
        table = table.reindex(columns=["Y", "N"], fill_value=0)
        ours |= {(figure, row): [int(line.sum()), *map(int, line)] for row, line in table.iterrows()}
    lines = [
        (*key, column, ours.get(key, [0] * 3)[place], theirs.get(key, [0] * 3)[place])
        for key in [*theirs, *(key for key in ours if key not in theirs)]
        for place, column in enumerate(COLUMNS)
    ]
    return pd.DataFrame(lines, columns=["figure", "row", "count", "ours", "paper"])


def quantities(survey: Table) -> list[Quantity]:
    """Compare the figures that section 6 prints in its text about the example.

    >>> import anonnb
    >>> [each.name for each in quantities(anonnb.load("survey")) if each.verdict == "differs"]
    ['[40,100): |Y − N|']
    """
    degree = {name: int(rows.value_counts().min()) for name, rows in generalized_rows(survey).items()}
    apart = {row: abs(yes - no) for row, yes, no in _halves(survey)}
    steps = sum(step.title.startswith(("Begin", "Refine")) for step in TopDown(k=4).steps(survey))
    married = int(survey.frame["Marital_status"].isin(["divorced", "married"]).sum())
    slip = "a slip: 28 − 24 is 4"
    where, b, c = "6", "1.11 (b)", "1.11 (c)"
    hours = "for [0, 40) we have 8 Y and 6 N, with a difference of 2"
    return [
        Quantity(where, "been_married: |Y − N|", apart["been_married"], 12, "with a difference of 12"),
        Quantity(where, "never_married: |Y − N|", apart["never_married"], 14, "with a difference of 14"),
        Quantity(where, "[1,40): |Y − N|", apart["[1,40)"], 2, hours),
        Quantity(
            where, "[40,100): |Y − N|", apart["[40,100)"], 2, "24 Y and 28 N, with a difference of 2", remark=slip
        ),
        Quantity(where, "degree of Figure 1.11 (b)", degree[b], 26, "are 26 (tuples containing"),
        Quantity(where, "degree of Figure 1.11 (c)", degree[c], 19, "and 19 (tuples containing"),
        Quantity(where, "AnonyLoss(been_married)", degree[b] - degree[c], 7, "is 7"),
        Quantity(where, "steps, the first table being one", steps, 7, "after 7 steps"),
        Quantity(where, "degree of the final table", degree["1.11 (d)"], 4, "the final table is 4-anonymous"),
        Quantity(where, "cells changed for {Marital_status, Sex}", married, 40, "generalize only 40 cells"),
        Quantity(where, "cells changed in Figure 1.11 (d)", len(survey), 66, "instead of the 66 cells"),
        Quantity("7", "degree of Figure 1.20", degree["1.20"], 11, "for guaranteeing 11-anonymity"),
    ]


def _halves(survey: Table) -> list[tuple[str, int, int]]:
    """Return the parts of the first two refinements, with their counts of Y and N."""
    frame = survey.frame.astype(str)
    single, long = frame["Marital_status"] == "single", frame["Hours"] != "35"
    parts = {"been_married": ~single, "never_married": single, "[1,40)": ~long, "[40,100)": long}
    sick = frame[survey.decision] == "Y"
    return [(name, int((part & sick).sum()), int((part & ~sick).sum())) for name, part in parts.items()]


def sentences(means: pd.DataFrame) -> list[Sentence]:
    """Count what sections 4 and 5 say about the routes.

    >>> from anonnb.experiments.results import stored
    >>> [said.held for said in sentences(stored("three_routes", "adult"))][:2]
    ['6 of 6', '12 of 12']
    """
    score, exposed = (means.pivot(index="k", columns="route", values=name) for name in ("accuracy", "people exposed"))
    score = score.round(6)
    models, tables = list(MODEL_ROUTES), list(TABLE_ROUTES)
    better = np.concatenate([score[model] > score[table] for model in models for table in tables])
    behind = score.index[score[AIMED] <= score[CLASSICAL]].tolist()
    few = f"Mondrian is ahead at k = {', '.join(map(str, behind))}" if behind else ""
    return [
        Sentence(
            "4",
            "mining results can compromise k-anonymity though no table is published",
            exposed[UNSAFE] > 0,
            remark=RARE * bool((exposed[UNSAFE] == 0).any()),
        ),
        Sentence("5", "anonymize and mine: mining is safe", exposed[tables] == 0),
        Sentence("5, 7", "mine and anonymize: no pattern of fewer than k people follows", exposed[models] == 0),
        Sentence(
            *("5", "anonymize and mine: usefulness can be compromised (below the unprotected tree)"),
            np.concatenate([score[table] < score[UNSAFE] for table in tables]),
        ),
        Sentence(
            *("5", "… so anonymize for mining: top-down beats the classical algorithm"),
            score[AIMED] > score[CLASSICAL],
            remark=few,
        ),
        Sentence(
            "5",
            "mine and anonymize: better results than from an anonymized table",
            better,
            remark=SMALL * bool(~better.all()),
        ),
    ]


RARE = "for k = 2 only a count of 1 is small, and 64 leaves may have none"
SMALL = "at small k an anonymized table may be as good"
