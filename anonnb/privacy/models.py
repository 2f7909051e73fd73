"""Privacy models to require of groups: of their sizes, and of the sensitive values in them; each names its paper.

A model of sensitive values says for which counts of values a group satisfies it; :mod:`anonnb.privacy.base` does the
counting. Those that compare with a population are in :mod:`anonnb.privacy.population`.
Reading chosen: a limit is strict where the paper's is, and rounding errors decide nothing (``EPSILON``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonnb.core.errors import Message
from anonnb.core.parameters.compound import Names, OneOf, Optional
from anonnb.core.parameters.constraints import POSITIVE, SHARE, Choice, Name, Number
from anonnb.core.parameters.declared import parameter
from anonnb.privacy.base import (
    EPSILON,
    MISSING_SECRET,
    Checker,
    Judge,
    Model,
    SensitiveModel,
    attach_hierarchy,
    people_per_group,
)
from anonnb.privacy.counts import Counts, Reference
from anonnb.privacy.risk_models import RiskModel
from anonnb.tables.table import Table

DISTANCE = Optional(Choice(["equal", "ordered", "hierarchical"]))
COLUMNS = Optional(OneOf(Name(), Names()))
LIKENESS = Choice(["basic", "enhanced"])


@dataclass(frozen=True)
class KAnonymity(Model):
    """Every group has at least k rows, or people where the table names a person (Samarati 2001; Sweeney 2002).

    >>> check = KAnonymity(2).checker(None)
    >>> check(np.array([0, 0, 1]), 2, np.arange(3)).tolist()
    [True, False]
    """

    k: int = parameter(POSITIVE)

    def checker(self, table: Table) -> Checker:
        return lambda groups, n_groups, rows: people_per_group(table, groups, n_groups, rows) >= self.k


@dataclass(frozen=True)
class LDiversity(SensitiveModel):
    """Sensitive values are well represented in every group (Machanavajjhala et al. 2006).

    Parameters
    ----------
    l:
        How many well-represented values a group needs.
    kind:
        What that means for a group of n rows whose values occur r₁ ≥ r₂ ≥ … ≥ r_m times. ``"distinct"``: m ≥ l;
        ``"entropy"``: entropy ≥ log l; ``"recursive"``: r₁ < c · (r_l + … + r_m); ``"frequency"``: r₁ / n < 1 / l.
    c:
        The factor of the recursive kind.
    column:
        One or more sensitive columns; all of them by default.
    missing:
        ``"value"`` treats a missing sensitive value as a value, ``"ignore"`` leaves it out.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"ill": ["flu", "flu", "flu", "cold"]}), sensitive="ill")
    >>> groups, rows = np.array([0, 1, 1, 1]), np.arange(4)
    >>> LDiversity(2).checker(table)(groups, 2, rows).tolist()
    [False, True]
    >>> LDiversity(2, "recursive", c=2).checker(table)(groups, 2, rows).tolist()  # 2 < 2 · 1 does not hold
    [False, False]
    """

    l: float = parameter(Number(at_least=1))  # noqa: E741
    kind: str = parameter(Choice(["distinct", "entropy", "recursive", "frequency"]), default="distinct")
    c: float | None = parameter(Optional(Number(above=0)), default=None)
    column: str | Sequence[str] | None = parameter(COLUMNS, default=None)
    missing: str = parameter(MISSING_SECRET, default="value")

    def _check_parameters(self) -> None:
        if self.kind in ("distinct", "recursive"):
            POSITIVE.validate("l", self.l)
        if self.kind == "recursive" and self.c is None:
            raise ValueError("recursive (c,l)-diversity needs c; try LDiversity(3, 'recursive', c=2)")
        if self.kind != "recursive" and self.c is not None:
            raise ValueError(f"c={self.c!r} belongs to kind='recursive'; leave it out for kind={self.kind!r}")

    def _judge(self, table: Table, name: str, reference: Reference) -> Judge:
        diverse = {
            "distinct": lambda counts: counts.distinct >= self.l,
            "entropy": lambda counts: counts.entropy >= np.log(self.l) - EPSILON,
            "recursive": lambda counts: counts.top < self.c * counts.tail(int(self.l)) - EPSILON,
            "frequency": lambda counts: counts.top * self.l < counts.sizes - EPSILON,
        }[self.kind]
        return lambda counts: diverse(counts) | counts.silent


@dataclass(frozen=True)
class TCloseness(SensitiveModel):
    """The sensitive values of every group are distributed nearly as in the table: distance ≤ t (Li et al. 2007).

    Parameters
    ----------
    t:
        The largest distance allowed, 0 to 1.
    distance:
        ``"equal"`` (all values equally far apart), ``"ordered"`` (neighbours in the order are close; a missing value
        comes last) or ``"hierarchical"`` (values under one label are close; needs a hierarchy). None takes ordered for
        numeric and ordinal columns and equal for nominal ones.
    column:
        One or more sensitive columns; all of them by default.
    missing:
        ``"value"`` treats a missing sensitive value as a value, ``"ignore"`` leaves it out.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"pay": [1, 2, 3, 4]}), sensitive="pay")
    >>> TCloseness(0.34).checker(table)(np.array([0, 0, 1, 1]), 2, np.arange(4)).tolist()  # (¼ + ½ + ¼) / 3
    [True, True]
    >>> TCloseness(0.34, "equal").checker(table)(np.array([0, 0, 1, 1]), 2, np.arange(4)).tolist()  # ½
    [False, False]
    """

    relative: ClassVar[bool] = True

    t: float = parameter(Number(at_least=0, at_most=1))
    distance: str | None = parameter(DISTANCE, default=None)
    column: str | Sequence[str] | None = parameter(COLUMNS, default=None)
    missing: str = parameter(MISSING_SECRET, default="value")

    def _check_column(self, table: Table, name: str) -> None:
        if self.distance == "hierarchical" and table.attributes[name].hierarchy is None:
            needed = f"t-closeness with the hierarchical distance needs a hierarchy of column {name!r}"
            raise ValueError(Message(needed, attach_hierarchy(name)))

    def _reference(self, table: Table, name: str) -> Reference:
        maps = table.attributes[name].levels.maps if self.distance == "hierarchical" else None
        return Reference.of_table(table, name, self.missing, maps)

    def _judge(self, table: Table, name: str, reference: Reference) -> Judge:
        distance = distance_for(self.distance, table.attributes[name].kind)
        return lambda counts: distance(counts, reference) <= self.t + EPSILON


@dataclass(frozen=True)
class AlphaK(SensitiveModel):
    """(α,k)-anonymity: groups of at least k people in which no value's share exceeds α (Wong et al. 2006).

    Parameters
    ----------
    column:
        One or more sensitive columns; all of them by default.
    missing:
        ``"value"`` treats a missing sensitive value as a value, ``"ignore"`` leaves it out.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"ill": ["flu", "flu", "cold", "cold"]}), sensitive="ill")
    >>> AlphaK(0.5, 2).checker(table)(np.array([0, 1, 0, 1]), 2, np.arange(4)).tolist()
    [True, True]
    """

    alpha: float = parameter(SHARE)
    k: int = parameter(POSITIVE)
    column: str | Sequence[str] | None = parameter(COLUMNS, default=None)
    missing: str = parameter(MISSING_SECRET, default="value")

    def _judge(self, table: Table, name: str, reference: Reference) -> Judge:
        return lambda counts: (counts.top <= self.alpha * counts.sizes + EPSILON) & (counts.everybody >= self.k)


@dataclass(frozen=True)
class DeltaDisclosure(SensitiveModel):
    """δ-disclosure privacy: ``|ln(q / p)| < δ`` for every value of the table (Brickell & Shmatikov 2008).

    q is a value's share in the group, p its share in the table. The definition covers every value: a group that lacks
    one (q = 0) fails for every δ.

    Parameters
    ----------
    column:
        One or more sensitive columns; all of them by default.
    missing:
        ``"value"`` treats a missing sensitive value as a value, ``"ignore"`` leaves it out.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"ill": ["flu", "cold", "flu", "cold", "flu"]}), sensitive="ill")
    >>> DeltaDisclosure(0.3).checker(table)(np.array([0, 0, 1, 1, 1]), 2, np.arange(5)).tolist()
    [True, True]
    """

    relative: ClassVar[bool] = True

    delta: float = parameter(Number(above=0))
    column: str | Sequence[str] | None = parameter(COLUMNS, default=None)
    missing: str = parameter(MISSING_SECRET, default="value")

    def _judge(self, table: Table, name: str, reference: Reference) -> Judge:
        def judge(counts: Counts) -> np.ndarray:
            change = np.abs(np.log1p(counts.gain(reference)))
            every = counts.values == reference.size
            return ((counts.largest(change) < self.delta - EPSILON) & every) | counts.silent

        return judge


@dataclass(frozen=True)
class BetaLikeness(SensitiveModel):
    """β-likeness: no value's share rises by more than β times its share in the table (Cao & Karras 2012).

    Parameters
    ----------
    kind:
        With p in the table and q > p in the group, ``"basic"`` requires (q − p) / p ≤ β and ``"enhanced"`` requires (q
        − p) / p ≤ min(β, −ln p), so that frequent values cannot become certain.
    column:
        One or more sensitive columns; all of them by default.
    missing:
        ``"value"`` treats a missing sensitive value as a value, ``"ignore"`` leaves it out.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"ill": ["flu", "flu", "cold", "cold"]}), sensitive="ill")
    >>> groups, rows = np.array([0, 0, 1, 1]), np.arange(4)
    >>> BetaLikeness(1).checker(table)(groups, 2, rows).tolist()  # (1 − ½) / ½ = 1
    [True, True]
    >>> BetaLikeness(1, "enhanced").checker(table)(groups, 2, rows).tolist()  # but −ln ½ = 0.69
    [False, False]
    """

    relative: ClassVar[bool] = True

    beta: float = parameter(Number(above=0))
    kind: str = parameter(LIKENESS, default="basic")
    column: str | Sequence[str] | None = parameter(COLUMNS, default=None)
    missing: str = parameter(MISSING_SECRET, default="value")

    def _judge(self, table: Table, name: str, reference: Reference) -> Judge:
        limit = np.full(reference.size, float(self.beta))
        if self.kind == "enhanced":
            limit = np.minimum(limit, -np.log(reference.share))
        return lambda counts: counts.largest(counts.gain(reference) - limit[counts.value] > EPSILON) == 0


class GroupCheck:
    """Test many groups at once: at least ``k`` people (rows, if the table names no person), and every required model.

    >>> import pandas as pd
    >>> check = GroupCheck(Table(pd.DataFrame({"zip": [1, 1, 2]}), quasi=["zip"]), k=2)
    >>> check(np.array([0, 0, 1]), 2).tolist()
    [True, False]
    """

    def __init__(self, table: Table, k: int, require: Sequence[Model] = ()):
        self._table, self._rows = table, np.arange(len(table))
        self._relative = [model for model in require if isinstance(model, SensitiveModel) and model.relative]
        self._models = (KAnonymity(k), *(model for model in require if not isinstance(model, RiskModel)))
        self._checkers = [model.checker(table) for model in self._models]

    def __call__(self, groups: np.ndarray, n_groups: int, rows: np.ndarray | None = None) -> np.ndarray:
        """Return a flag per group; ``rows`` are the table's rows that ``groups`` numbers (all by default)."""
        rows = self._rows if rows is None else rows
        good = np.ones(n_groups, dtype=bool)
        for check in self._checkers:
            good &= check(groups, n_groups, rows)
        return good

    def missed_by_all(self) -> list[Model]:
        """Return the models that the whole table misses as one group, so that joining groups cannot help.

        >>> import pandas as pd
        >>> table = Table(pd.DataFrame({"zip": [1, 2], "ill": ["flu", "flu"]}), quasi=["zip"], sensitive=["ill"])
        >>> [str(model) for model in GroupCheck(table, k=2, require=[LDiversity(2)]).missed_by_all()]
        ['LDiversity(l=2)']
        """
        whole = np.zeros(len(self._table), dtype=np.int64)
        checked = zip(self._models, self._checkers, strict=True)
        return [model for model, check in checked if not check(whole, 1, self._rows).all()]

    def kept(self, groups: np.ndarray, n_groups: int, rows: np.ndarray | None = None) -> np.ndarray:
        """Return a flag per group that can be published when the others, and all but ``rows``, are withheld.

        Withholding changes the distribution that a reader compares with, and so may make further groups fail.

        >>> import pandas as pd
        >>> check = GroupCheck(Table(pd.DataFrame({"zip": [1, 1, 2]}), quasi=["zip"]), k=2)
        >>> check.kept(np.array([0, 0, 1]), 2).tolist()
        [True, False]
        """
        rows = self._rows if rows is None else rows
        good = self(groups, n_groups, rows)
        while self._relative and good.any() and not (good.all() and len(rows) == len(self._table)):
            published = np.flatnonzero(good[groups])
            before = int(good.sum())
            for model in self._relative:
                check = model.checker(model._secrets(self._table).take(rows[published]))
                good &= check(groups[published], n_groups, np.arange(len(published)))
            if int(good.sum()) == before:
                break
        return good


def distance_for(distance: str | None, kind: str) -> Callable[[Counts, Reference], np.ndarray]:
    """Return the distance by name; None chooses it by the kind of the column."""
    name = distance or ("equal" if kind == "nominal" else "ordered")
    return {
        "equal": Counts.equal_distance,
        "ordered": Counts.ordered_distance,
        "hierarchical": Counts.hierarchical_distance,
    }[name]
