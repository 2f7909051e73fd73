"""A measure as an object: its name, which way is better, its range, what it means, and how parts of a whole combine.

Reports, the arena and the cluster all read the same list of measures; none of them knows a measure by its name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from anonnb.core.progress import ticks

HIGHER, LOWER = "higher", "lower"
WORST, MEAN, SUM, WHOLE = "worst", "mean", "sum", "whole"
COLUMNS = ["measure", "value", "better", "meaning"]


def _always(subject: Any) -> bool:
    return True


@dataclass(frozen=True)
class Measure:
    """A figure about a subject, such as the classes of a release.

    Parameters
    ----------
    name, better:
        ``better`` is "higher" or "lower".
    value:
        The function that computes it from a subject.
    meaning:
        One sentence; ``{name}`` stands for an attribute of the subject.
    low, high:
        The range of its values.
    applies:
        Whether the subject has such a figure.
    parts:
        How the figures of parts of a release give that of the whole: the "worst" of them, their "mean" weighted by
        rows, their "sum"; "whole": they do not, it must be computed from the whole.
    survey:
        What it does with survey weights, a sentence that follows the meaning if the subject ``has_weights``.

    Examples
    --------
    >>> length = Measure("length", HIGHER, len, "How many there are.", high=math.inf, parts=SUM)
    >>> length.line("abc"), length.together([3, 4], rows=[1, 1])
    (('length', 3, 'higher', 'How many there are.'), 7.0)
    """

    name: str
    better: str
    value: Callable[[Any], float]
    meaning: str
    low: float = 0.0
    high: float = 1.0
    applies: Callable[[Any], bool] = _always
    parts: str = WORST
    survey: str = " Survey weights play no role."

    def line(self, subject: Any) -> tuple[str, float, str, str]:
        """Return a line of a report: name, value, direction and meaning."""
        return self.name, self.value(subject), self.better, self.meaning_for(subject)

    def meaning_for(self, subject: Any) -> str:
        """Return the sentence with the subject's own figures in it."""
        text = self.meaning.format_map(_Attributes(subject)) if "{" in self.meaning else self.meaning
        return text + self.survey * bool(getattr(subject, "has_weights", False))

    def together(self, values: Any, rows: Any) -> float:
        """Combine the figures of parts into that of the whole, given the rows of each."""
        if self.parts == WORST:
            return float(min(values) if self.better == HIGHER else max(values))
        if self.parts == SUM:
            return float(sum(values))
        if self.parts == MEAN:
            return math.fsum(value * count for value, count in zip(values, rows, strict=True)) / sum(rows)
        raise ValueError(f"{self.name} of a whole does not follow from its parts")


class _Attributes(dict):
    def __init__(self, subject: Any):
        self._subject = subject

    def __missing__(self, name: str) -> Any:
        return getattr(self._subject, name)


def measured(measures: Iterable[Measure], subject: Any, only: Collection[str] | None = None) -> pd.DataFrame:
    """Measure a subject by all measures that apply, or ``only`` those named; one line each."""
    wanted = [measure for measure in measures if only is None or measure.name in only]
    lines = [measure.line(subject) for measure in ticks(wanted, "measures") if measure.applies(subject)]
    return pd.DataFrame(lines, columns=COLUMNS).astype({"value": float})
