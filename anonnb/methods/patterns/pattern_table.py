"""k-common pattern tables cT1 to cT4 (Inuiguchi, Ichida and Torra 2019, section 3).

Every row is replaced by patterns, one for each k-anonymous rule needed to tell its class; a pattern covers the row and
k - 1 others that support the rule. Readings: O(r) is u and k - 1 others (as in the example, not the text); an attribute
absent from r takes the values of O(r) alone (step (s5-b) as printed is selectable); open intervals are closed by the
rule's supporters (or, numeric ones, by the table).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from anonnb.core.arrays import first_places, group_ids
from anonnb.core.errors import Infeasible
from anonnb.core.measure import HIGHER, Measure
from anonnb.core.parameters import constraints
from anonnb.core.parameters.compound import Instance, Optional
from anonnb.core.parameters.declared import parameter
from anonnb.core.wording import pluralize
from anonnb.methods import register
from anonnb.methods.base import ALL_ROLES, KMethod, Progress
from anonnb.methods.patterns.choosing import PatternChoice, choose, tell_patterns, tell_rules
from anonnb.methods.patterns.composing import PatternCells
from anonnb.methods.promises import Promise
from anonnb.privacy.measures import k_map
from anonnb.rules import RuleSet, imprecise_rules
from anonnb.rules.induction.widening import widen_rules
from anonnb.steps.recording import listening, silent
from anonnb.tables.matching import Matching, Overlaps
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column
from anonnb.utility import ANALYSES

VARIANTS = {"cT1": (False, False), "cT2": (False, True), "cT3": (True, False), "cT4": (True, True)}


@dataclass(frozen=True)
class Commonality(Promise):
    """k-commonality: every published pattern holds at least k rows of the original table."""

    name: ClassVar[str] = "k-commonality"
    measures: ClassVar[tuple[Measure, ...]] = (
        Measure(
            "k-commonality",
            HIGHER,
            lambda exposure: k_map(exposure.classes, exposure.classes.release.table),
            "Every row fits this many original rows: promised instead of k.",
            high=math.inf,
        ),
    )
    # patterns need not read alike, and a pattern is no row: figures about classes and counts of rows mean nothing
    misleading: ClassVar[frozenset[str]] = frozenset(
        {"discernibility", "average class size", *(measure.name for measure in ANALYSES)}
    )

    k: int

    @property
    def guarantee(self) -> str:
        return f"Every published pattern holds at least {self.k} rows of the original table, decision included."

    @property
    def limits(self) -> str:
        return "Patterns need not read alike, and several of them together may fit fewer people than each by itself."

    @property
    def floors(self) -> dict[str, int]:
        return {"fit": self.k}

    def check(self, published: Release) -> None:
        if _members_fit(published, self.k):
            return
        held = rows_held(published, published.table)
        if (held < self.k).any():
            raise Infeasible(f"{published.method}: a pattern holds only {int(held.min())} rows", best=int(held.min()))

    def amount(self, table: Table, release: Release) -> str:
        return f"{len(release)} patterns for {len(table)} rows"

    def facts(self, table: Table, release: Release) -> dict[str, float]:
        return {"patterns": len(release), "rows each holds at least": int(rows_held(release, table).min())}


@register
@dataclass(frozen=True)
class PatternTable(KMethod):
    """A table of patterns, each of which holds at least k rows of the original (k-commonality).

    Parameters
    ----------
    k:
        The smallest number of rows of the original table, decision included, that a pattern may hold.
    variant:
        ``"cT1"`` and ``"cT2"`` choose the others most like the row, ``"cT3"`` and ``"cT4"`` the least alike; ``"cT2"``
        and ``"cT4"`` also widen a pattern by the conditions of the row's other rules (step (s6)).
    rules:
        The k-anonymous rules to embed; by default those of :func:`anonnb.rules.imprecise_rules`.
    widen:
        Whether rules below k may be widened by imprecise condition values. By default only with two decision classes,
        where there are no unions of classes to conclude.
    with_row:
        Whether a pattern takes the values of the row and k - 1 others, as in the paper's example (the default), or of k
        others, as steps (s1) to (s3) are printed; then a pattern need not hold the row it was made for. Where there are
        no k others, the row is among them.
    printed:
        Step (s5-b) as the paper prints it.
    open_ends:
        What closes a numeric condition that is open on one side: the rule's ``"supporters"``, or the smallest and
        largest value of the ``"table"``. Ordinal conditions are always closed by the supporters.

    Notes
    -----
    The guarantee is k-commonality, not k-anonymity: no published pattern stands for fewer than k rows. ``info`` holds
    the ``rules``, the ``choices``, an ``explanation`` (pattern, rule, row, others) and the ``unexplained`` rows, which
    no rule matches and which are not published.

    Examples
    --------
    >>> import anonnb
    >>> release = PatternTable(k=2).anonymize(anonnb.load("decision6"))
    >>> release.frame.iloc[0].tolist()
    ['male', 'salesman', 'Osaka or Tokyo', 'high']

    Guarantees
    ----------
    proved:
        Every pattern holds at least k original rows, decision included (k-commonality); this is checked again before
        the release is handed out. Rows about which no rule speaks are not published.
    tested:
        60 random tables of 6 to 30 rows, all variants: every pattern holds k rows and the row it was made for, and the
        patterns of a row tell as much of its class as the rules do. From the choices of the paper's Table 4 its Table 5
        comes out.
    heuristic:
        The rules of a row and its companions are chosen greedily; with ties to the first, up to three choices differ
        from Table 4. This is no k-anonymity: several patterns together may fit fewer than k people.
    paper:
        M. Inuiguchi, H. Ichida and V. Torra, Data anonymization with imprecise rules and its performance evaluations,
        Springer, 2019.
    """

    promised: ClassVar[type[Promise]] = Commonality
    changes: ClassVar[frozenset[str]] = ALL_ROLES
    order_matters: ClassVar[bool] = True
    rows_in_minutes: ClassVar[float] = 10_000
    needs_decision: ClassVar[bool] = True

    variant: str = parameter(constraints.Choice(list(VARIANTS)), default="cT1")
    rules: RuleSet | None = parameter(Optional(Instance(RuleSet, "a RuleSet")), default=None)
    widen: bool | None = parameter(Optional(constraints.Flag()), default=None)
    with_row: bool = parameter(constraints.Flag(), default=True)
    printed: bool = parameter(constraints.Flag(), default=False)
    open_ends: str = parameter(constraints.Choice(["supporters", "table"]), default="supporters")

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        rules = self.rules_for(table)
        if listening():
            tell_rules(rules, self.k)
        least_alike, widened = VARIANTS[self.variant]
        matches = rules.matches(table)
        choices = choose(table, rules, self.k, least_alike=least_alike, with_row=self.with_row, matches=matches)
        if not choices:
            raise Infeasible(f"no rule has {self.k} supporters, so no pattern can be made; try a smaller k")
        options = {"widened": widened, "printed": self.printed, "open_ends": self.open_ends}
        return _composed(table, rules, choices, matches, **options, method=self)

    def _last_step(self, release: Release) -> tuple[str, str]:
        smallest, many = int(rows_held(release, release.table).min()), pluralize(len(release), "pattern")
        return "The pattern table", f"{self} publishes {many}, each of which holds {smallest:,} rows or more."

    def rules_for(self, table: Table) -> RuleSet:
        """Give the k-anonymous rules that the patterns embed: those of ``rules``, or induced ones.

        Raises
        ------
        ValueError
            If one of the given ``rules`` has fewer than ``k`` supporters in the table.

        Examples
        --------
        >>> import anonnb
        >>> print(PatternTable(k=2).rules_for(anonnb.load("decision6"))[0])
        if sex = male and occupation = salesman then evaluation = high
        """
        if self.rules is not None:
            supports = self.rules.matches(table).sum(axis=0)  # in this table, wherever the rules come from
            weak = np.flatnonzero(supports < self.k)
            if len(weak):
                rule, support = self.rules[int(weak[0])], supports[weak[0]]
                raise ValueError(f"the rule «{rule}» has {support} supporters, fewer than k = {self.k}; leave it out")
            return self.rules
        assert table.decision is not None  # _check_table asked for it
        two_classes = len(np.unique(table.codes(table.decision))) == 2
        with silent():  # inductions have steps of their own
            if self.widen or (self.widen is None and two_classes):
                return widen_rules(imprecise_rules(table), table, self.k)
            return imprecise_rules(table, self.k)


def rows_held(release: Release, table: Table) -> np.ndarray:
    """Count the rows of the original table that each published pattern holds, decision included.

    >>> import anonnb
    >>> table = anonnb.load("decision6")
    >>> rows_held(PatternTable(k=2).anonymize(table), table)
    array([2, 2, 2, 2, 2, 2])
    """
    matching = Matching(release, table, list(release.columns))
    held = matching.totals(people=[matching.people_per_case])[1][0]
    return held.astype(np.int64)[matching.published.kind]


def _members_fit(release: Release, k: int) -> bool:
    """Tell whether each pattern holds k different rows that it was made of, so that nothing needs to be counted."""
    pattern = release.info["explanation"]["pattern"].to_numpy() if "choices" in release.info else np.zeros(0, int)
    if pattern.max(initial=-1) + 1 != len(release):  # somebody else's patterns, or some of ours
        return False
    first = first_places(pattern, len(release))
    members = np.array([release.info["choices"][index].members for index in first])
    different = 1 + np.count_nonzero(np.diff(np.sort(members, axis=1), axis=1), axis=1)
    people = [
        Column.original(column.attribute, release.table.codes(name)[members.ravel()])
        for name, column in release.columns.items()
    ]
    fits = Overlaps(people, list(release.columns.values())).pairs(
        np.arange(members.size), np.repeat(np.arange(len(release)), members.shape[1])
    )
    return bool((different >= k).all() and fits.all())


# ---- from choices to patterns ----------------------------------------------------------------------------------


def compose(
    table: Table,
    rules: RuleSet,
    choices: Sequence[PatternChoice],
    *,
    widened: bool = False,
    printed: bool = False,
    open_ends: str = "supporters",
    method: object = None,
) -> Release:
    """Make the pattern table of some choices: steps (s4) to (s7), with equal patterns published once.

    Parameters
    ----------
    table, rules:
        The original table, and the rules that the choices number.
    choices:
        Which row each pattern is made for, by which rule, from the values of which rows.
    widened:
        Whether a pattern is widened by the conditions of the row's other rules (step (s6)).
    printed, open_ends:
        As for :class:`PatternTable`.

    Examples
    --------
    >>> import anonnb
    >>> table = anonnb.load("decision6")
    >>> made = PatternTable(k=2).anonymize(table)
    >>> again = compose(table, made.info["rules"], made.info["choices"])
    >>> again.frame.equals(made.frame)
    True
    """
    return _composed(
        table,
        rules,
        choices,
        rules.matches(table),
        widened=widened,
        printed=printed,
        open_ends=open_ends,
        method=method,
    )


def _composed(
    table: Table,
    rules: RuleSet,
    choices: Sequence[PatternChoice],
    matches: np.ndarray,
    *,
    method: object,
    **options: Any,
) -> Release:
    cells = PatternCells(table, rules, matches, choices)
    columns = {name: cells.column(name, **options) for name in table.conditions}
    classes = np.array([table.attributes[rules.decision].code(value) for value in rules.classes])
    decision = np.zeros((len(choices), table.attributes[rules.decision].size), dtype=bool)
    decision[:, classes] = rules.concludes[[choice.rule for choice in choices]]
    columns[rules.decision] = Column.from_masks(table.attributes[rules.decision], decision)
    if listening():
        tell_patterns(table, rules, choices, columns, printed=options["printed"], widened=options["widened"])
    sizes = [len(column.sets) for column in columns.values()]
    pattern, count = group_ids([column.index for column in columns.values()], sizes)
    first = first_places(pattern, count)
    unexplained = np.setdiff1d(np.arange(len(table)), cells.rows)
    info = {
        "rules": rules,
        "choices": list(choices),
        "explanation": _explanation(table, rules, choices, pattern),
        "unexplained": unexplained,
    }
    owners = np.unique(np.column_stack([pattern, cells.rows]), axis=0).T
    return Release(
        table.select([name for name in table.columns if name in columns]),
        {name: column.take(first) for name, column in columns.items()},
        cells.rows[first],
        method=method,
        info=info,
        withheld=len(unexplained),
        owners=(owners[0], owners[1]),
    )


def _explanation(table: Table, rules: RuleSet, choices: Sequence[PatternChoice], pattern: np.ndarray) -> pd.DataFrame:
    texts = {number: str(rules[number]) for number in {choice.rule for choice in choices}}
    names = [str(name) for name in table.index]
    return pd.DataFrame(
        {
            "pattern": pattern,
            "rule": [texts[choice.rule] for choice in choices],
            "row": table.index[[choice.row for choice in choices]],
            "others": [", ".join([names[other] for other in choice.others]) for choice in choices],
        }
    )
