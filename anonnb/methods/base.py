"""What all anonymization methods share: a frozen dataclass of parameters and one verb, ``anonymize``.

Parameters are checked when the method is made, the table before the work starts, and the release before it is
handed out: a method that cannot keep its promise raises Infeasible instead of returning less.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import singledispatch
from typing import ClassVar

from anonnb import privacy
from anonnb.core import remedies
from anonnb.core.card import Card
from anonnb.core.errors import Infeasible, Message, advice
from anonnb.core.parameters.compound import Instances
from anonnb.core.parameters.constraints import POSITIVE
from anonnb.core.parameters.declared import Parameters, parameter
from anonnb.core.progress import Progress, no_progress, watched_by
from anonnb.core.wording import counted
from anonnb.methods.limits import check_limits, column_above, in_parts, limited, needs_parts
from anonnb.methods.promises import Anonymity, GroupAnonymity, Promise
from anonnb.privacy.minimality import Minimality
from anonnb.steps import recording
from anonnb.steps.step import Steps
from anonnb.tables.mined_results import Mined
from anonnb.tables.release import Release
from anonnb.tables.table import Table

ALL_ROLES = frozenset({"quasi", "sensitive", "decision", "other"})


@dataclass(frozen=True)
class Method(Parameters):
    """Base of all methods. Subclasses add parameters and implement ``_anonymize(table, progress)``.

    ``publishes`` says what comes out: a ``"table"`` (a Release), or mined results: ``"itemsets"``, ``"tree"``.
    ``promised`` is the kind of promise it makes, ``card`` its guarantee card. ``needs_decision`` methods take the
    decision column into account and refuse a table without one. ``hides_sensitive`` methods publish no sensitive
    values. ``uses_hierarchies`` methods read the levels of hierarchies; to others a hierarchy is at most an order of
    values. ``changes`` names the roles of the columns whose cells it may change ("other": columns without a role), and
    ``most_values`` how many values a quasi-identifier may have at most. ``truthful`` methods publish no cell that
    excludes the row's own value; ``order_matters`` ones break ties by position, so that the same rows in another order
    may be published otherwise; those that are not ``repeatable`` draw noise that no seed repeats. Methods that promise
    something about counts of rows and cannot count people instead set
    ``counts_people`` to False: they refuse a table in which somebody has several rows. ``secrets_apart`` methods
    publish secrets per group of people, in a second file. ``strength`` names the parameter that the explorer sets: how
    strong the protection is. ``rows_in_seconds`` tells up to how many rows a person may wait for it (the explorer
    offers it), and ``rows_in_minutes`` up to how many a comparison takes it along unasked. ``exempt`` names properties
    of :func:`anonnb.testing.check_method` that a class is not asked for, each with the reason. ``uses_weights`` methods
    read the weights of columns. ``keeps_limits`` says how a method keeps to ``table.limits``: ``"levels"`` (it reads
    ``attribute.usable``), ``"parts"`` (it is run on each part of the table that may be one group) or not at all: then
    it refuses, unless it is not truthful and publishes single values.
    """

    publishes: ClassVar[str] = "table"
    promised: ClassVar[type[Promise]] = Promise
    card: ClassVar[Card] = Card()
    needs_decision: ClassVar[bool] = False
    hides_sensitive: ClassVar[bool] = False
    uses_hierarchies: ClassVar[bool] = False
    changes: ClassVar[frozenset[str]] = frozenset({"quasi"})
    most_values: ClassVar[float] = math.inf
    counts_people: ClassVar[bool] = True
    truthful: ClassVar[bool] = True
    order_matters: ClassVar[bool] = False
    repeatable: ClassVar[bool] = True
    secrets_apart: ClassVar[bool] = False
    strength: ClassVar[str] = "k"
    uses_weights: ClassVar[bool] = False
    keeps_limits: ClassVar[str] = ""
    exempt: ClassVar[Mapping[str, str]] = {}
    rows_in_seconds: ClassVar[int] = 3_000
    rows_in_minutes: ClassVar[float] = math.inf

    @property
    def promise(self) -> Promise:
        """What this method guarantees of what it publishes."""
        return self.promised.of(self)

    def anonymize(self, table: Table, *, progress: Progress | None = None) -> Release:
        """The release of a table. ``progress=tqdm`` shows a bar for long work."""
        return anonymized(table, self, progress or no_progress)

    def steps(self, table: Table, *, most: int = recording.MOST) -> Steps:
        """How the release of a table comes about, step by step; the state of the last step is the release.

        The algorithm itself tells its steps. Of a long run at most ``most`` are kept, evenly, and the run says so.

        >>> from anonnb import load
        >>> from anonnb.methods import Mondrian
        >>> Mondrian(k=10).steps(load("survey"))[-1].sentence
        'Mondrian(k=10) publishes 66 rows in 4 classes, the smallest of 10.'
        """
        return recording.of(self.anonymize, table, most=most, last=self._last_step)

    def _last_step(self, release: Release) -> tuple[str, str]:
        if isinstance(release, Mined):
            return "The published results", f"{self} publishes {len(release.frame):,} {release.what}."
        classes = counted(release.n_groups, "class", "classes")
        least = f", the smallest of {release.group_sizes.min():,}" if release.n_groups > 1 else ""
        return "The release", f"{self} publishes {counted(len(release), 'row')} in {classes}{least}."

    def _warn_of_weights(self, table: Table) -> None:
        names = [name for name in table.quasi if name in table.weights]
        if names and not self.uses_weights:
            warnings.warn(
                f"{type(self).__name__} treats all columns alike: the weight of column {names[0]!r} counts in measures "
                "such as NCP only",
                stacklevel=5,
            )

    def told(self, release: Release) -> list[str]:
        """What a person should know of a release beside its figures, such as the levels that were chosen."""
        return []

    def minimality(self, release: Release) -> Minimality | None:
        """What is known of why this release is not finer; None where nothing is."""
        return None

    def _check_table(self, table: Table) -> None:
        if len(table) == 0:
            raise Infeasible("the table has no rows")
        if self.needs_decision and table.decision is None:
            name_it = advice("; name it: ", remedies.role("decision"))
            raise ValueError(Message(f"{type(self).__name__} needs a decision column", name_it))
        if table.people_repeat and not self.counts_people:
            others = advice(", or use ", *(remedies.method(name) for name in ("Mondrian", "FullDomain")))
            raise ValueError(
                Message(
                    f"{type(self).__name__} counts rows, not people, and the {len(table):,} rows are those of "
                    f"{table.n_people:,} people; keep one row of each",
                    others,
                )
            )

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        raise NotImplementedError


@singledispatch
def anonymized(table: object, method: Method, progress: Progress) -> Release:
    """The release that a method makes of a table; other kinds of tables (on a cluster, say) register their own way."""
    raise TypeError(f"anonymize needs an anonnb.Table, not {type(table).__name__}; wrap it: Table(frame, quasi=[…])")


@anonymized.register
def _in_memory(table: Table, method: Method, progress: Progress) -> Release:
    method._check_table(table)
    check_limits(type(method).__name__, table, method.keeps_limits, method.truthful)
    method._warn_of_weights(table)
    with watched_by(progress):
        if limited(table) and needs_parts(method):
            release = in_parts(table, lambda part: _of_part(part, method, progress))
        else:
            release = method._anonymize(table, progress)
    if not isinstance(release, Release | Mined):
        name = type(method).__name__
        raise TypeError(f"{name}._anonymize returned {type(release).__name__}, not a Release or a mined result")
    if isinstance(release, Release) and release.method is None:
        release.method = method
    method.promise.check(release)
    above = column_above(table, release) if isinstance(release, Release) else None
    if above is not None:
        raise Infeasible(f"{method} went above the limit of column {above!r}; raise it, or use another method", best=0)
    return release


def _of_part(part: Table, method: Method, progress: Progress) -> Release:
    method._check_table(part)
    return method._anonymize(part, progress)


@dataclass(frozen=True)
class KMethod(Method):
    """A method that gives every published row at least ``k - 1`` others with the same quasi-identifier."""

    promised: ClassVar[type[Promise]] = Anonymity
    counts_people: ClassVar[bool] = False

    k: int = parameter(POSITIVE, default=2)

    @property
    def requirements(self) -> tuple[privacy.Model, ...]:
        """All models that every group must satisfy beside its size."""
        return ()

    def _check_table(self, table: Table) -> None:
        super()._check_table(table)
        if not table.quasi:
            name_them = advice("; name its columns: ", remedies.role("quasi"))
            raise ValueError(Message("the table has no quasi-identifier", name_them))
        count, unit = table.n_people, "people" if table.people_repeat else "rows"
        if count < self.k:
            raise Infeasible(
                f"k = {self.k} needs at least {self.k} {unit}; the table has {count}",
                best=count,
                remedies=[remedies.parameter("k", count)] if count > 1 and not self.requirements else [],
            )


@dataclass(frozen=True)
class GroupMethod(KMethod):
    """A method that makes groups of rows; ``require`` holds further privacy models that every group must satisfy."""

    promised: ClassVar[type[Promise]] = GroupAnonymity
    counts_people: ClassVar[bool] = True

    require: tuple[privacy.Model, ...] = parameter(
        Instances(privacy.Model, "privacy model", advice="use e.g. LDiversity(3)"), default=()
    )

    def _check_table(self, table: Table) -> None:
        super()._check_table(table)
        for model in self.requirements:
            model.check_table(table)

    @property
    def requirements(self) -> tuple[privacy.Model, ...]:
        """All models that every group must satisfy beside its size."""
        return self.require

    def group_check(self, table: Table) -> privacy.GroupCheck:
        """A fast test of many groups at once: at least k rows (people, where they repeat) and every required model."""
        return privacy.GroupCheck(table, self.k, self.requirements)

    def further_check(self, table: Table) -> privacy.GroupCheck | None:
        """The same test, or None where counting the rows of a group says it all."""
        return self.group_check(table) if self.requirements or table.people_repeat else None
