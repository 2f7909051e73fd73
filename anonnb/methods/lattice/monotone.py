"""Which privacy models are monotone: whether a node that passes makes all nodes above it pass.

Searches of the lattice spread their tags by it (predictive tagging); where it does not hold, they check each node.
"""

from anonnb.privacy import Model

# A class that satisfies the model satisfies it with any rows added.
_KEPT_BY_ADDING = {"KAnonymity", "LDiversity distinct"}
# The union of two classes that satisfy the model satisfies it; adding rows of a class that does not may break it.
_KEPT_BY_MERGING = {
    *_KEPT_BY_ADDING,
    *("LDiversity entropy", "LDiversity recursive", "LDiversity frequency"),
    *("TCloseness", "AlphaK", "DeltaDisclosure", "BetaLikeness"),
}


def is_monotone(model: Model, *, suppressing: bool) -> bool:
    """Whether a passing node makes all nodes above it pass, so that tags may be spread.

    Without suppression every class of a passing node is good, and it is enough that merging good classes gives a
    good one: true of all l-diversities, t-closeness, (α,k)-anonymity, δ-disclosure and β-likeness. With suppression
    good classes merge with bad ones, and only k-anonymity and distinct l-diversity survive that. Models that are not
    known here count as not monotone.

    >>> from anonnb.privacy import LDiversity, TCloseness
    >>> [is_monotone(LDiversity(2), suppressing=s) for s in (False, True)]
    [True, True]
    >>> [is_monotone(TCloseness(0.2), suppressing=s) for s in (False, True)]
    [True, False]
    """
    kind = f"{type(model).__name__} {getattr(model, 'kind', '')}" if type(model).__name__ == "LDiversity" else ""
    return (kind or type(model).__name__) in (_KEPT_BY_ADDING if suppressing else _KEPT_BY_MERGING)
