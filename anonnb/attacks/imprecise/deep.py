"""The deep attack of Inuiguchi, Ichida and Torra (2019, section 4.4), steps (d0) to (d5).

Where the shallow attack fails, look for the smallest set of mutually compatible rows that leaves one value of the
target, and accept it when none of the other rows supports another value. Readings: rows are compatible when they share
a value of every condition attribute and of the target; of several smallest sets the first (in row order) counts.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from anonnb.attacks import register
from anonnb.attacks.imprecise.cases_result import CasesResult, cases_result
from anonnb.attacks.imprecise.shallow import Cases, ShallowAttack, knowable_columns, plan_cases
from anonnb.attacks.imprecise.step_texts import allowed, published_rows, tell_lines
from anonnb.attacks.matching.step_texts import one_line
from anonnb.core.parameters.compound import Optional
from anonnb.core.parameters.constraints import POSITIVE, Number
from anonnb.core.parameters.declared import parameter
from anonnb.steps.recording import listening, note
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
    The result's ``info`` gives how many lines of its ``targets`` are ``undecided`` (they count as failed) and, as
    ``at_most``, the paper's ratio if all of them succeeded. The column ``by`` names the attack that inferred the value.
    Rows that overlap are compared pair by pair, so if each overlaps a share of all others, time grows with the square
    of the number of rows.

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.methods import PatternTable
    >>> release = PatternTable(k=2).anonymize(anonnb.load("decision6"))
    >>> DeepAttack(known=1).run(release).info["undecided"]
    0

    Guarantees
    ----------
    proved:
        Its ratio is never below the shallow attack's, as it runs only where that leaves no single value. The smallest
        set of compatible rows is found by an exact search.
    tested:
        60 random releases of 2 to 9 rows: every guess and every score equals that of an attacker who tries all subsets
        of rows. 40 random releases: no score is below the shallow attack's.
    heuristic:
        That the smallest set tells the truth is a guess. Of several smallest sets the first counts. A search of more
        than max_steps rows is undecided and counts as failed in the ratio; info["at_most"] says what it could add.
    paper:
        M. Inuiguchi, H. Ichida and V. Torra, Data anonymization with imprecise rules and its performance evaluations,
        Springer, 2019, section 4.4.
    """

    quick: ClassVar[bool] = False  # a search
    by_default: ClassVar[bool] = False
    strong: ClassVar = ({"known": 3},)

    max_steps: int = parameter(POSITIVE, default=2_000_000)
    time_limit: float | None = parameter(Optional(Number(at_least=0, unit="seconds")), default=None)

    def _attack(self, release: Release, people: Table) -> CasesResult:
        """Attack these people; one line per combination of known values and target."""
        plan, compared = plan_cases(self, release, people), knowable_columns(release, people)
        cases = Cases(release, people, plan, compared)
        rows, left, value = cases.intersections()
        shallow = left == 1
        undecided = self._search(cases, compared, left, value)
        frame, answers = cases.judge(rows, left, value)
        where = cases.positions()
        frame["by"] = np.where(frame["left"] != 1, "", np.where(shallow[where], "shallow", "deep"))
        frame["undecided"] = undecided[where]
        if listening():
            self._tell(cases, compared, frame, where)
        open_cases, scores = int(frame["undecided"].sum()), float(frame["score"].sum())
        at_most = (scores + open_cases) / max(len(frame), 1)
        return cases_result(self, answers, frame, undecided=open_cases, at_most=at_most)

    def _tell(self, cases: Cases, compared: list[str], frame: pd.DataFrame, where: tuple) -> None:
        """Note the most exposed: first what only the deep attack finds, then what the shallow one does, then others."""
        by = frame["by"].to_numpy()

        def deep(line: int, told: pd.Series, selected: np.ndarray) -> None:
            number = int(np.searchsorted(cases.starts, where[0][line], side="right")) - 1
            known, target = cases.plan[number][0], cases.targets[where[1][line]]
            search = DeepSearch(cases, compared, known, target, self.max_steps)
            search.tell(selected, told["inferred"])

        fits = frame["rows"].to_numpy() > 0
        exposure = np.where(by == "deep", 3, np.where(by == "shallow", 2, 1)) * fits
        tell_lines(frame, exposure.astype(np.float64), cases.published, cases.selected, deep=deep)

    def _search(self, cases: Cases, compared: list[str], left: np.ndarray, value: np.ndarray) -> np.ndarray:
        """Fill in the values that only the deep attack finds; returns a flag for each undecided case and target."""
        from anonnb.attacks.imprecise._searched_rows import UNDECIDED, SearchedRows

        undecided = np.zeros(left.shape, dtype=bool)
        end = math.inf if self.time_limit is None else time.monotonic() + self.time_limit
        for attributes, tried in _by_attributes(cases.plan, compared).items():
            known = list(dict.fromkeys(name for number, _ in tried for name in cases.plan[number][0]))
            rows = SearchedRows(cases.published.release, attributes, known)
            for number, target in tried:
                where = slice(cases.starts[number], cases.starts[number + 1]), cases.targets.index(target)
                waiting = np.flatnonzero(left[where] != 1)
                found = rows.search(cases.known_codes(number), target, waiting, self.max_steps, end)
                undecided[where] = found == UNDECIDED
                left[where][found >= 0], value[where][found >= 0] = 1, found[found >= 0]
        return undecided


