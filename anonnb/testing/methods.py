"""``check_method``: the contract of methods, held for anyone's class, as scikit-learn's check_estimator does."""

from __future__ import annotations

import pandas as pd

from anonnb.methods.base import Method
from anonnb.testing import method_making, method_promises, method_results, method_tables, steps
from anonnb.testing.contract import Contract, settle
from anonnb.testing.subjects import MethodSubject

CONTRACT = Contract(
    [
        *method_making.CONTRACT.properties,
        *method_tables.CONTRACT.properties,
        *method_promises.CONTRACT.properties,
        *method_results.CONTRACT.properties,
        *steps.OF_METHODS.properties,
    ]
)


def check_method(
    method: Method | type[Method], *, thorough: bool = False, seed: int = 0, report: bool = False
) -> pd.DataFrame:
    """Hold a method to its contract; raises :class:`BrokenContract` with a sentence for each property it breaks.

    Parameters
    ----------
    method:
        An instance, or a class whose parameters all have defaults.
    thorough:
        Also ask what takes seconds: the same bytes from a fresh process.
    seed:
        For the tables that the method is tried on.
    report:
        Return the frame (property, passed, sentence) even when something is broken, and raise nothing.

    The properties that are asked follow from what the class says of itself: ``publishes``, ``promised``, ``truthful``,
    ``order_matters``, ``changes``, … What its ``exempt`` names is not asked, and the report tells why.

    >>> from anonnb.methods import Mondrian
    >>> found = check_method(Mondrian(k=3), report=True)
    >>> found.set_index("property")["passed"]["promise kept"]
    np.True_
    """
    made = method() if isinstance(method, type) else method
    if not isinstance(made, Method):
        raise TypeError(f"check_method needs an anonnb.methods.base.Method, not {type(made).__name__}")
    subject = MethodSubject(made, seed)
    return settle(made, CONTRACT.findings(subject, thorough=thorough, exempt=made.exempt), report=report)
