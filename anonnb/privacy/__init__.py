"""Privacy models to require of a release, and measures of what a release gives away."""

from anonnb.privacy.audit import audit
from anonnb.privacy.audit_result import Audit
from anonnb.privacy.base import Model
from anonnb.privacy.measures import (
    alpha_k,
    beta,
    delta_disclosure,
    entropy_l,
    k,
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
from anonnb.privacy.population_measures import delta_presence, k_map
from anonnb.privacy.population_uniqueness import PopulationUniqueness
from anonnb.privacy.reporting import MEASURES, report
from anonnb.privacy.risks import Risk, risk, unique_rows

__all__ = [
    "MEASURES",
    "AlphaK",
    "Audit",
    "BetaLikeness",
    "DeltaDisclosure",
    "DeltaPresence",
    "GroupCheck",
    "KAnonymity",
    "KMap",
    "LDiversity",
    "Model",
    "PopulationUniqueness",
    "Risk",
    "TCloseness",
    "alpha_k",
    "audit",
    "beta",
    "delta_disclosure",
    "delta_presence",
    "entropy_l",
    "k",
    "k_map",
    "l",
    "recursive_c_l",
    "report",
    "risk",
    "t",
    "unique_rows",
]
