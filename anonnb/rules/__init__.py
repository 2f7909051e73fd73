"""Rules: decision rules (MLEM2, imprecise, k-anonymous, from releases), the LERS classifier, and rules of other kinds.

One module per subject; the names below are looked up when they are first used.
"""

import sys
from types import ModuleType

from anonnb.lazy import lazy_names

# public name -> module of this package that holds it
_HOME: dict[str, str] = {
    "Condition": "rule",
    "Rule": "rule",
    "RuleSet": "ruleset",
    "mlem2": "mlem2",
    "mlem2_steps": "steps",
    "imprecise_rules": "imprecise",
    "rules_from_release": "release_rules",
    "LERS": "lers",
    "Item": "association",
    "frequent_itemsets": "association",
    "closed_itemsets": "association",
    "maximal_itemsets": "association",
    "association_rules": "association",
    "compare_rules": "association",
    "rule_changes": "counting",
    "readable": "association",
    "Supports": "channels",
    "channels": "channels",
    "maximal_channels": "channels",
    "erid": "erid",
    "implies": "knowledge",
    "chase": "chase",
    "knowledge_base": "chase",
}

__getattr__, __dir__ = lazy_names(__name__, _HOME)


class _Package(ModuleType):
    """A module may be named like the function it holds (mlem2): ``anonnb.rules.mlem2`` always means the function."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
