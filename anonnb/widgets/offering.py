"""What the explorer offers for a table: methods and attacks that find their roles in it and answer within seconds.

Beside them are a few requirements on secrets, where there are any.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from anonnb import attacks as attack_registry
from anonnb import methods as method_registry
from anonnb.core.errors import Infeasible
from anonnb.methods.base import Method
from anonnb.tables.table import Table


def offered_methods(table: Table) -> list[str]:
    """Return the methods with a strength such as k that can work on the table and answer within seconds."""
    known = method_registry.all()
    able = [name for name, cls in known.items() if cls.publishes == "table" and _has_strength(cls) and _can(cls, table)]
    return [name for name in able if len(table) <= known[name].rows_in_seconds]


def offered_attacks(table: Table) -> list[str]:
    """Return the attacks that answer within seconds and find what they are after in the table."""
    known = attack_registry.plainest_first()
    return [
        name
        for name, cls in known.items()
        if cls.quick and cls.reads == "release" and (table.sensitive or not cls.needs_sensitive)
    ]


def offered_requirements(table: Table) -> list[str]:
    """Return privacy models, as they are written; none for a table without a sensitive column."""
    return ["LDiversity(2)", "LDiversity(3)", "TCloseness(0.3)"] if table.sensitive else []


def _has_strength(cls: type[Method]) -> bool:
    return cls.strength in {field.name for field in fields(cls)}


def made(cls: type[Method], strength: int, **further: Any) -> Method:
    """Make a method with a given strength, whatever its name for it."""
    return cls(**{cls.strength: strength}, **further)


def _can(cls: type[Method], table: Table) -> bool:
    """Tell whether the table has what the method needs, such as a decision."""
    try:
        made(cls, 2)._check_table(table)
    except Infeasible:
        return True  # a matter of k
    except ValueError:
        return False
    return True
