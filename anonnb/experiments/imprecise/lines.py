"""The lines of Inuiguchi, Ichida and Torra (2019) in the ledger: Tables 7 to 12, and every sentence about them.

A sentence is a number of comparisons between printed cells, made in our figures and in the printed ones; only cells on
which no reading was chosen count, as long as there are any. Readings: "better" is strict; "not very big", "comparable"
and "much" draw the line at 0.1, except between two variants of patterns, where it is drawn at 0.03.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from anonnb.experiments import inuiguchi
from anonnb.experiments.imprecise.readings import MONDRIANS as M
from anonnb.experiments.imprecise.readings import PATTERNS as P
from anonnb.experiments.ledger import by_order, figure, sentence
from anonnb.tables.datasets import load
from anonnb.tables.roles import required_decision

LIKE, UNLIKE = P[:2], P[2:]
BIG, SMALL = 0.1, 0.03
# Table 7: rows, condition attributes, classes
TABLE7 = {"car": (1728, 6, 4), "hayes-roth": (160, 5, 3), "iris": (150, 4, 3), "zoo": (101, 16, 7)}
NAME_COLUMN = "the fifth attribute of hayes-roth is the name of the row, which we leave out"
OWN_RULES = "rules from the table itself: LERS as its author defines it"


def lines() -> list[dict]:
    """Return all lines: 12 of Table 7, 568 of Tables 8 to 12, and the sentences."""
    frame = inuiguchi.all_figures()
    return [*_table7(), *_figures(frame), *sentences(frame)]


def _table7() -> list[dict]:
    found = []
    for name, printed in TABLE7.items():
        table = load(name)
        ours = len(table), len(table.conditions), table.attributes[required_decision(table)].size
        for what, one, other in zip(("rows", "condition attributes", "classes"), printed, ours, strict=True):
            why = NAME_COLUMN if one != other else ""
            found.append(figure("Table 7", f"{name}, {what}", one, other, count=True, part="input", reading=why))
    return found


def part_of(table: int, dataset: str, method: str) -> str:
    """Return whether a cell was used to choose a reading.

    Readings are chosen on the even data sets. Before there was that rule, iris and M2 of car in Table 10, M1 and M2 of
    car in Table 9, and all anonymized tables in Table 8 were looked at while candidates were thought of.

    >>> part_of(10, "car", "cT1"), part_of(10, "car", "M2"), part_of(9, "zoo", "M1"), part_of(8, "zoo", "Ori")
    ('checked', 'chosen', 'chosen', 'checked')
    """
    if method in ("Ori", "k-Ori"):
        return "checked"
    seen = {
        8: True,
        9: dataset == "car" and method in M,
        10: dataset == "iris" or (dataset == "car" and method == "M2"),
    }
    return "chosen" if dataset in inuiguchi.EVEN or seen.get(table, False) else "checked"


def _figures(frame: pd.DataFrame) -> list[dict]:
    found = []
    for line in frame.itertuples():
        what = f"{line.dataset}, k = {line.k}, {line.method}" + (f", {line.attack}" if line.table > 10 else "")
        draws = f"{line.draws} {'repetitions of ten folds' if line.table < 11 else 'samples'}"
        why = OWN_RULES if line.part in ("Ori", "k-Ori") else "the chosen reading"
        ends = line.paper, line.ours, line.low, line.high
        made = figure(
            f"Table {line.table}",
            what,
            *ends,
            reading=f"{why}; {draws}",
            part=part_of(line.table, line.dataset, line.method),
        )
        found.append(made | {"block": (line.table, line.dataset, line.attack, line.method)})
    return by_order(pd.DataFrame(found), ["block"]).drop(columns="block").to_dict("records")


class Compared(NamedTuple):
    """Comparisons of printed cells: the methods ``low`` against ``high`` in each line of some tables."""

    tables: tuple[int, ...]
    low: Sequence[str]
    high: Sequence[str]
    by: float = 0.0  # how much the second must be ahead of the first
    within: float | None = None  # instead: how far the two may be apart
    unless: bool = False  # the opposite is stated
    where: str = "dataset != ''"


def compared(frame: pd.DataFrame, what: Compared) -> pd.DataFrame:
    """Return a line per comparison: whether it holds in ours and in the printed figures, and its part."""
    found = []
    some = frame[frame["table"].isin(what.tables)].query(what.where)
    for key, part in some.groupby(["table", "dataset", "k", "attack"], sort=False):
        cells = part.set_index("method")[["ours", "paper"]]
        for low in what.low:
            for high in what.high:
                gap = cells.loc[high] - cells.loc[low]
                holds = gap.abs() <= what.within + 1e-9 if what.within is not None else gap > what.by + 1e-9
                parts = {part_of(int(key[0]), str(key[1]), name) for name in (low, high)}
                found.append((*(holds != what.unless), "chosen" if "chosen" in parts else "checked"))
    return pd.DataFrame(found, columns=["ours", "paper", "part"])


ALL, NOT_HR10 = "dataset != ''", "not (dataset == 'hayes-roth' and k == 10)"
STATED: list[tuple[str, str, list[Compared]]] = [
    ("4.2", "k-Ori is better than Ori for car and hayes-roth with k = 5 and for car with k = 10",
     [Compared((8,), ["Ori"], ["k-Ori"], where="dataset == 'car' or (dataset == 'hayes-roth' and k == 5)")]),
    ("4.2, 5", "rules from cT1 … cT4 are better than those from M1 and M2", [Compared((8,), M, P)]),
    ("4.2, 5", "… much better (by more than 0.1)", [Compared((8,), M, P, BIG)]),
    ("4.2", "cT3 and cT4 are less useful than cT1 and cT2", [Compared((8,), UNLIKE, LIKE)]),
    ("4.2", "the differences between cT1 and cT2, and between cT3 and cT4, are not very big (at most 0.03)",
     [Compared((8,), ["cT1"], ["cT2"], within=SMALL), Compared((8,), ["cT3"], ["cT4"], within=SMALL)]),
    ("4.2", "rules from cT1 … cT4 are worse than those from the original", [Compared((8,), P, ["Ori"])]),
    ("4.2", "… but not by much (at most 0.1), except for hayes-roth with k = 10",
     [Compared((8,), P, ["Ori"], within=BIG, where=NOT_HR10)]),
    ("4.2", "for hayes-roth with k = 10 they lose much (more than 0.1)",
     [Compared((8,), P, ["Ori"], BIG, where="dataset == 'hayes-roth' and k == 10")]),
    ("4.3", "the usefulness of M1 is the worst", [Compared((8,), ["M1"], [*P, "M2"])]),
    ("5", "Mondrian destroys the possibility to classify (M1 and M2 lose more than 0.1)",
     [Compared((8,), M, ["Ori"], BIG)]),
    ("4.3", "M1 protects condition values better than cT1 … cT4, except for hayes-roth",
     [Compared((9,), ["M1"], P, where="dataset != 'hayes-roth'")]),
    ("4.3", "M2 protects condition values comparably with cT3 and cT4 (at most 0.1 apart)",
     [Compared((9,), ["M2"], UNLIKE, within=BIG)]),
    ("4.3", "cT1 … cT4 protect condition values of hayes-roth better than M1 and M2",
     [Compared((9,), P, M, where="dataset == 'hayes-roth'")]),
    ("4.3", "cT1 … cT4 protect condition values worse than M1", [Compared((9,), ["M1"], P)]),
    ("4.3", "… but not very badly (at most 0.1 above M1)", [Compared((9,), ["M1"], P, BIG, unless=True)]),
    ("4.3", "M1 protects the class better than cT1 … cT4 in all data sets", [Compared((10,), ["M1"], P)]),
    ("4.3", "M1 protects the class best of all", [Compared((10,), ["M1"], [*P, "M2"])]),
    ("4.3, 5", "cT1 … cT4 and M2 protect the class comparably (at most 0.1 apart)",
     [Compared((10,), P, ["M2"], within=BIG)]),
    ("4.3", "cT1 … cT4 protect the class better than M2 in car and hayes-roth",
     [Compared((10,), P, ["M2"], where="dataset in ['car', 'hayes-roth']")]),
    ("4.3", "cT3 and cT4 protect the class better than cT1 and cT2", [Compared((10,), UNLIKE, LIKE)]),
    ("4.3", "cT2 protects the class better than cT1, and cT4 better than cT3",
     [Compared((10,), ["cT2"], ["cT1"]), Compared((10,), ["cT4"], ["cT3"])]),
    ("4.3", "to protect the class, minimize at (s2) and take (s6): cT4 is better than cT1, cT2 and cT3",
     [Compared((10,), ["cT4"], P[:3])]),
    ("4.4", "cT1 … cT4 generally protect condition values less than M1 and M2 (15 rows)", [Compared((11,), M, P)]),
    ("4.4", "… the differences are not very big (at most 0.1)", [Compared((11,), P, M, within=BIG)]),
    ("4.4", "cT1 … cT4 protect the class more than M2 (15 rows)", [Compared((12,), P, ["M2"])]),
    ("4.4", "cT1 … cT4 protect the class less than M1 (15 rows)", [Compared((12,), ["M1"], P)]),
    ("4.4", "protection grows in the order cT1, cT2, cT3, cT4 (15 rows)",
     [Compared((11, 12), [P[at + 1]], [P[at]]) for at in range(3)]),
    ("5", "cT1 … cT4 protect worse than M1 (Tables 9 to 12)", [Compared((9, 10, 11, 12), ["M1"], P)]),
    ("5", "cT1 … cT4 protect condition values worse than M2 (Tables 9 and 11)", [Compared((9, 11), ["M2"], P)]),
]  # fmt: skip


def sentences(frame: pd.DataFrame) -> list[dict]:
    """Return the line of every sentence of the abstract and of sections 4 and 5 that states a result."""
    found = [_said(place, text, pd.concat([compared(frame, each) for each in what])) for place, text, what in STATED]
    table8 = _cells(frame, "table == 8", ["dataset", "k"], "method")
    ori, best = table8.xs("Ori", axis=1, level=1), table8.loc[:, (slice(None), list(P))].T.groupby(level=0).max().T
    kept = (ori - best <= SMALL + 1e-9).assign(part="chosen")
    text = "tables made by one of the methods preserve the accuracy of rules (one of cT1 … cT4 loses at most 0.03)"
    found.insert(0, _said("abstract", text, kept))
    own = _cells(frame, "method == 'k-Ori'", ["dataset"], "k")
    falls = (own.xs(10, axis=1, level=1) < own.xs(5, axis=1, level=1)).assign(part="checked")
    found.insert(2, _said("4.2", "the accuracy of k-anonymous rules falls as k grows", falls))
    attacks = _cells(frame, "table > 10", ["table", "dataset", "k", "method"], "attack")
    more = attacks.xs("deep", axis=1, level=1) > attacks.xs("shallow", axis=1, level=1) + 1e-9
    more["part"] = [part_of(table, name, method) for table, name, _, method in more.index]
    found.append(_said("4.4", "the deep attack reveals more than the shallow attack", more))
    ahead = {pair: table8.xs(pair[0], axis=1, level=1) - table8.xs(pair[1], axis=1, level=1) for pair in (LIKE, UNLIKE)}
    open_ = pd.DataFrame([~((gap > 0).all() | (gap < 0).all()) for gap in ahead.values()]).assign(part="chosen")
    found.append(_said("4.2", "one cannot say which of the two is better (neither leads everywhere)", open_))
    some = compared(frame, Compared((11,), P, M)).query("part == 'checked'")[["ours", "paper"]].any()
    text = "… and cT1 … cT4 are better in some cases"
    return [*found, _said("4.4", text, pd.DataFrame([some]).assign(part="checked"))]


def _cells(frame: pd.DataFrame, where: str, index: list[str], across: str) -> pd.DataFrame:
    return frame.query(where).pivot(index=index, columns=across, values=["ours", "paper"])


def _said(place: str, text: str, found: pd.DataFrame) -> dict:
    """Return the line of a sentence, over its checked comparisons; over all if there are none."""
    checked = found[found["part"] == "checked"]
    part, used = ("checked", checked) if len(checked) else ("chosen", found)
    left = len(found) - len(used)
    why = f"over checked cells; {left} comparisons with chosen cells left out" if left else ""
    return sentence(place, text, used["ours"], used["paper"], reading=why, part=part)
