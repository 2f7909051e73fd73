"""The officer's page: what was done, what is promised, what an attacker still learns, and what is not promised.

For the person who is responsible for a release and reads no code. It shows figures and sentences, never a row, and
needs no network.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from anonnb.core.templates import templates
from anonnb.core.wording import listed
from anonnb.files.gate import GateVerdict


def officer_page(
    release: Any,
    verdict: GateVerdict,
    facts: Mapping[str, Any],
    *,
    measures: Sequence[tuple[str, str, str]] = (),
    attacks: Sequence[tuple[str, str]] = (),
    untried: str = "",
    also: Sequence[str] = (),
    unknown_outside: Sequence[str] = (),
    withheld: Mapping[str, str] | None = None,
) -> str:
    """The page as HTML; ``facts`` is the manifest, ``attacks`` and ``measures`` are lines of its tables.

    ``withheld`` are columns that the release's table no longer has, and what was done with them.
    """
    promise = release.promise
    return (
        templates(Path(__file__))
        .get_template("officer.html")
        .render(
            out=facts["output"]["name"],
            facts=facts,
            columns=list({**(withheld or {}), **dict(_roles(release, also, unknown_outside))}.items()),
            guarantee=promise.guaranteed(release.table) if promise is not None else "Nothing is guaranteed.",
            limits=promise.limits if promise is not None else "Whoever reads it may learn anything that the rows say.",
            passed=list(map(str, verdict.passed)),
            unchecked=list(map(str, verdict.unchecked)),
            attacks=attacks,
            untried=untried,
            unknown_outside=listed(unknown_outside, most=20) if unknown_outside else "",
            measures=measures,
        )
    )


def _roles(release: Any, also: Sequence[str], unknown_outside: Sequence[str]) -> list[tuple[str, str]]:
    """The columns of the original, and what was done with each."""
    table = release.table
    said = dict.fromkeys(table.columns, "not published: it has no role")
    said |= dict.fromkeys(also, "published as it is, counted as known to others")
    said |= dict.fromkeys(unknown_outside, "published as it is, declared to be known to nobody outside")
    said |= dict.fromkeys(table.identifiers, "identifier: not published")
    if table.decision is not None:
        said[table.decision] = "decision: published"
    said |= dict.fromkeys(table.sensitive, "sensitive: published" if release.sensitive else "sensitive: not published")
    said |= dict.fromkeys(table.quasi, "quasi-identifier: published in the form that is promised")
    return [(str(name), role) for name, role in said.items()]
