"""What all anonymization methods share: a frozen dataclass of parameters and one verb, ``anonymize``.

Parameters are checked when the method is made, the table before the work starts, and the release before it is
handed out: a method that cannot keep its promise raises Infeasible instead of returning less.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import TYPE_CHECKING, Any, ClassVar

from anonnb import privacy
from anonnb.core import remedies
from anonnb.core.card import Card
from anonnb.core.errors import Infeasible, Message, advice
from anonnb.core.parameters.compound import Instances
from anonnb.core.parameters.constraints import POSITIVE
from anonnb.core.parameters.declared import Parameters, parameter
from anonnb.core.progress import Progress, no_progress, watched_by
from anonnb.core.wording import pluralize
from anonnb.methods.limits import check_limits, column_above, in_parts, limited
from anonnb.methods.promises import Anonymity, GroupAnonymity, Promise
from anonnb.privacy.base import SensitiveModel
from anonnb.privacy.risk_models import PopulationCount, RiskModel
from anonnb.steps import recording
from anonnb.steps.step import Steps
from anonnb.tables.mined_results import Mined
from anonnb.tables.release import Release
from anonnb.tables.roles import survey_remark
from anonnb.tables.table import Table

if TYPE_CHECKING:
    import numpy as np

    from anonnb.privacy.base import Minimality
    from anonnb.privacy.likelihoods import Likelihood

ALL_ROLES = frozenset({"quasi", "sensitive", "decision", "other"})


@dataclass(frozen=True)
class Method(Parameters):
    """Base of all methods: subclasses add parameters and implement ``_anonymize(table, progress)``.

    What a class says about itself in its attributes is read by checks, comparisons, the explorer and the command line.

    Notes
    -----
    - ``publishes``: What comes out: a ``"table"`` (a :class:`~anonnb.Release`), or mined results: ``"itemsets"``,
      ``"tree"``.
    - ``promised``, ``card``: The kind of promise it makes, and its guarantee card.
    - ``needs_decision``: It takes the decision column into account and refuses a table without one.
    - ``hides_sensitive``, ``secrets_apart``: It publishes no sensitive values; or it publishes them per group, in a
      second file.
    - ``uses_hierarchies``, ``uses_weights``: It reads the levels of hierarchies (to other methods a hierarchy is at
      most an order of values); the weights of columns.
    - ``changes``: The roles of the columns whose cells it may change; ``"other"`` are columns without a role.
    - ``most_values``: The largest number of values that a quasi-identifier may have.
    - ``truthful``: It publishes no cell that excludes the row's own value.
    - ``order_matters``, ``repeatable``: It breaks ties by position, so that other orders of the rows may give other
      releases; False where it draws noise that no seed repeats.
    - ``counts_people``: False where it promises something about rows and cannot count people instead: it refuses a
      table in which a person has several rows.
    - ``strength``: The parameter that sets how strong the protection is; the explorer offers it.
    - ``rows_in_seconds``, ``rows_in_minutes``: The largest tables for which the explorer offers the method, and for
      which a comparison includes it unasked.
    - ``exempt``: Properties of :func:`anonnb.testing.check_method` that the class is not asked for, each with the
      reason.
    - ``keeps_limits``: How it keeps to ``table.limits``: ``"levels"`` (it reads ``attribute.usable``), ``"parts"`` (it
      runs on each part of the table that may be one group), or ``""``: it refuses a table with limits, unless it is not
      truthful and publishes single values.
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
        """Make the release of a table.

        Parameters
        ----------
        table:
            The table to publish, with the roles of its columns; or a :class:`~anonnb.cluster.ClusterTable`, for methods
            that run on a cluster.
        progress:
            Shows how far long work is: ``tqdm``, or anything else that takes an iterable and returns it.

        Returns
        -------
        Release
            What may be published, checked against the method's promise. Methods that publish mined results return
            these.

        Raises
        ------
        Infeasible
            If the table cannot be published as the parameters ask.
        ValueError
            If the table lacks a role that the method needs, or has values that it cannot take.

        Examples
        --------
        >>> from anonnb import load, privacy
        >>> from anonnb.methods import Mondrian
        >>> release = Mondrian(k=10).anonymize(load("survey"))
        >>> len(release), privacy.k(release)
        (66, 10)
        """
        return anonymized(table, self, progress or no_progress)

    def steps(self, table: Table, *, most: int = recording.MOST) -> Steps:
        """Run the method and record its steps; the state of the last step is the release.

        The algorithm itself records the steps while it runs.

        Parameters
        ----------
        table:
            The table to publish, as for :meth:`anonymize`.
        most:
            The largest number of steps to keep. Of a longer run an even sample stays, and the result says so.

        Examples
        --------
        >>> from anonnb import load
        >>> from anonnb.methods import Mondrian
        >>> Mondrian(k=10).steps(load("survey"))[-1].sentence
        'Mondrian(k=10) publishes 66 rows in 4 classes; the smallest has 10 rows.'
        """
        return recording.of(self.anonymize, table, most=most, last=self._last_step)

    def _last_step(self, release: Release) -> tuple[str, str]:
        if isinstance(release, Mined):
            return "The published results", f"{self} publishes {len(release.frame):,} {release.what}."
        classes = pluralize(release.n_groups, "class", "classes")
        name, rows = str(self).removesuffix("()"), pluralize(len(release), "row")
        smallest = f"; the smallest has {pluralize(release.group_sizes.min(), 'row')}" if release.n_groups > 1 else ""
        return "The release", f"{name} publishes {rows} in {classes}{smallest}."

    def _warn_of_weights(self, table: Table) -> None:
        names = [name for name in table.quasi if name in table.weights]
        if names and not self.uses_weights:
            warnings.warn(
                f"{type(self).__name__} treats all columns alike: the weight of column {names[0]!r} counts in measures "
                "such as NCP only",
                stacklevel=5,
            )

    @classmethod
    def suppressing(cls, share: float | None) -> dict[str, float]:
        """Return the parameter for a share of rows that may be withheld; nothing if the method does not choose it.

        >>> from anonnb.methods import FullDomain, Mondrian
        >>> FullDomain.suppressing(0.1), Mondrian.suppressing(0.1)
        ({'max_suppressed': 0.1}, {})
        """
        if share is None or "max_suppressed" not in cls.constraints():
            return {}
        return {"max_suppressed": min(share, 0.999999)}  # at least one row is published

    def told(self, release: Release) -> list[str]:
        """Say what a reader should know of a release besides its figures, such as the levels that were chosen.

        >>> from anonnb import load
        >>> from anonnb.methods import Samarati
        >>> Samarati(k=4).told(Samarati(k=4).anonymize(load("survey")))[0]
        'levels (0 is the value itself): Marital_status 1 of 2, Sex 0 of 1, Hours 0 of 2'
        """
        return []

    def minimality(self, release: Release) -> Minimality | None:
        """Say what is known of why this release is not finer, for attacks that reason backwards.

        >>> from anonnb import load
        >>> from anonnb.methods import Samarati
        >>> method = Samarati(k=4)
        >>> method.minimality(method.anonymize(load("survey")))
        Minimality(step='column', k=4, spare=1)
        """
        return None

    def likelihoods(self, release: Release, names: Sequence[str]) -> list[Likelihood]:
        """Say how likely published values are given true ones, for attackers who know the method's parameters.

        Returns
        -------
        list[Likelihood]
            For columns whose cells need not hold the true value; each of the names in one of them at most.

        Examples
        --------
        >>> from anonnb import load
        >>> from anonnb.methods import PRAM, Mondrian
        >>> for method in (Mondrian(k=5), PRAM()):
        ...     print([part.names for part in method.likelihoods(method.anonymize(load("survey")), ["Sex"])])
        []
        [('Sex',)]
        """
        return []

    def divides(self, table: Table, groups: np.ndarray) -> np.ndarray | None:
        """Say how the method would divide groups of rows next, for attacks that reason backwards.

        Returns
        -------
        np.ndarray | None
            For each row 1 if it is on the right side of the cut of its group, else 0, as in a group that is left whole.
            None if the method does not divide groups, or if that does not depend on the rows of the group alone.

        Examples
        --------
        >>> import numpy as np
        >>> from anonnb import load
        >>> from anonnb.methods import Mondrian
        >>> Mondrian(k=20).divides(load("survey"), np.zeros(66, int)).sum()
        np.int64(26)
        """
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
                    f"{type(self).__name__} counts rows, not {table.counted}, and the {len(table):,} rows are those of "
                    f"{table.n_people:,} {table.counted}; keep one row of each",
                    others,
                )
            )

    def _anonymize(self, table: Table, progress: Progress) -> Any:  # a release, or a mined result
        raise NotImplementedError


