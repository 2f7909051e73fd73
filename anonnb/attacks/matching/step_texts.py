"""How attacks that look for people record their steps: whom they look for, which rows fit, and what these say.

An attack treats everybody at once; the most exposed are shown one by one, from the same arrays that decide. Called only
while steps are recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from anonnb.attacks.matching.candidates import Candidates
from anonnb.core.wording import pluralize
from anonnb.steps.recording import MOST_CANDIDATES, note

MOST_ROWS = 1000  # candidates of a person, the likeliest first
FEW = 3  # people who are shown one by one


def most_exposed(exposure: np.ndarray, most: int = FEW) -> np.ndarray:
    """The places of the highest numbers above 0, of equal ones the first.

    >>> most_exposed(np.array([0.2, 0.0, 0.5, 0.5]), most=2).tolist()
    [2, 3]
    """
    order = np.argsort(-exposure, kind="stable")
    return order[exposure[order] > 0][:most]


def one_line(text: object) -> str:
    """A text of a table as it may stand in a title."""
    return " ".join(str(text).split())


def person_of(cases: Candidates, case: int) -> str:
    """The label of one person of a case."""
    return one_line(cases.people.index[cases.first_person[case]])


def tell_search(cases: Candidates, exposure: np.ndarray, called: str) -> np.ndarray:
    """Note whom the attacker looks for and how exposed they are; returns the cases to show one by one."""
    shown = most_exposed(exposure, MOST_CANDIDATES)
    lines = {"people": cases.people_per_case[shown], "rows that fit": cases.size[shown], called: exposure[shown]}
    frame = pd.DataFrame(lines, index=pd.Index(cases.texts(shown), name="known", dtype=object))
    *others, last = map(one_line, cases.known)
    known, nobody = " and ".join([", ".join(others), last] if others else [last]), int((cases.size == 0).sum())
    sentence = f"The attacker knows {known} of {pluralize(len(cases.people), 'person', 'people')}"
    if cases.n_cases > 1:
        sentence += f", who have {cases.n_cases:,} different combinations of values; the most exposed come first"
    if nobody:
        sentence += f". No published row fits {nobody:,} of the combinations"
    note("Whom to look for", f"{sentence}.", frame.reset_index(), frame, list(frame.index[:FEW]))
    return shown[:FEW]


def tell_rows(cases: Candidates, case: int, then: str = "") -> None:
    """Note which published rows fit a person, and how likely each of them is theirs."""
    rows, chances = cases.row_chances(case)
    best = int((chances >= chances.max(initial=0.0) * (1 - 1e-9)).sum())
    found = f"{pluralize(len(rows), 'published row')} {cases.fit if len(rows) > 1 else cases.fits}"
    if cases.is_nearby(case):
        found = f"no published row fits, and {pluralize(len(rows), 'row')} {'is' if len(rows) == 1 else 'are'} nearest"
    elif best < len(rows):
        found += f", but {best:,} {'is' if best == 1 else 'are'} likelier than the others, because {cases.because}"
    rows, chances = rows[:MOST_ROWS], chances[:MOST_ROWS]
    chance = pd.DataFrame({"chance": chances}, index=pd.Index(rows, name="row"))
    person = person_of(cases, case)
    sentence = f"Person {person} has {one_line(cases.texts([case])[0])}: {found}{then}."
    chosen = rows.tolist() if len(rows) == 1 else ()
    note(f"Look for person {person}", sentence, cases.release.take(rows), chance, chosen)


def tell_secrets(
    cases: Candidates,
    exposure: tuple[str, np.ndarray],
    claim: Callable[[int], np.ndarray],
    reason: Callable[[int], str],
    further: Mapping[str, np.ndarray] | None = None,
    between: Callable[[int], None] | None = None,
) -> None:
    """Note for the most exposed which rows fit them, what these say, and what the attacker claims.

    ``exposure`` is a name and a number for each case. ``claim`` gives the codes that are claimed in a case, and
    ``reason`` why, a sentence without its stop; ``further`` has more columns (cases × values) for the values to choose
    from, the last of which decides. ``between`` notes what comes between rows and claim.
    """
    labels, columns = np.array(cases.labels(), dtype=object), {"rows": cases.values, **(further or {})}
    for case in tell_search(cases, exposure[1], exposure[0]):
        tell_rows(cases, case)
        if between is not None:
            between(case)
        scores = {name: part[case] for name, part in columns.items()}
        said = np.any([part > 0 for part in scores.values()], axis=0)
        shares = {"share": scores.pop("rows") / max(cases.values[case].sum(), 1e-12), "in the release": cases.shares}
        values = pd.DataFrame({"rows": cases.values[case], **shares, **scores}, pd.Index(labels, name=cases.secret))
        order = np.argsort(-columns[next(reversed(columns))][case][said].astype(np.float64), kind="stable")
        values, person = values[said].iloc[order], person_of(cases, case)
        claimed = [labels[code] for code in claim(case)]
        note(f"{one_line(cases.secret)} of person {person}", f"{reason(case)}.", values, values, claimed)
