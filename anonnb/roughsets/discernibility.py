"""Discernibility (Skowron and Rauszer 1992): which attributes tell two rows apart, and the function they form.

Idea: every pair of rows that must stay distinct gives a clause, the attributes that tell them apart; the prime
implicants of all clauses together are the reducts. Reading: rows stay distinct so that each keeps its generalized
decision, the classes of all rows related to it (``keep="decision"``), or only so that rows of the positive region stay
in it (``keep="region"``); in a consistent table the two are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from anonnb.core.arrays import distinct_rows, first_places, group_ids
from anonnb.core.progress import ticks
from anonnb.roughsets.approximations import decision_flags, ready
from anonnb.roughsets.implicants import by_greed, minimal, prime_implicants
from anonnb.roughsets.relations import (
    PAIRS_AT_ONCE,
    are_related,
    kinds_of,
    number_of_pairs,
    related_pairs,
    resolved,
    set_numbers,
    sums_over_relatives,
)
from anonnb.steps.recording import listening, note
from anonnb.tables.release import Release
from anonnb.tables.table import Table

KEEPS = ("decision", "region")
MAX_ROWS_OF_A_MATRIX = 200
MAX_PAIRS = 2_000_000_000


@dataclass(frozen=True, eq=False)
class DiscernibilityFunction:
    """Conjunction of clauses, each a set of attributes of which one must be kept; none contains another.

    ``clauses`` has a row of flags per clause. Its prime implicants are the reducts.
    """

    names: list[str]
    clauses: np.ndarray

    def __str__(self) -> str:
        named = [self._named(clause) for clause in self.clauses]
        return " ∧ ".join(f"({' ∨ '.join(names)})" if len(names) > 1 else names[0] for names in named) or "⊤"

    @cached_property
    def core(self) -> list[str]:
        """The attributes that are clauses by themselves: every reduct contains them."""
        return self._named(self.clauses[self.clauses.sum(axis=1) == 1].any(axis=0))

    @property
    def frame(self) -> pd.DataFrame:
        """A row per clause."""
        return pd.DataFrame({"clause": [" ∨ ".join(self._named(clause)) for clause in self.clauses]})

    def reducts(self, limit: int = 20_000) -> list[list[str]]:
        """Return the prime implicants, shortest first; raise if there are more than ``limit`` partial ones."""
        sets = prime_implicants(self.clauses, limit, self.names)
        order = sorted(range(len(sets)), key=lambda index: (sets[index].sum(), (~sets[index]).tolist()))
        return [self._named(sets[index]) for index in order]

    def johnson(self) -> list[str]:
        """Return one reduct by Johnson's greedy search: the attribute in most clauses first; drop redundant ones."""
        return self._named(by_greed(self.clauses, self.names))

    def _named(self, flags: np.ndarray) -> list[str]:
        return [name for name, flag in zip(self.names, flags, strict=True) if flag]


def discernibility_function(
    data: Table | Release,
    attributes: Sequence[str] | None = None,
    *,
    relation: str = "equal",
    keep: str = "decision",
    row: int | None = None,
    relative: bool = True,
    max_rows: int = 100_000,
    max_pairs: int = MAX_PAIRS,
) -> DiscernibilityFunction:
    """Return what must be kept so that rows with different decisions stay distinct; it prints as a formula.

    Parameters
    ----------
    keep:
        ``"decision"``: the generalized decision of every row; ``"region"``: the positive region.
    row:
        Only this row must be told apart from others: the prime implicants are its object-relative reducts.
    relative:
        False: every two different rows must stay distinct, whatever their decision.
    max_rows, max_pairs:
        Limits on the work: different rows, and pairs of them that agree in the whole core.

    Examples
    --------
    >>> from anonnb import load
    >>> print(discernibility_function(load("decision6"), row=0))
    occupation ∧ (sex ∨ domicile)
    """
    release, names = ready(data, attributes)
    wanted = _Wanted.of(release, names, relation, keep, relative)
    if len(wanted) > max_rows:
        raise ValueError(
            f"all reducts of {len(wanted):,} different rows need every pair of them compared; "
            f"raise max_rows={max_rows:,}, name fewer attributes, or use reduct for one of them"
        )
    only = None if row is None else wanted.place(row)
    function = DiscernibilityFunction(names, _clauses(wanted, only, max_pairs))
    if listening() and len(release) <= MAX_ROWS_OF_A_MATRIX:
        matrix = _matrix(wanted, names, release)
        below = matrix.where(np.tri(len(matrix), k=-1, dtype=bool), "").iloc[1:, :-1]
        sentence = "Each cell lists the attributes in which two rows differ; it is blank if they need not stay apart."
        note("Compare every two rows", sentence, below)
        imply = "This demand implies" if len(function.clauses) == 1 else f"These {len(function.clauses)} demands imply"
        demands = function.frame["clause"].str.replace(" ∨ ", " or ")
        sentence = f"Each filled cell demands that one of its attributes be kept. {imply} all the others."
        note("Keep the demands that matter", sentence, pd.DataFrame({"keep": demands}))
    return function