def _by_attributes(plan: Sequence[tuple[list[str], list[str]]], compared: list[str]) -> dict[tuple, list]:
    """Which sets of known columns (by their numbers) and which targets go with the same attributes to compare."""
    tried: dict[tuple, list[tuple[int, str]]] = {}
    for number, (_, targets) in enumerate(plan):
        for target in targets:
            tried.setdefault(tuple(dict.fromkeys([*compared, target])), []).append((number, target))
    return tried


@dataclass(frozen=True, eq=False)
class DeepSearch:
    """Steps (d1) to (d4) for one target, recorded one by one by the attack's own search."""

    cases: Cases
    compared: list[str]
    known: list[str]
    target: str
    max_steps: int

    def tell(self, selected: np.ndarray, inferred: str) -> None:
        """Note the smallest set of compatible rows, the rows that contradict its value, and the conclusion."""
        from anonnb.attacks.imprecise._searched_rows import FOUND, UNDECIDED

        name, published = one_line(self.target), self.cases.published
        outcome, chosen = self._smallest(selected)
        if outcome != FOUND:
            why = "the search was given up" if outcome == UNDECIDED else f"no such set leaves one value of {name}"
            note("No set of rows (d1)", f"Look for rows that share a value of every attribute: {why}.")
            return
        values = allowed(published, self.target, chosen)
        value = values.index[0]
        rows = "1 row leaves" if len(chosen) == 1 else f"{len(chosen):,} compatible rows leave"
        sentence = f"{rows} a single {name}, {one_line(value)}; no smaller set does"
        note("The smallest set (d1)", f"{sentence}.", published_rows(published, chosen), values, [value])
        column = published.column(self.target)
        code = column.attribute.labels.index(value)
        against = selected[~column.can_take(code)[selected]]
        said = f"No row that fits excludes {one_line(value)}"
        if len(against):
            verb, who, leave = (
                ("excludes", "It is not", "it leaves") if len(against) == 1 else ("exclude", "None is", "they leave")
            )
            said = f"{len(against):,} of the rows that fit {verb} {one_line(value)}" + (
                f". {who} compatible with the set, and {leave} no single value"
                if inferred
                else ", and one is compatible with the set, or some leave a single value among themselves"
            )
        then = f"so {one_line(value)} is inferred" if inferred else "so nothing is inferred"
        state, taken = published_rows(published, against), [value] if inferred else ()
        note("What speaks against it (d2 to d4)", f"{said}, {then}.", state, values, taken)

    def _smallest(self, selected: np.ndarray) -> tuple[int, np.ndarray]:
        """What (d1) finds among the selected rows; of rows that are equal in all that is compared, the first counts."""
        from anonnb.attacks.imprecise._searched_rows import SearchedRows

        published = self.cases.published
        searched = SearchedRows(published.release, [*self.compared, self.target], self.known)
        kinds, first = np.unique(searched.rows.kind[published.first[selected]], return_index=True)
        outcome, found = searched.smallest_set(kinds, self.target, self.max_steps)
        return outcome, selected[first[np.searchsorted(kinds, found)]]
