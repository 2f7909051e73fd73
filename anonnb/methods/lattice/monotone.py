"""Which privacy models are monotone: whether a node that passes makes all nodes above it pass.

Searches of the lattice rely on it (predictive tagging); where it does not hold, they check each node.
"""

from anonnb.privacy import LDiversity, Model
from anonnb.privacy.base import sensitive_columns
from anonnb.tables.table import Table

# A class that satisfies the model satisfies it with any rows added.
_KEPT_BY_ADDING = {"KAnonymity", "LDiversity distinct", "PopulationCount"}
# The union of two classes that satisfy the model satisfies it; adding rows of a class that does not may break it.
_KEPT_BY_MERGING = {
    *_KEPT_BY_ADDING,
    *("LDiversity entropy", "LDiversity recursive", "LDiversity frequency"),
    *("TCloseness", "AlphaK", "DeltaDisclosure", "BetaLikeness"),
}


def is_monotone(model: Model, *, suppressing: bool, table: Table | None = None) -> bool:
    """Say whether a passing node makes all nodes above it pass, so that one check decides them all.

    Without suppression every class of a passing node is good, and it is enough that merging good classes gives a good
    one: true of all l-diversities, t-closeness, (α,k)-anonymity, δ-disclosure and β-likeness. With suppression good
    classes merge with bad ones, and only k-anonymity and distinct l-diversity survive that. Models that are not known
    here count as not monotone.

    Where people have several rows in the table, a person's values from two classes come together, and only k-anonymity
    survives that. A class of which no sensitive value is known is good, and adding rows may break that.

    Parameters
    ----------
    suppressing:
        Whether rows of failing classes may be suppressed.
    table:
        The table that is to be published; without it nothing is assumed about missing values and people.

    Examples
    --------
    >>> from anonnb.privacy import LDiversity, TCloseness
    >>> [is_monotone(LDiversity(2), suppressing=s) for s in (False, True)]
    [True, True]
    >>> [is_monotone(TCloseness(0.2), suppressing=s) for s in (False, True)]
    [True, False]
    """
    kind = f"LDiversity {model.kind}" if isinstance(model, LDiversity) else type(model).__name__
    if table is not None and table.people_repeat:
        return kind == "KAnonymity"
    if suppressing and isinstance(model, LDiversity) and table is not None and model.missing == "ignore":
        names = sensitive_columns(table.sensitive, table.columns, model.column)
        if any(table.attributes[name].missing for name in names):
            return False
    return kind in (_KEPT_BY_ADDING if suppressing else _KEPT_BY_MERGING)
