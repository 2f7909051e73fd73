"""The deFinetti attack (Kifer 2009): learn from the groups themselves which quasi-identifiers go with which secret.

A group tells its secrets, not who has which. Deal them out evenly, count which values go with which secret, deal again
by these counts (naive Bayes), and so on. Reading: the attacker has a list of those in the release with their
quasi-identifiers (in Anatomy, the rows themselves). Boxes that share somebody on the list are taken as one group, in
which a secret weighs as many rows as fit the person, each counted by how likely it is theirs. Whoever is not on the
list is guessed by what was learnt, from the rows that fit or, if none does, from the nearest ones.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from anonnb.attacks import register
from anonnb.attacks.matching.candidates import Candidates, known_columns, secret_columns
from anonnb.attacks.matching.likely_candidates import NarrowCandidates
from anonnb.attacks.matching.nearest import shows_single_values
from anonnb.attacks.matching.secret_counts import in_shares, likeliest
from anonnb.attacks.matching.step_texts import one_line, tell_secrets
from anonnb.attacks.result import SecretResult
from anonnb.attacks.secrets.assignments import Crowd, together
from anonnb.attacks.secrets.homogeneity import HomogeneityAttack
from anonnb.attacks.secrets.secret_attack import candidates_result
from anonnb.attacks.secrets.skewness import believed
from anonnb.core.arrays import first_places, group_ids
from anonnb.core.parameters.constraints import POSITIVE, SHARE
from anonnb.core.parameters.declared import parameter
from anonnb.steps.recording import listening, note
from anonnb.tables.grouped_secrets import GroupedSecrets
from anonnb.tables.release import Release

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MAX_PAIRS = 10_000_000  # of a person and a value, about 1.5 GB
TOLERANCE = 1e-6  # change of a probability below which nothing more is learnt
_LEARNT: WeakKeyDictionary[Release, dict[tuple, tuple]] = WeakKeyDictionary()  # as long as somebody holds the release


@register
@dataclass(frozen=True)
class DeFinettiAttack(HomogeneityAttack):
    """Guess everybody's secret by what the groups together say about people like them.

    Parameters
    ----------
    known:
        The columns that the attacker's list has (the whole quasi-identifier by default).
    column:
        The secret (by default every sensitive column, each by itself).
    belief:
        The attacker is sure of a guess if it is believed in at least this much, and more than its share of the release.
    max_rounds:
        How often secrets are dealt out anew at most; fewer if no probability changes by more than 0.000001.
    missing:
        With ``"ignore"`` nobody is guessed to have a missing secret, and whoever has one is no attempt; with
        ``"value"`` it is a secret like any other.

    Notes
    -----
    The guess is the likeliest secret, and of equally likely ones the most common. The control shows how much of the
    success is knowledge about the population.

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.methods import Mondrian
    >>> table = anonnb.load("survey")
    >>> found = DeFinettiAttack().run(Mondrian(k=9).anonymize(table), table)
    >>> found.success > found.baseline
    True

    Guarantees
    ----------
    proved:
        In groups of up to six people, and as many rows, the beliefs are those of all assignments of the group's
        secrets, given what was learnt.
    tested:
        30 groups of two, round by round and at the fixed point; 60 random releases of 2 to 9 rows, where every guess is
        that of dealing in every order; larger groups against their sums.
    heuristic:
        Columns count as independent given the secret (naive Bayes), and one is added to every count, which makes rare
        secrets likelier for people with rare values. In groups of more than six people beliefs come from scaling to the
        group's sums. Boxes that overlap are one group, which tells less than there is to learn.
    paper:
        D. Kifer, Attacks on privacy and deFinetti's theorem, SIGMOD 2009.
    """

    rows_in_minutes: ClassVar[float] = 100_000
    place: ClassVar[int] = 5

    belief: float = parameter(SHARE, default=0.8, kw_only=True)
    max_rounds: int = parameter(POSITIVE, default=200, kw_only=True)

    def rounds(self, release: Release) -> Iterator[Round]:
        """Learn from a release, and give what is believed in each round and by which likelihoods; for one secret.

        >>> import anonnb
        >>> from anonnb.methods import Mondrian
        >>> release = Mondrian(k=9).anonymize(anonnb.load("survey"))
        >>> next(DeFinettiAttack().rounds(release)).likelihoods.shape
        (8, 2)
        """
        known, secret = known_columns(self.known, release, release.table), secret_columns(self.column, release)[0]
        return Learner(release, known, secret, self.weights).rounds(self.max_rounds)

    def _on(self, cases: Candidates) -> SecretResult:
        """Return the result for one secret."""
        learner, last = self._learnt(cases)
        attribute = cases.release.columns[cases.secret].attribute
        ignored = attribute.missing_code if self.missing == "ignore" else -1
        value, best = np.zeros(cases.n_cases, dtype=np.int64), np.zeros(cases.n_cases)
        parts = []
        for some, belief in _beliefs(cases, learner, last):
            belief.data[belief.indices == ignored] = 0.0
            value[some], best[some] = likeliest(belief, cases.shares, tie=1e-9)
            parts += [(some, belief.toarray())] if listening() else []
        sure = believed(best, np.append(cases.shares, 0.0)[value], self.belief)
        if parts and attribute.size:
            order, beliefs = (np.concatenate(part) for part in zip(*parts, strict=True))
            _tell(cases, beliefs[np.argsort(order)], value, sure)
        info: dict[str, Any] = {"rounds": last.number if last else 0, "groups": learner.crowd.n_groups}
        return candidates_result(self, cases, value, best, sure, dict, **info)

    def _learnt(self, cases: Candidates) -> tuple[Learner, Round | None]:
        """What a release teaches: the learner and its last round; a control asks for the same once more."""
        known_before = _LEARNT.setdefault(cases.release, {})
        key = (*cases.known, cases.secret, self.max_rounds, self.weights)
        if key not in known_before or listening():
            learner = Learner(cases.release, cases.known, cases.secret, self.weights)
            rounds = learner.rounds(self.max_rounds)
            known_before[key] = learner, next(iter(deque(_told(rounds) if listening() else rounds, maxlen=1)), None)
        return known_before[key]


def _told(rounds: Iterator[Round]) -> Iterator[Round]:
    """The rounds, of which the first ones, then ever fewer, and the last are noted."""
    learnt = None
    for learnt in rounds:
        if learnt.number & (learnt.number - 1) == 0:
            learnt.tell()
        yield learnt
    if learnt is not None and learnt.number & (learnt.number - 1):
        learnt.tell()


def _tell(cases: Candidates, belief: np.ndarray, value: np.ndarray, sure: np.ndarray) -> None:
    """Record for those about whom most was learnt what the rows say and what is believed."""
    every = np.arange(cases.n_cases)
    share = (cases.values / np.maximum(cases.values.sum(axis=1, keepdims=True), 1e-12))[every, value]
    guessed = belief[every, value]

    def reason(case: int) -> str:
        guess = one_line(cases.labels()[value[case]])
        return (
            f"The value {guess} has a share of {share[case]:.3g} in the rows that fit; with what was learned, its "
            f"probability is {guessed[case]:.3g}, and no other value has a higher one, so the attacker guesses it"
            f"{' and is sure' if sure[case] else ''}"
        )

    # people with a single value are no news: those about whom something was learnt come first
    gain = np.where(guessed > 0, np.maximum(guessed - share, 1e-9), 0.0)
    tell_secrets(cases, ("belief gained", gain), lambda case: value[[case]], reason, {"belief": belief})


class Learner:
    """Learns from a release and the list of those in it how often values go with each secret.

    ``codes`` holds the known values of each kind of people on the list, by column, and ``crowd`` their groups.
    ``columns`` holds the pairs of values and secrets about which something is learnt.
    """

    def __init__(self, release: Release, known: Sequence[str], secret: str, weights: str = "equal"):
        self.secret = release.columns[secret].attribute  # it may have values that the table does not
        self.attributes = {name: release.table.attributes[name] for name in known}
        cells = [(release.columns[name].sets, release.columns[name].index) for name in known]
        exact = all(((sets.lo == sets.hi) & (sets.lo >= 0))[index].all() for sets, index in cells)
        if exact and release.secrets is not None and release.secrets.column == secret:
            self._read_rows(release, release.secrets, known)
        else:
            self._read_list(release, known, secret, weights)
        self.columns = {
            name: ColumnPairs(codes, self.crowd, self.attributes[name].size) for name, codes in self.codes.items()
        }

    def _read_rows(self, release: Release, secrets: GroupedSecrets, known: Sequence[str]) -> None:
        """Where quasi-identifiers are published as they are, the rows are the list, and tell who is in which group."""
        from scipy.sparse import csr_array

        cells = {name: release.columns[name] for name in known}
        codes = {name: column.sets.lo[column.index] for name, column in cells.items()}
        kind, count = group_ids([*codes.values(), secrets.group])
        first = first_places(kind, count)
        self.codes = {name: column[first] for name, column in codes.items()}
        shape, group = (secrets.n_groups, self.secret.size), secrets.group[first]
        counts = csr_array((secrets.count.astype(np.float64), (secrets.owner, secrets.value)), shape=shape)
        self.crowd = Crowd(group, np.bincount(kind, minlength=count), counts[group], counts)

    def _read_list(self, release: Release, known: Sequence[str], secret: str, weights: str) -> None:
        """Elsewhere the list is that of the people behind the release; who fits which rows tells the groups."""
        on_list = np.arange(len(release.table)) if release.rows is None else np.unique(release.owners[1])
        people = release.table.take(on_list)
        cases = Candidates(release, people, known, [secret], count_missing=True).of(secret)
        cases = NarrowCandidates(cases) if weights == "likely" and not shows_single_values(release, known) else cases
        pairs = cases.left()[0]
        if pairs.sum() > MAX_PAIRS:
            raise ValueError(
                f"{int(pairs.sum()):,} pairs of a person and a possible value of {secret!r} are more than the "
                f"{MAX_PAIRS:,} that the deFinetti attack weighs; attack a secret with fewer values, or bin this one"
            )
        group, counts = together(cases)
        fit = np.flatnonzero(pairs)
        self.codes = {name: people.codes(name)[cases.first_person[fit]] for name in known}
        self.crowd = Crowd(group[fit], cases.people_per_case[fit], cases.weighted_counts()[fit], counts)

    def rounds(self, limit: int) -> Iterator[Round]:
        """Deal out the secrets, count, and deal again, until nothing changes."""
        crowd, columns = self.crowd, self.columns
        if not len(crowd.kind):
            return
        likelihood = {name: column.equal() for name, column in columns.items()}
        for number in range(1, limit + 1):
            logs = (np.log(likelihood[name].of_pairs)[column.number] for name, column in columns.items())
            belief, off = crowd.beliefs(sum(logs))
            people = belief * crowd.people[crowd.kind]
            learnt = {name: column.smoothed(people) for name, column in columns.items()}
            yield Round(self, number, belief, likelihood, learnt)
            change = max(column.change(likelihood[name], learnt[name]) for name, column in columns.items())
            if max(off, change) <= TOLERANCE:
                return
            likelihood = learnt


class Likelihoods(NamedTuple):
    """How likely values of a column are given a secret: in each pair that is possible, and elsewhere, by secret."""

    of_pairs: np.ndarray
    elsewhere: np.ndarray


class ColumnPairs:
    """The pairs of a value and a secret that somebody on the list may have, in one column.

    All other values are equally likely given a secret. They are not spelled out, so that a round takes the time of the
    list and not that of values times secrets. ``number`` is the pair of each kind of people and secret in the crowd.
    """

    def __init__(self, codes: np.ndarray, crowd: Crowd, size: int):
        self._size, self._n_secrets = size, crowd.n_secrets
        keys = codes[crowd.kind].astype(np.int64) * crowd.n_secrets + crowd.secret
        self._pairs, self.number = np.unique(keys, return_inverse=True)
        self._value, self._secret = np.divmod(self._pairs, self._n_secrets)
        self._order = np.argsort(self._secret, kind="stable")
        value, secret = self._value[self._order], self._secret[self._order]
        each = np.bincount(secret, minlength=self._n_secrets)
        last = np.cumsum(each)[each > 0] - 1
        before = np.concatenate([[-1], value])[:-1]
        before[last[:-1] + 1] = -1
        after = np.full(self._n_secrets, size)
        after[each > 0] -= value[last] + 1
        # every other value counts one; all are added in the order of the domain, so that rounding is as without pairs
        self._terms = np.concatenate([np.repeat(value - before - 1.0, 2), after])
        self._owner = np.concatenate([np.repeat(secret, 2), np.arange(self._n_secrets)])
        self._some_elsewhere = each < size

    def equal(self) -> Likelihoods:
        """All values are equally likely."""
        return Likelihoods(*(np.full(count, 1 / self._size) for count in (len(self._value), self._n_secrets)))

    def smoothed(self, people: np.ndarray) -> Likelihoods:
        """How likely each value is given each secret: the people expected in a pair, and one more."""
        counts = np.bincount(self.number, weights=people, minlength=len(self._value)) + 1
        terms = self._terms.copy()
        terms[1 : 2 * len(counts) : 2] = counts[self._order]
        sums = np.bincount(self._owner, weights=terms)
        return Likelihoods(counts / sums[self._secret], 1 / sums)

    def change(self, one: Likelihoods, other: Likelihoods) -> float:
        """The largest difference of a likelihood."""
        elsewhere = np.abs(one.elsewhere - other.elsewhere)[self._some_elsewhere].max(initial=0.0)
        return max(float(np.abs(one.of_pairs - other.of_pairs).max()), float(elsewhere))

    def of(self, likelihoods: Likelihoods, codes: np.ndarray, secrets: np.ndarray) -> np.ndarray:
        """The likelihoods of values given secrets, for arrays of both."""
        keys = codes * np.int64(self._n_secrets) + secrets
        place = np.minimum(np.searchsorted(self._pairs, keys), len(self._pairs) - 1)
        return np.where(self._pairs[place] == keys, likelihoods.of_pairs[place], likelihoods.elsewhere[secrets])

    def rows(self, likelihoods: Likelihoods) -> np.ndarray:
        """The likelihoods of all values given every secret: values × secrets."""
        return self.of(likelihoods, np.arange(self._size)[:, None], np.arange(self._n_secrets))


@dataclass(frozen=True, eq=False)
class Round:
    """A round of learning: the likelihoods that it begins with, the beliefs that follow, and what is counted then."""

    learner: Learner
    number: int
    belief: np.ndarray
    likelihood: Mapping[str, Likelihoods]
    learnt: Mapping[str, Likelihoods]

    def tell(self) -> None:
        """Note which values say most about a secret by now, and what is believed of the people on the list."""
        columns = self.learner.columns
        change = max(columns[name].change(self.likelihood[name], self.learnt[name]) for name in columns)
        start = "Every assignment of a group's secrets to its people weighs the same"
        if self.number > 1:
            start = "Weigh every assignment by the latest count of which values go with which secret"
        end = f"a probability by up to {change:.2g}" if change > TOLERANCE else "no probability any more"
        sentence = f"{start}. Counting the beliefs changes {end}"

        def candidates() -> pd.DataFrame:
            labels = [f"{name} = {each}" for name in self.learnt for each in self.learner.attributes[name].labels]
            parts = np.concatenate([columns[name].rows(part) for name, part in self.learnt.items()])
            order = np.argsort(-np.ptp(parts, axis=1), kind="stable")  # the values that differ most between secrets
            return pd.DataFrame(parts[order], np.array(labels, dtype=object)[order], self.learner.secret.labels)

        note(f"Round {self.number}", f"{sentence}.", lambda: self.kinds_of_beliefs().head(200), candidates)

    def kinds_of_beliefs(self) -> pd.DataFrame:
        """The beliefs, a line for all groups in which people with the same known values have the same ones."""
        beliefs = self.beliefs
        lines = pd.concat([beliefs.index.to_frame(index=False), beliefs.round(6).reset_index(drop=True)], axis=1)
        names, group = list(lines.columns), len(self.learner.codes)
        lines.columns = range(len(names))  # known columns and secrets may be called alike
        del lines[group]
        counted_lines = lines.value_counts(sort=False).reset_index()
        return counted_lines.set_axis([*names[:group], *names[group + 1 :], "groups"], axis=1)

    @property
    def beliefs(self) -> pd.DataFrame:
        """How likely each secret is for each kind of people on the list, by their known values and their group."""
        learner, crowd = self.learner, self.learner.crowd
        cells = np.zeros((len(crowd.group), learner.secret.size))
        cells[crowd.kind, crowd.secret] = self.belief
        labels = [
            np.array(learner.attributes[name].labels, dtype=object)[codes] for name, codes in learner.codes.items()
        ]
        index = pd.MultiIndex.from_arrays([*labels, crowd.group], names=[*learner.codes, "group"])
        return pd.DataFrame(cells, index, learner.secret.labels)

    @property
    def likelihoods(self) -> pd.DataFrame:
        """How likely each known value is given each secret, as the round begins."""
        labels = [(name, label) for name in self.likelihood for label in self.learner.attributes[name].labels]
        index = pd.MultiIndex.from_tuples(labels, names=["column", "value"])
        parts = [self.learner.columns[name].rows(part) for name, part in self.likelihood.items()]
        return pd.DataFrame(np.concatenate(parts), index, self.learner.secret.labels)


def _beliefs(cases: Candidates, learner: Learner, last: Round | None) -> Iterator[tuple[np.ndarray, csr_array]]:
    """Yield cases, and how likely each secret is in each of them (cases × secrets).

    Somebody who reads like people on the list is believed to be one of them. For others it is what was learnt, times
    how often the secret occurs among the rows that fit, or among the nearest rows if none fits.
    """
    from scipy.sparse import csr_array

    if last is None:
        yield from cases.beliefs()
        return
    codes = {}
    for name, attribute in learner.attributes.items():
        recoded = cases.people.attributes[name].recode_to(attribute)
        codes[name] = recoded[cases.people.codes(name)[cases.first_person]]
    crowd, size = learner.crowd, len(learner.crowd.group)
    keys = [np.concatenate([learner.codes[name], theirs]) + 1 for name, theirs in codes.items()]
    ids, count = group_ids(keys, [attribute.size + 1 for attribute in learner.attributes.values()])
    pairs = last.belief * crowd.people[crowd.kind], (ids[:size][crowd.kind], crowd.secret)
    sums = csr_array(pairs, shape=(count, crowd.n_secrets))
    on_list = np.isin(ids[size:], ids[:size])
    yield np.flatnonzero(on_list), in_shares(sums[ids[size:][on_list]])
    for some, belief in cases.beliefs(np.flatnonzero(~on_list)):
        line = np.repeat(some, np.diff(belief.indptr))
        for name, part in last.learnt.items():
            code = codes[name][line]
            likely = learner.columns[name].of(part, np.maximum(code, 0), belief.indices)
            belief.data *= np.where(code >= 0, likely, 1.0)
            belief = in_shares(belief)
        yield some, belief
