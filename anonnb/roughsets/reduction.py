"""Which attributes suffice: the core, one reduct by greed, and all of them as prime implicants (Skowron 1992).

Reading for releases: as in ``approximations``, cells are sets of values, related when equal or when they overlap.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from anonnb.core.arrays import distinct_rows
from anonnb.roughsets.approximations import PAIRS_AT_ONCE, decision_flags, positive, ready, related, set_numbers
from anonnb.tables.release import Release
from anonnb.tables.table import Table


def core(data: Table | Release, attributes: Sequence[str] | None = None, *, relation: str = "equal") -> list[str]:
    """The attributes no reduct can do without: leaving one out makes the positive region smaller.

    >>> from anonnb import load
    >>> core(load("decision6"))
    ['sex', 'occupation']
    """
    release, names = ready(data, attributes)
    whole = positive(release, names, relation).sum()
    return [name for name in names if positive(release, _less(names, name), relation).sum() < whole]


def reduct(data: Table | Release, attributes: Sequence[str] | None = None, *, relation: str = "equal") -> list[str]:
    """One reduct, fast: a smallest-by-greed set of attributes with the whole positive region, none of them needless.

    Starts from the core, adds the attribute that enlarges the positive region most (ties: the first), then leaves out,
    last first, what is not needed.

    >>> from anonnb import load
    >>> reduct(load("decision6"))
    ['sex', 'occupation']
    """
    release, names = ready(data, attributes)
    whole = positive(release, names, relation).sum()
    chosen = core(release, names, relation=relation)
    while positive(release, chosen, relation).sum() < whole:
        rest = [name for name in names if name not in chosen]
        sizes = [positive(release, [*chosen, name], relation).sum() for name in rest]
        chosen.append(rest[int(np.argmax(sizes))])
    for name in reversed(chosen.copy()):
        if positive(release, _less(chosen, name), relation).sum() == whole:
            chosen.remove(name)
    return [name for name in names if name in chosen]


def reducts(
    data: Table | Release,
    attributes: Sequence[str] | None = None,
    *,
    relation: str = "equal",
    limit: int = 20_000,
    max_rows: int = 20_000,
) -> list[list[str]]:
    """All reducts: the prime implicants of the discernibility function, shortest first.

    For every row of the positive region and every row of another class one of the attributes that tell them apart must
    stay. Refused where there are more than ``max_rows`` different rows (every pair is compared) or more than ``limit``
    partial reducts; :func:`reduct` finds one in either case.

    >>> from anonnb import load
    >>> reducts(load("decision6"))
    [['sex', 'occupation']]
    """
    release, names = ready(data, attributes)
    if len(names) > 62:
        raise ValueError(
            f"reducts are searched among at most 62 attributes, not {len(names)}; name fewer, or use reduct"
        )
    clauses = _discernibility(release, names, relation, max_rows)
    implicants = _prime_implicants(clauses, limit)
    found = [[name for place, name in enumerate(names) if mask >> place & 1] for mask in implicants]
    return sorted(found, key=lambda chosen: (len(chosen), [names.index(name) for name in chosen]))


def _discernibility(release: Release, names: list[str], relation: str, max_rows: int) -> list[int]:
    """The clauses of the discernibility function as bitmasks of attributes, without those that others imply."""
    flags = decision_flags(release)
    sure = positive(release, names, relation)
    cells = np.column_stack([set_numbers(release.columns[name]) for name in names])
    first, _ = distinct_rows(np.column_stack([cells, np.packbits(flags, axis=1), sure]).astype(np.int64))
    if len(first) > max_rows:
        raise ValueError(
            f"all reducts of {len(first):,} different rows need every pair of them compared; "
            f"raise max_rows={max_rows:,}, name fewer attributes, or use reduct for one of them"
        )
    columns = [release.columns[name].take(first) for name in names]
    _, kinds = distinct_rows(np.packbits(flags[first], axis=1))
    sure = np.flatnonzero(sure[first])
    step = max(PAIRS_AT_ONCE // max(len(first), 1), 1)
    masks: set[int] = set()
    for start in range(0, len(sure), step):
        ones = sure[start : start + step]
        rivals = kinds[ones][:, None] != kinds[None, :]
        clause = np.zeros(rivals.shape, dtype=np.int64)
        for place, column in enumerate(columns):
            clause |= (~related(column, ones, relation)).astype(np.int64) << place
        masks.update(np.unique(clause[rivals]).tolist())
    return _minimal(masks)


def _minimal(masks: Iterable[int]) -> list[int]:
    """The masks that contain no other one."""
    kept: list[int] = []
    for mask in sorted(set(masks), key=lambda mask: (mask.bit_count(), mask)):
        if not any(small & mask == small for small in kept):
            kept.append(mask)
    return kept


def _prime_implicants(clauses: list[int], limit: int) -> list[int]:
    """Minimal masks that meet every clause: multiply the clauses out, absorbing as we go (Berge's algorithm).

    Masks that meet the next clause stay; the others grow by one of its attributes. A grown mask can contain one that
    stayed, but never another grown one, so only those pairs are compared.
    """
    implicants = np.zeros(1, dtype=np.int64)
    for clause in clauses:
        meets = implicants & clause != 0
        kept, open_masks = implicants[meets], implicants[~meets]
        grown = [kept]
        for bit in (1 << place for place in range(clause.bit_length()) if clause >> place & 1):
            longer, rivals = open_masks | bit, kept[kept & bit != 0]
            step = max(PAIRS_AT_ONCE // max(len(rivals), 1), 1)
            for start in range(0, len(longer), step):
                part = longer[start : start + step]
                grown.append(part[~(part[:, None] & rivals == rivals).any(axis=1)])
        implicants = np.concatenate(grown)
        if len(implicants) > limit:
            raise ValueError(
                f"there are more than limit={limit:,} partial reducts; raise it, name fewer attributes, or use reduct"
            )
    return implicants.tolist()


def _less(names: Sequence[str], name: str) -> list[str]:
    return [other for other in names if other != name]
