"""RuleSet: an ordered collection of rules with a tidy frame, filters, matching against tables, and JSON.

It remembers the classes of the training table, so it knows which classes it leaves for a row, and which rows no rule
explains.
"""

from __future__ import annotations

import html
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from anonnb.core.atomic_files import atomic_write
from anonnb.rules.induction.rule import Condition, Rule
from anonnb.rules.induction.satisfying import CodeRanges
from anonnb.tables.table import Table

MEASURES = ("support", "strength", "specificity", "confidence", "coverage", "lift")


class RuleSet:
    """Rules about one decision, in a fixed order.

    Parameters
    ----------
    classes, class_counts:
        The classes of the training table, and how many rows each has.
    info:
        What the induction found (``unexplained``: rows that no rule covers; ``lost``: rows that only rules below k
        covered); it is ignored in comparisons.

    Examples
    --------
    >>> from anonnb import load
    >>> from anonnb.rules import mlem2
    >>> table = load("decision6")
    >>> rules = mlem2(table)
    >>> print(rules[0], "|", rules[0].support)
    if sex = male and occupation = salesman then evaluation = high | 3
    >>> RuleSet(rules.rules[:1], rules.decision, rules.classes, rules.class_counts) == rules.filter(min_support=2)
    True
    >>> len(rules.filter(min_support=2)), [rule.support for rule in rules.sort("support", descending=False)]
    (1, [1, 1, 1, 3])
    >>> rules.conditions_met(table)[0].tolist(), rules.left_classes(table)[0].tolist(), rules.explains(table)[0].item()
    ([2, 0, 1, 0], [True, False, False], True)
    """

    def __init__(
        self,
        rules: Iterable[Rule],
        decision: str,
        classes: Sequence,
        class_counts: Sequence[int] | np.ndarray | None = None,
        info: dict[str, Any] | None = None,
    ):
        self.rules = tuple(rules)
        self.decision = decision
        self.classes = tuple(classes)
        self.class_counts = tuple([0] * len(self.classes) if class_counts is None else map(int, class_counts))
        self.info = dict(info or {})
        known = set(self.classes)
        for rule in self.rules:
            strange = [value for value in rule.conclusion if value not in known]
            if strange:
                raise ValueError(f"a rule concludes {strange[0]!r}, which is not among the classes {self.classes}")

    # ---- a sequence -------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __getitem__(self, place):
        """One rule by position; a slice gives a RuleSet."""
        return self._with(self.rules[place]) if isinstance(place, slice) else self.rules[place]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RuleSet):
            return NotImplemented
        return (self.rules, self.decision, self.classes, self.class_counts) == (
            (other.rules, other.decision, other.classes, other.class_counts)
        )

    def __hash__(self) -> int:
        return hash((self.rules, self.decision, self.classes))

    def _with(self, rules: Iterable[Rule], **info: Any) -> RuleSet:
        return RuleSet(rules, self.decision, self.classes, self.class_counts, self.info | info)

    def filter(
        self,
        keep: Callable[[Rule], bool] | None = None,
        *,
        min_support: int = 0,
        concludes: object = None,
        imprecise: bool | None = None,
        attribute: str | None = None,
    ) -> RuleSet:
        """Return the rules that pass every test given.

        Parameters
        ----------
        keep:
            Any function of a rule.
        imprecise:
            Whether there must be several classes in the conclusion, or exactly one.
        """

        def passes(rule: Rule) -> bool:
            return (
                rule.support >= min_support
                and (concludes is None or concludes in rule.conclusion)
                and (imprecise is None or rule.is_imprecise == imprecise)
                and (attribute is None or any(part.attribute == attribute for part in rule.conditions))
                and (keep is None or bool(keep(rule)))
            )

        return self._with(filter(passes, self.rules))

    def sort(self, by: str = "support", *, descending: bool = True) -> RuleSet:
        """Return the rules sorted by one of their measures; ties stay in order.

        Parameters
        ----------
        by:
            The name of a measure, such as ``"support"`` or ``"confidence"``.
        """
        if by not in MEASURES:
            raise ValueError(f"by={by!r} is not a measure of a rule; use one of {', '.join(MEASURES)}")
        return self._with(sorted(self.rules, key=lambda rule: getattr(rule, by), reverse=descending))

    # ---- display ----------------------------------------------------------------------------------------------

    @cached_property
    def frame(self) -> pd.DataFrame:
        """One row per rule: its text, its conclusion, and its measures."""
        cells = [
            (str(rule), rule.premise, rule.conclusion_text, *(getattr(rule, name) for name in MEASURES))
            for rule in self.rules
        ]
        return pd.DataFrame(cells, columns=["rule", "premise", "conclusion", *MEASURES])

    def __str__(self) -> str:
        return "\n".join(f"{rule}  [{rule.support}]" for rule in self.rules) or "no rules"

    def __repr__(self) -> str:
        imprecise = sum(rule.is_imprecise for rule in self.rules)
        return f"RuleSet: {len(self):,} rules about {self.decision!r}, {imprecise:,} of them imprecise"

    def _repr_html_(self) -> str:
        shown = self.frame.head(20).drop(columns=["premise", "conclusion"]).round(3)
        more = f"<p>… and {len(self) - 20:,} more</p>" if len(self) > 20 else ""
        return f"<p><b>{html.escape(repr(self))}</b></p>{shown.to_html(index=False, border=0)}{more}"

    # ---- matching ---------------------------------------------------------------------------------------------

    def conditions_met(self, data: Table | pd.DataFrame) -> np.ndarray:
        """Return for every row and rule, the number of the rule's conditions that hold."""
        from anonnb.rules.induction._matching import count_conditions_met

        table = data if isinstance(data, Table) else Table(data)
        conditions, flat, pointers = self.distinct_conditions
        ranges = CodeRanges(conditions, table)
        codes = np.zeros((len(ranges.names), len(table)), dtype=np.int64)
        for number, name in enumerate(ranges.names):
            codes[number] = table.codes(name)
        asked = (part[flat] for part in (ranges.owner, ranges.low, ranges.high, ranges.mask_at))
        met = np.zeros((len(table), len(pointers) - 1), dtype=np.int32)
        count_conditions_met(codes, pointers, *asked, ranges.masks, met)
        return met

    def matches(self, data: Table | pd.DataFrame) -> np.ndarray:
        """Return which rules match which rows: all their conditions hold.

        >>> from anonnb import load
        >>> from anonnb.rules import mlem2
        >>> mlem2(load("decision6")).matches(load("decision6")).sum(axis=0).tolist()
        [3, 1, 1, 1]
        """
        table = data if isinstance(data, Table) else Table(data)
        conditions, flat, pointers = self.distinct_conditions
        rows = CodeRanges(conditions, table).rows_as_bits()
        packed = np.zeros((len(self.rules), rows.shape[1]), dtype=np.uint8)
        for rule, (begin, end) in enumerate(pairwise(pointers.tolist())):
            np.bitwise_and.reduce(rows[flat[begin:end]], axis=0, out=packed[rule])
        return np.unpackbits(packed, axis=1, count=len(table)).view(bool).T

    @cached_property
    def sizes(self) -> np.ndarray:
        """Number of conditions of each rule."""
        return np.array([rule.specificity for rule in self.rules], dtype=np.int64)

    @cached_property
    def concludes(self) -> np.ndarray:
        """Which classes (columns) each rule concludes."""
        number_of = {value: number for number, value in enumerate(self.classes)}
        result = np.zeros((len(self.rules), len(self.classes)), dtype=bool)
        for number, rule in enumerate(self.rules):
            result[number, [number_of[value] for value in rule.conclusion]] = True
        return result

    def left_classes(self, data: Table | pd.DataFrame) -> np.ndarray:
        """Cl(u|R): the classes that all matching rules leave; none when no rule matches."""
        matches = self.matches(data)
        excluded = matches.astype(np.float32) @ (~self.concludes).astype(np.float32) > 0
        return ~excluded & matches.any(axis=1, keepdims=True)

    def explains(self, data: Table | pd.DataFrame) -> np.ndarray:
        """Return which rows at least one rule matches."""
        return np.asarray(self.matches(data).any(axis=1))

    @cached_property
    def distinct_conditions(self) -> tuple[list[Condition], np.ndarray, np.ndarray]:
        """The distinct conditions; the numbers of all rules' own, rule after rule; and where those of each begin."""
        numbers: dict[Condition, int] = {}
        flat = [numbers.setdefault(part, len(numbers)) for rule in self.rules for part in rule.conditions]
        pointers = np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)
        return list(numbers), np.array(flat, dtype=np.int64), pointers

    # ---- files ------------------------------------------------------------------------------------------------

    def to_json(self, path: str | os.PathLike | None = None) -> str:
        """Write the rules as JSON text, also to a file if a path is given.

        >>> from anonnb import load
        >>> from anonnb.rules import mlem2
        >>> json.loads(mlem2(load("decision6")).to_json())["rules"][0]["then"]
        ['high']
        """
        rules = [
            {
                "if": [_condition_out(part) for part in rule.conditions],
                "then": [_out(value) for value in rule.conclusion],
                "support": rule.support,
                "strength": rule.strength,
            }
            for rule in self.rules
        ]
        content = {
            "decision": self.decision,
            "classes": [_out(value) for value in self.classes],
            "class_counts": list(self.class_counts),
            "rows": self.rules[0].rows if self.rules else sum(self.class_counts),
            "concepts": [rule.concept for rule in self.rules],
            "rules": rules,
        }
        document = json.dumps(content, ensure_ascii=False, indent=1)
        if path is not None:
            with atomic_write(path) as file:
                file.write(document)
        return document


def _out(value: object) -> object:
    return {"date": value.isoformat()} if isinstance(value, pd.Timestamp) else value


def _condition_out(condition: Condition) -> dict:
    parts: dict[str, object] = {"attribute": condition.attribute}
    if condition.values is not None:
        parts["values"] = [_out(value) for value in condition.values]
    for side in ("lower", "upper"):
        if getattr(condition, side) is not None:
            parts[side] = _out(getattr(condition, side))
    return parts
