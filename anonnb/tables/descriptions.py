"""Descriptions of tables for people: a line per attribute or level, and frames as text or HTML.

Names and cells come from anybody's data: they are put on one line, shortened, and escaped where they become HTML.
Attacks, audits and widgets show their frames in the same way.
"""

from __future__ import annotations

import html
from collections.abc import Mapping

import numpy as np
import pandas as pd

from anonnb.tables.attribute import Attribute, preview, shorten
from anonnb.tables.hierarchies.levels import Levels
from anonnb.tables.roles import Roles


def described_attributes(attributes: Mapping[str, Attribute], roles: Roles) -> pd.DataFrame:
    """Return a row per attribute: kind, roles, number of values, hierarchy."""
    lines = []
    for name, attribute in attributes.items():
        values = f"{len(attribute.domain):,} value{'s' if len(attribute.domain) != 1 else ''}"
        values += " and missing" * attribute.missing
        height = "" if attribute.hierarchy is None else f"hierarchy of height {attribute.hierarchy.height}"
        lines.append((str(name), attribute.kind, ", ".join(roles.of_column(name)), values, height))
    return pd.DataFrame(lines, columns=["attribute", "kind", "role", "values", "hierarchy"])


def aligned_lines(described: pd.DataFrame) -> list[str]:
    """Return a frame as lines of text with aligned columns; a column without a text is left out."""
    described = described.assign(attribute=[shorten(name) for name in described["attribute"]])
    widths = [max((len(cell) for cell in described[column]), default=0) for column in described]
    lines = []
    for line in described.itertuples(index=False):
        cells = [cell.ljust(width) for cell, width in zip(line, widths, strict=True) if width]
        lines.append("  " + "  ".join(cells).rstrip())
    return lines


def described_levels(levels: Levels, codes: np.ndarray) -> pd.DataFrame:
    """Return a row per level of a hierarchy: its labels, the rows of the rarest label, and a few examples."""
    rows = []
    for level, labels in enumerate(levels.labels):
        counts = np.bincount(levels.maps[level][codes], minlength=len(labels))
        rows.append((level, len(labels), int(counts[counts > 0].min(initial=len(codes))), preview(labels)))
    return pd.DataFrame(rows, columns=["level", "labels", "rows in the rarest", "examples"])


def html_block(title: str, *frames: pd.DataFrame) -> str:
    """Return a title and frames as HTML; names and cells are shortened and escaped."""

    def short(cell: object) -> object:
        return shorten(cell) if isinstance(cell, str) else cell

    tables = []
    for frame in frames:
        cells = frame.astype(object).map(short).set_axis(frame.index.map(short), axis=0)
        cells.columns = [shorten(name) for name in frame.columns]
        tables.append(cells.to_html(border=0, index_names=False))  # pandas escapes names and cells alike
    return f"<p><b>{html.escape(title)}</b></p>{''.join(tables)}"
