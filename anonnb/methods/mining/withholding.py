"""Which itemsets to withhold so that no small count follows from the rest: a smallest hitting set, grown as needed.

Every derivation of a small count is a list of published itemsets it needs; at least one of them must be withheld.
Derivations: what ``rules.association.deductions`` finds; with ``sure``, also whatever holds in every table that fits
(integer programs). The number of rows is taken to be known.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from anonnb.rules.association.channels import Supports
from anonnb.rules.association.deductions import Completed, small_counts
from anonnb.rules.association.fitting_tables import FittingTables

MOST_EXACT = 150  # itemsets up to which the smallest set is found; beyond it, a greedy one


def sets_to_withhold(supports: Supports, k: int, exclusive: bool = True, sure: bool = False) -> set[int]:
    """Itemsets (bit patterns) to withhold: as few as possible up to MOST_EXACT itemsets, greedily beyond.

    New derivations can appear when a set is withheld, since the ends of a gap bound what is inside; so the search
    repeats until none is left. Every list found stays a requirement, which makes the exact answer a smallest one. With
    ``sure``, integer programs look for further leaks when no derivation is left, and for the itemsets that each of them
    needs.
    """
    tables = FittingTables(supports, exclusive) if sure else None
    needed: list[frozenset[int]] = []
    withheld: set[int] = set()
    choose = _smallest if len(supports.counts) <= MOST_EXACT else _greedy
    while derivations := _derivations(supports.without(withheld), k, exclusive, tables):
        needed = list(dict.fromkeys(needed + derivations))
        withheld = choose(needed, withheld)
    return withheld


def _derivations(supports: Supports, k: int, exclusive: bool, tables: FittingTables | None) -> list[frozenset[int]]:
    """The published sets that each derivation of a small count needs, without the row count."""
    known = Completed(supports, exclusive)
    found = [known.used(channel) - {0} for channel in small_counts(known, k)]
    if found or tables is None:
        return found
    pattern = tables.disclosed(k, supports.counts)
    return [] if pattern is None else [tables.core(pattern, k, supports.counts) - {0}]


def _smallest(needed: list[frozenset[int]], _: set[int]) -> set[int]:
    """A smallest hitting set; among those, larger itemsets are withheld rather than smaller ones."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    sets = sorted(set().union(*needed), key=lambda bits: (-bits.bit_count(), bits))
    place = {bits: number for number, bits in enumerate(sets)}
    uses = np.zeros((len(needed), len(sets)))
    for row, used in enumerate(needed):
        uses[row, [place[bits] for bits in used]] = 1
    cost = 1 + np.arange(len(sets)) / (2 * len(sets) ** 2)  # all extras together stay below one
    found = milp(
        cost,
        constraints=LinearConstraint(uses, lb=1),
        integrality=np.ones(len(sets)),
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0},
    )
    return {bits for bits, chosen in zip(sets, found.x, strict=True) if chosen > 0.5}


def _greedy(needed: list[frozenset[int]], withheld: set[int]) -> set[int]:
    """Repeatedly withhold the set that most open lists use (ties: the larger itemset, then the later item)."""
    chosen = set(withheld)
    open_lists = [used for used in needed if not used & chosen]
    uses = Counter(bits for used in open_lists for bits in used)
    while open_lists:
        best = max(uses, key=lambda bits: (uses[bits], bits.bit_count(), bits))
        chosen.add(best)
        for used in [used for used in open_lists if best in used]:
            uses.subtract(used)
        open_lists = [used for used in open_lists if best not in used]
    return chosen
