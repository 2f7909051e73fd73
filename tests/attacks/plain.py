"""Attackers written plainly, with Python sets and loops, to compare the fast ones with."""

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st

from anonnb import Release, Table
from anonnb.tables.value_sets import Column


def cells(release, name):
    """The set of value texts of every published cell."""
    column = release.columns[name]
    labels = column.attribute.labels
    return [frozenset(np.array(labels, dtype=object)[column.sets.mask(number)]) for number in column.index]


def attempts(release, table, known, targets):
    """Every (known columns, values, target, people's true values) of the attack."""
    conditions, decision = table.quasi, table.decision
    everything = {"conditions": conditions, "decision": [decision], "all": [*conditions, decision]}[targets]
    truth = {name: [table.attributes[name].labels[code] for code in table.codes(name)] for name in table.columns}
    for columns in itertools.combinations(conditions, known):
        combinations = {}
        for row in range(len(table)):
            combinations.setdefault(tuple(truth[name][row] for name in columns), []).append(row)
        for target in everything:
            if target not in columns:
                for values, people in combinations.items():
                    yield columns, values, target, [truth[target][row] for row in people]


def matching(sets, columns, values, rows):
    return [row for row in range(rows) if all(v in sets[name][row] for name, v in zip(columns, values, strict=True))]


def said_by_rows(release, secret):
    """What each row says about a secret: a row with several values is split, evenly or by the counts of its group."""
    if release.secrets is None:
        return [{value: Fraction(1, len(cell)) for value in cell} for cell in cells(release, secret)]
    labels, grouped = release.columns[secret].attribute.labels, release.secrets
    counts = {}
    for group, value, count in zip(grouped.owner, grouped.value, grouped.count, strict=True):
        counts.setdefault(group, {})[labels[value]] = Fraction(int(count))
    return [{value: n / sum(counts[g].values()) for value, n in counts[g].items()} for g in grouped.group]


def row_weights(release, known, weights):
    """For each row how much it counts as a candidate."""
    result = [Fraction(1)] * len(release)
    columns = {name: cells(release, name) for name in known}
    if weights == "equal" or all(len(cell) == 1 for column in columns.values() for cell in column):
        return result
    for column in columns.values():
        shares = {}
        for cell in column:
            for value in cell:
                shares[value] = shares.get(value, 0) + Fraction(1, len(cell) * len(release))
        result = [weight / sum(shares[v] for v in cell) for weight, cell in zip(result, column, strict=True)]
    return result


class Attacker:
    """Compares everybody with every row, and counts what the rows that fit, or else the nearest, say about a secret.

    If candidates are weighted by how likely they are, a row counts 1 / the share of the release that its cells hold.
    """

    def __init__(self, release, people, known, secret, weights="equal"):
        self.release, self.known, self.secret, self.people = release, known, secret, range(len(people))
        self._sets = {name: cells(release, name) for name in known}
        self._labels = {n: [people.attributes[n].labels[code] for code in people.codes(n)] for n in [*known, secret]}
        self.values = release.columns[secret].attribute.labels
        self._says = said_by_rows(release, secret)
        self.shares = self.weights(range(len(release)))
        self.kind, self.row_weights = weights, row_weights(release, known, weights)

    def line(self, person):
        """What the targets of a result call somebody."""
        return " and ".join(f"{name} = {self._labels[name][person]}" for name in self.known)

    def truth(self, person):
        return self._labels[self.secret][person]

    def fitting(self, person):
        return matching(self._sets, self.known, [self._labels[n][person] for n in self.known], len(self.release))

    def distance(self, person, row):
        total = Fraction(0)
        for name in self.known:
            value, cell = self._labels[name][person], self._sets[name][row]
            attribute = self.release.columns[name].attribute
            if value in cell or len(cell) == attribute.size:
                continue
            if attribute.kind == "numeric":
                low, high = (end(map(int, cell)) for end in (min, max))
                outside = max(low - int(value), int(value) - high, 0)
                total += min(Fraction(outside, int(np.ptp(attribute.numbers)) or 1), 1)
            else:
                total += 1
        return total

    def rows(self, person):
        """The rows that fit, or the nearest ones."""
        away = [self.distance(person, row) for row in range(len(self.release))]
        return self.fitting(person) or [row for row, far in enumerate(away) if far == min(away)]

    def weights(self, rows, counted=None):
        """The share of each value in some rows, each counted by its number or as 1."""
        counted = counted or [Fraction(1)] * len(self.release)
        total = sum(counted[row] for row in rows) or 1
        return {
            value: sum(self._says[row].get(value, 0) * counted[row] for row in rows) / total for value in self.values
        }

    def beliefs(self, person):
        """Rows that fit count by their weights; the nearest rows, and all rows, count alike."""
        counted = self.row_weights if self.fitting(person) else None
        return self.weights(self.rows(person), counted) if len(self.release) else self.shares

    def left(self, person):
        """The values that some row that fits may have."""
        return {value for value, weight in self.weights(self.fitting(person)).items() if weight}

    def ranked(self, weights):
        """The values, the likeliest first: of equally likely ones that which is more common in the release."""
        return sorted(self.values, key=lambda value: (-weights[value], -self.shares[value]))


def strangers(seed, rows=6):
    """People with values that the tables below have, and with others."""
    rng = np.random.default_rng(seed)
    columns = {"a": list("wxyz"), "b": [-2, 0, 1, 2, 3, 5], "c": ["p", "q", "r"], "d": ["yes", "no", "maybe", "never"]}
    frame = pd.DataFrame({name: rng.choice(values, rows) for name, values in columns.items()})
    return Table(frame.set_axis([f"stranger {row}" for row in range(rows)]), quasi=["a", "b", "c"], sensitive=["d"])


