"""The Chase attack: fill in hidden cells of a release by rules, mined from it or from other sites' tables.

After the SCIKD paper: whoever has rules about a hidden attribute, from another hospital say, derives what was
hidden, step by step. Each column with hidden cells is a secret, and the attack is sure of the cells that it derives.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from anonnb.attacks import register
from anonnb.attacks.base import Attack
from anonnb.attacks.matching.candidates import has_secret, places_of
from anonnb.attacks.matching.step_texts import most_exposed, one_line
from anonnb.attacks.result import SecretResult
from anonnb.attacks.secrets.secret_attack import people_result
from anonnb.core.parameters.compound import Instances, Names, Optional
from anonnb.core.parameters.constraints import POSITIVE, SHARE, Flag
from anonnb.core.parameters.declared import parameter
from anonnb.core.wording import pluralize
from anonnb.rules.incomplete.chase import ChaseResult, chase, knowledge_base
from anonnb.rules.incomplete.knowledge import short_text
from anonnb.rules.induction.rule import Rule
from anonnb.steps.recording import listening, note
from anonnb.tables.incomplete_table import IncompleteTable
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

_COLUMNS = ["row", "attribute", "value", "weight", "truth", "right", "chain"]


@register
@dataclass(frozen=True)
class ChaseAttack(Attack):
    """Fill in the hidden cells of a release by rules (Chase).

    If no value of a cell is derived, the guess is the most common one: of those that the release shows in the column,
    or, if it shows none, of those in the other sites' tables. If there are none either, there is no guess.

    Parameters
    ----------
    rules:
        The rules to use. By default they are mined: from ``sites`` for columns that are hidden as a whole, from the
        release itself for the others (without sites: local Chase).
    sites:
        Other tables with the same attributes, in which the hidden ones are visible.
    targets:
        The columns whose hidden cells are guessed; by default those hidden as a whole, or all if there are none.
    threshold, normalize:
        λ, and whether votes are scaled, as for :func:`anonnb.rules.chase`.
    min_support, min_confidence, max_length:
        For rules that are mined: the least support and confidence, as shares, and the most conditions.

    Notes
    -----
    ``targets`` of the result has a line per hidden cell of the column: the likeliest value (empty if nothing is
    derived), its weight, the truth, whether the derived value is right, and the chain of rules. ``info`` is about all
    columns: how many cells are revealed, right and wrong, and rounds, rules, result.

    Examples
    --------
    >>> from anonnb.methods import ChaseProtection
    >>> from anonnb.rules import implies
    >>> t = Table(pd.DataFrame({"job": ["judge", "cook"], "pay": ["high", "low"]}))
    >>> release = Release.of(t)
    >>> release = release.with_columns(pay=release.columns["pay"].with_suppressed([0, 1]))
    >>> attack = ChaseAttack(rules=[implies({"job": "judge"}, {"pay": "high"})])
    >>> attack.run(release).targets[["row", "value", "right"]].to_numpy().tolist()
    [[0, 'high', True], [1, '', False]]

    Guarantees
    ----------
    proved:
        Nothing about truth: a cell that comes back is what the rules say, and may be wrong.
    tested:
        60 random incomplete tables: Chase ends, only completes cells and keeps no value below the threshold. 30 random
        tables: the mined rules equal a plain search. By hand: cells derived rightly and wrongly, cells that are only
        guessed, and the chain of rules behind each.
    heuristic:
        How votes are weighed and scaled is a choice. Rules below the support and confidence asked for, or longer than
        max_length, are not used.
    paper:
        A. Dardzińska and Z. Raś, Rule-based Chase algorithm for partially incomplete information systems, LNAI 3430,
        2005; the paper on SCIKD, RSFDGrC 2007, LNAI 4482, doi:10.1007/978-3-540-72530-5_39.
    """

    kind: ClassVar[str] = "secret"
    quick: ClassVar[bool] = False  # it needs hidden cells
    by_default: ClassVar[bool] = False

    rules: Sequence[Rule] | None = parameter(Optional(Instances(Rule, "rule")), default=None, repr=False)
    sites: Sequence[Table] = parameter(Instances((Table, Release, IncompleteTable), "table"), default=(), repr=False)
    targets: str | Sequence[str] | None = parameter(Optional(Names()), default=None)
    threshold: float = parameter(SHARE, default=0.2)
    normalize: bool = parameter(Flag(), default=True)
    min_support: float = parameter(SHARE, default=0.05)
    min_confidence: float = parameter(SHARE, default=0.8)
    max_length: int = parameter(POSITIVE, default=2)

    def _attack(self, release: Release, people: Table) -> SecretResult:
        """Attack the hidden cells of the target columns, in the rows of these people.

        Somebody who is not in the release gets the hidden cells of a published row, one after the other, over their own
        values.
        """
        if release.rows is None:
            raise ValueError("the release does not tell its original rows, so nobody can say what came back right")
        system = IncompleteTable.of(release)
        names = self._targets(system)
        if listening():
            _tell_hidden(system, names)
        rules = self.rules
        if rules is None:
            settings = (self.min_support, self.min_confidence)
            # nothing is hidden: no rule is needed
            rules = knowledge_base(system, self.sites, *settings, max_length=self.max_length) if names else ()
        if listening():
            _tell_rules(rules)
        place = places_of(release.table, people)[release.rows]
        inside = np.flatnonzero(place >= 0)
        found = chase(system, rules, self.threshold, normalize=self.normalize)
        rounds, parts = (
            found.rounds,
            {name: [_lines(found, system, inside, people, place[inside], name)] for name in names},
        )
        strangers = np.setdiff1d(np.arange(len(people)), places_of(release.table, people))
        if len(strangers) and len(release):
            other = IncompleteTable.of(_hidden_like(release, people.take(strangers)))
            filled = chase(other, rules, self.threshold, normalize=self.normalize)
            for name in names:
                parts[name].append(_lines(filled, other, np.arange(len(strangers)), people, strangers, name))
            rounds = max(rounds, filled.rounds)
        frames = {name: pd.concat(own) for name, own in parts.items()}  # by the place of the person among the people
        frame = pd.concat(frames.values(), ignore_index=True) if frames else pd.DataFrame(columns=_COLUMNS)
        if listening():
            _tell_cells(frame, found)
        right, revealed = int(frame["right"].sum()), int((frame["weight"] > 0).sum())
        info = {
            "revealed": revealed,
            "right": right,
            "wrong": revealed - right,
            "rounds": rounds,
            "rules": tuple(rules),
            "result": found,
        }
        if not names:
            return self._nothing_hidden(info)
        return SecretResult.worst({name: self._guess(own, system, people, name, info) for name, own in frames.items()})

    def _guess(
        self, frame: pd.DataFrame, system: IncompleteTable, people: Table, name: str, info: Mapping[str, Any]
    ) -> SecretResult:
        """Return the result for one column, given what was derived for its hidden cells."""
        asked, truth = people.take(frame.index.to_numpy()), frame["truth"].to_numpy()
        value, share = _most_common(name, [system]) or _most_common(name, self.sites) or (None, 0.0)
        sure = frame["weight"].to_numpy() > 0
        return people_result(
            self,
            asked,
            name,
            counted=has_secret(asked, name),
            right=np.where(sure, frame["right"].to_numpy(), truth == value),
            belief=np.where(sure, frame["weight"].to_numpy(), share),
            sure=sure,
            targets=frame.reset_index(drop=True),
            info=info,
        )

    def _nothing_hidden(self, info: Mapping[str, Any]) -> SecretResult:
        """Return the result of an attack that has nothing to do."""
        return SecretResult(
            self,
            0,
            0.0,
            pd.DataFrame(columns=_COLUMNS),
            sure=0.0,
            sure_right=0.0,
            values=pd.Series(dtype=float),
            beliefs=pd.DataFrame({"weight": [], "belief": [], "right": []}),
            secret="hidden cells",
            info=info,
            note="the release has none",
        )

    def _targets(self, system: IncompleteTable) -> list[str]:
        """Return the target columns that have hidden cells."""
        if self.targets is not None:
            for name in self.targets:
                system.column(name)
            return [name for name in self.targets if system.columns[name].unknown.any()]
        whole = [name for name, column in system.columns.items() if len(column) and column.unknown.all()]
        return whole or [name for name, column in system.columns.items() if column.unknown.any()]


def _lines(
    found: ChaseResult, system: IncompleteTable, rows: np.ndarray, people: Table, persons: np.ndarray, name: str
) -> pd.DataFrame:
    """Return a line per hidden cell of a column, among the rows given, with the place of the person as its index."""
    if name not in people.attributes:
        raise KeyError(f"the original table has no column {name!r}; give the table that the release was made from")
    hidden = system.columns[name].unknown[rows]
    rows, persons = rows[hidden], persons[hidden]
    column = found.system.columns[name]
    labels = np.array([*column.attribute.labels, ""], dtype=object)
    weights = column.set_weights() if column.attribute.size else np.zeros((len(column.known), 1))
    best = weights.argmax(axis=1)[column.column.index[rows]]
    weight = weights.max(axis=1)[column.column.index[rows]]
    told = weight > 0
    codes = people.codes(name)[persons]
    truth = people.attributes[name].recode_to(column.attribute)[codes]
    shown = np.array(people.attributes[name].labels, dtype=object)[codes]
    chains = {line: _chain(found, line, name) for line in np.unique(found.start.line[rows[told]])}
    chain = [chains[line] if said else "" for line, said in zip(found.start.line[rows], told, strict=True)]
    value = labels[np.where(told, best, -1)]
    parts = (rows, name, value, np.round(weight, 6), shown, told & (best == truth), chain)
    return pd.DataFrame(dict(zip(_COLUMNS, parts, strict=True)), persons)


def _hidden_like(release: Release, people: Table) -> Release:
    """People with cells hidden as in the published rows, whatever else these show."""
    system, columns = IncompleteTable.of(release), {}
    pattern = np.arange(len(people)) % len(release)
    for name, column in release.columns.items():
        if name not in people.attributes:
            raise KeyError(f"the people have no column {name!r} of the release")
        codes = people.attributes[name].recode_to(column.attribute)[people.codes(name)]
        gone = system.columns[name].unknown[pattern] | (codes < 0)
        columns[name] = Column.original(column.attribute, np.maximum(codes, 0)).with_suppressed(gone)
    table = release.table.take(np.zeros(len(people), dtype=np.int64))  # only its columns count: all cells are given
    return Release(table, columns, None)


def _most_common(name: str, tables: Iterable[Table | Release | IncompleteTable]) -> tuple[str, float] | None:
    """Return the most common value that tables show in a column, and its share; None if they show none."""
    columns = [table.columns[name] for table in map(IncompleteTable.of, tables) if name in table.columns]
    counts = [pd.Series(column.totals(), column.attribute.labels) for column in columns]
    total = pd.concat([pd.Series(dtype=float), *counts]).groupby(level=0, sort=False).sum()
    return (str(total.idxmax()), float(total.max() / total.sum())) if total.sum() > 0 else None


def _chain(found: ChaseResult, line: int, name: str) -> str:
    steps = found.line_chain(int(line), found.knowledge.names.index(name))
    return "; ".join(short_text(step.rule) for step in steps)


def _tell_hidden(system: IncompleteTable, names: Sequence[str]) -> None:
    """Note which cells are hidden."""
    hidden = pd.DataFrame(
        {"hidden cells": [int(column.unknown.sum()) for column in system.columns.values()]},
        index=pd.Index(list(system.columns), name="column"),
    )
    cells = int(hidden.loc[list(names), "hidden cells"].sum())
    where = one_line(", ".join(map(str, names))) or "no column"
    sentence = f"Hidden are {pluralize(cells, 'cell')} that the attacker is after, in {where}."
    note("What is hidden", sentence, system.frame, hidden, list(names))


def _tell_rules(rules: Sequence[Rule]) -> None:
    """Note the rules that the attacker has."""
    lines = {
        "support": [rule.support for rule in rules],
        "confidence": [rule.confidence for rule in rules],
    }
    texts = pd.Index([short_text(rule) for rule in rules], name="rule", dtype=object)
    frame = pd.DataFrame(lines, texts)
    note(
        "What is known",
        f"The attacker has {pluralize(len(rules), 'rule')} to fill cells in by.",
        frame.reset_index(),
        frame,
    )


def _tell_cells(frame: pd.DataFrame, found: ChaseResult) -> None:
    """Note the chains of rules behind the likeliest of the values that came back."""
    weight = frame["weight"].to_numpy(dtype=np.float64)
    for line in frame.iloc[most_exposed(weight)].itertuples():
        column = found.system.columns[line.attribute]
        value = one_line(line.value)
        sentence = (
            f"The cell of {one_line(line.attribute)} in row {line.row} comes back as {value}, with a weight of "
            f"{line.weight:.3g}, by {one_line(line.chain)}"
        )
        weights = column.set_weights()[column.column.index[line.row]] if line.row < len(column) else np.zeros(0)
        scores = pd.DataFrame({"weight": weights}, pd.Index(column.attribute.labels[: len(weights)], dtype=object))
        scores = scores[scores["weight"] > 0].sort_values("weight", ascending=False, kind="stable")
        chosen = [line.value] if line.value in scores.index else ()
        note(f"Claim {value}", f"{sentence}.", found.system.frame, scores, chosen)
