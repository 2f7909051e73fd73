"""Rules that can be learnt from a table, in four folders; the names below are looked up when they are first used.

``induction`` covers the classes of a decision table (MLEM2, imprecise rules, rules from releases, the LERS classifier),
``covering`` has LEM2, AQ and CN2 for comparison, ``association`` mines itemsets and rules between them and finds what
they disclose, ``incomplete`` learns from tables with unknown cells and fills them in (ERID, Chase).
"""

from anonnb.core.lazy import lazy_names

# public name -> module of this package that holds it
_HOME: dict[str, str] = {
    "Condition": "induction.rule",
    "Rule": "induction.rule",
    "RuleSet": "induction.rule_set",
    "mlem2": "induction.mlem2",
    "mlem2_steps": "induction.mlem2",
    "imprecise_rules": "induction.imprecise",
    "rules_from_release": "induction.from_release",
    "LERS": "induction.lers",
    "lem2": "covering.lem2",
    "aq": "covering.aq",
    "cn2": "covering.cn2",
    "LEM2": "covering.classifiers",
    "AQ": "covering.classifiers",
    "CN2": "covering.classifiers",
    "Item": "association.itemsets",
    "frequent_itemsets": "association.mining",
    "closed_itemsets": "association.mining",
    "maximal_itemsets": "association.mining",
    "association_rules": "association.mining",
    "compare_rules": "association.mining",
    "rule_changes": "association.counting",
    "readable": "association.mining",
    "Supports": "association.channels",
    "channels": "association.channels",
    "maximal_channels": "association.channels",
    "erid": "incomplete.erid",
    "implies": "incomplete.knowledge",
    "chase": "incomplete.chase",
    "knowledge_base": "incomplete.chase",
}
__all__ = list(_HOME)

__getattr__, __dir__ = lazy_names(__name__, _HOME)
