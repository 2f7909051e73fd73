"""Predicate singling out (Cohen and Nissim, Towards formalizing the GDPR's notion of singling out, PNAS 2020).

A class of k rows is a box that holds k people: a predicate that picks each of them with probability 1/k picks exactly
one in more than a third of all draws. Reading: the class is the one whose box is lightest by the product of the
published margins; the random predicate is a seeded hash of the whole row; the box's weight is its share of the control.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import nan
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from anonnb.attacks import register
from anonnb.attacks.base import Attack
from anonnb.attacks.intervals import wilson
from anonnb.attacks.matching.members import check_outsiders
from anonnb.attacks.matching.shares import published_shares, shares_of_sets
from anonnb.attacks.matching.step_texts import one_line
from anonnb.attacks.result_kinds import IsolationResult
from anonnb.core.arrays import first_places
from anonnb.core.card import Card
from anonnb.core.parameters.constraints import POSITIVE, SEED
from anonnb.core.parameters.declared import parameter
from anonnb.core.wording import pluralize
from anonnb.steps.recording import MOST_CANDIDATES, listening, note
from anonnb.tables.release import Release
from anonnb.tables.table import Table

TOLD = 5  # predicates that are shown one by one
NEGLIGIBLE = 10  # a predicate counts when its weight is at most 1 / (10 n)


@register
@dataclass(frozen=True)
class SinglingOutAttack(Attack):
    """Write predicates that hold for exactly one row of the original table, and for hardly anybody else.

    Parameters
    ----------
    predicates:
        How many to draw; each is an attempt.
    seed:
        Where the random parts of the predicates begin.

    Notes
    -----
    The attacker sees the release only. They take the class whose box of quasi-identifiers has the least weight, which
    is the probability that somebody from the population is in it, and thin the box by a random predicate of weight 1/k
    for a class of k rows. A predicate isolates if exactly one row of ``table`` satisfies it; it counts only if its
    weight is at most 1/(10 n), because heavier ones isolate by luck. The ``baseline`` is the trivial attacker, who
    draws a random predicate of the same weight without looking at the release. With a ``control`` the weight of the box
    is its share there, and ``outside`` tells how often the same predicates isolate somebody in the control; without
    one the weight is the product of the margins. ``info`` says which.

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.methods import Mondrian
    >>> found = SinglingOutAttack().run(Mondrian(k=5).anonymize(anonnb.load("adult").take(range(3000))))
    >>> found.right > 100 * found.baseline, found.info["weight by"]
    (True, 'the product of the published margins')
    """

    card: ClassVar[Card] = Card(
        proved=(
            "A random predicate of weight 1/k holds for exactly one of k different rows with probability "
            "(1 - 1/k)^(k - 1), which falls from 1/2 at k = 2 towards 1/e. At weight w the trivial attacker isolates "
            "with probability n w (1 - w)^(n - 1)."
        ),
        tested=(
            "Classes of 2, 5 and 10 different rows, 2,000 predicates each: the rate is within three standard errors of "
            "the formula. Rows drawn anew from the same population are isolated no more often than the trivial "
            "attacker does it."
        ),
        heuristic=(
            "One class is attacked. The product of the margins takes columns for independent, so it is only a rough "
            "estimate of a box's weight; a control with nobody in the box says no more than info's upper limit."
        ),
        paper="A. Cohen and K. Nissim, Towards formalizing the GDPR's notion of singling out, PNAS 117(15), 2020.",
    )
    kind: ClassVar[str] = "isolation"
    quick: ClassVar[bool] = False  # its targets are predicates, not people
    by_default: ClassVar[bool] = False
    judged: ClassVar[frozenset[str]] = frozenset({"rows that satisfy it", "score"})

    predicates: int = parameter(POSITIVE, default=1000)
    seed: int = parameter(SEED, default=0)

    def run(self, release: Release, table: Table | None = None, *, control: Table | None = None) -> IsolationResult:
        """Attack a release: draw predicates and count those that single somebody out.

        Parameters
        ----------
        release:
            What a method published.
        table:
            The original table, by default the one behind the release.
        control:
            People who are not in the release: they weigh the box.
        """
        self._check_reads(release)
        people = release.table if table is None else table
        if not len(release):
            empty = pd.DataFrame({"predicate": [], "rows that satisfy it": [], "score": []})
            return IsolationResult(self, 0, 0, empty, baseline=0.0, note="nothing was published")
        if control is not None:
            check_outsiders(control, [release])
        box = least_box(release, control)
        result = self._isolated(box, people)
        return result if control is None else result.replace(outside=self._isolated(box, control))

    def _isolated(self, box: Box, people: Table) -> IsolationResult:
        """Count the predicates that hold for exactly one of these people."""
        inside = row_hashes(people, np.flatnonzero(box.holds(people)))
        seeds = range(self.seed, self.seed + self.predicates)
        satisfy = np.array([int((mixed(inside, seed) < 1 / box.rows).sum()) for seed in seeds])
        n, weight = len(people), box.weight / box.rows
        light = weight <= 1 / (NEGLIGIBLE * max(n, 1))
        score = (satisfy == 1) & light
        if listening():
            _tell_predicates(box, people, inside, satisfy, seeds, light)
        targets = pd.DataFrame({"predicate": seeds, "rows that satisfy it": satisfy, "score": score.astype(float)})
        info = {"weight": weight, **box.info, "isolated": int((satisfy == 1).sum())}
        heavy = f"a weight of {weight:.2g} is more than 1/(10 n): predicates may isolate by luck, so none counts"
        baseline, note = trivial_rate(n, weight), "" if light else heavy
        return IsolationResult(
            self, self.predicates, int(score.sum()), targets, baseline=baseline, info=info, note=note
        )


@dataclass(frozen=True, eq=False)
class Box:
    """The quasi-identifiers of one class: the values allowed in each column, its rows, and its weight."""

    allowed: dict[str, Any]
    rows: int
    weight: float
    info: dict[str, Any] = field(default_factory=dict)

    def holds(self, people: Table) -> np.ndarray:
        """Who of these people is in the box."""
        inside = np.ones(len(people), dtype=bool)
        for name, (attribute, mask) in self.allowed.items():
            if name not in people.attributes:
                raise KeyError(f"the table has no column {name!r}, which the release has; give one with its columns")
            codes = people.attributes[name].recode_to(attribute)[people.codes(name)]
            inside &= np.append(mask, False)[codes]
        return inside


def least_box(release: Release, control: Table | None = None) -> Box:
    """The box of the least weight by the published margins; weighed by the control where there is one."""
    first = first_places(release.groups, release.n_groups)
    weights = np.ones(release.n_groups)
    for name in release.quasi:
        column = release.columns[name]
        shares = shares_of_sets(column.sets, published_shares(release, name, count_missing=True))
        weights *= shares[column.index[first]]
    chosen = int(np.argmin(weights))
    if listening():
        _tell_boxes(release, weights, chosen)
    columns = {name: release.columns[name] for name in release.quasi}
    allowed = {name: (each.attribute, each.sets.mask(each.index[first[chosen]])) for name, each in columns.items()}
    shown = {name: each.sets.labels[each.index[first[chosen]]] for name, each in columns.items()}
    rows, weight = int(release.group_sizes[chosen]), min(float(weights[chosen]), 1.0)
    info = {"box": shown, "rows of the class": rows}
    if control is None or not len(control):
        return Box(allowed, rows, weight, info | {"weight by": "the product of the published margins"})
    hits = int(Box(allowed, rows, nan).holds(control).sum())
    most = wilson(hits, len(control))[1] / rows
    told = {"weight by": "the control", "in the control": hits, "weight at most (95 %)": most}
    return Box(allowed, rows, hits / len(control), info | told)


def trivial_rate(n: int, weight: float) -> float:
    """How often a random predicate of this weight holds for exactly one of n rows.

    >>> round(trivial_rate(1000, 1 / 1000), 4), round(trivial_rate(1000, 1e-6), 6)
    (0.3681, 0.000999)
    """
    return float(n * weight * (1 - weight) ** (n - 1)) if n else 0.0


def _tell_boxes(release: Release, weights: np.ndarray, chosen: int) -> None:
    """Note the published boxes, the lightest first, and the one that the attacker takes."""
    order = np.argsort(weights, kind="stable")[:MOST_CANDIDATES]
    places = first_places(release.groups, release.n_groups)[order]
    texts = zip(*(release.columns[name].texts()[places] for name in release.quasi), strict=True)
    index = pd.Index([one_line(", ".join(each)) for each in texts], name="box", dtype=object)
    boxes = pd.DataFrame({"weight": weights[order], "rows": release.group_sizes[order]}, index)
    sentence = (
        f"Of {pluralize(release.n_groups, 'box', 'boxes')} take the one that the fewest people of a population with "
        f"the published margins would be in: a share of {weights[chosen]:.2g}"
    )
    state = release.take(np.flatnonzero(release.groups == chosen))
    note("Take the lightest box", f"{sentence}.", state, boxes, [index[0]])


def _tell_predicates(
    box: Box, people: Table, inside: np.ndarray, satisfy: np.ndarray, seeds: range, light: bool
) -> None:
    """Note who is in the box, the first predicates that were drawn, and how many of all isolate somebody."""
    frame = people.frame[list(box.allowed)]
    within = frame[box.holds(people)]
    share = f"a random predicate lets one row in {box.rows} through"
    sentence = (
        f"In the box {'is' if len(inside) == 1 else 'are'} {pluralize(len(inside), 'row')} of the table; {share}."
    )
    note("Thin the box by random predicates", sentence, within)
    for seed, count in list(zip(seeds, satisfy, strict=True))[:TOLD]:
        passed = mixed(inside, seed) < 1 / box.rows
        lines = pd.DataFrame({"passes": passed}, index=within.index)
        said = "so it singles somebody out" if count == 1 else "so it singles nobody out"
        sentence = f"It holds for {pluralize(int(count), 'row')} in the box, {said}."
        note(f"Predicate {seed}", sentence, within[passed], lines, list(within.index[passed]) if count == 1 else ())
    tally = pd.Series(satisfy).value_counts().sort_index().rename("predicates").to_frame()
    tally.index.name = "rows that satisfy it"
    heavy = "" if light else "; none of them counts, for predicates of this weight isolate by luck"
    sentence = f"Of {len(satisfy):,} predicates {int((satisfy == 1).sum()):,} hold for exactly one row{heavy}."
    note("Count the predicates", sentence, tally.reset_index(), tally, [1] if 1 in tally.index else ())


# ---- random predicates on rows: seeded hashes of their content, the same in any table that holds the row ----------

GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def row_hashes(people: Table, rows: np.ndarray) -> np.ndarray:
    """A number of 64 bits for each of some rows, from the texts of all its cells; equal rows have equal numbers."""
    total = np.zeros(len(rows), dtype=np.uint64)
    for name in people.columns:
        codes, places = np.unique(people.codes(name)[rows], return_inverse=True)
        texts = np.array([people.attributes[name].labels[code] for code in codes], dtype=object)
        total = (total ^ pd.util.hash_array(texts, categorize=False)[places]) * GOLDEN
    return total


def mixed(hashes: np.ndarray, seed: int) -> np.ndarray:
    """The hashes with a seed stirred in, as numbers from 0 up to 1 (the last step of SplitMix64)."""
    value = hashes ^ (np.array([seed + 1], dtype=np.uint64) * GOLDEN)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (value ^ (value >> np.uint64(31))) / 2.0**64
