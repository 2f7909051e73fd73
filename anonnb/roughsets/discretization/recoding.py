"""Discretized tables: every numeric column as a few intervals, or with these intervals as its hierarchy.

A discretized column is ordinal and holds the labels of its intervals, so that every method, measure and inducer takes
the table; a hierarchy leaves the values as they are and lets generalizing methods publish the intervals.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.errors import Message, advice
from anonnb.roughsets.discretization.cuts import CutPoints, NumericColumn
from anonnb.roughsets.discretization.equal_bins import equal_frequency, equal_width
from anonnb.roughsets.discretization.maximal_discernibility import maximal_discernibility
from anonnb.roughsets.discretization.mdlp import mdlp
from anonnb.tables.attribute import Attribute, some
from anonnb.tables.table import Table

WITHOUT_CLASSES = {"equal_width": equal_width, "equal_frequency": equal_frequency}
METHODS = (*WITHOUT_CLASSES, "mdlp", "maximal_discernibility")


def discretize(
    table: Table,
    method: str = "mdlp",
    *,
    attributes: Sequence[str] | None = None,
    bins: int = 5,
    share: float = 1.0,
    as_hierarchy: bool = False,
) -> Table:
    """Cut the numeric columns of a table into intervals.

    A discretized column is ordinal; a column without a cut has the single value "any value". Missing values stay
    missing. ``steps.of(discretize, table)`` shows the choices of MDLP and of maximal discernibility.

    Parameters
    ----------
    table:
        The table.
    method:
        ``"equal_width"`` and ``"equal_frequency"`` make ``bins`` intervals and ignore the decision; ``"mdlp"`` (Fayyad
        and Irani 1993) cuts a column where its classes change; ``"maximal_discernibility"`` (Nguyen 2001) takes few
        cuts over all columns that keep rows of different classes distinct.
    attributes:
        The columns to cut; all numeric condition attributes by default.
    bins:
        The most intervals that the two methods without a decision make.
    share:
        The share of the pairs of rows that maximal discernibility must separate; less than 1 takes fewer cuts.
    as_hierarchy:
        Keep the values and attach the intervals as hierarchies: level 1 has all cuts, each further level the heavier
        half of them, the top none. Generalizing methods then publish these intervals.

    Returns
    -------
    Table
        The discretized table.

    Examples
    --------
    >>> from anonnb import load
    >>> discretize(load("iris")).attributes["petal_width"].labels
    ['<0.8', '[0.8,1.75)', '>=1.75']
    >>> discretize(load("iris"), as_hierarchy=True).attributes["petal_width"].levels.labels[1:]
    [['<0.8', '[0.8,1.75)', '>=1.75'], ['<0.8', '>=0.8'], ['*']]
    """
    found = chosen_cuts(table, method, attributes=attributes, bins=bins, share=share)
    if as_hierarchy:
        return table.recoded(hierarchies={name: cuts.hierarchy() for name, cuts in found.items()})
    return recoded(table, found)


def cut_points(
    table: Table,
    method: str = "mdlp",
    *,
    attributes: Sequence[str] | None = None,
    bins: int = 5,
    share: float = 1.0,
) -> dict[str, list]:
    """The cuts of every column in ascending order.

    Parameters
    ----------
    table, method, attributes, bins, share:
        As for :func:`discretize`.

    Returns
    -------
    dict
        A list of cuts for each column.

    Examples
    --------
    >>> from anonnb import load
    >>> cut_points(load("iris"))["sepal_length"]
    [5.55, 6.15]
    """
    found = chosen_cuts(table, method, attributes=attributes, bins=bins, share=share)
    return {name: list(cuts.points) for name, cuts in found.items()}


def chosen_cuts(
    table: Table, method: str, *, attributes: Sequence[str] | None, bins: int, share: float
) -> dict[str, CutPoints]:
    """The cuts of every column with their weights."""
    if method not in METHODS:
        raise ValueError(f"method={method!r} is not known; use one of {', '.join(METHODS)}")
    names = _numeric(table, attributes)
    _check_numbers(bins, share)
    if method in WITHOUT_CLASSES:
        return {name: WITHOUT_CLASSES[method](NumericColumn.of(table, name), bins) for name in names}
    table = _classified(table, method)
    classes = table.codes(table.decision)
    columns = [NumericColumn.of(table, name) for name in names]
    if method == "mdlp":
        return {column.name: mdlp(column, classes, table.attributes[table.decision].labels) for column in columns}
    others = [table.codes(name) for name in table.conditions if name not in names]
    return maximal_discernibility(columns, others, classes, share)


def recoded(table: Table, cuts: dict[str, CutPoints]) -> Table:
    """The table with the named columns as labels of the intervals between their cuts."""
    attributes, codes = dict(table.attributes), {name: table.codes(name) for name in table.columns}
    for name, found in cuts.items():
        if attributes[name].limit is not None:
            raise ValueError(
                f"column {name!r} has a limit, a level of a hierarchy that its intervals do not have; "
                "discretize the table first and set limits afterwards"
            )
        attributes[name], place = _interval_attribute(attributes[name], found)
        codes[name] = place[codes[name]]
    return table._same_rows(attributes, codes, table._roles)


def _interval_attribute(attribute: Attribute, cuts: CutPoints) -> tuple[Attribute, np.ndarray]:
    """The attribute of the interval labels, and for each old code the new one."""
    places = cuts.places(attribute.domain)
    labels = pd.Index(cuts.labels)
    used, codes = np.unique(places, return_inverse=True)
    made = Attribute(
        attribute.name,
        "ordinal",
        labels.take(used),
        attribute.missing,
        cuts.hierarchy_of_labels(),
        weight=attribute.weight,
    )
    return made, np.append(codes, [len(used)] * attribute.missing).astype(np.int32)


def _numeric(table: Table, attributes: Sequence[str] | None) -> list[str]:
    if attributes is None:
        return [name for name in table.conditions if table.attributes[name].kind == "numeric"]
    names = [attributes] if isinstance(attributes, str) else list(attributes)
    for name in names:
        if name not in table.columns:
            raise KeyError(f"attributes: there is no column {name!r}; the columns are {some(table.columns, 20)}")
        if name == table.decision:
            raise ValueError(f"attributes: {name!r} is the decision; name columns that help to describe it")
        kind = table.attributes[name].kind
        if kind != "numeric":
            raise ValueError(f"attributes: column {name!r} is {kind}; only numbers and dates are cut into intervals")
    return names


def _check_numbers(bins: int, share: float) -> None:
    if isinstance(bins, bool) or not isinstance(bins, int | np.integer) or bins < 2:
        raise ValueError(f"bins={bins!r} is not possible; give a whole number of at least 2")
    if not isinstance(share, int | float | np.number) or not 0 < share <= 1:
        raise ValueError(f"share={share!r} is not possible; give a number above 0 and at most 1")


def _classified(table: Table, method: str) -> Table:
    """The rows that have a class."""
    if table.decision is None:
        other = ", or use method='equal_width' or method='equal_frequency'"
        name_it = advice("; name a decision with ", remedies.role("decision"), tail=other)
        raise ValueError(Message(f"method={method!r} needs the classes of the rows", name_it))
    missing = table.attributes[table.decision].missing_code
    return table if missing < 0 else table.take(table.codes(table.decision) != missing)
