"""Plots: each takes a tidy frame, a table, a release or a result, draws on given or new Axes, and returns the Axes.

One module per subject; the names below are looked up when they are first used. ``axes`` and ``panels`` make Axes in the
same style for your own drawings.
"""

from anonnb.core.extras import needs
from anonnb.core.lazy import lazy_names

needs(__name__, "plots", "matplotlib")

# name of the plot -> module of this package that holds it
_HOME: dict[str, str] = {
    "linkage_and_k": "arena",
    "loss_against_risk": "arena",
    "rivals": "arena",
    "attack_heat_map": "arena",
    "curves_over_k": "arena",
    "candidates": "attacks",
    "beliefs": "attacks",
    "before_and_after": "attacks",
    "roc_curves": "attacks",
    "refined_cells": "attacks",
    "isolation": "attacks",
    "rule_boxes": "rules",
    "rule_coverage": "rules",
    "support_histogram": "rules",
    "rule_row_matrix": "rules",
    "votes": "rules",
    "accuracy_by_k": "rules",
    "granules": "roughsets.granules",
    "approximations": "roughsets.granules",
    "quality_steps": "roughsets.granules",
    "granule_shares": "roughsets.granules",
    "dominance_regions": "roughsets.ordered",
    "kept_quality": "roughsets.granules",
    "cut_grid": "roughsets.ordered",
    "fuzzy_degrees": "roughsets.ordered",
    "boxes": "regions",
    "centres": "regions",
    "lattice_search": "lattice",
    "intervals": "lattice",
    "enumeration_tree": "lattice",
    "hierarchy_cut": "cuts",
    "cut_trace": "cuts",
    "cost_ratios": "cuts",
    "forest": "cuts",
    "exposure": "attacks",
    "usefulness_protection": "experiments",
    "beside_paper": "experiments",
    "verdict_bars": "experiments",
    "shallow_and_deep": "attacks",
    "pattern_boxes": "regions",
    "tree": "trees",
    "itemset_lattice": "association",
    "routes": "trees",
    "route_differences": "trees",
    "audit": "overview",
    "class_sizes": "overview",
    "sensitive_shares": "overview",
    "hierarchy": "overview",
    "trade_off": "overview",
    "bars": "overview",
    "lines": "overview",
    "rankings": "overview",
    "itemset_counts": "association",
    "rule_scatter": "association",
    "measure_by_k": "migration",
    "budgets": "migration",
    "threshold_map": "migration",
    "size_change": "migration",
    "moved_values": "tree_preserving",
    "against_leaves": "tree_preserving",
    "linear_time": "tree_preserving",
    "inference_graph": "chase",
    "incompleteness": "chase",
    "weighted_cells": "chase",
    "hidden_by_confidence": "chase",
    "incomes_filled_in": "chase",
    "before_after": "tables",
    "peer_overview": "benchmarks",
    "promised_exponents": "benchmarks",
    "bandwidth_shares": "benchmarks",
    "peer_ratios": "benchmarks",
    "scaling_curves": "benchmarks",
    "peak_memory": "benchmarks",
    "profile_homes": "benchmarks",
    "limit_shares": "benchmarks",
    "step": "steps.step",
    "filmstrip": "steps.strip",
}

# what your own drawing begins with, in the same style
_CANVAS = {"axes": "style", "panels": "style"}

__getattr__, __dir__ = lazy_names(__name__, _HOME | _CANVAS)
