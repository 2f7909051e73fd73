"""One table of all privacy measures of a release, each with its direction and its meaning in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch

import pandas as pd

from anonnb.privacy import measures
from anonnb.privacy.classes import Classes
from anonnb.privacy.risks import risk
from anonnb.tables.release import Release
from anonnb.tables.table import Table

Line = tuple[str, float, str, str]


@singledispatch
def report(data: Table | Release, population: Table | None = None, *, threshold: float = 0.2) -> pd.DataFrame:
    """All privacy measures of a table or release: columns measure, value, better ("higher" or "lower"), meaning.

    Measures of sensitive values are there when a column is sensitive, those of a population when one is given, and
    those under "a missing value matches anything" when a published quasi-identifier is missing. A release of patterns,
    which need not read alike, has its k-commonality beside k.

    >>> frame = report(measures._example())
    >>> frame.loc[frame["measure"].isin(["k", "l", "t"]), ["measure", "value", "better"]].round(2).values.tolist()
    [['k', 2.0, 'higher'], ['l', 1.0, 'higher'], ['t', 0.2, 'lower']]
    """
    classes = Classes(data)
    lines = [*_identity(classes, threshold)]
    if classes.has_missing:
        lines += _missing(classes)
    if population is not None:
        lines += _population(classes, population, threshold)
    if classes.release.sensitive:
        lines += _sensitive(classes)
    frame = pd.DataFrame(lines, columns=["measure", "value", "better", "meaning"])
    return frame.astype({"value": float})


def _identity(classes: Classes, threshold: float) -> Iterator[Line]:
    found = risk(classes, threshold=threshold)
    yield "k", measures.k(classes), "higher", "Every row reads like at least this many rows, itself included."
    if classes.release.promise == "k-commonality":
        common = measures.k_map(classes, classes.release.table)
        yield "k-commonality", common, "higher", "Every row fits this many original rows: promised instead of k."
    yield "unique rows", found.unique, "lower", "Share of rows that no other row reads like."
    yield "prosecutor risk", found.prosecutor, "lower", "Highest chance to pick the row of a person known to be in it."
    yield "prosecutor risk, average", found.prosecutor_average, "lower", "The same chance, averaged over the rows."
    yield (
        "rows at risk",
        found.prosecutor_above,
        "lower",
        f"Share of rows whose prosecutor risk is above {threshold:g}.",
    )
    yield "marketer risk", found.marketer, "lower", "Share of rows that linking all of them is expected to get right."


def _missing(classes: Classes) -> Iterator[Line]:
    found = risk(classes, missing="any")
    reading = "when a missing value matches anything (above it is a value of its own)."
    yield "k, missing matches", measures.k(classes, missing="any"), "higher", f"Rows that a row could be, {reading}"
    yield "unique rows, missing matches", found.unique, "lower", f"Share of rows that match no other, {reading}"
    yield (
        "prosecutor risk, missing matches",
        found.prosecutor,
        "lower",
        f"Highest chance to pick the right row, {reading}",
    )


def _population(classes: Classes, population: Table, threshold: float) -> Iterator[Line]:
    found = risk(classes, population, threshold=threshold)
    low, high = measures.delta_presence(classes, population)
    people = measures.k_map(classes, population)
    yield "k-map", people, "higher", "Every row fits at least this many people of the population."
    yield "journalist risk", found.journalist, "lower", "Highest chance to pick the right person for a row."
    yield "journalist risk, average", found.journalist_average, "lower", "The same chance, averaged over the rows."
    yield (
        "rows at journalist risk",
        found.journalist_above,
        "lower",
        f"Share of rows whose journalist risk is above {threshold:g}.",
    )
    yield "marketer risk, population", found.marketer, "lower", "Share of rows linked rightly through the population."
    yield "δ-presence, high", high, "lower", "Highest chance that a person of the population is in the data."
    yield "δ-presence, low", low, "higher", "Lowest such chance; 0 tells of somebody that she is not in the data."


def _sensitive(classes: Classes) -> Iterator[Line]:
    c, l_values = measures.recursive_c_l(classes)
    alpha, _ = measures.alpha_k(classes)
    yield "l", measures.l(classes), "higher", "Every class has at least this many different sensitive values."
    yield (
        "entropy l",
        measures.entropy_l(classes),
        "higher",
        "The same, as if all values of a class were equally frequent.",
    )
    yield (
        "recursive c",
        c,
        "lower",
        f"The most frequent value of a class against those of rank {l_values} and beyond (recursive (c,l)-diversity).",
    )
    yield "α", alpha, "lower", "Largest share of one sensitive value in a class."
    yield "t", measures.t(classes), "lower", "Largest distance of a class's sensitive values from those of all rows."
    yield "β, basic", measures.beta(classes), "lower", "Largest relative rise of a sensitive value's share in a class."
    yield (
        "β, enhanced",
        measures.beta(classes, "enhanced"),
        "lower",
        "The same; infinite when a share rises beyond the logarithm of its rarity, which no β allows.",
    )
    yield (
        "δ-disclosure",
        measures.delta_disclosure(classes),
        "lower",
        "Largest change of a share, as a logarithm; infinite when a class lacks a sensitive value.",
    )
