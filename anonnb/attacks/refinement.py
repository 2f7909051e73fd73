"""Combinatorial refinement (after Chhillar, Righi, Sutter and Kornaropoulos 2025): what the order of publishing tells.

LocalRecoding goes through the nodes of the lattice in an order that everybody can compute, and publishes at each node
every box with k of the rows left. So (b) no later row lies in a published box, and (c) every box that was not published
holds fewer than k later rows. Reading: the paper reasons about ARX, whose order depends on the rows; here (b) and (c)
are exact. A label of a generalized cell is a child of its node; leaves are those that the hierarchies list.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import nan, prod
from typing import ClassVar

import numpy as np
import pandas as pd

from anonnb.attacks import register
from anonnb.attacks.base import Attack
from anonnb.attacks.matching.candidates import Candidates, known_columns
from anonnb.attacks.matching.step_texts import one_line
from anonnb.attacks.node_boxes import NodeBoxes
from anonnb.attacks.reconstruction.programs import Program
from anonnb.attacks.result_kinds import CellsResult
from anonnb.core.arrays import first_places, group_ids, group_order, in_ranges
from anonnb.core.parameters.compound import Optional
from anonnb.core.parameters.constraints import POSITIVE, Choice
from anonnb.core.parameters.declared import parameter
from anonnb.core.progress import ticks
from anonnb.core.wording import percent, pluralize
from anonnb.steps.recording import listening, note
from anonnb.tables.release import Release
from anonnb.tables.table import Table

BOUNDS = {"closed": "a formula", "linear": "linear programs", "exact": "integer programs by CP-SAT"}
MAX_LEAVES = 20_000  # combinations of leaves, each an unknown of the programs
ALMOST = 1e-6  # what a linear program may be off
COLUMNS = [
    *("column", "class", "published", "rows", "labels", "excluded", "at least", "claims", "right", "by chance"),
]


@register
@dataclass(frozen=True)
class RefinementAttack(Attack):
    """Exclude labels of generalized cells, and count rows that must have a label, from the order of LocalRecoding.

    Parameters
    ----------
    bounds:
        ``"closed"`` looks at one earlier box and one column at a time; ``"linear"`` solves a linear program per label,
        and ``"exact"`` an integer program (OR-tools, the extra ``solver``). Both list all combinations of leaves, so
        they are for few columns.
    k:
        The k of the release, if it does not say how it was made, such as a file: then it must be LocalRecoding's.

    Notes
    -----
    The attacker knows the published rows, the number of suppressed ones, k, the hierarchies, the columns' weights and
    limits, and which columns have missing values. An attempt is a label (a child in the hierarchy) of a generalized
    column of a class; class -1 are the suppressed rows. A claim says that no row of the class has the label, or that at
    least so many have it. ``luck`` is how many of the claims would be right if each row had any of the labels with the
    same probability. ``info`` holds the generalized cells and those that lost a label, the ``excluded`` labels and the
    ``sure rows`` with their luck, and the linkage: a person who fits several boxes is in the first of them, so
    ``linkage refined`` is the mean of 1/candidates in that box, and ``linkage`` in all boxes.

    Examples
    --------
    >>> import pandas as pd
    >>> from anonnb import Hierarchy
    >>> from anonnb.methods import LocalRecoding
    >>> frame = pd.DataFrame({"sex": [*"fffffmm"], "smoker": [*"nnnyynn"]})
    >>> flat = {"sex": Hierarchy.from_dict({"f": "*", "m": "*"}), "smoker": Hierarchy.from_dict({"n": "*", "y": "*"})}
    >>> release = LocalRecoding(k=3).anonymize(Table(frame, quasi=["sex", "smoker"], hierarchies=flat))
    >>> RefinementAttack().run(release).targets[["column", "published", "rows", "at least"]].to_numpy().tolist()
    [['sex', '*', 4, '2 × f, 2 × m'], ['smoker', '*', 4, '2 × n, 2 × y']]

    Guarantees
    ----------
    proved:
        Every claim holds in each original table that LocalRecoding turns into the release: at every node all boxes with
        k of the rows left are published whole. The exact bounds find all such claims.
    tested:
        60 random tables of up to 7 rows and two columns, with suppressed rows and leaves that occur nowhere: no
        original contradicts a claim, and the exact bounds are those over all originals.
    heuristic:
        The closed form may miss claims. A claim says what the rows of a class have, not which row is whose. Nothing is
        claimed where models beyond k are required or people have several rows.
    paper:
        S. Chhillar, M. Righi, R. Sutter and E. Kornaropoulos, Exposing privacy risks in anonymizing clinical data:
        combinatorial refinement attacks on k-anonymity without auxiliary information, 2025.
    """

    kind: ClassVar[str] = "cells"
    quick: ClassVar[bool] = False  # its targets are classes, not people
    by_default: ClassVar[bool] = False
    strong: ClassVar = ({"bounds": "linear"},)
    no_control: ClassVar[str] = "it refines published cells, and nobody outside the release has one"

    bounds: str = parameter(Choice(BOUNDS), default="closed")
    k: int | None = parameter(Optional(POSITIVE), default=None)

    def _attack(self, release: Release, people: Table) -> CellsResult:
        known_columns(None, release, people)  # there must be some
        boxes = NodeBoxes(release, self._known_k(release))
        labels = Labels(boxes)
        if self.bounds != "closed" and labels.pairs:
            labels.tighten(Program("cp-sat" if self.bounds == "exact" else "highs", whole=self.bounds == "exact"))
        linkage = _linkage(release, people, boxes)
        if listening():
            _record_order(boxes, linkage)
        targets = pd.DataFrame(list(_lines(release, boxes, labels)), columns=COLUMNS)
        unknown = "" if release.rows is not None else "the release does not tell which row is whose"
        return CellsResult(
            self,
            len(labels.low),
            nan if unknown else int(targets["right"].sum()),
            targets,
            claims=int(targets["claims"].sum()),
            luck=float(targets["by chance"].sum()),
            unit="label",
            info={**labels.figures, **linkage, "bounds": self.bounds},
            note=unknown,
        )

    def _known_k(self, release: Release) -> int:
        """Return the k of the release; refuse what nothing follows from in a sentence."""
        method, begin = release.method, "so the refinement attack cannot begin"
        name = "the release" if method is None else type(method).__name__
        if method is None and self.k:
            return self.k
        if not getattr(method, "follows_node_order", False) or release.info.get("recoded"):
            remedy = "" if method is not None else "; if it is by LocalRecoding, give its k: k=…"
            raise ValueError(f"{name} does not say that these rows went through a lattice in order, {begin}{remedy}")
        if method.requirements:
            raise ValueError(f"{name} requires more than k, so boxes may be missing for other reasons, {begin}")
        if release.table.people_repeat:
            raise ValueError("the refinement attack counts rows, and in this table k counts people who have several")
        return method.k


def _linkage(release: Release, people: Table, boxes: NodeBoxes) -> dict[str, float]:
    """Return the mean of 1/candidates among all rows that fit a person, and among those of the first box that does."""
    cases = Candidates(release, people, release.quasi)
    fits = (cases.size > 0) / np.maximum(cases.size, 1)
    chance = fits[cases.case] if release.rows is None else cases.right_chances()
    first = boxes.first(boxes.leaves(people)[cases.first_person])[cases.case]
    refined = np.where((chance > 0) & (first >= 0), 1.0 / np.append(boxes.sizes, 1)[first], 0.0)
    count = max(len(people), 1)
    return {"linkage": float(chance.sum()) / count, "linkage refined": float(refined.sum()) / count}


# ---- labels: how many rows of a class have each ---------------------------------------------------------------------


class Labels:
    """The labels of every generalized column of every class, and between how many rows have them.

    ``of``, ``column`` and ``child`` say which label it is; ``low`` is the least number of rows, and ``open`` whether
    any row can have it. In closed form: a label is excluded if an earlier box holds the whole part of the class's box
    that has it; each of the m labels left has at most k - 1 rows, so at least n - (k - 1)(m - 1).
    """

    def __init__(self, boxes: NodeBoxes):
        self.boxes = boxes
        parts = [np.zeros((3, 0), dtype=np.int64)]
        for column, (tree, (level, canonical)) in enumerate(zip(boxes.trees, boxes.lowest, strict=True)):
            for node in np.unique(boxes.nodes[:, column]):
                if level[node]:
                    below = tree.ladder[min(level[node] - 1, boxes.heights[column])]
                    children = np.unique(canonical[below[tree.ladder[level[node]] == node]])
                    classes = np.flatnonzero(boxes.nodes[:, column] == node)
                    grid = np.meshgrid(classes, column, children, indexing="ij")
                    parts.append(np.stack(grid).reshape(3, -1))
        every = np.hstack(parts)
        self.of, self.column, self.child = every[:, np.lexsort((every[2], every[0], every[1]))]
        self.pair, self.pairs = group_ids([self.column, self.of])
        nodes = boxes.nodes[self.of]
        nodes[np.arange(len(nodes)), self.column] = self.child
        self.rows = boxes.sizes[self.of]
        self.share = 1.0 / np.bincount(self.pair)[self.pair]  # of the rows, if all labels have the same
        self.open = boxes.first(nodes, boxes.at[self.of]) < 0
        in_lattice = (boxes.levels(nodes) <= boxes.heights).all(axis=1)
        most = np.where(in_lattice, np.minimum(self.rows, boxes.k - 1), self.rows)
        left = np.bincount(self.pair, self.open, minlength=self.pairs)[self.pair]
        self.low = np.where(self.open, np.maximum(self.rows - most * (left - 1), 0), 0).astype(np.int64)
        if (self.low > most).any() or (left == 0).any():
            raise _contradiction(boxes.k)

    def tighten(self, program: Program) -> None:
        """Solve a program for the least number of rows of each label, and for whether any row can have it."""
        boxes = self.boxes
        grid, owner = _add_constraints(program, boxes)
        members = [
            np.flatnonzero((owner == of) & (tree.ancestors[level[child]][grid[:, column]] == child))
            for of, column, child in zip(self.of, self.column, self.child, strict=True)
            for tree, (level, _) in [(boxes.trees[column], boxes.lowest[column])]
        ]
        least, most = np.full(len(members), np.inf), np.zeros(len(members))

        def solve(goal: np.ndarray) -> None:
            found = program.least(goal)
            if found is None:
                raise _contradiction(boxes.k)
            counts = np.array([found[own].sum() for own in members])
            np.minimum(least, counts, out=least)
            np.maximum(most, counts, out=most)

        solve(np.zeros(len(grid)))
        for index, own in enumerate(ticks(members, "labels")):
            goal = np.zeros(len(grid))
            goal[own] = 1
            if least[index] > ALMOST:  # of most labels a solution with none is known by now
                solve(goal)
            if most[index] < ALMOST:
                solve(-goal)
        self.low, self.open = np.ceil(least - ALMOST).astype(np.int64), most >= ALMOST

    @cached_property
    def by_chance(self) -> np.ndarray:
        """The probability that each claim is right by luck; 0 where nothing is claimed."""
        from scipy.stats import binom

        sure = np.where(self.low > 0, binom.sf(self.low - 1, self.rows, self.share), 0.0)
        return np.where(self.open, sure, (1 - self.share) ** self.rows)

    @property
    def figures(self) -> dict[str, float]:
        """The cells and claims in numbers, with their luck."""
        from scipy.stats import binom

        rows = self.rows[first_places(self.pair, self.pairs)]
        narrowed = np.bincount(self.pair, ~self.open, minlength=self.pairs) > 0
        sure = np.repeat(np.arange(len(self.low)), self.low)
        before = in_ranges(np.zeros_like(self.low), self.low)  # the first, second, … sure row of a label
        return {
            "generalized cells": int(rows.sum()),
            "narrowed cells": int(rows[narrowed].sum()),
            "excluded": int((~self.open).sum()),
            "excluded by luck": float(self.by_chance[~self.open].sum()),
            "sure rows": int(self.low.sum()),
            "sure rows by luck": float(binom.sf(before, self.rows[sure], self.share[sure]).sum()),
        }


def _contradiction(k: int) -> ValueError:
    return ValueError(f"LocalRecoding publishes such a release of no table with k={k}, so the attack cannot begin")


def _add_constraints(program: Program, boxes: NodeBoxes) -> tuple[np.ndarray, np.ndarray]:
    """Make an unknown of each combination of leaves, in the one class that (b) leaves it; returns both.

    The constraints are (a), the rows of each class, and (c), fewer than k later rows in every box of every node.
    """
    shape = [tree.attribute.size for tree in boxes.trees]
    if prod(shape) > MAX_LEAVES:
        raise ValueError(
            f"bounds: the columns have {prod(shape):,} combinations of leaves, more than the {MAX_LEAVES:,} that "
            "programs take; use bounds='closed', or a release with fewer columns"
        )
    grid = np.indices(shape).reshape(len(shape), -1).T
    owner = boxes.first(grid)
    if (boxes.group < 0).any():
        owner[owner < 0] = len(boxes.sizes) - 1
    grid, owner = grid[owner >= 0], owner[owner >= 0]
    program.unknowns(len(grid), 0, boxes.sizes[owner])
    for number, size in enumerate(boxes.sizes):
        own = np.flatnonzero(owner == number)
        program.add(own, np.ones(len(own)), int(size), int(size))
    columns = list(zip(boxes.trees, boxes.lowest, grid.T, strict=True))
    for position, node in enumerate(boxes.order):
        raised = np.array([tree.ladder[at][leaf] for (tree, _, leaf), at in zip(columns, node, strict=True)])
        lowest = [level[own] == at for (_, (level, _), _), own, at in zip(columns, raised, node, strict=True)]
        later = np.flatnonzero((boxes.at[owner] > position) & np.logical_and.reduce(lowest))
        order, starts = group_order(*group_ids(list(raised[:, later])))
        for start, end in pairwise(starts):
            program.add(later[order[start:end]], np.ones(end - start), None, boxes.k - 1)
    return grid, owner


# ---- in words -------------------------------------------------------------------------------------------------------


def _lines(release: Release, boxes: NodeBoxes, labels: Labels) -> Iterator[tuple]:
    """Yield a line for each class and generalized column."""
    order, starts = group_order(labels.pair, labels.pairs)
    linked, own_class = release.rows is not None, np.full(len(release.table), -1)
    if linked:
        own_class[release.rows] = release.groups
    members, leaves = pd.Series(own_class).groupby(own_class).indices, boxes.leaves(release.table)
    for start, end in pairwise(starts):
        own = order[start:end]
        column, of, child = int(labels.column[own[0]]), int(labels.of[own[0]]), labels.child[own]
        tree, name, group = boxes.trees[column], release.quasi[column], int(boxes.group[of])
        names, low, open_ = [tree.labels[node] for node in child], labels.low[own], labels.open[own]
        right = np.nan
        if linked:
            above = tree.ancestors[boxes.lowest[column][0][child]][:, leaves[members[group], column]]
            truth = (above == child[:, None]).sum(axis=1)
            right = int(np.where(open_, (low > 0) & (truth >= low), truth == 0).sum())
        excluded = ", ".join(label for label, stays in zip(names, open_, strict=True) if not stays)
        least = ", ".join(f"{count} × {label}" for label, count in zip(names, low, strict=True) if count)
        shown, rows = tree.labels[boxes.nodes[of, column]], int(boxes.sizes[of])
        claims = int(((low > 0) | ~open_).sum())
        if listening() and claims:
            _record_class(release, name, group, shown, pd.DataFrame({"at least": low, "excluded": ~open_}, names))
        yield (name, group, shown, rows, len(own), excluded, least, claims, right, float(labels.by_chance[own].sum()))


def _record_order(boxes: NodeBoxes, linkage: dict[str, float]) -> None:
    """Record the order of the boxes, and what it tells about where a person is."""
    order = np.argsort(boxes.at, kind="stable")
    texts = [
        ", ".join(tree.labels[node] for tree, node in zip(boxes.trees, box, strict=True)) for box in boxes.nodes[order]
    ]
    frame = pd.DataFrame({"node": boxes.at[order] + 1, "rows": boxes.sizes[order]}, pd.Index(texts, name="box"))
    sentence = (
        f"Each node published all rows left in its boxes of {boxes.k}, so no row of a later class lies in an earlier "
        f"box. A person who fits several boxes is in the first: linkage rises from {percent(linkage['linkage'])} to "
        f"{percent(linkage['linkage refined'])}"
    )
    note("Put the boxes in order", f"{sentence}.", frame.reset_index(), frame)


def _record_class(release: Release, name: str, group: int, shown: str, labels: pd.DataFrame) -> None:
    """Record what follows for one column of a class."""
    claims = [f"no row has {label}" for label in labels.index[labels["excluded"]]]
    claims += [f"at least {low} have {label}" for label, low in labels["at least"].items() if low]
    members = release.take(np.flatnonzero(release.groups == group))
    whose = f"Class {group} shows {shown} in {pluralize(len(members), 'row')}" if group >= 0 else "Rows are suppressed"
    title = f"Refine {one_line(name)} of {'the suppressed rows' if group < 0 else f'class {group}'}"
    left = list(labels.index[~labels["excluded"]])
    note(title, f"{one_line(whose)}: {one_line('; '.join(claims))}.", members, labels, left)
