"""A table against a release: the distinct people, the distinct rows, and who fits which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np

from anonnb.core.arrays import first_places, group_ids
from anonnb.tables.matching.distinct_rows import DistinctRows, spans
from anonnb.tables.matching.overlaps import Overlaps
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

KEPT = 4  # matchings that are shared at most: attacks on members and on a control, and two more

_SHARED: ContextVar[dict | None] = ContextVar("matchings", default=None)


@contextmanager
def shared_matchings() -> Iterator[None]:
    """Share the work of matching the same people with the same release by the same columns, while inside.

    >>> import anonnb
    >>> table = anonnb.load("decision6")
    >>> release = Release.of(table)
    >>> with shared_matchings():
    ...     Matching.of(release, table, ["occupation"]) is Matching.of(release, table, ["occupation"])
    True
    """
    token = _SHARED.set({})
    try:
        yield
    finally:
        _SHARED.reset(token)


class Matching(Overlaps):
    """The distinct people of a table against the distinct rows of a release.

    ``case`` numbers the distinct person that each person is and ``first_person`` is one of them; ``people_per_case``
    counts them. ``published`` are the distinct rows, ``rows_per_kind`` their numbers. A value that the release's domain
    lacks fits no row.

    Parameters
    ----------
    tolerance:
        For some columns, how far a number may be from the published one.

    Examples
    --------
    >>> import anonnb
    >>> table = anonnb.load("decision6")
    >>> found = Matching(Release.of(table), table, ["occupation"])
    >>> rows, people = found.totals([found.rows_per_kind], [found.people_per_case])
    >>> rows[0][found.case].astype(int).tolist()
    [4, 4, 4, 2, 2, 4]
    >>> found.own_rows(np.array([0, 3]), np.array([0, 0])).tolist()
    [True, False]
    """

    def __init__(
        self, release: Release, people: Table, known: Sequence[str], tolerance: Mapping[str, float] | None = None
    ):
        codes = [people.codes(name) for name in known]
        self.case, self.n_cases = group_ids(codes, [people.attributes[name].size for name in known])
        self.first_person = first_places(self.case, self.n_cases)
        self.people_per_case = np.bincount(self.case, minlength=self.n_cases)
        self.published = DistinctRows(release, known)
        self.rows_per_kind = np.bincount(self.published.kind, minlength=len(self.published))
        self._of_people = []
        for name, column in zip(known, codes, strict=True):
            sets = spans(people, release, name, (tolerance or {}).get(name))
            self._of_people.append(Column(sets, column))
        self._of_release = [release.columns[name] for name in known]
        firsts = [column.take(self.first_person) for column in self._of_people]
        super().__init__(firsts, [self.published.column(name) for name in known])

    @classmethod
    def of(
        cls, release: Release, people: Table, known: Sequence[str], tolerance: Mapping[str, float] | None = None
    ) -> Matching:
        """Return a matching; inside :func:`shared_matchings`, one that was made before if there is one."""
        kept = _SHARED.get()
        if kept is None:
            return cls(release, people, known, tolerance)
        key = id(release), id(people), tuple(known), frozenset((tolerance or {}).items())
        if key not in kept:
            if len(kept) >= KEPT:
                del kept[next(iter(kept))]  # the oldest
            kept[key] = cls(release, people, known, tolerance), release, people  # which keeps their ids
        return kept[key][0]

    def own_rows(self, people: np.ndarray, published: np.ndarray) -> np.ndarray:
        """Return, for each person, whether they fit the published row at the same position."""
        columns = [column.take(people) for column in self._of_people]
        return Overlaps(columns, self._of_release).pairs(np.arange(len(people)), published)
