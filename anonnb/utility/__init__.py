"""Information loss and usefulness of a release; every measure takes the original table and the release."""

from anonnb.utility.analysis import ANALYSES, analysis
from anonnb.utility.cells import entropy_loss, ncp, precision, set_costs, set_levels, suppression_rate, truthfulness
from anonnb.utility.classes import average_class_size, classification_metric, discernibility
from anonnb.utility.expected_counts import expected_count
from anonnb.utility.gap import Gap, gap
from anonnb.utility.predictions import rule_accuracy, tree_accuracy
from anonnb.utility.reporting import MEASURES, report
from anonnb.utility.rules import lost_rules, new_rules
from anonnb.utility.squares import sse
from anonnb.utility.values import exact_cells, small_losses, values_per_cell

__all__ = [
    "ANALYSES",
    "MEASURES",
    "Gap",
    "analysis",
    "average_class_size",
    "classification_metric",
    "discernibility",
    "entropy_loss",
    "exact_cells",
    "expected_count",
    "gap",
    "lost_rules",
    "ncp",
    "new_rules",
    "precision",
    "report",
    "rule_accuracy",
    "set_costs",
    "set_levels",
    "small_losses",
    "sse",
    "suppression_rate",
    "tree_accuracy",
    "truthfulness",
    "values_per_cell",
]
