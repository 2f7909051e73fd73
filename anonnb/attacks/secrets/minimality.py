"""The minimality attack (Wong, Fu, Wang and Pei 2007): the attacker knows the algorithm and reasons backwards.

An algorithm that looks at the secrets blurs no more than it must; so tables on which it would have blurred differently
cannot be the original. Reading: the secrets of each class are dealt anew, and the worlds under which the method would
have published the same are the attacker's belief: region by region if the method can say how it divides one
(``region_worlds``), else whole tables. Rows that were withheld get secrets drawn from the published ones, because
nobody knows theirs. If somebody has several rows in a class, each of them counts for its share of the person. Somebody
who is not on the attacker's list is guessed from the rows that fit.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Protocol, cast
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from anonnb.attacks import register
from anonnb.attacks.matching.candidates import Candidates, check_columns, places_of
from anonnb.attacks.matching.secret_counts import likeliest
from anonnb.attacks.matching.step_texts import most_exposed, one_line
from anonnb.attacks.result import SecretResult
from anonnb.attacks.secrets.region_worlds import RegionWorlds, same_cells, shuffled, with_column, worlds_by_region
from anonnb.attacks.secrets.secret_attack import MISSING_SECRET, SecretAttack, people_result
from anonnb.core.arrays import group_ids
from anonnb.core.errors import Infeasible
from anonnb.core.parameters.compound import Optional
from anonnb.core.parameters.constraints import POSITIVE, SECONDS, SEED, SHARE, Name
from anonnb.core.parameters.declared import parameter
from anonnb.core.wording import pluralize
from anonnb.steps.recording import listening, note, silent
from anonnb.tables.release import Release
from anonnb.tables.table import Table

TOLD, MOST_LINES = 6, 12  # worlds that are shown one by one, and lines of them
FEWEST = 10  # worlds that must be tried before their shares mean anything
_WORLDS: WeakKeyDictionary[Release, dict[tuple, Learnt]] = WeakKeyDictionary()  # as long as somebody holds the release


@register
@dataclass(frozen=True)
class MinimalityAttack(SecretAttack):
    """Deal the secrets of each class anew, and keep the ways under which the method would have published the same.

    Parameters
    ----------
    column:
        The secret (by default every sensitive column, each by itself).
    worlds:
        How many ways to deal its secrets to try for each class (all of them, if there are no more), or how many whole
        tables.
    belief:
        The attacker is sure of a guess if its share of the kept worlds is at least this, and higher than the share in
        the class by more than chance (three standard errors).
    time_limit:
        Seconds after which no further whole table is tried (None: all are).
    missing:
        ``"ignore"``: a missing value is no secret; ``"value"``: it is one like any other.
    seed:
        Draws the worlds to try.

    Notes
    -----
    The attacker knows everybody's quasi-identifier, the release and its method. People with equal quasi-identifiers
    cannot be told apart. A method that can say how it divides a group of rows (``Method.divides``) is asked about each
    class by itself and then about the larger regions in which it refused a cut, which works at any size. Other methods
    run once per whole table: the larger the table, the rarer the worlds that fit, and if none does, the attack is
    refused. In ``targets``, *certain* marks guesses that hold in every way that is left of all ways of a class.
    ``info`` counts the worlds tried and kept (the ways for classes with a refused cut, or whole tables), these classes,
    and the larger regions with a refused cut.

    Examples
    --------
    >>> import pandas as pd
    >>> from anonnb.methods import Mondrian
    >>> from anonnb.privacy import LDiversity
    >>> frame = pd.DataFrame({"age": [40, 40, 60, 60, 60], "ill": ["HIV", "HIV", "flu", "cold", "gout"]})
    >>> table = Table(frame, quasi=["age"], sensitive="ill")
    >>> release = Mondrian(k=2, require=LDiversity(2)).anonymize(table)
    >>> MinimalityAttack().run(release).targets[["guess", "certain"]].values.tolist()[:2]
    [['HIV', True], ['HIV', True]]

    Guarantees
    ----------
    proved:
        A method that does not look at the secret keeps every world, so the attack learns no more than the classes say.
        A certain guess is right: the original is among the ways to deal the secrets of a class, all of these were
        tried, and the method would have cut the class under every other value.
    tested:
        All 1,024 originals of five people with four illnesses, two sets of ages, 2-diversity, (0.5, 2)-anonymity and
        0.4-closeness: no certain guess is wrong in any original of the same release. Beliefs about eight people agree
        with a list of all worlds.
    heuristic:
        Ways and worlds are random samples if there are more than tried, and a gain counts when it exceeds three
        standard errors. A refused cut that no sampled world explains is not used. A method that cannot be asked runs on
        whole tables; on a large one none may fit, which is refused.
    paper:
        R. Wong, A. Fu, K. Wang and J. Pei, Minimality attack in privacy preserving data publishing, 2007.
    """

    quick: ClassVar[bool] = False  # it runs the method again and again
    by_default: ClassVar[bool] = False
    strong: ClassVar = ({"worlds": 1000},)
    judged: ClassVar[frozenset[str]] = frozenset({"before", "after", "score"})

    column: str | None = parameter(Optional(Name()), default=None)
    worlds: int = parameter(POSITIVE, default=100)
    belief: float = parameter(SHARE, default=0.8)
    seed: int = parameter(SEED, default=0)
    time_limit: float | None = parameter(Optional(SECONDS), default=None)
    missing: str = parameter(MISSING_SECRET, default="value", kw_only=True)

    def _secrets(self, release: Release, people: Table, names: Sequence[str]) -> dict[str, SecretResult]:
        """Return a result for each secret; its targets have a line per row of the people, by the row of the table."""
        if release.method is None or release.rows is None:
            raise ValueError("the minimality attack needs a release that tells its method and its rows")
        if not len(release):
            raise ValueError("the release has no rows, so the minimality attack has nothing to reason from")
        for name in names:
            _check_published(release, name)
        own = np.full(len(people), -1)
        place = places_of(release.table, people)
        own[place[place >= 0]] = np.flatnonzero(place >= 0)
        listed = AttackersList(release, people)
        cases = Candidates(release, people, release.quasi, names, count_missing=self.missing == "value")
        return {name: self._on(cases.of(name), own, listed) for name in names}

    def _on(self, cases: Candidates, own: np.ndarray, listed: AttackersList) -> SecretResult:
        """Return the result for one secret: the likeliest value in the kept worlds is the guess."""
        release, people, secret = cases.release, cases.people, cases.secret
        table, groups, rows = release.table, release.secret_groups, listed.rows
        attribute = table.attributes[secret]
        plain = _shares(table.codes(secret)[rows], attribute.size, groups, listed.weights)
        learnt = self._learnt(release, rows, secret, plain)
        before, after = listed.mean(plain[groups]), listed.mean(learnt.shares)
        kept = np.where(listed.found, learnt.kept[listed.first], 1.0)
        guess, belief, sure = self._guesses(cases, before, after, kept[:, None])
        certain = (listed.mean(learnt.certain[:, None]) > 0)[:, 0] & (belief > 1 - 1e-12)
        if listening():
            _tell_beliefs(release, people, secret, (before, after, sure), learnt.info)
        truth = people.attributes[secret].recode_to(attribute)[people.codes(secret)]
        right = (cases.truth() >= 0) & (guess == cases.truth())
        order, everybody = np.argsort(own, kind="stable"), np.arange(len(people))
        told = [np.where(truth >= 0, part[everybody, truth], 0.0) for part in (before, after)]
        lines = {
            "row": own,
            "class": np.where(listed.found, groups[listed.first], -1),
            secret: np.array([*attribute.labels, ""], dtype=object)[truth],
            **{"before": told[0], "after": told[1], "guess": cases.named(guess), "belief": belief, "sure": sure},
            **{"certain": certain, "score": right * 1.0},
        }
        frame = pd.DataFrame(lines).iloc[order].reset_index(drop=True)
        gain = float((told[1] - told[0]).max(initial=0.0))
        info = {**learnt.info, "certain": int(certain.sum()), "largest gain": gain}
        figures = {"counted": cases.counted, "right": right, "belief": belief, "sure": sure}
        return people_result(self, people, secret, targets=frame, info=info, **figures)

    def _guesses(
        self, cases: Candidates, before: np.ndarray, after: np.ndarray, kept: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return everybody's likeliest value, how likely it is, and whether the attacker is sure of it.

        Whoever is not on the list, or has no secret in the kept worlds, is guessed from the published rows that fit.
        """
        attribute = cases.release.table.attributes[cases.secret]
        if attribute.missing and not cases.count_missing:
            after = after.copy()
            after[:, attribute.missing_code] = 0.0
        recode = attribute.recode_to(cases.release.columns[cases.secret].attribute)
        value, belief = likeliest(after, np.append(cases.shares, 0.0)[recode])
        everybody = np.arange(len(value))
        noise = 3 * np.sqrt(before * (1 - before) / kept)  # what shuffling alone may add
        enough = (after >= self.belief - 1e-12) & (kept >= min(FEWEST, self.worlds))
        sure = (enough & (after > before + noise + 1e-12))[everybody, value]
        known = after.any(axis=1)
        others, share = (part[cases.case] for part in cases.likeliest())
        return np.where(known, recode[value], others), np.where(known, belief, share), sure

    def _learnt(self, release: Release, rows: np.ndarray, secret: str, plain: np.ndarray) -> Learnt:
        """Return what the worlds teach; a control asks for the same once more."""
        known_before, key = _WORLDS.setdefault(release, {}), (self, secret)
        if key not in known_before or listening():
            known_before[key] = self._teach(release, rows, secret, plain)
        return known_before[key]

    def _teach(self, release: Release, rows: np.ndarray, secret: str, plain: np.ndarray) -> Learnt:
        """Return what the worlds teach: region by region, or by whole tables if the method cannot be asked."""
        worlds = worlds_by_region(release, release.table.take(rows), secret, plain, self.worlds, self.seed)
        if worlds is None:
            seen, kept, tried = self._worlds(release, rows, secret)
            info = {"worlds kept": kept, "worlds": tried}
            return Learnt(seen / kept, np.full(len(rows), float(kept)), np.zeros(len(rows), dtype=bool), info)
        if listening():
            _tell_classes(release, secret, worlds)
        kept, lost = (sum(map(len, ways.values())) for ways in (worlds.ways, worlds.ruled_out))
        info = {"worlds kept": kept, "worlds": kept + lost, "classes with a refused cut": len(worlds.members)}
        return Learnt(
            worlds.shares, worlds.worlds, worlds.certain, {**info, "regions with a refused cut": worlds.refused}
        )

    def _worlds(self, release: Release, rows: np.ndarray, secret: str) -> tuple[np.ndarray, int, int]:
        """Return how often each row has each secret in whole tables that fit, how many fit, and how many were tried."""
        table, truth = release.table, release.table.codes(secret)[rows]
        seen, kept, tried = np.zeros((len(rows), table.attributes[secret].size)), 0, 0
        rng, start = np.random.default_rng(self.seed), time.monotonic()
        while tried < self.worlds and (self.time_limit is None or time.monotonic() - start < self.time_limit):
            world = table.codes(secret).copy()
            world[release.suppressed] = rng.choice(np.sort(truth), len(release.suppressed))
            world[rows] = shuffled(truth, release.secret_groups, rng)
            fits = self._gives(release, table, secret, world)
            if listening() and tried < TOLD:
                _tell_world(release, secret, world, fits, tried + 1)
            if fits:
                seen[np.arange(len(rows)), world[rows]] += 1
                kept += 1
            tried += 1
        if tried < min(FEWEST, self.worlds):
            raise Infeasible(
                f"{release.method} ran on {tried} shuffled tables in {self.time_limit:g} s, too few to learn from; "
                "give a longer time_limit or a smaller table"
            )
        if not kept:
            again = self._gives(release, table, secret, table.codes(secret))
            raise Infeasible(
                f"none of {tried} shuffled tables gave this release; more worlds or a smaller table may have some"
                if again
                else f"rerunning {release.method} does not reproduce this release, so the attack has nothing to use"
            )
        return seen, kept, tried

    def _gives(self, release: Release, table: Table, secret: str, world: np.ndarray) -> bool:
        """Whether the method publishes the same cells when the secrets are those of a world."""
        try:
            with silent():  # the method has steps of its own
                found = cast(Rerunnable, release.method).anonymize(with_column(table, secret, world))
        except Infeasible:
            return False
        return same_cells(release, found)


