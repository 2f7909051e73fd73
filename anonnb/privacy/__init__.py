"""Privacy models to require of a release, and measures of what a release gives away."""

from typing import TYPE_CHECKING

from anonnb.core.lazy import lazy_imports

if TYPE_CHECKING:
    from anonnb.privacy.audit_result import Audit
    from anonnb.privacy.auditing import audit
    from anonnb.privacy.base import Model
    from anonnb.privacy.epsilon_audit import EpsilonAudit, OneRunAudit, audit_epsilon, audit_epsilon_once
    from anonnb.privacy.measures import (
        alpha_k,
        beta,
        delta_disclosure,
        delta_presence,
        entropy_l,
        k,
        k_map,
        l,
        recursive_c_l,
        t,
    )
    from anonnb.privacy.models import (
        AlphaK,
        BetaLikeness,
        DeltaDisclosure,
        GroupCheck,
        KAnonymity,
        LDiversity,
        TCloseness,
    )
    from anonnb.privacy.population import DeltaPresence, KMap
    from anonnb.privacy.population_risk import GlobalRisk, global_risk
    from anonnb.privacy.population_uniqueness import UniquenessEstimate, weighted_risk
    from anonnb.privacy.reporting import MEASURES, report
    from anonnb.privacy.risk_models import (
        AverageRisk,
        HighestRisk,
        PopulationCount,
        PopulationUniqueness,
        RecordsAtRisk,
    )
    from anonnb.privacy.risks import Risk, risk, unique_rows
else:
    __getattr__, __dir__, __all__ = lazy_imports(__name__)
