"""Every method shows its steps: more than the release alone, and each a state that can be drawn.

That the last one is the release is a property of the contract: tests/testing/test_our_methods.
"""

import warnings

import pytest

from anonnb import methods
from anonnb.testing.cases import ordinary


@pytest.mark.slow
@pytest.mark.parametrize("name", methods.all())
def test_a_method_shows_how_it_works(name):
    cls = methods.get(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        told = cls().steps(ordinary(1, cls.most_values).table)
    assert len(told) >= 3
    assert all(step.state is not None for step in told)
    weighed = [step for step in told if step.candidates is not None and len(step.candidates)]
    assert not weighed or any(step.chosen for step in weighed)
