"""Predicate singling out (Cohen and Nissim, Towards formalizing the GDPR's notion of singling out, PNAS 2020).

A class of k rows is a box that holds k people: a predicate that picks each of them with probability 1/k picks exactly
one in more than a third of all draws. Reading: the class is the one whose box is lightest by the product of the
published margins; the random predicate is a seeded hash of the whole row; the box's weight is its share of the control.
Predicates about single published rows, for releases that show single values, are those of ``attacks.predicates``.
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
from anonnb.attacks.predicates import FAMILIES, Family, people_column
from anonnb.attacks.result_kinds import IsolationResult
from anonnb.core.arrays import first_places
from anonnb.core.parameters.compound import Optional
from anonnb.core.parameters.constraints import POSITIVE, SEED, Choice
from anonnb.core.parameters.declared import parameter
from anonnb.core.wording import pluralize
from anonnb.steps.recording import MOST_CANDIDATES, listening, note
from anonnb.tables.release import Release
from anonnb.tables.table import Table

KINDS = ("box", *FAMILIES)
DRAWN, LONELIEST = 1000, 20  # predicates by default
BY_MARGINS, BY_CONTROL = "the product of the published margins", "the control"
TOLD = 5  # predicates that are shown one by one
NEGLIGIBLE = 10  # a predicate counts when its weight is at most 1 / (10 n)


@register
@dataclass(frozen=True)
class SinglingOutAttack(Attack):
    """Write predicates that hold for exactly one row of the original table, and for hardly anybody else.

    Parameters
    ----------
    predicates:
        ``"box"``: the lightest class, thinned at random. The others are about single published rows: ``"univariate"``
        and ``"multivariate"`` as in Anonymeter; ``"ball"``: what is nearer to a lonely row than half the way to the
        next one or, if the method states its noise, than its own person most likely is and nobody else; around a mean
        of several rows, half of a ball. The default fits the release: a box, unless the method changes values and shows
        single ones; then univariate if it keeps all margins and 20 values occur once, else a ball, or multivariate
        without numbers.
    attempts:
        How many to draw, by default 1,000 and, of balls, the 20 loneliest or likeliest; there may be fewer.
    seed:
        Where the random parts of the predicates begin.

    Notes
    -----
    The attacker sees the release only. They take the class whose box of quasi-identifiers has the least weight, which
    is the probability that somebody from the population is in it, and thin the box by a random predicate of weight 1/k
    for a class of k rows. A predicate isolates if exactly one row of ``table`` satisfies it; it counts only if its
    weight is at most 1/(10 n), because heavier ones isolate by luck. The ``baseline`` is the trivial attacker, who
    draws random predicates of the same weights without looking at the release. With a ``control`` the weight of a
    predicate is its share there; without one it is the product of the margins. ``info`` says which, and how many
    predicates isolate whatever they weigh; ``outside`` has the same for the control. For predicates about single rows
    the baseline is then the share that isolates somebody in the control, which should have about n people.

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.methods import Mondrian, NoiseAddition
    >>> result = SinglingOutAttack().run(Mondrian(k=5).anonymize(anonnb.load("adult").take(range(3000))))
    >>> result.right > 100 * result.baseline, result.info["weight by"]
    (True, 'the product of the published margins')
    >>> result = SinglingOutAttack().run(NoiseAddition().anonymize(anonnb.load("census")))
    >>> result.info["predicates"], result.info["isolated"], result.attempts
    ('ball', 20, 20)

    Guarantees
    ----------
    proved:
        A random predicate of weight 1/k holds for exactly one of k different rows with probability (1 - 1/k)^(k - 1),
        which falls from 1/2 at k = 2 towards 1/e. At weight w the trivial attacker isolates with probability n w (1 -
        w)^(n - 1).
    tested:
        Classes of 2, 5 and 10 different rows, 2,000 predicates each: the rate is within three standard errors of the
        formula. Rows drawn anew from the same population are isolated no more often than the trivial attacker does it.
        Balls and conjunctions: recounted on 20 random tables by comparing every pair of rows.
    heuristic:
        One class, or the loneliest rows, are attacked. The product of the margins takes columns for independent, so it
        is only a rough estimate of a weight; a control in which nobody satisfies a predicate says no more than that its
        weight is below a few in the size of the control.
    paper:
        A. Cohen and K. Nissim, Towards formalizing the GDPR's notion of singling out, PNAS 117(15), 2020; M. Giomi, F.
        Boenisch, C. Wehmeyer and B. Tasnádi, A unified framework for quantifying privacy risk in synthetic data, PoPETs
        2023.
    """

    kind: ClassVar[str] = "isolation"
    quick: ClassVar[bool] = False  # its targets are predicates, not people
    by_default: ClassVar[bool] = False
    strong: ClassVar = ({"predicates": "univariate"}, {"predicates": "multivariate"})
    judged: ClassVar[frozenset[str]] = frozenset({"rows that satisfy it", "score"})

    predicates: str | None = parameter(Optional(Choice(KINDS)), default=None)
    attempts: int | None = parameter(Optional(POSITIVE), default=None)
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
            People who are not in the release: they weigh the predicates.
        """
        self._check_reads(release)
        people = release.table if table is None else table
        if not len(release):
            return self._nothing("nothing was published")
        if control is not None:
            check_outsiders(control, [release])
        kind = self.predicates or fitting_kind(release)
        count = self.attempts or (LONELIEST if kind == "ball" else DRAWN)
        if kind == "box":
            box = least_box(release, control)
            results = [None if each is None else self._thinned(box, each, count) for each in (people, control)]
        else:
            family = FAMILIES[kind](release, count, self.seed)
            if not family.texts:
                return self._nothing(f"no {kind} predicate holds for exactly one published row")
            weights, baseline, info = _weighed(family, people, control, self.seed)
            if listening():
                _tell_family(kind, family, weights)
            judged = weights, baseline, {"predicates": kind, **info}
            results = [None if each is None else self._read_off(family, each, *judged) for each in (people, control)]
        assert results[0] is not None  # people are given
        return self._with_remark(release, results[0].replace(outside=results[1]))

    def _nothing(self, why: str) -> IsolationResult:
        empty = pd.DataFrame({"predicate": [], "rows that satisfy it": [], "score": []})
        return IsolationResult(self, 0, 0, empty, baseline=0.0, note=why)

    def _thinned(self, box: Box, people: Table, count: int) -> IsolationResult:
        """Count the random parts of a box that hold exactly one of these people."""
        inside = row_hashes(people, np.flatnonzero(box.holds(people)))
        seeds = range(self.seed, self.seed + count)
        satisfy = np.array([int((mixed(inside, seed) < 1 / box.rows).sum()) for seed in seeds])
        weight = box.weight / box.rows
        if listening():
            _tell_predicates(box, people, inside, satisfy, seeds, weight <= _heaviest(people))
        info, baseline = {"predicates": "box", **box.info}, trivial_rate(len(people), weight)
        return self._judged(people, list(seeds), satisfy, np.full(count, weight), baseline, info)

    def _read_off(
        self, family: Family, people: Table, weights: np.ndarray, baseline: float, info: dict[str, Any]
    ) -> IsolationResult:
        """Count the predicates about published rows that hold for exactly one of these people."""
        satisfy = np.array([len(rows) for rows in _rows(family, people, self.seed)])
        return self._judged(people, family.texts, satisfy, weights, baseline, info)

    def _judged(
        self,
        people: Table,
        names: list,
        satisfy: np.ndarray,
        weights: np.ndarray,
        baseline: float,
        info: dict[str, Any],
    ) -> IsolationResult:
        light = weights <= _heaviest(people)
        lines = {"predicate": names, "rows that satisfy it": satisfy, "weight": weights}
        targets = pd.DataFrame(lines | {"score": ((satisfy == 1) & light).astype(float)})
        heavy, weight = int((~light).sum()), f"weight of {weights.min():.2g}"
        note = f"{pluralize(heavy, 'predicate')} of more weight than 1/(10 n) may isolate by luck and cannot count"
        if heavy == len(names):
            note = f"a {weight} is more than 1/(10 n): predicates may isolate by luck, so none counts"
        told = {"weight": float(weights.mean()), **info, "isolated": int((satisfy == 1).sum())}
        right, note = int(targets["score"].sum()), note if heavy else ""
        return IsolationResult(self, len(names), right, targets, baseline=baseline, info=told, note=note)


