"""anonnb: privacy-preserving data publishing, taught and compared in notebooks.

A table goes into a method, a release comes out, and every attack and every measure understands every release.
Names are looked up when they are first used, so that ``import anonnb`` stays fast.
"""

from anonnb.core.lazy import lazy_names

__version__ = "0.2.0"

_HOME = {
    "load": "tables.datasets",
    "Table": "tables.table",
    "Attribute": "tables.attribute",
    "Hierarchy": "tables.hierarchy",
    "Lattice": "tables.hierarchies.lattice",
    "Release": "tables.release",
    "Infeasible": "core.errors",
}
# The folders of the package from the bottom up: each imports only from those before it (tests/floor_plan.py).
ROOMS = (
    *("core", "files", "tables", "steps", "projects", "roughsets", "rules", "trees", "privacy", "optimum", "utility"),
    *("methods", "attacks", "arena", "experiments", "plots", "widgets", "reports", "coursework", "cluster", "testing"),
    *("cli", "book"),
)

__all__ = [*_HOME, "__version__"]

__getattr__, __dir__ = lazy_names(__name__, _HOME, ROOMS, ["__version__"])