@singledispatch
def anonymized(table: Any, method: Method, progress: Progress) -> Any:
    """Make the release of a table; other kinds of tables, such as those on a cluster, register their own way."""
    raise TypeError(f"anonymize needs an anonnb.Table, not {type(table).__name__}; wrap it: Table(frame, quasi=[…])")


@anonymized.register
def _in_memory(table: Table, method: Method, progress: Progress) -> Release:
    release = _run(method, table, progress)
    together = [model for model in getattr(method, "require", ()) if isinstance(model, RiskModel)]
    if isinstance(method, KMethod) and not all(model.is_met(release) for model in together):
        release = _with_larger_k(method, together, table, progress)
    promising = (release.method if isinstance(release, Release) else None) or method
    promising.promise.check(release)
    above = column_above(table, release) if isinstance(release, Release) else None
    if above is not None:
        raise Infeasible(f"{method} went above the limit of column {above!r}; raise it, or use another method", best=0)
    return release


def _with_larger_k(method: KMethod, together: Sequence[RiskModel], table: Table, progress: Progress) -> Release:
    """Return the release with the smallest k found, by halves, at which the classes together meet the requirements."""
    low, high = method.k, max(model.sufficient_k for model in together)
    try:
        best = _run(replace(method, k=high), table, progress)
    except ValueError as error:  # it is Infeasible, or the method knows no such k
        raise Infeasible(f"{' and '.join(map(str, together))} cannot be met: {error}") from error
    while high - low > 1:
        middle = (low + high) // 2
        release = _run(replace(method, k=middle), table, progress)
        if all(model.is_met(release) for model in together):
            best, high = release, middle
        else:
            low = middle
    return best


