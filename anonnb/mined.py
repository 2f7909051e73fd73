"""Mined results that may leave the house: itemsets and trees, as methods publish them and attackers read them.

A result is a frame a person can read, the method that made it and what it found out; ``publish`` writes the frame.
Reading (Ciriani et al. 2008, section 7.2): a hidden node whose whole subtree is hidden is not drawn at all (Fig 1.16).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import pandas as pd

from anonnb.files import atomic_write
from anonnb.release import Release
from anonnb.rules.association import readable
from anonnb.table import html_block
from anonnb.trees import Node, Tree


@dataclass(frozen=True, eq=False)
class Mined:
    """A mined result: ``frame`` is what is published; ``info`` stays in the house."""

    frame: pd.DataFrame
    method: object = None
    info: dict[str, Any] = field(default_factory=dict)

    what: ClassVar[str] = "results"

    def published(self) -> pd.DataFrame:
        """What :meth:`publish` writes."""
        return self.frame

    def publish(self, path: str | os.PathLike) -> Path:
        """Write the result as .csv or .json, atomically."""
        path = Path(path)
        suffix = path.suffix.lower()
        if suffix not in (".csv", ".json"):
            raise ValueError(f"cannot publish {self.what} to {path.name!r}: use a name that ends in .csv or .json")
        frame = self.published()
        with atomic_write(path, newline="") as file:
            if suffix == ".csv":
                frame.to_csv(file, index=False, lineterminator="\n")
            else:
                json.dump(json.loads(frame.to_json(orient="records")), file, ensure_ascii=False, indent=1)
        return path

    def __repr__(self) -> str:
        made = "" if self.method is None else f" by {self.method}"
        return f"{len(self.frame):,} {self.what}{made}"

    def _repr_html_(self) -> str:
        return html_block(repr(self), self.published().head(12))


class MinedItemsets(Mined):
    """Itemsets and their counts; the empty one, if there, tells the number of rows.

    >>> found = MinedItemsets.of({(): 66, ("M",): 55})
    >>> found.published()
      itemsets  count
    0              66
    1        M     55
    """

    what: ClassVar[str] = "itemsets"

    @classmethod
    def of(cls, counts: Mapping[Iterable, int], method: object = None, info: dict | None = None) -> MinedItemsets:
        """From a mapping of itemsets to counts, smaller sets first."""
        sets = [(frozenset(items), int(count)) for items, count in counts.items()]
        sets.sort(key=lambda pair: (len(pair[0]), sorted(map(str, pair[0]))))
        names = pd.Series([items for items, _ in sets], dtype=object)
        return cls(pd.DataFrame({"itemsets": names, "count": [count for _, count in sets]}), method, info or {})

    def counts(self) -> dict[frozenset, int]:
        """The counts by itemset."""
        return dict(zip(self.frame["itemsets"], self.frame["count"].tolist(), strict=True))

    def published(self) -> pd.DataFrame:
        """The itemsets as texts, with their counts."""
        return readable(self.frame)


class PublishedTree(Tree):
    """A tree some of whose nodes hide their counts; a hidden node predicts what its nearest shown ancestor does."""

    def __init__(self, tree: Tree, hidden: Iterable[int] = ()):
        super().__init__(tree.root, tree.target, tree.criterion, tree.expansions)
        self.hidden = frozenset(hidden)

    def value(self, node: Node) -> object:
        while node.number in self.hidden and node.parent is not None:
            node = node.parent
        return super().value(node)

    def _summary(self, node: Node) -> str:
        return "hidden" if node.number in self.hidden else super()._summary(node)

    def frame(self) -> pd.DataFrame:
        """The frame of a tree, with a column per class; hidden counts are missing."""
        frame = super().frame().astype({"rows": "Int64"})
        if not self.is_regression:
            for place, label in enumerate(self.target.labels):
                counts = [int(node.stats[place]) for node in self.nodes]
                frame[f"{self.target.name}={label}"] = pd.array(counts, dtype="Int64")
        hidden = frame["node"].isin(self.hidden)
        frame.loc[hidden, ["rows", *frame.columns[8:]]] = pd.NA
        return frame


@dataclass(frozen=True, eq=False, repr=False)
class MinedTree(Mined):
    """A published tree; ``tree`` predicts, ``release`` is the table its leaves stand for (None with inner counts)."""

    tree: PublishedTree | None = None
    release: Release | None = None

    what: ClassVar[str] = "nodes"

    @classmethod
    def of(cls, tree: Tree, *, counts: str = "all") -> MinedTree:
        """A tree as it is, with the counts of ``"all"`` nodes or of the ``"leaves"`` only.

        >>> import anonnb
        >>> from anonnb.trees import planted
        >>> tree = planted(anonnb.load("survey"), "Sex")
        >>> MinedTree.of(tree, counts="leaves").frame[["condition", "rows"]]
          condition  rows
        0  all rows  <NA>
        1   Sex = F    11
        2   Sex = M    55
        """
        if counts not in ("all", "leaves"):
            raise ValueError(f"counts={counts!r} is not known; use 'all' or 'leaves'")
        hidden = [node.number for node in tree.nodes if counts == "leaves" and not node.is_leaf]
        published = PublishedTree(tree, hidden)
        return cls(published.frame(), tree=published)
