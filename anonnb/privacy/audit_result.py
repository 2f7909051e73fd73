"""What an audit found, as tidy frames and as sections of text or HTML.

The values of the worst rows are shown only on request; everything else is counts and names of columns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd

from anonnb.core.wording import percent
from anonnb.privacy.population_uniqueness import UniquenessEstimate
from anonnb.privacy.risks import Risk
from anonnb.tables.attribute import shorten
from anonnb.tables.descriptions import html_block

SIZES = (1, 2, 3, 5, 10, 20, 50, 100, 1000)  # where the bins of class sizes begin
MAX_COLUMNS, MAX_COMBINATIONS = 12, 10  # the most rows that a section shows


class Section(NamedTuple):
    """Part of the audit: a title, a sentence about it, and a frame whose columns are its headings."""

    title: str
    sentence: str
    frame: pd.DataFrame

    @property
    def text(self) -> str:
        return f"{self.title}. {self.sentence}\n{_aligned(self.frame)}"


@dataclass(frozen=True, eq=False)
class Audit:
    """Result of :func:`audit`, as tidy frames; it prints as text and shows as HTML in a notebook.

    Parameters
    ----------
    rows, people, unit:
        The number of rows, and of people where the table names a person column (rows otherwise); ``unit`` is
        ``"people"`` or ``"rows"`` accordingly, also for every column ``people`` below.
    largest:
        The most columns in a combination.
    alone, singled_out:
        People who are alone in a class, and those of them whom ``largest`` columns single out.
    class_sizes:
        size, classes, people; a row per size that occurs. A person with rows in several classes counts in each.
    smallest_classes:
        size, people; everybody once, by the smallest class they are in.
    columns:
        column, values, alone (people whom this column singles out), helps (people singled out by a minimal combination
        with it), score (the sum of the scores of those combinations), share (of all scores; the shares of a
        combination's columns overlap).
    combinations:
        columns (a tuple), size, people whom it singles out and none of its parts does, share of all people; most people
        first.
    scores:
        For each row, by its label: class_size, score, combinations (how many single it out), smallest (how many columns
        it takes; 0 where ``largest`` are not enough).
    secrets:
        column, values, homogeneous (classes of several people with one value), exposed (people whose class has one
        value), l, t.
    texts:
        column, holds (what names people in its texts, such as an e-mail address), rows.
    worst:
        row, score, combinations, by (the columns that single it out), values (as text); at most one row per person, the
        highest score first.
    risk:
        Of the prosecutor, the journalist and the marketer.
    population:
        Who is unique in the population, or None.

    Examples
    --------
    >>> from anonnb import Table, privacy
    >>> frame = pd.DataFrame({"zip": [1, 2, 3, 1, 2], "age": [20, 30, 30, 40, 20]})
    >>> found: Audit = privacy.audit(Table(frame, quasi=["zip", "age"]))
    >>> found.people, found.unit, found.alone, found.singled_out
    (5, 'rows', 5, 5)
    """

    quasi: tuple[str, ...]
    rows: int
    people: int
    unit: str
    largest: int
    alone: int
    singled_out: int
    class_sizes: pd.DataFrame = field(repr=False)
    smallest_classes: pd.DataFrame = field(repr=False)
    columns: pd.DataFrame = field(repr=False)
    combinations: pd.DataFrame = field(repr=False)
    scores: pd.DataFrame = field(repr=False)
    secrets: pd.DataFrame = field(repr=False)
    texts: pd.DataFrame = field(repr=False)
    worst: pd.DataFrame = field(repr=False)
    risk: Risk = field(repr=False)
    population: UniquenessEstimate | None = field(repr=False)

    @property
    def size_bins(self) -> pd.DataFrame:
        """The class sizes in bins: size (a text such as "3–4"), classes, people, share of all memberships."""
        edges = [*SIZES, math.inf]
        names = [_bin_name(low, high) for low, high in pairwise(edges)]
        index = np.digitize(self.class_sizes["size"], edges) - 1
        frame = pd.DataFrame({"size": names})
        for name in ("classes", "people"):
            frame[name] = np.bincount(index, weights=self.class_sizes[name], minlength=len(names)).astype(np.int64)
        frame["share"] = frame["people"] / frame["people"].sum()
        return frame

    @property
    def headline(self) -> str:
        """The first sentence of a report."""
        helpful = min(self.largest, len(self.quasi))
        columns = "one column" if helpful == 1 else f"{helpful} columns or fewer"
        return (
            f"{self.alone:,} of {self.people:,} {self.unit} ({percent(self.alone / self.people)}) read like no other; "
            f"{self.singled_out:,} ({percent(self.singled_out / self.people)}) are singled out by {columns}."
        )

    def sections(self, *, values: bool = False) -> list[Section]:
        """Return the audit in parts: titles, sentences and frames; ``values`` shows those of the worst rows.

        >>> from anonnb import Table, privacy
        >>> table = Table(pd.DataFrame({"zip": [1, 2, 2]}), quasi=["zip"])
        >>> [section.title for section in privacy.audit(table).sections()]
        ['Class sizes', 'Columns', 'Combinations', 'Re-identification', 'Rows at most risk']
        """
        parts = [self._sizes(), self._columns(), self._combinations(), self._risks()]
        if self.population is not None:
            parts.append(self._population(self.population))
        if len(self.secrets):
            parts.append(self._secrets())
        if len(self.texts):
            sentence = (
                "Identifiers, addresses and numbers inside texts, recognized by their form; some may be accidents."
            )
            parts.append(Section("Names in texts", sentence, self.texts))
        return [*parts, self._worst(values)]

    def _sizes(self) -> Section:
        frame = self.size_bins[["size", "classes", "people", "share"]]
        frame = frame[frame["classes"] > 0].assign(share=frame["share"].map(percent))
        sentence = f"How many {self.unit} share their quasi-identifier."
        if frame["people"].sum() > self.people:
            sentence += f" {self.unit.capitalize()} with rows in several classes count in each of them."
        return Section(
            "Class sizes", sentence, frame.rename(columns={"size": self.unit + " in a class", "people": self.unit})
        )

    def _columns(self) -> Section:
        frame = self.columns.head(MAX_COLUMNS)[["column", "values", "alone", "helps", "share"]]
        frame = frame.assign(share=frame["share"].map(percent))
        sentence = (
            f"alone: {self.unit} that this column singles out; with others: those that a minimal combination with it, "
            f"of {self.largest} columns at most, singles out; share: of all SUDA scores, where the columns of "
            "a combination overlap."
        )
        sentence += _left_out(len(self.columns), MAX_COLUMNS, "columns")
        return Section("Columns", sentence, frame.rename(columns={"helps": "with others"}))

    def _combinations(self) -> Section:
        frame = self.combinations.head(MAX_COMBINATIONS)[["columns", "people", "share"]]
        frame = frame.assign(columns=frame["columns"].map(_joined), share=frame["share"].map(percent))
        sentence = f"The {self.unit} that these columns single out together, and no part of them does."
        sentence += _left_out(len(self.combinations), MAX_COMBINATIONS, "combinations")
        return Section("Combinations", sentence, frame.rename(columns={"people": self.unit}))

    def _risks(self) -> Section:
        lines = [
            ("prosecutor, worst", self.risk.prosecutor, "an attacker who knows that a person is in the table"),
            ("prosecutor, average", self.risk.prosecutor_average, "the same, averaged"),
            ("journalist, worst", self.risk.journalist, "an attacker who knows only the population"),
            ("journalist, average", self.risk.journalist_average, "the same, averaged"),
            ("marketer", self.risk.marketer, "the share found by an attacker who links everybody"),
        ]
        known = [(name, f"{value:.4g}", meaning) for name, value, meaning in lines if not math.isnan(value)]
        frame = pd.DataFrame(known, columns=["attacker", "chance", "meaning"])
        return Section("Re-identification", "The chance that the right row is found.", frame)

    def _population(self, estimate: UniquenessEstimate) -> Section:
        lines = [
            ("population", f"{estimate.population:,.0f}"),
            ("unique in the table", f"{estimate.unique_here:,}"),
            ("of them unique in the population", f"{estimate.unique_there:,.1f}"),
            ("chance of that", percent(estimate.chance)),
        ]
        if not math.isnan(estimate.risk):
            lines.append(("mean chance to be found in the population", f"{estimate.risk:.4g}"))
        frame = pd.DataFrame(lines, columns=["estimate", "value"])
        return Section("In the population", f"Estimated after {estimate.estimator}.", frame)

    def _secrets(self) -> Section:
        frame = self.secrets.assign(
            exposed=[f"{count:,} ({percent(count / self.people)})" for count in self.secrets["exposed"]],
            t=self.secrets["t"].map("{:.4g}".format),
        )
        sentence = (
            f"homogeneous: classes of several {self.unit} with one value; exposed: {self.unit} whose class has one "
            "value, those alone in it included."
        )
        return Section("Secrets", sentence, frame)

    def _worst(self, values: bool) -> Section:
        by = self.worst["values"] if values else self.worst["by"].map(_joined)
        frame = pd.DataFrame(
            {
                "row": self.worst["row"].map(str),
                "score": self.worst["score"].map("{:g}".format),
                "combinations": self.worst["combinations"],
                "singled out by": by,
            }
        )
        sentence = "The highest SUDA scores, and the first of the fewest columns that single the row out."
        if self.unit == "people":
            sentence += " One row per person."
        return Section("Rows at most risk", sentence, frame)

    def text(self, *, values: bool = False) -> str:
        """Return all sections as plain text.

        >>> from anonnb import Table, privacy
        >>> table = Table(pd.DataFrame({"zip": [1, 2, 2]}), quasi=["zip"])
        >>> "zip = 1" in privacy.audit(table).text(), "zip = 1" in privacy.audit(table).text(values=True)
        (False, True)
        """
        return "\n\n".join([self.headline, *(part.text for part in self.sections(values=values))])

    def __repr__(self) -> str:
        return f"Audit: {self.text()}"

    def _repr_html_(self) -> str:
        blocks = [
            html_block(f"{part.title}. {part.sentence}", part.frame.set_index(part.frame.columns[0]))
            for part in self.sections()
        ]
        return "".join([html_block(f"Audit: {self.headline}"), *blocks])


def _bin_name(low: float, high: float) -> str:
    if math.isinf(high):
        return f"{low}+"
    return f"{low}" if high == low + 1 else f"{low}–{high - 1}"


def _joined(names: tuple[str, ...]) -> str:
    return " × ".join(map(str, names))


def _left_out(count: int, limit: int, what: str) -> str:
    return f" The first {limit} of {count} {what}." if count > limit else ""


def _aligned(frame: pd.DataFrame) -> str:
    """Format a frame as lines of text: one line per row whatever its cells hold, numbers aligned to the right."""
    if frame.empty:
        return "  none"
    columns = []
    for name in frame.columns:
        number = pd.api.types.is_numeric_dtype(frame[name])
        cells = [str(name), *(f"{value:,}" if number else shorten(value, 100) for value in frame[name])]
        width = max(map(len, cells))
        columns.append([cell.rjust(width) if number else cell.ljust(width) for cell in cells])
    return "\n".join("  " + "  ".join(line).rstrip() for line in zip(*columns, strict=True))
