"""What Ciriani et al. (2008) state: the counts of their printed tables, figures in the text, and expectations."""

import re

import pandas as pd
import pytest

import anonnb
from anonnb.experiments.results import stored
from anonnb.experiments.stated.routes_claims import PRINTED, printed_tables, quantities, sentences
from anonnb.experiments.three_routes import ROUTES
from tests.experiments.stated.printed import LINES, check_quantity, check_sentence

SURVEY = anonnb.load("survey")


def test_the_printed_tables_are_the_chapters():
    pattern = re.compile(r"table (1\.\d+(?: \(\w\))?): (.+) (\d+) \((\d+)Y, (\d+)N\)")
    typed = [match.groups() for line in LINES if (match := pattern.fullmatch(line))]
    assert [(figure, row, *map(int, counts)) for figure, row, *counts in typed] == list(PRINTED)
    assert all(rows == yes + no for _, _, rows, yes, no in PRINTED)


def test_every_printed_count_is_set_beside_ours():
    frame = printed_tables(SURVEY)
    assert len(frame) == 3 * len(PRINTED)
    assert (frame["ours"] == frame["paper"]).all()
    other = printed_tables(SURVEY.take([len(SURVEY) - 1, *range(1, len(SURVEY))]))
    assert (other["ours"] != other["paper"]).any()


def test_every_figure_in_the_text_is_the_chapters():
    found = quantities(SURVEY)
    for each in found:
        check_quantity("routes", each)
    assert [each.name for each in found if each.verdict != "exact"] == ["[40,100): |Y − N|"]


def test_every_verdict_on_a_sentence_follows_the_rule():
    said = sentences(stored("three_routes", "adult"))
    assert len({each.text for each in said}) == len(said) == 6
    for each in said:
        check_sentence(each)


@pytest.mark.parametrize(
    ("start", "held"),
    [("mining results can", "1 of 2"), ("anonymize and mine: mining is safe", "4 of 4"), ("… so anonymize", "1 of 2")],
)
def test_sentences_are_counted_over_k_and_routes(start, held):
    lines = [(k, route, 0.8, 5 if route == ROUTES[0] and k == 10 else 0) for k in (2, 10) for route in ROUTES]
    means = pd.DataFrame(lines, columns=["k", "route", "accuracy", "people exposed"])
    means.loc[(means["k"] == 10) & (means["route"] == ROUTES[2]), "accuracy"] = 0.9
    (said,) = [each for each in sentences(means) if each.text.startswith(start)]
    assert said.held == held
