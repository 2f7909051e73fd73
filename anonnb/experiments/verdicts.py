"""Verdicts on a paper's results: its figures beside ours, its sentences counted, and one of four words for each.

Figures are exact, close, of the same shape or different, by a rule with stated limits; a sentence is a number of
comparisons and is judged by how many of them hold. Whether they hold in the paper's own figures is given too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

VERDICTS = ("exact", "close", "same shape", "differs")
MARKS = dict(zip(VERDICTS, "=≈~≠", strict=True))
FEWEST_RANKED = 4  # figures whose order can be compared: three are in the same order one time in six


@dataclass(frozen=True)
class VerdictRule:
    """When our figures count as exact, as close, or as of the same shape.

    Parameters
    ----------
    decimals:
        Digits that the paper prints: exact means that ours, rounded to them, are the printed ones.
    near:
        How far from the paper's a figure may be and still be close to it.
    share:
        What share of several figures must be so near that together they are close.
    shape:
        Least rank correlation of several figures, at least four, of the same shape.
    relative:
        Whether ``near`` is a share of the printed figure; for counts, whose sizes differ.

    Examples
    --------
    >>> VerdictRule(near=0.02).words().split("; ")[1]
    'close: at most 0.02 away'
    >>> COUNTS.words().split("; ")[1]
    'close: at most 5 % of it away'
    """

    decimals: int = 4
    near: float = 0.03
    share: float = 0.9
    shape: float = 0.8
    relative: bool = False

    def words(self) -> str:
        """Return the rule for single figures in one sentence."""
        digits = f", to {self.decimals} decimals" if self.decimals else ""
        near = f"{100 * self.near:g} % of it" if self.relative else f"{self.near:g}"
        return (
            f"exact: the printed figure{digits}; close: at most {near} away; same shape: "
            f"further away, but in its block the ranks correlate by {self.shape:g} or more; differs: all else"
        )

    def distance(self, ours: pd.Series, paper: pd.Series) -> pd.Series:
        """Say how far our figures are from the printed ones: the difference, or its share of the printed figure."""
        apart = (ours - paper).abs()
        if not self.relative:
            return apart
        shares = apart / paper.abs().where(paper != 0, np.nan)
        return shares.fillna(apart.where(apart == 0, np.inf))  # a printed 0 is met or missed

    def exact(self, ours: pd.Series, paper: pd.Series) -> pd.Series:
        """Flag the figures that round to the printed ones."""
        return (ours - paper).abs() <= 0.5 * 10.0**-self.decimals + 1e-9

    def close(self, ours: pd.Series, paper: pd.Series) -> pd.Series:
        """Flag the figures that are near the printed ones."""
        return self.distance(ours, paper) <= self.near + 1e-9


RULE = VerdictRule()
COUNTS = VerdictRule(decimals=0, near=0.05, relative=True)


def verdict(ours: float | Sequence[float], paper: float | Sequence[float], rule: VerdictRule = RULE) -> str:
    """Give one word for a figure, or for several that belong together.

    Several are exact when all are; close when nine in ten (``rule.share``) are near; of the same shape when the rank
    correlation reaches ``rule.shape``.

    >>> verdict(0.19132, 0.1913), verdict(0.2, 0.1913), verdict(0.3, 0.1913)
    ('exact', 'close', 'differs')
    >>> verdict([0.1, 0.2, 0.4, 0.8], [0.2, 0.4, 0.6, 0.9])
    'same shape'
    """
    reproduced, printed = (pd.Series(np.atleast_1d(np.asarray(figures, dtype=float))) for figures in (ours, paper))
    n, m = len(reproduced), len(printed)
    if n != m or not n:
        raise ValueError(f"{n} figures of ours and {m} of the paper's; give one of ours for each")
    if rule.exact(reproduced, printed).all():
        return "exact"
    if rule.close(reproduced, printed).mean() >= rule.share:
        return "close"
    return "same shape" if rank_correlation(reproduced, printed) >= rule.shape else "differs"


def rank_correlation(ours: pd.Series, paper: pd.Series) -> float:
    """Spearman's, ties sharing their mean rank; NaN for fewer than four figures or where all are equal.

    >>> rank_correlation(pd.Series([1, 2, 3, 5]), pd.Series([0.1, 0.3, 0.2, 0.9]))
    0.8
    """
    ranks = ours.rank(), paper.rank()
    if len(ours) < FEWEST_RANKED or any(rank.nunique() == 1 for rank in ranks):
        return float("nan")
    return round(float(np.corrcoef(*ranks)[0, 1]), 9)


def judged(frame: pd.DataFrame, block: Sequence[str], rule: VerdictRule = RULE) -> pd.DataFrame:
    """Give every figure its verdict.

    A figure is exact or close by itself. One that is neither has the same shape where its block has.

    Parameters
    ----------
    block:
        Columns: lines that agree in them form a block, such as those of one data set in one printed table.

    Examples
    --------
    >>> frame = pd.DataFrame({"data": list("aaaab"), "ours": [0, 1, 2, 4, 7], "paper": [0, 2, 3, 9, 8]})
    >>> judged(frame, ["data"])["verdict"].tolist()
    ['exact', 'same shape', 'same shape', 'same shape', 'differs']
    """
    shape = pd.Series(index=frame.index, dtype=float)
    for _, part in frame.groupby(list(block), sort=False):
        shape[part.index] = rank_correlation(part["ours"], part["paper"])
    cases = [rule.exact(frame["ours"], frame["paper"]), rule.close(frame["ours"], frame["paper"]), shape >= rule.shape]
    words = np.select(cases, VERDICTS[:-1], VERDICTS[-1])
    return frame.assign(difference=frame["ours"] - frame["paper"], verdict=words)


def distances(frame: pd.DataFrame, by: Sequence[str], rule: VerdictRule = RULE) -> pd.DataFrame:
    """Measure for each part of a frame how far its figures are from the paper's.

    >>> frame = pd.DataFrame({"data": ["a", "a"], "ours": [0.1, 0.2], "paper": [0.1, 0.25]})
    >>> print(distances(frame, ["data"])[["figures", "mean |difference|", "verdict"]].to_string(index=False))
     figures  mean |difference| verdict
           2              0.025 differs
    """
    lines = {}
    for name, part in frame.groupby(list(by), sort=False):
        apart = (part["ours"] - part["paper"]).abs()
        near = {f"within {limit:g}": int((apart <= limit + 1e-9).sum()) for limit in (0.01, 0.03, 0.1)}
        line = {"figures": len(part), "mean |difference|": round(float(apart.mean()), 4), **near}
        line["rank correlation"] = round(rank_correlation(part["ours"], part["paper"]), 2)
        lines[name if len(by) > 1 else name[0]] = line | {"verdict": verdict(part["ours"], part["paper"], rule)}
    found = pd.DataFrame.from_dict(lines, orient="index")
    found.index = pd.MultiIndex.from_tuples(lines, names=list(by)) if len(by) > 1 else pd.Index(lines, name=by[0])
    return found


@dataclass(frozen=True)
class Sentence:
    """A sentence of a paper that states a result, as comparisons that come out or not.

    Parameters
    ----------
    where:
        The place in the paper: "4.2", "Figure 5".
    text:
        The sentence, in our words and short.
    ours:
        For each comparison that the sentence makes whether it holds in our figures.
    paper:
        The same for the paper's own printed figures; empty where it prints none.

    Examples
    --------
    >>> said = Sentence("4.3", "M1 protects best.", ours=[True, True, False], paper=[True, True, True])
    >>> said.held, said.held_in_paper, said.verdict
    ('2 of 3', '3 of 3', 'same shape')
    """

    where: str
    text: str
    ours: Sequence[bool] | np.ndarray
    paper: Sequence[bool] | np.ndarray = ()
    remark: str = ""

    def __post_init__(self):
        for name in ("ours", "paper"):
            object.__setattr__(self, name, tuple(bool(held) for held in np.ravel(getattr(self, name))))
        if not self.ours:
            raise ValueError(f"the sentence {self.text!r} has no comparison that could come out; give at least one")

    @property
    def held(self) -> str:
        """How many comparisons hold in our figures."""
        return f"{sum(self.ours)} of {len(self.ours)}"

    @property
    def held_in_paper(self) -> str:
        """How many hold in the paper's own figures."""
        return f"{sum(self.paper)} of {len(self.paper)}" if self.paper else "not printed"

    @property
    def verdict(self) -> str:
        """Exact: all comparisons hold; close: nine in ten; same shape: more than half; differs: fewer."""
        share = sum(self.ours) / len(self.ours)
        return VERDICTS[0] if share == 1 else VERDICTS[1] if share >= RULE.share else VERDICTS[2 + (share <= 0.5)]


