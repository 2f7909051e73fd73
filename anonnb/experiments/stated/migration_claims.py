"""What Truong (2023) states about Figures 5 to 9, counted over the values of k that were run.

The figures are drawings, and only what the text says about them can be compared. Readings: "always" asks at each k;
"lowest among the algorithms" holds at a k where it holds against the paper's three others; "many rules" are one in ten;
KACA and the paper's reading of U-M3AR are ours and take part in no sentence.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonnb.experiments.verdicts import RULE, Quantity, Sentence

LATE = 30  # up to this k the paper sees no new rules
OKA_FAST = 20  # from this k on OKA is the faster
MANY = 0.1
OURS, OTHERS = "U-M3AR", ("M3AR", "OKA", "GCCG")


def quantities(rows: int, attributes: int, quasi: int, results: pd.DataFrame) -> list[Quantity]:
    """Compare the figures of section IV: rows and attributes of the table, lost and new rules of U-M3AR.

    Parameters
    ----------
    rows, attributes, quasi:
        The size of the table: rows, attributes and quasi-identifiers.
    results:
        What :func:`anonnb.experiments.migration.comparison` gives.

    Examples
    --------
    >>> from anonnb.experiments import migration
    >>> [each.verdict for each in quantities(30169, 9, 6, migration.stored("comparison"))]
    ['differs', 'exact', 'exact', 'exact', 'exact', 'exact']
    """
    lost, new = (_wide(results, name)[OURS] for name in ("lrp", "nrp"))
    early, late = new[new.index <= LATE], new[new.index > LATE]
    misprint = "likely a misprint: one digit differs"
    found = [
        Quantity("IV", "rows of Adult", rows, 32169, "32,169 records", remark=misprint),
        Quantity("IV", "attributes", attributes, 9, "retained only 9 attributes"),
        Quantity("IV", "quasi-identifiers", quasi, 6, "the first 6 attributes"),
        Quantity("IV, Figure 6", "LRP of U-M3AR, largest", float(lost.max()), 0, "LRP always equals 0", rule=RULE),
    ]
    zero, below = "NRP of our proposed algorithm also equals to 0", "this metric is less than 20%"
    if len(early):
        found.append(Quantity("IV, Figure 8", f"NRP, largest, k ≤ {LATE}", float(early.max()), 0, zero, rule=RULE))
    if len(late):
        name = f"NRP, largest, k > {LATE}"
        found.append(Quantity("IV, Figure 8", name, float(late.max()), 0.2, below, below=True))
    return found


def printed_curves(results: pd.DataFrame) -> pd.DataFrame:
    """Give what the text says about points of U-M3AR's curves: lost rules at each k, new rules up to k = 30.

    >>> from anonnb.experiments import migration
    >>> float(printed_curves(migration.stored("comparison"))["ours"].max())
    0.0
    """
    lines = results[results["method"] == OURS]
    lost = lines[["k"]].assign(figure="Figure 6: LRP", ours=lines["lrp"])
    new = lines[["k"]].assign(figure="Figure 8: NRP", ours=lines["nrp"])[lines["k"] <= LATE]
    return pd.concat([lost, new], ignore_index=True).assign(paper=0.0)


def sentences(results: pd.DataFrame) -> list[Sentence]:
    """Count every sentence of the abstract and of sections IV and V that states a result.

    >>> from anonnb.experiments import migration
    >>> [said.text for said in sentences(migration.stored("comparison")) if said.verdict == "differs"][-1]
    'U-M3AR makes some new rules for k > 30'
    """
    time, lost, size, new, different = (_wide(results, name) for name in ("seconds", "lrp", "cavg", "nrp", "drp"))
    late = new.loc[new.index > LATE, OURS]
    return [
        *_about_time(time),
        Sentence("IV, Figure 6", "U-M3AR loses no rule", lost[OURS] == 0),
        Sentence("IV, Figure 6", "OKA and GCCG lose many rules (one in ten)", lost[["OKA", "GCCG"]] >= MANY),
        Sentence(
            *("IV, Figure 7", "U-M3AR has a higher average class size (CAVG) than the others"),
            _above(size, OURS, OTHERS),
            remark="the paper calls that better; a class above k only costs detail",
        ),
        Sentence("IV, Figure 7", "OKA has a lower CAVG than M3AR and U-M3AR", _below(size, "OKA", [OURS, "M3AR"])),
        Sentence(
            *("IV, Figure 7", "GCCG has the lowest CAVG of all four"),
            _below(size, "GCCG", [OURS, "M3AR", "OKA"]),
            remark="with us OKA has; unsafe rows sent to random safe groups, as the text has it, give more, not less",
        ),
        Sentence("IV, Figure 8", f"U-M3AR makes no new rule up to k = {LATE}", new.loc[new.index <= LATE, OURS] == 0),
        Sentence("IV, Figure 8", f"U-M3AR makes some new rules for k > {LATE}", late > 0, remark=NO_NEW_RULES),
        Sentence("IV, Figure 8", f"… fewer than 20 % for k > {LATE}", late < 0.2),
        Sentence(
            *("IV, Figure 8", "the new rules reach neither threshold"),
            new[OURS] == 0,
            remark="NRP counts rules that reach both, so it would be 0, against the sentence before",
        ),
        Sentence(
            "IV, Figure 9", "U-M3AR has a lower DRP than OKA and GCCG", _below(different, OURS, ["OKA", "GCCG"], False)
        ),
        Sentence(
            *("abstract, V", "U-M3AR outperforms the others (DRP: no more than each)"),
            np.concatenate([different[OURS] <= different[name] + 1e-9 for name in OTHERS]),
        ),
    ]


NO_NEW_RULES = "the guard forbids them; the paper's reading, which does not, makes none either at these thresholds"


def _about_time(time: pd.DataFrame) -> list[Sentence]:
    large = time[time.index >= OKA_FAST]
    return [
        Sentence("IV, Figure 5", "U-M3AR is faster than M3AR", time[OURS] < time["M3AR"]),
        Sentence("IV, Figure 5", "OKA takes less time as k grows", time["OKA"].diff().iloc[1:] < 0),
        Sentence(
            *("IV, Figure 5", f"OKA is faster than M3AR and U-M3AR for k ≥ {OKA_FAST}"),
            _below(large, "OKA", [OURS, "M3AR"]),
        ),
        Sentence(
            *("IV, Figure 5", "GCCG takes longer than all others"),
            time["GCCG"] > time[[OURS, "M3AR", "OKA"]].max(axis=1),
            remark="ours serves rows with equal quasi-identifiers together; M3AR is our slowest",
        ),
        Sentence(
            *("IV, Figure 5", "GCCG takes less time as k grows"),
            time["GCCG"].diff().iloc[1:] < 0,
            remark="times of one run each",
        ),
    ]


def _wide(results: pd.DataFrame, measure: str) -> pd.DataFrame:
    return results.pivot(index="k", columns="method", values=measure)


def _below(frame: pd.DataFrame, name: str, others: Sequence[str], all_at_once: bool = True) -> np.ndarray:
    """At each k, whether a method is below all the others; or, pair by pair, below each."""
    under = frame[list(others)].gt(frame[name] + 1e-9, axis=0)
    return (under.all(axis=1) if all_at_once else under).to_numpy()


def _above(frame: pd.DataFrame, name: str, others: Sequence[str]) -> np.ndarray:
    return frame[list(others)].lt(frame[name] - 1e-9, axis=0).to_numpy()
