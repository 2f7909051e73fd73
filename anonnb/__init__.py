"""anonnb: privacy-preserving data publishing, taught and compared in notebooks.

A table goes into a method, a release comes out, and every attack and every measure understands every release.
Names are looked up when they are first used, so that ``import anonnb`` stays fast.
"""

from importlib import import_module

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


def __getattr__(name: str):
    if name in _HOME:
        return getattr(import_module(f"anonnb.{_HOME[name]}"), name)
    if name in _MODULES:
        return import_module(f"anonnb.{name}")
    raise AttributeError(f"module 'anonnb' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*_HOME, *_MODULES, "__version__"])
