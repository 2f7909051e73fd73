"""Mined results that may be published instead of a table: a readable frame, and the method that made it.

Itemsets (``rules.association.published_itemsets``) and trees (``trees.published_trees``) are such results; methods make
them and attackers read them.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import pandas as pd

import anonnb
from anonnb.tables.descriptions import html_block


@dataclass(frozen=True, eq=False)
class Mined:
    """A mined result that may be published instead of a table.

    Parameters
    ----------
    method, info:
        What made it, and information for its owner alone.

    Examples
    --------
    >>> Mined(pd.DataFrame({"itemset": ["a"], "count": [5]}))
    1 results
    """

    frame: pd.DataFrame
    method: object = None
    info: dict[str, Any] = field(default_factory=dict)

    what: ClassVar[str] = "results"

    def published(self) -> pd.DataFrame:
        """Return what :meth:`publish` writes."""
        return self.frame

    def publish(self, path: str | os.PathLike, *, excel: bool = False, overwrite: bool = False) -> Path:
        """Write the result to a file, atomically, and return its path.

        Parameters
        ----------
        path:
            A name that ends in .csv or .json.

        Raises
        ------
        ValueError
            If the name ends otherwise, or ``excel`` is given for a .json file.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Mined(pd.DataFrame({"itemset": ["a"], "count": [5]})).publish(f"{folder}/sets.csv").read_text().split()
        ['itemset,count', 'a,5']
        """
        return anonnb.publish_mined(self, path, excel=excel, overwrite=overwrite)

    def __repr__(self) -> str:
        made = "" if self.method is None else f" by {self.method}"
        return f"{len(self.frame):,} {self.what}{made}"

    def _repr_html_(self) -> str:
        return html_block(repr(self), self.published().head(12))