def discernibility_matrix(
    data: Table | Release,
    attributes: Sequence[str] | None = None,
    *,
    relation: str = "equal",
    keep: str = "decision",
    relative: bool = True,
) -> pd.DataFrame:
    """Return for every two rows the attributes that tell them apart; blank if they need not stay distinct.

    Parameters
    ----------
    keep:
        ``"decision"``: the generalized decision of every row; ``"region"``: the positive region.
    relative:
        False: every two different rows must stay distinct, whatever their decision.

    Examples
    --------
    >>> from anonnb import load
    >>> discernibility_matrix(load("decision6"), ["sex", "occupation"]).loc["o1", "o4"]
    'sex, occupation'
    """
    release, names = ready(data, attributes)
    if len(release) > MAX_ROWS_OF_A_MATRIX:
        raise ValueError(
            f"a matrix of {len(release):,} rows cannot be read; take at most {MAX_ROWS_OF_A_MATRIX} of them, "
            "or use discernibility_function"
        )
    return _matrix(_Wanted.of(release, names, relation, keep, relative), names, release)


def _matrix(wanted: _Wanted, names: list[str], release: Release) -> pd.DataFrame:
    one, other = np.nonzero(np.ones((len(wanted), len(wanted)), dtype=bool))
    asked = wanted.must_differ(one, other) | wanted.must_differ(other, one)
    apart = wanted.apart(one, other) | wanted.apart(other, one)
    listed = np.array(names, dtype=object)
    texts = [", ".join(listed[flags]) if ask else "" for flags, ask in zip(apart, asked, strict=True)]
    cells = np.array(texts, dtype=object).reshape(len(wanted), len(wanted))
    index = pd.RangeIndex(len(release)) if release.rows is None else release.table.index[release.rows]
    return pd.DataFrame(cells[np.ix_(wanted.kind, wanted.kind)], index=index, columns=index)


# ---- pairs that must stay distinct --------------------------------------------------------------------------------


