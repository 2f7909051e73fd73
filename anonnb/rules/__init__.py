"""Rules: decision rules (MLEM2, imprecise, k-anonymous, from releases), the LERS classifier, and rules of other kinds.

One module per subject; the names below are looked up when they are first used.
"""

from importlib import import_module

# public name -> module of this package that holds it
_HOME: dict[str, str] = {
    "Condition": "rule",
    "Rule": "rule",
    "RuleSet": "ruleset",
    "mlem2": "mlem2",
    "trace": "mlem2",
    "imprecise_rules": "imprecise",
    "rules_from_release": "release_rules",
    "LERS": "lers",
    "Item": "association",
    "frequent_itemsets": "association",
    "closed_itemsets": "association",
    "maximal_itemsets": "association",
    "association_rules": "association",
    "compare_rules": "association",
    "readable": "association",
}


def __getattr__(name: str):
    # a module may be named like the function it holds (mlem2): the function is what people mean
    if name in _HOME:
        value = getattr(import_module(f"anonnb.rules.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'anonnb.rules' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(_HOME)
