"""Claims print what holds and stop a notebook at what does not."""

import numpy as np
import pytest

from anonnb import widgets
from anonnb.widgets.claims import Refuted


def test_a_true_claim_is_printed(capsys):
    widgets.claim("Two is more than one.", np.True_)
    assert capsys.readouterr().out == "✓ Two is more than one.\n"


def test_a_false_claim_stops_the_notebook():
    with pytest.raises(Refuted, match=r"does not hold: One is more than two\."):
        widgets.claim("One is more than two.", 1 > 2)


def test_several_truth_values_are_no_claim():
    with pytest.raises(ValueError, match=r"use \.all\(\) or \.any\(\)"):
        widgets.claim("All are positive.", np.array([1, 2]) > 0)
