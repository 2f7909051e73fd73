"""The first draft of a project file: what each column of a table seems to be, and why, for a person to correct."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from anonnb.projects.project import ROLES, VERSION
from anonnb.projects.roles import guess_roles

_HEAD = f"""\
# What this table is and how it is to be published: correct what is wrong, then use it with
#   anonnb audit --project THIS      anonnb anonymize --project THIS -o release.csv
# Roles: {", ".join(ROLES)}.
# A column with the role "also" is published as it is and counts as known to others, unless it says
# known_outside: false. Further keys of a column: kind (nominal, ordinal, numeric), order (a list of values),
# hierarchy (a CSV file beside this one, or words such as: intervals 5 10 20), weight (how much its loss counts),
# highest_level (of its hierarchy that may be published).
"""


def project_text(frame: pd.DataFrame, data: Path, folder: Path, reading: Mapping[str, Any]) -> str:
    """The text of a project file for a table that was read from ``data``; ``folder`` is where it will lie.

    >>> text = project_text(pd.DataFrame({"age": [30, 40], "ill": ["flu", "cold"]}), Path("p.csv"), Path("."), {})
    >>> print(text.splitlines()[-4])
    method:
    """
    lines = [_HEAD + f"anonnb: {VERSION}", f"data: {_scalar(os.path.relpath(data, folder))}"]
    how = {
        name: value
        for name, value in reading.items()
        if value not in (None, False) and (name, value) != ("decimal", ".")
    }
    if how:
        lines += ["read:", *(f"  {name}: {_scalar(value)}" for name, value in how.items())]
    lines += ["# person: the column that says whose row it is, where people have several rows", "columns:"]
    for line in guess_roles(frame).itertuples(index=False):
        missing = f", {line.missing:,} missing" if line.missing else ""
        why = f"{line.values:,} values{missing}; read as {_read_as(frame[line.column])}; {line.reason}"
        lines += [f"  {_scalar(str(line.column))}:", f"    role: {line.role}  # {' '.join(why.split())}"]
    lines += ["# the largest share of rows that may be withheld", "suppression_limit: 0.05"]
    lines += ["method:", "  name: Mondrian", "  k: 5", "require: []  # such as LDiversity(3)"]
    return "\n".join(lines) + "\n"


def _read_as(column: pd.Series) -> str:
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return "dates"
    if pd.api.types.is_bool_dtype(column.dtype):
        return "true and false"
    return "numbers" if pd.api.types.is_numeric_dtype(column.dtype) else "text"


def _scalar(value: object) -> str:
    """A value on one line, in quotes where YAML would take it for something else."""
    odd = isinstance(value, str) and ("\n" in value or value.strip() != value)
    text = yaml.safe_dump(value, allow_unicode=True, width=10**6, default_style='"' if odd else None)
    return text.removesuffix("\n").removesuffix("...").strip()
