"""The one picture of a batch, and the method that is named beside it."""

import pytest

from anonnb.reports.overview.rivals import least_error, rivals_picture
from tests.reports.records import RIVALS


def test_the_least_error_is_that_of_a_method_with_little_risk_and_never_the_originals():
    assert least_error(RIVALS)["method"] == "RankSwapping"
    risky = [row for row in RIVALS["rows"] if row[3] > 0.2]
    assert least_error(RIVALS | {"rows": risky}) is None


@pytest.mark.slow
def test_the_picture_is_the_same_bytes_each_time():
    assert rivals_picture(RIVALS).image == rivals_picture(RIVALS).image
