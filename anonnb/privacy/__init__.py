"""Privacy models to require of a release, and measures of what a release gives away."""

from anonnb.privacy.models import (
    AlphaK,
    BetaLikeness,
    DeltaDisclosure,
    GroupCheck,
    KAnonymity,
    LDiversity,
    Model,
    TCloseness,
)

__all__ = [
    "AlphaK",
    "BetaLikeness",
    "DeltaDisclosure",
    "GroupCheck",
    "KAnonymity",
    "LDiversity",
    "Model",
    "TCloseness",
]