def check_guesses(attack, release, people, known, secret, guessed, sure):
    """Compare an attack with ``guessed(attacker, person)``: the guess, the belief in it and whether it is right."""
    for weights in ("equal", "likely"):
        attacker = Attacker(release, people, known, secret, weights)
        result = replace(attack, weights=weights).run(release, people)
        lines = result.targets.set_index("known")
        plainly = [guessed(attacker, person) for person in attacker.people]
        for person, (guess, belief, _) in enumerate(plainly):
            line = lines.loc[attacker.line(person)]
            assert (line["guess"], line["belief"]) == (guess, pytest.approx(float(belief)))
        surely = [sure(attacker, person) for person in attacker.people]
        right = [bool(right) for _, _, right in plainly]
        assert (result.attempts, result.right) == (len(people), sum(right))
        assert (result.sure, result.sure_right) == (sum(surely), sum(np.array(surely) & right))
    return result


def shallow(sets, columns, values, target, rows):
    """The one value that all matching rows share, or None."""
    chosen = matching(sets, columns, values, rows)
    if not chosen:
        return None
    common = frozenset.intersection(*(sets[target][row] for row in chosen))
    return next(iter(common)) if len(common) == 1 else None


def deep(sets, conditions, columns, values, target, rows):
    """Steps (d0) to (d5), by trying every subset in order of size and then of row numbers."""
    chosen = _distinct(sets, matching(sets, columns, values, rows))
    sets = {name: sets[name] for name in {*conditions, target}}
    found = _smallest(sets, chosen, target)
    if found is None:
        return None
    group, value = found
    others = [name for name in sets if name != target]
    against = [row for row in chosen if value not in sets[target][row]]
    for row in against:
        if all(_common(sets, name, [*group, row]) for name in others):
            return None
    return None if _smallest(sets, against, target) else value


def _distinct(sets, rows):
    seen = {}
    for row in rows:
        seen.setdefault(tuple(sets[name][row] for name in sets), row)
    return list(seen.values())


def _common(sets, name, rows):
    return frozenset.intersection(*(sets[name][row] for row in rows))


def _smallest(sets, rows, target):
    for size in range(1, len(rows) + 1):
        for group in itertools.combinations(rows, size):
            common = {name: _common(sets, name, group) for name in sets}
            if all(common.values()) and len(common[target]) == 1:
                return group, next(iter(common[target]))
    return None


@st.composite
def releases(draw, changed=True):
    """A small table and a release: boxes of groups, random sets, some of the rows or, if ``changed``, moved rows."""
    rows = draw(st.integers(2, 9))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    frame = pd.DataFrame(
        {
            "a": rng.choice(list("xyz"), rows),
            "b": rng.integers(0, 4, rows),
            "c": rng.choice(["p", "q"], rows),
            "d": rng.choice(["yes", "no", "maybe"], rows),
        }
    )
    table = Table(frame, quasi=["a", "b", "c"], sensitive=["d"], decision="d")
    kind = draw(st.sampled_from(["boxes", "sets", "dropped", *["moved"] * changed]))
    if kind == "boxes":
        groups = np.arange(rows) // draw(st.integers(1, 4))
        columns = {n: Column.of_groups(table.attributes[n], table.codes(n), groups, groups.max() + 1) for n in "abc"}
        return table, Release(table, columns, np.arange(rows))
    if kind == "sets":
        columns = {}
        for name in "abcd":
            masks = rng.random((rows, table.attributes[name].size)) < 0.4
            masks[np.arange(rows), table.codes(name)] = True
            columns[name] = Column.from_masks(table.attributes[name], masks)
        return table, Release(table, columns, np.arange(rows))
    if kind == "moved":
        moved = rng.permutation(rows)
        columns = {n: Column.original(table.attributes[n], table.codes(n)[moved]) for n in "abc"}
        return table, Release(table, columns, np.arange(rows))
    return table, Release(table, {}, np.arange(0, rows, 2))


def inferences(attack, release, table, known, targets):
    """The columns known, the target, the people's true values and the inferred one (or None), for every attempt."""
    sets = {name: cells(release, name) for name in [*table.quasi, table.decision]}
    for columns, values, target, truth in attempts(release, table, known, targets):
        value = shallow(sets, columns, values, target, len(release))
        if value is None and attack == "deep":
            value = deep(sets, table.quasi, columns, values, target, len(release))
        yield columns, target, truth, value


def scores(lines):
    """The share of people with the inferred value, for every attempt."""
    return [np.mean([person == value for person in truth]) for _, _, truth, value in lines]


def people_guessed(lines, release):
    """For each target how many people are guessed right, how many are sure, and how many of these are right.

    Every person is asked each question by itself, and counts for a share of a person.
    """
    asked = {target: {columns for columns, other, *_ in lines if other == target} for _, target, *_ in lines}
    found = {target: np.zeros(3) for target in asked}
    for _, target, truth, value in lines:
        for person in truth:
            sure, right = value is not None, person == (most_common(release, target) if value is None else value)
            found[target] += np.array([right, sure, sure and right]) / len(asked[target])
    return found


def most_common(release, name):
    """The value that most published cells have, each split among its values; the first of several."""
    shares = dict.fromkeys(release.columns[name].attribute.labels, Fraction(0))
    for cell in cells(release, name):
        for value in cell:
            shares[value] += Fraction(1, len(cell))
    return max(shares, key=shares.get)