class Learnt(NamedTuple):
    """The share of each value for each row, in how many random worlds, whether it is proved, and counts of worlds."""

    shares: np.ndarray
    kept: np.ndarray
    certain: np.ndarray
    info: dict[str, int]


class Rerunnable(Protocol):
    """A method that can be run again on other secrets."""

    def anonymize(self, table: Table) -> Release: ...


class AttackersList:
    """The published rows that each person may own: those of people with the same quasi-identifier.

    The attacker has a list of everybody behind the release. Somebody who is not on it has no row. ``weights`` are what
    the rows count for: one, or its share of a person who has several in a class.
    """

    def __init__(self, release: Release, people: Table):
        table, names = release.table, release.quasi
        check_columns(names, release, people)
        self.rows = np.arange(len(release)) if release.rows is None else release.rows
        ours = [table.codes(name)[self.rows] for name in names]
        theirs = [people.attributes[name].recode_to(table.attributes[name])[people.codes(name)] for name in names]
        keys = [np.concatenate(pair) + 1 for pair in zip(ours, theirs, strict=True)]
        ids, self._count = group_ids(keys, [table.attributes[name].size + 1 for name in names])
        self._row, self._person = ids[: len(release)], ids[len(release) :]
        self.weights = _parts_of_people(release)
        self._rows = np.bincount(self._row, self.weights, minlength=self._count)
        place = np.full(self._count, -1)
        place[self._row[::-1]] = np.arange(len(release))[::-1]
        self.found, self.first = self._rows[self._person] > 0, place[self._person]

    def mean(self, beliefs: np.ndarray) -> np.ndarray:
        """For each person the mean of what holds for the rows that may be theirs (rows × values); 0 without any."""
        total = np.zeros((self._count, beliefs.shape[1]))
        np.add.at(total, self._row, beliefs * self.weights[:, None])
        return (total / np.where(self._rows > 0, self._rows, 1.0)[:, None])[self._person]


