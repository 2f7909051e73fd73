"""m-invariance (Xiao and Tao 2007): a table that changes is published again, and intersecting releases reveals nothing.

Each group has at least m rows, all with different secrets; a person who stays is always in a group with the same set of
secrets, the signature. Where people who left would be needed, counterfeits take their place, and their number is
published. Readings: a signature is kept for good, also for a person who leaves and returns; quasi-identifiers are the
group's box.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.errors import Infeasible, Message, advice
from anonnb.core.parameters.compound import Optional
from anonnb.core.parameters.constraints import SEED, Name, Whole
from anonnb.core.parameters.declared import parameter
from anonnb.core.progress import no_progress
from anonnb.methods import register
from anonnb.methods.anatomy.anatomy import check_largest, check_roles, hidden_secrets, known_values, secret_of
from anonnb.methods.anatomy.belief import BoundedBelief
from anonnb.methods.base import Method, Progress
from anonnb.methods.promises import Promise
from anonnb.methods.republication.buckets import Buckets, groups_of
from anonnb.steps.recording import listening, note, silent
from anonnb.steps.states import RowGroups
from anonnb.tables.attribute import shorten
from anonnb.tables.encoding import encode
from anonnb.tables.grouped_secrets import GroupedSecrets
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column


def names_of_people(table: Table) -> list[Hashable]:
    """Return what identifies the person of every row: the person column, or the index."""
    if table.person is not None and table.person in table.attributes:
        return table.frame[table.person].tolist()
    if not table.index.is_unique:
        label = shorten(table.index[table.index.duplicated()][0])
        name_it = advice(", or name the column that tells whose row it is: ", remedies.role("person"))
        problem = f"people are known by the index, which has {label} twice; give rows labels of their own"
        raise ValueError(Message(problem, name_it))
    return table.index.tolist()


def grouped_secrets(release: Release) -> GroupedSecrets:
    """Return the secrets that a release publishes by group."""
    assert release.secrets is not None, "m-invariance publishes secrets by group"
    return release.secrets


def count_counterfeits(release: Release) -> int:
    """Return how many counterfeits a release holds."""
    counterfeits = grouped_secrets(release).counterfeits
    return 0 if counterfeits is None else int(counterfeits.sum())


def signatures_of(release: Release) -> dict[Hashable, tuple[str, ...]]:
    """Return, for everybody in a release, the secrets of their group as texts."""
    secrets = grouped_secrets(release)
    attribute = release.columns[secrets.column].attribute
    labels = np.array(attribute.labels, dtype=object)[attribute.as_written[secrets.value]]
    signatures = [tuple(part) for part in np.split(labels, secrets.starts[1:-1])]
    people = names_of_people(release.table if release.rows is None else release.table.take(release.rows))
    return {person: signatures[group] for person, group in zip(people, secrets.group, strict=True)}


def check_stays(person: Hashable, name: str, now: str, signature: tuple[str, ...]) -> None:
    """Raise an error unless a person's secret is among those published for them."""
    if now not in signature:
        raise ValueError(
            f"{shorten(person)} has {shorten(now)!r} in column {name!r} now, which was not among their group's values "
            "before; give the changed row a label of its own"
        )


def with_earlier_values(table: Table, before: Table, name: str) -> Table:
    """Return the table with a domain of ``name`` that has all earlier values, too: signatures may name them."""
    old, new = before.attributes[name], table.attributes[name]
    values = old.decode(np.arange(len(old.domain)))
    order = None
    if new.kind == "ordinal":
        order = [*old.domain, *(value for value in new.domain if value not in set(old.domain))]
    series = pd.concat([table[name].astype(object), values.astype(object)], ignore_index=True).rename(name)
    series = series if new.kind == "nominal" else series.infer_objects()
    attribute, codes = encode(series, None if order else new.kind, order, new.hierarchy)
    attributes = {each: attribute if each == name else table.attributes[each] for each in table.columns}
    columns = {each: codes[: len(table)] if each == name else table.codes(each) for each in table.columns}
    return table._same_rows(attributes, columns, table._roles)