def fitting_kind(release: Release) -> str:
    """Return the kind of predicates that fits a release: a box, or one for changed values that are shown singly."""
    columns, method = [release.columns[name] for name in release.quasi], release.method
    if getattr(method, "truthful", True) or not all(column.is_exact() for column in columns):
        return "box"
    if getattr(getattr(method, "promise", None), "keeps_margins", False):
        alone = sum(int((np.bincount(column.index) == 1).sum()) for column in columns)
        if alone >= LONELIEST:
            return "univariate"
    return "ball" if any(column.attribute.kind == "numeric" for column in columns) else "multivariate"


def _heaviest(people: Table) -> float:
    return 1 / (NEGLIGIBLE * max(len(people), 1))


def _rows(family: Family, people: Table, seed: int) -> list[np.ndarray]:
    """Return whom each predicate holds for; one about several equal rows is thinned like a box."""
    found = family.rows(people)
    for number, size in enumerate(family.sizes):
        if size > 1:
            rows = found[number]
            found[number] = rows[mixed(row_hashes(people, rows), seed + number) < 1 / size]
    return found


def _weighed(
    family: Family, people: Table, control: Table | None, seed: int
) -> tuple[np.ndarray, float, dict[str, Any]]:
    """Return the weight of each predicate, how often a trivial attacker with such weights isolates, and who says so."""
    if control is None or not len(control):
        weights = np.minimum(family.weights / family.sizes, 1.0)
        rates = [trivial_rate(len(people), weight) for weight in weights]
        return weights, float(np.mean(rates)), {"weight by": BY_MARGINS}
    hits = np.array([len(rows) for rows in _rows(family, control, seed)])
    return hits / len(control), float((hits == 1).mean()), {"weight by": BY_CONTROL, "in the control": int(hits.sum())}


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
            inside &= np.append(mask, False)[people_column(people, name).recode_to(attribute)[people.codes(name)]]
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
        return Box(allowed, rows, weight, info | {"weight by": BY_MARGINS})
    hits = int(Box(allowed, rows, nan).holds(control).sum())
    most = wilson(hits, len(control))[1] / rows
    told = {"weight by": BY_CONTROL, "in the control": hits, "weight at most (95 %)": most}
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
        f"Of {pluralize(release.n_groups, 'box', 'boxes')} take the one that would hold the smallest share of a "
        f"population with the published margins, {weights[chosen]:.2g}"
    )
    state = release.take(np.flatnonzero(release.groups == chosen))
    note("Take the lightest box", f"{sentence}.", state, boxes, [index[0]])


def _tell_family(kind: str, family: Family, weights: np.ndarray) -> None:
    """Record the predicates that were read off published rows, and what they weigh."""
    index = pd.Index([one_line(text) for text in family.texts[:MOST_CANDIDATES]], name="predicate", dtype=object)
    lines = {"published rows": family.sizes, "weight": weights}
    frame = pd.DataFrame({name: values[:MOST_CANDIDATES] for name, values in lines.items()}, index)
    sentence = f"{pluralize(len(family.texts), 'predicate')} of this kind, each about one published row"
    note(f"Read off {kind} predicates", f"{sentence}.", frame.reset_index(), frame)


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
        said = "so it isolates somebody" if count == 1 else "so it isolates nobody"
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
