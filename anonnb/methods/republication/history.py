"""What is known of earlier releases: who had which signature, and which values there were."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.errors import Message, advice
from anonnb.tables.attribute import shorten
from anonnb.tables.encoding import encode
from anonnb.tables.release import Release
from anonnb.tables.table import Table


def names_of_people(table: Table) -> list[Hashable]:
    """What identifies the person of every row: the person column, or the index."""
    if table.person is not None and table.person in table.attributes:
        return table.frame[table.person].tolist()
    if not table.index.is_unique:
        label = shorten(table.index[table.index.duplicated()][0])
        name_it = advice(", or name the column that tells whose row it is: ", remedies.role("person"))
        problem = f"people are known by the index, which has {label} twice; give rows labels of their own"
        raise ValueError(Message(problem, name_it))
    return table.index.tolist()


def signatures_of(release: Release) -> dict[Hashable, tuple[str, ...]]:
    """For everybody in a release the secrets of their group, as texts."""
    secrets = release.secrets
    attribute = release.columns[secrets.column].attribute
    labels = np.array(attribute.labels, dtype=object)[attribute.as_written[secrets.value]]
    signatures = [tuple(part) for part in np.split(labels, secrets.starts[1:-1])]
    people = names_of_people(release.table.take(release.rows))
    return {person: signatures[group] for person, group in zip(people, secrets.group, strict=True)}


def check_stays(person: Hashable, name: str, now: str, signature: tuple[str, ...]) -> None:
    """Raise an error unless a person's secret is among those published for them."""
    if now not in signature:
        raise ValueError(
            f"{shorten(person)} has {shorten(now)!r} in column {name!r} now, which was not among their group's values "
            "before; give the changed row a label of its own"
        )


def with_earlier_values(table: Table, before: Table, name: str) -> Table:
    """The table with a domain of ``name`` that also has all earlier values: signatures may name them."""
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
