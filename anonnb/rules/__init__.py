"""Rules that can be learnt from a table, in four folders; the names below are looked up when they are first used.

``induction`` covers the classes of a decision table (MLEM2, imprecise rules, rules from releases, the LERS classifier),
``covering`` has LEM2, AQ and CN2 for comparison, ``association`` mines itemsets and rules between them and finds what
they disclose, ``incomplete`` learns from tables with unknown cells and fills them in (ERID, Chase).
"""

from typing import TYPE_CHECKING

from anonnb.core.lazy import lazy_imports

if TYPE_CHECKING:
    from anonnb.rules.association.channels import Supports, channels, maximal_channels
    from anonnb.rules.association.counting import rule_changes
    from anonnb.rules.association.itemsets import Item
    from anonnb.rules.association.mining import (
        association_rules,
        closed_itemsets,
        compare_rules,
        frequent_itemsets,
        maximal_itemsets,
        readable,
    )
    from anonnb.rules.covering.aq import aq
    from anonnb.rules.covering.classifiers import AQ, CN2, LEM2
    from anonnb.rules.covering.cn2 import cn2
    from anonnb.rules.covering.lem2 import lem2
    from anonnb.rules.incomplete.chase import chase, knowledge_base
    from anonnb.rules.incomplete.erid import erid
    from anonnb.rules.incomplete.knowledge import implies
    from anonnb.rules.induction.from_release import rules_from_release
    from anonnb.rules.induction.imprecise import imprecise_rules
    from anonnb.rules.induction.lers import LERS
    from anonnb.rules.induction.mlem2 import mlem2, mlem2_steps
    from anonnb.rules.induction.rule import Condition, Rule
    from anonnb.rules.induction.rule_set import RuleSet
else:
    __getattr__, __dir__, __all__ = lazy_imports(__name__)
