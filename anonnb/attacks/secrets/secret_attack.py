"""The base of attacks on secrets: each sensitive column by itself, and how people and their claims are counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from anonnb.attacks.base import Attack, AttackResult
from anonnb.attacks.matching.candidates import secret_columns
from anonnb.core.parameters.constraints import Choice
from anonnb.tables.release import Release
from anonnb.tables.table import Table

MISSING_SECRET = Choice(["ignore", "value"])


@dataclass(frozen=True)
class SecretAttack(Attack):
    """Base of attacks that claim a secret for each person. Subclasses implement ``_secrets``.

    With several sensitive columns each has a result; the one with the highest excess is the headline, the others are in
    its ``by_secret``. A subclass that has a parameter ``column`` lets the user choose one. A person whose secret is
    missing has nothing to be found out, and is no attempt.

    Examples
    --------
    >>> from anonnb.attacks import HomogeneityAttack
    >>> issubclass(HomogeneityAttack, SecretAttack), SecretAttack.needs_sensitive
    (True, True)
    """

    needs_sensitive: ClassVar[bool] = True

    def _attack(self, release: Release, people: Table) -> AttackResult:
        """The result for the worst of the secrets, which knows the others."""
        names = secret_columns(getattr(self, "column", None), release)
        for name in names:
            if name not in people.attributes:
                raise KeyError(f"the people have no column {name!r}, so nobody can say which claims about it are right")
        return AttackResult.worst(self._secrets(release, people, names))

    def _secrets(self, release: Release, people: Table, names: Sequence[str]) -> Mapping[str, AttackResult]:
        """A result for each of the named columns."""
        raise NotImplementedError
