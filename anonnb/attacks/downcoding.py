"""Downcoding (Cohen, Attacks on deidentification's defenses, USENIX Security 2022): a minimal release is undone.

A release that is not finer has a reason: one step finer some class would fall apart into parts of fewer than k rows.
Where only one class can be that reason, its rows lie below different children. Reading: rows of a class read alike, so
which is whose is not asked; a column of a class is refined as a list of cells in the order of the children.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import nan
from typing import ClassVar

import numpy as np
import pandas as pd

from anonnb.attacks import register
from anonnb.attacks.base import Attack
from anonnb.attacks.children import by_chance, families, left_children, most_small
from anonnb.attacks.matching.members import in_order
from anonnb.attacks.matching.step_texts import one_line
from anonnb.attacks.result_kinds import CellsResult
from anonnb.core.arrays import first_places, group_order
from anonnb.core.wording import pluralize
from anonnb.privacy.base import Minimality
from anonnb.steps.recording import listening, note
from anonnb.tables.release import Release
from anonnb.tables.table import Table

COLUMNS = [
    *("column", "class", "published", "rows", "children", "narrowed", "claims", "claimed", "right", "by chance"),
]


@register
@dataclass(frozen=True)
class DowncodingAttack(Attack):
    """Refine generalized cells by reasoning from the fact that the method could not publish anything finer.

    Notes
    -----
    The attacker knows the release, the hierarchies, k and how the method is minimal (``Method.minimality``). An attempt
    is a generalized cell, a claim one that is left with a single child of its node in the hierarchy. A claim says that
    the class has such a row, not whose it is; claims about two columns do not say which belong together. Where a
    hierarchy is a rule and not a list, the values that occur are taken as known. ``luck`` is how many of the same
    claims would be right if each row had any child with the same probability. ``targets`` has a line per class and
    generalized column: ``narrowed`` counts the cells that have lost a child, ``claimed`` those left with one.

    Examples
    --------
    >>> import pandas as pd
    >>> from anonnb import Hierarchy, Table
    >>> from anonnb.methods import Samarati
    >>> four = Table(pd.DataFrame({"age": [0, 1, 2, 3]}), quasi=["age"], hierarchies={"age": Hierarchy.intervals(2, 4)})
    >>> DowncodingAttack().run(Samarati(k=3).anonymize(four)).targets[["published", "claims"]].values.tolist()
    [['[0,4)', '1 × [0,2), 1 × [2,4)']]

    Guarantees
    ----------
    proved:
        Every claim holds in each original table that the method turns into the release, as long as the method is
        minimal as it declares: a step finer fails, and no other class could be the reason.
    tested:
        40 releases each, by Samarati and TopDown (k = 2 and 3), Incognito and FullDomain (k = 2), of tables with four
        rows and two columns of four values: of all originals that give the release none contradicts a claim.
    heuristic:
        Only single steps and the sizes of classes are used, so claims may be missed. Nothing is claimed where models
        beyond k are required or people have several rows.
    paper:
        A. Cohen, Attacks on deidentification's defenses, USENIX Security Symposium, 2022.
    """

    kind: ClassVar[str] = "cells"
    quick: ClassVar[bool] = False  # its targets are classes, not people
    by_default: ClassVar[bool] = False
    no_control: ClassVar[str] = "it refines published cells, and nobody outside the release has one"

    def _attack(self, release: Release, people: Table | None) -> CellsResult:
        minimal = _declared(release)
        in_order(release.table, people)  # those attacked must be behind the release
        if listening():
            _tell_rule(release, minimal)
        lines = [line for name in release.quasi for line in _lines(release, name, minimal)]
        targets = pd.DataFrame(lines, columns=COLUMNS)
        unknown = "" if release.rows is not None else "the release does not tell which row is whose"
        return CellsResult(
            self,
            int(targets["rows"].sum()),
            nan if unknown else int(targets["right"].sum()),
            targets,
            claims=int(targets["claimed"].sum()),
            luck=float(targets["by chance"].sum()),
            info={"step": minimal.step, "cells with fewer children left": int(targets["narrowed"].sum())},
            note=unknown,
        )


def _declared(release: Release) -> Minimality:
    """How the release is minimal; a sentence where nothing follows."""
    method = release.method
    name = "the release" if method is None else type(method).__name__
    if getattr(method, "requirements", ()):
        raise ValueError(
            f"{name} requires more than k here: a finer release may have failed for other reasons, from which the "
            "downcoding attack cannot tell"
        )
    if release.table.people_repeat:
        raise ValueError("the downcoding attack counts rows, and in this table k counts people who have several")
    minimal = method.minimality(release) if hasattr(method, "minimality") else None
    if minimal is None:
        raise ValueError(
            f"{name} does not say that nothing finer could have been published, so the downcoding attack cannot begin"
        )
    return minimal


def _lines(release: Release, name: str, minimal: Minimality) -> Iterator[tuple]:
    """A line for each class whose cells in a column are generalized."""
    column, sizes = release.columns[name], release.group_sizes
    family_of = families(column, one_level=minimal.step == "column")
    shown = column.index[first_places(release.groups, release.n_groups)]
    n_children = np.array([len(family_of[number][0]) for number in shown])
    most = np.array([most_small(int(n), int(m), minimal.k) for n, m in zip(sizes, n_children, strict=True)])
    reason = shown if minimal.step == "node" else np.zeros_like(shown)  # classes that one step touches
    others = np.bincount(reason, weights=most, minlength=1)[reason] - most
    needed = minimal.spare + 1 - others.astype(np.int64)
    codes = None if release.rows is None else release.table.codes(name)[release.rows]
    if (needed > most)[n_children > 1].any():
        raise ValueError(
            f"column {name!r}: the release contradicts what its method declares, so the attack cannot begin"
        )
    if listening() and (n_children > 1).any():
        _tell_column(release, name, most, needed, n_children > 1)
    order, starts = group_order(release.groups, release.n_groups)
    for group in np.flatnonzero(n_children > 1):
        children, child_of_code = family_of[shown[group]]
        rows, m = int(sizes[group]), int(n_children[group])
        first, last = left_children(rows, m, minimal.k, int(needed[group]))
        sure = np.flatnonzero(first == last)
        right = np.nan
        if codes is not None and len(sure):
            own = child_of_code[codes[order[starts[group] : starts[group + 1]]]]
            right = int((np.sort(own)[sure] == first[sure]).sum())
        claims = pd.Series(first[sure]).value_counts(sort=False).sort_index()
        said = ", ".join(f"{count} × {children[child]}" for child, count in claims.items())
        narrowed = int((last - first + 1 < m).sum())
        chance = float(by_chance(rows, m, sure, first[sure]).sum())
        if listening() and narrowed:
            told = f"{said}; by luck {chance:.2f} of {len(sure)} would be right" if said else "no single child"
            _tell_class(release, name, int(group), children, (first, last), told)
        yield (name, group, column.sets.labels[shown[group]], rows, m, narrowed, said, len(sure), right, chance)


def _tell_rule(release: Release, minimal: Minimality) -> None:
    """Note what the method could not do, from which all else follows."""
    step = {"column": "any column as a whole", "node": "any node"}.get(minimal.step, f"any {minimal.step}")
    sentence = (
        f"The method could not refine {step}, because at least {pluralize(minimal.spare + 1, 'row')} would have ended "
        f"up in a part of fewer than {minimal.k}"
    )
    sizes = pd.DataFrame({"rows": release.group_sizes}, pd.Index(range(release.n_groups), name="class"))
    note("Nothing finer was possible", f"{sentence}.", release, sizes)


def _tell_column(release: Release, name: str, most: np.ndarray, needed: np.ndarray, open_: np.ndarray) -> None:
    """Note how many rows of each class could be the reason, and how many must be."""
    lines = {"rows": release.group_sizes, "can be in small parts": most, "must be": np.maximum(needed, 0)}
    frame = pd.DataFrame(lines, pd.Index(range(release.n_groups), name="class"))[open_]
    must = frame.index[frame["must be"] > 0].tolist()
    sentence = (
        f"{pluralize(len(frame), 'class', 'classes')} {'shows' if len(frame) == 1 else 'show'} a generalized "
        f"{one_line(name)}; {len(must):,} must have rows in small parts, because nothing else explains the refusal"
    )
    frame = frame.sort_values("must be", ascending=False, kind="stable")
    note(f"Who is the reason in {one_line(name)}", f"{sentence}.", frame.reset_index(), frame, must)


def _tell_class(release: Release, name: str, group: int, children: list[str], ends: tuple, said: str) -> None:
    """Note for a class which child each of its cells may have, in the order of the children."""
    rows, labels = np.flatnonzero(release.groups == group), np.array(children, dtype=object)
    first, last = ends
    index = pd.Index(range(1, len(rows) + 1), name="cell")
    cells = pd.DataFrame({"from": labels[first], "to": labels[last]}, index)
    shown = one_line(release.columns[name].sets.labels[release.columns[name].index[rows[0]]])
    sentence = (
        f"Class {group} shows {shown} in {pluralize(len(rows), 'row')}. However they are divided among {len(children)} "
        f"children with enough of them in small parts, there are {one_line(said)}"
    )
    sure = index[first == last].tolist()
    note(f"Refine {one_line(name)} of class {group}", f"{sentence}.", release.take(rows), cells, sure)
