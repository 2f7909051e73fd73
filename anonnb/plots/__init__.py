"""Plots: each takes a tidy frame, a table, a release or a result, draws on given or new Axes, and returns the Axes.

One module per subject; the names below are looked up when they are first used. ``axes`` and ``panels`` make Axes in the
same style for your own drawings.
"""

from typing import TYPE_CHECKING

from anonnb.core.extras import needs
from anonnb.core.lazy import lazy_imports

needs(__name__, "plots", "matplotlib")

if TYPE_CHECKING:
    from anonnb.plots.arena import attack_heat_map, curves_over_k, draws, gains, loss_against_risk, rivals
    from anonnb.plots.association import itemset_counts, itemset_lattice, rule_scatter
    from anonnb.plots.attacks import (
        beliefs,
        candidates,
        exposure,
        isolation,
        refined_cells,
        roc_curves,
        shallow_and_deep,
    )
    from anonnb.plots.benchmarks import (
        bandwidth_shares,
        limit_shares,
        peak_memory,
        peer_overview,
        peer_ratios,
        profile_homes,
        promised_exponents,
        scaling_curves,
    )
    from anonnb.plots.chase import (
        hidden_by_confidence,
        incomes_filled_in,
        incompleteness,
        inference_graph,
        weighted_cells,
    )
    from anonnb.plots.cuts import cost_ratios, forest, hierarchy_cut
    from anonnb.plots.experiments import (
        against_leaves,
        beside_paper,
        budgets,
        linear_time,
        measure_by_k,
        moved_values,
        size_change,
        threshold_map,
        usefulness_protection,
        verdict_bars,
    )
    from anonnb.plots.lattice import intervals, lattice_search
    from anonnb.plots.ordered_rough_sets import cut_grid, dominance_regions, fuzzy_degrees
    from anonnb.plots.overview import audit, bars, class_sizes, hierarchy, lines, rankings, sensitive_shares, trade_off
    from anonnb.plots.regions import boxes, centres, pattern_boxes
    from anonnb.plots.rough_sets import approximations, granule_shares, granules, kept_quality, quality_steps
    from anonnb.plots.rules import rule_boxes, rule_coverage, rule_row_matrix, support_histogram, votes
    from anonnb.plots.steps.step import filmstrip, step
    from anonnb.plots.style import axes, panels
    from anonnb.plots.tables import before_after
    from anonnb.plots.trees import route_differences, routes, tree
else:
    __getattr__, __dir__, __all__ = lazy_imports(__name__)
