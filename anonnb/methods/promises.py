"""Promises: what a method guarantees of what it publishes, as objects that check it and state it.

A method names the class of its promise; the promise takes its figures from the method's parameters. The command line,
the reports and the arena ask the promise and know no method by name. Promises of a single family are in its folder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, TypeGuard

from anonnb.core.card import Claim
from anonnb.core.errors import Infeasible
from anonnb.privacy import AlphaK, LDiversity, Model
from anonnb.privacy.risk_models import RiskModel
from anonnb.tables.release import Release
from anonnb.tables.table import Table

if TYPE_CHECKING:
    from anonnb.core.measure import Measure


def claim_of(model: Model) -> Claim:
    """Return a privacy model in plain words, for the gate, which knows no models.

    >>> from anonnb.privacy import LDiversity
    >>> claim_of(LDiversity(3)).model, claim_of(LDiversity(3)).parameters["l"]
    ('LDiversity', 3)
    """
    given = {field.name: getattr(model, field.name) for field in fields(model)}
    column = given.get("column")
    columns = None if column is None else (column,) if isinstance(column, str) else tuple(column)
    return Claim(type(model).__name__, given, str(model), columns)


@dataclass(frozen=True)
class Promise:
    """Base of all promises; by itself it promises nothing.

    ``name`` is what people call it. ``measures`` are figures of its own, reported beside the usual ones; ``misleading``
    names those among the usual ones that say nothing under it. Fields are named like the method's parameters.
    """

    name: ClassVar[str] = ""
    measures: ClassVar[tuple[Measure, ...]] = ()
    misleading: ClassVar[frozenset[str]] = frozenset()
    keeps_margins: ClassVar[bool] = (
        False  # every column holds the values that it held, so a rare one still has its owner
    )

    @classmethod
    def of(cls, method: Any) -> Promise:
        """Return the promise that a method with these parameters makes."""
        return cls(**{field.name: getattr(method, field.name) for field in fields(cls)})

    @property
    def guarantee(self) -> str:
        """What is guaranteed, in a sentence."""
        return "Nothing is guaranteed."

    def guaranteed(self, table: Table) -> str:
        """Return what is guaranteed of a table's release: of people, where the table names a person."""
        return self.guarantee

    @property
    def limits(self) -> str:
        """What is not guaranteed, in a sentence."""
        return "Whoever reads it may learn anything that the rows say."

    @property
    def floors(self) -> dict[str, int]:
        """The counts that are promised and that anyone can recount from the published text, with their least values.

        ``"class"``: rows that read alike, or people where the table names a person; ``"fit"``: original rows that a
        published one may stand for; ``"count"``: people behind a published count, or one that follows from published
        counts.
        """
        return {}

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The same as plain claims, with the models that every class satisfies: what the gate recounts from a file."""
        counted = [
            Claim("KAnonymity", {"k": floor}, f"k = {floor}") if what == "class" else Claim(what, {}, str(self))
            for what, floor in self.floors.items()
        ]
        return (*counted, *map(claim_of, getattr(self, "require", ())))

    def check(self, published: Any) -> None:
        """Raise Infeasible where the promise is broken."""

    def amount(self, table: Table, release: Release) -> str:
        """Say how much was published, in words."""
        return f"{len(release)} of {len(table)} rows"

    def facts(self, table: Table, release: Release) -> dict[str, float]:
        """Return the figures of a release that a reader wants to see first."""
        return {"groups": release.n_groups, "k reached": int(release.group_people.min(initial=len(release)))}

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Anonymity(Promise):
    """k-anonymity: every published row reads like at least k − 1 others, of other people where a person is named."""

    name: ClassVar[str] = "k-anonymity"

    k: int

    @property
    def guarantee(self) -> str:
        others = "one other" if self.k == 2 else f"{self.k - 1} others"
        return f"Every published row has the same quasi-identifier as at least {others}."

    def guaranteed(self, table: Table) -> str:
        if table.counted_by is None:
            return self.guarantee
        others = f"one other {table.unit}" if self.k == 2 else f"{self.k - 1} other {table.counted}"
        return self.guarantee.replace(
            Anonymity(self.k).guarantee,
            f"Every published row has the same quasi-identifier as rows of at least {others}.",
        )

    @property
    def limits(self) -> str:
        return (
            "It does not keep the members of a class from sharing a sensitive value, nor anybody who knows more than "
            "the quasi-identifier from finding a row."
        )

    @property
    def floors(self) -> dict[str, int]:
        return {"class": self.k}

    def check(self, published: Release) -> None:
        smallest = int(published.group_people.min(initial=len(published) or self.k))
        if smallest < self.k:
            raise Infeasible(f"{published.method or self} reached only k = {smallest}", best=smallest)


@dataclass(frozen=True)
class GroupAnonymity(Anonymity):
    """k-anonymity of groups that satisfy further privacy models."""

    require: tuple[Model, ...] = ()

    @classmethod
    def of(cls, method: Any) -> GroupAnonymity:
        return cls(k=method.k, require=method.requirements)

    @property
    def guarantee(self) -> str:
        of_class = [str(model) for model in self.require if not isinstance(model, RiskModel)]
        of_release = [str(model) for model in self.require if isinstance(model, RiskModel)]
        parts = [("Every class", of_class), ("The release as a whole", of_release)]
        return super().guarantee + "".join(f" {what} satisfies {' and '.join(them)}." for what, them in parts if them)

    @property
    def limits(self) -> str:
        models = [model for model in self.require if _keeps_values_apart(model)]
        if not models:
            return super().limits
        columns = {"every sensitive column" if model.column is None else str(model.column) for model in models}
        ignoring = any(model.missing == "ignore" for model in models)
        blank = ", but ignores empty cells, so that a class may have nothing but those" if ignoring else ""
        return (
            f"It keeps the members of a class from sharing one value of {' and '.join(sorted(columns))}{blank}. Some "
            "values may still be far likelier than others, and whoever knows more than the quasi-identifier may find "
            "somebody."
        )

    def check(self, published: Release) -> None:
        super().check(published)
        if published.rows is None or len(published) == 0:
            return
        for model in self.require:
            if isinstance(model, RiskModel):
                if not model.is_met(published):
                    raise Infeasible(f"{published.method or self} misses {model}; ask for less, or raise k")
                continue
            missed = int((~model.holds(published)).sum())
            if missed and published.n_groups == 1 and len(published) == len(published.table):
                raise Infeasible(whole_table_misses([model]))
            if missed:
                raise Infeasible(
                    f"{published.method or self}: {missed} of {published.n_groups} classes miss {model}; ask for "
                    "less, or use another method"
                )


def _keeps_values_apart(model: Model) -> TypeGuard[LDiversity | AlphaK]:
    """Return whether a model alone keeps a class from having a single sensitive value, whatever the table."""
    if isinstance(model, LDiversity):
        return model.l > 1 or model.kind == "frequency"
    return isinstance(model, AlphaK) and model.alpha < 1


def whole_table_misses(models: Sequence[Model]) -> str:
    """Return the sentence for a table that no joining of groups can help.

    >>> from anonnb.privacy import LDiversity
    >>> whole_table_misses([LDiversity(3)])
    'the whole table as one group misses LDiversity(l=3); ask for less, or leave it out of require'
    """
    missed = " and ".join(map(str, models))
    return f"the whole table as one group misses {missed}; ask for less, or leave it out of require"
