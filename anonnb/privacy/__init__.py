"""Privacy models to require of a release, and measures of what a release gives away."""

from anonnb.privacy.models import GroupCheck, KAnonymity, Model

__all__ = ["GroupCheck", "KAnonymity", "Model"]
