"""How strong an attack in the explorer is: compared with a control where there can be one, and in words."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan

from anonnb.attacks.base import Attack, AttackResult
from anonnb.core.errors import Infeasible
from anonnb.tables.release import Release
from anonnb.tables.table import Table

FAILURES = (ValueError, TypeError, KeyError, Infeasible)  # raised if half of the people are too few


def against_control(
    attack: Attack, halves: tuple[Table, Table], publish: Callable[[Table], Release]
) -> AttackResult | None:
    """The attack on a published half of the people with the other half as control; None if that is impossible."""
    inside, outside = halves
    if attack.no_control:
        return None
    try:
        found = attack.run(publish(inside), inside, control=outside)
    except FAILURES:
        return None
    return None if isnan(found.excess) else found


def gain(found: AttackResult) -> tuple[str, str]:
    """The name and the text of what is learnt: the excess over the control, or the advantage over a guess."""
    name = "advantage" if isnan(found.excess) else "excess"
    low, high = (100 * end for end in getattr(found, f"{name}_interval"))
    return name, f"{100 * getattr(found, name):.1f} % ({low:.1f} to {high:.1f} %)"


def beside_success(found: AttackResult) -> str:
    """What success is compared with: the baseline, the control, and how often a claim is made and right."""
    words = f"a guess without the release: {found.baseline:.1%}"
    if not isnan(found.control):
        words = f"of a published half; of the other half {found.control:.1%}, {words}"
    return "; ".join(filter(None, [words, found.claimed]))