def _check_published(release: Release, secret: str) -> None:
    """Refuse a release that hides or changes secrets: its classes do not tell which tables could be the original."""
    column, own = release.columns[secret], release.table.attributes[secret]
    if release.secrets is not None and release.secrets.column == secret:
        return
    codes = own.recode_to(column.attribute)[release.table.codes(secret)[release.rows]]
    if not (column.is_exact() and np.array_equal(column.sets.lo[column.index], codes)):
        raise ValueError(
            f"the release hides or changes values of {secret!r}; the minimality attack needs secrets as they are"
        )


def _parts_of_people(release: Release) -> np.ndarray:
    """What each published row counts for: 1, or 1 over the rows that its person has in the class."""
    if release.people is None:
        return np.ones(len(release))
    pair, count = group_ids([release.secret_groups, release.people])
    return 1.0 / np.bincount(pair, minlength=count)[pair]


def _shares(codes: np.ndarray, size: int, groups: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The share of each value in each group (groups × values), from what its rows count for."""
    counts = np.bincount(groups * np.int64(size) + codes, weights, minlength=size * (int(groups.max()) + 1))
    counts = counts.reshape(-1, size)
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-12)


def _tell_world(release: Release, secret: str, world: np.ndarray, fits: bool, number: int) -> None:
    """Note a table that could be the original, and what the method makes of it."""
    labels = np.array(release.table.attributes[secret].labels, dtype=object)
    published = labels[release.table.codes(secret)[release.rows]]
    order = np.argsort(release.secret_groups, kind="stable")[:MOST_LINES]
    lines = {"class": release.secret_groups, "published": published, "in this world": labels[world[release.rows]]}
    said = (
        "publishes the same cells again, so this table could be the original"
        if fits
        else "publishes something else, so this table is not the original"
    )
    sentence = f"Shuffle {one_line(secret)} within each class: from this table {type(release.method).__name__} {said}."
    note(f"World {number} is {'kept' if fits else 'ruled out'}", sentence, pd.DataFrame(lines).iloc[order])


def _tell_classes(release: Release, secret: str, worlds: RegionWorlds) -> None:
    """Record how many ways to deal its secrets each class with a refused cut has left, and some of those ways."""
    index, labels = pd.Index(list(worlds.members), name="class"), release.table.attributes[secret].labels
    counts = {"left": worlds.ways, "ruled out": worlds.ruled_out}
    frame = pd.DataFrame({name: [len(ways.get(group, ())) for group in index] for name, ways in counts.items()}, index)
    frame.insert(0, "rows", release.group_sizes[index])
    sentence = (
        f"{pluralize(len(frame), 'class', 'classes')} could have been cut but stayed whole because of "
        f"{one_line(secret)}. Deal its values anew within each class, and keep the ways that refuse the cut again"
    )
    note("Classes with a refused cut", f"{sentence}.", frame.reset_index(), frame)
    for group in index[:TOLD]:
        lines, others = release.table.frame[list(release.quasi)].iloc[worlds.members[group]], worlds.ruled_out[group]
        some = [("left", way) for way in worlds.ways.get(group, ())[:2]] + [("ruled out", way) for way in others[:2]]
        ways = {f"way {number}, {name}": [labels[code] for code in way] for number, (name, way) in enumerate(some, 1)}
        tried = int(frame.loc[group, "left"] + len(others))
        sentence = (
            f"The class stays whole under {frame.loc[group, 'left']:,} of {pluralize(tried, 'way')} to deal its values"
        )
        note(f"Deal the values of class {group}", f"{sentence}.", lines.assign(**ways).head(MOST_LINES))


def _tell_beliefs(
    release: Release, people: Table, secret: str, beliefs: tuple[np.ndarray, ...], worlds: dict[str, int]
) -> None:
    """Record how many worlds fit, and for those whose beliefs changed most what was believed before and is now."""
    (before, after, sure), kept, tried = beliefs, worlds["worlds kept"], worlds["worlds"]
    labels = np.array(release.table.attributes[secret].labels, dtype=object)
    gain = (after - before).max(axis=1, initial=0.0)
    shown, told = most_exposed(gain, MOST_LINES), most_exposed(gain)
    frame = pd.DataFrame({"largest gain of a belief": gain[shown]}, index=people.index[shown])
    sentence = (
        f"{kept:,} of {tried:,} worlds are left. The belief in a value is the share of them in which a person has it; "
        f"the attacker is sure about {int(sure.sum()):,} of {len(people):,} rows"
    )
    note("The worlds that are left", f"{sentence}.", frame, frame, list(people.index[told]))
    for place in told:
        values = pd.DataFrame({"before": before[place], "after": after[place]}, pd.Index(labels, name=secret))
        values = values[values.any(axis=1)].sort_values("after", ascending=False, kind="stable")
        claimed = list(values.index[:1]) if sure[place] else []
        why = "enough to be sure" if claimed else "not enough to be sure"
        sentence = (
            f"The value {one_line(values.index[0])} has a share of {values.iloc[0, 0]:.3g} in the class, but of "
            f"{values.iloc[0, 1]:.3g} in the worlds that are left: {why}"
        )
        title = f"{one_line(secret)} of person {one_line(people.index[place])}"
        note(title, f"{sentence}.", values.reset_index(), values, claimed)
