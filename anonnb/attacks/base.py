"""What all attacks share: a frozen dataclass of parameters and ``run(release, table, control=other)``.

An attack sees what was published and what its knowledge says; the people's table only tells whether it was right. The
same attack on people who are not in the release is its control: see :class:`~anonnb.attacks.result.AttackResult`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from anonnb import attacks
from anonnb.attacks.matching.members import check_outsiders
from anonnb.attacks.result import AttackResult
from anonnb.core.card import Card
from anonnb.core.parameters.declared import Parameters
from anonnb.steps import recording
from anonnb.steps.step import Steps
from anonnb.tables.mined_results import Mined
from anonnb.tables.release import Release
from anonnb.tables.table import Table

__all__ = ["Attack", "AttackResult"]


@dataclass(frozen=True)
class Attack(Parameters):
    """Base of all attacks. Subclasses add parameters and implement ``_attack``.

    ``reads`` says what an attack looks at: a ``"release"``, or ``"mined"`` results such as itemsets and trees.
    ``needs_sensitive`` attacks are after a sensitive column. ``quick`` ones need nothing but a release and answer in
    seconds: the explorer offers them. ``by_default`` ones take part in a comparison that names none. Lists begin with
    those of the lowest ``place``, the plainest. ``judged`` names the columns of a result's targets that come from the
    truth; beside them and those named like a column of the table, targets hold claims, which must not. Where a control
    makes no sense, ``no_control`` says why. ``exempt`` names properties of :func:`anonnb.testing.check_attack` that a
    class is not asked for, each with the reason. ``card`` is the guarantee card.
    """

    reads: ClassVar[str] = "release"
    needs_sensitive: ClassVar[bool] = False
    quick: ClassVar[bool] = True
    by_default: ClassVar[bool] = True
    place: ClassVar[int] = 100
    judged: ClassVar[frozenset[str]] = frozenset({"right", "score", "truth", "re-identified", "true count"})
    no_control: ClassVar[str] = ""
    exempt: ClassVar[Mapping[str, str]] = {}
    card: ClassVar[Card] = Card()

    def run(self, release: Release, table: Table | None = None, *, control: Table | None = None) -> AttackResult:
        """Attack a release.

        Parameters
        ----------
        table:
            The people to attack: the original table, rows of it, or others with the same columns. By default those
            behind the release.
        control:
            People who are not in the release, with the same columns: what the attack gets right about them is
            knowledge about the population. The larger and the more alike the people, the narrower the interval.
        """
        self._check_reads(release)
        people = release.table if table is None and self.reads == "release" else table
        found = self._attack(release, people)
        if control is None:
            return found
        if self.no_control:
            return replace(found, note="; ".join(filter(None, [found.note, f"no control: {self.no_control}"])))
        check_outsiders(control, self._releases(release))
        recording.note("The control", "The same attack on people who are not in the release, for comparison.", control)
        return found.against(self._attack(release, control))

    def steps(
        self,
        release: Release,
        table: Table | None = None,
        *,
        control: Table | None = None,
        most: int = recording.MOST,
    ) -> Steps:
        """How the attack goes, step by step; the state of the last step is its result. Parameters are those of run.

        The attack itself tells its steps. Of a long run at most ``most`` are kept, evenly, and the run says so.

        >>> from anonnb import Release, load
        >>> from anonnb.attacks import LinkageAttack
        >>> LinkageAttack().steps(Release.of(load("survey"))).result.attempts
        66
        """
        options = {} if control is None else {"control": control}
        return recording.of(self.run, release, table, most=most, last=_last_step, **options)

    def _check_reads(self, release: object) -> None:
        """Refuse what has no rows that could be anybody's; attacks on mined results say themselves what they read."""
        if self.reads == "release" and not isinstance(release, Release):
            raise TypeError(f"{type(self).__name__} reads the rows of a release, {_instead_of_rows(release)}")

    def _attack(self, release: Release, people: Table) -> AttackResult:
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


def _last_step(found: AttackResult) -> tuple[str, str]:
    return "The result", f"{found}."
