"""The ledger of the five papers: every printed figure and every sentence that states a result, one line each.

``python -m anonnb.experiments ledger`` writes ``reports/results/ledger.csv``. The column ``part`` says what a line can
show: an *input* was given to the experiment, a *chosen* line took part in picking a reading, a *checked* line did
neither, and only checked lines count in headlines. ``low`` and ``high`` are the 95 % interval in which another run like
the paper's would fall, or the range over the choices that the paper leaves open.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from math import comb

import numpy as np
import pandas as pd

from anonnb.experiments.results import stored_file

COLUMNS = ("paper", "place", "what", "printed", "ours", "low", "high", "reading", "part", "verdict")
PARTS = ("checked", "chosen", "input")
VERDICTS = ("exact", "within chance", "close", "same order", "undecided", "differs")
MARKS = dict(zip(VERDICTS, "=±≈~?≠", strict=True))
HITS = VERDICTS[:3]
NEAR, SMALL_SHARE, COUNT_SHARE = 0.03, 0.5, 0.05  # close: absolute, of a small figure, of a count
ORDER, FEWEST_RANKED = 0.8, 4
COIN = 0.05  # a sentence beats a coin if so many agreements had at most this probability
RULE = (
    "exact: the printed digits, or every comparison of a sentence as printed; within chance: the interval covers the "
    "printed figure; close: at most 0.03 and at most half of the printed figure away (of a count, 5 %), or more "
    "comparisons as printed than a coin would give (sign test, 5 %); same order: further away, but over at least four "
    "values of k the ranks of the method correlate by 0.8 or more; undecided: too few values of k, or no better than a "
    "coin; differs: all else"
)
PAPERS = {
    "Inuiguchi et al. (2019)": "imprecise.lines",
    "Truong (2023)": "stated.migration_claims",
    "Ciriani et al. (2008)": "stated.routes_claims",
    "TPP": "stated.tree_preserving_claims",
    "SCIKD": "stated.chase_claims",
}


# ---- verdicts ------------------------------------------------------------------------------------------------------


def verdict(
    printed: float, ours: float, low: float = np.nan, high: float = np.nan, *, decimals: int = 4, count: bool = False
) -> str:
    """Judge one figure.

    >>> verdict(0.1913, 0.19132), verdict(0.5, 0.47), verdict(0.02, 0.04), verdict(0.02, 0.04, 0.01, 0.07)
    ('exact', 'close', 'differs', 'within chance')
    >>> verdict(100, 98, count=True)
    'close'
    """
    apart = abs(ours - printed)
    if apart <= 0.5 * 10.0 ** -(0 if count else decimals) + 1e-9:
        return "exact"
    if low - 1e-9 <= printed <= high + 1e-9:
        return "within chance"
    limit = COUNT_SHARE * abs(printed) if count else min(NEAR, SMALL_SHARE * abs(printed))
    return "close" if apart <= limit + 1e-9 else "differs"


def rank_correlation(ours: pd.Series, paper: pd.Series) -> float:
    """Spearman's, ties sharing their mean rank; NaN for fewer than four figures or where all are equal.

    >>> rank_correlation(pd.Series([1, 2, 3, 5]), pd.Series([0.1, 0.3, 0.2, 0.9]))
    0.8
    """
    ranks = ours.rank(), paper.rank()
    if len(ours) < FEWEST_RANKED or any(rank.nunique() == 1 for rank in ranks):
        return float("nan")
    return round(float(np.corrcoef(*ranks)[0, 1]), 9)


def by_order(frame: pd.DataFrame, block: Sequence[str]) -> pd.DataFrame:
    """Give figures that differ a second look: the order over k within a block, which is one method on one data set.

    >>> frame = pd.DataFrame({"m": list("aaaab"), "ours": [0, 1, 2, 4, 7], "printed": [0, 2, 3, 9, 8]})
    >>> by_order(frame.assign(verdict="differs"), ["m"])["verdict"].tolist()
    ['same order', 'same order', 'same order', 'same order', 'undecided']
    """
    words = frame["verdict"].copy()
    for _, part in frame.groupby(list(block), sort=False):
        found = rank_correlation(part["ours"].astype(float), part["printed"].astype(float))
        word = "undecided" if len(part) < FEWEST_RANKED else "same order" if found >= ORDER else "differs"
        words[part.index[part["verdict"] == "differs"]] = word
    return frame.assign(verdict=words)


def sign_test(agree: int, n: int) -> float:
    """Return the probability that a coin agrees at least so often.

    >>> sign_test(5, 5), round(sign_test(12, 20), 2)
    (0.03125, 0.25)
    """
    return sum(comb(n, count) for count in range(agree, n + 1)) / 2**n


def sentence_verdict(agree: int, n: int) -> str:
    """Judge a sentence by how many of its comparisons come out as printed.

    >>> [sentence_verdict(agree, 20) for agree in (20, 16, 12, 9)]
    ['exact', 'close', 'undecided', 'differs']
    """
    if agree == n:
        return "exact"
    if 2 * agree <= n:
        return "differs"
    return "close" if sign_test(agree, n) <= COIN else "undecided"


# ---- lines ---------------------------------------------------------------------------------------------------------


def figure(
    place: str,
    what: str,
    printed: float,
    ours: float,
    low: float | None = None,
    high: float | None = None,
    *,
    decimals: int = 4,
    count: bool = False,
    reading: str = "",
    part: str = "checked",
) -> dict:
    """Return the line of a printed figure.

    >>> figure("IV", "rows", 100, 98, count=True, part="input")["verdict"]
    'close'
    """
    ends = np.nan if low is None else low, np.nan if high is None else high
    word = verdict(printed, ours, *ends, decimals=decimals, count=count)
    return _line(place, what, printed, ours, *ends, reading, part, word)


def bound(
    place: str, what: str, below: float, ours: Sequence[float], *, reading: str = "", part: str = "checked"
) -> dict:
    """Return the line of a printed upper bound: exact if every run stays below it, within chance if some do."""
    low, high = float(min(ours)), float(max(ours))
    word = "exact" if high < below else "within chance" if low < below else "differs"
    return _line(place, what, f"below {below:g}", float(np.median(ours)), low, high, reading, part, word)


def sentence(
    place: str,
    text: str,
    ours: Iterable,
    paper: Iterable | None = None,
    *,
    reading: str = "",
    part: str = "checked",
) -> dict:
    """Return the line of a sentence: its comparisons in our figures, and in the printed ones if there are any.

    >>> sentence("4.3", "M1 protects best.", [True, True, False], [True, True, True])["ours"]
    '2 of 3 as printed'
    """
    held = np.asarray(list(ours), dtype=bool)
    if not len(held):
        raise ValueError(f"the sentence {text!r} has no comparison that could come out; give at least one")
    told = np.ones(len(held), bool) if paper is None else np.asarray(list(paper), dtype=bool)
    n, agree = len(held), int((held == told).sum())
    printed = "stated" if paper is None else f"{told.sum()} of {n}"
    return _line(
        place, text, printed, f"{agree} of {n} as printed", np.nan, np.nan, reading, part, sentence_verdict(agree, n)
    )


def _line(*values: object) -> dict:
    return dict(zip(COLUMNS[1:], values, strict=True))


# ---- the file ------------------------------------------------------------------------------------------------------


def ledger() -> pd.DataFrame:
    """Make every line anew from the committed results."""
    parts = []
    for paper, module in PAPERS.items():
        lines = import_module(f"anonnb.experiments.{module}").lines()
        parts.append(pd.DataFrame(lines).assign(paper=paper))
    return pd.concat(parts, ignore_index=True)[list(COLUMNS)]


def read(paper: str | None = None) -> pd.DataFrame:
    """Read the committed ledger, or the lines of one paper; figures and texts share the columns printed and ours.

    >>> sorted(read()["part"].unique())
    ['checked', 'chosen', 'input']
    """
    frame = pd.read_csv(stored_file("ledger.csv"), keep_default_na=False, na_values={"low": "", "high": ""})
    if paper is not None and paper not in PAPERS:
        raise KeyError(f"there is no paper {paper!r} in the ledger; use one of {', '.join(PAPERS)}")
    for name in ("printed", "ours"):
        numbers = pd.to_numeric(frame[name], errors="coerce")
        frame[name] = numbers.astype(object).where(numbers.notna(), frame[name])
    return frame if paper is None else frame[frame["paper"] == paper].reset_index(drop=True)


def tally(lines: pd.DataFrame, part: str = "checked") -> pd.Series:
    """Count the verdicts of one part, in their order.

    >>> tally(pd.DataFrame({"part": ["checked", "input"], "verdict": ["close", "exact"]}))["close"]
    np.int64(1)
    """
    found = lines.loc[lines["part"] == part, "verdict"].value_counts()
    return found.reindex(VERDICTS, fill_value=0).rename("figures")


def counts(lines: pd.DataFrame) -> pd.DataFrame:
    """Count the verdicts of each part: a row per part, a column per verdict.

    >>> counts(read("SCIKD")).loc["input", "exact"]
    np.int64(4)
    """
    return pd.DataFrame({part: tally(lines, part) for part in PARTS}).T


def headline(lines: pd.DataFrame) -> str:
    """Say how many checked lines agree, and what stands beside them.

    >>> print(headline(pd.DataFrame({"part": ["checked", "input"], "verdict": ["close", "exact"]})))
    1 of 1 checked lines are exact, within chance or close; beside them: chosen 0 of 0, input 1 of 1
    """
    found = counts(lines)
    hits = found[list(HITS)].sum(axis=1)
    said = {part: f"{hits[part]} of {found.loc[part].sum()}" for part in PARTS}
    first = f"{said['checked']} checked lines are exact, within chance or close"
    return f"{first}; beside them: chosen {said['chosen']}, input {said['input']}"


def summary(lines: pd.DataFrame, limit: int = 12) -> pd.DataFrame:
    """Return a paper's figures for the index of a batch; places with more than ``limit`` figures are averaged.

    >>> summary(read("SCIKD"))["quantity"].iloc[-1]
    'hidden cells (4, chosen)'
    """
    figures = lines[[not isinstance(value, str) for value in lines["printed"]]]
    rows = []
    for (place, part), group in figures.groupby(["place", "part"], sort=False):
        numbers = group[["ours", "printed"]].astype(float)
        if len(group) > limit:
            rows.append((f"{place}, mean of {len(group)} ({part})", *numbers.mean()))
        else:
            rows += [
                (f"{what} ({place}, {part})", *pair)
                for what, pair in zip(group["what"], numbers.to_numpy(), strict=True)
            ]
    frame = pd.DataFrame(rows, columns=["quantity", "ours", "paper"]).round(4)
    return frame.assign(difference=(frame["ours"] - frame["paper"]).round(4))


class LedgerTable:
    """Lines of the ledger for reading: texts are whole and left-aligned."""

    def __init__(self, frame: pd.DataFrame):
        self.frame = frame

    def __repr__(self) -> str:
        return self.frame.to_string(index=False)

    def _repr_html_(self) -> str:
        with pd.option_context("display.max_colwidth", None):
            html = self.frame.to_html(index=False, justify="left", border=0)
        return html.replace("<td>", '<td style="text-align: left; vertical-align: top">')


def shown(lines: pd.DataFrame) -> LedgerTable:
    """Show lines: what, printed, ours with its interval, part, verdict with its mark, and the reading.

    >>> shown(read("SCIKD")).frame.columns.tolist()
    ['place', 'what', 'printed', 'ours', 'part', 'verdict', 'reading']
    """

    def text(value: object) -> str:
        return value if isinstance(value, str) else f"{value:.4f}".rstrip("0").rstrip(".")

    ends = ["" if pd.isna(line.low) else f" ({text(line.low)} to {text(line.high)})" for line in lines.itertuples()]
    frame = lines.assign(
        printed=lines["printed"].map(text),
        ours=[text(value) + end for value, end in zip(lines["ours"], ends, strict=True)],
        verdict=[f"{MARKS[word]} {word}" for word in lines["verdict"]],
    )
    return LedgerTable(frame[["place", "what", "printed", "ours", "part", "verdict", "reading"]])