@dataclass(frozen=True)
class Invariance(BoundedBelief):
    """m-invariance: no value has a share above 1/m in a group, and all releases together reveal no more than one."""

    name: ClassVar[str] = "m-invariance"

    @property
    def guarantee(self) -> str:
        return (
            f"Anyone who knows only a person's quasi-identifier believes in each sensitive value of theirs with at "
            f"most 1/{self.l}, in this release and in all that follow by update, taken together."
        )

    def facts(self, table: Table, release: Release) -> dict[str, float]:
        return {**super().facts(table, release), "counterfeits": count_counterfeits(release)}


@register
@dataclass(frozen=True)
class MInvariance(Method):
    """Groups with m different secrets that keep their set of secrets when the table is published again.

    Parameters
    ----------
    m:
        Every group has at least ``m`` rows or counterfeits, all with different values.
    column:
        The sensitive column, the first by default. Other sensitive columns are not published.
    seed:
        Chooses which newcomers share a group.

    Notes
    -----
    ``release.update(next_table)`` gives the next release. People are known by the column ``person`` of the table or,
    without one, by its index. Quasi-identifiers are published as the box of the group. A missing secret is refused.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [20, 30, 40, 50], "ill": ["flu", "cold", "flu", "cold"]})
    >>> first = MInvariance(m=2).anonymize(Table(frame, quasi=["age"], sensitive=["ill"]))
    >>> second = first.update(Table(frame.drop(index=0), quasi=["age"], sensitive=["ill"]))
    >>> second.secrets.counterfeits.sum()
    np.int64(1)

    Guarantees
    ----------
    proved:
        Every group has at least m different values, each once, and everybody's value is among them. Whoever is in
        several releases of one sequence has the same set of values in each, so intersecting them leaves at least m
        (Xiao and Tao 2007). The shares are recounted from the two files before they get their names.
    tested:
        60 random sequences of up to 6 tables with people who join, leave and return: nobody's sets differ, every belief
        is at most 1/m, and published rows and counterfeits add up. On Adult the intersection attack claims nothing,
        while independent releases give secrets away.
    heuristic:
        Counterfeits and boxes are not the fewest and smallest possible. Nobody's secret may change while they are
        published.
    paper:
        X. Xiao and Y. Tao, m-invariance: towards privacy preserving re-publication of dynamic datasets, SIGMOD 2007.
    """

    promised: ClassVar[type[Promise]] = Invariance
    changes: ClassVar[frozenset[str]] = frozenset({"quasi", "sensitive"})
    order_matters: ClassVar[bool] = True
    counts_people: ClassVar[bool] = False
    secrets_apart: ClassVar[bool] = True
    strength: ClassVar[str] = "m"
    rows_in_seconds: ClassVar[int] = 20_000
    rows_in_minutes: ClassVar[float] = 200_000

    m: int = parameter(Whole(at_least=2), default=2)
    column: str | None = parameter(Optional(Name()), default=None)
    seed: int = parameter(SEED, default=0)

    def _check_table(self, table: Table) -> None:
        super()._check_table(table)
        check_roles(table, self.column, type(self).__name__)
        name = secret_of(table, self.column, type(self).__name__)
        absent = int((known_values(table, name) < 0).sum())
        if absent:
            leave = advice("; leave them out: ", remedies.option("missing", "drop"))
            raise ValueError(Message(f"column {name!r} has no value in {absent:,} rows, which have no secret", leave))

    def told(self, release: Release) -> list[str]:
        fakes = count_counterfeits(release)
        return [f"counterfeits that stand in for people who are not in the table: {fakes:,}"] if fakes else []

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        name = secret_of(table, self.column, type(self).__name__)
        check_largest(table, name, known_values(table, name), self.m, "m")
        return self._published(table, name, {}, progress)

    def resume(self, table: Table, signatures: Mapping[Hashable, Iterable[str]]) -> Release:
        """Publish a table whose people already have signatures, from releases that were made elsewhere.

        Parameters
        ----------
        signatures:
            For people of earlier releases, the secrets that their group had; others are newcomers.

        Raises
        ------
        ValueError
            If a signature has fewer than ``m`` different secrets, or one of them twice.

        Examples
        --------
        >>> frame = pd.DataFrame({"age": [20, 30], "ill": ["flu", "cold"]}, index=["Ann", "Ben"])
        >>> table = Table(frame, quasi=["age"], sensitive=["ill"])
        >>> release = MInvariance(m=2).resume(table, {"Ann": ["flu", "cough"], "Ben": ["cold", "cough"]})
        >>> release.secrets.counterfeits.tolist()
        [1, 1]
        """
        self._check_table(table)
        name = secret_of(table, self.column, type(self).__name__)
        earlier = {person: tuple(map(str, secrets)) for person, secrets in signatures.items()}
        for person, secrets in earlier.items():
            if len(set(secrets)) < max(self.m, len(secrets)):
                problem = f"the signature of {shorten(person)} needs {self.m} or more different secrets"
                raise ValueError(f"{problem}, not {list(secrets)}")
        named = pd.DataFrame({name: sorted({secret for secrets in earlier.values() for secret in secrets})})
        if len(named):
            table = with_earlier_values(table, Table(named, sensitive=[name]), name)
        made = self._published(table, name, earlier, no_progress)
        self.promise.check(made)
        return made

    def update(self, release: Release, table: Table, *, progress: Progress | None = None) -> Release:
        """Publish the table that follows a release; :meth:`Release.update <anonnb.Release.update>` calls it.

        Raises
        ------
        TypeError
            If ``table`` is no :class:`~anonnb.Table`.
        ValueError
            If the release before does not publish the same sensitive column per group.

        Examples
        --------
        >>> frame = pd.DataFrame({"age": [20, 30, 40, 50], "ill": ["flu", "cold", "flu", "cold"]})
        >>> method, roles = MInvariance(m=2), {"quasi": ["age"], "sensitive": ["ill"]}
        >>> first = method.anonymize(Table(frame, **roles))
        >>> method.update(first, Table(frame.drop(index=0), **roles)).secrets.counterfeits.sum()
        np.int64(1)
        """
        if not isinstance(table, Table):
            raise TypeError(
                f"update needs an anonnb.Table, not {type(table).__name__}; wrap it: Table(frame, quasi=[…])"
            )
        self._check_table(table)
        name = secret_of(table, self.column, type(self).__name__)
        if release.rows is None or release.secrets is None or release.secrets.column != name:
            raise ValueError(f"the release does not publish column {name!r} per group, so there is nothing to update")
        earlier = {**release.info.get("earlier", {}), **signatures_of(release)}
        made = self._published(with_earlier_values(table, release.table, name), name, earlier, progress or no_progress)
        self.promise.check(made)
        return made

    def _published(self, table: Table, name: str, earlier: Mapping[object, tuple], progress: Progress) -> Release:
        """Return the release in which those of ``earlier`` keep their signatures."""
        values, attribute = known_values(table, name), table.attributes[name]
        buckets, known = Buckets(values), np.zeros(len(table), dtype=bool)
        if earlier:
            for row, person in enumerate(names_of_people(table)):
                if person in earlier:
                    signature = tuple(sorted(attribute.code_of_label[text] for text in earlier[person]))
                    check_stays(person, name, attribute.labels[values[row]], earlier[person])
                    buckets.add(signature, row)
                    known[row] = True
        counts = np.bincount(values, minlength=attribute.size)
        common = np.unique(attribute.as_written)[np.argsort(-counts[np.unique(attribute.as_written)], kind="stable")]
        self._check_values(name, len(common))
        tell = partial(_record_buckets, table, name, buckets)
        if earlier:
            tell("Those who were there before", "Everyone who was published before keeps the same set of secrets.")
        left = buckets.balance(np.flatnonzero(~known), self.m)
        tell("Balance", f"Newcomers fill gaps if the others can still be grouped; {len(left):,} are left.")
        with silent():  # Anatomy deals the rows, and records its own steps
            buckets.assign(left, self.m, common, np.random.default_rng(self.seed))
        tell("Assign", f"The other newcomers get sets of {self.m} or more secrets; counterfeits fill the gaps.")
        groups, secrets = _grouped(table, name, buckets, progress)
        columns = {
            each: Column.of_groups(table.attributes[each], table.codes(each), groups, secrets.n_groups)
            for each in table.quasi
        }
        info = {"earlier": dict(earlier)} if earlier else {}
        columns |= hidden_secrets(table, name)
        return Release(table, columns, np.arange(len(table)), method=self, info=info, secrets=secrets)

    def _check_values(self, name: str, values: int) -> None:
        if values < self.m:
            raise Infeasible(
                f"column {name!r} has {values} different values; m can be {values} at most",
                best=values,
                remedies=[remedies.parameter("m", values)] if values > 1 else [],
            )


