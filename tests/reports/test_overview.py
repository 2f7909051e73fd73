"""The picture of a batch, and the bars of the papers."""

import pytest

from anonnb.experiments.ledger import VERDICTS as WORDS
from anonnb.reports.overview import least_error, paper_bars, rivals_picture
from anonnb.reports.results import Result
from tests.reports.records import REPRODUCTION, RIVALS, VERDICTS


def test_the_least_error_is_that_of_a_method_with_little_risk_within_each_promise_and_never_the_originals():
    assert [row[:2] for row in least_error(RIVALS)["rows"]] == [
        ["no k", "RankSwapping"],
        ["k and true values", "Forest"],
    ]
    risky = [row for row in RIVALS["rows"] if row[5] > 0.2]
    assert least_error(RIVALS | {"rows": risky}) is None


@pytest.mark.slow
def test_the_picture_is_the_same_bytes_each_time():
    assert rivals_picture(RIVALS).image == rivals_picture(RIVALS).image


def result(**records):
    return Result("40_x", "40_x.ipynb", "The title", {}, "", records=records)


def test_counts_stand_in_the_order_of_the_verdicts_and_absent_ones_are_none():
    some = VERDICTS | {"rows": [["differs", 2, 1, 0], ["exact", 7, 4, 3]]}
    (bar,) = paper_bars([result(reproduction=REPRODUCTION, verdicts=some)])
    assert (bar.paper, bar.total) == ("Somebody (2023)", 9)
    assert [(count.word, count.many) for count in bar.counts] == list(zip(WORDS, [7, 0, 0, 0, 0, 2], strict=True))
    assert bar.beside == "4 of 5 used to choose a reading and 3 of 3 inputs"


@pytest.mark.parametrize("change", [{"columns": ["word", "figures"]}, {"rows": [["exact", None, 1, 1]]}, {"rows": []}])
def test_verdicts_of_another_form_make_no_bar(change):
    assert paper_bars([result(reproduction=REPRODUCTION, verdicts=VERDICTS | change)]) == []
