"""What Ciriani et al. (2008) state about the routes: the tables of sections 6 and 7, and what section 5 expects.

The chapter runs no experiment. Its worked example prints counts (Figures 1.11, 1.18, 1.20), which are set beside ours;
its expectations are counted in our comparison of the routes. Readings: "usefulness" is accuracy on held-out rows; an
algorithm aimed at mining is top-down specialization, a classical one Mondrian; "efficient" is processor time.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonnb.experiments.ledger import figure, sentence
from anonnb.experiments.results import stored
from anonnb.experiments.three_routes import ROUTES, UNSAFE
from anonnb.methods import SafeTree, TopDown
from anonnb.steps import Graph
from anonnb.tables.datasets import load
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
    theirs = {(name, row): counts for name, row, *counts in PRINTED}
    ours: dict[tuple, list] = {}
    for name, rows in generalized_rows(survey).items():
        table = pd.crosstab(rows.to_numpy(), survey.frame[survey.decision].astype(str).to_numpy())
        table = table.reindex(columns=["Y", "N"], fill_value=0)
        ours |= {(name, row): [int(line.sum()), *map(int, line)] for row, line in table.iterrows()}
    lines = [
        (*key, column, ours.get(key, [0] * 3)[place], theirs.get(key, [0] * 3)[place])
        for key in [*theirs, *(key for key in ours if key not in theirs)]
        for place, column in enumerate(COLUMNS)
    ]
    return pd.DataFrame(lines, columns=["figure", "row", "count", "ours", "paper"])


def lines() -> list[dict]:
    """Return the lines of the chapter: its printed tables, the figures in its text, the tree, and its expectations."""
    survey = load("survey")
    tables = [
        figure(f"Figure {line.figure}", f"{line.row}, {line.count_}", line.paper, line.ours, count=True,
               part="input" if line.figure == "1.11 (a)" else "checked", reading=GIVEN * (line.figure == "1.11 (a)"))
        for line in printed_tables(survey).rename(columns={"count": "count_"}).itertuples()
    ]  # fmt: skip
    return [*tables, *figures(survey), *itemsets(), *sentences(stored("three_routes", "adult"))]


GIVEN = "the whole table, which is given"
EMPTY = "the text lists {F, 40}, which nobody is in: 11 − 9 − 2 = 0; our tree has no empty node"


def figures(survey: Table) -> list[dict]:
    """Return the lines of the figures that sections 6 and 7 print in their text about the example."""
    degree = {name: int(rows.value_counts().min()) for name, rows in generalized_rows(survey).items()}
    apart = {row: abs(yes - no) for row, yes, no in _halves(survey)}
    steps = sum(step.title.startswith(("Begin", "Refine")) for step in TopDown(k=4).steps(survey))
    married = int(survey.frame["Marital_status"].isin(["divorced", "married"]).sum())
    nodes = len(planted(survey, {"Sex": {"M": "Marital_status", "F": "Hours"}}).nodes)
    b, c = "1.11 (b)", "1.11 (c)"
    found = [
        ("6", "been_married: |Y − N|", 12, apart["been_married"], ""),
        ("6", "never_married: |Y − N|", 14, apart["never_married"], ""),
        ("6", "[1,40): |Y − N|", 2, apart["[1,40)"], ""),
        ("6", "[40,100): |Y − N|", 2, apart["[40,100)"], "a slip: 28 − 24 is 4"),
        ("6", "degree of Figure 1.11 (b)", 26, degree[b], ""),
        ("6", "degree of Figure 1.11 (c)", 19, degree[c], ""),
        ("6", "AnonyLoss(been_married)", 7, degree[b] - degree[c], ""),
        ("6", "steps, the first table being one", 7, steps, ""),
        ("6", "degree of the final table", 4, degree["1.11 (d)"], ""),
        ("6", "cells changed for {Marital_status, Sex}", 40, married, ""),
        ("6", "cells changed in Figure 1.11 (d)", 66, len(survey), ""),
        ("7", "degree of Figure 1.20", 11, degree["1.20"], ""),
        ("Figure 1.9", "nodes of the tree, as the text lists them", 9, nodes, EMPTY),
    ]
    return [figure(*line[:4], count=True, reading=line[4]) for line in found]


def lattice() -> pd.Series:
    """Return the support of every itemset of Figure 1.14: A been married, B male, C 40 hours or more.

    >>> lattice()["BC"]
    np.int64(43)
    """
    survey = load("survey").frame.astype(str)
    items = {"A": survey["Marital_status"] != "single", "B": survey["Sex"] == "M", "C": survey["Hours"] != "35"}
    every = ["", "A", "B", "C", "AB", "AC", "BC", "ABC"]
    return pd.Series(
        {name: np.all([items[item] for item in name], axis=0).sum() if name else len(survey) for name in every}
    )


def itemsets() -> list[dict]:
    """Return the lines of section 7.1: what the text says of the lattice of Figure 1.14, whose drawing we lack."""
    ours = lattice()
    printed = {"": 66, "B": 55, "C": 52, "BC": 43}
    found = [(f"support of {{{', '.join(name)}}}", paper, int(ours[name])) for name, paper in printed.items()]
    found += [
        ("support of C and not B", 9, int(ours["C"] - ours["BC"])),
        ("support of B and not C", 12, int(ours["B"] - ours["BC"])),
        ("support of neither", 2, int(ours[""] - ours["B"] - ours["C"] + ours["BC"])),
    ]
    return [figure("7.1", *line, count=True) for line in found]


def _halves(survey: Table) -> list[tuple[str, int, int]]:
    """Return the parts of the first two refinements, with their counts of Y and N."""
    frame = survey.frame.astype(str)
    single, long = frame["Marital_status"] == "single", frame["Hours"] != "35"
    parts = {"been_married": ~single, "never_married": single, "[1,40)": ~long, "[40,100)": long}
    sick = frame[survey.decision] == "Y"
    return [(name, int((part & sick).sum()), int((part & ~sick).sum())) for name, part in parts.items()]


def sentences(means: pd.DataFrame) -> list[dict]:
    """Return the line of everything that sections 4, 5 and 7 expect of the routes.

    >>> sentences(stored("three_routes", "adult"))[1]["verdict"]
    'exact'
    """
    wide = {
        name: means.pivot(index="k", columns="route", values=name) for name in ("accuracy", "people exposed", "seconds")
    }
    score, exposed, time = wide["accuracy"].round(6), wide["people exposed"], wide["seconds"]
    models, tables = list(MODEL_ROUTES), list(TABLE_ROUTES)
    small = "for k = 2 only a count of 1 is small, and 64 leaves may have none"
    behind = score.index[score[AIMED] <= score[CLASSICAL]].tolist()
    ahead = f"Mondrian is ahead at k = {', '.join(map(str, behind))}" if behind else ""
    exposes = small * bool((exposed[UNSAFE] == 0).any())
    clock = "processor seconds until the tree is there, growing it included"
    useful = _pairs(score, [UNSAFE], tables)
    return [
        sentence(
            "4",
            "mining results can compromise k-anonymity though no table is published",
            exposed[UNSAFE] > 0,
            reading=exposes,
        ),
        sentence("5", "anonymize and mine: mining is safe", np.ravel(exposed[tables] == 0)),
        sentence(
            "5, 7", "mine and anonymize: no pattern of fewer than k people follows", np.ravel(exposed[models] == 0)
        ),
        sentence("5", "anonymize and mine: usefulness can be compromised (below the unprotected tree)", useful),
        sentence(
            "5",
            "… so anonymize for mining: top-down beats the classical algorithm",
            score[AIMED] > score[CLASSICAL],
            reading=ahead,
        ),
        sentence(
            "5", "mine and anonymize: better results than from an anonymized table", _pairs(score, models, tables)
        ),
        sentence(
            "5",
            "mine and anonymize is more efficient than anonymize and mine",
            _pairs(time, tables, models),
            reading=clock,
        ),
    ]


def _pairs(frame: pd.DataFrame, larger: list[str], smaller: list[str]) -> np.ndarray:
    """Say at each k and for each pair of routes whether the first has more."""
    return np.concatenate([frame[one] > frame[other] for one in larger for other in smaller])
