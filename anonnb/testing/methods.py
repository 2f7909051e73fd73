"""``check_method``: the contract of methods, for anyone's class, like scikit-learn's check_estimator."""

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

    The properties that are tested follow from what the class declares: ``publishes``, ``promised``, ``truthful``,
    ``order_matters``, ``changes``, … What its ``exempt`` names is not tested, and the report says why.

    Parameters
    ----------
    method:
        An instance, or a class whose parameters all have defaults.
    thorough:
        Also test what takes seconds: the same bytes from a fresh process.
    report:
        Return the frame even if something is broken, and raise nothing.

    Returns
    -------
    pandas.DataFrame
        A row per property, with the columns property, passed and sentence.

    Examples
    --------
    >>> from anonnb.methods import Mondrian
    >>> found = check_method(Mondrian(k=3), report=True)
    >>> bool(found.set_index("property")["passed"]["promise kept"])
    True
    """
    made = method() if isinstance(method, type) else method
    if not isinstance(made, Method):
        raise TypeError(f"check_method needs an anonnb.methods.base.Method, not {type(made).__name__}")
    subject = MethodSubject(made, seed)
    return settle(made, CONTRACT.findings(subject, thorough=thorough, exempt=made.exempt), report=report)
