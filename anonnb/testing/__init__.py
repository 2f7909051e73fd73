"""Testing: the contract of methods and attacks, for anyone's class.

``check_method(MyMethod(k=3))`` and ``check_attack(MyAttack())`` try a class on ordinary and nasty tables (``cases``)
and test properties (``method_making``, ``method_tables``, ``method_promises``, ``method_results``; ``attacks``), each
with a sentence when it fails. What was promised is recounted from the published text by code that shares nothing with
the writer (``recounting``). Neither pytest nor hypothesis is needed.
"""

from typing import TYPE_CHECKING

from anonnb.core.lazy import lazy_imports

if TYPE_CHECKING:
    from anonnb.testing.attacks import check_attack
    from anonnb.testing.contract import BrokenContract
    from anonnb.testing.methods import check_method
else:
    __getattr__, __dir__, __all__ = lazy_imports(__name__)
