"""anonnb: privacy-preserving data publishing, taught and compared in notebooks.

A table goes into a method, a release comes out, and every attack and every measure understands every release.
Names are looked up when they are first used, so that ``import anonnb`` stays fast.
"""

from typing import TYPE_CHECKING

from anonnb.core.lazy import lazy_imports

__version__ = "0.2.0"

# The folders of the package from the bottom up: each imports only from those before it (tests/floor_plan.py).
ROOMS = (
    *("core", "files", "tables", "steps", "roughsets", "rules", "trees", "privacy", "optimum", "utility", "methods"),
    *("attacks", "arena", "publishing", "experiments", "plots", "widgets", "reports", "coursework", "cluster"),
    *("testing", "cli", "book"),
)

if TYPE_CHECKING:
    from anonnb.core.errors import Infeasible
    from anonnb.publishing.release_files import publish, publish_mined
    from anonnb.tables.attribute import Attribute
    from anonnb.tables.datasets import load
    from anonnb.tables.hierarchies.hierarchy import Hierarchy
    from anonnb.tables.hierarchies.lattice import Lattice
    from anonnb.tables.release import Release
    from anonnb.tables.table import Table
else:
    __getattr__, __dir__, __all__ = lazy_imports(__name__, also=ROOMS)