def _record_buckets(table: Table, name: str, buckets: Buckets, title: str, sentence: str) -> None:
    """Note the buckets: the sets of secrets, how many rows each holds, and how many are lacking."""
    if not listening():
        return
    labels = table.attributes[name].labels
    lines = []
    for signature, bucket in sorted(buckets.rows.items()):
        sizes = [len(rows) for rows in bucket.values()]
        label = ", ".join(labels[value] for value in signature)
        lines.append((label, sum(sizes), max(sizes, default=0) * len(signature) - sum(sizes)))
    note(title, sentence, pd.DataFrame(lines, columns=["secrets of the bucket", "rows", "lacking"]))


def _grouped(table: Table, name: str, buckets: Buckets, progress: Progress) -> tuple[np.ndarray, GroupedSecrets]:
    """Return each row's group, and what is published of the groups: each secret of the signature once."""
    positions = _positions(table)
    groups = np.full(len(table), -1, dtype=np.int64)
    owner: list[int] = []
    value: list[int] = []
    fakes: list[int] = []
    for signature, bucket in progress(sorted(buckets.rows.items()), desc="signatures"):
        for members in groups_of(bucket, positions):
            groups[members] = len(fakes)
            owner += [len(fakes)] * len(signature)
            shown = dict(zip(buckets.secrets[members].tolist(), table.codes(name)[members].tolist(), strict=True))
            value += sorted(shown.get(secret, secret) for secret in signature)
            fakes.append(len(signature) - len(members))
        if listening():
            label = ", ".join(table.attributes[name].labels[secret] for secret in signature)
            cut = f"The bucket {label} is cut into groups of similar rows, each with one row per secret"
            note(f"Groups of {label}", f"{cut}; counterfeits fill the gaps.", RowGroups(table, groups))
    owners, values, counterfeits = (np.array(each, dtype=np.int64) for each in (owner, value, fakes))
    return groups, GroupedSecrets(name, groups, owners, values, np.ones_like(owners), counterfeits)


def _positions(table: Table) -> np.ndarray:
    """Return the quasi-identifiers as numbers from 0 to 1; a missing value lies beyond the last."""
    columns = []
    for name in table.quasi:
        attribute = table.attributes[name]
        ranks = attribute.numbers * attribute.difference_scale
        low, high = np.nanmin(ranks, initial=np.inf), np.nanmax(ranks, initial=-np.inf)
        span = high - low if high > low else 1.0
        columns.append(np.nan_to_num((ranks - low) / span, nan=1.1)[table.codes(name)])
    return np.column_stack(columns)
