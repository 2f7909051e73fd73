"""anonnb: privacy-preserving data publishing, taught and compared in notebooks.

A table goes into a method, a release comes out, and every attack and every measure understands every release.
Names are looked up when they are first used, so that ``import anonnb`` stays fast.
"""

from anonnb.lazy import lazy_names

__version__ = "0.1.0"

_HOME = {
    "load": "datasets",
    "Table": "table",
    "Attribute": "table",
    "Hierarchy": "hierarchy",
    "Lattice": "hierarchy",
    "Release": "release",
    "Infeasible": "errors",
}
_MODULES = (
    "arena",
    "attacks",
    "cluster",
    "coursework",
    "datasets",
    "exercises",
    "experiments",
    "hierarchy",
    "methods",
    "plots",
    "privacy",
    "release",
    "reports",
    "roughsets",
    "rules",
    "table",
    "trees",
    "utility",
    "valuesets",
    "widgets",
)

__all__ = [*_HOME, "__version__"]

__getattr__, __dir__ = lazy_names(__name__, _HOME, _MODULES, ["__version__"])