def _run(method: Method, table: Table, progress: Progress) -> Release:
    """Check the table and make the release, without a look at what it promises."""
    method._check_table(table)
    check_limits(type(method).__name__, table, method.keeps_limits, method.truthful)
    method._warn_of_weights(table)
    with watched_by(progress):
        # means and modes are single values, which no limit forbids
        if limited(table) and method.keeps_limits == "parts" and getattr(method, "summary", None) != "mean":
            release = in_parts(table, lambda part: _of_part(part, method, progress))
        else:
            release = method._anonymize(table, progress)
    if not isinstance(release, Release | Mined):
        name = type(method).__name__
        raise TypeError(f"{name}._anonymize returned {type(release).__name__}, not a Release or a mined result")
    if isinstance(release, Release) and release.method is None:
        release = release.replace(method=method)
    if table.weight is not None or table.household is not None:
        return _with_remark(release, method, table)
    return release


def _with_remark(release: Any, method: Method, table: Table) -> Any:
    """Add to the info what the method did with survey weights and households; mined results, which show none, warn."""
    judging = (
        model for model in getattr(method, "requirements", ()) if isinstance(model, SensitiveModel | PopulationCount)
    )
    numbered = isinstance(release, Release) and release.household_numbers is not None
    households = f"new numbers of households ({table.household}) are published" if numbered else ""
    info = {**release.info, "survey": survey_remark(table, " and ".join(map(str, judging)), households)}
    if isinstance(release, Release):
        return release.replace(info=info)
    warnings.warn(f"{type(method).__name__}: {info['survey']}", stacklevel=6)
    return replace(release, info=info)


def _of_part(part: Table, method: Method, progress: Progress) -> Release:
    method._check_table(part)
    return method._anonymize(part, progress)


@dataclass(frozen=True)
class KMethod(Method):
    """A method that gives every published row at least ``k - 1`` others with the same quasi-identifier.

    Parameters
    ----------
    k:
        Every published row has the same quasi-identifier as at least ``k - 1`` others: a whole number of at least 1.
        Where the table names people (``person=``) and the method counts them, at least ``k`` people share it.

    Examples
    --------
    >>> from anonnb.methods import Mondrian
    >>> Mondrian(k=5).k, issubclass(Mondrian, KMethod)
    (5, True)
    """

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
        count, unit = table.n_people, table.counted if table.people_repeat else "rows"
        if count < self.k:
            raise Infeasible(
                f"k = {self.k} needs at least {self.k} {unit}; the table has {count}",
                best=count,
                remedies=[remedies.parameter("k", count)] if count > 1 and not self.requirements else [],
            )


@dataclass(frozen=True)
class GroupMethod(KMethod):
    """A method that puts rows into groups, each of which satisfies k and further privacy models.

    Parameters
    ----------
    require:
        Further privacy models that every group must satisfy: one model of :mod:`anonnb.privacy` or several, such as
        ``LDiversity(3)`` or ``[LDiversity(3), TCloseness(0.2)]``; none by default. Most models are about sensitive
        columns, which the table must name. For a limit on the average risk and its like the method runs with several k
        and returns the release of the smallest that is found to be enough.

    Examples
    --------
    >>> from anonnb import load
    >>> from anonnb.methods import Mondrian
    >>> import numpy as np
    >>> table = load("survey").with_roles(sensitive="Hours")
    >>> method = Mondrian(k=2, require=privacy.LDiversity(2))
    >>> privacy.l(method.anonymize(table)) >= 2
    True
    >>> method.group_check(table)(np.zeros(66, int), 1), Mondrian(k=2).further_check(table)
    (array([ True]), None)
    """

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
        """A fast test of many groups at once: at least k rows (people, where they repeat) and every required model.

        Returns
        -------
        privacy.GroupCheck
            A function of the group number of every row and the number of groups; it gives a flag per group.
        """
        return privacy.GroupCheck(table, self.k, self.requirements)

    def further_check(self, table: Table) -> privacy.GroupCheck | None:
        """Give the test of :meth:`group_check`, or None where counting the rows of a group is enough."""
        return self.group_check(table) if self.requirements or table.people_repeat else None
