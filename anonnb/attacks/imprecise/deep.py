"""The deep attack of Inuiguchi, Ichida and Torra (2019, section 4.4), steps (d0) to (d5).

Where the shallow attack fails, look for the smallest set of mutually compatible rows that leaves one value of the
target, and accept it when none of the other rows supports another value. Readings: rows are compatible when they share
a value of every condition attribute and of the target; of several smallest sets the first (in row order) counts.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from anonnb.attacks import register
from anonnb.attacks.base import AttackResult
from anonnb.attacks.imprecise.notes import allowed, published_rows, tell_lines
from anonnb.attacks.imprecise.shallow import Cases, ShallowAttack, case_result, knowable_columns, plan_cases
from anonnb.attacks.matching.notes import one_line
from anonnb.core.arrays import distinct_rows, words
from anonnb.core.card import Card
from anonnb.core.parameters.compound import Optional
from anonnb.core.parameters.constraints import POSITIVE, Number
from anonnb.core.parameters.declared import parameter
from anonnb.core.wording import counted
from anonnb.steps.recording import listening, note
from anonnb.tables.matching import DistinctRows
from anonnb.tables.release import Release
from anonnb.tables.table import Table


@register
@dataclass(frozen=True)
class DeepAttack(ShallowAttack):
    """The shallow attack first, then an exact search over sets of compatible rows.

    Parameters
    ----------
    max_steps:
        Rows considered in the search of one case before it counts as undecided (same result on any machine).
    time_limit:
        Seconds after which the remaining cases count as undecided (None: no limit).

    Notes
    -----
    The result's ``info`` gives how many attempts are ``undecided`` (they count as failed) and, as ``at_most``, the
    success if all of them succeeded. The column ``by`` names the attack that inferred the value.

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.methods import PatternTable
    >>> release = PatternTable(k=2).anonymize(anonnb.load("decision6"))
    >>> DeepAttack(known=1).run(release).info["undecided"]
    0
    """

    card: ClassVar[Card] = Card(
        proved=(
            "It never succeeds less often than the shallow attack, as it runs only where that leaves no single value. "
            "The smallest set of compatible rows is found by an exact search."
        ),
        tested=(
            "60 random releases of 2 to 9 rows: every score equals that of an attacker who tries all subsets of rows. "
            "40 random releases: no score is below the shallow attack's."
        ),
        heuristic=(
            "That the smallest set tells the truth is a guess; only true values count as success. Of several smallest "
            "sets the first counts. A search of more than max_steps rows is undecided and counts as failed; "
            'info["at_most"] says what it could add.'
        ),
        paper=(
            "M. Inuiguchi, H. Ichida and V. Torra, Data anonymization with imprecise rules and its performance "
            "evaluations, Springer, 2019, section 4.4."
        ),
    )

    quick: ClassVar[bool] = False  # a search
    by_default: ClassVar[bool] = False

    max_steps: int = parameter(POSITIVE, default=2_000_000)
    time_limit: float | None = parameter(Optional(Number(at_least=0, unit="seconds")), default=None)

    def _attack(self, release: Release, people: Table) -> AttackResult:
        """Attack these people; one line per combination of known values and target."""
        plan, compared = plan_cases(self, release, people), knowable_columns(release, people)
        cases = Cases(release, people, plan, compared)
        rows, left, value = cases.intersections()
        shallow = left == 1
        undecided = self._search(cases, compared, left, value)
        frame = cases.frame(rows, left, value)
        where = cases.positions()
        frame["by"] = np.where(frame["left"] != 1, "", np.where(shallow[where], "shallow", "deep"))
        frame["undecided"] = undecided[where]
        if listening():
            self._tell(cases, compared, frame, where)
        success = float(frame["score"].mean()) if len(frame) else 0.0
        open_cases = int(frame["undecided"].sum())
        return case_result(self, cases, frame, undecided=open_cases, at_most=success + open_cases / max(len(frame), 1))

    def _tell(self, cases: Cases, compared: list[str], frame: pd.DataFrame, where: tuple) -> None:
        """Note the most exposed: first what only the deep attack finds, then what the shallow one does, then others."""
        rows, by = BitRows(cases.published, cases.names), frame["by"].to_numpy()
        places = where[1]

        def deep(line: int, told: pd.Series, selected: np.ndarray) -> None:
            target = cases.targets[places[line]]
            spans = rows.spans([*(name for name in compared if name != target), target])
            DeepSearch(rows, spans, target, self.max_steps).tell(cases.published, selected, told["inferred"])

        fits = frame["rows"].to_numpy() > 0
        exposure = np.where(by == "deep", 3, np.where(by == "shallow", 2, 1)) * fits
        tell_lines(frame, exposure.astype(np.float64), cases.published, cases.selected, deep=deep)

    def _search(self, cases: Cases, compared: list[str], left: np.ndarray, value: np.ndarray) -> np.ndarray:
        """Fill in the values that only the deep attack finds; returns a flag for each undecided case and target."""
        from anonnb.attacks.imprecise._row_choices import FOUND, UNDECIDED, deep_case

        rows = BitRows(cases.published, cases.names)
        spans = [rows.spans([*(name for name in compared if name != t), t]) for t in cases.targets]
        undecided = np.zeros(left.shape, dtype=bool)
        start = time.monotonic()
        for first, selected in cases.selections():
            for offset, chosen in enumerate(selected):
                case, matching = first + offset, np.flatnonzero(chosen)
                for place in cases.tried[case]:
                    if left[case, place] == 1:
                        continue
                    if self.time_limit is not None and time.monotonic() - start > self.time_limit:
                        undecided[case, place] = True
                        continue
                    target = cases.targets[place]
                    outcome, bit = deep_case(rows.bits, matching, spans[place], rows.single[target], self.max_steps)
                    undecided[case, place] = outcome == UNDECIDED
                    if outcome == FOUND:
                        left[case, place], value[case, place] = 1, rows.codes[target][bit]
        return undecided


class BitRows:
    """Published rows as 64-bit words, each attribute on words of its own.

    Values that lie in exactly the same sets cannot be told apart by any intersection: they share a bit, and
    ``single`` marks the bits that stand for one value alone.
    """

    def __init__(self, published: DistinctRows, names: list[str]):
        blocks, width = [], 0
        self.codes: dict[str, np.ndarray] = {}
        self.single: dict[str, np.ndarray] = {}
        self._span: dict[str, tuple[int, int]] = {}
        for name in names:
            column = published.column(name)
            used, place = np.unique(column.index, return_inverse=True)
            sets = column.sets.as_masks()[used]
            first, kind = distinct_rows(np.packbits(sets, axis=0).T)  # values by the sets that hold them
            alone = np.bincount(kind, minlength=len(first)) == 1
            blocks.append(words(sets[:, first])[place])
            self.codes[name], self.single[name] = first, words(alone[None, :])[0]
            self._span[name] = (width, width + blocks[-1].shape[1])
            width += blocks[-1].shape[1]
        self.bits = np.concatenate(blocks, axis=1)

    def spans(self, names: list[str]) -> np.ndarray:
        """The first word of each attribute and the one after its last."""
        return np.array([self._span[name] for name in names], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class DeepSearch:
    """Steps (d1) to (d4) for one target, recorded one by one by the attack's own search."""

    rows: BitRows
    spans: np.ndarray
    target: str
    max_steps: int

    def tell(self, published: DistinctRows, selected: np.ndarray, inferred: str) -> None:
        """Note the smallest set of compatible rows, the rows that contradict its value, and the conclusion."""
        from anonnb.attacks.imprecise._row_choices import FOUND, UNDECIDED

        name = one_line(self.target)
        outcome, chosen = self._smallest(selected)
        if outcome != FOUND:
            why = "the search was given up" if outcome == UNDECIDED else f"no such set leaves one value of {name}"
            note("No set of rows (d1)", f"Look for rows that share a value of every attribute: {why}.")
            return
        values = allowed(published, self.target, chosen)
        value = values.index[0]
        sentence = (
            f"The smallest set of compatible rows that leaves one value of {name} has {counted(len(chosen), 'row')} "
            f"and says {one_line(value)}"
        )
        note("The smallest set (d1)", f"{sentence}.", published_rows(published, chosen), values, [value])
        column = published.column(self.target)
        code = column.attribute.labels.index(value)
        against = selected[~column.sets.as_masks()[column.index[selected], code]]
        said = f"Of the rows that fit {len(against):,} cannot have {one_line(value)}"
        if len(against):
            said += (
                ", none of them is compatible with the set, and no set of them leaves one value"
                if inferred
                else ", and one of them is compatible with the set, or some of them leave one value themselves"
            )
        then = f"so {one_line(value)} is inferred" if inferred else "so nothing is inferred"
        state, taken = published_rows(published, against), [value] if inferred else ()
        note("What speaks against it (d2 to d4)", f"{said}, {then}.", state, values, taken)

    def _smallest(self, selected: np.ndarray) -> tuple[int, np.ndarray]:
        from anonnb.attacks.imprecise._row_choices import smallest_set

        single = self.rows.single[self.target]
        outcome, _, chosen = smallest_set(self.rows.bits, selected, self.spans, single, self.max_steps)
        return outcome, selected[chosen]
