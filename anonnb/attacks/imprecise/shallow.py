"""The shallow attack of Inuiguchi, Ichida and Torra (2019, section 4.3).

The attacker knows some attribute values of a person, selects the published rows that can take them, and intersects
what these rows say about the target. Reading: in the paper's success ratio each distinct combination of known values
counts once, with the share of its people whose value is inferred as its score (this gives the paper's 0.1913 for car,
M2, k = 2 exactly).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pandas as pd

from anonnb.attacks import register
from anonnb.attacks.base import Attack
from anonnb.attacks.imprecise.cases_result import CasesResult, TargetGuesses, cases_result
from anonnb.attacks.imprecise.joined_rows import JoinedRows
from anonnb.attacks.imprecise.step_texts import tell_lines
from anonnb.attacks.matching.candidates import check_columns
from anonnb.core import remedies
from anonnb.core.arrays import first_places, group_ids
from anonnb.core.errors import Message, advice
from anonnb.core.parameters.compound import Names, OneOf
from anonnb.core.parameters.constraints import POSITIVE, Choice, Flag
from anonnb.core.parameters.declared import parameter
from anonnb.core.progress import ticks
from anonnb.core.wording import pluralize
from anonnb.steps.recording import listening
from anonnb.tables.matching import DistinctRows, Overlaps
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

if TYPE_CHECKING:
    from anonnb.attacks.imprecise._row_bits import RowBits

_BLOCK = 2_000_000  # cells of a cases × rows matrix worked on at once


@register
@dataclass(frozen=True)
class ShallowAttack(Attack):
    """Know some attribute values of a person, and guess another one.

    The attack is sure if the rows that fit leave a single value of the target. Otherwise it guesses the value that is
    most common in the release. Each target is a secret; a person weighs 1, split evenly among the sets of known columns
    that are tried on it. The paper's success ratio is the ``ratio`` of the result.

    Parameters
    ----------
    known:
        How many attributes the attacker knows (all combinations are tried), or the names of the known ones.
    targets:
        ``"conditions"``, ``"decision"``, ``"all"``, or names.
    knows_decision:
        Whether the attacker knows the decision value too.

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.tables.release import Release
    >>> result = ShallowAttack(known=["domicile"], targets=["occupation"]).run(Release.of(anonnb.load("decision6")))
    >>> result.attempts, result.right, result.sure, round(result.ratio, 3)
    (6, 4.0, 2.0, 0.333)

    Guarantees
    ----------
    proved:
        Where the person is in the release, cells hold the true values and the target is published exactly, an inferred
        value is true. Where the target is published as a set, it may be false.
    tested:
        60 random releases of 2 to 9 rows (boxes, sets, moved rows, left-out rows): every guess and every score equals
        that of an attacker written with Python sets.
    heuristic:
        If no single value is left, the guess is the most common published one. In the paper's ratio each distinct
        combination of known values counts once, whatever the number of people behind it.
    paper:
        M. Inuiguchi, H. Ichida and V. Torra, Data anonymization with imprecise rules and its performance evaluations,
        Springer, 2019, section 4.3.
    """

    kind: ClassVar[str] = "secret"
    place: ClassVar[int] = 5

    known: int | Sequence[str] = parameter(OneOf(POSITIVE, Names()), default=2)
    targets: str | Sequence[str] = parameter(OneOf(Choice(["all", "conditions", "decision"]), Names()), default="all")
    knows_decision: bool = parameter(Flag(), default=False)

    def _attack(self, release: Release, people: Table) -> CasesResult:
        """Attack these people; one line per combination of known values and target."""
        cases = Cases(release, people, plan_cases(self, release, people))
        frame, answers = cases.judge(*cases.intersections())
        if listening():
            tell_lines(frame, _exposure(frame), cases.published, cases.selected)
        return cases_result(self, answers, frame)

    def case(self, release: Release, known: Mapping[str, object], target: str) -> Case:
        """Show one attack in detail: which rows are selected and what they say about the target.

        Returns
        -------
        Case
            The rows that match, what each says about the target, and what all of them share.

        Examples
        --------
        >>> import anonnb
        >>> from anonnb.tables.release import Release
        >>> ShallowAttack().case(Release.of(anonnb.load("decision6")), {"domicile": "Tokyo"}, "occupation")
        knowing domicile = Tokyo: 2 rows match, occupation is salesman
        """
        return Case.of(release, known, target)


def _exposure(frame: pd.DataFrame) -> np.ndarray:
    """The fewer values are left, the more exposed; several rows that agree reveal more than one."""
    left = frame["left"].to_numpy()
    return np.where(left > 0, 1.0 / np.maximum(left, 1) + 1e-6 * np.minimum(frame["rows"], 9), 0.0)


@dataclass(frozen=True, eq=False)
class Case:
    """One attack: the published rows that match, what each says about the target, and what all of them share."""

    known: dict[str, object]
    target: str
    selected: np.ndarray
    says: list[str]
    left: list[str]

    @classmethod
    def of(cls, release: Release, known: Mapping[str, object], target: str) -> Case:
        """The rows that can take the known values, and the intersection of their target sets."""
        columns = [release.columns[name] for name in known]
        codes = [
            np.array([column.attribute.code(value)]) for column, value in zip(columns, known.values(), strict=True)
        ]
        person = [Column.original(column.attribute, code) for column, code in zip(columns, codes, strict=True)]
        places = np.flatnonzero(Overlaps(person, columns).matrix()[0])
        column = release.columns[target]
        mask = column.sets.intersection(column.index[places])
        left = [column.attribute.labels[code] for code in np.flatnonzero(mask)]
        return cls(dict(known), target, places, list(column.texts()[places]), left)

    def __repr__(self) -> str:
        knows = " and ".join(f"{name} = {value}" for name, value in self.known.items())
        found = " or ".join(self.left) or "nothing (no value fits all of them)"
        return f"knowing {knows}: {len(self.selected)} rows match, {self.target} is {found}"


def knowable_columns(release: Release, table: Table) -> list[str]:
    """The condition attributes that an attacker may know: the published quasi-identifier."""
    return [name for name in (table.quasi or table.conditions) if name in release.columns]


def plan_cases(attack: ShallowAttack, release: Release, table: Table) -> list[tuple[list[str], list[str]]]:
    """Each set of known columns with the targets to try on it."""
    conditions = knowable_columns(release, table)
    decision = release.decision
    named = None if isinstance(attack.known, int) else list(attack.known)
    asked = [*(named or ()), *(() if isinstance(attack.targets, str) else attack.targets)]
    check_columns(asked, release, table)
    if isinstance(attack.known, int) and attack.known > len(conditions):
        raise ValueError(f"known={attack.known} is more than the {pluralize(len(conditions), 'attribute')} to know")
    needs_decision = attack.knows_decision or attack.targets == "decision"
    if decision is None and needs_decision:
        raise ValueError(
            Message("the release has no decision column", advice("; name one: ", remedies.role("decision")))
        )
    groups = {
        "conditions": conditions,
        "decision": [] if decision is None else [decision],
        "all": [*conditions, *([decision] if decision else [])],
    }
    wanted = groups[attack.targets] if isinstance(attack.targets, str) else list(attack.targets)
    extra = groups["decision"] if attack.knows_decision else []
    check_columns([*wanted, *extra], release, table)
    plan = []
    ways = itertools.combinations(conditions, attack.known) if isinstance(attack.known, int) else [attack.known]
    for chosen in ways:
        known = [*chosen, *(name for name in extra if name not in chosen)]
        targets = [name for name in wanted if name not in known]
        if targets:
            plan.append((known, targets))
    if not plan:
        raise ValueError(
            Message(
                "nothing is left to infer: the attacker knows every target",
                advice("; name others with ", remedies.parameter("targets", words="targets=[…]")),
            )
        )
    return plan


class Cases:
    """Every distinct combination of known values, for each set of known columns, with the targets tried on it."""

    def __init__(
        self,
        release: Release,
        table: Table,
        plan: Sequence[tuple[list[str], list[str]]],
        compared: Sequence[str] = (),
    ):
        self.table, self.plan = table, plan
        self.names = list(dict.fromkeys([*compared, *(n for known, targets in plan for n in (*known, *targets))]))
        self.targets = [name for name in self.names if any(name in targets for _, targets in plan)]
        self.published = DistinctRows(release, self.names)
        self.ids, self.codes = zip(*(_combinations(table, known) for known, _ in plan), strict=True)
        self.people = [np.bincount(ids) for ids in self.ids]
        self.starts = np.concatenate([[0], np.cumsum([len(people) for people in self.people])])

    def __len__(self) -> int:
        return int(self.starts[-1])

    @cached_property
    def _recoded(self) -> dict[str, np.ndarray]:
        """For each known column and each value of the people the code of the table behind the release, or -1."""
        behind, known = self.published.release.table.attributes, {name for codes in self.codes for name in codes}
        return {name: self.table.attributes[name].recode_to(behind[name]) for name in known}

    def known_codes(self, number: int) -> dict[str, np.ndarray]:
        """What is known in each case of a set of known columns, in codes of the table behind the release (-1: none)."""
        return {name: self._recoded[name][column] for name, column in self.codes[number].items()}

    def positions(self) -> tuple[np.ndarray, np.ndarray]:
        """Case and target number of each line of :meth:`judge`."""
        case, place = [], []
        for number, (_, targets) in enumerate(self.plan):
            for target in targets:
                case.append(np.arange(self.starts[number], self.starts[number + 1]))
                place.append(np.full(len(self.people[number]), self.targets.index(target)))
        return np.concatenate(case), np.concatenate(place)

    def selections(self) -> Iterator[tuple[int, np.ndarray]]:
        """Blocks of cases × rows matrices, each with the number of its first case."""
        most = max(_BLOCK // max(len(self.published), 1), 1)
        waiting, first = [], 0
        for codes, people in zip(self.codes, self.people, strict=True):
            for start in range(0, len(people), most):
                known = {name: self._recoded[name][column[start : start + most]] for name, column in codes.items()}
                waiting.append(self.published.select(known))
                if sum(map(len, waiting)) >= most:
                    yield first, np.concatenate(waiting)
                    first += sum(map(len, waiting))
                    waiting = []
        if waiting:
            yield first, np.concatenate(waiting)

    def selected(self, line: int) -> np.ndarray:
        """The distinct rows that can take the known values of a line of :meth:`judge`."""
        case = int(self.positions()[0][line])
        number = int(np.searchsorted(self.starts, case, side="right")) - 1
        codes = {
            name: self._recoded[name][[code[case - self.starts[number]]]] for name, code in self.codes[number].items()
        }
        return np.flatnonzero(self.published.select(codes)[0])

    def intersections(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows selected by each case; values left and the only one, for each case and target.

        Where no single value is left, the third number means nothing.
        """
        if len(self) * len(self.published) > _BLOCK:
            return self._intersections_of_many()
        rows = np.zeros(len(self), dtype=np.int64)
        left = np.zeros((len(self), len(self.targets)), dtype=np.int64)
        value = np.zeros_like(left)
        for first, selected in self.selections():
            block = slice(first, first + len(selected))
            rows[block] = selected.sum(axis=1)
            for place, target in enumerate(self.targets):
                left[block, place], value[block, place] = self.published.intersect(target, selected)
        return rows, left, value

    def _intersections_of_many(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The same, for targets that are tried only, without a matrix of all cases and rows."""
        rows = np.zeros(len(self), dtype=np.int64)
        left = np.zeros((len(self), len(self.targets)), dtype=np.int64)
        value = np.zeros_like(left)
        for number, (_, targets) in enumerate(ticks(self.plan, "sets of known columns")):
            block, known = slice(self.starts[number], self.starts[number + 1]), self.known_codes(number)
            found = JoinedRows.of(self.published, known) or self._bits.selecting(known)
            rows[block] = found.count()
            for target in targets:
                place = self.targets.index(target)
                left[block, place], value[block, place] = found.meet(target)
        return rows, left, value

    @cached_property
    def _bits(self) -> RowBits:
        from anonnb.attacks.imprecise._row_bits import RowBits  # needs numba, which takes a moment to import

        return RowBits(self.published, list(self._recoded), self.targets)

    def judge(self, rows: np.ndarray, left: np.ndarray, value: np.ndarray) -> tuple[pd.DataFrame, list[TargetGuesses]]:
        """Return a line per case and target, and the answers about each target, added up over the people.

        A line says how many values are left, the inferred one, the people it is right for, and their share.
        """
        labels = [[*self.published.column(target).attribute.labels, ""] for target in self.targets]
        ends = np.cumsum([len(own) for own in labels])  # of the labels of each target, in one list; the last is ""
        answers = [TargetGuesses(self.published, self.table, target) for target in self.targets]
        codes: dict[str, list] = {name: [] for name in ("plan", "case", "target", "inferred", "right")}
        for number, (_, targets) in enumerate(self.plan):
            block, ids = np.arange(self.starts[number], self.starts[number + 1]), self.ids[number]
            for place in map(self.targets.index, targets):
                inferred, single = value[block, place], left[block, place] == 1
                sure = np.flatnonzero(single[ids]) if single.any() else np.zeros(0, dtype=np.int64)
                right = answers[place].add(sure, inferred[ids[sure]])
                codes["plan"].append(np.full(len(block), number))
                codes["case"].append(block)
                codes["target"].append(np.full(len(block), place))
                first, none = ends[place] - len(labels[place]), ends[place] - 1
                codes["inferred"].append(np.where(single, first + inferred, none))
                codes["right"].append(np.bincount(ids[right], minlength=len(block)))
        lines = {name: np.concatenate([np.zeros(0, dtype=np.int64), *part]) for name, part in codes.items()}
        case, target = lines["case"], lines["target"]
        people = np.concatenate([np.zeros(0, dtype=np.int64), *self.people])[case]
        columns = {
            "attributes": _texts([", ".join(known) for known, _ in self.plan]).take(lines["plan"]),
            "known": self._known(case),
            "target": _texts(self.targets).take(target),
            **{"people": people, "rows": rows[case], "left": left[case, target]},
            "inferred": _texts([label for own in labels for label in own]).take(lines["inferred"]),
            **{"right": lines["right"], "score": lines["right"] / people},
        }
        return pd.DataFrame(columns), answers

    def _known(self, case: np.ndarray) -> pd.api.extensions.ExtensionArray:
        """What is known in each of some cases, in words; cases that know equally many columns are written at once."""
        alike: dict[int, list[int]] = {}
        for number, codes in enumerate(self.codes):
            alike.setdefault(len(codes), []).append(number)
        words, first, used = self._words
        parts, place, done = [], np.empty(len(self), dtype=np.int64), 0
        for numbers in alike.values():
            said = [
                [first[name] + np.searchsorted(used[name], column) for name, column in self.codes[number].items()]
                for number in numbers
            ]
            each = [words.take(np.concatenate(columns)) for columns in zip(*said, strict=True)]
            parts.append(reduce(lambda texts, more: texts + " and " + more, each))
            for number in numbers:
                place[self.starts[number] : self.starts[number + 1]] = done + np.arange(len(self.people[number]))
                done += len(self.people[number])
        return _chained(parts).take(place[case])

    @cached_property
    def _words(self) -> tuple[pd.api.extensions.ExtensionArray, dict[str, int], dict[str, np.ndarray]]:
        """What is said of all known columns, where each column begins in it, and the codes that people have there.

        Most of a large domain has nobody.
        """
        used = {name: np.unique(self.table.codes(name)) for name in self._recoded}
        words: list[str] = []
        first: dict[str, int] = {}
        for name, codes in used.items():
            labels, first[name] = self.table.attributes[name].labels, len(words)
            words += [f"{name} = {labels[code]}" for code in codes.tolist()]
        return _texts(words), first, used


def _texts(words: Sequence[str]) -> pd.api.extensions.ExtensionArray:
    """Texts in the dtype that pandas has for them: taking from it makes no Python object per line."""
    return pd.Series(words, dtype=str).array


def _chained(parts: list) -> pd.api.extensions.ExtensionArray:
    return pd.concat([pd.Series(part) for part in parts or [_texts([])]], ignore_index=True).array


def _combinations(table: Table, known: Sequence[str]) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """The distinct combinations of known values: the number of each row's, and the codes of each."""
    columns = [table.codes(name) for name in known]
    ids, count = group_ids(columns, [table.attributes[name].size for name in known])
    first = first_places(ids, count)
    return ids, {name: column[first] for name, column in zip(known, columns, strict=True)}
