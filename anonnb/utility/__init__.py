"""Information loss and usefulness of a release; every measure takes the original table and the release."""

from typing import TYPE_CHECKING

from anonnb.core.lazy import lazy_imports

if TYPE_CHECKING:
    from anonnb.utility.analyses import ANALYSES, analysis
    from anonnb.utility.cells import entropy_loss, ncp, precision, set_costs, set_levels, suppression_rate, truthfulness
    from anonnb.utility.classes import average_class_size, classification_metric, discernibility
    from anonnb.utility.gaps import Gap, gap
    from anonnb.utility.predictions import lost_rules, new_rules, rule_accuracy, tree_accuracy
    from anonnb.utility.reporting import MEASURES, report
    from anonnb.utility.survey import survey_estimates, survey_shifts
    from anonnb.utility.values import exact_cells, expected_count, small_losses, sse, values_per_cell
else:
    __getattr__, __dir__, __all__ = lazy_imports(__name__)
