"""Reconstruction (Dinur and Nissim 2003; Garfinkel, Abowd and Martindale 2018): what all fitting tables have in common.

Statistics, itemsets or a tree are constraints on an unknown table. Rows, or small counts, that are the same in every
table that fits are certain, whatever the truth is. Reading: of statistics the attack claims rows; of itemsets and trees
small counts, as the inference attack does, which it contains. Sums with errors leave no bit certain: everybody's is
guessed (``noisy_sums``). Claims that are not certain are ranked by confidence: rows by how often they occur in repeated
reconstructions (Dick et al. 2023).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from math import isnan, nan, prod
from typing import ClassVar

import numpy as np
import pandas as pd

from anonnb.attacks import register
from anonnb.attacks.base import Attack
from anonnb.attacks.published_counts import (
    UNCHECKED,
    Checked,
    as_published,
    check_itemsets,
    check_tree,
    counts_result,
    is_tree,
    paths,
    read_supports,
    words_for,
)
from anonnb.attacks.reconstruction.cell_tables import CellTables
from anonnb.attacks.reconstruction.certain import certain_rows, repeated_rows
from anonnb.attacks.reconstruction.count_boxes import MOST_PROGRAMS, CountBoxes
from anonnb.attacks.reconstruction.mined_cells import ItemCells, Question, tree_question
from anonnb.attacks.reconstruction.noisy_sums import NoisySums
from anonnb.attacks.reconstruction.programs import SOLVERS
from anonnb.attacks.reconstruction.row_tables import RowTables
from anonnb.attacks.reconstruction.statistics import Statistics
from anonnb.attacks.result_kinds import CellsResult
from anonnb.core.parameters.compound import Names, Optional
from anonnb.core.parameters.constraints import POSITIVE, SEED, Choice, Flag, Whole
from anonnb.core.parameters.declared import parameter
from anonnb.core.wording import pluralize
from anonnb.rules.association.channels import Channel, Supports
from anonnb.rules.association.deductions import Completed, small_counts
from anonnb.steps.recording import listening, note
from anonnb.tables.mined_results import Mined
from anonnb.tables.table import Table
from anonnb.trees.published_trees import MinedTree
from anonnb.trees.tree import Tree


@register
@dataclass(frozen=True)
class ReconstructionAttack(Attack):
    """Find what every table that fits the published figures has in common.

    Parameters
    ----------
    k:
        Of itemsets and trees: counts from 1 to k − 1 are breaches.
    rows, private, bins, exclusive:
        As for :class:`~anonnb.attacks.InferenceAttack`.
    solver:
        ``"highs"`` or ``"cp-sat"`` (OR-tools, the extra ``solver``). By default CP-SAT for statistics where it is
        installed, HiGHS elsewhere.
    repeats, seed:
        If several tables fit the statistics: how many to draw for the ranking of rows, and the seed.

    Notes
    -----
    ``run`` takes :class:`~anonnb.attacks.reconstruction.statistics.Statistics`,
    :class:`~anonnb.attacks.reconstruction.noisy_sums.NoisySums`, or what the inference attack takes. Of
    statistics a line of ``targets`` is a row that every fitting table has; an attempt is a person, a claim such a row,
    and ``info["unique"]`` says whether only one table fits; if not, ``info["ranked"]`` has the rows of the tables
    drawn, the most frequent first. Of noisy sums a line is a person whose bit is claimed, the surest first, and
    ``luck`` what the more common bit would get right. Of itemsets and trees a line is a pattern of people with
    ``least`` to ``most`` people in the tables that fit; an attempt is a pattern that is asked about, a claim one with
    1 to k − 1 people in every table. For statistics ``luck`` is how many of equally many rows would be right on average
    if each attribute were drawn from its true distribution by itself; for itemsets and trees it is that of the
    inference attack.

    Examples
    --------
    >>> from anonnb.attacks.reconstruction.census_block import census_block
    >>> result = ReconstructionAttack(solver="highs").run(census_block())
    >>> result.info["unique"], result.targets.head(2).to_numpy().tolist()
    (True, [[8, 'black', 'female', 'single', 1], [18, 'white', 'male', 'single', 1]])
    >>> ReconstructionAttack(k=10).run({"": 66, "B": 55, "C": 52, "BC": 43}).targets
                people  least  most  exact
    0      C and not B      9     9   True
    1  not B and not C      2     2   True

    Guarantees
    ----------
    proved:
        Where the published figures are true, so is every claim: the true table fits, and a claim holds in all that do.
        Of statistics it finds every certain row. Of itemsets over few attributes (at most 256 cells) and of trees it
        finds all that the inference attack does.
    tested:
        The block of the 2018 article: one table, by both solvers. 60 random sets of statistics about 2 to 4 people and
        60 random sets of counts: as brute force over all tables. 30 random tables: it contains the inference attack, on
        itemsets and trees. 200 people, 800 sums with errors up to 20, shares of 30 and 50 %: better than the most
        common bit by more than five points in each of ten draws.
    heuristic:
        Guesses from noisy sums and ranked rows are likely, not certain. With more cells it looks at the attributes of
        one published itemset at a time, with the simpler patterns where there are over 3,000, and stops after 4,000
        programs: then it may miss counts, and says so.
    paper:
        I. Dinur and K. Nissim, Revealing information while preserving privacy, PODS 2003; S. Garfinkel, J. Abowd and C.
        Martindale, Understanding database reconstruction attacks on public data, ACM Queue, 2018; T. Dick and others,
        Confidence-ranked reconstruction of census microdata from published statistics, PNAS 120(8), 2023.
    """

    kind: ClassVar[str] = "cells"
    quick: ClassVar[bool] = False  # it needs published figures
    by_default: ClassVar[bool] = False

    k: int = parameter(POSITIVE, default=2)
    rows: int | None = parameter(Optional(Whole(at_least=0)), default=None)
    private: tuple[str, ...] = parameter(Names(), default=())
    bins: int | None = parameter(Optional(POSITIVE), default=None)
    exclusive: bool = parameter(Flag(), default=True)
    solver: str | None = parameter(Optional(Choice(SOLVERS)), default=None)
    repeats: int = parameter(Whole(at_least=0), default=20)
    seed: int = parameter(SEED, default=0)

    reads: ClassVar[str] = "mined"
    no_control: ClassVar[str] = "the attack is about the table itself, which people outside it are no part of"

    def _attack(
        self,
        release: Statistics | NoisySums | Mined | pd.DataFrame | Tree | Mapping | Supports,
        people: Table | None = None,
    ) -> CellsResult:
        """Attack published figures; the people, if given, tell whether the claims are right."""
        if isinstance(release, Statistics):
            return self._on_statistics(release, people)
        if isinstance(release, NoisySums):
            return self._on_sums(release, people)
        release, frame = as_published(release)
        if is_tree(frame):
            return self._on_tree(frame, people, release if isinstance(release, MinedTree) else None)
        return self._on_itemsets(read_supports(frame, self), people)

    def _on_statistics(self, published: Statistics, people: Table | None) -> CellsResult:
        solver = self.solver or ("cp-sat" if find_spec("ortools") else "highs")
        tables = RowTables(published) if solver == "cp-sat" else CellTables(published)
        certain, other = certain_rows(tables, published.named)
        named = {published.named(cell): times for cell, times in sorted(certain.items())}
        lines = pd.DataFrame([(*row, times) for row, times in named.items()], columns=[*published.values, "times"])
        right = claims = sum(named.values())
        luck = nan if claims else 0.0
        if people is not None:
            frame = people.frame[list(published.values)]
            truth = Counter(frame.itertuples(index=False, name=None))
            lines["right"] = [min(times, truth[row]) for row, times in named.items()]
            right, luck = int(lines["right"].sum()), margin_luck(frame, claims)
        info = {"unique": other is None, "solver": solver}
        if other is not None:
            names = [published.named(cell) for cell in sorted(other.elements())]
            info["another table"] = pd.DataFrame(names, columns=list(published.values))
            info["ranked"] = self._ranked(published, tables, people)
        note = UNCHECKED if isnan(luck) else ""
        return CellsResult(
            self, published.people, right, lines, claims=claims, luck=luck, unit="row", info=info, note=note
        )

    def _ranked(self, published: Statistics, tables: CellTables | RowTables, people: Table | None) -> pd.DataFrame:
        """Return the rows of repeated reconstructions, the most frequent first, and whether they are in the table."""
        often = repeated_rows(tables, self.repeats, self.seed)
        lines = [
            (*published.named(cell), share) for cell, share in sorted(often.items(), key=lambda it: (-it[1], it[0]))
        ]
        frame = pd.DataFrame(lines, columns=[*published.values, "confidence"])
        if people is not None:
            truth = set(people.frame[list(published.values)].itertuples(index=False, name=None))
            frame["right"] = [row[:-1] in truth for row in frame.itertuples(index=False, name=None)]
        return frame

    def _on_sums(self, published: NoisySums, people: Table | None) -> CellsResult:
        bit = published.beliefs()
        guess, confidence = bit > 0.5, np.maximum(bit, 1 - bit)
        order = np.lexsort([-confidence])
        lines = pd.DataFrame({"person": np.arange(len(bit)), "guess": guess, "confidence": confidence}).iloc[order]
        right, luck = nan, nan
        if people is not None:
            truth = (people.frame[published.column] == published.value).to_numpy()
            lines["right"] = (guess == truth)[order]
            right, luck = int((guess == truth).sum()), float(max(truth.sum(), (~truth).sum()))
        if listening():
            sentence = "Weigh every sum by its error and everybody by the published share; guess what is likelier"
            note(
                "Beliefs from the sums",
                f"{sentence}.",
                lines,
                lines.set_index("person")[["confidence"]].head(12),
            )
        lines, why = lines.reset_index(drop=True), UNCHECKED if people is None else ""
        return CellsResult(self, len(bit), right, lines, claims=len(bit), luck=luck, unit="bit", note=why)

    def _on_itemsets(self, supports: Supports, table: Table | None) -> CellsResult:
        cells, patterns, left, undecided = ItemCells(supports, self.exclusive), 0, MOST_PROGRAMS, 0
        follow = small_counts(Completed(supports, self.exclusive), self.k)  # by sums and differences
        found: dict[Channel, tuple[int, int]] = {}
        for question in cells.questions(follow):
            names = partial(_pattern_name, question)
            boxes = CountBoxes(question.known, self.solver or "highs", left, names)
            _tell_question(question)
            small = boxes.small(question.patterns, self.k)
            found |= {_plain(question.about[box.pattern]): (box.least, box.most) for box in small}
            patterns += len(question.patterns)
            left, undecided = max(left - boxes.programs, 0), undecided + boxes.undecided
        for channel in follow:  # those that no question could hold
            if _plain(channel) not in found:
                found[_plain(channel)], patterns = (channel.count, channel.count), patterns + 1
        channels = sorted(found, key=lambda each: (len(each.whole), -len(each.having), each.pattern()))
        targets = _lines([each.pattern() for each in channels], [found[each] for each in channels])
        checked = check_itemsets(channels, supports, table, self)
        return self._result(targets, checked, patterns, {"channels": channels}, _limits(cells.too_large, undecided))

    def _on_tree(self, frame: pd.DataFrame, table: Table | None, mined: MinedTree | None) -> CellsResult:
        private = self.private or (() if mined is None else mined.info.get("private", ()))
        question = tree_question(frame, set(frame["attribute"]) - set(private))
        ways = paths(frame)
        boxes = CountBoxes(question.known, self.solver or "highs", names=lambda n: words_for(ways, question.about[n]))
        _tell_question(question)
        small = boxes.small(question.patterns, self.k)
        found = [question.about[box.pattern] for box in small]
        targets = _lines([words_for(ways, each) for each in found], [(box.least, box.most) for box in small])
        checked = check_tree(found, frame, table, mined)
        return self._result(targets, checked, len(question.about), {"disclosures": found}, _limits(0, boxes.undecided))

    def _result(
        self, targets: pd.DataFrame, checked: Checked | None, attempts: int, info: dict, note: str
    ) -> CellsResult:
        ends = targets["least"], targets["most"]
        return counts_result(self, attempts, targets, ends, checked, info=info, note=note)


def margin_luck(frame: pd.DataFrame, claims: int) -> float:
    """Return at most how many of so many rows are true on average if each column is drawn by itself.

    A row is drawn with the product of its values' true shares, and counts at most as often as it occurs.

    >>> margin_luck(pd.DataFrame({"sex": list("ffmm"), "ill": list("yynn")}), 4)
    2.0
    """
    shares = [frame[name].value_counts(normalize=True) for name in frame]
    rows = Counter(frame.itertuples(index=False, name=None))
    chance = {row: prod(share[value] for share, value in zip(shares, row, strict=True)) for row in rows}
    return float(sum(min(claims * chance[row], times) for row, times in rows.items()))


def _tell_question(question: Question) -> None:
    """Note which counts are known of which cells, and how many patterns are asked about."""
    if listening():
        known = pd.DataFrame({"cells": question.known.inside.sum(axis=1), "people": question.known.counts})
        sentence = (
            f"The people in {pluralize(question.patterns.shape[1], 'cell')} have "
            f"{pluralize(len(known), 'published count')}; ask for the smallest and the largest count of "
            f"{pluralize(len(question.patterns), 'pattern')}"
        )
        note("Published counts as equations", f"{sentence}.", known, known)


def _pattern_name(question: Question, number: int) -> str:
    return question.about[number].pattern()


def _plain(channel: Channel) -> Channel:
    """A channel without its count: the people it tells of."""
    return Channel(channel.having, channel.lacking, 0, channel.whole_lacking)


def _lines(people: list[str], ends: list[tuple[int, int]]) -> pd.DataFrame:
    least, most = ([pair[place] for pair in ends] for place in range(2))
    exact = [low == high for low, high in ends]
    return pd.DataFrame({"people": people, "least": least, "most": most, "exact": exact})


def _limits(too_large: int, undecided: int) -> str:
    """What was not looked at, in a sentence."""
    words = [f"{too_large} sets of attributes with too many values were left out"] if too_large else []
    return "; ".join(words + ([f"{undecided:,} patterns were not decided"] if undecided else []))
