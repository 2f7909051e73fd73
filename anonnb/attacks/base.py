"""What all attacks share: a frozen dataclass of parameters and ``run(release, table, control=other)``.

An attack sees what was published and what its knowledge says; the people's table only tells whether it was right. The
same attack on people who are not in the release is its control: see :class:`~anonnb.attacks.result.AttackResult`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from anonnb import attacks
from anonnb.attacks.matching.members import are_all_members, check_outsiders
from anonnb.attacks.result import AttackResult
from anonnb.core.card import Card
from anonnb.core.parameters.declared import Parameters
from anonnb.steps import recording
from anonnb.steps.step import Steps
from anonnb.tables.mined_results import Mined
from anonnb.tables.release import Release
from anonnb.tables.roles import survey_remark
from anonnb.tables.table import Table

__all__ = ["Attack", "AttackResult"]


@dataclass(frozen=True)
class Attack(Parameters):
    """Base of all attacks: subclasses add parameters and implement ``_attack``.

    What a class says about itself in its attributes is read by checks, comparisons, the explorer and the command line.

    Notes
    -----
    - ``kind``: What its results measure: ``"secret"``, ``"linkage"``, ``"membership"``, ``"isolation"`` or ``"cells"``.
    - ``reads``: What it attacks: a ``"release"``, or ``"mined"`` results such as itemsets and trees.
    - ``needs_sensitive``: It is after a sensitive column.
    - ``quick``, ``by_default``: It needs nothing but a release and answers in seconds, so that the explorer offers it;
      it takes part in a comparison that names none.
    - ``strong``: Parameters of variants that find more and take longer, which ``anonnb attack --strong`` tries, too.
    - ``rows_in_minutes``: The largest table for which it takes part in a comparison that names none.
    - ``place``: Where it stands in lists: the lowest, the plainest, first.
    - ``judged``: The columns of a result's targets that come from the truth. Besides these and those named like a
      column of the table, targets hold claims, which must not.
    - ``no_control``: Why a control makes no sense, where it makes none.
    - ``exempt``: Properties of :func:`anonnb.testing.check_attack` that the class is not asked for, each with the
      reason.
    - ``card``: The guarantee card.

    Examples
    --------
    >>> from anonnb.attacks import LinkageAttack
    >>> issubclass(LinkageAttack, Attack), LinkageAttack.reads
    (True, 'release')
    """

    kind: ClassVar[str] = ""
    reads: ClassVar[str] = "release"
    needs_sensitive: ClassVar[bool] = False
    quick: ClassVar[bool] = True
    by_default: ClassVar[bool] = True
    strong: ClassVar[Sequence[Mapping[str, Any]]] = ()
    rows_in_minutes: ClassVar[float] = math.inf
    place: ClassVar[int] = 100
    judged: ClassVar[frozenset[str]] = frozenset({"right", "score", "truth", "re-identified", "true count"})
    no_control: ClassVar[str] = ""
    exempt: ClassVar[Mapping[str, str]] = {}
    card: ClassVar[Card] = Card()

    def run(self, release: Release, table: Table | None = None, *, control: Table | None = None) -> AttackResult:
        """Attack a release.

        Parameters
        ----------
        release:
            What a method published; attacks on mined results take what these methods return.
        table:
            The people to attack: the original table, rows of it, or others with the same columns. By default those
            behind the release.
        control:
            People who are not in the release, with the same columns: what the attack gets right about them is knowledge
            about the population. The more people, the narrower the interval.

        Returns
        -------
        AttackResult
            Its figures are those of its kind: see :mod:`anonnb.attacks.result`.

        Examples
        --------
        >>> from anonnb import Release, load
        >>> from anonnb.attacks import LinkageAttack
        >>> LinkageAttack(known=["Sex"]).run(Release.of(load("survey"))).attempts
        66
        """
        self._check_reads(release)
        people = release.table if table is None and self.reads == "release" else table
        result = self._with_remark(release, self._attack(release, people))
        if control is None:
            return result
        if self.no_control:
            return result.replace(note="; ".join(filter(None, [result.note, f"no control: {self.no_control}"])))
        check_outsiders(control, self._releases(release))
        recording.note("The control", "The same attack on people who are not in the release, for comparison.", control)
        return result.against(
            self._attack(release, control), sampled=people is not None and not are_all_members(people, release)
        )

    def _with_remark(self, release: Any, result: Any) -> Any:
        """Add to the info what the attack did with survey weights and households, if there are any."""
        remark = release.info.get("survey", "") if isinstance(release, Mined) else ""
        if isinstance(release, Release):
            whole = "whole households are looked for" if getattr(self, "unit", "person") == "household" else ""
            remark = survey_remark(release.table, households=whole)
        return result.replace(info={**result.info, "survey": remark}) if remark else result

    def steps(
        self,
        release: Release,
        table: Table | None = None,
        *,
        control: Table | None = None,
        most: int = recording.MOST,
    ) -> Steps:
        """Attack a release and record the steps; the state of the last step is the result.

        The attack itself records the steps while it runs.

        Parameters
        ----------
        release, table, control:
            As for :meth:`run`.
        most:
            The largest number of steps to keep. Of a longer run an even sample stays, and the result says so.

        Examples
        --------
        >>> from anonnb import Release, load
        >>> from anonnb.attacks import LinkageAttack
        >>> LinkageAttack().steps(Release.of(load("survey"))).result.attempts
        66
        """
        options = {} if control is None else {"control": control}
        return recording.of(self.run, release, table, most=most, last=_last_step, **options)

    def _check_reads(self, release: object) -> None:
        """Refuse what has no rows of people; attacks on mined results check themselves what they read."""
        if self.reads == "release" and not isinstance(release, Release):
            raise TypeError(f"{type(self).__name__} reads the rows of a release, {_instead_of_rows(release)}")

    def _attack(self, release: Any, people: Any) -> AttackResult:
        """Attack these people, members of the release or not, without asking who is one."""
        raise NotImplementedError

    def _releases(self, release: Release) -> Iterable[Release]:
        """Everything published that the attack reads; nobody in a control may be in any of it."""
        return [release]


def _instead_of_rows(given: object) -> str:
    """What was given instead of a release, and what to do."""
    if isinstance(given, Mined):
        others = " or ".join(name for name, cls in attacks.all().items() if cls.reads == "mined")
        return f"and mined results ({len(given.frame):,} {given.what}) have none; attack them with {others}"
    if isinstance(given, Table):
        return "not a Table; make a release first: Release.of(table) publishes it as it is"
    return f"not {type(given).__name__}; give what a method's anonymize returns"


def _last_step(result: AttackResult) -> tuple[str, str]:
    return "The result", f"{result}."