class _Wanted:
    """Different rows of a release, and which of them must stay distinct from which."""

    def __init__(self, release: Release, names: list[str], relation: str, flags: np.ndarray, keep: str):
        opened, self.relation = resolved(release, names, relation)
        self.names = names
        reach = sums_over_relatives(opened, names, self.relation, flags) > 0
        if self.relation == "equal":
            flags = reach  # rows of one kind must stay distinct from the same rows
        _, conditions = distinct_rows(np.packbits(flags, axis=1))
        cells, count = kinds_of(opened, names)
        self.kind, count = group_ids([cells, conditions])
        first = first_places(self.kind, count)
        self.rows, self.flags, self.reach = opened.take(first), flags[first], reach[first]
        self.columns = [self.rows.columns[name] for name in names]
        self._own, self._reach = _numbered(self.flags), _numbered(self.reach)
        # a row asks to be kept apart from others when it has something to keep
        self.asking = self.reach.sum(axis=1) == 1 if keep == "region" else np.ones(count, dtype=bool)

    @classmethod
    def of(cls, release: Release, names: list[str], relation: str, keep: str, relative: bool) -> _Wanted:
        if keep not in KEEPS:
            raise ValueError(f"keep={keep!r} is not known; use 'decision' or 'region'")
        if relative:
            return cls(release, names, relation, decision_flags(release), keep)
        columns = {name: release.columns[name] for name in names}
        plain = Release(release.table.select(names), columns, release.rows)
        return cls(plain, names, relation, decision_flags(plain), keep)

    def __len__(self) -> int:
        return len(self.asking)

    def place(self, row: int) -> int:
        if not 0 <= row < len(self.kind):
            raise ValueError(f"row={row} is not a row; the {len(self.kind)} rows are numbered from 0")
        return int(self.kind[row])

    def must_differ(self, ones: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Tell whether the first would get a new class if it were related to the second."""
        (kinds, sets), (reaching, reached) = self._own, self._reach
        if (sets.sum(axis=1) == 1).all() and (reached.sum(axis=1) == 1).all():
            new = sets.argmax(axis=1)[kinds[others]] != reached.argmax(axis=1)[reaching[ones]]
        else:
            outside = sets.astype(np.float32) @ (~reached).T.astype(np.float32) > 0
            new = outside[kinds[others], reaching[ones]]
        return new & self.asking[ones]

    def apart(self, ones: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return which attributes tell each pair apart: pairs × attributes."""
        if self.relation == "equal":
            cells = self._numbers
            return cells[ones] != cells[others]
        return np.column_stack([~are_related(column, ones, others, self.relation) for column in self.columns])

    @cached_property
    def _numbers(self) -> np.ndarray:
        return np.column_stack([set_numbers(column).astype(np.int32) for column in self.columns])


def _numbered(flags: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of each row's set of classes, and the different sets."""
    first, numbers = distinct_rows(np.packbits(flags, axis=1))
    return numbers, flags[first]


def _clauses(wanted: _Wanted, only: int | None, max_pairs: int) -> np.ndarray:
    """Return the clauses that imply all others; only pairs that agree in the whole core can add to its clauses."""
    width = len(wanted.names)
    if not width or not len(wanted):
        return np.zeros((0, width), dtype=bool)
    if only is not None:
        others = np.arange(len(wanted))
        return _gathered(wanted, [(np.full(len(wanted), only), others)])
    core = _core(wanted)
    columns = [column for column, flag in zip(wanted.columns, core, strict=True) if flag]
    limit = max(PAIRS_AT_ONCE * 16 // width, 1)
    if not columns or wanted.relation == "equal":
        pairs = number_of_pairs(*_agreeing(columns, len(wanted)))
        if pairs > max_pairs:
            raise ValueError(
                f"all reducts need {pairs:,} pairs of rows compared; raise max_pairs={max_pairs:,}, "
                "name fewer attributes, or use reduct for one of them"
            )
    clauses = _gathered(wanted, ticks(related_pairs(columns, len(wanted), wanted.relation, limit), "pairs of rows"))
    return minimal(np.concatenate([np.eye(width, dtype=bool)[core], clauses]))


def _agreeing(columns: Sequence, rows: int) -> tuple[np.ndarray, int]:
    return group_ids([set_numbers(column) for column in columns] or [np.zeros(rows, dtype=np.int64)])


def _gathered(wanted: _Wanted, pairs: Iterable) -> np.ndarray:
    """Return the minimal clauses of many pairs."""
    clauses = np.zeros((0, len(wanted.names)), dtype=bool)
    for ones, others in pairs:
        asked = wanted.must_differ(ones, others)
        apart = wanted.apart(ones[asked], others[asked])
        apart = apart[apart.any(axis=1)]
        first, _ = distinct_rows(np.packbits(apart, axis=1))
        clauses = minimal(np.concatenate([clauses, apart[first]]))
    return clauses


def _core(wanted: _Wanted) -> np.ndarray:
    """Flag the attributes that alone tell some pair apart: without them a row would get a new class."""
    core = np.zeros(len(wanted.names), dtype=bool)
    for index in ticks(range(len(core)), "attributes"):
        rest = [*wanted.names[:index], *wanted.names[index + 1 :]]
        reach = sums_over_relatives(wanted.rows, rest, wanted.relation, wanted.flags) > 0
        core[index] = ((reach & ~wanted.reach).any(axis=1) & wanted.asking).any()
    return core
