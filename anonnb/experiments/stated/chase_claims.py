"""What the SCIKD paper states: its worked example (section 3), and its one experiment (section 4).

The experiment is a few counts and a share; thresholds and attributes are not printed. Readings: one threshold for all
rules (first), or one for the servers and another for the client (second). "Quite successfully" has two readings: more
people than a guess for everybody, or more often right where Chase speaks.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from anonnb.experiments.chase_experiment import worked_example
from anonnb.experiments.verdicts import COUNTS, Quantity, Sentence, VerdictRule
from anonnb.methods.chase_protection.chase_protection import search_object

PRINTED = {"server_rules": 13, "client_rules": 75, "hidden_cells": 739}
NAMES = {"server_rules": "rules of the servers", "client_rules": "rules of the client", "hidden_cells": "hidden cells"}
SHARE = VerdictRule(decimals=4, near=COUNTS.near, relative=True)
# Section 3: the closure of each set that the search looks at, in its order, and whether it is marked.
CLOSURES = (
    *("a1 2/3", "b1", "a1 2/3, b1 2/3, c1, d1 2/3, e1 2/3", "b1, e1", "d1, f1", "g1"),
    *("a1 2/3, b1", "a1 2/3, b1, e1", "a1 2/3, g1", "b1, e1", "b1, g1", "a1 2/3, b1 2/3, c1 2/3, d1 2/3, e1, g1"),
    *("a1 2/3, b1, e1", "a1 2/3, b1, g1"),
)
MARKED = (2, 4, 11)


def quantities(rows: int, attributes: int, sites: int, found: Mapping[str, float], remark: str = "") -> list[Quantity]:
    """Compare the figures of section 4.

    Parameters
    ----------
    rows, attributes, sites:
        The size of the experiment: rows of each site, attributes, and the number of sites.
    found:
        Our figures: server_rules, client_rules, hidden_cells, hidden_share.

    Examples
    --------
    >>> ours = {"server_rules": 13, "client_rules": 70, "hidden_cells": 739, "hidden_share": 0.0739}
    >>> [each.verdict for each in quantities(1000, 10, 4, ours)]
    ['exact', 'exact', 'exact', 'exact', 'exact', 'differs', 'exact', 'exact']
    """
    where = "4"
    share = "7.39% of the total number of attribute values in client table"
    return [
        Quantity(where, "rows of all sites", rows * sites, 4000, "4,000 objects with 10 attributes"),
        Quantity(where, "attributes", attributes, 10, "4,000 objects with 10 attributes"),
        Quantity(where, "sites", sites, 4, "partitioned into 4 tables"),
        Quantity(where, "rows of a site", rows, 1000, "each have 1,000 tuples"),
        Quantity(where, NAMES["server_rules"], found["server_rules"], 13, "13 rules are extracted", remark=remark),
        Quantity(where, NAMES["client_rules"], found["client_rules"], 75, "75 rules are extracted", remark=remark),
        Quantity(where, NAMES["hidden_cells"], found["hidden_cells"], 739, "739 attribute values", remark=remark),
        Quantity(where, "share of all cells", found["hidden_share"], 0.0739, share, rule=SHARE, remark=remark),
    ]


def by_threshold(draws: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Give the three counts for each setting of thresholds, as means over the draws.

    >>> from anonnb.experiments.chase_experiment import stored
    >>> by_threshold(stored("draws"), ["min_confidence"]).head(3)["paper"].tolist()
    [13, 75, 739]
    """
    means = draws.groupby(keys)[list(PRINTED)].mean().sort_index(ascending=False)
    lines = means.rename_axis(columns="count").stack().rename("ours").reset_index()
    return lines.assign(paper=lines["count"].map(PRINTED), count=lines["count"].map(NAMES))


def sentences(draws: pd.DataFrame, guesses: Mapping[int, int]) -> list[Sentence]:
    """Count every sentence that states a result: the worked example, and what is said about Chase and the protection.

    Parameters
    ----------
    guesses:
        For each draw how many of its 1,000 people have the commonest income.

    Examples
    --------
    >>> from anonnb.experiments.chase_experiment import stored
    >>> said = sentences(stored("draws"), dict.fromkeys(range(5), 742))
    >>> [each.text for each in said if each.verdict == "differs"][0]
    'rules from the table itself, without other sites, find the secret'
    """
    guessed = draws["seed"].map(guesses)
    sure = draws["right_before"] / draws["revealed_before"] > guessed / 1000
    return [
        *_worked(),
        Sentence("1", "part or all of the confidential data may be revealed by Chase", draws["revealed_before"] > 0),
        Sentence(
            *("1", "rules from the table itself, without other sites, find the secret"),
            draws["revealed_locally"] > 0,
            remark="income is hidden in all rows, so no rule about it can be learnt from the table",
        ),
        Sentence(
            *("2", "Chase reveals hidden data quite successfully (more right than a guess for everybody)"),
            draws["right_before"] > guessed,
            remark="it speaks about fewer people than the guess",
        ),
        Sentence("2", "… (where it speaks, right more often than that guess)", sure),
        Sentence("abstract", "after the protection Chase reveals nothing", draws["revealed_after"] == 0),
    ]


def _worked() -> list[Sentence]:
    system, rules = worked_example()
    search = search_object(system, rules, "d", threshold=0.2)
    marked = [bool(mark) == (place in MARKED) for place, mark in enumerate(search.sets["marked"])]
    closures = [ours == theirs for ours, theirs in zip(search.sets["closure"], CLOSURES, strict=True)]
    kept = [", ".join(names) in ("a, b, e", "a, b, g") for names in search.kept]
    slip = "of {e1, g1}: b1 is printed with 2/3, but e1 → b1 is certain; the mark is the same"
    return [
        Sentence("3", "marked are c1, f1 and the pair e1, g1, the other eleven sets are not", marked),
        Sentence("3", "the fourteen closures, with their weights", closures, remark=slip),
        Sentence("3", "{a1, b1, e1} and {a1, b1, g1} are the largest sets that stay", [*kept, len(kept) == 2]),
        Sentence(
            "3",
            "the number of iterations is not large (x1: below its six values)",
            [search.sets["set"].map(len).max() < 6],
        ),
    ]
