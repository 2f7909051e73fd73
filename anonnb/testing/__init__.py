"""Testing: the contract of methods and attacks, for anyone's class.

``check_method(MyMethod(k=3))`` and ``check_attack(MyAttack())`` try a class on ordinary and nasty tables (``cases``)
and test properties (``method_making``, ``method_tables``, ``method_promises``, ``method_results``; ``attacks``), each
with a sentence when it fails. What was promised is recounted from the published text by code that shares nothing with
the writer (``recounting``). Neither pytest nor hypothesis is needed.
"""

from anonnb.core.lazy import lazy_names

_HOME = {"check_method": "methods", "check_attack": "attacks", "BrokenContract": "contract"}

__all__ = [*_HOME]

__getattr__, __dir__ = lazy_names(__name__, _HOME)
