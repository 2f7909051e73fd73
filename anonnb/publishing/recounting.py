"""What a published file keeps of a privacy model, counted from the texts of its cells.

The definitions are those of the papers that the models name. The code is written a second time on purpose, so that a
mistake in the methods, the models or the writer shows. Every figure is the worst over all classes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.card import Claim
from anonnb.core.errors import Message, advice
from anonnb.files.text_table import TextTable

TOLERANCE = 1e-9  # a class exactly at a limit keeps it


class NotCountableError(Exception):
    """A file alone does not show this; the message says why."""


def classes_of(table: TextTable, names: Sequence[str]) -> tuple[np.ndarray, int]:
    """Number the classes, rows with the same texts in these columns; return each row's class and their count."""
    classes, count = np.zeros(table.rows, dtype=np.int64), min(table.rows, 1)
    for name in names:
        keys = classes * len(table.texts[name]) + table.numbers[name]
        classes, distinct = pd.factorize(keys)
        count = len(distinct)
    return classes, count


def members(classes: np.ndarray, count: int, people: tuple[np.ndarray, np.ndarray] | None) -> np.ndarray:
    """Count the people of each class; without ``people``, pairs of (row, person), every row is a person."""
    if people is None:
        return np.bincount(classes, minlength=count)
    row, person = people
    width = int(person.max(initial=0)) + 1
    pairs = pd.unique(classes[row] * np.int64(width) + person)
    return np.bincount(pairs // width, minlength=count)


def weight_fault(
    table: TextTable, name: str, classes: np.ndarray, groups: np.ndarray, held: np.ndarray, weights: np.ndarray, k: int
) -> str:
    """Say what is wrong with published weights, given the original ones, the groups that share one and their sizes."""
    try:
        shown = np.array([float(text or "nan") for text in table.texts[name]])[table.numbers[name]]
    except ValueError:
        return "a cell is no number"
    sums = np.bincount(classes, weights=weights)
    if not np.allclose(np.bincount(classes, weights=shown), sums, rtol=1e-6, atol=0):
        return "those of a class do not add up to the original ones"
    low, high = np.full(len(held), np.inf), np.zeros(len(held))
    np.minimum.at(low, groups, weights)
    np.maximum.at(high, groups, weights)
    wide = (held >= 2 * k) & (high > low * (1 + TOLERANCE))
    if wide.any():
        most = int(held[wide].max())
        return f"one mean stands for {most} people, and means of more than {2 * k - 1} shift totals and other estimates"
    return ""


def by_household(
    table: TextTable, name: str, classes: np.ndarray, people: tuple[np.ndarray, np.ndarray] | None, most: int = 1
) -> tuple[np.ndarray, int, tuple[np.ndarray, np.ndarray]]:
    """Divide the classes by what all rows of a household number show, and count numbers instead of people.

    Return each row's class, their count, and pairs of row and household: a number is one, and rows without a number are
    those of ``people`` or else, in each class, of households of ``most`` rows. Raise NotCountableError if the numbers
    are not one for each household of ``people``.
    """
    empty = np.array([text in ("", None) for text in table.texts[name]], dtype=bool)
    number, rows, known = table.numbers[name], np.arange(table.rows), len(table.texts[name])
    linked = ~empty[number]
    members: dict[int, list[int]] = {}
    for home, each in zip(number[linked].tolist(), classes[linked].tolist(), strict=True):
        members.setdefault(home, []).append(each)
    signatures = {home: tuple(sorted(each)) for home, each in members.items()}
    ids = {signature: place for place, signature in enumerate(dict.fromkeys(signatures.values()), start=1)}
    of_number = np.array([ids[signatures[home]] if home in signatures else 0 for home in range(known)], dtype=np.int64)
    divided, distinct = pd.factorize(classes * np.int64(len(ids) + 1) + of_number[number])
    if people is None:
        filled = pd.Series(rows).groupby(divided).cumcount().to_numpy() // most
        people = rows, pd.factorize(divided * table.rows + filled)[0]
        pairs = np.zeros((0, 2))
    else:
        pairs = np.unique(np.column_stack([number[people[0]], people[1]])[linked[people[0]]], axis=0)
    if any(len(np.unique(side)) < len(side) for side in pairs.T):
        raise NotCountableError(f"the numbers in {name!r} are not one for each household")
    row, person = people
    return divided, len(distinct), (row, np.where(linked[row], number[row], known + person))


def judge_households(name: str, claim: Claim, held: np.ndarray, at_most: np.ndarray) -> tuple[bool | None, str]:
    """Say whether the classes of :func:`by_household` hold k households, given the fewest and the most there can be."""
    k, small = claim.parameters["k"], int((at_most < claim.parameters["k"]).sum())
    if (held >= k).all():
        smallest = f"{int(held.min(initial=k)):,} households or more ({claim.text})"
        return True, f"every class, of people in households that read alike, holds {smallest}"
    if not small:
        sentence = "the file does not show which of the people without a household number live together"
        return None, f"{claim.text} is not recounted for {int((held < k).sum()):,} classes: {sentence}"
    problem = (
        f"{claim.text} is promised, but {name!r} shows who lives together, and {small:,} of {len(held):,} classes of "
        f"people in households that read alike hold fewer households, the smallest {int(at_most.min())}"
    )
    return False, Message(problem, advice("; use ", remedies.method("LinkedHouseholds"), tail=", or leave it out"))


@dataclass(frozen=True, eq=False)
class Secrets:
    """The texts of a sensitive column in each class: pairs of class and text with their counts.

    ``rank`` is the position of each text in the order of the values, None if they have no order. If the table names
    people, each counts once in a class and once for each text there, and ``several`` says that they may have several.
    """

    owner: np.ndarray
    value: np.ndarray
    count: np.ndarray
    sizes: np.ndarray
    whole: np.ndarray
    rank: np.ndarray | None = None
    several: bool = False

    @classmethod
    def of(
        cls,
        table: TextTable,
        name: str,
        classes: np.ndarray,
        count: int,
        order: Sequence[str] | None = None,
        people: tuple[np.ndarray, np.ndarray] | None = None,
        ignore_missing: bool = False,
        weights: np.ndarray | None = None,
    ) -> Secrets:
        """Count the texts of a column; ``order`` lists the values of an ordinal one, numbers and dates need none.

        ``people`` holds pairs of row and person; ``ignore_missing`` leaves out empty cells; ``weights`` of the rows
        count in place of people.
        """
        merged, texts = _alike(table.texts[name])
        values, rank = merged[table.numbers[name]], _ranks(texts, order)
        row, person = (np.arange(table.rows), None) if people is None else people
        if ignore_missing and "" in texts:
            known = values[row] != texts.index("")
            row, person = row[known], None if person is None else person[known]
        keys = classes[row] * np.int64(len(texts)) + values[row]
        if weights is not None:
            who, each = row if person is None else person, weights[row]
            pairs, place = np.unique(keys, return_inverse=True)
            times = _once(place, who, each, len(pairs))
            sizes, whole = _once(classes[row], who, each, count), _once(values[row], who, each, len(texts))
            return cls(*np.divmod(pairs, len(texts)), times, sizes, whole, rank, person is not None)
        if person is not None:  # each person once per class and text
            width = np.int64(person.max(initial=0) + 1)
            distinct, kind = np.unique(keys, return_inverse=True)
            keys = distinct[pd.unique(kind * width + person) // width]
            whole = np.bincount(pd.unique(values[row] * width + person) // width, minlength=len(texts))
            sizes = members(classes, count, (row, person))
        else:
            whole, sizes = np.bincount(values[row], minlength=len(texts)), np.bincount(classes[row], minlength=count)
        pairs, times = np.unique(keys, return_counts=True)
        return cls(*np.divmod(pairs, len(texts)), times, sizes, whole, rank, person is not None)

    @cached_property
    def share(self) -> np.ndarray:
        return self.count / self.sizes[self.owner]

    def _sum(self, values: np.ndarray) -> np.ndarray:
        return np.bincount(self.owner, weights=values, minlength=len(self.sizes))

    def _max(self, values: np.ndarray) -> np.ndarray:
        maximum = np.zeros(len(self.sizes), dtype=float)
        np.maximum.at(maximum, self.owner, values)
        return maximum

    # ---- one figure per class -----------------------------------------------------------------------------------

    def distinct(self) -> np.ndarray:
        """Different texts; 1 if all people of a class share one, whatever else they have."""
        texts = np.bincount(self.owner, minlength=len(self.sizes))
        return np.where(self._max(self.count) >= self.sizes, np.minimum(texts, 1), texts) if self.several else texts

    def some_known(self) -> Secrets:
        """Leave out the classes of which no text is known; they satisfy what is asked of texts."""
        known = np.flatnonzero(self.sizes)
        position = np.cumsum(self.sizes > 0) - 1
        return replace(self, owner=position[self.owner], sizes=self.sizes[known])

    def entropy_l(self) -> np.ndarray:
        """exp(−Σ q ln q)."""
        return np.exp(-self._sum(self.share * np.log(self.share)))

    def top_share(self) -> np.ndarray:
        """Share of the most frequent text."""
        return self._max(self.share)

    def recursive_c(self, l: int) -> np.ndarray:  # noqa: E741
        """r₁ / (r_l + … + r_m); infinite if a class has fewer than l texts."""
        order = np.lexsort((-self.count, self.owner))
        start = np.searchsorted(self.owner[order], np.arange(len(self.sizes)))
        rank = np.arange(len(order)) - start[self.owner[order]]
        tail = self._sum(np.where(rank >= l - 1, self.count[order], 0))
        with np.errstate(divide="ignore"):
            return self._max(self.count) / tail

    def _rise(self) -> np.ndarray:
        """(q − p) / p of each pair."""
        part = self.whole[self.value] / self.whole.sum()
        return (self.share - part) / part

    def beta(self, enhanced: bool) -> np.ndarray:
        """The largest relative rise of a share; infinite if it is above what ``enhanced`` allows."""
        rise = self._rise()
        if enhanced:
            limit = -np.log(self.whole[self.value] / self.whole.sum())
            rise = np.where(rise > limit + TOLERANCE, np.inf, rise)
        return self._max(np.maximum(rise, 0))

    def delta(self) -> np.ndarray:
        """The largest |ln(q / p)|; infinite if a class lacks a text that occurs."""
        change = self._max(np.abs(np.log1p(self._rise())))
        return np.where(self.distinct() < np.count_nonzero(self.whole), np.inf, change)

    def equal_distance(self) -> np.ndarray:
        """½ Σ |q − p| against all published rows."""
        return self._sum(np.maximum(self.share - self.whole[self.value] / self.whole.sum(), 0))

    def ordered_distance(self) -> np.ndarray:
        """Σ |Q − P| / (m − 1) over the cumulative distributions of the m values in their order.

        A value that a class lacks moves P only: between two values of the class P is summed over a stretch on which Q
        is constant, below it and above it apart.
        """
        if self.rank is None:
            raise NotCountableError("its cells are sets of values, which have no order")
        occurring = np.flatnonzero(self.whole)
        m = len(occurring)
        if m < 2:
            return np.zeros(len(self.sizes))
        order = occurring[np.argsort(self.rank[occurring], kind="stable")]
        position = np.empty(len(self.whole), dtype=np.int64)
        position[order] = np.arange(m)
        below = np.cumsum(self.whole[order]) / self.whole.sum()  # P
        sums = np.concatenate([[0.0], np.cumsum(below)])
        pairs = np.lexsort((position[self.value], self.owner))
        owner, here = self.owner[pairs], position[self.value][pairs]
        first = np.flatnonzero(np.diff(owner, prepend=-1))
        running = np.cumsum(self.share[pairs])
        level = running - np.repeat(running[first] - self.share[pairs][first], np.diff([*first, len(owner)]))  # Q
        end = np.append(here[1:], m)
        end[np.append(first[1:], len(owner)) - 1] = m
        cross = np.clip(np.searchsorted(below, level), here, end)  # where P passes Q
        far = level * (cross - here) - (sums[cross] - sums[here]) + (sums[end] - sums[cross]) - level * (end - cross)
        far[first] += sums[here[first]]  # before the first value of a class Q is 0
        return np.bincount(owner, weights=far, minlength=len(self.sizes)) / (m - 1)


def _once(keys: np.ndarray, who: np.ndarray, weights: np.ndarray, count: int) -> np.ndarray:
    """Add up weights by key, everybody's once for each key."""
    pairs = pd.DataFrame({"key": keys, "who": who, "weight": weights}).drop_duplicates(["key", "who"])
    return np.bincount(pairs["key"], weights=pairs["weight"], minlength=count)


def _alike(texts: Sequence[str | None]) -> tuple[np.ndarray, list[str]]:
    """Merge missing and empty cells, which say the same about a person."""
    book: dict[str, int] = {}
    numbers = [book.setdefault(text or "", len(book)) for text in texts]
    return np.asarray(numbers, dtype=np.int64), list(book)


def _ranks(texts: list[str], order: Sequence[str] | None) -> np.ndarray | None:
    """Return the position of each text in the order, a missing one last; None if some text has none."""
    if order is not None:
        known = {text: position for position, text in enumerate(order)} | {"": len(order)}
        ranks = [known.get(text) for text in texts]
        return None if None in ranks else np.array(ranks, dtype=float)
    try:
        return np.array([float(text) if text else np.inf for text in texts])
    except ValueError:
        pass
    dates = pd.to_datetime(pd.Series(texts, dtype="str").replace("", None), format="ISO8601", errors="coerce")
    if (dates.isna() & (np.array(texts) != "")).any():
        return None
    return dates.rank().fillna(np.inf).to_numpy()


# ---- models --------------------------------------------------------------------------------------------------------


def worst(model: str, parameters: Mapping[str, Any], secrets: Secrets, nominal: bool) -> tuple[float, bool]:
    """Return the figure that a model limits, in the worst class, and whether it keeps the limit."""
    if model not in _WORST:
        raise NotCountableError("it is judged by more than the file shows")
    secrets = secrets.some_known()
    if not len(secrets.sizes):
        return float("nan"), True
    counted = model == "AlphaK" or (model == "LDiversity" and parameters.get("kind") in ("distinct", "frequency"))
    if secrets.several and not counted:
        raise NotCountableError("people may have several values, whose distribution a file does not show")
    return _WORST[model](parameters, secrets, nominal)


def _l_diversity(given: Mapping[str, Any], secrets: Secrets, nominal: bool) -> tuple[float, bool]:
    l, kind = given["l"], given.get("kind", "distinct")  # noqa: E741
    if kind == "recursive":
        c = float(secrets.recursive_c(int(l)).max())
        return c, c < given["c"] - TOLERANCE
    if kind == "frequency":
        minimum = float(1 / secrets.top_share().max())
        return minimum, minimum > l + TOLERANCE
    minimum = float((secrets.entropy_l() if kind == "entropy" else secrets.distinct()).min())
    return minimum, minimum >= l - TOLERANCE * max(1, l)


def _t_closeness(given: Mapping[str, Any], secrets: Secrets, nominal: bool) -> tuple[float, bool]:
    distance = given.get("distance") or ("equal" if nominal else "ordered")
    if distance == "hierarchical":
        raise NotCountableError("its distance follows a hierarchy, which the file does not show")
    far = secrets.equal_distance() if distance == "equal" else secrets.ordered_distance()
    return float(far.max()), float(far.max()) <= given["t"] + TOLERANCE


def _alpha_k(given: Mapping[str, Any], secrets: Secrets, nominal: bool) -> tuple[float, bool]:
    share = float(secrets.top_share().max())
    return share, share <= given["alpha"] + TOLERANCE


def _beta_likeness(given: Mapping[str, Any], secrets: Secrets, nominal: bool) -> tuple[float, bool]:
    rise = float(secrets.beta(given.get("kind", "basic") == "enhanced").max())
    return rise, rise <= given["beta"] + TOLERANCE


def _delta_disclosure(given: Mapping[str, Any], secrets: Secrets, nominal: bool) -> tuple[float, bool]:
    change = float(secrets.delta().max())
    return change, change < given["delta"] - TOLERANCE


_WORST = {
    "LDiversity": _l_diversity,
    "TCloseness": _t_closeness,
    "AlphaK": _alpha_k,
    "BetaLikeness": _beta_likeness,
    "DeltaDisclosure": _delta_disclosure,
}


def population_per_class(classes: np.ndarray, count: int, weights: np.ndarray | None, people: Any) -> np.ndarray:
    """Add up the weights of each class, everybody's once; ``people`` holds pairs of (row, person), or is None."""
    if weights is None:
        raise NotCountableError("the file does not show the original survey weights")
    row, who = (np.arange(len(classes)),) * 2 if people is None else people
    return _once(classes[row], who, weights[row], count)


POPULATION = "PopulationCount"
RISKS = ("HighestRisk", "AverageRisk", "RecordsAtRisk", "PopulationUniqueness", POPULATION)


def worst_risk(model: str, given: Mapping[str, Any], people: np.ndarray) -> tuple[float, bool]:
    """Return the figure that a model of risk limits, from the people of each class, and whether it keeps the limit."""
    if not len(people):
        return 0.0, True
    if model == POPULATION:
        return float(people.min()), bool(people.min() >= given["count"] * (1 - TOLERANCE))
    everybody, limit = people.sum(), given["limit"]
    if model == "HighestRisk":
        figure = 1 / people.min()
    elif model == "AverageRisk":
        figure = (people * (1 / people)).sum() / everybody
    elif model == "RecordsAtRisk":
        figure, limit = people[1 / people > limit + TOLERANCE].sum() / everybody, given["share"]
    elif (people == 1).any():
        raise NotCountableError("who is unique in the population is an estimate by a model")
    else:
        figure = 0.0
    return float(figure), float(figure) <= limit + TOLERANCE
