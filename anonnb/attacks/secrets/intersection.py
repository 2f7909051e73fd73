"""The intersection attack (Ganta, Kasiviswanathan and Smith 2008): several releases of overlapping people.

Each release leaves several secrets for a person; only those that both leave remain. A person has the same row in both,
so rows count in pairs that agree in every other single value that both releases show; the secret alone if no pair does.
Reading: if no row of the second release fits a person, or no value is left, the first one counts. Of several further
releases each is joined with the first one; the values that all leave remain, and how they change beliefs is multiplied.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from anonnb.attacks import register
from anonnb.attacks.matching.candidates import Candidates
from anonnb.attacks.matching.likely_candidates import StatedCandidates, weighted_candidates
from anonnb.attacks.matching.secret_counts import SecretCounts, likeliest
from anonnb.attacks.matching.step_texts import tell_rows
from anonnb.attacks.result import SecretResult
from anonnb.attacks.secrets.homogeneity import HomogeneityAttack, left_result, tell_what_is_left
from anonnb.core.arrays import group_ids
from anonnb.core.parameters.compound import Instance, Instances, OneOf, Optional
from anonnb.core.parameters.declared import parameter
from anonnb.steps.recording import listening
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

if TYPE_CHECKING:
    from scipy.sparse import csr_array


MAX_FITTING = 50_000_000  # pairs of a person and a row that fits, for rows to be told apart by their other values


@register
@dataclass(frozen=True)
class IntersectionAttack(HomogeneityAttack):
    """Combine a release with others about (some of) the same people; be sure if all of them leave one value only.

    Parameters
    ----------
    other:
        The second release, or several further ones; without it the attack is the homogeneity attack. People are found
        by the known columns that both releases have, and their rows in both by all other columns with single values.

    Notes
    -----
    ``info["alone"]`` is the success that the first release gives by itself, and ``info["sure alone"]`` counts the
    people about whom the attacker is sure without the others.

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.methods import Mondrian
    >>> table = anonnb.load("survey")
    >>> first, second = Mondrian(k=20).anonymize(table), Mondrian(k=12).anonymize(table)
    >>> both = IntersectionAttack(other=second).run(first, table)
    >>> both.sure >= both.info["sure alone"]
    True

    Guarantees
    ----------
    proved:
        If the person is in both releases with the same true values, the attacker is right whenever they are sure, and
        is sure about everybody about whom the first release alone makes them sure.
    tested:
        100 random pairs of releases of 2 to 9 rows: every guess is that of a plain join.
    heuristic:
        People are taken to be in both releases if some row of the second fits; for others it may exclude the true
        value. A row of the first release is taken to be in the second with probability 1/2 before that is seen.
    paper:
        S. Ganta, S. Kasiviswanathan and A. Smith, Composition attacks and auxiliary information in data privacy, 2008.
    """

    quick: ClassVar[bool] = False  # it needs a second release
    by_default: ClassVar[bool] = False

    other: Release | Sequence[Release] | None = parameter(
        Optional(OneOf(Instance(Release, "a Release"), Instances(Release, "Release"))), default=None
    )

    def _secrets(self, release: Release, people: Table, names: Sequence[str]) -> dict[str, SecretResult]:
        """Return a result for each secret; people whom rows of both releases fit are looked for in both."""
        first = self._candidates(release, people, names)
        seconds, count_missing = [], self.missing == "value"
        for other in self._others:
            for name in names:
                if name not in other.columns:
                    raise KeyError(f"the other release has no column {name!r}")
            shared = [name for name in first.known if name in other.columns]
            seconds.append(weighted_candidates(self.weights, other, people, shared, names, count_missing=count_missing))
        return {
            name: self._on_all(first.of(name), [list(_joins(first, second, name)) for second in seconds])
            for name in names
        }

    def _on_all(self, first: Candidates, joins: Sequence[Sequence[_Join]]) -> SecretResult:
        """Return the result for one secret, given the comparisons with each of the other releases."""
        alone = left_result(self, first, first.left(), *first.likeliest())
        info: dict[str, Any] = {"alone": alone.success, "sure alone": alone.sure}
        if not joins:
            if listening():
                tell_what_is_left(first, first.possible)
            return alone.replace(info={**alone.info, **info})
        found = []
        for some, beliefs in first.beliefs():
            left, likely = _all(first, joins, some, beliefs)
            found.append((*SecretCounts(left).left(), *likeliest(likely, first.shares)))
        if listening():
            _tell(first, joins)
        count, value, guess, belief = (np.concatenate(part) for part in zip(*found, strict=True))
        return left_result(self, first, (count, value), guess, belief, **info)

    def _releases(self, release: Release) -> Iterable[Release]:
        return [release, *self._others]

    @property
    def _others(self) -> Sequence[Release]:
        return [self.other] if isinstance(self.other, Release) else self.other or []


def _all(
    first: Candidates, joins: Sequence[Sequence[_Join]], some: np.ndarray, beliefs: csr_array
) -> tuple[csr_array, csr_array]:
    """Return for some cases what all releases leave, and beliefs."""
    left, likely = _both(first, joins[0], some, beliefs)
    before = beliefs.copy()
    before.data = 1 / np.maximum(before.data, np.finfo(float).tiny)
    for each in joins[1:]:
        also_left, weight = _both(first, each, some, beliefs)
        left = left * (also_left > 0)
        left.eliminate_zeros()
        both = likely * weight * before
        likely = _rows_of(both, likely, both.sum(axis=1) > 0)
    return left, likely


def _both(
    first: Candidates, joins: Sequence[_Join], some: np.ndarray, beliefs: csr_array
) -> tuple[csr_array, csr_array]:
    """Return for some cases what both releases leave, by the first comparison that leaves anything, and beliefs.

    Of people whom no row of the second release fits, it says nothing; if it leaves no value, the first one counts.
    """
    second = joins[-1].second
    left, likely = first.counts[some], beliefs
    fits = np.diff(second.counts.indptr)[second.case[first.first_person[some]]] > 0
    for join in reversed(joins):
        possible, weight = join.counts(some)
        both = fits & (weight.sum(axis=1) > 0)
        left, likely = _rows_of(possible, left, fits if join is joins[-1] else both), _rows_of(weight, likely, both)
    return left, likely


class _Join(NamedTuple):
    """Two releases whose rows are compared by keys: the key of each of their values, and the secret of each key."""

    first: Candidates
    second: Candidates
    keys: tuple[csr_array, csr_array]
    secrets: csr_array

    def counts(self, some: np.ndarray) -> tuple[csr_array, csr_array]:
        """Return for some cases the rows of each secret that both releases leave, and how likely each secret is.

        Of the candidates with a key, as many can be in both releases as the one that has fewer shows. The key may be
        there by chance, too; so rows whose key so many rows would show anyway count half at most.
        """
        from scipy.sparse import csr_array, diags_array, vstack

        cases = self.second.case[self.first.first_person[some]]
        sides = zip((self.first, self.second), (some, cases), self.keys, strict=True)
        mine, other = (
            diags_array(np.maximum(side.size[lines], 1.0)).tocsr()
            @ (vstack([part for _, part in side.beliefs(lines)], format="csr") @ keys)
            for side, lines, keys in sides
        )
        both, share = csr_array(mine.minimum(other)), np.minimum(self.second.shares @ self.keys[1], 1.0)
        rows = np.repeat(self.second.size[cases], np.diff(both.indptr))
        both.data /= 2 - (1 - share[both.indices]) ** np.maximum(rows, 1)
        return ((self.first.counts[some] @ self.keys[0]) * other) @ self.secrets, both @ self.secrets


def _joins(first: Candidates, second: Candidates, secret: str) -> Iterator[_Join]:
    """Yield comparisons by all single values that both releases show beside what is known, then by the secret alone."""
    from scipy.sparse import csr_array, eye_array

    columns = first.release.columns, second.release.columns
    ours, theirs = (each[secret].attribute for each in columns)
    recode, same = theirs.recode_to(ours), eye_array(ours.size, format="csr")
    shown = [name for name in columns[0] if name in columns[1] and name not in {*first.known, secret}]
    shown = [name for name in shown if all(each[name].is_exact() for each in columns)]
    stated = isinstance(first, StatedCandidates) or isinstance(second, StatedCandidates)
    if shown and not stated and first.size.sum() + second.size.sum() <= MAX_FITTING:
        sides = []
        group = np.split(group_ids([_codes(*columns, name) for name in shown])[0], [len(first.release)])
        for cases, ids, codes in ((first, group[0], np.arange(ours.size)), (second, group[1], recode)):
            index, says = cases.release.says(secret, cases.count_missing)
            rows = says[index].tocoo()
            sides.append((cases, rows.row, np.column_stack([ids[rows.row], codes[rows.col]]), rows.data))
        pairs, key = np.unique(np.concatenate([side[2] for side in sides]), axis=0, return_inverse=True)
        found = []
        for (cases, row, _, weight), number in zip(sides, np.split(key.ravel(), [len(sides[0][2])]), strict=True):
            kind, keyed = cases._matching.published.kind, copy(cases)
            keyed._says = {secret: csr_array((weight, (kind[row], number)), shape=(kind.max() + 1, len(pairs)))}
            found.append(keyed.of(secret))
        known = np.flatnonzero(pairs[:, 1] >= 0)
        secrets = csr_array((np.ones(len(known)), (known, pairs[known, 1])), shape=(len(pairs), ours.size))
        yield _Join(found[0], found[1], (eye_array(len(pairs), format="csr"),) * 2, secrets)
    known = np.flatnonzero(recode >= 0)
    names = csr_array((np.ones(len(known)), (known, recode[known])), shape=(theirs.size, ours.size))
    yield _Join(first.of(secret), second.of(secret), (same, names), same)


def _codes(first: Mapping[str, Column], second: Mapping[str, Column], name: str) -> np.ndarray:
    """Return the single values of a column in two releases as codes, one after the other."""
    one, other = first[name], second[name]
    recode, size = other.attribute.recode_to(one.attribute), one.attribute.size
    new = np.where(recode >= 0, recode, size + np.arange(len(recode)))  # a value of the second release alone
    return np.concatenate([one.sets.lo[one.index], new[other.sets.lo[other.index]]])


def _rows_of(one: csr_array, other: csr_array, chosen: np.ndarray) -> csr_array:
    """Return the rows of one sparse array where they are chosen, and those of another elsewhere."""
    from scipy.sparse import vstack

    return vstack([one, other], format="csr")[np.arange(len(chosen)) + len(chosen) * ~chosen]


def _tell(first: Candidates, joins: Sequence[Sequence[_Join]]) -> None:
    """Record which rows of all releases fit the most exposed, and which values all leave."""

    def other_rows(case: int) -> None:
        for number, each in enumerate(joins, 2):
            which, second = "the second release" if len(joins) == 1 else f"release {number}", each[-1].second
            tell_rows(second, int(second.case[first.first_person[case]]), f" in {which}")

    left = _all(first, joins, np.arange(first.n_cases), first.counts)[0].toarray() > 0
    tell_what_is_left(first, left, "left by both" if len(joins) == 1 else "left by all", other_rows)