def sentences(lines: Iterable[Sentence]) -> pd.DataFrame:
    """One line per sentence: its place, its text, how often it holds in ours and in the paper's figures, the verdict.

    >>> sentences([Sentence("4.2", "Rules survive.", [True])])["verdict"].tolist()
    ['exact']
    """
    rows = [(said.where, said.text, said.held, said.held_in_paper, said.verdict, said.remark) for said in lines]
    return pd.DataFrame(rows, columns=["where", "sentence", "ours", "in the paper", "verdict", "remark"])


@dataclass(frozen=True)
class Quantity:
    """A figure that a paper prints in its running text, beside ours.

    Parameters
    ----------
    where, name:
        The place in the paper, and what the figure counts or measures.
    below:
        Whether the paper prints a bound that the figure stays below.
    rule:
        When ours is exact or close; one figure has no shape.

    Examples
    --------
    >>> rows = Quantity("IV", "rows", 98, 100, printed="100 records")
    >>> rows.verdict, rows.difference
    ('close', -2)
    >>> Quantity("IV", "share", 0.1, 0.2, printed="less than 20%", below=True).verdict
    'exact'
    """

    where: str
    name: str
    ours: float
    paper: float
    printed: str
    below: bool = False
    rule: VerdictRule = COUNTS
    remark: str = ""

    @property
    def verdict(self) -> str:
        """By the rule; a bound is exact where it holds and differs where it does not."""
        if self.below:
            return VERDICTS[0] if self.ours < self.paper else VERDICTS[-1]
        return verdict(self.ours, self.paper, self.rule)

    @property
    def difference(self) -> float | None:
        """Ours minus the paper's; none where the paper prints a bound."""
        return None if self.below else round(self.ours - self.paper, 4)

    @property
    def stated(self) -> float | str:
        """The paper's figure, or its bound in words."""
        return f"below {self.paper:g}" if self.below else self.paper


def quantities(lines: Iterable[Quantity]) -> pd.DataFrame:
    """List a line per figure: where it is printed and how, ours, the paper's, the difference, the verdict.

    >>> quantities([Quantity("IV", "rows", 98, 100, printed="100 records")])["difference"].tolist()
    [-2]
    """
    rows = [
        (each.where, each.name, each.printed, each.ours, each.stated, each.difference, each.verdict, each.remark)
        for each in lines
    ]
    columns = ["where", "quantity", "in its words", "ours", "paper", "difference", "verdict", "remark"]
    return pd.DataFrame(rows, columns=columns, dtype=object)


def tally(verdicts: Iterable[str]) -> pd.Series:
    """Count the verdicts of each kind, in their order.

    >>> tally(["close", "exact", "close"]).to_dict()
    {'exact': 1, 'close': 2, 'same shape': 0, 'differs': 0}
    """
    found = pd.Series(list(verdicts), dtype=object).value_counts()
    return found.reindex(VERDICTS, fill_value=0).rename("figures")
