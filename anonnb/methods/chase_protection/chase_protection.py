"""SCIKD: hide the fewest further cells so that Chase cannot fill in a hidden secret (after the SCIKD paper).

Per object the largest set of cells whose weighted closure misses the secret stays. Readings: by default no value of
the secret may be derived, true or not (a binary secret would leak by negation); a Chase that scales votes lifts
weights that the closure dropped, so Chase itself is run on the result and more is hidden until it reveals nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.errors import Infeasible, Message, advice
from anonnb.core.parameters.compound import Instances, Names, Optional
from anonnb.core.parameters.constraints import POSITIVE, SHARE, Choice
from anonnb.core.parameters.declared import parameter
from anonnb.methods import register
from anonnb.methods.base import ALL_ROLES, Method, Progress
from anonnb.methods.chase_protection.hiding import Together, protect
from anonnb.methods.chase_protection.scikd import HidingSearch, ObjectTelling, tell_rules
from anonnb.methods.promises import Anonymity, Promise
from anonnb.rules.incomplete.chase import ChaseResult, ChaseState, knowledge_base, run
from anonnb.rules.incomplete.knowledge import Knowledge, ready
from anonnb.rules.induction.rule import Rule
from anonnb.steps.recording import listening, silent
from anonnb.tables.incomplete_table import IncompleteTable
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column
from anonnb.tables.weighted_column import EPSILON, weight_text

AGAINST = ("every", "true")


@dataclass(frozen=True)
class Unrevealed(Promise):
    """Chase with the rules that were given fills in no secret cell; with ``k``, k-anonymity besides."""

    name: ClassVar[str] = "nothing revealed by Chase"

    threshold: float
    against: str
    k: int | None = None

    @property
    def guarantee(self) -> str:
        what = "no value of a secret" if self.against == "every" else "no true value of a secret"
        further = "" if self.k is None else f" {Anonymity(self.k).guarantee}"
        return f"Chase with the rules of release.info derives {what} at the threshold {self.threshold:g}.{further}"

    @property
    def limits(self) -> str:
        return "An attacker with other rules, a lower threshold or another way of reasoning may still infer a secret."

    @property
    def floors(self) -> dict[str, int]:
        return {} if self.k is None else Anonymity(self.k).floors

    def check(self, published: Release) -> None:
        if self.k is not None:
            Anonymity(self.k).check(published)
        rules, secret = published.info["rules"], published.info["secret"]
        system = ready(IncompleteTable.of(published), rules, self.threshold)
        knowledge = Knowledge.of(rules, system)
        targets = np.isin(knowledge.owner, [knowledge.names.index(name) for name in secret])
        if self.against == "true":
            original = published.table if published.rows is None else published.table.take(published.rows)
            is_true = np.zeros((len(original), len(knowledge.items)), dtype=bool)
            for item, (name, code) in enumerate(knowledge.items):
                is_true[:, item] = name in secret and original.codes(name) == code
            targets = targets & is_true
        state = ChaseState.of(system, knowledge)
        for normalize in (True, False):
            result = ChaseResult(system, knowledge, state, *run(knowledge, state, self.threshold, normalize))
            revealed = ((result.final[state.line] > 0) & targets).any(axis=1)
            if revealed.any():
                raise Infeasible(f"{published.method}: Chase fills in the secret of {int(revealed.sum())} rows")


@register
@dataclass(frozen=True)
class ChaseProtection(Method):
    """Hide secret columns, and in each row the fewest further cells that keep Chase from filling them in.

    Parameters
    ----------
    secret:
        The columns to hide; by default the sensitive ones or, where there are none, the decision.
    rules:
        What the attacker may know, from :func:`~anonnb.rules.erid` or ``knowledge_base``. By default rules are mined:
        those about the secret from the table itself, as if another site had it, and those about the rest from what
        stays visible.
    threshold:
        λ: derived values of less weight do not count.
    against:
        ``"every"``: no value of the secret may be derived. ``"true"``: only the true value may not, as in the paper.
    k:
        The release is k-anonymous too: ``anonymize`` starts from Mondrian, and the rows of a class hide cells together.
        None asks for no k.
    min_support, min_confidence, max_length:
        For rules that are mined: the least support and confidence, as shares, and the most conditions.

    Notes
    -----
    ``release.info``: cells (hidden besides the secret), extra (those of them that only the run of Chase asked for),
    objects (different ones that were searched), seconds_per_object, attributes (a frame), rules.

    Examples
    --------
    >>> from anonnb.rules import implies
    >>> t = Table(pd.DataFrame({"job": ["judge", "cook"], "car": ["old", "new"], "pay": ["high", "low"]}))
    >>> release = ChaseProtection(secret="pay", rules=[implies({"job": "judge"}, {"pay": "high"})]).anonymize(t)
    >>> release.frame.to_numpy().tolist(), release.info["cells"]
    ([['*', 'old', '*'], ['cook', 'new', '*']], 1)

    Guarantees
    ----------
    proved:
        Chase with the given rules, scaled or not, derives no value of a secret at the threshold (against="true": no
        true one); this is checked before the release is handed out. No fewer cells of an object would keep its closure
        from the secret.
    tested:
        250 random tables of 3 rows with up to 13 rules: the cells hidden against the closure are as few as brute force
        finds, and Chase then reveals nothing. The paper's worked example comes out exactly.
    heuristic:
        Cells that only the run of Chase asks for, and those hidden together for k, are not proved to be the fewest.
        Other rules, a lower threshold or other reasoning may still reveal a secret.
    paper:
        The paper on SCIKD, RSFDGrC 2007, LNAI 4482, doi:10.1007/978-3-540-72530-5_39.
    """

    promised: ClassVar[type[Promise]] = Unrevealed
    hides_sensitive: ClassVar[bool] = True
    changes: ClassVar[frozenset[str]] = ALL_ROLES

    secret: str | Sequence[str] | None = parameter(Optional(Names(some=True)), default=None)
    rules: Sequence[Rule] | None = parameter(Optional(Instances(Rule, "rule")), default=None, repr=False)
    threshold: float = parameter(SHARE, default=0.2)
    against: str = parameter(Choice(AGAINST), default="every")
    k: int | None = parameter(Optional(POSITIVE), default=None)
    min_support: float = parameter(SHARE, default=0.05)
    min_confidence: float = parameter(SHARE, default=0.8)
    max_length: int = parameter(POSITIVE, default=2)

    def _check_table(self, table: Table) -> None:
        super()._check_table(table)
        self._secret(table)

    def _secret(self, table: Table) -> list[str]:
        names = list(self.secret or table.sensitive or ([table.decision] if table.decision else []))
        if not names:
            secret = remedies.parameter("secret", words="ChaseProtection(secret=[…])", role="sensitive")
            raise ValueError(Message("there is no secret to protect", advice("; name it: ", secret)))
        for name in names:
            if name not in table.columns or name in table.identifiers:
                raise KeyError(f"secret: there is no published column {name!r}; the columns are {table.columns}")
        return names

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        if self.k is None:
            return self._protected(Release.of(table))
        from anonnb.methods.mondrian.mondrian import Mondrian

        return self._protected(Mondrian(k=self.k).anonymize(table, progress=progress))

    def protect(self, release: Release) -> Release:
        """Protect a release of another method; with ``k``, the rows of a class hide quasi-identifiers together.

        >>> from anonnb.rules import implies
        >>> t = Table(pd.DataFrame({"job": ["judge", "cook"], "pay": ["high", "low"]}))
        >>> method = ChaseProtection(secret="pay", rules=[implies({"job": "judge"}, {"pay": "high"})])
        >>> method.protect(Release.of(t)).frame.to_numpy().tolist()
        [['*', '*'], ['cook', '*']]
        """
        safe = self._protected(release)
        self.promise.check(safe)
        return safe

    def _protected(self, release: Release) -> Release:
        """Return what is handed out once its promise is checked."""
        secret = self._secret(release.table)
        system = IncompleteTable.of(release)
        rules = self.rules
        if rules is None:
            settings = (self.min_support, self.min_confidence)
            sites = [release.table if release.rows is None else release.table.take(release.rows)]
            with silent():  # ERID has steps of its own
                rules = knowledge_base(system.hide(secret), sites, *settings, max_length=self.max_length)
        if listening():
            tell_rules(rules, system.hide(secret).frame)
        together = None if self.k is None else Together(release.groups, release.n_groups, tuple(release.quasi))
        hiding = protect(system, rules, secret, self.threshold, against=self.against, together=together)
        columns = {
            name: column.with_suppressed(hiding.cells[:, index])
            for index, (name, column) in enumerate(release.columns.items())
        }
        columns |= {name: Column.suppressed(release.columns[name].attribute, len(release)) for name in secret}
        info = {**release.info, **hiding.summary(), "rules": tuple(rules), "secret": tuple(secret)}
        return Release(release.table, columns, release.rows, method=self, info=info)


@dataclass(frozen=True, eq=False)
class ObjectSearch:
    """How SCIKD treats one object: ``sets`` lists every set that was considered, ``kept`` the largest unmarked ones.

    ``weights`` and ``labels`` belong to the items of ``knowledge``.
    """

    sets: pd.DataFrame
    kept: list[tuple[str, ...]]
    hidden: tuple[str, ...]
    weights: np.ndarray
    labels: list[str]
    knowledge: Knowledge
    secret: tuple[str, ...]
    threshold: float


def search_object(
    system: IncompleteTable,
    rules: Iterable[Rule],
    secret: str | Sequence[str],
    row: int = 0,
    threshold: float = 0.2,
) -> ObjectSearch:
    """Run SCIKD's search on one row and list each set of cells, its weighted closure, and whether it is marked.

    >>> from anonnb.rules import implies
    >>> table = Table(pd.DataFrame({"job": ["judge", "cook"], "pay": ["high", "low"]}))
    >>> system = IncompleteTable.of(table)
    >>> rules = [implies({"job": "judge"}, {"pay": "high"})]
    >>> found = search_object(system, rules, "pay")
    >>> found.sets.to_numpy().tolist(), found.hidden
    ([[('job',), 'judge, high', True]], ('job',))
    """
    secret = (secret,) if isinstance(secret, str) else tuple(secret)
    rules = tuple(rules)
    system = ready(system.take(np.array([row])), rules, threshold).hide(secret)
    knowledge = Knowledge.of(rules, system)
    weights = knowledge.weights(system)[0]
    attributes = np.unique(knowledge.owner[weights > 0])
    targets = np.flatnonzero(np.isin(knowledge.owner, [knowledge.names.index(name) for name in secret]))
    search = HidingSearch(knowledge, weights, attributes, targets, threshold)
    names = [knowledge.names[number] for number in attributes]

    def members(mask: int) -> tuple[str, ...]:
        return tuple(name for index, name in enumerate(names) if mask >> index & 1)

    labels = _item_labels(system, knowledge)
    tell = ObjectTelling(knowledge, attributes, 0, 1)
    lines: list[tuple[tuple[str, ...], str, bool]] = []
    for level in search.levels():
        closures = [_closure_text(knowledge, labels, closure) for closure in level.closures]
        lines += zip([members(int(mask)) for mask in level.sets], closures, level.marked.tolist(), strict=True)
        if listening():
            tell.level(level.sets, level.marked, level.closures[:, targets].max(axis=1, initial=0.0), closures)
    left_out = search.hidden()
    if listening():
        tell.hidden(np.flatnonzero(np.isin(attributes, left_out)).tolist(), *search.choices())
    hidden = tuple(knowledge.names[number] for number in left_out)
    sets = pd.DataFrame(lines, columns=["set", "closure", "marked"])
    kept = [members(int(mask)) for mask in search.kept()]
    return ObjectSearch(sets, kept, hidden, weights, labels, knowledge, secret, threshold)


def _item_labels(system: IncompleteTable, knowledge: Knowledge) -> list[str]:
    """Return the value of each item, with its attribute if two columns share the name of a value."""
    labels = [system.columns[name].attribute.labels[code] for name, code in knowledge.items]
    if len(set(labels)) == len(labels):
        return labels
    return [f"{name} = {label}" for (name, _), label in zip(knowledge.items, labels, strict=True)]


def _closure_text(knowledge: Knowledge, labels: Sequence[str], weights: np.ndarray) -> str:
    order = sorted(
        np.flatnonzero(weights > 0).tolist(), key=lambda item: (knowledge.owner[item], knowledge.items[item][1])
    )
    sure = weights > 1 - EPSILON
    return ", ".join(labels[item] if sure[item] else f"{labels[item]} {weight_text(weights[item])}" for item in order)
